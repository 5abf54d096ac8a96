"""The software in a bundle of a core behind registers: driver, a packet for it, a system."""

import re
import textwrap
from dataclasses import dataclass
from pathlib import Path

from aesforge.core.contract import REGISTER_PORTS
from aesforge.core.sources import rtl_root
from aesforge.core.template import fill
from aesforge.errors import UserError
from aesforge.sim.packets import beats, decrypts, opening, outputs, paired, to_verify, used, wrap
from aesforge.space.axes import Config
from aesforge.space.modes import Mode


def driver() -> dict[str, str]:
    """The C driver and the header of the register map, by their paths in a bundle."""
    folder = rtl_root().parent / "sw"
    return {
        f"sw/{path.name}": path.read_text(encoding="utf-8")
        for path in sorted(folder.glob("aes*.[ch]"))
    }


SYSTEM = ("Makefile", "main.c", "soc_tb.sv")
"""The templates of the files of a system that depend on the core."""

_SHARED = (
    "soc.sv",
    *(f"firmware/{name}" for name in ("start.S", "link.ld", "string.c", "string.h")),
)


def _adapters() -> dict[str, Path]:
    """The module between the processor and each port that has one."""
    files = {port: _systems() / f"soc_{port.replace('-', '_')}.sv" for port in REGISTER_PORTS}
    return {port: path for port, path in files.items() if path.is_file()}


def require_system(config: Config) -> None:
    """UserError for a core that `system` has no adapter for."""
    adapters = _adapters()
    if config.port not in adapters:
        ports = " or ".join(f"port={port}" for port in sorted(adapters))
        raise UserError(
            f"--soc has no adapter from the processor to port={config.port}; use {ports}"
        )
    if config.stream_port == "on":
        raise UserError("--soc moves data by the processor: leave out stream_port=on")


def system(config: Config, top: str, processor: str) -> dict[str, str]:
    """A system of a processor, a memory and the core `top`, by their paths in a bundle.

    `processor` is the Verilog of PicoRV32. The core is one that `require_system` lets pass.
    """
    folder, adapters = _systems(), _adapters()
    adapter = adapters[config.port].read_text(encoding="utf-8")
    shared = {f"soc/{Path(name).name}": (folder / name).read_text("utf-8") for name in _SHARED}
    return {
        **shared,
        "soc/soc_aes.sv": re.sub(r"\bsoc_core\b", top, adapter),
        "soc/picorv32.v": processor,
    }


def _systems() -> Path:
    """The folder of the example system: in the installed package, or in the source tree."""
    installed, tree = (rtl_root().parent / name for name in ("soc", "examples/soc"))
    return installed if installed.is_dir() else tree


@dataclass(frozen=True)
class _Sample:
    """A packet of the first mode of a configuration, and its result."""

    mode: Mode
    decrypt: bool
    key: bytes
    tweak_key: bytes
    iv: bytes
    aad: bytes
    data: bytes
    tag: bytes
    expected: bytes
    expected_tag: bytes


def _sample(config: Config) -> _Sample:
    mode, size = config.modes[0], min(config.key_sizes)
    key, data = paired(config, bytes(range(size // 8))), bytes(range(0x40, 0x70))
    secret, decrypt = used(config, mode.name, key), decrypts(config, mode)[0]
    aad, iv = bytes(range(0x20, 0x34)) if mode.aad else b"", bytes(range(0x80, 0x90))[: mode.iv]
    header = opening(mode.name, decrypt, iv, 16 if mode.tag else 0, len(aad), len(data))
    tag: bytes | None = None
    if decrypt and mode.wraps:
        data = wrap(mode.name, secret, data) or b""
    elif decrypt and mode.tag:
        data, tag = to_verify(mode.name, secret, iv, aad, data)
    found = outputs(config, header, secret, beats(header, data, tag, aad=aad))
    result, made = (
        b"".join(beat.data for beat in found if beat.kind == kind) for kind in ("payload", "tag")
    )
    tweak_key = key[len(key) // 2 :] if mode.two_keys else b""
    first = key[: size // 8]
    return _Sample(mode, decrypt, first, tweak_key, iv, aad, data, tag or b"", result, made)


def _array(name: str, data: bytes) -> str:
    listed = textwrap.fill(", ".join(f"0x{byte:02x}" for byte in data), 95)
    return f"static const uint8_t {name}[] = {{\n{textwrap.indent(listed, '    ')}}};"


def example(config: Config, command: str, function: str = "aes_example") -> str:
    """A C function that sends a packet through the driver, and checks the result.

    `command` is what made it. With a stream port, it opens the packet and waits for its end.
    """
    sample, streams = _sample(config), config.stream_port == "on"
    moved = () if streams else ("aad", "data", "tag", "expected", "expected_tag")
    parts = {
        name: data for name in ("key", "tweak_key", "iv", *moved) if (data := getattr(sample, name))
    }
    fields = {
        "mode": f"AESFORGE_{sample.mode.name.upper().replace('-', '_')}",
        "decrypt": str(sample.decrypt).lower(),
    }
    fields |= (
        {
            # What passes the stream port has a length here, and nothing else.
            "aad_bytes": f"{len(sample.aad)}",
            "in_bytes": f"{len(sample.data)}",
        }
        if streams
        else {"in": "data", "in_bytes": "sizeof data"}
    )
    for name in ("iv", "aad"):
        if name in parts:
            fields |= {name: name, f"{name}_bytes": f"sizeof {name}"}
    if sample.mode.tag:
        fields["tag_bytes"] = "sizeof packet.tag"
    if "expected" in parts:
        fields |= {"out": "out", "out_capacity": "sizeof out"}
    checks = {"expected": "out", "expected_tag": "packet.tag"}
    keys = "xts_keys(&aes, key, tweak_key" if "tweak_key" in parts else "key(&aes, key"
    values = {
        "command": command,
        "function": function,
        "mode": sample.mode.name,
        "data": " Its data passes the stream port." if streams else "",
        "arrays": "\n".join(_array(name, data) for name, data in parts.items()),
        "set_key": f"aesforge_set_{keys}, sizeof key)",
        "out": "\n  uint8_t out[sizeof expected];" if "expected" in parts else "",
        "fields": "\n".join(f"      .{name} = {value}," for name, value in fields.items()),
        "tag": "\n  for (size_t k = 0; k < sizeof tag; k++) packet.tag[k] = tag[k];"
        if "tag" in parts
        else "",
        "checks": "\n".join(
            f"  for (size_t k = 0; k < sizeof {name}; k++)\n"
            f"    if ({got}[k] != {name}[k]) return AESFORGE_E_HARDWARE;"
            for name, got in checks.items()
            if name in parts
        ),
    }
    return fill("example.c", values)
