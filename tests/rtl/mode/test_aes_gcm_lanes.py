"""aes_gcm_lanes: packets of every shape over ideal ciphers, however packets and cores stall."""

import random
from collections import deque
from dataclasses import replace
from itertools import pairwise

from benches import MODE
from lanes import Layer
from runner import View, for_each, simulate

from aesforge.sim.oracle import ecb
from aesforge.sim.packets import Beat, Header, Packet, beats, gcm, iv_for_counter, results, widened
from aesforge.space.modes import KIND, KIND_OUT


def test_aes_gcm_lanes() -> None:
    simulate(__file__, MODE)


# In the simulator -------------------------------------------------------------------------------

KINDS = {code: name for name, code in KIND_OUT.items()}


class Packets(Layer):
    """The layer between packets and cores with an ideal cipher, which take any key at once."""

    def __init__(self, view: View) -> None:
        super().__init__(view)
        self.most = 16 * self.lanes
        self.hidden = bool(int(self.parameters["IdleOutput"]))
        # The key of the cores; ages and results of what is in them.
        self.secret = bytes(16)
        self.core: deque[list[int]] = deque()
        self.found: list[Beat] = []
        self.wanted: list[Beat] = []
        self.cycles = 0
        self.accepted: list[int] = []
        self.offered: list[int] = []

    async def cycle(self, may: float = 1.0, **ports: int) -> bool:
        """One cycle with these ports: whether a beat is accepted."""
        view = self.view
        room = len(self.core) < self.depth and random.random() < may
        leaves = bool(self.core) and self.core[0][0] >= self.latency
        await view.apply(
            core_in_ready_i=int(room),
            core_out_valid_i=int(leaves),
            core_out_data_i=self.core[0][1] if leaves else random.getrandbits(8 * self.most),
            out_ready_i=int(random.random() < may),
            **ports,
        )
        accepted = bool(view.get("in_valid_i") and view.get("in_ready_o"))
        entered = bool(view.get("core_in_valid_o") and room)
        entering = self.encrypted() if entered else 0
        if view.get("core_key_valid_o") and view.get("core_key_ready_i"):
            assert not view.get("core_in_valid_o"), "no block is offered beside a key"
            self.secret = view.get("core_key_o").to_bytes(32, "big")[:16]
        if not view.get("out_valid_o"):
            self.idle()
        elif view.get("out_ready_i"):
            self.output()
        left = leaves and view.get("core_out_ready_o")
        for one in self.core:
            one[0] += 1
        if left:
            self.core.popleft()
        if entered:
            self.core.append([0, entering])
        if accepted:
            self.accepted.append(self.cycles)
        self.cycles += 1
        await view.edge()
        return accepted

    def idle(self) -> None:
        """No beat is on offer: nothing is shown, or nothing but the last one that was output."""
        shown = self.view.get("out_data_o")
        if self.hidden or self.parameters["Registered"] == "1'b0":
            before = self.found[-1].data if self.found and not self.hidden else b""
            assert shown in (0, int.from_bytes(before.ljust(self.most, b"\0"), "big"))

    def encrypted(self) -> int:
        """The results of the blocks that enter the cores."""
        view = self.view
        assert view.get("core_in_sboxes_o") == view.get("in_sboxes_i")
        assert not view.get("core_in_decrypt_o")
        given = view.get("core_in_data_o").to_bytes(self.most, "big")
        return int.from_bytes(ecb(self.secret, False)(given), "big")

    def output(self) -> None:
        """A beat is output."""
        view = self.view
        size, kind = view.get("out_bytes_o"), KINDS[view.get("out_kind_o")]
        data = view.get("out_data_o").to_bytes(self.most, "big")
        assert data[size:] == bytes(self.most - size)
        self.found.append(Beat(data[:size], kind, bool(view.get("out_last_o"))))
        self.offered.append(self.cycles)

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
        data = one.data + random.randbytes(self.most - len(one.data))
        # More bytes than a beat has are all of them.
        more = self.most + random.randrange(self.most) if len(one.data) == self.most else 0
        return {
            "in_valid_i": 1,
            "in_data_i": int.from_bytes(data, "big"),
            "in_bytes_i": more or len(one.data),
            "in_kind_i": KIND[one.kind],
            "in_last_i": int(one.last),
            "in_abort_i": int(one.abort) if one.last else random.getrandbits(1),
            "in_sboxes_i": random.randrange(3),
        }

    async def run(self, packet: Packet, may: float = 1.0) -> None:
        """A header and its beats, once they are accepted."""
        await self.header(self.opening(packet), may)
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

    async def drain(self) -> None:
        """Wait for all results, which are those of the standard."""
        for _ in range(1000):
            if len(self.found) == len(self.wanted) and not self.core:
                break
            await self.cycle(in_valid_i=0)
        assert not self.core
        assert self.found == self.wanted


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
    """The next header is accepted with the last beat, and its first beat in the next cycle."""
    packets = await start(view)
    packets.depth = 10**6
    if packets.parameters["Parallel"] != "1'b1" or packets.parameters["Registered"] != "1'b1":
        return
    most = packets.most
    await packets.run(packets.packet(most))
    await packets.drain()
    packets.accepted.clear()
    sizes = [most, 5 * most, 3 * most + 1, 16, most, most, 4 * most, 2 * most, most, most]
    whole = [packets.packet(size) for size in sizes]
    await packets.header(packets.opening(whole[0]), 1.0)
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
    took = packets.offered[-1] - packets.offered[-len(packets.found)]
    starts = [packets.offered[n] for n, beat in enumerate(packets.found) if beat.last]
    each = [after - before for before, after in pairwise(starts[1:])]
    # Each result, the tag, and the cycle in which its hash is added.
    assert each == [-(-size // most) + 2 for size in sizes[1:]], took


@for_each(MODE, "aes_gcm_lanes")
async def a_key_waits_for_the_end_of_the_packet(view: View) -> None:
    packets = await start(view)
    packet = packets.packet(2 * packets.most)
    await packets.header(packets.opening(packet), 1.0)
    await view.apply(key_valid_i=1, core_key_ready_i=1)
    assert not view.get("key_ready_o")
    assert not view.get("core_key_valid_o")
    await view.apply(key_valid_i=0)
    for one in packet[1]:
        while not await packets.cycle(**packets.beat(one)):
            pass
    await view.apply(in_valid_i=0, key_valid_i=1, core_key_ready_i=0, pkt_valid_i=1)
    assert view.get("core_key_valid_o")
    assert not view.get("key_ready_o")
    # A header beside a key waits for it.
    assert not view.get("pkt_ready_o")
    await view.apply(core_key_ready_i=1)
    assert view.get("key_ready_o")
    assert view.get("pkt_ready_o")
    await view.apply(key_valid_i=0, pkt_valid_i=0)
    await packets.drain()


@for_each(MODE, "aes_gcm_lanes")
async def clear_closes_the_packet_and_drops_the_key(view: View) -> None:
    packets = await start(view)
    for number in range(8):
        packet = packets.packet(2 * packets.most + 5, 20, 20 * (number % 2))
        await packets.header(packets.opening(packet), 1.0)
        steps = random.randrange(30)
        for one in packet[1]:
            ports = packets.beat(one)
            while steps and not await packets.cycle(**ports):
                steps -= 1
        await view.apply(key_clear_i=1, in_valid_i=1)
        for port in ("in_ready_o", "key_ready_o", "pkt_ready_o", "core_in_valid_o"):
            assert not view.get(port)
        await view.edge()
        packets.core.clear()
        await view.apply(key_clear_i=0, in_valid_i=0, core_out_valid_i=0, core_key_ready_i=1)
        for _ in range(200):
            await view.apply(key_valid_i=1)
            assert not view.get("in_ready_o")
            assert not view.get("out_valid_o")
            if view.get("key_ready_o"):
                break
            await view.edge()
        assert view.get("key_ready_o")
        # No header before a key, and no counter or result is left.
        await view.apply(key_valid_i=0, pkt_valid_i=1, in_data_i=0)
        assert not view.get("pkt_ready_o")
        assert view.get("out_data_o") == 0
        counters = (k << 128 * (packets.lanes - 1 - k) for k in range(packets.lanes))
        assert view.get("core_in_data_o") == sum(counters)
        await view.apply(pkt_valid_i=0)
        packets.found.clear()
        packets.wanted.clear()
        await packets.key()
        await packets.run(packets.packet(packets.most + 1, 3))
        await packets.drain()
