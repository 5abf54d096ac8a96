"""What modules have in common that hold the round keys of all rounds at once."""

import random

from key_windows import padded, sizes, told
from runner import View, is_inverse

from aesforge.core import model


def rounds_of(unrolled: View) -> int:
    """The rounds that an instance has places for."""
    return sizes(unrolled)[-1] // 4 + 6


def cuts(unrolled: View) -> int:
    return int(dict(unrolled.item.parameters)["Cuts"])


async def load(unrolled: View, key: bytes) -> None:
    await unrolled.apply(clear_i=0, load_i=1, key_i=padded(key), key_len_i=told(unrolled, key))
    await unrolled.edge()
    await unrolled.apply(load_i=0, key_i=random.getrandbits(256), key_len_i=random.getrandbits(2))


async def setup(unrolled: View, key: bytes, clocks: int) -> None:
    """From the load to the clock behind `done_o`, which comes in so many."""
    await load(unrolled, key)
    for clock in range(1, clocks + 1):
        assert unrolled.get("done_o") == (clock == clocks), (unrolled.item.name, clock)
        await unrolled.edge()


def _round_key(key: bytes, r: int, inverse: int) -> bytes:
    """Of the cipher, or of the equivalent inverse cipher (FIPS 197, 5.3.5)."""
    keys = model.round_keys(key)
    if not inverse:
        return keys[r]
    kept = keys[len(keys) - 1 - r]
    return kept if r in (0, len(keys) - 1) else model.inv_mix_columns(kept)


async def holds(unrolled: View, key: bytes) -> None:
    """All round keys of `key` are there, the last in the last place, and none is under way.

    Each round may ask for either direction.
    """
    rounds = rounds_of(unrolled)
    skipped = rounds - model.rounds(key)
    every = (2 << rounds) - 1
    for asked in (0, every, random.getrandbits(rounds + 1)):
        await unrolled.apply(decrypt_i=asked)
        assert unrolled.get("done_o") == 0
        for r in range(rounds + 1):
            passed = 0 < r <= skipped
            assert unrolled.get("pass_o") >> r & 1 == passed, (unrolled.item.name, r)
            if not passed:
                found = unrolled.get("k_sch_o") >> 128 * r & (1 << 128) - 1
                inverse = is_inverse(unrolled, asked >> r & 1)
                expected = _round_key(key, r - skipped if r else 0, inverse)
                assert found.to_bytes(16) == expected, (unrolled.item.name, r, inverse)


async def forgotten(unrolled: View, clocks: int) -> None:
    """There is no round key, and none comes."""
    for _ in range(clocks):
        for asked in (0, (2 << rounds_of(unrolled)) - 1):
            await unrolled.apply(decrypt_i=asked)
            told = unrolled.get("k_sch_o"), unrolled.get("done_o")
            assert told == (0, 0), unrolled.item.name
        await unrolled.edge()
