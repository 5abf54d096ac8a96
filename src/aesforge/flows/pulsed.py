"""The timing of a core whose registers are latches that a pulse opens.

Such a latch is `aesforge.tools.liberty.PULSED` in the netlist. It stands for a flip-flop as long as
no new data reach it while it is open: so data that come too early are delayed by buffers, which are
part of the core. How long pulses take is measured in the netlist itself, by the delays of the clock
gates that make them. No path is timed through an open latch: none borrows time.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aesforge.space.targets import Target
from aesforge.tools import opensta
from aesforge.tools.liberty import PULSED, least_pulse, with_pulsed
from aesforge.tools.process import ToolFailed

_CELL = re.compile(r"^  (\w+) (\S+) +\(\n((?:    \..*\n)+)  \);\n", re.M)
_PIN = re.compile(r"\.(\w+)\((.*?)\s*\)")
_TURNS = 8
"""More than the buffers in a row that delay one input."""

TIMED = "pulsed.lib"
"""The library of `prepared`."""


@dataclass(frozen=True)
class _Cell:
    kind: str
    name: str
    pins: Mapping[str, str]


class Gates:
    """The clock gates of a netlist with registers `PULSED`: inverting cells with an output Y."""

    def __init__(self, text: str, clock: str) -> None:
        self._clock = clock
        cells = [
            _Cell(found[1], found[2], dict(_PIN.findall(found[3])))
            for found in _CELL.finditer(text)
        ]
        self._driver = {cell.pins["Y"]: cell for cell in cells if "Y" in cell.pins}
        registers = [cell for cell in cells if cell.kind == PULSED]
        self.registers = {cell.name for cell in registers}
        self.clocks = {cell.pins["CLK"] for cell in registers}

    def _arrival(self, net: str, rises: bool, delays: opensta.Delays) -> float | None:
        """When an edge comes after the rise of the clock; None for one that does not follow it."""
        if net == self._clock:
            return 0.0 if rises else None
        cell = self._driver.get(net)
        if cell is None:
            return None
        found = [
            before + delays[cell.name][pin, "Y"][0 if rises else 1]
            for pin, source in cell.pins.items()
            if pin != "Y" and (before := self._arrival(source, not rises, delays)) is not None
        ]
        return max(found, default=None)

    def pulse(self, clock: str, delays: opensta.Delays) -> float:
        """How long the pulse at a net takes, in the unit of the delays."""
        opens, closes = (self._arrival(clock, rises, delays) for rises in (True, False))
        if opens is None or closes is None:
            raise ToolFailed("OpenSTA", f"{clock} is no pulse that the clock begins and ends")
        return closes - opens

    def without_ends(self, text: str) -> str:
        """The netlist with each pulse as long as the clock is high, as OpenSTA can follow it."""
        ends = {}
        for clock in self.clocks:
            gate = self._driver[self._driver[clock].pins["A"]]
            ends[gate.name] = [
                pin for pin, net in gate.pins.items() if pin != "Y" and self._follows(net)
            ]

        def tied(found: re.Match[str]) -> str:
            cell = found[0]
            for pin in ends.get(found[2], ()):
                cell = re.sub(rf"\.{pin}\(.*?\)", f".{pin}(1'b1)", cell)
            return cell

        return _CELL.sub(tied, text)

    def _follows(self, net: str) -> bool:
        """Whether a net is that of the clock behind inverters."""
        cell = self._driver.get(net)
        if cell is None or set(cell.pins) != {"A", "Y"}:
            return False
        return cell.pins["A"] == self._clock or self._follows(cell.pins["A"])


def _delayed(text: str, inputs: set[str], buffer: tuple[str, str, str], turn: int) -> str:
    """The netlist with a buffer in front of the D of these registers."""
    kind, begins, ends = buffer
    made: list[str] = []

    def delayed(found: re.Match[str]) -> str:
        if found[2] not in inputs:
            return found[0]
        net, name = dict(_PIN.findall(found[3]))["D"], f"early{turn}_{len(made)}"
        made.append(
            f"  wire {name};\n  {kind} buffer_{name} (\n    .{begins}({net} ),\n"
            f"    .{ends}({name})\n  );\n"
        )
        return re.sub(r"\.D\(.*?\s*\)(?=,?\n)", f".D({name})", found[0])

    changed = _CELL.sub(delayed, text)
    end = changed.rindex("endmodule")
    return changed[:end] + "".join(made) + changed[end:]


def prepared(name: str, liberty: str, target: Target, folder: Path, wired: bool) -> dict[str, Any]:
    """Make a netlist NAME.v ready to be timed as NAME_timed.v, with TIMED; all in `folder`.

    `ns`: the shortest and the longest pulse. `buffers`: those that delay early data, and `ge`,
    their area. ToolFailed when a pulse is shorter than a latch takes.
    """
    wires, skew = (target.wires, target.skew_ps) if wired else (None, 0.0)
    text = (folder / f"{name}.v").read_text(encoding="utf-8")
    gates = Gates(text, "clk")
    delays = opensta.delays(f"{name}.v", liberty, "harness", "clk", folder, wires)
    widths = [gates.pulse(clock, delays) for clock in gates.clocks]
    narrow, wide = min(widths, default=0.0), max(widths, default=0.0)
    nanosecond = opensta.second(folder / liberty) / 1e-9
    cells = (folder / liberty).read_text(encoding="utf-8")
    least = least_pulse(cells, target.pulsed) * nanosecond
    if widths and narrow < least:
        reason = f"a pulse of {narrow:.3f} ns, where {target.pulsed} needs {least:.3f} ns"
        raise ToolFailed("OpenSTA", reason)
    cells = with_pulsed(cells, target.pulsed, narrow / nanosecond, wide / nanosecond)
    (folder / TIMED).write_text(cells, encoding="utf-8")
    library = target.library()
    text, buffers = gates.without_ends(text), 0
    for turn in range(_TURNS):
        (folder / f"{name}_timed.v").write_text(text, encoding="utf-8")
        pins = opensta.early(f"{name}_timed.v", TIMED, "harness", "clk", folder, wires, skew)
        early = {pin.removesuffix("/D") for pin in pins} & gates.registers
        if not early:
            area = buffers * library.areas[library.driver] / library.nand_area
            return {"ns": [round(narrow, 3), round(wide, 3)], "buffers": buffers, "ge": round(area)}
        text = _delayed(text, early, (library.driver, *library.driver_pins), turn)
        buffers += len(early)
    raise ToolFailed("OpenSTA", f"data of {len(early)} registers still come too early")
