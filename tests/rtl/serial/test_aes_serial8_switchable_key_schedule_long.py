"""All round keys of longer blocks in both directions, with SubWord as the core computes it."""

import random

from benches import KEY
from key_windows import length_code, padded, sizes
from runner import ENCRYPT, View, for_each, simulate

from aesforge.core import model

MODULE = "aes_serial8_switchable_key_schedule_long"


def test_aes_serial8_switchable_key_schedule_long() -> None:
    simulate(__file__, KEY)


def columns(unit: View) -> int:
    return int(dict(unit.item.parameters)["BlockBits"]) // 32


def ways(unit: View) -> tuple[int, ...]:
    """The directions of an instance: 0 forward, 1 backward."""
    return (0,) if dict(unit.item.parameters)["Direction"] == ENCRYPT else (0, 1)


async def idle(unit: View, **inputs: int) -> None:
    """A cycle without a step."""
    await unit.apply(step_i=0, start_i=0, clear_i=0, sub_word_i=random.getrandbits(32), **inputs)
    await unit.edge()
    await unit.apply(take_i=0, restart_i=0, keep_i=0)


async def load(unit: View, key: bytes, **inputs: int) -> None:
    """Store a key and return to its start."""
    await idle(unit, take_i=1, key_i=padded(key), **inputs)
    await idle(unit, restart_i=1, len_i=length_code(unit, key))


async def schedule(unit: View, key: bytes, back: int) -> tuple[list[bytes], list[int]]:
    """All words from those that are stored, and the numbers of the words after a request."""
    nb = columns(unit)
    words: list[bytes] = []
    requests: list[int] = []
    answer: int | None = None
    for number in range(nb * (model.rounds(key, nb) + 1)):
        start = number < nb
        await unit.apply(
            back_i=back,
            start_i=int(start),
            step_i=1,
            odd_i=number % 2,
            sub_word_i=random.getrandbits(32) if answer is None else answer,
        )
        answer = None
        if start:
            words.append(unit.get("k_sch_o").to_bytes(4))
        asked = unit.get("request_o")
        await unit.edge()
        if not start:
            words.append(unit.get("k_sch_o").to_bytes(4))
        # A pause changes nothing.
        if random.random() < 0.2:
            await idle(unit)
        if number % 2 and asked:
            requests.append(number + 1)
            await unit.apply(step_i=0, start_i=int(start), sub_word_i=random.getrandbits(32))
            answer = int.from_bytes(model.sub_word(unit.get("sub_word_o").to_bytes(4)))
            await unit.edge()
    return words, requests


def due(unit: View, key: bytes) -> list[int]:
    """The words of a schedule that SubWord is due for, and the word after the last one."""
    nb, nk = columns(unit), len(key) // 4
    last = nb * (model.rounds(key, nb) + 1)
    return [i for i in range(nk, last + 1) if i % nk == 0 or (nk == 8 and i % 8 == 4)]


@for_each(KEY, MODULE)
async def schedules_run_in_both_directions_and_continue_where_they_ended(unit: View) -> None:
    for size in sizes(unit):
        key = random.randbytes(size)
        wanted = model.key_expansion(key, columns(unit))
        await load(unit, key)
        assert await schedule(unit, key, 0) == (wanted, due(unit, key)), (unit.item.name, size)
        side = 0
        for _ in range(4):
            back = random.choice(ways(unit))
            await idle(unit, **({"restart_i": 1} if back == side else {"keep_i": 1}))
            side = back
            ordered = wanted[::-1] if back else wanted
            found = await schedule(unit, key, back)
            assert found == (ordered, due(unit, key)), (unit.item.name, size, back)


@for_each(KEY, MODULE)
async def a_new_key_has_priority_over_stored_words(unit: View) -> None:
    for size in sizes(unit):
        key = random.randbytes(size)
        await load(unit, key, keep_i=1)
        assert (await schedule(unit, key, 0))[0] == model.key_expansion(key, columns(unit))


async def clear(unit: View) -> None:
    """As many steps as the core takes to overwrite all words and what was computed from them."""
    for number in range(2 * columns(unit)):
        await unit.apply(step_i=1, odd_i=number % 2, start_i=1, clear_i=1, keep_i=1, back_i=0)
        await unit.edge()
    await unit.apply(step_i=0)
    await unit.edge()
    await idle(unit, restart_i=1)


@for_each(KEY, MODULE)
async def a_clear_leaves_zeros(unit: View) -> None:
    for size in sizes(unit):
        # The longest key that may be stored, with any size selected.
        await load(unit, random.randbytes(sizes(unit)[-1]))
        await unit.apply(len_i=random.randrange(4))
        await clear(unit)
        await load(unit, random.randbytes(size))
        await clear(unit)
        wanted = model.key_expansion(bytes(size), columns(unit))
        assert (await schedule(unit, bytes(size), 0))[0] == wanted
