"""Count the S-boxes of the RTL in gates of two inputs, as papers on small circuits do.

The parts of an S-box are mapped by ABC, for area alone, to AND, OR, XOR, their complements and
multiplexers, each of one unit; inverters are counted apart. A path has as many levels as gates
other than inverters. Modules marked (* keep_hierarchy_for_area *) are mapped on their own, as in
standard cells.
"""

import json
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from aesforge.core.sources import closure, codes, files, fingerprint, is_sbox, used
from aesforge.errors import UserError
from aesforge.progress import track
from aesforge.results import store
from aesforge.search.lean import DIRECTIONS
from aesforge.space.targets import Target
from aesforge.tools import yosys

_INVERTER = "NOT"
_TWO = {
    "AND": "A*B",
    "NAND": "!(A*B)",
    "OR": "A+B",
    "NOR": "!(A+B)",
    "XOR": "(A*!B)+(!A*B)",
    "XNOR": "(A*B)+(!A*!B)",
}
_FUNCTIONS = {_INVERTER: "!A", **_TWO, "MUX": "(A*!S)+(B*S)", "NMUX": "!((A*!S)+(B*S))"}


def _library() -> str:
    lines = ["GATE ZERO 0 Y=CONST0;", "GATE ONE 0 Y=CONST1;", "GATE BUF 1 Y=A;"]
    lines += [f"GATE {name} 1 Y={function};" for name, function in _FUNCTIONS.items()]
    # Any phase, and a delay of one.
    pins = (f"{line}{' PIN * UNKNOWN 1 999 1 0 1 0' * ('CONST' not in line)}" for line in lines)
    return "\n".join([*pins, ""])


def _ports() -> str:
    """The gates as modules, which give the directions of their pins."""
    text = []
    for name, function in {"BUF": "A", **_FUNCTIONS}.items():
        pins = ", ".join(f"input {pin}" for pin in "ABS" if pin in function)
        text.append(f"module {name} ({pins}, output Y); endmodule")
    return "\n".join([*text, ""])


def _levels(module: Mapping[str, Any]) -> int:
    """The gates on the longest path from an input to an output, inverters left out."""
    driver = {cell["connections"]["Y"][0]: cell for cell in module["cells"].values()}
    found: dict[Any, int] = {}

    def level(bit: Any) -> int:
        if bit not in driver:
            return 0
        if bit not in found:
            cell = driver[bit]
            pins = [bits[0] for pin, bits in cell["connections"].items() if pin != "Y"]
            own = cell["type"] not in (_INVERTER, "BUF")
            found[bit] = max(map(level, pins)) + own
        return found[bit]

    outputs = (port for port in module["ports"].values() if port["direction"] == "output")
    return max(level(bit) for port in outputs for bit in port["bits"])


def count(module: str, sources: Sequence[Path], parameters: Mapping[str, int]) -> dict[str, int]:
    """The `gates`, `inverters` and `levels` of a combinational module."""
    with tempfile.TemporaryDirectory(prefix="aesforge-") as scratch:
        folder = Path(scratch)
        (folder / "gates.genlib").write_text(_library(), encoding="utf-8")
        (folder / "gates.v").write_text(_ports(), encoding="utf-8")
        yosys.run(
            [
                yosys.read(sources, module, parameters, hierarchy=True),
                "setattr -mod -unset keep_hierarchy *",
                "setattr -mod -set keep_hierarchy 1 A:keep_hierarchy_for_area",
                # Constant and unused signals at the border of a part are removed first.
                *("flatten", "proc", "opt", "opt_hier", "opt", "synth -noabc"),
                "abc -genlib gates.genlib",
                "setattr -mod -unset keep_hierarchy *",
                *("flatten", "opt_clean -purge", "read_verilog -lib gates.v"),
                "write_json gates.json",
            ],
            folder,
        )
        modules = json.loads((folder / "gates.json").read_text(encoding="utf-8"))["modules"]
    (top,) = (one for one in modules.values() if "top" in one["attributes"])
    kinds = [cell["type"] for cell in top["cells"].values()]
    if left := [kind for kind in kinds if kind not in _FUNCTIONS]:
        raise ValueError(f"{module} has {left[0]}, which is no gate")
    inverters = kinds.count(_INVERTER)
    return {"gates": len(kinds) - inverters, "inverters": inverters, "levels": _levels(top)}


def search(
    target: Target | None = None, write: Path | None = None, table: Path | None = None
) -> dict[str, Any]:
    """Rows of every S-box of the RTL in each direction, which go to `table`. Nothing is searched.

    UserError with a target or a folder to write to.
    """
    if target or write:
        raise UserError("gates are counted of the RTL as it is; leave out --target and --write")
    modules = [path.stem for path in files() if is_sbox(path.stem)]
    rows = []
    with track("count gates", len(modules) * len(DIRECTIONS)) as step:
        for module in modules:
            for direction in DIRECTIONS:
                of = {"Direction": codes()[f"DIRECTION_{direction.upper()}"]}
                row = {"preset": None, "core": module, "config": {"direction": direction}}
                found = count(module, closure(module), of)
                sources = used([path.stem for path in closure(module)])
                kept = {"sources": list(sources), "source_hash": fingerprint(sources)}
                versions = {"pyosys": yosys.version()}
                rows.append({**row, "target": "gates", **found, **kept, "versions": versions})
                step(1)
    if table:
        table.unlink(missing_ok=True)
        store.record(table, rows)
    return {"sbox": "gates", "target": None, "rows": rows, "files": []}
