"""The key schedule of a serial core: the words of all round keys, with SubWord of the core."""

import random
from collections.abc import Callable

from benches import KEY_BITS
from runner import ENCRYPT, View

from aesforge.core import model

ANY, *SIZES = KEY_BITS

Tell = Callable[[int, int], dict[str, int]]
"""Inputs that select the next word: the round, and one of its four words, 4 for none."""


def sizes(row: View) -> list[int]:
    """The key sizes of an instance."""
    bits = dict(row.item.parameters)["KeyBits"]
    return SIZES if bits == ANY else [int(bits)]


def ways(row: View) -> tuple[int, ...]:
    """The directions of an instance: 0 forward, 1 backward."""
    return (0,) if dict(row.item.parameters)["Direction"] == ENCRYPT else (0, 1)


async def idle(row: View, **inputs: int) -> None:
    """A cycle without a step."""
    await row.apply(step_i=0, start_i=0, clear_i=0, **inputs)
    await row.edge()
    await row.apply(take_i=0, restart_i=0, keep_i=0)


async def load(row: View, key: bytes, **inputs: int) -> None:
    """Load a new key, left-aligned with noise below it, and restart the schedule."""
    bits = 8 * len(key)
    noise = random.getrandbits(256 - bits) if bits < 256 else 0
    padded = int.from_bytes(key) << 256 - bits | noise
    await idle(row, take_i=1, key_i=padded, **inputs)
    # The size is used for the words, and only with KEYS_ANY.
    told = SIZES.index(bits) if dict(row.item.parameters)["KeyBits"] == ANY else 3
    await idle(row, restart_i=1, len_i=told)


async def schedule(row: View, tell: Tell, bits: int, back: int, down: int) -> list[bytes]:
    """All round keys from the current position; `down`: words in descending order."""
    found, sub = [], bytearray(4)
    for number in range(model.rounds(bytes(bits // 8)) + 1):
        words: list[bytes] = []
        for c in range(4):
            await row.apply(
                back_i=back,
                start_i=int(number == 0),
                step_i=1,
                sub_word_i=random.getrandbits(32)
                if c or not number
                else int.from_bytes(model.sub_word(bytes(sub))),
                **tell(number, c),
            )
            if number == 0:
                words.append(row.get("k_sch_o").to_bytes(4))
                # Byte by byte, while the words advance.
                sub[c] = row.get("sub_word_o").to_bytes(4)[c]
            await row.edge()
            if number:
                words.append(row.get("k_sch_o").to_bytes(4))
                # Pauses change nothing.
                if random.random() < 0.2:
                    await row.apply(step_i=0, sub_word_i=random.getrandbits(32))
                    await row.edge()
        found.append(b"".join(words[::-1] if down else words))
        if number:
            await row.apply(step_i=0, **tell(number, 4))
            sub = bytearray(row.get("sub_word_o").to_bytes(4))
    return found


async def goes_on_from_where_it_ended(row: View, tell: Tell, down: Callable[[int], int]) -> None:
    """Schedules of random keys in both directions, in random order; `down` for a direction."""
    for bits in sizes(row):
        key = random.randbytes(bits // 8)
        wanted = model.round_keys(key)
        await load(row, key)
        assert await schedule(row, tell, bits, 0, 0) == wanted, (row.item.name, bits)
        side = 0
        for _ in range(4):
            back = random.choice(ways(row))
            await idle(row, **({"restart_i": 1} if back == side else {"keep_i": 1}))
            side = back
            found = await schedule(row, tell, bits, back, down(back))
            assert found == (wanted[::-1] if back else wanted), (row.item.name, bits, back)
