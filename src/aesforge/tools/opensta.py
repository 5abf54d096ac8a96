"""OpenSTA, a static timing analyzer (https://github.com/The-OpenROAD-Project/OpenSTA)."""

import re
import shutil
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from aesforge.errors import ToolMissing
from aesforge.tools.liberty import Wires, farad, unit
from aesforge.tools.process import ToolFailed, call


@cache
def version() -> str:
    """The version of the `sta` on the path."""
    if shutil.which("sta") is None:
        raise ToolMissing("OpenSTA is missing; install the Debian package opensta")
    return call("OpenSTA", ["sta", "-version"]).strip()


_SLACK = """
proc slack {{period}} {{
  create_clock -name clock -period $period [get_ports {clock}]
  {wires}
  {balanced}
  return [worst_slack -max]
}}
"""
# Between registers with one edge, slack grows with the period, so one run is enough. A path through
# a latch may end after half the period, so the shortest period is searched.
_SEARCH = """
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
# The clock enters with its slew; what drives it is not in the netlist. Clock gates delay it.
_WIRES = """set_propagated_clock [get_clocks clock]
  set_input_transition {slew} [get_ports {clock}]
  set_clock_uncertainty -setup {uncertainty} [get_clocks clock]"""
# OpenSTA has no delay of wires, so a net arrives everywhere at once.
_ARRIVALS = """
slack {long}
foreach pin [all_registers -clock_pins -edge_triggered] {{
  set net [get_full_name [get_nets -of_objects $pin]]
  if {{![info exists seen($net)]}} {{
    set seen($net) 1
    report_arrival $pin
  }}
}}
"""
# The clock tree is balanced: every flip-flop has the clock as late as those of the slowest clock
# gate and with the same slew, while the clock gates have it early.
_BALANCED = """set_clock_transition {slew} [get_clocks clock]
  foreach pin [all_registers -clock_pins -edge_triggered] {{
    set_clock_latency {insertion} $pin
  }}"""


def period(
    netlist: str, liberty: str, top: str, clock: str, folder: Path, wires: Wires | None = None
) -> tuple[float, float]:
    """The shortest clock period of a Verilog netlist in `folder` from register to register, in ns.

    And how much later than clock gates flip-flops have the clock, in ns. Without `wires` delays are
    those of cells alone with an ideal clock, which has no such delay. With `wires` the library
    `liberty` has a wire load model, and the clock has slew, uncertainty and delays of gates.
    """
    version()
    nanosecond = second(folder / liberty) / 1e-9
    said: dict[str, object] = {"clock": clock, "long": 1000.0 / nanosecond}
    said |= {"wires": "", "balanced": ""}
    read = (f"read_liberty {liberty}", f"read_verilog {netlist}", f"link_design {top}")
    insertion = 0.0
    if wires:
        said["slew"] = wires.slew_ps / 1000 / nanosecond
        said["uncertainty"] = wires.uncertainty_ps / 1000 / nanosecond
        said["wires"] = _WIRES.format(**said)
        log = _sta([*read, _SLACK.format(**said), _ARRIVALS.format(**said)], folder)
        arrivals = re.findall(r"^ *\(clock \^\) r [-\d.]+:([-\d.]+) ", log, re.M)
        insertion = max(map(float, arrivals), default=0.0)
        said["balanced"] = _BALANCED.format(**said, insertion=insertion)
    log = _sta([*read, _SLACK.format(**said), _SEARCH.format(**said)], folder)
    found = re.search(r"^period ([-\d.e+]+)$", log, re.M)
    if found is None:
        raise ToolFailed("OpenSTA", log)
    return float(found[1]) * nanosecond, insertion * nanosecond


def critical_path(netlist: str, liberty: str, top: str, clock: str, folder: Path) -> list[str]:
    """The nets of the longest path between registers, of cells alone, that have a name of the RTL.

    From the output of the register that it starts from to that of the register that it ends in.
    """
    version()
    log = _sta(
        (
            f"read_liberty {liberty}",
            f"read_verilog {netlist}",
            f"link_design {top}",
            f"create_clock -name clock -period 1 [get_ports {clock}]",
            "report_checks -path_delay max -format full -fields net",
        ),
        folder,
    )
    end = re.search(r"^Endpoint: (\S+)", log, re.M)
    if end is None:
        raise ToolFailed("OpenSTA", log)
    text = (folder / netlist).read_text(encoding="utf-8")
    pins = re.search(rf"\b{re.escape(end[1])} \((.*?)\);", text, re.S)
    last = re.search(r"\.Q\(\\?(.*?)\)", pins[1]) if pins else None
    nets = [*re.findall(r"(\S+) \(net\)", log), *([last[1].replace(" ", "")] if last else [])]
    # Names that Yosys made up for nets within logic.
    return [net for net in nets if not re.fullmatch(r"_\d+_", net)]


_EARLY = """
create_clock -name clock -period {long} [get_ports {clock}]
{wires}
foreach path [find_timing_paths -path_delay min -group_count 1000000 -endpoint_count 1 \\
    -slack_max 0] {{
  if {{[get_property $path slack] < 0}} {{
    puts "early [get_property [get_property $path endpoint] full_name]"
  }}
}}
"""


def early(
    netlist: str,
    liberty: str,
    top: str,
    clock: str,
    folder: Path,
    wires: Wires | None = None,
    skew_ps: float = 0,
) -> set[str]:
    """The pins of registers of a Verilog netlist in `folder` at which data change too early.

    That is by the hold times of the library, with an ideal clock; with `wires`, a clock with slew,
    which may reach two registers `skew_ps` apart.
    """
    version()
    nanosecond = second(folder / liberty) / 1e-9
    clocked = ""
    if wires:
        clocked = (
            f"set_clock_transition {wires.slew_ps / 1000 / nanosecond} [get_clocks clock]\n"
            f"set_clock_uncertainty -hold {skew_ps / 1000 / nanosecond} [get_clocks clock]"
        )
    script = (
        f"read_liberty {liberty}",
        f"read_verilog {netlist}",
        f"link_design {top}",
        _EARLY.format(clock=clock, long=1000.0 / nanosecond, wires=clocked),
    )
    return set(re.findall(r"^early (\S+)$", _sta(script, folder), re.M))


Delays = Mapping[str, Mapping[tuple[str, str], tuple[float, float]]]
"""Of each instance, from an input to an output: the delays of a rise and a fall of the output."""

# IOPATH input output (rise) (fall); the input of a register may be an edge, `(posedge CLK)`.
_PATH = re.compile(r"\s*\(IOPATH (\S+|\(\w+ \w+\)) (\S+) \(([^()]+)\)(?: \(([^()]+)\))?\)")


def delays(
    netlist: str, liberty: str, top: str, clock: str, folder: Path, wires: Wires | None = None
) -> Delays:
    """The delays of all cells of a Verilog netlist in `folder`, in ns, as OpenSTA writes in SDF.

    With the loads and slopes that the cells have in the netlist. With `wires` the library has a
    wire load model, and the clock has their slew.
    """
    version()
    clocked = []
    if wires:
        slew = wires.slew_ps * 1e-12 / second(folder / liberty)
        clocked += [
            "set_propagated_clock [get_clocks clock]",
            f"set_input_transition {slew} [get_ports {clock}]",
        ]
    script = (
        f"read_liberty {liberty}",
        f"read_verilog {netlist}",
        f"link_design {top}",
        f"create_clock -name clock -period {1000e-9 / second(folder / liberty)} "
        f"[get_ports {clock}]",
        *clocked,
        "write_sdf -divider . -digits 4 -no_timestamp -no_version delays.sdf",
    )
    _sta(script, folder)
    text = (folder / "delays.sdf").read_text(encoding="utf-8")
    scale = re.search(r"\(TIMESCALE 1([np])s\)", text)
    if scale is None:
        raise ToolFailed("OpenSTA", "the delays have no unit")
    nanosecond = 1.0 if scale[1] == "n" else 1e-3
    found: dict[str, dict[tuple[str, str], tuple[float, float]]] = {}
    instance = ""
    for line in text.splitlines():
        if named := re.match(r"\s*\(INSTANCE (\S*)\)", line):
            instance = named[1]
        elif path := _PATH.match(line):
            pin = path[1].strip("()").split()[-1]
            both = path[3], path[4] or path[3]
            rise, fall = (nanosecond * max(map(float, one.split("::"))) for one in both)
            found.setdefault(instance, {})[pin, path[2]] = (rise, fall)
    return found


def _sta(script: Sequence[str], folder: Path) -> str:
    """The output of a script; ToolFailed on an error."""
    (folder / "sta.tcl").write_text("\n".join(script) + "\n", encoding="utf-8")
    log = call("OpenSTA", ["sta", "-no_splash", "-exit", "sta.tcl"], cwd=folder)
    # OpenSTA skips parts of a netlist that it cannot read.
    if re.search(r"^Error", log, re.M):
        raise ToolFailed("OpenSTA", log)
    return log


def second(liberty: Path) -> float:
    """The unit of time of a library, in seconds; scripts give the clock in it."""
    text = liberty.read_text(encoding="utf-8", errors="replace")
    return unit(text, r'\btime_unit\s*:\s*"?([\d.]+)\s*([pnu])s', 1e-9)


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
    volt = unit(text, r'\bvoltage_unit\s*:\s*"?([\d.]+)\s*(m?)V', 1.0)
    return farad(text) * volt**2


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
        f"create_clock -name clock -period {1e-6 / mhz / second(folder / liberty):.6f} "
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
