import random

from benches import KEY
from key_unrolled import cuts, forgotten, holds, load, setup
from key_windows import sizes
from runner import View, for_each, simulate

from aesforge.core import model


def test_aes_key_registers_deep() -> None:
    simulate(__file__, KEY)


def clocks(deal: View, key: bytes) -> int:
    """From the clock that brings a key to that of `done_o`."""
    return (2 + cuts(deal)) * model.rounds(key) + 2


async def clear(deal: View) -> None:
    await deal.apply(clear_i=1, load_i=random.getrandbits(1), key_i=random.getrandbits(256))
    for _ in range(cuts(deal) + 6):
        await deal.edge()
    await deal.apply(clear_i=0, load_i=0)


@for_each(KEY, "aes_key_registers_deep")
async def a_schedule_takes_two_clocks_a_round_and_the_cuts(deal: View) -> None:
    await clear(deal)
    for size in random.sample(sizes(deal) * 4, 4 * len(sizes(deal))):
        key = random.randbytes(size)
        await setup(deal, key, clocks(deal, key))
        for _ in range(random.randrange(1, 5)):
            await holds(deal, key)
            await deal.edge()


@for_each(KEY, "aes_key_registers_deep")
async def a_load_in_the_middle_starts_afresh(deal: View) -> None:
    await clear(deal)
    for size in sizes(deal) * 4:
        before = random.randbytes(random.choice(sizes(deal)))
        await load(deal, before)
        for _ in range(random.randrange(clocks(deal, before))):
            await deal.edge()
        key = random.randbytes(size)
        await setup(deal, key, clocks(deal, key))
        await holds(deal, key)


@for_each(KEY, "aes_key_registers_deep")
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
