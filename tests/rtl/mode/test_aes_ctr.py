"""aes_ctr: the equations of SP 800-38A, 6.5, and its counter's wrap (B.1)."""

import random

from benches import MODE
from runner import View, for_each, simulate

from aesforge.sim.packets import increment


def test_aes_ctr() -> None:
    simulate(__file__, MODE)


# In the simulator -------------------------------------------------------------------------------


def width(view: View) -> int:
    """The bits that are incremented."""
    return int(dict(view.item.parameters)["CounterBits"])


async def count(view: View, counter: int, blocks: int) -> None:
    """Count from a first counter block on, as a packet does."""
    await view.apply(first_i=counter)
    note = view.get("first_note_o")
    for _ in range(blocks):
        data = random.getrandbits(128)
        await view.apply(data_i=data, chain_i=counter, note_i=note, first_i=random.getrandbits(128))
        assert view.get("block_o") == counter
        assert view.get("mask_o") == data
        counter = increment(counter, width(view))
        assert view.get("chain_o") == counter
        note = view.get("note_o")


@for_each(MODE, "aes_ctr")
async def counter_wraps_within_its_low_bits(view: View) -> None:
    for ones in range(129):
        for before in (0, 1, 2, 5):
            # The carry goes through so many ones, at once or after a few blocks.
            low = ((1 << ones) - 1 - before) % (1 << ones)
            await count(view, (random.getrandbits(128) << ones | low) % (1 << 128), before + 3)


@for_each(MODE, "aes_ctr")
async def a_long_packet_has_the_right_notes(view: View) -> None:
    """The lowest slice wraps twice, and the slices above it follow."""
    for ones in (16, 24, 33, 128):
        await count(view, (random.getrandbits(128) << ones | (1 << ones) - 300) % (1 << 128), 700)


@for_each(MODE, "aes_ctr")
async def ones_above_the_lower_half_alone_carry_nothing(view: View) -> None:
    for ones in range(65):
        low = random.getrandbits(63)  # its top bit is 0
        value = random.getrandbits(128) << 64 + ones | (1 << ones) - 1 << 64 | low
        await count(view, value % (1 << 128), 3)
