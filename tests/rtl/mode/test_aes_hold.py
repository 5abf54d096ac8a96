"""aes_hold above an abstract mode, which offers any packets in any cycles."""

import random
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field

from benches import KIND_FAILED, KIND_TAG, KIND_VERIFIED, MODE, MODE_CODES
from runner import Source, View, for_each, simulate

from aesforge.core.sources import codes


def test_aes_hold() -> None:
    simulate(__file__, MODE)


# In the simulator -------------------------------------------------------------------------------

GCM, CCM = codes()["MODE_GCM"], codes()["MODE_CCM"]
PAYLOAD = MODE_CODES["KIND_PAYLOAD"]

Beat = tuple[int, int, int, int]
"""Data, bytes, kind, and whether it is the last one of its packet."""

END = {"failed": KIND_FAILED, "verified": KIND_VERIFIED, "tag": KIND_TAG, "payload": PAYLOAD}


@dataclass(frozen=True)
class Packet:
    """A header's mode and direction, and the beats that the mode outputs."""

    mode: int
    decrypt: int
    beats: tuple[Beat, ...]

    @property
    def header(self) -> dict[str, int]:
        return {"pkt_mode_i": self.mode, "pkt_decrypt_i": self.decrypt}


def packet(view: View, rng: random.Random, mode: int, decrypt: int, count: int, end: str) -> Packet:
    """A packet of so many beats of payload before its end."""
    most = beat_bytes(view)
    beats = [
        (rng.getrandbits(8 * most), rng.randrange(1, most + 1), PAYLOAD, 0) for _ in range(count)
    ]
    return Packet(mode, decrypt, (*beats, (rng.getrandbits(128), 16, END[end], 1)))


def lines(view: View) -> int:
    """Beats that the buffer has room for."""
    return int(dict(view.item.parameters)["HoldBytes"]) // beat_bytes(view)


def beat_bytes(view: View) -> int:
    """Bytes of a beat."""
    return 16 * int(dict(view.item.parameters)["Lanes"])


def modes(view: View) -> list[int]:
    listed = int(dict(view.item.parameters)["Modes"])
    return [mode for mode in range(32) if listed >> mode & 1]


def holds(view: View, given: Packet) -> bool:
    """Whether the payload of a packet waits for its verdict; an unknown mode is the lowest."""
    mode = given.mode if given.mode in modes(view) else modes(view)[0]
    return bool(given.decrypt) and mode in (GCM, CCM)


def expected(view: View, given: Packet) -> list[Beat]:
    """What a packet outputs."""
    *payload, end = given.beats
    if not holds(view, given):
        return [*payload, end]
    if end[2] == KIND_VERIFIED and len(payload) <= lines(view):
        return [*payload, (0, 0, KIND_VERIFIED, 1)]
    return [(0, 0, KIND_FAILED, 1)]


def randoms(view: View, rng: random.Random, count: int) -> list[Packet]:
    """Packets of all kinds, among them some that just fit, or just do not."""
    found = []
    for _ in range(count):
        mode, decrypt = rng.choice([*modes(view), rng.randrange(32)]), rng.getrandbits(1)
        most = lines(view)
        size = rng.choice((0, 0, 1, 2, rng.randrange(most), most - 1, most, most + 1, 2 * most + 3))
        end = rng.choice(("verified", "verified", "failed"))
        given = Packet(mode, decrypt, ())
        if not holds(view, given):
            end = rng.choice(("tag", "payload", "failed", "verified"))
        elif rng.random() < 0.1:
            # No packet to verify ends so. Nothing of it may be output even then.
            end = rng.choice(("tag", "payload"))
        found.append(packet(view, rng, mode, decrypt, size, end))
    return found


@dataclass
class Below:
    """The mode below: it takes keys and headers, and offers the beats of its packets in order."""

    view: View
    stall: float = 0.3
    packets: deque[Packet] = field(default_factory=deque)
    beats: deque[Beat] = field(default_factory=deque)
    keys: int = 0
    headers: int = 0
    offers: bool = False
    # The cycles in which beats were taken.
    taken: list[int] = field(default_factory=list)

    def drive(self) -> None:
        """Offer a beat, and accept a header, or not; a beat that is on offer holds."""
        self.offers = self.offers or (bool(self.beats) and random.random() >= self.stall)
        beat = self.beats[0] if self.offers else tuple(random.getrandbits(1) for _ in range(4))
        self.view.set(
            core_key_ready_i=int(random.random() >= self.stall),
            core_pkt_ready_i=int(random.random() >= self.stall),
            core_out_valid_i=int(self.offers),
            core_out_data_i=beat[0],
            core_out_bytes_i=beat[1],
            core_out_kind_i=beat[2],
            core_out_last_i=beat[3],
        )

    def sample(self) -> None:
        """See what is transferred."""
        get = self.view.get
        if self.offers and get("core_out_ready_o"):
            self.beats.popleft()
            self.offers = False
            self.taken.append(self.view.clocks)
        self.keys += get("core_key_valid_o") and get("core_key_ready_i")
        if get("core_pkt_valid_o") and get("core_pkt_ready_i"):
            given = self.packets.popleft()
            assert (get("core_pkt_mode_o"), get("core_pkt_decrypt_o")) == (
                given.mode,
                given.decrypt,
            )
            self.headers += 1
            self.beats.extend(given.beats)

    def drop(self) -> None:
        """Nothing is left after a clear."""
        self.packets.clear()
        self.beats.clear()
        self.offers = False


@dataclass
class Above:
    """The user: it takes beats, and checks that an offer holds and an idle output is as it must."""

    view: View
    stall: float = 0.3
    taken: list[Beat] = field(default_factory=list)
    cycles: list[int] = field(default_factory=list)
    held: Beat | None = None
    seen: set[int] = field(default_factory=set)

    def drive(self) -> None:
        """Be ready, or not."""
        self.view.set(out_ready_i=int(random.random() >= self.stall))

    def sample(self) -> None:
        """Take what is offered, and look at the output in every cycle."""
        get = self.view.get
        beat = tuple(get(f"out_{name}_o") for name in ("data", "bytes", "kind", "last"))
        self.seen.add(beat[0])
        if self.held:
            assert (get("out_valid_o"), beat) == (1, self.held)
        self.held = None
        if not get("out_valid_o"):
            if dict(self.view.item.parameters)["IdleOutput"]:
                assert beat[0] == 0
        elif get("out_ready_i"):
            self.taken.append(beat)
            self.cycles.append(self.view.clocks)
        else:
            self.held = beat


async def started(view: View, stall: float) -> tuple[Below, Above, Source]:
    """The modules around the instance after a reset, and the source of headers."""
    below, above, headers = Below(view, stall), Above(view, stall), Source(view, "pkt", stall)
    view.agents += [below, above, headers]
    await view.reset()
    return below, above, headers


def send(below: Below, headers: Source, packets: Iterable[Packet]) -> None:
    """Queue packets."""
    for given in packets:
        below.packets.append(given)
        headers.queue.append(given.header)


@for_each(MODE, "aes_hold")
async def payload_to_verify_waits_for_its_verdict(view: View) -> None:
    rng = random.Random(str(view.item.parameters))
    below, above, headers = await started(view, 0.3)
    for stall in (0.0, 0.1, 0.5, 0.9):
        below.stall, above.stall = stall, rng.choice((0.0, 0.3, 0.8))
        packets = randoms(view, rng, 40)
        wanted = [beat for given in packets for beat in expected(view, given)]
        above.taken.clear()
        send(below, headers, packets)
        await view.until(lambda wanted=wanted: len(above.taken) >= len(wanted), 60_000)
        await view.tick(20)
        assert above.taken == wanted
        assert not below.beats


@for_each(MODE, "aes_hold")
async def nothing_of_a_failed_packet_is_ever_at_the_output(view: View) -> None:
    rng = random.Random(1)
    below, above, headers = await started(view, 0.2)
    mode, most = next(mode for mode in modes(view) if mode in (GCM, CCM)), lines(view)
    forged = [
        packet(view, rng, mode, 1, size, "failed" if size <= most else "verified")
        for size in (1, most, most + 1, 3 * most)
        for _ in range(4)
    ]
    good = [packet(view, rng, mode, 1, min(3, most), "verified") for _ in forged]
    secret = {beat[0] for given in forged for beat in given.beats if beat[0]}
    send(below, headers, (one for pair in zip(forged, good, strict=True) for one in pair))
    verdicts = len(forged) + len(good)
    await view.until(lambda: sum(beat[3] for beat in above.taken) == verdicts, 20_000)
    assert not secret & above.seen
    assert {beat[0] for given in good for beat in given.beats[:-1]} <= above.seen
    # Nor while the buffer is cleared and used again.
    view.set(key_clear_i=1)
    below.drop()
    await view.tick()
    view.set(key_clear_i=0)
    await view.tick(3 * most)
    send(below, headers, good)
    await view.until(lambda: sum(beat[3] for beat in above.taken) == verdicts + len(good), 20_000)
    assert not secret & above.seen


@for_each(MODE, "aes_hold")
async def a_beat_per_cycle_passes_in_two_cycles(view: View) -> None:
    rng = random.Random(2)
    below, above, headers = await started(view, 0.0)
    mode = modes(view)[-1]
    given = packet(view, rng, mode, 0, 4 * lines(view), "tag")
    send(below, headers, [given, given])
    await view.until(lambda: len(above.taken) == 2 * len(given.beats), 1000)
    for cycles in (below.taken, above.cycles):
        first = cycles[: len(given.beats)]
        assert first == list(range(first[0], first[0] + len(first)))
    assert [cycle - 2 for cycle in above.cycles] == below.taken


@for_each(MODE, "aes_hold")
async def a_packet_enters_while_the_one_before_is_output(view: View) -> None:
    rng, most = random.Random(3), lines(view)
    below, above, headers = await started(view, 0.0)
    mode = next(mode for mode in modes(view) if mode in (GCM, CCM))
    packets = [packet(view, rng, mode, 1, most // 2, "verified") for _ in range(6)]
    send(below, headers, packets)
    await view.until(lambda: sum(beat[3] for beat in above.taken) == 6, 1000)
    # Verified packets of half the buffer follow each other without a gap, unless it is very small.
    if most > 4:
        assert below.taken == list(range(below.taken[0], below.taken[0] + len(below.taken)))
    assert above.cycles[0] == below.taken[most // 2] + 3


@for_each(MODE, "aes_hold")
async def an_output_that_stalls_stops_the_mode_and_loses_nothing(view: View) -> None:
    rng, most = random.Random(4), lines(view)
    below, above, headers = await started(view, 0.0)
    mode = next(mode for mode in modes(view) if mode in (GCM, CCM))
    packets = [packet(view, rng, mode, 1, most, "verified") for _ in range(3)]
    above.stall = 1.0
    send(below, headers, packets)
    await view.tick(5 * most + 20)
    # The buffer has the payload, and the output register one beat of it.
    assert len(below.taken) == most + 1
    above.stall = 0.0
    await view.until(lambda: sum(beat[3] for beat in above.taken) == 3, 1000)
    assert above.taken == [beat for given in packets for beat in expected(view, given)]


@for_each(MODE, "aes_hold")
async def headers_wait_when_the_mode_has_all_packets_it_may_have(view: View) -> None:
    below, above, headers = await started(view, 0.0)
    most = int(dict(view.item.parameters)["Packets"])
    rng = random.Random(5)
    below.stall = 0.0
    given = packet(view, rng, modes(view)[0], 0, 1, "payload")
    # The output of the mode stalls, so no packet ends.
    above.stall = 1.0
    send(below, headers, [given] * (most + lines(view) + 8))
    await view.tick(10 * lines(view) + 50)
    ended = sum(1 for _ in below.taken) // len(given.beats)
    assert most <= below.headers - ended <= most + 1
    assert headers.queue
    above.stall = 0.0
    await view.until(lambda: not headers.queue and not below.beats, 1000)


@for_each(MODE, "aes_hold")
async def clear_drops_all_and_overwrites_the_buffer(view: View) -> None:
    rng = random.Random(6)
    below, above, headers = await started(view, 0.2)
    keys = Source(view, "key")
    view.agents.append(keys)
    for port, active in (("key_clear_i", 1), ("rst_ni", 0)) * 10:
        send(below, headers, randoms(view, rng, 8))
        above.stall = rng.choice((0.0, 0.5, 1.0))
        await view.tick(rng.randrange(1, 8 * lines(view)))
        for agent in (below, headers):
            agent.drop()
        view.set(**{port: active}, pkt_valid_i=0, core_out_valid_i=0)
        above.held = None
        below.stall = 0.0
        await view.tick()
        before = below.keys
        keys.queue.append({})
        above.held = None
        above.taken.clear()
        view.set(**{port: 1 - active})
        cycles = await view.until(lambda before=before: below.keys > before)
        # A line in each cycle, or the memory of headers, if that is deeper.
        deepest = max(lines(view), int(dict(view.item.parameters)["Packets"]))
        assert deepest <= cycles <= deepest + 2
        assert above.taken == []
        assert view.get("out_data_o") == 0
        above.stall = below.stall = 0.2
        packets = randoms(view, rng, 4)
        send(below, headers, packets)
        wanted = [beat for given in packets for beat in expected(view, given)]
        await view.until(lambda wanted=wanted: len(above.taken) == len(wanted), 5000)
        assert above.taken == wanted
