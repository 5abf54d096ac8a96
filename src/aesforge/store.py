"""The stores of what was measured and proven: one JSON object a line.

The tables of the project itself are `results/measured.jsonl`, rows as `aesforge synth --json`
prints them with versions, device and seeds, and `results/proven.jsonl`.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

from aesforge.config import Config

Row = dict[str, Any]

FIELDS = (
    "preset",
    "config",
    "target",
    "lut",
    "ff",
    "bram",
    "ge",
    "fmax_mhz",
    "cycles_per_block",
    "latency_cycles",
    "throughput_mbps",
)
"""The fields that every measured row has, null where one does not apply."""

_PACKAGE = Path(__file__).resolve().parent


def path(name: str = "measured") -> Path:
    """A table that comes with aesforge: in an installed package, or in its tree."""
    inside = _PACKAGE / "results" / f"{name}.jsonl"
    return inside if inside.is_file() else _PACKAGE.parents[1] / "results" / f"{name}.jsonl"


def load(table: Path) -> list[Row]:
    """The rows of a table; none if it is not there yet.

    An axis that a row does not name, for it is younger than the row, is as `Config` has it.
    """
    if not table.is_file():
        return []
    rows = [json.loads(line) for line in table.read_text(encoding="utf-8").splitlines()]
    return [{**row, "config": Config().as_dict() | row["config"]} for row in rows]


def _point(row: Row) -> tuple[str, ...]:
    config, delay = json.dumps(row["config"], sort_keys=True), str(row.get("delay_ps") or "")
    return row["preset"], config, row.get("target", ""), delay


def record(table: Path, rows: list[Row]) -> None:
    """Put rows into a table, in place of older ones of the same preset, axes and target, if any."""
    merged = {_point(row): row for row in [*load(table), *rows]}
    text = "".join(json.dumps(merged[point]) + "\n" for point in sorted(merged))
    table.parent.mkdir(parents=True, exist_ok=True)
    part = table.with_suffix(".part")
    part.write_text(text, encoding="utf-8")
    part.replace(table)


@cache
def measured() -> list[Row]:
    """The rows that come with aesforge."""
    return load(path())
