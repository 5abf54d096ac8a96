"""Netlists as Yosys writes them in JSON (`help write_json`)."""

import json
import re
from collections import defaultdict
from collections.abc import Callable
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Any


def modules(path: Path) -> dict[str, dict[str, Any]]:
    """All modules of the file by name, as `module` has one."""
    found = json.loads(path.read_text(encoding="utf-8"))["modules"]
    return {key.removeprefix("\\"): value for key, value in found.items()}


def module(path: Path, name: str) -> dict[str, Any]:
    """A module of the file: its `ports` with `direction` and `bits`, and its `cells`."""
    return modules(path)[name]


def instance(path: Path, parent: str, name: str) -> dict[str, Any]:
    """The module of the cell `name` in the module `parent`."""
    found = modules(path)
    return found[found[parent]["cells"][name]["type"].removeprefix("\\")]


def depth(
    top: dict[str, Any],
    levels: Callable[[str], bool],
    registers: Callable[[str], bool],
    memories: Callable[[str], bool],
    read: str,
) -> int:
    """Cells that count as `levels` on the longest path from register to register.

    `registers` begin and end paths. The outputs of `memories` depend only on the ports whose names
    match `read`. ValueError when combinational cells form a loop.
    """
    driver: dict[Any, str] = {}
    inputs: dict[str, list[Any]] = defaultdict(list)
    for name, cell in top["cells"].items():
        if registers(cell["type"]):
            continue
        for port, bits in cell["connections"].items():
            if cell["port_directions"][port] == "output":
                driver |= dict.fromkeys(bits, name)
            elif not memories(cell["type"]) or re.fullmatch(read, port):
                inputs[name] += bits
    before = {
        name: {driver[bit] for bit in inputs[name] if bit in driver} for name in driver.values()
    }
    reached: dict[str, int] = {}
    try:
        for name in TopologicalSorter(before).static_order():
            here = int(levels(top["cells"][name]["type"]))
            reached[name] = here + max((reached[one] for one in before[name]), default=0)
    except CycleError:
        raise ValueError("the netlist has a combinational loop") from None
    return max(reached.values(), default=0)
