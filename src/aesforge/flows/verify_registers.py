"""Checks of cores behind registers, over their bus, beside those of all packets.

The C driver and the map are checked against the header of the map that a program includes.
"""

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product

from aesforge.core.sources import rtl_root
from aesforge.flows.verify_modes import Outcome, PacketBench
from aesforge.sim.driver_cases import cases
from aesforge.sim.packets import Packet, PacketScoreboard, beats, opening, paired
from aesforge.sim.player import ACCESS, Event, play
from aesforge.sim.register_player import driven
from aesforge.space.axes import Config
from aesforge.space.promises import REGISTER_INTERVAL

_PATIENCE = 2_000_000

_WRITE_ONLY = ("COMMAND", "KEY", "KEY_TWEAK", "IV", "AAD_BYTES", "PAYLOAD_BYTES", "DATA_IN")
_READ_WRITE = ("CTRL", "ERRORS", "INTR_ENABLE", "INTR_STATE", "DMA", "BEAT")
_WORDS = {"KEY": 8, "KEY_TWEAK": 8, "IV": 4, "DATA_IN": 4, "DATA_OUT": 4}
"""Registers that are arrays, and their words."""


@cache
def _header() -> dict[str, int]:
    """The numbers that the header of the register map defines."""
    text = (rtl_root().parent / "sw" / "aes_registers.h").read_text(encoding="utf-8")
    found = re.findall(r"#define AES_REGISTERS__(\w+) (0x[0-9a-f]+|\d+)u?\s", text)
    return {name: int(value, 0) for name, value in found}


def _bits(field: str, value: int = 1) -> int:
    """A value in its field of a register, such as CAP_CORE__KEY_128."""
    return value << _header()[f"{field}_bp"]


def _capabilities(config: Config) -> dict[str, int]:
    """What the registers that describe a core are to have."""

    def listed(decrypt: bool) -> int:
        return sum(1 << m.code for m in config.modes if decrypt in config.decrypts(m))

    core = sum(_bits(f"CAP_CORE__KEY_{size}") for size in config.key_sizes)
    core += _bits("CAP_CORE__KEY_SLOTS") + _bits("CAP_CORE__BLOCK_BYTES", 16)
    core += _bits("CAP_CORE__TWO_KEYS", config.two_keys)
    core += _bits("CAP_CORE__HOLD", config.hold == "on")
    core += _bits("CAP_CORE__SBOXES", bool(config.selectable_sboxes))
    core += _bits("CAP_CORE__SIDELOAD", config.sideload == "on")
    core += _bits("CAP_CORE__STREAM" if config.stream_port == "on" else "CAP_CORE__DMA")
    limits = {
        "HOLD_LOG2": (config.hold_bytes, config.hold == "on"),
        "WRAP_LOG2": (config.semiblocks, any(mode.wraps for mode in config.modes)),
        "SIV_LOG2": (config.payload_bytes, any(mode.buffers for mode in config.modes)),
    }
    found = sum(
        _bits(f"CAP_LIMITS__{name}", int(value).bit_length() - 1)
        for name, (value, used) in limits.items()
        if used
    )
    if any(mode.name == "ctr" for mode in config.modes):
        found += _bits("CAP_LIMITS__COUNTER_BITS", int(config.counter_bits))
    return {
        "ID": int.from_bytes(b"AESF", "big"),
        "VERSION": sum(
            _bits(f"VERSION__{part}", _header()[f"VERSION__{part}_reset"])
            for part in ("MAJOR", "MINOR", "PATCH")
        ),
        "CAP_ENCRYPT": listed(False),
        "CAP_DECRYPT": listed(True),
        "CAP_CORE": core,
        "CAP_LIMITS": found,
    }


def _map() -> dict[int, str]:
    """The register at each address."""
    return {
        at + 4 * number: name.removesuffix("_offset")
        for name, at in _header().items()
        if name.endswith("_offset")
        for number in range(_WORDS.get(name.removesuffix("_offset"), 1))
    }


@dataclass(frozen=True)
class _Access:
    """An access by itself: the error bit that it must raise, or the word that it must read."""

    write: bool
    address: int
    word: int = 0
    strobes: int = 15
    error: str = ""
    expected: int | None = None

    def __str__(self) -> str:
        verb = "write" if self.write else "read"
        strobes = f" of bytes {self.strobes:04b}" if self.strobes != 15 else ""
        return f"{verb} of {self.address:#05x}{strobes}"


def _explained(access: _Access) -> Iterator[_Access]:
    """An access, and those that read and clear the error that it must leave."""
    yield access
    if access.error:
        errors, bit = _header()["ERRORS_offset"], _bits(f"ERRORS__{access.error}")
        yield _Access(False, errors, expected=bit)
        yield _Access(True, errors, bit)
        yield _Access(False, errors, expected=0)


def _accesses(config: Config, rng: random.Random) -> Iterator[_Access]:
    """Accesses of a core without key and packet: each register, and each error without a packet."""
    at = {name: address for address, name in reversed(_map().items())}
    described = _capabilities(config)
    for name, word in described.items():
        yield _Access(False, at[name], expected=word)
    for address in [*range(0, 0x140, 4), 0x400, 0xFFC]:
        name = _map().get(address, "")
        if config.stream_port == "on" and name in ("DATA_IN", "DATA_OUT", "BEAT"):
            name = ""
        readable = bool(name) and name not in _WRITE_ONLY
        writable = name in (*_WRITE_ONLY, *_READ_WRITE)
        writable &= name != "KEY_TWEAK" or config.two_keys
        refused = "UNDERRUN" if name == "DATA_OUT" else "" if readable else "ACCESS"
        yield _Access(False, address, error=refused, expected=described.get(name))
        refused = "OVERRUN" if name in ("DATA_IN", "BEAT") else "" if writable else "ACCESS"
        if name not in ("ERRORS", "COMMAND"):
            yield _Access(True, address, 0, error=refused)
    for name in ("CTRL", "INTR_ENABLE", "DMA"):
        fields = [key for key in _header() if key.startswith(f"{name}__") and key.endswith("_bm")]
        every = sum(_header()[field] for field in fields)
        yield _Access(True, at[name], 0xFFFFFFFF)
        yield _Access(False, at[name], expected=every)
        for strobes in rng.sample(range(15), 5):
            yield _Access(True, at[name], 0, strobes, "ACCESS")
        yield _Access(False, at[name], expected=every)
        yield _Access(True, at[name], 0)
    # A mode that the core has, but no key.
    mode = config.modes[0]
    direction = _bits("CTRL__DECRYPT", config.decrypts(mode)[0])
    yield _Access(True, at["CTRL"], _bits("CTRL__MODE", mode.code) + direction)
    for command in ("START", "ABORT"):
        yield _Access(True, at["COMMAND"], _bits(f"COMMAND__{command}"), error="COMMAND")
    lacking = [code for code, size in enumerate((128, 192, 256)) if size not in config.key_sizes]
    for code in (*lacking, 3):
        yield _Access(True, at["CTRL"], _bits("CTRL__KEY_LEN", code))
        yield _Access(True, at["COMMAND"], _bits("COMMAND__LOAD_KEY"), error="COMMAND")
    if config.sideload == "off":
        yield _Access(True, at["CTRL"], _bits("CTRL__SIDELOAD"))
        yield _Access(True, at["COMMAND"], _bits("COMMAND__LOAD_KEY"), error="COMMAND")
    yield _Access(True, at["CTRL"], 0)


@dataclass
class _Responses:
    """The responses to accesses by themselves in a run, in order."""

    words: list[tuple[bool, int]]

    def of(self, events: Iterator[Event]) -> Iterator[Event]:
        """The events of a run."""
        for event in events:
            if event.kind == ACCESS:
                self.words.append((event.name == "error", int.from_bytes(event.payload, "little")))
            yield event


def _run(
    bench: PacketBench, script: Iterator[bytes]
) -> tuple[PacketScoreboard, list[tuple[bool, int]]]:
    """A script after a reset: what the scoreboard says, and the responses to its accesses."""
    responses = _Responses([])

    def whole() -> Iterator[bytes]:
        yield bench.script.reset()
        yield from script

    events = play(bench.model, bench.contract, whole(), bench.seed)
    board = PacketScoreboard(bench.config, bench.contract)
    return board.watch(responses.of(events)), responses.words


def registers(bench: PacketBench) -> Outcome:
    """Capabilities, reset values, and the error of every access that a register does not have."""
    wanted = [
        one
        for access in _accesses(bench.config, random.Random(bench.seed))
        for one in _explained(access)
    ]
    script = (bench.script.access(a.write, a.address, a.word, a.strobes) for a in wanted)
    board, found = _run(bench, script)
    problems = list(board.problems)
    if len(found) != len(wanted):
        problems.append(f"{len(found)} responses to {len(wanted)} accesses")
    for access, (error, word) in zip(wanted, found, strict=False):
        if error != bool(access.error):
            problems.append(f"{access}: {'an error' if error else 'no error'}")
        elif access.expected is not None and word != access.expected and not error:
            problems.append(f"{access}: {word:#010x}, expected {access.expected:#010x}")
        elif error and word and not access.write:
            problems.append(f"{access}: {word:#010x} with its error, expected 0")
    errors = sum(bool(access.error) for access in wanted)
    return problems, f"{len(wanted)} accesses, {errors} of them in error"


def errors_in_packets(bench: PacketBench) -> Outcome:
    """Packets between accesses that are in error, which change nothing but ERRORS."""
    rng, header = bench.rng, _header()
    unmapped = [address for address in range(0, 0x1000, 4) if address not in _map()]
    groups = max(16, bench.blocks // (100 * max(mode.steps for mode in bench.config.modes)))
    count = 0

    def wrong() -> bytes:
        nonlocal count
        count += 1
        word = rng.getrandbits(32)
        match rng.randrange(4):
            case 0:
                return bench.script.access(False, rng.choice(unmapped))
            case 1:
                return bench.script.access(True, rng.choice(unmapped), word)
            case 2:
                name = rng.choice(("KEY", "IV", "CTRL", "COMMAND", "INTR_ENABLE"))
                at = header[f"{name}_offset"]
                return bench.script.access(True, at, word, rng.randrange(15))
        return bench.script.access(False, header[f"{rng.choice(_WRITE_ONLY)}_offset"])

    def script() -> Iterator[bytes]:
        headers = 0
        for keys in range(1, groups + 1):
            yield bench.stalls(0, 0, 0.2, 0.5)
            secret = bench.random_key()
            yield bench.key(secret) + bench.script.wait("key", keys, _PATIENCE)
            packets = [bench.random_packet(secret) for _ in range(rng.randrange(1, 4))]
            yield from bench.packets(packets)
            headers += len(packets)
            for _ in range(8 * len(packets)):
                yield bench.script.tick(rng.randrange(40)) + wrong()
            yield bench.script.wait("pkt", headers, _PATIENCE)
        yield bench.stalls(0) + bench.script.drain(bench.longest, _PATIENCE)

    board, found = _run(bench, script())
    problems = list(board.problems)
    if board.packets != len(board.opened) or not board.packets:
        problems.append(f"{board.packets} packets ended of {len(board.opened)}")
    accepted = sum(not error for error, _ in found)
    if accepted or len(found) != count:
        problems.append(f"{len(found)} responses of {count}, {accepted} without an error")
    return problems, f"{board.packets} packets, {count} accesses in error between their accesses"


def c_driver(bench: PacketBench) -> Outcome:
    """Packets by the C driver, compiled for this machine: polled, by interrupts, aborted, wiped."""
    steps = max(mode.steps for mode in bench.config.modes)
    number = max(4, bench.blocks // (200 * steps))
    expected = list(cases(random.Random(bench.seed), bench.config, number))
    lines = [line for line, _ in expected]
    found = driven(bench.model, lines, bench.seed)
    problems = [
        f"{line}: expected {' '.join(wanted)}, got {' '.join(given)}"
        for (line, wanted), given in zip(expected, found, strict=True)
        if wanted != given
    ]
    kinds = [line.split()[0] for line in lines]
    return problems, f"{kinds.count('packet')} packets, {kinds.count('key')} keys"


def _long(bench: PacketBench, mode_name: str, decrypt: bool, count: int) -> Packet:
    header = opening(mode_name, decrypt, bytes(16), 16, 0, 16 * count)
    return header, beats(header, bench.rng.randbytes(16 * count))


def promised_clocks(bench: PacketBench) -> Outcome:
    """Long packets without pauses: no beat faster than promised, nor slower than the bus makes it.

    A stream port moves beats as the mode does. The promise of others has one access in two cycles,
    and one read of STATUS for a beat. A core that waits for its next beat, or for a result to be
    read, waits for the accesses of one beat at most; a master of AXI4-Lite that waits for the word
    that it has read takes some cycles more for them.
    """
    problems: list[str] = []
    found: list[str] = []
    streams = bench.config.stream_port == "on"
    shortest = 0 if streams else REGISTER_INTERVAL
    slack = shortest + (6 if bench.config.port == "axi-lite" and not streams else 0)
    for bits, mode in product(bench.config.key_sizes, bench.config.modes):
        if bits not in mode.key_sizes or mode.wraps or mode.buffers:
            continue
        for decrypt in bench.decrypts(mode):
            promise, which = bench.promise(mode, decrypt, bits), f"{bits} {mode.name}"
            which += " decrypt" if decrypt else " encrypt"
            count = 24 if mode.steps == 1 else 6
            key = paired(bench.config, bench.rng.randbytes(bits // 8))
            packet = _long(bench, mode.name, decrypt, count)

            def script(key: bytes = key, packet: Packet = packet) -> Iterator[bytes]:
                yield bench.key(key) + bench.script.wait("key", 1)
                yield from bench.packets([packet], fastest=True)
                yield bench.script.drain(bench.longest, _PATIENCE)

            board = bench.watch(script())
            problems += board.problems
            if len(board.accepted) != count:
                problems.append(f"{which}: {len(board.accepted)} beats of {count}")
                continue
            start, turns = count // 3, (count - 3 - count // 3) // promise.per
            took = board.accepted[start + turns * promise.per] - board.accepted[start]
            least = max(promise.interval, shortest * promise.per)
            if not turns * least <= took <= turns * (least + slack * promise.per):
                problems.append(
                    f"{which}: {took} cycles for {turns * promise.per} beats, promised {least} for "
                    f"{promise.per}, and at most {slack} more for each"
                )
            found.append(f"{which} {took / turns / promise.per:.1f}")
    return problems, f"cycles for a beat: {', '.join(found) or 'none promised'}"
