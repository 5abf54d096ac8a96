"""Encrypt or decrypt real bytes with a simulated core in a mode of operation.

The mode is simulated hardware too (`rtl/mode/aes_mode.sv`). The message is one packet and streamed
beat by beat, so the memory in use does not depend on its length, unless a tag must be verified
before the message is written.
"""

import io
import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO
from uuid import uuid4

from aesforge.core import stack
from aesforge.core.contract import sboxes_code
from aesforge.errors import UserError
from aesforge.progress import track
from aesforge.sim.packets import (
    CCM_TAGS,
    GCM_TAGS,
    Beat,
    Fields,
    Header,
    beats,
    key_values,
    opening,
    refuses,
    widened,
)
from aesforge.sim.player import HANDSHAKE, REFUSED, TIMEOUT, VIOLATION, Script, play
from aesforge.sim.register_player import model
from aesforge.space.axes import AXES, Config
from aesforge.space.modes import KIND_OUT, MODES, MOST_BLOCKS, Mode
from aesforge.space.presets import Preset
from aesforge.space.promises import longest_beat
from aesforge.tools.process import ToolFailed

# Cycles per block after which a simulated core counts as stalled.
_PATIENCE = 100_000

# Cycles in which a verdict is output after the last beat of a packet, in any core.
_QUIET = 10_000


def _hex(what: str, text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        raise UserError(
            f"{what} '{text}' is not hex; write bytes as pairs of digits, such as 00112233"
        ) from None


def parse_key(config: Config, mode: Mode, text: str) -> bytes:
    """A key in hex, of a size that the core takes; of XTS both keys, the one of tweaks last."""
    key = _hex("the key", text)
    sizes = tuple(bits for bits in config.key_sizes if bits in mode.key_sizes)
    if mode.two_keys:
        sizes = tuple(2 * bits for bits in sizes)
    if 8 * len(key) == 192 and mode.buffers:
        raise UserError(f"the key has 192 bits; {mode.name} takes 128 or 256 ({mode.source})")
    if 8 * len(key) not in sizes:
        legal = " or ".join(f"{bits} bits ({bits // 4} hex digits)" for bits in sizes)
        pair = ", which are two keys" if mode.two_keys else ""
        raise UserError(
            f"the key has {8 * len(key)} bits; this core takes {legal}{pair}; see 'keys='"
        )
    if mode.two_keys and refuses(key):
        raise UserError(
            f"both halves of the key are equal, which {mode.name} forbids; give two different keys"
        )
    return key


def parse_iv(mode: Mode, text: str | None, block_bytes: int = 16) -> bytes:
    """An IV, or first counter block: hex, or the name of a file with its bytes."""
    if not mode.iv:
        if text is not None:
            raise UserError(f"{mode.name} has no IV; leave --iv out")
        return bytes(block_bytes)
    size = block_bytes if mode.any_block else mode.iv
    if text is None:
        raise UserError(f"{mode.name} needs an IV; give --iv with {2 * size} hex digits")
    path = Path(text)
    try:
        iv = path.read_bytes() if path.is_file() else _hex("the IV", text)
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}; give --iv in hex") from None
    if mode.any_iv and iv:
        return iv
    if mode.any_iv:
        raise UserError(f"the IV is empty; {mode.name} takes one byte or more, best {mode.iv}")
    if mode.shortest_iv <= len(iv) <= mode.iv and mode.shortest_iv:
        return iv
    if mode.shortest_iv:
        raise UserError(
            f"the nonce has {len(iv)} bytes; {mode.name} takes {mode.shortest_iv} to {mode.iv}"
        )
    if len(iv) != size:
        raise UserError(
            f"the IV has {8 * len(iv)} bits; {mode.name} takes {8 * size} ({2 * size} hex digits)"
        )
    return iv


def _tag_bytes(mode: Mode, tag_bits: int | None) -> int:
    if not mode.tag:
        if tag_bits is not None:
            raise UserError(f"{mode.name} has no tag; leave --tag-bits out")
        return 0
    bits = 128 if tag_bits is None else tag_bits
    sizes = GCM_TAGS if mode.hashes else CCM_TAGS if mode.lengths_ahead else range(1, 17)
    sizes = (16,) if mode.buffers else sizes
    if mode.aad and bits not in [8 * size for size in sizes]:
        legal = ", ".join(str(8 * size) for size in sizes)
        raise UserError(f"--tag-bits {bits}: a tag of {mode.name} has {legal} bits ({mode.source})")
    if bits % 8 or not 8 <= bits <= 128:
        raise UserError(f"--tag-bits {bits} is not a multiple of 8 from 8 to 128")
    return bits // 8


def _check_unit(mode: Mode, unit: int | None) -> None:
    """UserError when data units of `unit` bytes do not fit a mode."""
    if unit is None:
        return
    if not mode.two_keys:
        raise UserError(f"{mode.name} has no data units; leave --data-unit out")
    if not 16 <= unit <= MOST_BLOCKS * 16:
        raise UserError(
            f"--data-unit {unit} is not from 16 to {MOST_BLOCKS * 16} bytes; give the size of a "
            f"sector, such as 512"
        )


def read_aad(mode: Mode, path: Path | None) -> bytes:
    """The additional data of a packet, which may be empty."""
    if path is None:
        return b""
    if not mode.aad:
        others = " or ".join(f"mode={other.name}" for other in MODES.values() if other.aad)
        raise UserError(f"{mode.name} has no additional data; leave --aad out, or choose {others}")
    try:
        return path.read_bytes()
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}; name a file with --aad") from None


def chosen_mode(config: Config, decrypt: bool) -> Mode:
    """The mode of a run; UserError when there is none, or the core cannot do it."""
    modes = config.modes
    if len(modes) != 1:
        example = ", ".join(f"mode={name}" for name in list(MODES)[:3])
        reason = "name one mode for the file" if modes else "a core alone has no packets"
        raise UserError(f"{reason}: choose {example} or another; see 'aesforge list'")
    needed = "decrypt" if decrypt else "encrypt"
    if modes[0].inverse and needed not in config.directions:
        others = " or ".join(mode.name for mode in MODES.values() if not mode.inverse)
        other = f", or a mode that never uses the inverse cipher ({others})" if decrypt else ""
        raise UserError(
            f"{modes[0].name} needs a core that can {needed}, and this one can only "
            f"{config.direction}; choose direction={needed} or both{other}"
        )
    return modes[0]


def _beats(
    source: BinaryIO, mode: Mode, tag_bytes: int, block: int, iv: bytes = b"", aad: bytes = b""
) -> Iterator[Beat]:
    """The beats of a packet, of `block` bytes; the last `tag_bytes` of the input are its tag."""
    for kind, data in (("iv", iv), ("aad", aad)):
        for at in range(0, len(data), 16):
            yield Beat(data[at : at + 16], kind, False)
    left, size, ended = b"", 0, False
    while not ended:
        chunk = source.read(1 << 16)
        ended = not chunk
        left += chunk
        size += len(chunk)
        # What may be the last block and the tag is kept back.
        whole = (len(left) - tag_bytes - 1) // block * block
        for at in range(0, whole, block):
            yield Beat(left[at : at + block], "payload", False)
        left = left[max(0, whole) :]
    _check_length(mode, size - tag_bytes, tag_bytes, block)
    payload, tag = left[: len(left) - tag_bytes], left[len(left) - tag_bytes :]
    if payload or not tag_bytes:
        yield Beat(payload, "payload", not tag_bytes)
    if tag_bytes:
        yield Beat(tag, "tag", True)


def _packets(
    source: BinaryIO,
    mode: Mode,
    header: Header,
    tag_bytes: int,
    unit: int | None,
    iv: bytes = b"",
    aad: bytes = b"",
) -> Iterator[Header | Beat]:
    """Headers, each followed by its beats: one packet, or one for each data unit of the input.

    The number of a data unit is that of the unit before plus one (IEEE 1619, 5.1).
    """
    if unit is None:
        yield header
        yield from _beats(source, mode, tag_bytes, len(header.iv), iv, aad)
        return
    number, data = int.from_bytes(header.iv, "little"), source.read(unit)
    while True:
        _check_length(mode, len(data), 0)
        yield replace(header, iv=number.to_bytes(16, "little"))
        yield from beats(header, data)
        number, data = (number + 1) % 2**128, source.read(unit)
        if not data:
            return


def _wide(given: Iterator[Header | Beat], lanes: int) -> Iterator[Header | Beat]:
    """Headers and beats, those of a packet as wide as several lanes."""
    if lanes == 1:
        yield from given
        return
    waiting: list[Beat] = []
    for one in given:
        if isinstance(one, Header):
            yield one
            continue
        waiting = widened([*waiting, one], lanes)
        full = len(waiting[-1].data) == 16 * lanes
        done = len(waiting) if one.last or full else len(waiting) - 1
        yield from waiting[:done]
        waiting = waiting[done:]


def _check_wrapping(config: Config, mode: Mode, size: int, decrypt: bool) -> None:
    """UserError when KW or KWP does not take an input of `size` bytes, or the memory of a core."""
    least = {"kw": 24 if decrypt else 16, "kwp": 16 if decrypt else 1}[mode.name]
    mend = "pad it, or choose mode=kwp" if mode.name == "kw" else "give some data"
    mend = "give the whole wrapped packet" if decrypt else mend
    which = f"{mode.name} takes {least} bytes or more"
    if decrypt or mode.name == "kw":
        which += ", a multiple of 8"
    if size < least or (size % 8 and (decrypt or mode.name == "kw")):
        raise UserError(f"{which}, and the input has {size}; {mend}")
    most = 8 * (int(config.semiblocks) + decrypt)
    if size > most:
        raise UserError(
            f"the input has {size} bytes, and the memory of this core takes {most}; choose a "
            f"larger one with semiblocks=, at most {AXES['semiblocks'].numbers[-1]}"
        )


def _check_length(mode: Mode, size: int, tag_bytes: int, block: int = 16) -> None:
    """UserError when a mode does not take a payload of `size` bytes."""
    if size < 0:
        raise UserError(
            f"the input has {size + tag_bytes} bytes, and its tag alone {tag_bytes}; "
            f"give the message followed by its tag, or --tag-bits"
        )
    if mode.lengths == "blocks" and size % block:
        raise UserError(
            f"{mode.name} takes whole blocks of {block} bytes, and the input ends within one; pad "
            f"it, or choose another mode, such as mode=ctr"
        )
    if mode.lengths == "block or more" and (0 < size < 16 or (not size and mode.two_keys)):
        what, mend = "the input", "choose another mode, such as mode=ctr"
        if mode.two_keys:
            what, mend = "the last data unit", "choose another --data-unit, or another mode"
        raise UserError(f"{mode.name} takes 16 bytes or more, and {what} has {size}; {mend}")
    if mode.two_keys and size > MOST_BLOCKS * 16:
        raise UserError(
            f"{mode.name} takes data units of at most {MOST_BLOCKS} blocks; give --data-unit, such "
            f"as --data-unit 4096"
        )


def _known_length(source: BinaryIO) -> int | None:
    """The length of the input in bytes, if it is known in advance."""
    try:
        length = os.fstat(source.fileno()).st_size - source.tell()
    except (OSError, io.UnsupportedOperation):
        return None
    return length if source.seekable() else None


def _whole_input(source: BinaryIO, tag_bytes: int) -> tuple[BinaryIO, int]:
    """The input and the bytes of its payload; one of unknown length is read."""
    length = _known_length(source)
    if length is None:
        data = source.read()
        source, length = io.BytesIO(data), len(data)
    return source, max(0, length - tag_bytes)


def _check_ahead(mode: Mode, nonce: bytes, aad: int, payload: int) -> None:
    """UserError when the lengths of a packet do not fit in its header, or beside its nonce."""
    most = min(256 ** (15 - len(nonce)), 2**32)
    if payload >= most:
        raise UserError(
            f"the input has {payload} bytes; {mode.name} with a nonce of {len(nonce)} bytes takes "
            f"fewer than {most}; give a shorter nonce, or parts of the input"
        )
    if aad >= 2**32:
        raise UserError(f"the additional data have {aad} bytes; {mode.name} takes fewer than 2^32")


def _check_buffer(config: Config, payload: int) -> None:
    """UserError when a payload does not fit in the memory of GCM-SIV."""
    if payload > int(config.payload_bytes):
        raise UserError(
            f"the payload has {payload} bytes, and the memory of this core takes "
            f"{config.payload_bytes}; choose a larger payload_bytes=, at most "
            f"{AXES['payload_bytes'].numbers[-1]}, or parts of the input"
        )


def _check_held(config: Config, payload: int) -> None:
    """UserError when a payload to verify does not fit in the buffer of `hold=on`."""
    if config.hold == "on" and payload > int(config.hold_bytes):
        raise UserError(
            f"the payload has {payload} bytes, and hold=on with hold_bytes={config.hold_bytes} "
            "refuses to verify more than that; choose a larger hold_bytes=, or parts of the input"
        )


class _Output:
    """A file that is written completely or not at all; or a stream."""

    def __init__(self, target: Path | BinaryIO) -> None:
        self._path = target if isinstance(target, Path) else None
        if self._path is None:
            self.stream: BinaryIO = target  # type: ignore[assignment]
            return
        if self._path.is_dir():
            raise UserError(f"cannot write {self._path}: it is a folder; name a file with -o")
        self._part = self._path.with_name(f".{self._path.name}.{uuid4().hex[:6]}")
        try:
            self.stream = self._part.open("wb")
        except OSError as error:
            raise UserError(
                f"cannot write {self._path}: {error.strerror}; choose another place with -o"
            ) from None

    def __enter__(self) -> BinaryIO:
        return self.stream

    def __exit__(self, kind: object, *_rest: object) -> None:
        self.stream.flush()
        if self._path is not None:
            self.stream.close()
            if kind is None:
                self._part.replace(self._path)
            else:
                self._part.unlink()


class _Held:
    """Bytes for a stream, which are written when they are complete."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream, self._parts = stream, [b""]

    def write(self, data: bytes) -> None:
        """Keep bytes."""
        self._parts.append(data)

    def release(self) -> None:
        """Write all."""
        self._stream.write(b"".join(self._parts))


class _Refused(Exception):
    """A tag or an integrity value is wrong: no output is written."""


def run(
    preset: Preset,
    config: Config,
    key: str,
    iv: str | None,
    tag_bits: int | None,
    aad: Path | None,
    decrypt: bool,
    source: BinaryIO,
    target: Path | BinaryIO,
    data_unit: int | None = None,
) -> dict[str, Any]:
    """Process `source` as one packet into `target`; returns the cycles it took.

    With `data_unit` each so many bytes are a packet, with the next number of a data unit.
    Authenticated data are followed by their tag; a MAC alone writes the tag. With `decrypt` the
    tag is the end of the input, and payload or message are written if it, or the integrity value
    of a wrapped key, is right. `holds` is false, and nothing is written, if not. `aad` is a file
    with additional data.
    `cycles` counts from the acceptance of the first beat to the last result, both included.
    """
    stack.require_contract(config, "run")
    mode = chosen_mode(config, decrypt)
    secret, first = parse_key(config, mode, key), parse_iv(mode, iv, config.block_bytes)
    _check_unit(mode, data_unit)
    tag_bytes, additional = _tag_bytes(mode, tag_bits), read_aad(mode, aad)
    # An IV of another length than that of the header is sent.
    sent = first if mode.any_iv and len(first) != mode.iv else b""
    to_verify = tag_bytes if decrypt else 0
    length = _known_length(source)
    if length is not None:
        last = length % data_unit or min(length, data_unit) if data_unit else length
        _check_length(mode, last - to_verify, to_verify, config.block_bytes)
    ahead = 0
    if mode.lengths_ahead or mode.buffers or (config.hold == "on" and decrypt):
        source, ahead = _whole_input(source, to_verify)
    if mode.lengths_ahead:
        _check_ahead(mode, first, len(additional), ahead)
    if mode.buffers:
        _check_buffer(config, ahead)
    if decrypt:
        _check_held(config, ahead)
    if mode.wraps:
        source, size = _whole_input(source, 0)
        _check_wrapping(config, mode, size, decrypt)
    contract = stack.channels(config)
    failed = False
    blocks = start = stop = 0
    latency: int | None = None
    with suppress(_Refused), _Output(target) as stream:
        # A file appears when it is complete; a stream must show nothing before the verdict.
        held = _Held(stream)
        out = held if to_verify and not isinstance(target, Path) else stream
        with track("compile the core"):
            program = model(config)
        script, fields = Script(contract), Fields(contract)
        block = config.block_bytes
        header = opening(mode.name, decrypt, first, tag_bytes, len(additional), ahead, block)
        patience = _PATIENCE * longest_beat(config)
        lanes = int(config.lanes)
        ports: dict[str, int | bytes] = {}
        if config.selectable_sboxes:
            ports["in_sboxes_i"] = sboxes_code(config.selectable_sboxes[0])

        def stimulus() -> Iterator[bytes]:
            yield script.reset() + script.send("key", *key_values(secret, config))
            yield script.wait("key", 1, _PATIENCE)
            count = results = 0
            narrow = _packets(source, mode, header, to_verify, data_unit, sent, additional)
            for beat in _wide(narrow, lanes):
                if isinstance(beat, Header):
                    yield script.send("pkt", *fields.values("pkt", beat.ports))
                    continue
                count += 1
                filler = bytes(config.beat_bytes)
                yield script.send("in", *fields.values("in", beat.ports(filler) | ports))
                if to_verify and mode.mac and beat.kind == "payload":
                    message.append(beat.data)
                # A mode with a tag outputs payload that is not empty, and then tag or verdict.
                results += not mode.verifies or (
                    mode.aad and beat.kind == "payload" and beat.data != b""
                )
                if count % 1024 == 0:
                    # The number of beats in flight stays bounded for any size of the file.
                    yield script.wait("in", count - 512, patience * 512)
            if mode.wraps and not config.registers:
                # The last beat is accepted with the last result.
                yield script.wait("in", count, patience) + script.tick(8)
                return
            if mode.buffers or mode.wraps or (config.hold == "on" and decrypt):
                # Only the verdict says how many beats there are.
                yield script.wait("in", count, patience * 1024)
                yield script.drain(_QUIET, patience * 1024)
                return
            yield script.wait("out", results + mode.tag, patience * 1024)

        message: list[bytes] = []
        total = -(-length // block) if length is not None else None
        with track(f"{mode.name} {'decrypt' if decrypt else 'encrypt'}", total) as advance:
            for event in play(program, contract, stimulus()):
                if event.kind == REFUSED:
                    raise ToolFailed("the simulated core", f"it refused: {event.problem}")
                if event.kind in (TIMEOUT, VIOLATION):
                    raise ToolFailed("the simulated core", f"it stalled at cycle {event.clock}")
                if event.kind != HANDSHAKE:
                    continue
                if event.name == "in":
                    start = start or event.clock
                    size = fields.ports("in", event.payload).number("in_bytes")
                    before = blocks
                    blocks += max(1, -(-size // block))
                    advance(1024 * (blocks // 1024 - before // 1024))
                elif event.name == "out":
                    stop = event.clock
                    if latency is None and start:
                        latency = stop - start
                    given = fields.ports("out", event.payload)
                    out.write(given["out_data"][: given.number("out_bytes")])
                    failed = given.number("out_kind") == KIND_OUT["failed"]
        if failed:
            raise _Refused
        out.write(b"".join(message))
        if out is held:
            held.release()
    cycles = stop - start + 1
    return {
        "preset": preset.name,
        "config": config.as_dict(),
        "mode": mode.name,
        "direction": "decrypt" if decrypt else "encrypt",
        "key_bits": 8 * len(secret) // (2 if mode.two_keys else 1),
        "blocks": blocks,
        "cycles": cycles,
        "cycles_per_block": round(cycles / blocks, 3),
        "latency_cycles": latency,
        "output": str(target) if isinstance(target, Path) and not failed else None,
        **({"holds": not failed} if decrypt and mode.verifies else {}),
    }
