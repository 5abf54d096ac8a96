"""The devices that cores are measured on, and how their cells are counted."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from aesforge.errors import unknown


@dataclass(frozen=True)
class Target:
    """A family of devices.

    `synthesis` are the Yosys passes that map to it, `{top}` being the top module. `lut`, `ff` and
    `bram` count cells whose whole name matches a pattern, each as so many. `part` is the device
    placed on, `device` nextpnr's arguments for it; both are empty without an open placer.
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
    )
}


def target(name: str) -> Target:
    """The target of that name; UserError names the nearest."""
    if name not in TARGETS:
        raise unknown("target", name, TARGETS)
    return TARGETS[name]
