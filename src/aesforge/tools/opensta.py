"""OpenSTA, a static timing analyzer (https://github.com/The-OpenROAD-Project/OpenSTA)."""

import re
import shutil
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from aesforge.errors import ToolMissing
from aesforge.tools.process import ToolFailed, call


@cache
def version() -> str:
    """The version of the `sta` on the path."""
    if shutil.which("sta") is None:
        raise ToolMissing("OpenSTA is missing; install the Debian package opensta")
    return call("OpenSTA", ["sta", "-version"]).strip()


# Between registers with one edge, slack grows with the period, so one run is enough. A path through
# a latch may end after half the period, so the shortest period is searched.
_PERIOD = """
proc slack {{period}} {{
  create_clock -name clock -period $period [get_ports {clock}]
  return [worst_slack -max]
}}
set short [expr {long} - [slack {long}]]
if {{[slack [expr $short * 1.001]] < 0 || [slack [expr $short * 0.999]] >= 0}} {{
  set long $short
  while {{[slack $long] < 0}} {{ set long [expr $long * 2.0] }}
  set short 0.0
  while {{$long > $short * 1.0001}} {{
    set between [expr ($short + $long) / 2.0]
    if {{[slack $between] < 0}} {{ set short $between }} else {{ set long $between }}
  }}
  set short $long
}}
puts "period $short"
"""


def period(netlist: str, liberty: str, top: str, clock: str, folder: Path) -> float:
    """The shortest clock period, in ns, of a Verilog netlist in `folder` from register to register.

    Delays of cells alone: no wires, no clock tree.
    """
    version()
    nanosecond = _second(folder / liberty) / 1e-9
    script = (
        f"read_liberty {liberty}",
        f"read_verilog {netlist}",
        f"link_design {top}",
        _PERIOD.format(clock=clock, long=1000.0 / nanosecond),
    )
    (folder / "sta.tcl").write_text("\n".join(script) + "\n", encoding="utf-8")
    log = call("OpenSTA", ["sta", "-no_splash", "-exit", "sta.tcl"], cwd=folder)
    found = re.search(r"^period ([-\d.e+]+)$", log, re.M)
    # OpenSTA skips parts of a netlist that it cannot read.
    if found is None or re.search(r"^Error", log, re.M):
        raise ToolFailed("OpenSTA", log)
    return float(found[1]) * nanosecond


def _unit(text: str, pattern: str, default: float) -> float:
    """A unit of a library, found with a pattern, in SI."""
    found = re.search(pattern, text, re.I)
    prefix = {"f": 1e-15, "p": 1e-12, "n": 1e-9, "u": 1e-6, "m": 1e-3, "": 1.0}
    return float(found[1]) * prefix[found[2].lower()] if found else default


def _second(liberty: Path) -> float:
    """The unit of time of a library, in seconds; scripts give the clock in it."""
    text = liberty.read_text(encoding="utf-8", errors="replace")
    return _unit(text, r'\btime_unit\s*:\s*"?([\d.]+)\s*([pnu])s', 1e-9)


_GROUP = re.compile(r"\binternal_power\s*\([^()]*\)\s*{(?:[^{}]*{[^{}]*})*[^{}]*}")
_VALUES = re.compile(r"(\bvalues\s*\()([^()]*)")


def altered(liberty: Path, to: Path, inputs: bool = True, units: bool = False) -> None:
    """Write a library without the energies that toggles of inputs take within a cell.

    Or, and, with one unit for each energy that is left.
    """

    def group(power: re.Match[str]) -> str:
        # The energy of an output toggle is given for each input that may cause it.
        energy = "1" if inputs or "related_pin" in power[0] else "0"
        if energy == "1" and not units:
            return power[0]
        return _VALUES.sub(lambda v: v[1] + re.sub(r"[-+\d.][-+\d.eE]*", energy, v[2]), power[0])

    text = liberty.read_text(encoding="utf-8", errors="replace")
    to.write_text(_GROUP.sub(group, text), encoding="utf-8")


def energy_unit(liberty: Path) -> float:
    """The unit of the energies of a library, in joules."""
    text = liberty.read_text(encoding="utf-8", errors="replace")
    farad = _unit(text, r"\bcapacitive_load_unit\s*\(\s*([\d.]+)\s*,\s*\"?([fpn])f", 1e-12)
    volt = _unit(text, r'\bvoltage_unit\s*:\s*"?([\d.]+)\s*(m?)V', 1.0)
    return farad * volt**2


Powers = Mapping[str, tuple[float, float, float]]
"""Internal, switching and leakage power of each instance, in mW."""


def powers(
    netlist: str, liberty: str, top: str, clock: str, mhz: float, activity: int, folder: Path
) -> Powers:
    """Power from OpenSTA.

    The netlist is a Verilog file in `folder`; every pin except clock pins has the given number of
    toggles per cycle.
    """
    version()
    script = (
        f"read_liberty {liberty}",
        f"read_verilog {netlist}",
        f"link_design {top}",
        f"create_clock -name clock -period {1e-6 / mhz / _second(folder / liberty):.6f} "
        f"[get_ports {clock}]",
        # For cells without a clock, activities would count per second.
        "foreach port [all_inputs] {",
        f'  if {{[get_property $port full_name] ne "{clock}"}} {{',
        "    set_input_delay 0 -clock clock $port",
        "  }",
        "}",
        f"set_power_activity -global -activity {activity} -duty 0.5",
        "report_power -digits 8 -instances [get_cells *]",
    )
    (folder / "power.tcl").write_text("\n".join(script) + "\n", encoding="utf-8")
    log = call("OpenSTA", ["sta", "-no_splash", "-exit", "power.tcl"], cwd=folder)
    number = r"([-+.\de]+)"
    rows = re.findall(rf"^\s*{number}\s+{number}\s+{number}\s+{number}\s+(\w+)$", log, re.M)
    if not rows:
        raise ToolFailed("OpenSTA", log)
    return {
        name: (1e3 * float(internal), 1e3 * float(switching), 1e3 * float(leakage))
        for internal, switching, leakage, _, name in rows
    }
