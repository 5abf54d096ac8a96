import random

from benches import KEY
from runner import BOTH, ENCRYPT, View, for_each, is_inverse, simulate
from windows import padded, sizes, told

from aesforge import model


def test_aes_key_fold() -> None:
    simulate(__file__, KEY)


def rounds_of(fold: View) -> int:
    """The rounds that an instance has places for."""
    return sizes(fold)[-1] // 4 + 6


def clocks(fold: View, key: bytes) -> int:
    """From the clock that brings a key to that of the last round key."""
    parameters = dict(fold.item.parameters)
    a_round = 2 + int(parameters["Cuts"])
    return a_round * model.rounds(key) + (parameters["Direction"] != ENCRYPT)


async def load(fold: View, key: bytes) -> None:
    await fold.apply(clear_i=0, load_i=1, key_i=padded(key), key_len_i=told(fold, key))
    await fold.edge()
    await fold.apply(load_i=0, key_i=random.getrandbits(256), key_len_i=random.getrandbits(2))


async def setup(fold: View, key: bytes) -> None:
    """From the load to the clock behind the last round key."""
    await load(fold, key)
    for clock in range(1, clocks(fold, key) + 1):
        assert fold.get("done_o") == (clock == clocks(fold, key)), (fold.item.name, clock)
        await fold.edge()


def round_key(key: bytes, r: int, inverse: int) -> bytes:
    """Of the cipher, or of the equivalent inverse cipher (FIPS 197, 5.3.5)."""
    keys = model.round_keys(key)
    if not inverse:
        return keys[r]
    kept = keys[len(keys) - 1 - r]
    return kept if r in (0, len(keys) - 1) else model.inv_mix_columns(kept)


async def holds(fold: View, key: bytes) -> None:
    """All round keys of `key` are there, the last in the last place, and none is under way.

    Each round may ask for either direction.
    """
    rounds = rounds_of(fold)
    skipped = rounds - model.rounds(key)
    every = (2 << rounds) - 1
    for asked in (0, every, random.getrandbits(rounds + 1)):
        await fold.apply(decrypt_i=asked)
        assert fold.get("done_o") == 0
        for r in range(rounds + 1):
            passed = 0 < r <= skipped
            assert fold.get("pass_o") >> r & 1 == passed, (fold.item.name, r)
            if not passed:
                found = fold.get("k_sch_o") >> 128 * r & (1 << 128) - 1
                inverse = is_inverse(fold, asked >> r & 1)
                expected = round_key(key, r - skipped if r else 0, inverse)
                assert found.to_bytes(16) == expected, (fold.item.name, r, inverse)


async def clear(fold: View) -> None:
    """In one clock, or for both directions in two."""
    both = dict(fold.item.parameters)["Direction"] == BOTH
    for word in random.sample((0, 1), 1 + both):
        await fold.apply(clear_i=1, clear_word_i=word)
        await fold.edge()
    await fold.apply(clear_i=0)


async def forgotten(fold: View, clocks: int) -> None:
    """There is no round key, and none comes."""
    for _ in range(clocks):
        for asked in (0, (2 << rounds_of(fold)) - 1):
            await fold.apply(decrypt_i=asked)
            assert (fold.get("k_sch_o"), fold.get("done_o")) == (0, 0), fold.item.name
        await fold.edge()


@for_each(KEY, "aes_key_fold")
async def a_schedule_takes_two_clocks_a_round_and_the_cuts(fold: View) -> None:
    await clear(fold)
    for size in random.sample(sizes(fold) * 4, 4 * len(sizes(fold))):
        key = random.randbytes(size)
        await setup(fold, key)
        for _ in range(random.randrange(1, 5)):
            await holds(fold, key)
            await fold.edge()


@for_each(KEY, "aes_key_fold")
async def a_load_in_the_middle_starts_afresh(fold: View) -> None:
    await clear(fold)
    for size in sizes(fold) * 3:
        before = random.randbytes(random.choice(sizes(fold)))
        await load(fold, before)
        for _ in range(random.randrange(clocks(fold, before))):
            await fold.edge()
        key = random.randbytes(size)
        await setup(fold, key)
        await holds(fold, key)


@for_each(KEY, "aes_key_fold")
async def clear_forgets_the_key_in_every_clock(fold: View) -> None:
    await clear(fold)
    longest = clocks(fold, bytes(sizes(fold)[-1]))
    for clock in range(longest + 2):
        await load(fold, random.randbytes(sizes(fold)[-1]))
        for _ in range(clock):
            await fold.edge()
        await clear(fold)
        # No key is under way that would come to an end.
        await forgotten(fold, 3)
    # A load in the same clock is for nothing.
    await fold.apply(clear_i=1, load_i=1, key_i=random.getrandbits(256))
    await fold.edge()
    await fold.apply(clear_i=0, load_i=0)
    await forgotten(fold, longest + 1)
