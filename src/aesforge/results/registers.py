"""The register map of the register ports, from `rtl/bus/aes_registers.rdl` (SystemRDL 2.0).

What follows from it is generated: the package of the RTL, the C header and the table of the
documentation. The map is read by systemrdl-compiler, which a development setup has.
"""

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from aesforge.core.sources import rtl_root
from aesforge.errors import UserError

WORD = 4
"""Bytes of a register."""


@dataclass(frozen=True)
class Field:
    """A field of a register, and how software reads and writes it."""

    name: str
    low: int
    bits: int
    reset: int | None
    access: str
    doc: str


@dataclass(frozen=True)
class Register:
    """A register, or an array of `count` registers from `address` on."""

    name: str
    address: int
    count: int
    title: str
    doc: str
    fields: tuple[Field, ...]

    @property
    def addresses(self) -> range:
        """The address of each word."""
        return range(self.address, self.address + WORD * self.count, WORD)

    @property
    def reset(self) -> int:
        """Its value after a reset, as far as it does not depend on the configuration."""
        return sum((field.reset or 0) << field.low for field in self.fields)

    @property
    def readable(self) -> bool:
        """Whether software may read it."""
        return any("r" in field.access for field in self.fields)

    @property
    def writable(self) -> bool:
        """Whether software may write it."""
        return any("w" in field.access for field in self.fields)


def source() -> Path:
    """The register map."""
    return rtl_root() / "bus" / "aes_registers.rdl"


def _compiled() -> Any:
    try:
        from systemrdl.compiler import RDLCompiler
    except ImportError:
        raise UserError(
            "the register map is read by systemrdl-compiler, which is missing; install the tools "
            "of development with 'make setup'"
        ) from None
    compiler = RDLCompiler()
    compiler.compile_file(str(source()))
    return compiler.elaborate().top


def _access(field: Any) -> str:
    if field.get_property("onwrite") is not None:
        return "rw1c"
    return "".join(
        letter for letter, may in (("r", field.is_sw_readable), ("w", field.is_sw_writable)) if may
    )


def _fields(node: Any) -> Iterator[Field]:
    for field in node.fields():
        yield Field(
            field.inst_name,
            field.low,
            field.width,
            field.get_property("reset"),
            _access(field),
            field.get_property("desc") or "",
        )


@cache
def registers() -> tuple[Register, ...]:
    """The registers in the order of their addresses."""
    return tuple(
        Register(
            node.inst_name,
            node.raw_address_offset if node.is_array else node.address_offset,
            node.array_dimensions[0] if node.is_array else 1,
            node.get_property("name"),
            node.get_property("desc") or "",
            tuple(_fields(node)),
        )
        for node in _compiled().registers()
    )


# What is generated -------------------------------------------------------------------------------

_PACKAGE = """\
// SPDX-License-Identifier: Apache-2.0
//
// aes_registers_pkg: the register map (SystemRDL 2.0), generated from aes_registers.rdl.
//
// 'aesforge tables' writes this file: addresses, the lowest bit of each field, reset values other
// than 0, and which words software may read and write.

package aes_registers_pkg;

  // Each module uses some of this.
  // verilator lint_off UNUSEDPARAM
"""


def package() -> str:
    """The text of `aes_registers_pkg.sv`."""
    lines = [_PACKAGE]
    for register in registers():
        name, end = register.name, f"  // {register.address:03x}: {register.title}"
        lines.append(f"  localparam logic [11:0] {name} = 12'd{register.address};{end}")
        for field in register.fields if register.count == 1 else ():
            if field.bits < 8 * WORD:
                lines.append(f"  localparam int {name}_{field.name} = {field.low};")
        if register.reset:
            lines.append(f"  localparam logic [31:0] {name}_RESET = 32'd{register.reset};")
    lines += ["", "  // verilator lint_on UNUSEDPARAM"]
    for what in ("readable", "writable"):
        cases = [
            f"12'd{address}"
            for register in registers()
            if getattr(register, what)
            for address in register.addresses
        ]
        rows = [", ".join(cases[at : at + 8]) for at in range(0, len(cases), 8)]
        lines += [
            "",
            f"  /// Whether there is a {what} register at an address.",
            f"  function automatic bit {what}(input logic [11:0] address);",
            "    case (address)",
            *(f"      {row}," for row in rows[:-1]),
            f"      {rows[-1]}: {what} = 1'b1;",
            f"      default: {what} = 1'b0;",
            "    endcase",
            "  endfunction",
        ]
    return "\n".join([*lines, "", "endpackage", ""])


def header() -> str:
    """The text of the C header, by PeakRDL-cheader."""
    from peakrdl_cheader.c_standards import CStandard
    from peakrdl_cheader.exporter import CHeaderExporter

    with tempfile.TemporaryDirectory(prefix="aesforge-") as scratch:
        path = Path(scratch) / "aes_registers.h"
        CHeaderExporter().export(_compiled(), str(path), std=CStandard.gnu99, reuse_typedefs=False)
        text = path.read_text(encoding="utf-8")
    offsets = [
        f"#define AES_REGISTERS__{register.name}_offset {register.address:#05x}u"
        for register in registers()
    ]
    mark = "#include <stdint.h>\n"
    text = text.replace(mark, "\n".join([mark, "// Offsets in bytes.", *offsets, ""]), 1)
    return "\n".join([_about(), text.rstrip(), ""])


def _about() -> str:
    """The comment at the head of the map, which says how to use it."""
    lines = source().read_text(encoding="utf-8").split("\n\n", 1)[0].splitlines()
    return "\n".join(["/*", *(f" *{line[2:]}" for line in lines), " */"])


def table() -> str:
    """The registers and their fields as a Markdown table."""
    lines = ["| address | register | bits | field | access | reset | meaning |"]
    lines.append("|--:|---|--:|---|---|--:|---|")
    for register in registers():
        first, last = register.address, register.addresses[-1]
        where = f"`{first:03x}`" + (f" to `{last:03x}`" if register.count > 1 else "")
        name = register.name + (f"[{register.count}]" if register.count > 1 else "")
        meaning = f"**{register.title}.** {register.doc}".strip()
        lines.append(f"| {where} | `{name}` | | | | | {meaning} |")
        for field in register.fields:
            high = field.low + field.bits - 1
            bits = f"{high}:{field.low}" if field.bits > 1 else str(high)
            reset = "" if field.reset is None else f"`{field.reset:#x}`"
            doc = field.doc
            lines.append(f"| | | {bits} | `{field.name}` | {field.access} | {reset} | {doc} |")
    return "\n".join(lines)


def files() -> dict[Path, str]:
    """The generated files and their texts."""
    return {
        source().with_name("aes_registers_pkg.sv"): package(),
        rtl_root().parent / "sw" / "aes_registers.h": header(),
    }
