"""The devices and libraries that cores are measured on, and how their cells are counted."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from aesforge.errors import ToolMissing, UserError, unknown


@dataclass(frozen=True)
class Target:
    """A family of devices, or a library of standard cells.

    `synthesis` are the Yosys passes that map to it, `{top}` being the top module. `lut`, `ff` and
    `bram` count cells whose whole name matches a pattern, each as so many. `part` is the device
    placed on, `device` nextpnr's arguments for it; both are empty without an open placer.

    A library is a Liberty file. Its `gate` is a NAND of two inputs, in which areas are told; its
    `driver` drives inputs while ABC sizes gates for a path of `delay_ps`, without which it maps for
    area alone. `package` has it.
    """

    name: str
    doc: str
    synthesis: tuple[str, ...]
    lut: Mapping[str, int]
    ff: Mapping[str, int]
    bram: Mapping[str, int]
    part: str = ""
    device: tuple[str, ...] = ()
    nextpnr: str = ""
    liberty: str = ""
    gate: str = ""
    driver: str = ""
    delay_ps: int | None = None
    package: str = ""

    def passes(self, top: str) -> list[str]:
        """The passes that map `top`, files of its own being in the working folder."""
        mapped = [line.format(top=top) for line in self.synthesis]
        if self.liberty:
            library, speed = f"-liberty {self.liberty}", ""
            if self.delay_ps:
                speed = f" -constr {DRIVER} -D {self.delay_ps} -script +{_FOR_SPEED}"
            mapped += [f"dfflibmap {library}", f"abc {library}{speed}", "opt_clean"]
        return mapped

    def gate_area(self) -> float:
        """The area of the NAND, in the units of the library; ToolMissing without the library."""
        path = Path(self.liberty)
        if not path.is_file():
            raise ToolMissing(
                f"the cells of {self.name} are missing; install the Debian package {self.package}"
            )
        text = path.read_text(encoding="utf-8", errors="replace")
        cell = re.search(
            rf"cell\s*\(\s*\"?{self.gate}\"?\s*\)\s*{{(.*?)\barea\s*:\s*([\d.]+)", text, re.S
        )
        if cell is None:
            raise UserError(f"{path.name} has no cell {self.gate} to tell areas in")
        return float(cell[2])

    def count(self, cells: Mapping[str, int]) -> dict[str, int]:
        """`lut` (memories made of LUTs included), `muxf`, `lutram`, `ff` and `bram`."""
        total: Counter[str] = Counter()
        for cell, number in cells.items():
            for what, patterns in (
                ("lut", self.lut),
                ("ff", self.ff),
                ("bram", self.bram),
                ("muxf", {r"MUXF\d|PFUMX|L6MUX21": 1}),
                ("lutram", {r"RAM\d.*|SRL.*|TRELLIS_DPR16X4": 1}),
            ):
                for pattern, weight in patterns.items():
                    if re.fullmatch(pattern, cell):
                        total[what] += weight * number
        return {what: total[what] for what in ("lut", "muxf", "lutram", "ff", "bram")}


# What ABC does for speed, with commas for spaces. On our pipelines it leaves shorter paths than
# Yosys's own script, and takes less time: `dc2` of that makes sums of many bits deeper.
_FOR_SPEED = "strash;balance;dch,-f;map,-B,0.9,{D};topo;buffer,-c;topo;upsize,{D};dnsize,{D}"

DRIVER = "driver.txt"
"""What stands outside a core while ABC sizes its gates."""


# A dual-port LUT RAM takes a LUT for each of its read bits, and as many again, or the write
# half of a slice, to be written at another address.
_XILINX_LUT = {
    r"LUT\d": 1,
    r"INV": 1,
    r"RAM(16|32)X1S(_1)?": 1,
    r"RAM(16|32)X1D(_1)?": 2,
    r"RAM64X1S": 1,
    r"RAM64X1D": 2,
    r"RAM(32|64)M": 4,
    r"SRL.*": 1,
}
_XILINX_FF = {r"FD.*": 1, r"LD.*": 1}
_XILINX_BRAM = {r"RAMB.*": 1}


def _xilinx(family: str, doc: str) -> Target:
    return Target(
        family,
        doc,
        (f"synth_xilinx -family {family} -top {{top}} -flatten -noiopad -noclkbuf",),
        _XILINX_LUT,
        _XILINX_FF,
        _XILINX_BRAM,
    )


TARGETS = {
    target.name: target
    for target in (
        Target(
            "ecp5",
            "Lattice ECP5, placed and routed",
            ("synth_ecp5 -top {top}",),
            {r"LUT4": 1, r"CCU2C": 2, r"TRELLIS_DPR16X4": 6},
            {r"TRELLIS_FF": 1},
            {r"DP16KD|PDPW16KD": 1},
            "LFE5UM5G-85F-8BG756",
            ("--um5g-85k", "--package", "CABGA756", "--speed", "8"),
            "ecp5",
        ),
        _xilinx("xc5v", "Xilinx Virtex-5, synthesized"),
        _xilinx("xc3se", "Xilinx Spartan-3E, synthesized"),
        _xilinx("xc7", "Xilinx 7 series, synthesized"),
        Target(
            "osu018",
            "standard cells of 0.18 um, synthesized, timed by OpenSTA without wires",
            ("synth -top {top}",),
            {},
            {r"DFF.*|LATCH": 1},
            {},
            liberty="/usr/share/qflow/tech/osu018/osu018_stdcells.lib",
            gate="NAND2X1",
            driver="BUFX2",
            delay_ps=1300,
            package="qflow-tech-osu018",
        ),
    )
}


def target(name: str, delay_ps: int | None = None) -> Target:
    """The target of that name; UserError names the nearest.

    `delay_ps` is for libraries: the delay to size gates for, 0 to map for area alone.
    """
    if name not in TARGETS:
        raise unknown("target", name, TARGETS)
    found = TARGETS[name]
    if delay_ps is None:
        return found
    if not found.liberty:
        raise UserError(f"a delay is for a library of cells, and {name} is none; leave it out")
    if delay_ps < 0:
        raise UserError(f"a delay of {delay_ps} ps cannot be; give 0 to map for area alone")
    return replace(found, delay_ps=delay_ps or None)
