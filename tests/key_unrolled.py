"""Shared checks of `aes_key_registers`, which holds the round keys of all rounds at once."""

import random

from key_windows import length_code, padded, sizes
from runner import BOTH, View, is_inverse

from aesforge.core import model


def parameter(keys: View, name: str) -> int:
    return int(str(dict(keys.item.parameters).get(name, 0)).removeprefix("1'b"))


def rounds_of(keys: View) -> int:
    """The rounds that an instance has registers for."""
    return sizes(keys)[-1] // 4 + 6


async def clear(keys: View) -> None:
    """Clear all keys: each of the two words of a memory, and what is on its way to a register."""
    both = parameter(keys, "Direction") == BOTH
    late = parameter(keys, "Late") * (parameter(keys, "SboxRegisters") + 6)
    for word in random.sample((0, 1), 1 + both) + [0] * late:
        await keys.apply(clear_i=1, clear_word_i=word)
        await keys.edge()
    await keys.apply(clear_i=0)


async def load(keys: View, key: bytes, most: int = 15) -> None:
    """Load a key; of one that is loaded as round keys at most so many, with pauses."""
    await keys.apply(clear_i=0)
    loaded = parameter(keys, "Loaded")
    parts = [part + random.randbytes(16) for part in model.round_keys(key)][:most]
    for number, part in enumerate(parts if loaded else [key]):
        code = random.getrandbits(2) if number else length_code(keys, key)
        while number and (not keys.get("more_o") or random.random() < 0.2):
            assert keys.get("done_o") == 0
            await keys.edge()
        await keys.apply(load_i=1, key_i=padded(part), key_len_i=code)
        await keys.edge()
        await keys.apply(load_i=0, key_i=random.getrandbits(256), key_len_i=random.getrandbits(2))
    assert not (loaded and len(parts) == len(model.round_keys(key)) and keys.get("more_o"))


async def setup(keys: View, key: bytes, cycles: int) -> None:
    """Load a key, and check that `done_o` is high exactly `cycles` cycles later."""
    await load(keys, key)
    for cycle in range(1, cycles + 1):
        assert keys.get("done_o") == (cycle == cycles), (keys.item.name, cycle)
        await keys.edge()


def _round_key(key: bytes, r: int, inverse: int) -> bytes:
    """Round key of the cipher, or of the equivalent inverse cipher (FIPS 197, 5.3.5)."""
    keys = model.round_keys(key)
    if not inverse:
        return keys[r]
    kept = keys[len(keys) - 1 - r]
    return kept if r in (0, len(keys) - 1) else model.inv_mix_columns(kept)


async def holds(keys: View, key: bytes) -> None:
    """Each round has its round key of `key` for either direction, and none is in progress."""
    rounds = rounds_of(keys)
    skipped = rounds - model.rounds(key)
    every = (2 << rounds) - 1
    for decrypt in (0, every, random.getrandbits(rounds + 1)):
        await keys.apply(decrypt_i=decrypt)
        assert keys.get("done_o") == 0
        for r in range(rounds + 1):
            bypassed = 0 < r <= skipped
            assert keys.get("pass_o") >> r & 1 == bypassed, (keys.item.name, r)
            if not bypassed:
                found = keys.get("k_sch_o") >> 128 * r & (1 << 128) - 1
                inverse = is_inverse(keys, decrypt >> r & 1)
                expected = _round_key(key, r - skipped if r else 0, inverse)
                assert found.to_bytes(16) == expected, (keys.item.name, r, inverse)


async def cleared(keys: View, cycles: int) -> None:
    """All round keys are 0 and stay 0."""
    for _ in range(cycles):
        for decrypt in (0, (2 << rounds_of(keys)) - 1):
            await keys.apply(decrypt_i=decrypt)
            assert (keys.get("k_sch_o"), keys.get("done_o")) == (0, 0), keys.item.name
        await keys.edge()
