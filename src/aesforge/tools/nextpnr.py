"""nextpnr (https://github.com/YosysHQ/nextpnr): on the path, or from the `yowasp-nextpnr-*` wheels.

A native build is used when there is one, as it is faster. A row says which of the two
placed it.
"""

import importlib.metadata
import importlib.util
import json
import re
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from aesforge.errors import ToolMissing
from aesforge.tools.process import ToolFailed, call

# A goal that no core reaches, so that every path is optimized.
_GOAL_MHZ = 500
# After routing this line is a warning, as the goal is missed; before routing it is not.
_ROUTED = re.compile(r"Warning: Max frequency for clock +'.*': +([\d.]+) MHz")
_FULL = (
    r"(?i)unable to (find|place)|no bels? (remaining|available)|failed to (place|expand region)"
    r"|out of bels"
)


class TooLarge(Exception):
    """The design does not fit the part; carries the message of nextpnr."""


_NATIVE = "native "


def _native(family: str) -> str | None:
    """The path of a native build for a family; those of himbaechel are in one program."""
    return shutil.which(f"nextpnr-{family.partition('-')[0]}")


@cache
def _native_version(program: str) -> str:
    found = re.search(r"Version ([^\s)]+)", call("nextpnr", [program, "--version"]))
    if found is None:
        raise ToolFailed("nextpnr", f"{program} --version names no version")
    return f"{_NATIVE}{found[1]}"


def _wheel_version(family: str) -> str | None:
    wheel = f"yowasp-nextpnr-{family}"
    if importlib.util.find_spec(wheel.replace("-", "_")) is None:
        return None
    return importlib.metadata.version(wheel)


def version(family: str) -> str:
    """The version that places on a family, such as "ecp5" or "himbaechel-gatemate"."""
    if program := _native(family):
        return _native_version(program)
    if wheel := _wheel_version(family):
        return wheel
    raise ToolMissing(
        f"nextpnr for {family} is missing; install it with 'pip install yowasp-nextpnr-{family}'"
    )


def current(family: str, made_with: str) -> bool:
    """Whether a version is installed, or none of its kind is that could be compared."""
    if made_with.startswith(_NATIVE):
        program = _native(family)
        return program is None or _native_version(program) == made_with
    return _wheel_version(family) in (None, made_with)


@dataclass(frozen=True)
class Placed:
    """A routed placement.

    `fmax_mhz` is the highest clock frequency. `critical_path` names the nets of the longest path
    between registers, and the cell that it ends in; `routing` is the part of it that is wires, from
    0 to 1. Without a report of nextpnr they are not known: empty, None.
    """

    fmax_mhz: float
    critical_path: tuple[str, ...] = ()
    routing: float | None = None


def _longest(paths: Sequence[Mapping[str, Any]]) -> tuple[tuple[str, ...], float | None]:
    """`critical_path` and `routing` of `Placed`, from the paths of a report."""
    clocked = [one["path"] for one in paths if "<async>" not in (one["from"], one["to"])]
    if not clocked:
        return (), None
    path = max(clocked, key=lambda steps: sum(step["delay"] for step in steps))
    wires = [step for step in path if step["type"] == "routing"]
    nets = (*(step["net"] for step in wires), path[-1]["to"]["cell"])
    share = sum(step["delay"] for step in wires) / sum(step["delay"] for step in path)
    return nets, round(share, 2)


def place_and_route(
    family: str, device: tuple[str, ...], netlist: Path, seed: int, folder: Path
) -> Placed:
    """Place and route a JSON netlist on a device.

    TooLarge when the design does not fit. If the WebAssembly of nextpnr traps after routing, as
    for GateMate (https://github.com/YosysHQ/nextpnr/pull/1697), the frequency is already known.
    """
    version(family)
    report = f"report{seed}.json"
    wheel = str(Path(sys.executable).with_name(f"yowasp-nextpnr-{family}"))
    command = [
        *(_native(family) or wheel, *device, "--quiet"),
        *("--json", netlist.name, "--seed", str(seed), "--freq", str(_GOAL_MHZ)),
        *("--timing-allow-fail", "--report", report),
    ]
    try:
        call("nextpnr", command, cwd=folder)
    except ToolFailed as error:
        for line in error.output.splitlines():
            if line.startswith("ERROR") and re.search(_FULL, line):
                raise TooLarge(line.removeprefix("ERROR: ")) from None
        routed = [float(frequency) for frequency in _ROUTED.findall(error.output)]
        if not routed or "wasm trap" not in error.output:
            raise
        return Placed(min(routed))
    said = json.loads((folder / report).read_text(encoding="utf-8"))
    slowest = min(float(clock["achieved"]) for clock in said["fmax"].values())
    return Placed(slowest, *_longest(said["critical_paths"]))
