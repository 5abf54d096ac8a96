"""The devices and libraries that cores are measured on, and how their cells are counted.

Each is one file of `devices/`, named like the target:

- `doc`; `synthesis`, the Yosys passes that map to it, with `{top}` and `{name}` for the module and
  the target; `pads`, passes that add pads where `synthesis` would add them to every part; or
  `like`, another target whose settings apply unless they are given here.
- `[cells]`: patterns for whole names of cells. `lut`, `ff` and `bram` give the weight of each;
  `muxf` and `lutram` are counted separately; `read` are the ports of a LUT RAM with a combinational
  path to its output.
  `output_registers` are a block RAM whose output registers Yosys does not use, and the flip-flop
  that moves there.
  `luts_per_bram` are those that a part of the family has for each block RAM, if no part is named.
- `[place]`, where an open placer exists: the part, the `family` of nextpnr's wheel, its `arguments`
  and the `files` that they name (some targets need locations of the pins `clk`, `serial_i` and
  `serial_o`), and the `capacity` of the part. `clock` is the text of a module `clock_source` where
  no pin can be the clock. `seeds` are those that may be used, five by default.
- `[device]`, where there is none: the part and its `capacity`.
- `[library]`: a Liberty file instead of a device. `lef` is the LEF file of the same cells: it gives
  the areas, which a Liberty file may have wrong. With a `clock_gate`, a module `clock_gate` of its
  cells, registers with an enable have a gated clock and no multiplexer at their input: one gate for
  at most `gated` registers with the same enable, and none for less than a quarter as many. A module
  `enable_driver` buffers an enable for each `enabled` gates, in a tree.
  With a `pulsed` the gate makes a pulse, so does a module `clock_pulse` for registers without an
  enable, and registers are that latch, mapped as the flip-flop `aesforge.tools.liberty.PULSED`.
  `pulse_end` is the net in these modules that ends the pulse, `skew_ps` the skew between latches.
- `[wires]`, for a library: the estimate of wires and clock, as in `aesforge.tools.liberty.Wires`.
"""

import re
import tomllib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cache
from pathlib import Path
from typing import Any

from aesforge.core.sources import digest
from aesforge.errors import ToolMissing, UserError, unknown
from aesforge.tools.liberty import (
    PULSED,
    Library,
    Wires,
    read,
    sizes,
    with_areas,
    with_pulsed,
    with_wires,
)
from aesforge.tools.yosys import Clocked, Drive, OutputRegisters, Script, Spread, Tree

_DEVICES = Path(__file__).parent / "devices"

# The ABC script for speed, with commas for spaces. On our pipelines its paths are shorter than
# those of Yosys' own script, whose `dc2` makes wide sums deeper, and it takes less time. `-c`
# counts wires where the library has a wire load model.
_FOR_SPEED = "strash;balance;dch,-f;map,-B,0.9,{D};topo;buffer,-c;topo;upsize,-c,{D};dnsize,-c,{D}"

# Registers with an enable, or with none. Synchronous resets become logic in front of them. A core
# that is measured may have asynchronous ones, which its cells must have too.
_ENABLED = ("$_DFFE_PP_", "$_DFFE_P??P_", "$_DFF_P_", "$_DFF_P??_")
_RESET = ("$_SDFFCE_PP?P_", "$_SDFF_PP?_", *_ENABLED)

_RESET_LOADS = 16
"""Asynchronous resets that one buffer drives."""

RESET = "reset.v"
"""The buffer of an asynchronous reset, in the working folder."""
GATE = "gate.v"
"""The clock gate, in the working folder."""
DRIVER = "driver.txt"
"""The driver of the inputs while ABC sizes gates, in the working folder."""
CELLS = "cells.lib"
"""The library, in the working folder."""
WIRED = "wired.lib"
"""The library with its wire load model, in the working folder."""
HARNESS = "harness"
"""The module around a core that is measured."""
DELAY_PS = 1300
"""The delay that gates are sized for by default."""


@cache
def _digested(path: Path, changed: int) -> str:
    return digest(path)


def _library(path: Path) -> str:
    """A digest of a library, which is read again when it has changed; empty without one."""
    return _digested(path, path.stat().st_mtime_ns) if path.is_file() else ""


@dataclass(frozen=True)
class Target:
    """A family of devices, or a library of standard cells.

    A library has a `gate`, the NAND of two inputs that is the unit of areas, and a `driver` that
    drives inputs while ABC sizes gates for a path of `delay_ps`; without a delay ABC maps for area
    alone. `package` has the library.
    """

    name: str
    doc: str
    synthesis: tuple[str, ...]
    pads: tuple[str, ...] = ()
    lut: Mapping[str, int] = field(default_factory=dict)
    ff: Mapping[str, int] = field(default_factory=dict)
    bram: Mapping[str, int] = field(default_factory=dict)
    muxf: str = ""
    lutram: str = ""
    read: str = ""
    part: str = ""
    family: str = ""
    arguments: tuple[str, ...] = ()
    clock: str = ""
    files: Mapping[str, str] = field(default_factory=dict)
    capacity: Mapping[str, int] = field(default_factory=dict)
    output_registers: tuple[str, ...] = ()
    luts_per_bram: int = 0
    seeds: tuple[int, ...] = (1, 2, 3, 4, 5)
    liberty: str = ""
    gate: str = ""
    driver: str = ""
    delay_ps: int | None = None
    package: str = ""
    lef: str = ""
    clock_gate: str = ""
    gated: int = 0
    enabled: int = 0
    pulsed: str = ""
    pulse_end: str = ""
    skew_ps: float = 0
    wires: Wires | None = None

    @property
    def fingerprint(self) -> str:
        """A digest of the settings of a measurement, without seeds and the path of a library."""
        values = {item.name: getattr(self, item.name) for item in fields(self)}
        if self.liberty:
            values["liberty"] = _library(Path(self.liberty))
            values["script"] = _FOR_SPEED
        if self.lef:
            values["lef"] = _library(Path(self.lef))
        # Newer fields: with their defaults a measurement is the same as without them.
        plain = Target("", "", ())
        newer = ("lef", "clock_gate", "gated", "enabled", "wires", "output_registers")
        for name in (*newer, "pulsed", "pulse_end", "skew_ps"):
            if values[name] == getattr(plain, name):
                del values[name]
        # A row names its seeds; the worth of a block RAM is used by `choose` alone.
        for name in ("doc", "seeds", "luts_per_bram"):
            del values[name]
        return digest(*(f"{name}={value}" for name, value in values.items()))[:12]

    def with_seeds(self, most: int) -> "Target":
        """The target with no more than `most` seeds."""
        return replace(self, seeds=self.seeds[:most])

    @property
    def bram_area(self) -> float:
        """The LUTs that a block RAM counts as in an area: those that the part has for each."""
        if self.capacity:
            return round(self.capacity["lut"] / self.capacity["bram"])
        return self.luts_per_bram

    def passes(self, top: str) -> Script:
        """The passes that map `top`, with the files of `prepare` in the working folder."""
        return [*self.logic(top), *self.cells(CELLS)]

    def logic(self, top: str) -> Script:
        """The passes to the last one that depends on the delays of cells."""
        mapped: list[Any] = [line.format(top=top, name=self.name) for line in self.synthesis]
        if self.output_registers:
            mapped += [OutputRegisters(*self.output_registers), "opt_clean"]
        gating = self._gating if self.clock_gate else []
        spared = f" -dont_use {PULSED}" * bool(self.pulsed)
        registers = [f"dfflibmap{spared} -liberty {CELLS}"] if self.liberty else []
        return [*mapped, *gating, *registers]

    def cells(self, library: str) -> Script:
        """The passes that choose and size gates of a library: `CELLS` or `WIRED`."""
        if not self.liberty:
            return []
        speed = ""
        if self.delay_ps:
            speed = f" -constr {DRIVER} -D {self.delay_ps} -script +{_FOR_SPEED}"
        gates = [f"techmap -map {GATE}"] if self.clock_gate else []
        return [f"abc -liberty {library}{speed}", *gates, *self._resets, "opt_clean"]

    @property
    def _resets(self) -> Script:
        """What buffers asynchronous resets, which are no logic to ABC; our cores have none."""
        pins = self.library().asynchronous
        if not pins:
            return []
        tree = Tree(("reset_driver", "a_i", "y_o"), pins, _RESET_LOADS)
        return [tree, f"techmap -map {RESET}"]

    @property
    def _gating(self) -> Script:
        """The passes that gate the clocks of registers with an enable."""
        legal = (" ".join(f"-cell {cell} 01" for cell in cells) for cells in (_RESET, _ENABLED))
        return [
            *(f"dfflegalize {cells}" for cells in legal),
            # Merge equal enables.
            *("opt_expr", "opt_merge", "opt_clean"),
            f"read_verilog -lib {GATE}",
            f"clockgate -pos clock_gate en_i:clk_i:clk_o -min_net_size {self.gated // 4}",
            Spread("clock_gate", "clk_o", self.gated),
            # To ABC an enable is one output, however many gates it drives.
            *(
                Drive(("enable_driver", "en_i", "en_o"), (driven, "en_i"), self.enabled)
                for driven in ("clock_gate", "enable_driver")
            ),
            *(self._pulses if self.pulsed else []),
        ]

    @property
    def _pulses(self) -> Script:
        return [
            "dffunmap",  # of registers that have an enable and no gate
            Clocked("clock_gate", "clk_o", PULSED, "clock_pulse", HARNESS),
            Spread("clock_pulse", "clk_o", self.gated),
        ]

    @property
    def ungated(self) -> str:
        """The clock gate without what ends its pulse."""
        if not self.pulsed:
            return self.clock_gate
        return re.sub(rf"(\.[^Y]\(){self.pulse_end}\)", r"\g<1>1'b1)", self.clock_gate)

    def prepare(self, folder: Path) -> Library | None:
        """Write the files of the passes to `folder`; returns the library, if it is one."""
        if not self.liberty:
            return None
        library = self.library()
        driver = f"set_driving_cell {library.driver}\n"
        (folder / DRIVER).write_text(driver, encoding="utf-8")
        (folder / GATE).write_text(self.clock_gate, encoding="utf-8")
        begins, ends = library.driver_pins
        (folder / RESET).write_text(
            f"module reset_driver (input a_i, output y_o); "
            f"{library.driver} u_drive (.{begins}(a_i), .{ends}(y_o)); endmodule\n",
            encoding="utf-8",
        )
        text = Path(self.liberty).read_text(encoding="utf-8", errors="replace")
        if self.lef:
            text = with_areas(text, sizes(Path(self.lef)))
        if self.pulsed:
            text = with_pulsed(text, self.pulsed, 0, 0)
        (folder / CELLS).write_text(text, encoding="utf-8")
        if self.wires:
            wired = with_wires(text, self.wires.load_ff)
            (folder / WIRED).write_text(wired, encoding="utf-8")
        return library

    def library(self) -> Library:
        """The cells of the library; ToolMissing without its files, UserError without its NAND."""
        path = Path(self.liberty)
        if not path.is_file() or (self.lef and not Path(self.lef).is_file()):
            raise ToolMissing(
                f"the cells of {self.name} are missing; install the Debian package {self.package}"
            )
        return read(path, self.gate, self.driver, Path(self.lef) if self.lef else None)

    def count(self, cells: Mapping[str, int]) -> dict[str, int]:
        """`lut` (memories made of LUTs included), `muxf`, `lutram`, `ff` and `bram`."""
        total: Counter[str] = Counter()
        for cell, number in cells.items():
            for what, patterns in (
                ("lut", self.lut),
                ("ff", self.ff),
                ("bram", self.bram),
                ("muxf", {self.muxf: 1}),
                ("lutram", {self.lutram: 1}),
            ):
                for pattern, weight in patterns.items():
                    if re.fullmatch(pattern, cell):
                        total[what] += weight * number
        return {what: total[what] for what in ("lut", "muxf", "lutram", "ff", "bram")}

    def lacks(self, counts: Mapping[str, int]) -> str:
        """Why a design of these counts is too large for the part; empty when it is not."""
        over = [
            f"{counts[what]:,} {what.upper()} where it has {has:,}"
            for what, has in self.capacity.items()
            if counts[what] > has
        ]
        return f"too large for {self.part}: {', '.join(over)}" if over else ""


def _load(name: str) -> Target:
    said = tomllib.loads((_DEVICES / f"{name}.toml").read_text(encoding="utf-8"))
    base = replace(_load(said.pop("like")), name=name) if "like" in said else None
    flat: dict[str, Any] = {"name": name}
    if "wires" in said:
        flat["wires"] = Wires(**said.pop("wires"))
    for key, value in said.items():
        flat |= value if isinstance(value, dict) else {key: value}
    flat = {key: tuple(v) if isinstance(v, list) else v for key, v in flat.items()}
    if "liberty" in flat:
        flat["delay_ps"] = DELAY_PS
    return replace(base, **flat) if base else Target(**flat)


@cache
def targets() -> dict[str, Target]:
    """All targets by name."""
    return {path.stem: _load(path.stem) for path in sorted(_DEVICES.glob("*.toml"))}


def target(name: str, delay_ps: int | None = None) -> Target:
    """The target of that name; UserError names the nearest.

    `delay_ps` is for libraries: the delay to size gates for, 0 to map for area alone.
    """
    if name not in targets():
        raise unknown("target", name, targets())
    return _delayed(targets()[name], delay_ps)


def library(path: Path, delay_ps: int | None = None) -> Target:
    """A user's Liberty file as a target, named after the file; UserError if it is not one."""
    if not path.is_file():
        raise UserError(f"cannot read {path}: no such file; give --liberty a Liberty file")
    found = Target(
        name=path.stem,
        doc=f"standard cells of {path.name}",
        synthesis=("synth -top {top}",),
        liberty=str(path.resolve()),
        delay_ps=DELAY_PS,
    )
    found.library()
    return _delayed(found, delay_ps)


def _delayed(found: Target, delay_ps: int | None) -> Target:
    if delay_ps is None:
        return found
    if not found.liberty:
        raise UserError(
            f"a delay is for a library of cells, which {found.name} is not; leave it out"
        )
    if delay_ps < 0:
        raise UserError(f"a delay of {delay_ps} ps is impossible; give 0 to map for area alone")
    return replace(found, delay_ps=delay_ps or None)
