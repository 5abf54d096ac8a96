"""aes_xts_lanes: data units of every length over ideal ciphers, however packets and cores stall."""

import random
from dataclasses import replace
from itertools import pairwise

from benches import MODE
from lanes import Ciphered
from runner import View, for_each, simulate

from aesforge.core.sources import codes
from aesforge.sim.oracle import ecb
from aesforge.sim.packets import Beat, Packet, beats, opening, results, widened


def test_aes_xts_lanes() -> None:
    simulate(__file__, MODE)


# In the simulator -------------------------------------------------------------------------------

KEY, TWEAK_KEY = bytes(range(16)), bytes(range(16, 32))
ENCRYPT, DECRYPT = codes()["DIRECTION_ENCRYPT"], codes()["DIRECTION_DECRYPT"]


class Units(Ciphered):
    """The layer between packets and cores."""

    def __init__(self, view: View) -> None:
        super().__init__(view, KEY)
        self.direction = int(self.parameters["Direction"])

    def way(self) -> bool:
        """A direction that the cores have: whether it decrypts."""
        fixed = {ENCRYPT: False, DECRYPT: True}
        return fixed.get(self.direction, random.random() < 0.5)

    def checks(self, leaves: bool, entered: bool, accepted: bool) -> None:
        """A beat has blocks in the cores, and is output with a result of them."""
        assert entered or not accepted
        assert leaves or not self.view.get("out_valid_o")

    def packet(self, size: int, abort: bool = False) -> Packet:
        """A data unit of random bytes, in wide beats."""
        header = opening("xts", self.way(), random.randbytes(16), 0)
        given = beats(header, random.randbytes(size), abort=abort)
        if abort:
            given[-1] = replace(given[-1], data=random.randbytes(random.choice((0, 7, 16))))
        return header, widened(given, self.lanes)

    def opening(self, packet: Packet, refuse: bool = False) -> dict[str, int]:
        """The ports of a header, and what its packet is to output."""
        header, taken = packet
        pair = KEY + (KEY if refuse else TWEAK_KEY)
        self.wanted += widened(results(header, pair, taken, 128), self.lanes)
        tweak = ecb(TWEAK_KEY, False)(header.iv)
        return {
            "pkt_valid_i": 1,
            "pkt_iv_i": int.from_bytes(tweak, "big"),
            "pkt_decrypt_i": int(header.decrypt),
            "pkt_refuse_i": int(refuse),
        }

    def beat(self, taken: list[Beat], at: int, known: bool) -> dict[str, int]:
        """The ports of a beat, and of what is said of the next one."""
        one = taken[at]
        said = random.getrandbits(1)
        if known and not one.last:
            after = taken[at + 1]
            said = after.last and not after.abort and 0 < len(after.data) < 16
        ahead = {"in_next_valid_i": int(known), "in_next_partial_i": int(said)}
        return self.ports(one, random.randrange(4)) | ahead

    async def open(self, packet: Packet, may: float = 1.0, refuse: bool = False) -> None:
        """A header, once it is accepted."""
        await self.header(self.opening(packet, refuse), may)

    async def send(self, packet: Packet, may: float = 1.0) -> None:
        """The beats of a packet."""
        _, taken = packet
        for at in range(len(taken)):
            while random.random() >= may:
                await self.cycle(may, in_valid_i=0)
            ports = self.beat(taken, at, random.random() < may)
            for _ in range(1000):
                if await self.cycle(may, **ports):
                    break
                if not ports["in_next_valid_i"]:
                    after = self.beat(taken, at, random.random() < 0.5)
                    ports |= {name: after[name] for name in after if "next" in name}
            else:
                raise AssertionError("a beat is not accepted")
        await self.view.apply(in_valid_i=0)


async def start(view: View) -> Units:
    """Reset, and a key."""
    await view.reset()
    found = Units(view)
    await found.key()
    return found


@for_each(MODE, "aes_xts_lanes")
async def data_units_of_each_length_are_those_of_the_standard(view: View) -> None:
    units = await start(view)
    for size in range(2 * units.most + 18):
        packet = units.packet(size)
        await units.open(packet)
        await units.send(packet)
    await units.drain()


@for_each(MODE, "aes_xts_lanes")
async def packets_stall_abort_and_are_refused(view: View) -> None:
    units = await start(view)
    for _ in range(80):
        may = random.choice((1.0, 0.7, 0.3))
        packet = units.packet(random.randrange(3 * units.most + 1), random.random() < 0.2)
        await units.open(packet, may, random.random() < 0.2)
        await units.send(packet, may)
        if random.random() < 0.2:
            await units.key()
    await units.drain()


@for_each(MODE, "aes_xts_lanes")
async def a_partial_block_waits_for_the_block_before_it_and_nothing_else_waits(view: View) -> None:
    """The next header is accepted with the last beat, and its first beat in the next cycle."""
    units = await start(view)
    units.depth = 10**6
    most, latency = units.most, units.latency
    if int(dict(view.item.parameters)["InFlight"]) < 2 * latency:
        # The FIFO is full before the first result.
        return
    sizes = [5 * most, most, 3 * most + 16, 3 * most + 17, 2 * most, 2 * most + 5, most, 16, most]
    packets = [units.packet(size) for size in sizes]
    await units.open(packets[0])
    for packet, following in zip(packets, [*packets[1:], None], strict=True):
        _, taken = packet
        for at, one in enumerate(taken):
            ports = units.beat(taken, at, True)
            offers = one.last and following is not None
            if offers:
                ports |= units.opening(following)
            while not await units.cycle(**ports):
                pass
            if offers:
                await view.apply(pkt_valid_i=0)
    await units.drain()
    took = [after - before for before, after in pairwise(units.accepted)]
    # A result leaves `latency` + 1 cycles after its block, and is held one cycle later. In a beat
    # with whole blocks the partial one takes a step of its own; in one by itself it has no other.
    ends = [sum(-(-size // most) for size in sizes[: n + 1]) - 2 for n in range(len(sizes))]
    slow = {
        ends[sizes.index(3 * most + 17)]: 1 + latency + 2,
        ends[sizes.index(2 * most + 5)]: latency + 2,
    }
    assert took == [slow.get(at, 1) for at in range(len(took))]


@for_each(MODE, "aes_xts_lanes")
async def a_key_waits_for_the_end_of_the_packet(view: View) -> None:
    units = await start(view)
    packet = units.packet(2 * units.most)
    await units.open(packet)
    await units.key_waits(units.send(packet))
    await units.drain()


@for_each(MODE, "aes_xts_lanes")
async def clear_closes_the_packet_and_drops_the_key(view: View) -> None:
    units = await start(view)
    for size in (units.most, units.most + 3, 17, 3 * units.most):
        header, taken = units.packet(size)
        await units.open((header, taken))
        # One step; a result may be held when the clear comes.
        await units.cycle(**units.beat(taken, 0, True))
        for _ in range(random.randrange(2 * units.latency + 2)):
            await units.cycle(in_valid_i=0)
        await units.clear()
        # No tweak or result is left.
        assert view.get("core_in_data_o") == 0
        await units.key()
        packet = units.packet(size)
        await units.open(packet)
        await units.send(packet)
        await units.drain()


@for_each(MODE, "aes_xts_lanes")
async def an_idle_output_is_gated(view: View) -> None:
    units = await start(view)
    _, taken = packet = units.packet(2 * units.most)
    await units.open(packet)
    await view.apply(core_in_ready_i=1, core_out_valid_i=0, out_ready_i=0)
    await view.apply(**units.beat(taken, 0, True))
    for _ in range(8):
        await view.edge()
        await view.apply(in_valid_i=0, core_out_data_i=random.getrandbits(8 * units.most))
    if int(dict(view.item.parameters)["IdleOutput"]):
        assert view.get("out_data_o") == 0
    else:
        assert view.get("out_data_o") != 0
