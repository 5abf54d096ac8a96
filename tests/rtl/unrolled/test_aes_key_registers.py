import random

from benches import KEY
from key_unrolled import cuts, forgotten, holds, load, setup
from key_windows import sizes
from runner import BOTH, ENCRYPT, View, for_each, simulate

from aesforge.core import model


def test_aes_key_registers() -> None:
    simulate(__file__, KEY)


def clocks(fold: View, key: bytes) -> int:
    """From the clock that brings a key to that of the last round key."""
    behind = dict(fold.item.parameters)["Direction"] != ENCRYPT
    return (2 + cuts(fold)) * model.rounds(key) + behind


async def clear(fold: View) -> None:
    """In one clock, or for both directions in two."""
    both = dict(fold.item.parameters)["Direction"] == BOTH
    for word in random.sample((0, 1), 1 + both):
        await fold.apply(clear_i=1, clear_word_i=word)
        await fold.edge()
    await fold.apply(clear_i=0)


@for_each(KEY, "aes_key_registers")
async def a_schedule_takes_two_clocks_a_round_and_the_cuts(fold: View) -> None:
    await clear(fold)
    for size in random.sample(sizes(fold) * 4, 4 * len(sizes(fold))):
        key = random.randbytes(size)
        await setup(fold, key, clocks(fold, key))
        for _ in range(random.randrange(1, 5)):
            await holds(fold, key)
            await fold.edge()


@for_each(KEY, "aes_key_registers")
async def a_load_in_the_middle_starts_afresh(fold: View) -> None:
    await clear(fold)
    for size in sizes(fold) * 3:
        before = random.randbytes(random.choice(sizes(fold)))
        await load(fold, before)
        for _ in range(random.randrange(clocks(fold, before))):
            await fold.edge()
        key = random.randbytes(size)
        await setup(fold, key, clocks(fold, key))
        await holds(fold, key)


@for_each(KEY, "aes_key_registers")
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
