"""Simulate a mode on packets against the standards' vectors and OpenSSL's block cipher.

Each check runs packets on the channels of the packet contract. The scoreboard computes what every
packet must output, beat by beat, from the beats that were accepted.
"""

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate, pairwise, product
from pathlib import Path

from aesforge.core import stack
from aesforge.core.contract import Contract, sboxes_code
from aesforge.sim.mode_vectors import ModeVector, mode_vectors, vector_packet
from aesforge.sim.packets import (
    Beat,
    Fields,
    Packet,
    PacketScoreboard,
    beats,
    decrypts,
    interleaved,
    key_values,
    opening,
    paired,
    random_key,
    random_packet,
    to_verify,
    used,
    widened,
    wrap,
)
from aesforge.sim.player import Script, play
from aesforge.space.axes import Config
from aesforge.space.modes import Mode
from aesforge.space.promises import (
    REGISTER_INTERVAL,
    Promise,
    hash_cycles,
    hash_digit,
    held_lines,
    longest_beat,
    packet_promise,
    promised,
    tweak_latency,
)

Outcome = tuple[list[str], str]
"""Problems, none when the check holds, and what was covered."""

CHANNELS = ("key", "pkt", "in", "out")

# Cycles without a handshake after which a packet counts as stalled: a beat of CFB1 takes long.
_PATIENCE = 2_000_000


@dataclass(frozen=True)
class PacketBench:
    """A compiled mode above a core, and the settings of its checks."""

    config: Config
    model: Path
    blocks: int
    seed: int

    @property
    def contract(self) -> Contract:
        """The channels that the configuration has, at its ports or behind its registers."""
        return stack.channels(self.config)

    @cached_property
    def script(self) -> Script:
        """Creates the operations of a script."""
        return Script(self.contract)

    @cached_property
    def _fields(self) -> Fields:
        return Fields(self.contract)

    @cached_property
    def rng(self) -> random.Random:
        """The random numbers of the bench."""
        return random.Random(self.seed)

    def key(self, key: bytes, slot: int = 0) -> bytes:
        """Offer a key."""
        return self.script.send("key", *key_values(key, self.config, slot))

    def random_key(self) -> bytes:
        """A key, or a pair of keys, of a size of the core."""
        return random_key(self.rng, self.config)

    def packets(self, packets: Iterable[Packet], fastest: bool = False) -> Iterator[bytes]:
        """Offer headers and beats, streams interleaved at random."""
        wide = ((header, self.widened(given)) for header, given in packets)
        for header, beat in interleaved(wide, iter(self.rng.random, 2.0)):
            if header is not None:
                yield self.script.send("pkt", *self._fields.values("pkt", header.ports))
            if beat is not None:
                # Bytes that do not count must be ignored; S-boxes in use vary.
                ports = beat.ports(self.rng.randbytes(self.config.beat_bytes))
                choices = self.config.selectable_sboxes or (1,)
                ports["in_sboxes_i"] = sboxes_code(
                    choices[0] if fastest else self.rng.choice(choices)
                )
                yield self.script.send("in", *self._fields.values("in", ports))

    def widened(self, given: list[Beat]) -> list[Beat]:
        """The beats of a packet as wide as those of the configuration."""
        return widened(given, int(self.config.lanes))

    def stalls(self, *probabilities: float) -> bytes:
        """Stall each channel with one of the probabilities."""
        return b"".join(
            self.script.stall(name, self.rng.choice(probabilities)) for name in CHANNELS
        )

    def withdraw(self) -> bytes:
        """Drop all that is queued or offered."""
        return b"".join(self.script.withdraw(name) for name in CHANNELS[:-1])

    def watch(self, script: Iterator[bytes]) -> PacketScoreboard:
        """Run a script after a reset."""

        def whole() -> Iterator[bytes]:
            yield self.script.reset()
            yield from script

        events = play(self.model, self.contract, whole(), self.seed)
        return PacketScoreboard(self.config, self.contract).watch(events)

    def decrypts(self, mode: Mode) -> tuple[bool, ...]:
        """The directions of packets of a mode."""
        return decrypts(self.config, mode)

    def promise(self, mode: Mode, decrypt: bool, bits: int) -> Promise:
        """What the mode promises in one direction."""
        return packet_promise(self.config, promised(self.config.cipher, bits), mode, decrypt)

    @property
    def longest(self) -> int:
        """Cycles in which a beat, or the setup of a key, is over."""
        core = [promised(self.config.cipher, bits) for bits in self.config.key_sizes]
        steps = longest_beat(self.config)
        tweak = max(tweak_latency(self.config, bits) for bits in self.config.key_sizes)
        beat = max(p.key_setup + (steps + 4) * (p.latency + p.interval) for p in core)
        return tweak + held_lines(self.config) + hash_cycles(self.config) + beat

    def random_packet(self, key: bytes) -> Packet:
        """A random packet, whose tag may be right under `key`."""
        return random_packet(self.rng, self.config, key)


# Checks -------------------------------------------------------------------------------------------


def _fits(bench: PacketBench, vector: ModeVector, mode: Mode) -> bool:
    if 8 * len(vector.key) // (2 if mode.two_keys else 1) not in bench.config.key_sizes:
        return False
    if mode.buffers and len(vector.data) > int(bench.config.payload_bytes):
        return False
    if mode.name == "ctr" and bench.config.counter_bits != "128":
        # The file's counters do not wrap, but those of SP 800-38A, F.5, end with ff.
        return int(bench.config.counter_bits) >= 32
    if bench.config.hold == "on" and mode.held and vector.decrypt:
        # A longer packet is refused.
        return len(vector.data) <= int(bench.config.hold_bytes)
    if mode.wraps and len(vector.data) > 8 * (int(bench.config.semiblocks) + vector.decrypt):
        return False
    return vector.decrypt in bench.decrypts(mode)


def _vectors(bench: PacketBench) -> Outcome:
    """All vectors when there are 10,000 blocks to send, and else as many fewer."""
    every = max(1, 10_000 // bench.blocks)
    cases = [
        (vector, mode)
        for mode in bench.config.modes
        for vector in mode_vectors(mode.name)[:: every if mode.steps < 128 else 16 * every]
        if _fits(bench, vector, mode)
    ]
    wanted: list[tuple[ModeVector, Mode, bool]] = []

    def script() -> Iterator[bytes]:
        for number, (vector, mode) in enumerate(cases, 1):
            # The header waits for the key; the packet before keeps its own.
            pair = vector.key if mode.two_keys else paired(bench.config, vector.key)
            slot = number % int(bench.config.key_slots)
            yield bench.script.wait("pkt", len(wanted), _PATIENCE) + bench.key(pair, slot)
            yield bench.script.wait("key", number, _PATIENCE)
            for decrypt in (False, True) if mode.mac else (vector.decrypt,):
                wanted.append((vector, mode, decrypt))
                header, rest = vector_packet(vector, decrypt)
                yield from bench.packets([(replace(header, slot=slot), rest)])
        yield bench.script.drain(bench.longest, _PATIENCE)

    board = bench.watch(script())
    problems = list(board.problems)
    if len(board.outputs) != len(wanted):
        problems.append(f"{len(board.outputs)} packets of {len(wanted)} ended")
    for (vector, mode, decrypt), given in zip(wanted, board.outputs, strict=False):
        if not _gives(vector, mode, decrypt, given):
            problems.append(f"{mode.name}: {vector.name} gives another result")
    return problems, f"{len(wanted)} vectors, {len(board.accepted)} beats"


def _gives(vector: ModeVector, mode: Mode, decrypt: bool, given: list[Beat]) -> bool:
    """Whether a packet has output what its vector says."""
    if mode.verifies and decrypt and given[-1].kind != ("failed" if vector.fails else "verified"):
        return False
    if (mode.mac and decrypt) or (mode.wraps and vector.fails):
        return len(given) == 1
    if vector.fails:
        return True
    data = b"".join(beat.data for beat in given)
    if mode.aad:
        return data == vector.result + (b"" if decrypt else vector.tag)
    full, rest = divmod(vector.bits, 8)
    return data[:full] == vector.result[:full] and (
        not rest or (data[full] ^ vector.result[full]) >> (8 - rest) == 0
    )


def _random(bench: PacketBench, wipe: str | None = None) -> Outcome:
    """Random packets under random keys with random stalls; `wipe` clears in between."""
    rng, several = bench.rng, bench.config.streams != "1"
    steps = max(mode.steps for mode in bench.config.modes)
    groups = max(32, bench.blocks // (20 * steps))
    # Cycles in which a key is ready, a block is output, and two follow it.
    promises = [promised(bench.config, bits) for bits in bench.config.key_sizes]
    turn = max(p.key_setup + p.latency + 2 * p.interval for p in promises)
    tweak = max(tweak_latency(bench.config, bits) for bits in bench.config.key_sizes)
    if pause := hash_cycles(bench.config):
        # The subkey is encrypted before.
        turn += max(p.latency for p in promises) + pause
    turn += held_lines(bench.config)
    if bench.config.registers:
        # The accesses of a key, a header, and two beats with their results.
        turn += 4 * REGISTER_INTERVAL

    filled: dict[int, bytes] = {}

    def packet() -> Packet:
        slot = rng.choice(list(filled))
        header, rest = bench.random_packet(filled[slot])
        return replace(header, slot=slot), rest

    def script() -> Iterator[bytes]:
        headers = 0
        for keys in range(1, groups + 1):
            yield bench.stalls(0, 0, 0.2, 0.5, 0.9)
            slot = rng.randrange(int(bench.config.key_slots))
            filled[slot] = bench.random_key()
            yield bench.key(filled[slot], slot)
            count = rng.randrange(1, 10)
            # In most groups packets are offered with the key; interleaved packets would then wait
            # for each other in the one queue of beats.
            if wipe is None and (several or rng.random() < 0.5):
                yield bench.script.wait("key", keys, _PATIENCE)
            yield from bench.packets(packet() for _ in range(count))
            headers += count
            if wipe is None and (several or rng.random() < 0.7):
                yield bench.script.wait("pkt", headers, _PATIENCE)
            # The packets of the last group end, however slow the core is.
            if wipe is not None and keys < groups:
                # The first block of XTS comes after its tweak.
                before = rng.choice((0, 0, tweak))
                yield bench.script.tick(before + rng.randrange(rng.choice((1, 1, count)) * turn))
                yield _wipe(bench, wipe, rng.choice((1, 1, 2, 5)))
                filled.clear()
        yield bench.stalls(0) + bench.script.drain(bench.longest, _PATIENCE)

    board = bench.watch(script())
    problems = list(board.problems)
    if wipe is None and board.packets != len(board.opened):
        problems.append(f"{board.packets} packets ended of {len(board.opened)}")
    if not board.packets or (wipe is not None and not board.cleared):
        problems.append(f"{board.packets} packets ended, {board.cleared} were cleared")
    kinds = ", ".join(f"{number} {kind}" for kind, number in sorted(board.verdicts.items()))
    return problems, (
        f"{board.packets} packets ({kinds}), {len(board.keyed)} keys, "
        f"{board.cleared} packets cleared"
    )


def _wipe(bench: PacketBench, port: str, clocks: int) -> bytes:
    """Clear or reset while all is offered, and drop what is left of the packets."""
    script, active = bench.script, 0 if port == "rst_ni" else 1
    start = script.level(port, active) + script.tick(clocks)
    return start + bench.withdraw() + script.level(port, 1 - active)


def _clears(bench: PacketBench) -> Outcome:
    return _random(bench, "key_clear_i")


def _resets(bench: PacketBench) -> Outcome:
    return _random(bench, "rst_ni")


def _promises(bench: PacketBench) -> Outcome:
    """The interval of long packets, in all streams, and no cycle lost between packets."""
    problems: list[str] = []
    found: list[str] = []
    streams = int(bench.config.streams)
    for bits, mode in product(bench.config.key_sizes, bench.config.modes):
        if bits not in mode.key_sizes:
            continue
        for decrypt in bench.decrypts(mode):
            promise, which = bench.promise(mode, decrypt, bits), f"{bits} {mode.name}"
            which += " decrypt" if decrypt else " encrypt"
            if mode.wraps or mode.buffers:
                problems += _loads_in_time(bench, mode, decrypt, bits, promise)
                found.append(f"{which} {promise.interval}/{promise.per}")
                continue
            count = 6 if mode.steps > 1 else 4 * promise.per + 4
            if mode.name == "gmac":
                # The first beats wait in front of GHASH for its subkey, in a pipeline for powers.
                count = 12 + promise.in_flight + hash_cycles(bench.config)
            if mode.two_keys:
                # The second packet's tweak is encrypted while the first one runs.
                tweak = tweak_latency(bench.config, bits) + promise.latency
                count += tweak * promise.per // promise.interval
            size = count * bench.config.beat_bytes
            block = bench.config.block_bytes
            key = paired(bench.config, bench.rng.randbytes(bits // 8))
            # Two packets in each stream, without a pause in between.
            halves = [
                [
                    (header, bench.widened(beats(header, bench.rng.randbytes(size))))
                    for stream in range(streams)
                    for header in (
                        replace(
                            opening(mode.name, decrypt, bytes(block), 16, 0, 16 * count, block),
                            stream=stream,
                        ),
                    )
                ]
                for _ in range(2)
            ]

            def script(key: bytes = key, halves: list[list[Packet]] = halves) -> Iterator[bytes]:
                yield bench.key(key) + bench.script.wait("key", 1)
                for half in halves:
                    for header, _ in half:
                        yield bench.script.send("pkt", *bench._fields.values("pkt", header.ports))
                    for turn in zip(*(rest for _, rest in half), strict=True):
                        for beat in turn:
                            ports = beat.ports(bytes(bench.config.beat_bytes))
                            choices = bench.config.selectable_sboxes or (1,)
                            ports["in_sboxes_i"] = sboxes_code(choices[0])
                            yield bench.script.send("in", *bench._fields.values("in", ports))
                yield bench.script.drain(bench.longest, _PATIENCE)

            board = bench.watch(script())
            problems += board.problems
            if len(board.accepted) != 2 * count * streams:
                problems.append(f"{which}: beats are missing")
                continue
            serial = mode.serial_decryption if decrypt else mode.serial_encryption
            # Beats that do not wait follow each other from packet to packet; those that do are
            # counted in the middle of a packet, whose ends may take fewer or more steps.
            start, per, span = 0, promise.per, len(board.accepted)
            if mode.two_keys:
                # The first beat waits for the first tweak in a register, the next ones for the key
                # in those at the core.
                start = 4 if bench.config.registered else 2
                span = len(board.accepted) - start
            elif mode.name == "gmac":
                start, span = count - 6, 5
            elif serial or mode.tag or mode.name.startswith("cbc_cs") or bench.config.two_keys:
                start, span = max(2, streams), (count - 3) * streams
            elif bench.config.registered:
                # The first beats wait for the key in the registers at the core.
                start, span = 4, len(board.accepted) - 4
            turns = (span - 1) // per
            took = board.accepted[start + turns * per] - board.accepted[start]
            # A core that takes blocks in batches may take a lone block some cycles later.
            batches = bench.config.key_schedule == "batch" and serial
            slack = turns * int(bench.config.stages) if batches else 0
            if not 0 <= took - turns * promise.interval <= slack:
                problems.append(
                    f"{which}: {took} cycles for {turns * per} beats, "
                    f"promised {promise.interval} for {per}"
                )
            found.append(f"{which} {promise.interval}/{per}")
    return problems, f"cycles/beats: {', '.join(found)}"


def _loads_in_time(
    bench: PacketBench, mode: Mode, decrypt: bool, bits: int, promise: Promise
) -> list[str]:
    """Whether packets take the promised cycles for more beats than the packet before has."""
    key = bench.rng.randbytes(bits // 8)
    secret = used(bench.config, mode.name, paired(bench.config, key))
    config, step = bench.config, 16 * promise.per
    most = int(config.payload_bytes) if mode.buffers else 8 * int(config.semiblocks)
    packets: list[Packet] = []
    aad = bytes(16 if mode.buffers else 0)
    # A pipelined GHASH holds back the first blocks of a message.
    start = step if hash_digit(config) or not mode.buffers else 8 * step
    for size in range(start, 1 + min(start + 4 * step, most), step):
        data, tag = bench.rng.randbytes(size), None
        header = opening(mode.name, decrypt, bytes(16), 16)
        if decrypt and mode.buffers:
            data, tag = to_verify(mode.name, secret, bytes(12), aad, data)
        elif decrypt:
            data = wrap(mode.name, secret, data) or b""
        packets.append((header, beats(header, data, tag, aad=aad)))

    def script() -> Iterator[bytes]:
        count = 0
        yield bench.key(paired(bench.config, key)) + bench.script.wait("key", 1)
        for packet in packets:
            header, first, *rest = bench.packets([packet], fastest=True)
            yield header + first
            if aad:
                # The packet's key is set up meanwhile.
                yield bench.script.wait("in", count + 1) + bench.script.tick(1000)
            yield b"".join(rest)
            count += 1 + len(rest)
        yield bench.script.drain(bench.longest, _PATIENCE)

    board = bench.watch(script())
    if len(board.outputs) != len(packets):
        return [*board.problems, f"{bits} {mode.name}: packets are missing"]
    ends = [board.offered[last - 1] for last in accumulate(map(len, board.outputs))]
    took = [after - before for before, after in pairwise(ends)]
    return board.problems + [
        f"{bits} {mode.name}: {more} cycles for {promise.per} beats, promised {promise.interval}"
        for more in (after - before for before, after in pairwise(took))
        if more != promise.interval
    ]


CHECKS: dict[str, Callable[[PacketBench], Outcome]] = {
    "mode_vectors": _vectors,
    "random_packets": _random,
    "clears_in_packets": _clears,
    "resets_in_packets": _resets,
    "promised_clocks": _promises,
}
