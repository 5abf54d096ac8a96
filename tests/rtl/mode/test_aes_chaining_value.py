"""aes_chaining_value: a block waits exactly until the chaining value of its stream is known."""

import random
from collections import deque

from benches import MODE
from runner import View, for_each, simulate


def test_aes_chaining_value() -> None:
    simulate(__file__, MODE)


# In the simulator -------------------------------------------------------------------------------


@for_each(MODE, "aes_chaining_value")
async def streams_keep_separate_chaining_values(view: View) -> None:
    """Several blocks are in flight; some streams wait for their result."""
    streams = int(dict(view.item.parameters)["Streams"])
    await view.reset()
    chains: dict[int, int | None] = {}
    flight: deque[tuple[int, bool, int]] = deque()
    waits = arrivals = 0
    for _ in range(2000):
        # The oldest block may leave; its stream may wait for its result.
        leaves = bool(flight) and random.random() < 0.4
        stream, awaited, result = flight[0] if flight else (0, False, 0)
        arrives = leaves and awaited
        await view.apply(
            result_i=int(arrives), result_stream_i=stream, result_data_i=result, accept_i=0
        )
        if leaves:
            flight.popleft()
        offered, iv = random.randrange(streams), random.getrandbits(128)
        await view.apply(stream_i=offered, iv_i=iv)
        known = chains.get(offered, iv)
        if arrives and offered == stream:
            known = result
            arrivals += 1
        assert view.get("ready_o") == (known is not None)
        waits += known is None
        if arrives:
            chains[stream] = result
        if known is not None:
            assert view.get("chain_o") == known
            if random.random() < 0.7 and len(flight) < 6:
                last = random.random() < 0.2
                awaits = not last and random.random() < 0.5
                following = random.getrandbits(128)
                await view.apply(
                    accept_i=1, last_i=int(last), await_i=int(awaits), chain_i=following
                )
                chains[offered] = None if awaits else following
                if last:
                    del chains[offered]
                flight.append((offered, awaits, random.getrandbits(128)))
        await view.edge()
    assert waits > 50
    assert arrivals > 20


@for_each(MODE, "aes_chaining_value")
async def clear_ends_every_packet(view: View) -> None:
    streams = int(dict(view.item.parameters)["Streams"])
    await view.reset()
    for awaits in (0, 1):
        for stream in range(streams):
            await view.apply(accept_i=1, stream_i=stream, chain_i=1, await_i=awaits)
            await view.edge()
        # Even with a block and a result in the same cycle.
        await view.apply(clear_i=1, result_i=1, result_data_i=5)
        await view.edge()
        await view.apply(clear_i=0, accept_i=0, result_i=0, iv_i=7)
        for stream in range(streams):
            await view.apply(stream_i=stream)
            assert (view.get("ready_o"), view.get("chain_o")) == (1, 7)
