"""GCC for RISC-V, from Debian (https://gcc.gnu.org/onlinedocs/gcc/RISC-V-Options.html)."""

import shutil
from collections.abc import Sequence
from pathlib import Path

from aesforge.errors import ToolMissing
from aesforge.tools.process import call

_PREFIX = "riscv64-unknown-elf-"


def compiler() -> str:
    """The C compiler; ToolMissing without it."""
    found = shutil.which(f"{_PREFIX}gcc")
    if found is None:
        raise ToolMissing(
            "the program needs a C compiler for RISC-V; install Debian's gcc-riscv64-unknown-elf"
        )
    return found


def image(
    sources: Sequence[Path], link: Path, folder: Path, flags: Sequence[str] = ("-O2",)
) -> bytes:
    """A program for RV32I without a library, as it is in memory: whole words from its start.

    `link` is the linker script. Intermediate files are written to `folder`.
    """
    elf, made = folder / "program.elf", folder / "program.bin"
    usual = [
        *("-march=rv32i", "-mabi=ilp32", "-misa-spec=2.2", "-std=c99"),
        *("-Wall", "-Wextra", "-Wpedantic", "-Werror"),
        # Loops must not become calls of the functions that they implement.
        *("-ffreestanding", "-nostdlib", "-nostartfiles", "-fno-tree-loop-distribute-patterns"),
        *("-Wl,--no-warn-rwx-segments", "-T", str(link)),
    ]
    call("riscv64-unknown-elf-gcc", [compiler(), *usual, *flags, *sources, "-lgcc", "-o", elf])
    objcopy = compiler().removesuffix("gcc") + "objcopy"
    call("objcopy", [objcopy, "-O", "binary", elf, made])
    data = made.read_bytes()
    return data + bytes(-len(data) % 4)
