"""nextpnr, as the `yowasp-nextpnr-*` wheels carry it (https://github.com/YosysHQ/nextpnr)."""

import importlib.metadata
import importlib.util
import json
import sys
from pathlib import Path

from aesforge.errors import ToolMissing
from aesforge.tools.process import call

# A goal that no core reaches, so that every path is worked on.
_GOAL_MHZ = 500


def version(family: str) -> str:
    """The version of the wheel for a family, such as "ecp5"."""
    if importlib.util.find_spec(f"yowasp_nextpnr_{family}") is None:
        wheel = f"yowasp-nextpnr-{family}"
        raise ToolMissing(f"nextpnr for {family} is missing; install it with 'pip install {wheel}'")
    return importlib.metadata.version(f"yowasp-nextpnr-{family}")


def place_and_route(
    family: str, device: tuple[str, ...], netlist: Path, seed: int, folder: Path
) -> float:
    """Place and route a JSON netlist on a device; returns the highest clock frequency in MHz."""
    version(family)
    report = f"report{seed}.json"
    command = [
        *(str(Path(sys.executable).with_name(f"yowasp-nextpnr-{family}")), *device, "--quiet"),
        *("--json", netlist.name, "--seed", str(seed), "--freq", str(_GOAL_MHZ)),
        *("--timing-allow-fail", "--report", report),
    ]
    call("nextpnr", command, cwd=folder)
    clocks = json.loads((folder / report).read_text(encoding="utf-8"))["fmax"]
    return min(float(clock["achieved"]) for clock in clocks.values())
