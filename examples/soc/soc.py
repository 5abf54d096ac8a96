"""AES on a real processor: a PicoRV32 runs the driver of `sw/` against a core of aesforge.

Usage: soc.py FOLDER. It builds a core, compiles processor, core and program, sends packets through
each path, compares every result with OpenSSL, and prints clocks per byte beside those of software
on the same processor. All files are written to FOLDER.
"""

import argparse
import json
import random
import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from aesforge import cache
from aesforge.core import stack
from aesforge.core.sources import digest
from aesforge.results.documents import fill
from aesforge.space.modes import MODES
from aesforge.space.presets import preset
from aesforge.tools import picorv32, riscv, verilator
from aesforge.tools.process import call

HERE = Path(__file__).resolve().parent
DRIVER = HERE.parents[1] / "sw"
FIRMWARE = HERE / "firmware"
CORE = ("aesforge-iterative-universal", "mode=ctr,gcm,xts", "keys=128")
"""The core that `make soc` measures."""

PAGE = HERE.parents[1] / "docs" / "software.md"
BUSES = ("axi-lite", "wishbone", "stream")
"""What the core is attached to; with "stream", data passes an engine, and the rest Wishbone."""

PATHS = ("software", "registers", "interrupts", "stream")
"""How a packet is processed; the order is that of `enum path` in the program."""

SIZES = (64, 512, 1500)
MODES_SENT = ("gcm", "xts", "ctr")
PACKETS_AT = 0x10000
LIMIT = 50_000_000
"""Cycles after which the program is taken to hang."""


# Packets ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Packet:
    """A packet, what it gives, and the path that it takes."""

    mode: str
    path: str
    decrypt: bool
    key: bytes
    tweak_key: bytes
    iv: bytes
    aad: bytes
    data: bytes
    tag: bytes
    result: int
    output: bytes
    made: bytes

    @property
    def words(self) -> bytes:
        """The packet as the program reads it: `struct request`, AAD and payload."""
        numbers = (
            *(MODES[self.mode].code, PATHS.index(self.path), self.decrypt, len(self.key)),
            *(len(self.iv), len(self.aad), len(self.data), len(self.tag or self.made)),
        )
        fields = struct.pack("<8I32s32s16s16s", *numbers, *self.secrets, self.iv, self.tag)
        return b"".join((fields, *(part + bytes(-len(part) % 4) for part in (self.aad, self.data))))

    @property
    def secrets(self) -> tuple[bytes, bytes]:
        """The key, and the second key of XTS."""
        return self.key, self.tweak_key


FAILED = -7
"""AESFORGE_E_FAILED."""


def packet(
    rng: random.Random,
    mode: str,
    path: str,
    size: int,
    decrypt: bool = False,
    forged: bool = False,
) -> Packet:
    """A random packet of `size` bytes, with OpenSSL's result."""
    key, tweak_key, plain = rng.randbytes(16), b"", rng.randbytes(size)
    aad, tag = b"", b""
    if mode == "gcm":
        iv, aad = rng.randbytes(12), rng.randbytes(20)
        sealed = AESGCM(key).encrypt(iv, plain, aad)
        secret, tag = sealed[:-16], sealed[-16:]
    else:
        iv = rng.randbytes(16)
        tweak_key = rng.randbytes(16) if mode == "xts" else b""
        chosen = modes.XTS(iv) if mode == "xts" else modes.CTR(iv)
        secret = Cipher(algorithms.AES(key + tweak_key), chosen).encryptor().update(plain)
    data, output = (secret, plain) if decrypt else (plain, secret)
    given, made = (tag, b"") if decrypt else (b"", tag)
    if forged:
        given, output = bytes([given[0] ^ 1]) + given[1:], b""
    result = FAILED if forged else 0
    return Packet(mode, path, decrypt, key, tweak_key, iv, aad, data, given, result, output, made)


# Program and model ------------------------------------------------------------------------------


def program(folder: Path, optimization: str = "-O2") -> bytes:
    """The program as it is in memory from address 0."""
    sources = [*FIRMWARE.glob("*.S"), *FIRMWARE.glob("*.c"), DRIVER / "aesforge.c"]
    flags = [optimization, f"-I{FIRMWARE}", f"-I{DRIVER}"]
    return riscv.image(sources, FIRMWARE / "link.ld", folder, flags)


def core(folder: Path, words: Sequence[str]) -> list[Path]:
    """The sources of a core in order; the last one, in `folder`, is its top module `soc_core`."""
    name, *choices = words
    config = preset(name).configure(choices)
    *sources, _ = stack.sources(config)
    top = folder / "soc_core.sv"
    top.write_text("\n".join(stack.top(config, top.stem)) + "\n", encoding="utf-8")
    return [*sources, top]


def model(folder: Path, bus: str) -> Path:
    """The executable that simulates the SoC, compiled once for each version of its sources."""
    port = ("port=wishbone", "stream_port=on") if bus == "stream" else (f"port={bus}",)
    sources = [*core(folder, (*CORE, *port)), picorv32.source()]
    sources += [HERE / "soc_dma.sv"] if bus == "stream" else []
    sources += [HERE / f"soc_{bus.replace('-', '_')}.sv", HERE / "soc.sv"]
    main = HERE / "soc.cpp"

    def make(work: Path) -> None:
        flags = ("-Wno-fatal", "-MAKEFLAGS", "OPT_FAST=-O1")
        verilator.compile_model(sources, "soc", {}, main, work, flags)

    made = cache.folder("soc", digest(verilator.version(), *sources, main, Path(__file__)), make)
    return made / "model" / "player"


def _hex_words(data: bytes) -> Iterable[str]:
    padded = data + bytes(-len(data) % 4)
    return (f"{word:08x}" for (word,) in struct.iter_unpack("<I", padded))


# Runs -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Measured:
    """What the program printed for a packet."""

    result: int
    key_clocks: int
    packet_clocks: int
    stack: int
    output: bytes
    tag: bytes


def run(player: Path, image: bytes, packets: Sequence[Packet], folder: Path) -> list[Measured]:
    """Let the program process packets; returns what it printed for each."""
    sent = struct.pack("<I", len(packets)) + b"".join(one.words for one in packets)
    text = ["@0", *_hex_words(image), f"@{PACKETS_AT // 4:x}", *_hex_words(sent)]
    memory = folder / "memory.hex"
    memory.write_text("\n".join(text) + "\n", encoding="utf-8")
    printed = call("the SoC", [player, f"+image={memory}", str(LIMIT)])
    found = [line.split() for line in printed.splitlines() if line.startswith("packet ")]
    if len(found) != len(packets):
        raise SystemExit(f"the program printed {len(found)} of {len(packets)} packets:\n{printed}")
    measured = []
    for sent, (_, _, *numbers, output, tag) in zip(packets, found, strict=True):
        # The program prints whole words.
        parts = (bytes.fromhex(part.strip("-")) for part in (output, tag))
        sizes = len(sent.output), len(sent.made)
        cut = (part[:size] for part, size in zip(parts, sizes, strict=True))
        measured.append(Measured(*map(int, numbers), *cut))
    return measured


def differences(packets: Sequence[Packet], measured: Sequence[Measured]) -> list[str]:
    """What differs from OpenSSL, or leaves a key on the stack."""
    found = []
    for sent, got in zip(packets, measured, strict=True):
        name = f"{sent.mode} of {len(sent.data)} bytes, decrypt={sent.decrypt}, by {sent.path}"
        if (got.result, got.output, got.tag) != (sent.result, sent.output, sent.made):
            found.append(f"{name}: differs from OpenSSL, result {got.result}")
        if got.stack:
            found.append(f"{name}: {got.stack} words of the key are left on the stack")
    return found


def paths_of(bus: str, software: bool = True) -> tuple[str, ...]:
    """The paths that a SoC has, by software too or not."""
    own = ("stream",) if bus == "stream" else ("registers", "interrupts")
    return ("software", *own) if software else own


def packets(sizes: Iterable[int], paths: Iterable[str], seed: int = 1) -> list[Packet]:
    """Packets of each mode, size and path, encrypted; and decrypted and forged by the core."""
    rng = random.Random(seed)
    found = []
    for path in paths:
        for mode in MODES_SENT:
            for size in sizes:
                found.append(packet(rng, mode, path, size))
                if path != "software":
                    found.append(packet(rng, mode, path, size, decrypt=True))
            if path != "software" and MODES[mode].tag:
                found.append(packet(rng, mode, path, min(sizes), decrypt=True, forged=True))
    return found


def table(
    packets: Sequence[Packet], measured: Sequence[Measured], bus: str
) -> list[dict[str, object]]:
    """Clocks of each encrypted packet."""
    shown = {"software": "software", "registers": bus, "interrupts": f"{bus}, interrupts"}
    shown["stream"] = "wishbone, data by stream"
    return [
        {
            "mode": sent.mode,
            "path": shown[sent.path],
            "bytes": len(sent.data),
            "key_clocks": got.key_clocks,
            "packet_clocks": got.packet_clocks,
            "clocks_per_byte": round(got.packet_clocks / len(sent.data), 1),
        }
        for sent, got in zip(packets, measured, strict=True)
        if not sent.decrypt
    ]


def compiler_version() -> str:
    """The version of the compiler that is here."""
    return call("riscv64-unknown-elf-gcc", [riscv.compiler(), "-dumpversion"]).strip()


def caption(version: str) -> str:
    """What the table was measured with; `version` is the compiler's."""
    return f"Clocks per byte; `{' '.join(CORE)}`, GCC {version} -O2:"


def measure(
    sizes: Sequence[int], buses: Iterable[str], folder: Path
) -> tuple[int, list[dict[str, object]]]:
    """Send packets through software and through each bus; returns their number, and clocks.

    SystemExit when a result differs from OpenSSL's.
    """
    image, number, rows = program(folder), 0, []
    for bus in buses:
        sent = packets(sizes, paths_of(bus, number == 0))
        got = run(model(folder, bus), image, sent, folder)
        if found := differences(sent, got):
            raise SystemExit("\n".join(found))
        rows += table(sent, got, bus)
        number += len(sent)
    # By mode, software first.
    return number, sorted(rows, key=lambda row: MODES_SENT.index(str(row["mode"])))


def markdown(rows: Sequence[dict[str, object]]) -> str:
    """Clocks per byte as a table: a line for each mode and path, a column for each size."""
    sizes = list(dict.fromkeys(row["bytes"] for row in rows))
    lines = [
        "| mode | path | key, clocks | " + " | ".join(f"{size:,} bytes" for size in sizes) + " |",
        "|---|---|--:|" + "--:|" * len(sizes),
    ]
    for mode, path in dict.fromkeys((row["mode"], row["path"]) for row in rows):
        own = [row for row in rows if (row["mode"], row["path"]) == (mode, path)]
        cells = [f"{row['clocks_per_byte']:,}" for row in own]
        lines.append(f"| {mode} | {path} | {own[0]['key_clocks']:,} | {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> None:
    """Run all packets by all paths."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--bus", choices=BUSES, nargs="+", default=BUSES)
    parser.add_argument("--document", action="store_true", help="write the table into the docs")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, metavar="BYTES")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    number, rows = measure(options.sizes, options.bus, options.folder)
    (options.folder / "clocks.json").write_text(json.dumps(rows, indent=2) + "\n", encoding="utf-8")
    print(f"{number} packets: each is as OpenSSL has it, and no key is left on the stack\n")
    shown = f"{caption(compiler_version())}\n\n{markdown(rows)}\n"
    print(shown)
    if options.document:
        text = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(fill(text, "soc", shown.rstrip()), encoding="utf-8")


if __name__ == "__main__":
    main()
