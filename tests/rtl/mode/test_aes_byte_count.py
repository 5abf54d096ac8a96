"""aes_byte_count: the sum of bytes since the last end, also past its carries."""

import random

from benches import MODE
from runner import View, for_each, simulate


def test_aes_byte_count() -> None:
    simulate(__file__, MODE)


# In the simulator -------------------------------------------------------------------------------


async def cycle(view: View, add: int = 0, end: int = 0) -> None:
    """One cycle in which bytes are added, or with `end` the count ends."""
    size = add or random.randrange(32)
    await view.apply(add_i=int(add > 0), bytes_i=size, end_i=end)
    await view.edge()
    await view.apply(add_i=0, end_i=0, bytes_i=random.randrange(32))


@for_each(MODE, "aes_byte_count")
async def bytes_are_counted_from_end_to_end(view: View) -> None:
    await view.reset()
    count = carries = ends = 0
    for _ in range(12_000):
        # Messages are short, or longer than what is summed at once.
        limit = 0.1 if count < 100 else 0.01 if count > 66_000 else 0.0
        end = int(random.random() < limit)
        if view.get("carry_o"):
            # The carry is added in the next cycle; a message does not end before.
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
    for total in (1, 2):
        for _ in range(4096):
            await cycle(view, 16)
        assert view.get("carry_o")
        await cycle(view)
        assert not view.get("carry_o")
        assert view.get("count_o") == total << 16


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
