"""aes_packet_state: packets open and end; a chaining value is ready exactly when it is known."""

import random
from collections import deque

from benches import MODE
from runner import View, for_each, simulate


def test_aes_packet_state() -> None:
    simulate(__file__, MODE)


NOTE = 26
"""Bits of a note."""


# In the simulator -------------------------------------------------------------------------------


def bypass(view: View) -> bool:
    return bool(dict(view.item.parameters)["Bypass"])


def streams(view: View) -> int:
    return int(dict(view.item.parameters)["Streams"])


def counted(view: View) -> int:
    """The bits of a note that a step without `count_i` leaves as they are."""
    count = int(dict(view.item.parameters)["CountBits"])
    return ((1 << count) - 1) << (NOTE - count)


@for_each(MODE, "aes_packet_state")
async def streams_keep_separate_packets(view: View) -> None:
    """Several blocks are in flight; some streams wait for their result."""
    await view.reset()
    # Header, note and chaining value of each open packet; None while the value is awaited.
    packets: dict[int, tuple[int, int, int | None]] = {}
    flight: deque[tuple[int, bool, int]] = deque()
    waits = arrivals = together = 0
    for _ in range(3000):
        leaves = bool(flight) and random.random() < 0.4
        stream, awaited, result = flight.popleft() if leaves else (0, False, 0)
        offered, opened = random.randrange(streams(view)), random.randrange(streams(view))
        await view.apply(
            result_i=int(awaited),
            result_stream_i=stream,
            result_data_i=result,
            step_i=0,
            open_i=0,
            stream_i=offered,
            open_stream_i=opened,
        )
        if awaited:
            header, note, _value = packets[stream]
            packets[stream] = header, note, result
            arrivals += 1
        header, note, chain = packets.get(offered, (0, 0, None))
        # Without a bypass a result is used in the next cycle.
        late = awaited and stream == offered and not bypass(view)
        if late:
            assert not view.get("ready_o")
            chain = None
        assert view.get("ready_o") == (chain is not None)
        waits += offered in packets and chain is None
        ends = False
        if chain is not None:
            assert (view.get("header_o"), view.get("note_o")) == (header, note)
            assert view.get("chain_o") == chain
            # An arriving result is not there yet.
            assert (view.get("kept_o") == chain) == (not awaited or stream != offered)
            if random.random() < 0.7 and len(flight) < 6:
                ends, load = random.random() < 0.2, random.random() < 0.5
                awaits = not load and random.random() < 0.7
                new, known = random.getrandbits(NOTE), random.getrandbits(128)
                counts = random.random() < 0.5
                await view.apply(
                    step_i=1,
                    end_i=int(ends),
                    note_i=new,
                    count_i=int(counts),
                    load_i=int(load),
                    chain_i=known,
                    await_i=int(awaits),
                )
                kept = 0 if counts else counted(view)
                note = (new & ~kept) | (note & kept)
                flight.append((offered, awaits and not ends, random.getrandbits(128)))
                packets[offered] = header, note, known if load else None if awaits else chain
                if ends:
                    del packets[offered]
        assert view.get("any_open_o") == bool(packets or ends)
        assert view.get("busy_o") == (opened in packets)
        if opened not in packets and random.random() < 0.5:
            opens = random.randrange(16), random.getrandbits(NOTE), random.getrandbits(128)
            await view.apply(
                open_i=1, open_header_i=opens[0], open_note_i=opens[1], open_chain_i=opens[2]
            )
            packets[opened] = opens
            together += ends and opened == offered
        await view.edge()
    assert waits > 50
    assert arrivals > 50
    assert together > 5


@for_each(MODE, "aes_packet_state")
async def clear_ends_every_packet(view: View) -> None:
    await view.reset()
    for awaits in (0, 1):
        for stream in range(streams(view)):
            await view.apply(open_stream_i=stream, open_chain_i=1, open_note_i=3, open_header_i=3)
            await view.apply(open_i=1)
            await view.edge()
            await view.apply(open_i=0, step_i=1, stream_i=stream, await_i=awaits)
            await view.edge()
            await view.apply(step_i=0)
        # Even with a header, a step and a result in the same cycle.
        await view.apply(clear_i=1, clearing_i=1, open_i=1, step_i=1, result_i=1, result_data_i=5)
        await view.edge()
        await view.apply(clear_i=0, clearing_i=0, open_i=0, step_i=0, result_i=0)
        assert not view.get("any_open_o")
        for stream in range(streams(view)):
            await view.apply(stream_i=stream)
            ports = ("ready_o", "header_o", "note_o", "chain_o")
            assert [view.get(port) for port in ports] == [0, 0, 0, 0]
