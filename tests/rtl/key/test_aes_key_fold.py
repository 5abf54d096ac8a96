import random

import cocotb
from benches import KEY
from runner import View, simulate, views
from windows import padded, sizes, told

from aesforge import model


def test_aes_key_fold() -> None:
    simulate(__file__, KEY)


async def load(fold: View, key: bytes) -> None:
    await fold.apply(clear_i=0, load_i=1, key_i=padded(key), key_len_i=told(fold, key))
    await fold.edge()
    await fold.apply(load_i=0, key_i=random.getrandbits(256), key_len_i=random.getrandbits(2))


async def setup(fold: View, key: bytes) -> None:
    """From the load to the clock behind the last round key: two clocks for each."""
    await load(fold, key)
    for clock in range(1, 2 * model.rounds(key) + 1):
        assert fold.get("done_o") == (clock == 2 * model.rounds(key)), (fold.item.name, clock)
        await fold.edge()


def holds(fold: View, key: bytes) -> None:
    """All round keys of `key` are there, the last in the last place, and none is under way."""
    keys = model.round_keys(key)
    rounds = sizes(fold)[-1] // 4 + 6
    skipped = rounds - model.rounds(key)
    assert fold.get("done_o") == 0
    for r in range(rounds + 1):
        passed = 0 < r <= skipped
        assert fold.get("pass_o") >> r & 1 == passed, (fold.item.name, r)
        if not passed:
            found = fold.get("k_sch_o") >> 128 * r & (1 << 128) - 1
            expected = keys[r - skipped if r else 0]
            assert found.to_bytes(16) == expected, (fold.item.name, r)


async def clear(fold: View) -> None:
    await fold.apply(clear_i=1)
    await fold.edge()
    await fold.apply(clear_i=0)


@cocotb.test()
async def a_schedule_takes_two_clocks_a_round(dut: object) -> None:
    for fold in views(dut, KEY, "aes_key_fold"):
        await clear(fold)
        for size in random.sample(sizes(fold) * 4, 4 * len(sizes(fold))):
            key = random.randbytes(size)
            await setup(fold, key)
            for _ in range(random.randrange(1, 5)):
                holds(fold, key)
                await fold.edge()


@cocotb.test()
async def a_load_in_the_middle_starts_afresh(dut: object) -> None:
    for fold in views(dut, KEY, "aes_key_fold"):
        await clear(fold)
        for size in sizes(fold) * 3:
            before = random.randbytes(random.choice(sizes(fold)))
            await load(fold, before)
            for _ in range(random.randrange(2 * model.rounds(before))):
                await fold.edge()
            key = random.randbytes(size)
            await setup(fold, key)
            holds(fold, key)


@cocotb.test()
async def clear_forgets_the_key_in_every_clock(dut: object) -> None:
    for fold in views(dut, KEY, "aes_key_fold"):
        await clear(fold)
        longest = 2 * (sizes(fold)[-1] // 4 + 6)
        for clock in range(longest + 2):
            await load(fold, random.randbytes(sizes(fold)[-1]))
            for _ in range(clock):
                await fold.edge()
            await clear(fold)
            # No key is under way that would come to an end.
            for _ in range(3):
                assert (fold.get("k_sch_o"), fold.get("done_o")) == (0, 0), fold.item.name
                await fold.edge()
        # A load in the same clock is for nothing.
        await fold.apply(clear_i=1, load_i=1, key_i=random.getrandbits(256))
        await fold.edge()
        await fold.apply(clear_i=0, load_i=0)
        for _ in range(longest + 1):
            assert (fold.get("k_sch_o"), fold.get("done_o")) == (0, 0), fold.item.name
            await fold.edge()
