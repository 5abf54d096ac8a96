"""Encrypt or decrypt real bytes with a simulated core in a mode of operation.

The mode is simulated hardware too (`rtl/mode/aes_mode.sv`). The message is streamed block by block,
so the memory in use does not depend on its length.
"""

import io
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO
from uuid import uuid4

from aesforge.core.contract import mode as mode_contract
from aesforge.core.contract import sboxes_code, specialized
from aesforge.core.sources import codes
from aesforge.core.stack import require_core
from aesforge.errors import UserError, unknown
from aesforge.progress import track
from aesforge.sim.oracle import key_payload
from aesforge.sim.player import HANDSHAKE, TIMEOUT, VIOLATION, Script, compiled, play
from aesforge.space.axes import Config
from aesforge.space.presets import Preset
from aesforge.tools.process import ToolFailed

MODES = ("ecb", "cbc", "ctr")

# Cycles per block after which a simulated core counts as stalled.
_PATIENCE = 100_000


def _hex(what: str, text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        raise UserError(
            f"{what} '{text}' is not hex; write bytes as pairs of digits, such as 00112233"
        ) from None


def parse_key(config: Config, text: str) -> bytes:
    """A key in hex, of a size that the core takes."""
    key = _hex("the key", text)
    sizes = config.key_sizes
    if 8 * len(key) not in sizes:
        legal = " or ".join(f"{bits} bits ({bits // 4} hex digits)" for bits in sizes)
        raise UserError(f"the key has {8 * len(key)} bits; this core takes {legal}; see 'keys='")
    return key


def parse_iv(mode: str, text: str | None) -> bytes:
    """An IV, or first counter block, in hex; none for ECB."""
    if mode == "ecb":
        if text is not None:
            raise UserError("ECB has no IV; leave --iv out, or choose --mode cbc or ctr")
        return bytes(16)
    if text is None:
        raise UserError(f"{mode.upper()} needs an IV; give --iv with 32 hex digits")
    iv = _hex("the IV", text)
    if len(iv) != 16:
        raise UserError(f"the IV has {8 * len(iv)} bits; it must have 128 (32 hex digits)")
    return iv


def _blocks(source: BinaryIO, mode: str) -> Iterator[tuple[bytes, bool]]:
    """The blocks of a message, each with a flag for the last; UserError on a partial block."""
    block = source.read(16)
    while block:
        following = source.read(16) if len(block) == 16 else b""
        if len(block) < 16 and mode != "ctr":
            raise UserError(_ragged(mode))
        yield block, not following
        block = following


def _ragged(mode: str) -> str:
    return (
        f"{mode.upper()} takes whole blocks of 16 bytes, and the input ends within one; "
        f"pad it, or choose --mode ctr"
    )


def _check_length(source: BinaryIO, mode: str) -> int | None:
    """The length of the input in bytes, if it is known in advance."""
    try:
        length = os.fstat(source.fileno()).st_size - source.tell()
    except (OSError, io.UnsupportedOperation):
        return None
    if not source.seekable():
        return None
    if mode != "ctr" and length % 16:
        raise UserError(_ragged(mode))
    return length


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


def run(
    preset: Preset,
    config: Config,
    mode: str,
    key: str,
    iv: str | None,
    decrypt: bool,
    source: BinaryIO,
    target: Path | BinaryIO,
) -> dict[str, Any]:
    """Encrypt or decrypt `source` into `target`; returns the cycles it took.

    `cycles` counts from the acceptance of the first block to the last result, both included.
    """
    require_core(config, "run")
    if mode not in MODES:
        raise unknown("mode", mode, MODES)
    secret = parse_key(config, key)
    first = parse_iv(mode, iv)
    needed = "encrypt" if mode == "ctr" or not decrypt else "decrypt"
    if needed not in config.directions:
        why = "counter mode always encrypts" if mode == "ctr" else f"you asked to {needed}"
        raise UserError(
            f"this core can only {config.direction} and {why}; choose direction={needed} or both"
        )
    length = _check_length(source, mode)
    with _Output(target) as out:
        total = (length + 15) // 16 if length is not None else None
        parameters = {**config.parameters, "Mode": codes()[f"MODE_{mode.upper()}"]}
        contract = specialized(mode_contract(), config)
        with track("compile the core"):
            model = compiled(contract, parameters)
        script = Script(contract)
        selected = [sboxes_code(number) for number in config.selectable_sboxes[:1]]

        def stimulus() -> Iterator[bytes]:
            yield script.reset() + script.send("key", *key_payload(secret, config))
            yield script.wait("key", 1, _PATIENCE)
            count = 0
            for block, last in _blocks(source, mode):
                fields: tuple[int | bytes, ...] = (first, int(last), len(block), 0, *selected)
                yield script.send("in", block.ljust(16, b"\0"), int(decrypt), *fields)
                count += 1
                if count % 1024 == 0:
                    # The number of blocks in flight stays bounded for any size of the file.
                    yield script.wait("out", count - 512, _PATIENCE * 512)
            yield script.wait("out", count, _PATIENCE * 1024)

        blocks = 0
        start = stop = 0
        latency: int | None = None
        with track(f"{mode} {'decrypt' if decrypt else 'encrypt'}", total) as advance:
            for event in play(model, contract, stimulus()):
                if event.kind in (TIMEOUT, VIOLATION):
                    raise ToolFailed("the simulated core", f"it stalled at cycle {event.clock}")
                if event.kind != HANDSHAKE:
                    continue
                if event.name == "in" and not start:
                    start = event.clock
                elif event.name == "out":
                    stop = event.clock
                    latency = latency if latency is not None else stop - start
                    out.write(event.payload[: event.payload[17]])
                    blocks += 1
                    if blocks % 1024 == 0:
                        advance(1024)
    cycles = stop - start + 1 if blocks else 0
    return {
        "preset": preset.name,
        "config": config.as_dict(),
        "mode": mode,
        "direction": "decrypt" if decrypt else "encrypt",
        "key_bits": 8 * len(secret),
        "blocks": blocks,
        "cycles": cycles,
        "cycles_per_block": round(cycles / blocks, 3) if blocks else None,
        "latency_cycles": latency,
        "output": str(target) if isinstance(target, Path) else None,
    }
