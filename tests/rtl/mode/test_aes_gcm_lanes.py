"""aes_gcm_lanes: packets of every shape over ideal ciphers, however packets and cores stall."""

import random
from dataclasses import replace
from itertools import pairwise

from benches import MODE
from lanes import Ciphered
from runner import View, for_each, simulate

from aesforge.sim.packets import Beat, Header, Packet, beats, gcm, iv_for_counter, results, widened
from aesforge.space.modes import KIND


def test_aes_gcm_lanes() -> None:
    simulate(__file__, MODE)


# In the simulator -------------------------------------------------------------------------------


class Packets(Ciphered):
    """The layer between packets and cores, which take any key at once."""

    def __init__(self, view: View) -> None:
        super().__init__(view)
        self.hidden = bool(int(self.parameters["IdleOutput"]))

    def checks(self, leaves: bool, entered: bool, accepted: bool) -> None:
        """No block beside a key; while no beat is on offer only the last one may be shown."""
        view = self.view
        assert not (entered and view.get("core_in_decrypt_o"))
        if view.get("core_key_valid_o") and view.get("core_key_ready_i"):
            assert not view.get("core_in_valid_o"), "no block is offered beside a key"
            self.secret = view.get("core_key_o").to_bytes(32, "big")[:16]
        idle = not view.get("out_valid_o")
        if idle and (self.hidden or self.parameters["Registered"] == "1'b0"):
            before = self.found[-1].data if self.found and not self.hidden else b""
            shown = int.from_bytes(before.ljust(self.most, b"\0"), "big")
            assert view.get("out_data_o") in (0, shown)

    def packet(self, size: int, aad: int = 0, iv: int = 0, decrypt: bool = False) -> Packet:
        """A packet with a right or a wrong tag, in wide beats; its IV is in the header or sent."""
        data, more = random.randbytes(size), random.randbytes(aad)
        sent, tag = random.randbytes(iv), None
        header = Header("gcm", decrypt, random.randbytes(16), random.choice((16, 16, 12, 8, 4)))
        if decrypt:
            data, tag = gcm(self.secret, sent or header.iv[:12], more, data)
            header, tag = self.tagged(header, tag)
        return header, widened(beats(header, data, tag, aad=more, iv=sent), self.lanes)

    def tagged(self, header: Header, right: bytes) -> tuple[Header, bytes | None]:
        """A header and the tag of its packet, which is wrong in one of several ways, or right."""
        tag = right[: header.tag_bytes]
        kind = random.randrange(8)
        if kind == 0:
            return header, (int.from_bytes(tag, "big") ^ 1).to_bytes(len(tag), "big")
        if kind == 1:
            # The right bytes, of a length that no tag has.
            size = random.choice((1, 5, 11))
            return replace(header, tag_bytes=size), right[:size]
        if kind == 2:
            # The right bytes and more, or fewer.
            return header, random.choice((right + bytes(1), right + bytes(16), tag[:-1]))
        if kind == 3:
            return replace(header, tag_bytes=random.choice((0, 0, 16))), None
        return header, tag

    def any_packet(self) -> Packet:
        """A packet of a random shape, which may be aborted."""
        sizes = (0, 1, 15, 16, 17, self.most - 1, self.most, self.most + 1, 2 * self.most + 3)
        iv = random.choice((0, 0, 0, 12, 1, 16, 60, self.most + 7))
        decrypt = random.random() < 0.5
        header, given = self.packet(random.choice(sizes), random.choice(sizes), iv, decrypt)
        if random.random() < 0.2:
            end = Beat(random.randbytes(random.choice((0, 7, 16))), "payload", True, abort=True)
            given = [*(replace(b, last=False) for b in given[: random.randrange(4)]), end]
        elif random.random() < 0.1:
            header = replace(header, tag_bytes=random.choice((0, 1, 5, 11, 17, 31)))
        elif random.random() < 0.1:
            # An empty beat has no meaning, but for that of the IV.
            given.insert(0, Beat(b"", random.choice(("iv", "aad", "payload")), False))
        return header, given

    def opening(self, packet: Packet) -> dict[str, int]:
        """The ports of a header, and what its packet is to output."""
        header, taken = packet
        self.wanted += results(header, self.secret, taken)
        return {
            "pkt_valid_i": 1,
            "pkt_iv_i": int.from_bytes(header.iv, "big"),
            "pkt_decrypt_i": int(header.decrypt),
            "pkt_tag_bytes_i": header.tag_bytes,
        }

    def beat(self, one: Beat) -> dict[str, int]:
        """The ports of a beat."""
        return self.ports(one, KIND[one.kind])

    async def run(self, packet: Packet, may: float = 1.0) -> None:
        """A header and its beats, once they are accepted."""
        await self.header(self.opening(packet), may)
        await self.send(packet, may)

    async def send(self, packet: Packet, may: float = 1.0) -> None:
        """The beats of a packet, once they are accepted."""
        for one in packet[1]:
            ports = self.beat(one)
            while random.random() >= may:
                await self.cycle(may, in_valid_i=0)
            for _ in range(1000):
                if await self.cycle(may, **ports):
                    break
            else:
                raise AssertionError("a beat is not accepted")
        await self.view.apply(in_valid_i=0)


async def start(view: View) -> Packets:
    """Reset, and a key."""
    await view.reset()
    found = Packets(view)
    await found.key()
    return found


@for_each(MODE, "aes_gcm_lanes")
async def packets_of_each_length_are_those_of_the_standard(view: View) -> None:
    packets = await start(view)
    for size in range(0, 2 * packets.most + 18, random.choice((1, 3))):
        await packets.run(packets.packet(size, size // 2, 0, bool(size % 2)))
    await packets.drain()


@for_each(MODE, "aes_gcm_lanes")
async def packets_stall_abort_and_change_their_key(view: View) -> None:
    packets = await start(view)
    for _ in range(150):
        may = random.choice((1.0, 0.7, 0.3))
        await packets.run(packets.any_packet(), may)
        if random.random() < 0.2:
            await packets.key()
            if random.random() < 0.2:
                # A key that no packet uses.
                await packets.key()
    await packets.drain()


@for_each(MODE, "aes_gcm_lanes")
async def counters_carry_within_32_bits(view: View) -> None:
    packets = await start(view)
    for before in (0, 1, packets.lanes - 1, packets.lanes, 2 * packets.lanes + 1):
        for bits in (32, 8, 17):
            low = random.getrandbits(32) << bits & 0xFFFFFFFF | (1 << bits) - 1 - before
            counter = random.getrandbits(96) << 32 | low & 0xFFFFFFFF
            iv = iv_for_counter(packets.secret, counter.to_bytes(16, "big"))
            header = Header("gcm", False, bytes(16), 16)
            given = beats(header, random.randbytes(4 * packets.most + 5), iv=iv)
            await packets.run((header, widened(given, packets.lanes)))
    await packets.drain()


@for_each(MODE, "aes_gcm_lanes")
async def a_packet_loses_a_step_and_a_cycle(view: View) -> None:
    """The next header is accepted with the last beat, and its first beat in the next cycle.

    With pipelined products a packet loses the step alone.
    """
    packets = await start(view)
    packets.depth = 10**6
    digit = int(packets.parameters["HashDigit"])
    pipelined = digit == 0
    beats_hashed = digit in (0, 128 * int(packets.parameters["Lanes"]))
    if not beats_hashed or packets.parameters["Registered"] != "1'b1":
        return
    most = packets.most
    await packets.run(packets.packet(most))
    await packets.drain()
    packets.accepted.clear()
    sizes = [most, 5 * most, 3 * most + 1, 16, most, most, 4 * most, 2 * most, most, most]
    whole = [packets.packet(size) for size in sizes]
    await packets.header(packets.opening(whole[0]))
    for packet, following in zip(whole, [*whole[1:], None], strict=True):
        for one in packet[1]:
            ports = packets.beat(one)
            offers = one.last and following is not None
            if offers:
                ports |= packets.opening(following)
            while not await packets.cycle(**ports):
                pass
            if offers:
                await view.apply(pkt_valid_i=0)
    await packets.drain()
    starts = [packets.offered[n] for n, beat in enumerate(packets.found) if beat.last]
    each = [after - before for before, after in pairwise(starts[1:])]
    # Each result, the tag, and the cycle in which its hash is added.
    # The hash of the first one, of a single beat, takes less time.
    wanted = [-(-size // most) + 2 - pipelined for size in sizes[1:]]
    assert each[1:] == wanted[1:], each


@for_each(MODE, "aes_gcm_lanes")
async def a_key_waits_for_the_end_of_the_packet(view: View) -> None:
    packets = await start(view)
    packet = packets.packet(2 * packets.most)
    await packets.header(packets.opening(packet))
    await packets.key_waits(packets.send(packet))
    await packets.drain()


@for_each(MODE, "aes_gcm_lanes")
async def clear_closes_the_packet_and_drops_the_key(view: View) -> None:
    packets = await start(view)
    for number in range(8):
        packet = packets.packet(2 * packets.most + 5, 20, 20 * (number % 2))
        await packets.header(packets.opening(packet))
        steps = random.randrange(30)
        for one in packet[1]:
            ports = packets.beat(one)
            while steps and not await packets.cycle(**ports):
                steps -= 1
        await packets.clear()
        # No counter or result is left.
        assert view.get("out_data_o") == 0
        counters = (k << 128 * (packets.lanes - 1 - k) for k in range(packets.lanes))
        assert view.get("core_in_data_o") == sum(counters)
        await packets.key()
        await packets.run(packets.packet(packets.most + 1, 3))
        await packets.drain()
