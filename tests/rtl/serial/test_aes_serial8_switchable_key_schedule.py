"""All round keys in both directions, with SubWord as the core computes it."""

import random

from benches import KEY, KEY_BITS
from runner import ENCRYPT, View, for_each, simulate

from aesforge.core import model

ANY, *SIZES = KEY_BITS
MODULE = "aes_serial8_switchable_key_schedule"


def test_aes_serial8_switchable_key_schedule() -> None:
    simulate(__file__, KEY)


def sizes(unit: View) -> list[int]:
    """The key sizes of an instance."""
    bits = dict(unit.item.parameters)["KeyBits"]
    return SIZES if bits == ANY else [int(bits)]


def ways(unit: View) -> tuple[int, ...]:
    """The directions of an instance: 0 forward, 1 backward."""
    return (0,) if dict(unit.item.parameters)["Direction"] == ENCRYPT else (0, 1)


def at(number: int, word: int) -> dict[str, int]:
    """The round and the place of a word: the S-boxes substitute the round key from place 16 on."""
    place = 4 * word if number else 16 + word
    return {"round_i": number, "place_i": place, "last_round_i": int(number == 10)}


async def idle(unit: View, **inputs: int) -> None:
    """A cycle without a step."""
    await unit.apply(step_i=0, start_i=0, clear_i=0, **inputs)
    await unit.edge()
    await unit.apply(take_i=0, restart_i=0, keep_i=0)


async def load(unit: View, key: bytes, **inputs: int) -> None:
    """Store a key, left-aligned and padded with random bits, and return to its start."""
    bits = 8 * len(key)
    noise = random.getrandbits(256 - bits) if bits < 256 else 0
    padded = int.from_bytes(key) << 256 - bits | noise
    await idle(unit, take_i=1, key_i=padded, **inputs)
    length = SIZES.index(bits) if dict(unit.item.parameters)["KeyBits"] == ANY else 3
    await idle(unit, restart_i=1, len_i=length)


async def schedule(unit: View, bits: int, back: int) -> list[bytes]:
    """All round keys from the words that are stored."""
    # Backward, only the form for 128-bit keys gives the words of a round key in ascending order.
    descending = back and dict(unit.item.parameters)["KeyBits"] != 128
    found, sub = [], bytearray(4)
    for number in range(model.rounds(bytes(bits // 8)) + 1):
        words: list[bytes] = []
        for c in range(4):
            await unit.apply(
                back_i=back,
                start_i=int(number == 0),
                step_i=1,
                sub_word_i=random.getrandbits(32)
                if c or not number
                else int.from_bytes(model.sub_word(bytes(sub))),
                **at(number, c),
            )
            if number == 0:
                words.append(unit.get("k_sch_o").to_bytes(4))
                # Byte by byte, while the words shift.
                sub[c] = unit.get("sub_word_o").to_bytes(4)[c]
            await unit.edge()
            if number:
                words.append(unit.get("k_sch_o").to_bytes(4))
                # A pause changes nothing.
                if random.random() < 0.2:
                    await unit.apply(step_i=0, sub_word_i=random.getrandbits(32))
                    await unit.edge()
        found.append(b"".join(words[::-1] if descending else words))
        if number:
            await unit.apply(step_i=0, **at(number, 4))
            sub = bytearray(unit.get("sub_word_o").to_bytes(4))
    return found


@for_each(KEY, MODULE)
async def schedules_run_in_both_directions_and_continue_where_they_ended(unit: View) -> None:
    for bits in sizes(unit):
        key = random.randbytes(bits // 8)
        wanted = model.round_keys(key)
        await load(unit, key)
        assert await schedule(unit, bits, 0) == wanted, (unit.item.name, bits)
        side = 0
        for _ in range(4):
            back = random.choice(ways(unit))
            await idle(unit, **({"restart_i": 1} if back == side else {"keep_i": 1}))
            side = back
            found = await schedule(unit, bits, back)
            assert found == (wanted[::-1] if back else wanted), (unit.item.name, bits, back)


@for_each(KEY, MODULE)
async def a_new_key_has_priority_over_stored_words(unit: View) -> None:
    for bits in sizes(unit):
        key = random.randbytes(bits // 8)
        await load(unit, key, keep_i=1)
        assert await schedule(unit, bits, 0) == model.round_keys(key)


async def clear(unit: View) -> None:
    """As many steps as the core takes to overwrite all words and what was computed from them."""
    for c in range(12):
        await unit.apply(step_i=1, start_i=1, clear_i=1, keep_i=1, back_i=0, **at(0, c % 4))
        await unit.edge()
    await idle(unit, restart_i=1)


@for_each(KEY, MODULE)
async def a_clear_leaves_zeros(unit: View) -> None:
    for bits in sizes(unit):
        # The longest key that may be stored, with any size selected.
        await load(unit, random.randbytes(sizes(unit)[-1] // 8))
        await unit.apply(len_i=random.randrange(4))
        await clear(unit)
        await load(unit, random.randbytes(bits // 8))
        await clear(unit)
        assert await schedule(unit, bits, 0) == model.round_keys(bytes(bits // 8))
