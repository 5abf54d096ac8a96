"""aes_sideband_fifo: keeps the order, refuses a write when full, and clears on demand."""

import random
from collections import deque

from benches import MODE
from runner import View, for_each, simulate


def test_aes_sideband_fifo() -> None:
    simulate(__file__, MODE)


# In the simulator -------------------------------------------------------------------------------


def registered(view: View) -> bool:
    """The instance has registers at both ends."""
    return dict(view.item.parameters)["Registered"] == "1'b1"


def width(view: View) -> int:
    """Bits of an entry."""
    return int(dict(view.item.parameters)["Width"])


def single(view: View) -> bool:
    """The one entry is a register."""
    return int(dict(view.item.parameters)["Depth"]) == 1 and not registered(view)


async def cleared(view: View) -> int:
    """Cycles until a clear is done."""
    cycles = 0
    await view.apply(push_i=0, pop_i=0)
    while view.get("clearing_o"):
        assert not view.get("ready_o")
        await view.edge()
        cycles += 1
    return cycles


@for_each(MODE, "aes_sideband_fifo")
async def entries_leave_in_order(view: View) -> None:
    """A core of `Depth` blocks holds each block for as many cycles at least as the FIFO."""
    held = 2 + 2 * registered(view)
    depth = int(dict(view.item.parameters)["Depth"])
    await view.reset()
    assert await cleared(view) == (0 if single(view) else depth + 2 * registered(view))
    queue: deque[tuple[int, int]] = deque()
    fullest = 0
    for eagerness in (0.2, 0.8, 0.5, 1.0, 0.1):
        for _ in range(5 * depth + 50):
            ready = bool(queue) and view.clocks - queue[0][1] >= held
            pop = ready and random.random() > eagerness
            push = len(queue) - pop < depth and random.random() < eagerness
            value = random.getrandbits(width(view))
            await view.apply(pop_i=int(pop), data_i=value, push_i=int(push))
            # The registers take entries beside the memory.
            assert view.get("ready_o") or depth == 1 or not push
            push = push and bool(view.get("ready_o"))
            await view.apply(push_i=int(push))
            if ready:
                assert view.get("data_o") == queue[0][0]
            if pop:
                queue.popleft()
            if push:
                queue.append((value, view.clocks))
            await view.edge()
            fullest = max(fullest, len(queue))
    assert fullest == depth


@for_each(MODE, "aes_sideband_fifo")
async def a_full_memory_accepts_nothing(view: View) -> None:
    depth = int(dict(view.item.parameters)["Depth"])
    await view.reset()
    await cleared(view)
    await view.apply(pop_i=0, push_i=1)
    pushed = 0
    for _ in range(depth + 12):
        pushed += view.get("ready_o")
        await view.apply(push_i=view.get("ready_o"))
        await view.edge()
        await view.apply(push_i=1)
    assert pushed == (1 if single(view) else depth + (3 if registered(view) else 1))


@for_each(MODE, "aes_sideband_fifo")
async def clear_overwrites_every_entry(view: View) -> None:
    depth = int(dict(view.item.parameters)["Depth"])
    await view.reset()
    await cleared(view)
    for fill in (1, depth):
        await view.apply(push_i=1, data_i=(1 << width(view)) - 1)
        for _ in range(fill):
            await view.edge()
        await view.apply(clear_i=1, push_i=0)
        await view.edge()
        await view.apply(clear_i=0)
        assert view.get("clearing_o") != single(view)
        assert await cleared(view) == (0 if single(view) else depth + 2 * registered(view))
        for _ in range(depth):
            assert view.get("data_o") == 0
            await view.apply(pop_i=1)
            await view.edge()
        await view.apply(pop_i=0, clear_i=1)
        await view.edge()
        await view.apply(clear_i=0)
        await cleared(view)
