"""aes_ctr_lanes: each lane has the counter block of its place, however packets and cores stall."""

import random
from collections import deque

from benches import KIND_FAILED, KIND_PAYLOAD, MODE
from lanes import Layer
from runner import View, for_each, simulate

from aesforge.sim.packets import increment


def test_aes_ctr_lanes() -> None:
    simulate(__file__, MODE)


# In the simulator -------------------------------------------------------------------------------

CIPHER = int.from_bytes(bytes(range(16)), "big")
"""What is added to a block in place of a cipher."""


class Lanes(Layer):
    """The layer between packets and cores that add `CIPHER`."""

    def __init__(self, view: View) -> None:
        super().__init__(view)
        self.bits = int(self.parameters["CounterBits"])
        # A beat that a packet outputs: data, bytes, kind, last.
        self.wanted: deque[tuple[int, int, int, int]] = deque()
        self.core: deque[int] = deque()
        self.ages: deque[int] = deque()
        self.counter = self.accepted = self.offered = 0

    def blocks(self) -> list[int]:
        """The counter blocks of a beat; the counter is that of the next one then."""
        found = []
        for _ in range(self.lanes):
            found.append(self.counter)
            self.counter = increment(self.counter, self.bits)
        return found

    async def cycle(self, may: float = 1.0, **ports: int) -> bool:
        """One cycle with these ports: whether a beat is accepted."""
        view = self.view
        room = len(self.core) < self.depth and random.random() < may
        leaves = bool(self.core) and self.ages[0] >= self.latency
        await view.apply(
            core_in_ready_i=int(room),
            core_out_valid_i=int(leaves),
            core_out_data_i=self.core[0] if leaves else random.getrandbits(128 * self.lanes),
            out_ready_i=int(random.random() < may),
            **ports,
        )
        assert view.get("out_valid_o") == leaves
        taken = leaves and view.get("out_ready_i")
        if leaves:
            names = ("out_data_o", "out_bytes_o", "out_kind_o", "out_last_o")
            assert tuple(map(view.get, names)) == self.wanted[0]
        accepted = bool(view.get("in_valid_i") and view.get("in_ready_o"))
        assert accepted == bool(room and view.get("core_in_valid_o"))
        if accepted:
            self.take()
        self.ages = deque(age + 1 for age in self.ages)
        if taken:
            self.core.popleft()
            self.ages.popleft()
            self.wanted.popleft()
            self.offered += 1
        if accepted:
            self.ages.append(0)
        await view.edge()
        return accepted

    def take(self) -> None:
        """A beat is accepted: the blocks of the cores, and what leaves them."""
        view = self.view
        self.accepted += 1
        blocks = self.blocks()
        given = view.get("core_in_data_o")
        found = [given >> 128 * (self.lanes - 1 - k) & (2**128 - 1) for k in range(self.lanes)]
        assert found == blocks, [f"{a:x}, not {b:x}" for a, b in zip(found, blocks, strict=True)]
        assert view.get("core_in_decrypt_o") == 0
        assert view.get("core_in_sboxes_o") == view.get("in_sboxes_i")
        results = [block ^ CIPHER for block in blocks]
        whole = sum(block << 128 * (self.lanes - 1 - k) for k, block in enumerate(results))
        self.core.append(whole)
        last = view.get("in_last_i")
        abort = last and view.get("in_abort_i")
        size = 0 if abort else min(view.get("in_bytes_i"), 16 * self.lanes)
        left = 128 * self.lanes - 8 * size
        data = (whole ^ view.get("in_data_i")) >> left << left
        self.wanted.append((data, size, KIND_FAILED if abort else KIND_PAYLOAD, last))

    def opening(self, counter: int) -> dict[str, int]:
        """The ports of a header."""
        return {"pkt_valid_i": 1, "pkt_iv_i": counter, "pkt_decrypt_i": random.randrange(2)}

    def beat(self, last: bool, abort: bool = False) -> dict[str, int]:
        """The ports of a beat, whole unless it is the last one."""
        most = 16 * self.lanes
        sizes = (0, 1, 15, 16, 17, most - 1, most, most + 1, random.randrange(most + 1))
        return {
            "in_valid_i": 1,
            "in_data_i": random.getrandbits(8 * most),
            "in_bytes_i": random.choice(sizes) if last else most,
            "in_kind_i": random.randrange(4),
            "in_last_i": int(last),
            "in_abort_i": int(abort),
            "in_sboxes_i": random.randrange(3),
        }

    async def open(self, counter: int, may: float = 1.0) -> None:
        """A header, once it is accepted."""
        await self.header(self.opening(counter), may)
        self.counter = counter

    async def send(self, beats: int, may: float = 1.0, abort: bool = False) -> None:
        """The beats of a packet but for the header; the next header may come with the last one."""
        for left in range(beats, 0, -1):
            ports = self.beat(left == 1, abort and left == 1)
            while random.random() >= may:
                await self.cycle(may, in_valid_i=0)
            for _ in range(200):
                if await self.cycle(may, **ports):
                    break
            else:
                raise AssertionError("a beat is not accepted")
        await self.view.apply(in_valid_i=0)

    async def drain(self) -> None:
        """Wait for all results."""
        for _ in range(200):
            if not self.wanted:
                break
            await self.cycle(in_valid_i=0)
        assert not self.wanted
        assert self.accepted == self.offered


async def start(view: View) -> Lanes:
    """Reset, and a key."""
    await view.reset()
    found = Lanes(view)
    await found.key()
    return found


@for_each(MODE, "aes_ctr_lanes")
async def counters_wrap_within_their_low_bits(view: View) -> None:
    lanes = await start(view)
    for ones in (*range(0, 129, 8), *range(1, 129, 7)):
        for before in (0, 1, lanes.lanes - 1, lanes.lanes, 3 * lanes.lanes + 1):
            # The carry goes through so many ones, in one of the first beats.
            low = ((1 << ones) - 1 - before) % (1 << ones)
            await lanes.open((random.getrandbits(128) << ones | low) % (1 << 128))
            await lanes.send(random.choice((1, 2, 3, 6)))
    await lanes.drain()


@for_each(MODE, "aes_ctr_lanes")
async def a_long_packet_carries_again_and_again(view: View) -> None:
    lanes = await start(view)
    for ones in (16, 24, 33, 128):
        first = (random.getrandbits(128) << ones | (1 << ones) - 300) % (1 << 128)
        await lanes.open(first)
        await lanes.send(700 // lanes.lanes)
    await lanes.drain()


@for_each(MODE, "aes_ctr_lanes")
async def packets_stall_and_abort(view: View) -> None:
    lanes = await start(view)
    for _ in range(60):
        may = random.choice((1.0, 0.7, 0.3))
        ones = random.randrange(129)
        low = max(0, (1 << ones) - 1 - random.randrange(6 * lanes.lanes))
        await lanes.open((random.getrandbits(128) << ones | low) % (1 << 128), may)
        await lanes.send(random.randrange(1, 6), may, random.random() < 0.2)
        if random.random() < 0.2:
            await lanes.key()
    await lanes.drain()


@for_each(MODE, "aes_ctr_lanes")
async def headers_follow_without_a_cycle(view: View) -> None:
    """The next header is accepted with the last beat, and its first beat in the next cycle."""
    lanes = await start(view)
    lanes.depth = 10**6
    await view.apply(core_in_ready_i=1)
    # The low bits carry in the first beat, or in the last one.
    lows = (0xFF, 0xFF - 2 * lanes.lanes)
    counters = [random.getrandbits(120) << 8 | lows[number % 2] for number in range(12)]
    await lanes.open(counters[0])
    if view.get("in_ready_o"):
        for following in counters[1:]:
            for last in (False, False, True):
                ports = lanes.beat(last) | (lanes.opening(following) if last else {})
                await view.apply(**ports)
                if int(dict(view.item.parameters)["InFlight"]) < 40:
                    # A small FIFO is full: the beat waits.
                    while not await lanes.cycle(**ports):
                        pass
                else:
                    assert await lanes.cycle(**ports)
            lanes.counter = following
            await view.apply(pkt_valid_i=0)
    await lanes.send(1)
    await lanes.drain()


@for_each(MODE, "aes_ctr_lanes")
async def a_key_waits_for_the_end_of_the_packet(view: View) -> None:
    lanes = await start(view)
    await lanes.open(7)
    await lanes.key_waits(lanes.send(2))
    await lanes.drain()


@for_each(MODE, "aes_ctr_lanes")
async def clear_closes_the_packet_and_drops_the_key(view: View) -> None:
    lanes = await start(view)
    await lanes.open(2**128 - 1)
    await view.apply(core_in_ready_i=1, core_out_valid_i=0, **lanes.beat(False))
    await view.edge()
    await view.apply(key_clear_i=1)
    for port in ("in_ready_o", "key_ready_o", "pkt_ready_o", "core_in_valid_o"):
        assert not view.get(port)
    await view.edge()
    await view.apply(key_clear_i=0, key_valid_i=1, core_key_ready_i=1)
    for _ in range(200):
        assert not view.get("in_ready_o")
        if view.get("key_ready_o"):
            break
        await view.edge()
        await view.apply()
    assert view.get("key_ready_o")
    await view.apply(key_valid_i=0, pkt_valid_i=1)
    # No header before a key.
    assert not view.get("pkt_ready_o")
    # The counter is zero again.
    lanes.counter = 0
    blocks = enumerate(lanes.blocks())
    wanted = sum(block << 128 * (lanes.lanes - 1 - k) for k, block in blocks)
    assert view.get("core_in_data_o") == wanted


@for_each(MODE, "aes_ctr_lanes")
async def an_idle_output_is_gated(view: View) -> None:
    lanes = await start(view)
    await lanes.open(5)
    await view.apply(core_in_ready_i=1, core_out_valid_i=0, out_ready_i=0, **lanes.beat(False))
    for _ in range(8):
        await view.edge()
        await view.apply(in_valid_i=0, core_out_data_i=random.getrandbits(128 * lanes.lanes))
    if int(dict(view.item.parameters)["IdleOutput"]):
        assert view.get("out_data_o") == 0
    else:
        assert view.get("out_data_o") != 0
