"""aes_counter: the counter of SP 800-38A, B.1, from any value, at any pace."""

import random

from benches import MODE
from runner import View, for_each, simulate

from aesforge.sim.packets import increment


def test_aes_counter() -> None:
    simulate(__file__, MODE)


# In the simulator -------------------------------------------------------------------------------


def width(view: View) -> int:
    """The bits that are incremented."""
    return int(dict(view.item.parameters)["CounterBits"])


async def load(view: View, value: int) -> None:
    """Load a value; it is valid in the fourth cycle after that, not earlier."""
    await view.apply(clear_i=0, load_i=1, value_i=value, next_i=0)
    await view.edge()
    await view.apply(load_i=0, value_i=random.getrandbits(128))
    for _ in range(3):
        assert not view.get("valid_o")
        await view.edge()
    assert view.get("valid_o")


@for_each(MODE, "aes_counter")
async def every_carry_is_right_from_the_first_value_on(view: View) -> None:
    for ones in range(129):
        for before in (0, 1, 2, 5):
            # The carry goes through so many ones, at once or after a few values.
            low = ((1 << ones) - 1 - before) % (1 << 128)
            value = (random.getrandbits(128) << ones | low % (1 << ones)) % (1 << 128)
            await load(view, value)
            for _ in range(before + 3):
                assert view.get("value_o") == value
                await view.apply(next_i=1)
                await view.edge()
                value = increment(value, width(view))
            assert view.get("value_o") == value


@for_each(MODE, "aes_counter")
async def it_counts_at_any_pace(view: View) -> None:
    for pace in (1.0, 0.5, 0.1):
        value = random.getrandbits(128) | 0xFEFF & (1 << random.randrange(128)) - 1
        await load(view, value)
        for _ in range(700):
            step = random.random() < pace
            await view.apply(next_i=int(step))
            assert view.get("valid_o")
            assert view.get("value_o") == value
            await view.edge()
            if step:
                value = increment(value, width(view))


@for_each(MODE, "aes_counter")
async def a_load_replaces_the_value_in_any_cycle(view: View) -> None:
    for cycles in range(12):
        await load(view, random.getrandbits(128))
        await view.apply(next_i=1)
        for _ in range(cycles):
            await view.edge()
        value = random.getrandbits(128) | (1 << random.randrange(129)) - 1
        await load(view, value)
        for _ in range(3):
            assert view.get("value_o") == value
            await view.apply(next_i=1)
            await view.edge()
            value = increment(value, width(view))


@for_each(MODE, "aes_counter")
async def a_clear_leaves_nothing(view: View) -> None:
    for cycles in range(6):
        await load(view, random.getrandbits(128))
        for _ in range(cycles):
            await view.edge()
        await view.apply(clear_i=1, next_i=0)
        await view.edge()
        await view.apply(clear_i=0)
        for _ in range(5):
            assert not view.get("valid_o")
            assert view.get("value_o") == 0
            await view.edge()
