"""aes_byte_count: the sum of bytes since the last end, also past its carries."""

import random

from benches import MODE
from runner import View, for_each, simulate


def test_aes_byte_count() -> None:
    simulate(__file__, MODE)


# In the simulator -------------------------------------------------------------------------------


def slice_bits(view: View) -> int:
    return int(dict(view.item.parameters)["SliceBits"])


async def cycle(view: View, add: int = 0, end: int = 0) -> None:
    """One cycle in which bytes are added, or with `end` the count ends."""
    size = add or random.randrange(32)
    await view.apply(add_i=int(add > 0), bytes_i=size, end_i=end)
    await view.edge()
    await view.apply(add_i=0, end_i=0, bytes_i=random.randrange(32))


@for_each(MODE, "aes_byte_count")
async def bytes_are_counted_from_end_to_end(view: View) -> None:
    await view.reset()
    long = 66_000 >> (16 - slice_bits(view))
    count = carries = ends = 0
    for _ in range(12_000):
        # Messages are short, or longer than what is summed at once.
        limit = 0.2 if count < 100 else 0.05 if count > long else 0.0
        end = int(random.random() < limit)
        if view.get("carry_o"):
            # The carry is still to be added; a message does not end before.
            carries += 1
            end = 0
        else:
            assert view.get("count_o") == count
        none = end or random.random() < 0.1
        add = 0 if none else random.choice((16, 16, 16, random.randrange(1, 17)))
        await cycle(view, add, end)
        count = 0 if end else count + add
        ends += end
    assert carries >= 1
    assert ends > 3


@for_each(MODE, "aes_byte_count")
async def a_carry_reaches_all_bits(view: View) -> None:
    await view.reset()
    low = slice_bits(view)
    for total in (1, 2):
        for _ in range(1 << (low - 4)):
            await cycle(view, 16)
        for _ in range(2):
            assert view.get("carry_o")
            await cycle(view)
        assert not view.get("carry_o")
        assert view.get("count_o") == total << low


@for_each(MODE, "aes_byte_count")
async def a_carry_passes_all_slices(view: View) -> None:
    """In the count of small slices alone: the third slice of the others needs 2^32 bytes."""
    low = slice_bits(view)
    if low == 16:
        return
    await view.reset()
    count = 0
    while count < 1 << 13:
        # At once, and with pauses in which a slice above is all ones.
        if random.random() < 0.05:
            await cycle(view)
        size = random.choice((16, 16, 15, random.randrange(1, 17)))
        await cycle(view, size)
        count += size
        if not view.get("carry_o"):
            assert view.get("count_o") == count


@for_each(MODE, "aes_byte_count")
async def clear_leaves_no_count(view: View) -> None:
    await view.reset()
    await cycle(view, 16)
    await view.apply(add_i=1, bytes_i=7, clear_i=1)
    await view.edge()
    await view.apply(add_i=0, clear_i=0)
    assert view.get("count_o") == 0
    await cycle(view)
    assert view.get("count_o") == 0
