"""Drive a simulated core with a script and record the events on its channels.

A script is an iterable of operations, made by `Script`; `play` runs it on a compiled model and
yields events. Both are streamed, so the memory in use does not depend on the length of a run.
`script.h` defines each operation, and `player.cpp` is the C++ side.
"""

import subprocess
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from aesforge import cache
from aesforge.core.contract import Channel, Contract, Port
from aesforge.core.sources import closure, digest
from aesforge.tools import verilator
from aesforge.tools.process import ToolFailed

_PROGRAM = Path(__file__).with_name("player.cpp")
_SCRIPT = Path(__file__).with_name("script.h")

HANDSHAKE, LEVEL, VIOLATION, IDLE, TIMEOUT, END = (ord(letter) for letter in "HLVITE")
ACCESS, REFUSED = ord("A"), ord("R")
"""Events of registers alone: the response to one access, and an access of a program in error."""

_PROBLEMS = {
    VIOLATION: "an offer changed before it was taken",
    IDLE: "not 0 while it is not valid",
    TIMEOUT: "no handshake came in time",
    REFUSED: "the bus refused an access",
}


@dataclass(frozen=True, slots=True)
class Event:
    """An event in cycle `clock`.

    `kind` is HANDSHAKE, LEVEL, VIOLATION, IDLE, TIMEOUT, ACCESS, REFUSED or END; `name` the channel
    or level; `payload` the bytes of a handshake, or the one byte that a level was set to. What is
    transferred in several beats is one handshake, in the cycle of the last beat; `began` is that of
    the first. The `name` of an ACCESS is "error" or empty, and its `payload` the word that was
    read, the low byte first.
    """

    kind: int
    name: str
    clock: int
    payload: bytes = b""
    began: int = 0

    @property
    def problem(self) -> str:
        """What is wrong whatever was expected; empty if nothing is."""
        reason = _PROBLEMS.get(self.kind)
        return f"{self.name}: {reason}" if reason else ""


def _sizes(channel: Channel) -> list[int]:
    """The bytes of each port of the payload in one beat."""
    return [(port.width + 7) // 8 for port in channel.payload]


def _beats(channel: Channel, last: int) -> int:
    """Beats of a key, block or result, `last` being the value of the last port of its payload."""
    return channel.beats[min(last, len(channel.beats) - 1)]


def _limit(cycles: int) -> bytes:
    """A limit of cycles; the player counts no further than 2^32."""
    return min(cycles, (1 << 32) - 1).to_bytes(4, "little")


class Script:
    """Creates the operations for cores with one contract."""

    def __init__(self, contract: Contract) -> None:
        self._channels = {channel.name: channel for channel in contract.channels}
        self._number = {name: bytes([i]) for i, name in enumerate(self._channels)}
        self._levels = {
            port.name: bytes([i]) for i, port in enumerate((contract.RESET, *contract.levels))
        }

    def send(self, channel: str, *values: int | bytes) -> bytes:
        """Queue a key, block or another payload; one value for each port, in order.

        The first value is whole, of `Channel.bits`, also where it is sent in several beats.
        """
        to = self._channels[channel]
        first, *others = _sizes(to)
        sizes = (first * max(to.beats), *others)
        data, *rest = [
            value if isinstance(value, bytes) else value.to_bytes(size, "big")
            for value, size in zip(values, sizes, strict=True)
        ]
        assert tuple(map(len, (data, *rest))) == sizes, channel
        last = int.from_bytes((data, *rest)[-1]) if len(to.beats) > 1 else 0
        parts = [b"S", self._number[channel], bytes([_beats(to, last)])]
        for beat in range(_beats(to, last)):
            # After the first beat the other ports do not count: they are inverted.
            other = b"".join(rest) if beat == 0 else bytes(255 - b for b in b"".join(rest))
            parts += [data[first * beat : first * (beat + 1)], other]
        return b"".join(parts)

    def wait(self, channel: str, handshakes: int, limit: int = 100_000) -> bytes:
        """Run until `channel` has had so many whole handshakes, for `limit` cycles at most."""
        count = handshakes.to_bytes(8, "little")
        return b"W" + self._number[channel] + count + _limit(limit)

    def drain(self, quiet: int, limit: int = 1_000_000) -> bytes:
        """Run until no item is queued and `quiet` cycles had no handshake; ends after `limit`."""
        return b"D" + quiet.to_bytes(4, "little") + _limit(limit)

    def tick(self, clocks: int) -> bytes:
        """Run a number of cycles."""
        return b"T" + clocks.to_bytes(4, "little")

    def level(self, port: str, value: int) -> bytes:
        """Set `rst_ni` or another level input."""
        return b"L" + self._levels[port] + bytes([value])

    def pulse(self, port: str, value: int, clocks: int = 1) -> bytes:
        """Set a level input for some cycles, then set it back."""
        return self.level(port, value) + self.tick(clocks) + self.level(port, 1 - value)

    def stall(self, channel: str, probability: float) -> bytes:
        """Stall the outer side of `channel` with this probability in each cycle; 1 is always."""
        return b"P" + self._number[channel] + bytes([min(255, int(probability * 256))])

    def withdraw(self, channel: str) -> bytes:
        """Drop what is queued on a channel, with an offer that was not taken."""
        return b"U" + self._number[channel]

    def access(self, write: bool, address: int, word: int = 0, strobes: int = 15) -> bytes:
        """One access of registers by itself, beside the programs of the channels."""
        numbers = address.to_bytes(2, "little") + word.to_bytes(4, "little")
        return b"A" + bytes([write, strobes]) + numbers

    def reset(self) -> bytes:
        """Reset for two cycles."""
        return self.pulse("rst_ni", 0, 2)

    def flush(self) -> bytes:
        """Deliver all events so far."""
        return b"F"


def _moved(port: Port, source: bool, size: int, offset: int) -> str:
    """The C++ that moves a port of a payload to or from the bytes at `offset` of `data`."""
    move = "put" if source else "get"
    if port.pin is None:
        mask = f" dut.{port.name} &= {hex(2**port.width - 1)};" if port.width % 8 else ""
        return f"{move}(dut.{port.name}, {size}, data + {offset});{mask * source}"
    form = "" if port.form == "value" else f"_{port.form}"
    bits = "" if port.form == "bytes" else f", {port.low}, {port.width}"
    size_of = f", {size}" if port.form == "bytes" else ""
    return f"{move}{form or '_bits'}(dut.{port.pin.name}{size_of}{bits}, data + {offset});"


def _accessors(contract: Contract) -> str:
    """The C++ that binds the player to the ports of a contract."""
    sets = {name: "" for name in ("set_valid", "set_ready", "set_payload", "set_level")}
    gets = {name: "" for name in ("get_valid", "get_ready", "get_shown", "get_payload")}
    rows = []
    for number, channel in enumerate(contract.channels):
        source = channel.flow == "in"
        rows.append(f"{{{str(source).lower()}, {sum(_sizes(channel))}, {channel.beats[0]}}}")
        case, stop = f"    case {number}: ", " break;\n"
        gets["get_valid"] += f"{case}return dut.{channel.valid.name};\n"
        gets["get_ready"] += f"{case}return dut.{channel.ready.name};\n"
        shown = [f"any(dut.{(p.pin or p).name})" for p in channel.payload if p.gated]
        gets["get_shown"] += f"{case}return {' || '.join(shown) or 'false'};\n"
        driven, setter = (channel.valid, "set_valid") if source else (channel.ready, "set_ready")
        sets[setter] += f"{case}dut.{driven.name} = value;{stop}"
        moves, offset = [], 0
        for port in channel.payload:
            size = (port.width + 7) // 8
            moves.append(_moved(port, source, size, offset))
            offset += size
        (sets if source else gets)["set_payload" if source else "get_payload"] += (
            f"{case}{' '.join(moves)}{stop}"
        )
    levels = (contract.RESET, *contract.levels)
    for number, port in enumerate(levels):
        sets["set_level"] += f"    case {number}: dut.{port.name} = value; break;\n"
    lines = [
        "struct Channel { bool source; int bytes; int beats; };",
        f"constexpr int CHANNEL_COUNT = {len(rows)};",
        f"const Channel CHANNELS[] = {{{', '.join(rows)}}};",
        f"constexpr int LEVELS = {len(levels)};",
    ]
    for name, cases in (sets | gets).items():
        result = "void" if name in (*sets, "get_payload") else "bool"
        extra = {
            "set_payload": ", const uint8_t* data",
            "get_payload": ", uint8_t* data",
        }.get(name, ", int value" if name.startswith("set") else "")
        end = "  return false;\n" if result == "bool" else ""
        lines.append(
            f"{result} {name}(Vdut& dut, int which{extra}) {{\n"
            f"  switch (which) {{\n{cases}    default: break;\n  }}\n{end}}}"
        )
    return "\n".join(lines) + "\n"


def compiled(
    contract: Contract,
    parameters: Mapping[str, int],
    files: Sequence[Path] = (),
    flags: Sequence[str] = (),
) -> Path:
    """The model of `contract.module` with these parameters, compiled once for each content.

    `files` are the sources, if not all are in `aes.f`; `flags` are Verilator's.
    """
    files = files or closure(contract.module)
    made_of = (*files, *program(contract), sorted(parameters.items()), *flags)

    def make(folder: Path) -> None:
        compile_core(files, contract, parameters, folder, flags)

    name = digest(*made_of, verilator.version())
    return cache.folder("models", name, make) / "model" / "player"


def program(contract: Contract) -> tuple[Path, Path, str]:
    """What is compiled with a core of this contract: the player and its access to the ports."""
    return _PROGRAM, _SCRIPT, _accessors(contract)


def compile_core(
    files: Sequence[Path],
    contract: Contract,
    parameters: Mapping[str, int],
    folder: Path,
    flags: Sequence[str] = (),
) -> None:
    """Compile `files`, whose top is `contract.module`, to `folder`/model/player."""
    main, _, accessors = program(contract)
    (folder / "channels.inc").write_text(accessors, encoding="utf-8")
    flags = ["-CFLAGS", f"-I{folder}", *flags]
    verilator.compile_model(files, contract.module, parameters, main, folder, flags)


def play(
    model: Path, contract: Contract, script: Iterable[bytes], seed: int = 1
) -> Iterator[Event]:
    """Run `script` on a compiled model; yields the events in order, the last being END.

    What a clear or reset interrupts between two beats gives no event.

    A separate thread consumes `script`, which may wait for events that the caller has seen.
    """
    process = subprocess.Popen(
        [model, str(seed)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=1 << 16
    )
    assert process.stdin is not None
    assert process.stdout is not None
    failure: list[BaseException] = []
    feeder = threading.Thread(target=_feed, args=(process.stdin, script, failure), daemon=True)
    feeder.start()
    ended = False
    try:
        for event in _whole(_events(process.stdout.read, contract), contract):
            ended = event.kind == END
            yield event
        feeder.join()
        process.wait()
    finally:
        process.kill()
        process.wait()
    if failure:
        raise failure[0]
    if not ended:
        raise ToolFailed("the simulated core", f"it ended with code {process.returncode}")


def _feed(pipe: IO[bytes], script: Iterable[bytes], failure: list[BaseException]) -> None:
    try:
        with pipe:
            for operation in script:
                pipe.write(operation)
                if operation.endswith(b"F"):
                    pipe.flush()
    except BrokenPipeError:
        pass
    except BaseException as error:
        failure.append(error)


def _events(read: Callable[[int], bytes], contract: Contract) -> Iterator[Event]:
    names = [channel.name for channel in contract.channels]
    sizes = [sum(_sizes(channel)) for channel in contract.channels]
    levels = [port.name for port in (contract.RESET, *contract.levels)]
    while head := read(2):
        kind, which = head
        value = read(1) if kind == LEVEL else b""
        clock = int.from_bytes(read(8), "little")
        if kind == LEVEL:
            yield Event(kind, levels[which], clock, value)
        elif kind == HANDSHAKE:
            yield Event(kind, names[which], clock, read(sizes[which]))
        elif kind == ACCESS:
            yield Event(kind, "error" if which else "", clock, read(4))
        else:
            yield Event(kind, names[which], clock)


class _Parts:
    """The beats of one channel, which are joined to handshakes."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._size = _sizes(channel)[0]
        self._got: list[Event] = []

    def drop(self) -> None:
        """Drop the beats so far."""
        self._got = []

    def join(self, beat: Event, early: bool) -> Event | None:
        """The handshake that `beat` completes; with `early`, that of what there is."""
        self._got.append(beat)
        first = self._got[0]
        if len(self._got) < _beats(self._channel, first.payload[-1]) and not early:
            return None
        data = b"".join(event.payload[: self._size] for event in self._got)
        whole = data.ljust(self._channel.bits // 8, b"\0") + first.payload[self._size :]
        self.drop()
        return Event(HANDSHAKE, beat.name, beat.clock, whole, first.clock)


def _whole(events: Iterable[Event], contract: Contract) -> Iterator[Event]:
    """The events with the beats of each handshake joined."""
    parts = {channel.name: _Parts(channel) for channel in contract.channels}
    cleared_from: int | None = None
    for event in events:
        if event.kind == LEVEL:
            starts = event.name != "rst_ni" and event.payload[0]
            cleared_from = event.clock if starts else None
        over = event.kind == LEVEL and cleared_from is None
        if over or (cleared_from is not None and event.clock > cleared_from):
            for part in parts.values():
                part.drop()
        if event.kind != HANDSHAKE:
            yield event
            continue
        # A beat that is taken while it is cleared is a fault, whether it is the last or not.
        early = cleared_from is not None and contract.channel(event.name).flow == "in"
        if joined := parts[event.name].join(event, early):
            yield joined
