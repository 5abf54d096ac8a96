import random

from benches import KEY
from runner import View, for_each, is_inverse, simulate
from windows import padded, sizes, told

from aesforge import model


def test_aes_key_deal() -> None:
    simulate(__file__, KEY)


def rounds_of(deal: View) -> int:
    """The rounds that an instance has places for."""
    return sizes(deal)[-1] // 4 + 6


def cuts(deal: View) -> int:
    return int(dict(deal.item.parameters)["Cuts"])


def clocks(deal: View, key: bytes) -> int:
    """From the clock that brings a key to that of `done_o`."""
    return (2 + cuts(deal)) * model.rounds(key) + 2


async def load(deal: View, key: bytes) -> None:
    await deal.apply(clear_i=0, load_i=1, key_i=padded(key), key_len_i=told(deal, key))
    await deal.edge()
    await deal.apply(load_i=0, key_i=random.getrandbits(256), key_len_i=random.getrandbits(2))


async def setup(deal: View, key: bytes) -> None:
    """From the load to the clock behind `done_o`."""
    await load(deal, key)
    for clock in range(1, clocks(deal, key) + 1):
        assert deal.get("done_o") == (clock == clocks(deal, key)), (deal.item.name, clock)
        await deal.edge()


def round_key(key: bytes, r: int, inverse: int) -> bytes:
    """Of the cipher, or of the equivalent inverse cipher (FIPS 197, 5.3.5)."""
    keys = model.round_keys(key)
    if not inverse:
        return keys[r]
    kept = keys[len(keys) - 1 - r]
    return kept if r in (0, len(keys) - 1) else model.inv_mix_columns(kept)


async def holds(deal: View, key: bytes) -> None:
    """All round keys of `key` are there; each round may ask for either direction."""
    rounds = rounds_of(deal)
    skipped = rounds - model.rounds(key)
    for asked in (0, (2 << rounds) - 1, random.getrandbits(rounds + 1)):
        await deal.apply(decrypt_i=asked)
        assert deal.get("done_o") == 0
        for r in range(rounds + 1):
            passed = 0 < r <= skipped
            assert deal.get("pass_o") >> r & 1 == passed, (deal.item.name, r)
            if not passed:
                found = deal.get("k_sch_o") >> 128 * r & (1 << 128) - 1
                inverse = is_inverse(deal, asked >> r & 1)
                expected = round_key(key, r - skipped if r else 0, inverse)
                assert found.to_bytes(16) == expected, (deal.item.name, r, inverse)


async def clear(deal: View) -> None:
    await deal.apply(clear_i=1, load_i=random.getrandbits(1), key_i=random.getrandbits(256))
    for _ in range(cuts(deal) + 6):
        await deal.edge()
    await deal.apply(clear_i=0, load_i=0)


async def forgotten(deal: View, clocks: int) -> None:
    """There is no round key, and none comes."""
    for _ in range(clocks):
        for asked in (0, (2 << rounds_of(deal)) - 1):
            await deal.apply(decrypt_i=asked)
            assert (deal.get("k_sch_o"), deal.get("done_o")) == (0, 0), deal.item.name
        await deal.edge()


@for_each(KEY, "aes_key_deal")
async def a_schedule_takes_two_clocks_a_round_and_the_cuts(deal: View) -> None:
    await clear(deal)
    for size in random.sample(sizes(deal) * 4, 4 * len(sizes(deal))):
        key = random.randbytes(size)
        await setup(deal, key)
        for _ in range(random.randrange(1, 5)):
            await holds(deal, key)
            await deal.edge()


@for_each(KEY, "aes_key_deal")
async def a_load_in_the_middle_starts_afresh(deal: View) -> None:
    await clear(deal)
    for size in sizes(deal) * 4:
        before = random.randbytes(random.choice(sizes(deal)))
        await load(deal, before)
        for _ in range(random.randrange(clocks(deal, before))):
            await deal.edge()
        key = random.randbytes(size)
        await setup(deal, key)
        await holds(deal, key)


@for_each(KEY, "aes_key_deal")
async def clear_forgets_the_key_in_every_clock(deal: View) -> None:
    await clear(deal)
    longest = clocks(deal, bytes(sizes(deal)[-1]))
    for clock in range(longest + 2):
        await load(deal, random.randbytes(sizes(deal)[-1]))
        for _ in range(clock):
            await deal.edge()
        await clear(deal)
        await forgotten(deal, 3)
    await forgotten(deal, longest + 1)
