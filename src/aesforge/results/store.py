"""The stores of measurements and proofs: one JSON object per line.

The stores of the project are `results/measured.jsonl`, with rows of `aesforge synth`,
`results/power.jsonl`, with rows of `aesforge power`, `results/mapped.jsonl`, with rows of
`aesforge synth --check`, `results/gates.jsonl`, with rows of `aesforge search gates`, and
`results/injected.jsonl`, with rows of `aesforge inject --store`, and `results/proven.jsonl` and
`results/mutants.jsonl`, with rows of `aesforge proofs` and `aesforge mutants`, and
`results/peers.jsonl`, with rows of `aesforge peers`. The measurements of a user go to a store in
the cache folder. The last row of a point counts.

Rows are appended whole and under a lock: two processes may write at once, and an interrupted
process loses no recorded row. Each line ends with its checksum. A damaged line is reported and
left out, and moved to another file when the store is next written.
"""

import json
import os
import re
import sys
import zlib
from collections.abc import Iterable
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from aesforge.cache import root
from aesforge.errors import UserError
from aesforge.space.axes import Config
from aesforge.space.presets import presets
from aesforge.space.promises import promised

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

SOURCE = ("device", "delay_ps", "versions", "seeds", "source_hash", "netlist", "target_hash")
"""The fields that identify what a row was measured from."""

_PACKAGE = Path(__file__).resolve().parents[1]
_CHECKED = re.compile(r'(.*), "crc": "([0-9a-f]{8})"}')


def path(name: str = "measured") -> Path:
    """A store that is part of aesforge: in the installed package, or in its source tree."""
    inside = _PACKAGE / "results" / "rows" / f"{name}.jsonl"
    return inside if inside.is_file() else _PACKAGE.parents[1] / "results" / f"{name}.jsonl"


def own() -> Path:
    """The store of what this user measured."""
    return root() / "measured.jsonl"


def _line(row: Row) -> str:
    # `stored` says how a verb found its figures, which is no part of them, nor is a checksum.
    kept = {field: value for field, value in row.items() if field not in ("stored", "crc")}
    text = json.dumps(kept)
    return f'{text[:-1]}, "crc": "{zlib.crc32(text.encode()):08x}"}}\n'


def _row(line: str) -> Row | None:
    """The row of a line; None when it is damaged. Rows without a checksum are accepted."""
    text = line
    if checked := _CHECKED.fullmatch(line):
        text = f"{checked[1]}}}"
        if f"{zlib.crc32(text.encode()):08x}" != checked[2]:
            return None
    try:
        row = json.loads(text)
    except ValueError:
        return None
    return row if isinstance(row, dict) and isinstance(row.get("config"), dict) else None


def _read(table: Path) -> tuple[list[Row], list[str]]:
    """Rows and damaged lines, in the order of the file."""
    rows, damaged = [], []
    try:
        text = table.read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return [], []
    except OSError as error:
        raise UserError(f"cannot read {table}: {error.strerror}; name a JSON lines file") from None
    for line in text.splitlines():
        row = _row(line)
        if row is None:
            damaged.append(line)
        else:
            rows.append(row)
    return rows, damaged


def point(row: Row) -> tuple[str, ...]:
    """The key of a row's point."""
    config, delay = json.dumps(row["config"], sort_keys=True), row.get("delay_ps") or 0
    name = row["preset"] or f"~{row.get('core')}"
    return name, config, row.get("target", ""), f"{delay:08}"


def _full(row: Row) -> Row:
    if row["preset"] is None:
        return row
    known = presets().get(row["preset"])
    # An axis that is newer than the row has the default of the preset, but each core had the bare
    # output register before `idle_output`.
    default = replace(known.config if known else Config(), idle_output="register")
    return {**row, "config": default.as_dict() | row["config"]}


def _last(rows: Iterable[Row]) -> list[Row]:
    merged = {point(row): row for row in map(_full, rows)}
    return [merged[key] for key in sorted(merged)]


def load(table: Path) -> list[Row]:
    """The rows of a table, one per point; none if the table does not exist.

    Damaged lines are reported on standard error and left out.
    """
    rows, damaged = _read(table)
    if damaged:
        print(
            f"aesforge: {table}: {len(damaged)} damaged of {len(damaged) + len(rows)} lines are "
            "left out; the next sweep into it sets them aside and measures their points again",
            file=sys.stderr,
        )
    return _last(rows)


def _locked(table: Path) -> AbstractContextManager[object]:
    from filelock import FileLock

    try:
        table.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(
            f"cannot write {table}: {error.strerror}; choose another place with --store"
        ) from None
    return FileLock(table.with_name(f".{table.name}.lock"))


def _repair(table: Path) -> None:
    """Move damaged lines to a file next to the table."""
    rows, damaged = _read(table)
    if not damaged:
        return
    aside = table.with_name(f"{table.name}.damaged")
    with aside.open("a", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in damaged)
    _rewrite(table, rows)
    print(
        f"aesforge: {table}: {len(damaged)} damaged lines were set aside in {aside.name}; "
        f"{len(rows)} are left",
        file=sys.stderr,
    )


def _rewrite(table: Path, rows: Iterable[Row]) -> None:
    part = table.with_name(f".{table.name}.part")
    part.write_text("".join(map(_line, rows)), encoding="utf-8")
    part.replace(table)


def append(table: Path, rows: Iterable[Row]) -> None:
    """Append rows to a table; they are on the disk when this returns."""
    text = "".join(map(_line, rows)).encode()
    with _locked(table):
        data = table.read_bytes() if table.is_file() else b""
        # An interrupted process may have left part of a line.
        if data and not data.endswith(b"\n"):
            _repair(table)
        try:
            file = os.open(table, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
            try:
                os.write(file, text)
                os.fsync(file)
            finally:
                os.close(file)
        except OSError as error:
            raise UserError(
                f"cannot write {table}: {error.strerror}; choose another place with --store"
            ) from None


def compact(table: Path) -> None:
    """Keep one row of each point, in order; damaged lines are moved aside and reported."""
    with _locked(table):
        if table.is_file():
            _repair(table)
            _rewrite(table, _last(_read(table)[0]))


def record(table: Path, rows: list[Row]) -> None:
    """Put rows into a table, replacing older rows of the same points."""
    append(table, rows)
    compact(table)


def known(table: Path) -> list[Row]:
    """The rows that a sweep into `table` may reuse; `own()` includes the rows of aesforge."""
    return _last(filter(_usable, [*(load(path()) if table == own() else []), *load(table)]))


def _usable(row: Row) -> bool:
    """Whether the preset and axes of a row exist, or the row is of another core."""
    from aesforge.space.axes import AXES
    from aesforge.space.presets import presets

    if row["preset"] is None:
        return True
    return row["preset"] in presets() and all(
        axis in AXES and AXES[axis].has(value) for axis, value in row["config"].items()
    )


def is_foreign(row: Row) -> bool:
    """Whether a row is of a user's own core, whose sources are named as files."""
    return row["preset"] is None and any("." in name for name in row.get("sources", []))


def find(wanted: Row) -> Row | None:
    """The measured row of the same point as `wanted`, if any."""
    return next((row for row in measured() if point(row) == point(wanted)), None)


@cache
def measured(table: Path | None = None) -> list[Row]:
    """The rows of a table; by default the rows of aesforge and of this user."""
    if table is not None and not table.is_file():
        raise UserError(f"{table} does not exist; 'aesforge sweep --store' makes it")
    return known(table or own())


def stale(row: Row) -> str:
    """Why a measured row is out of date; empty when it is current.

    Runs no tool; `aesforge.flows.synth.current` compares the versions of tools.
    """
    from aesforge.core.sources import fingerprint
    from aesforge.space.targets import targets

    if "source_hash" not in row:
        return "the row does not name its sources"
    # The sources of a user's own core are named as files, our sources as modules.
    ours = all("." not in name for name in row["sources"])
    if ours and fingerprint(row["sources"]) != row["source_hash"]:
        return "one of its sources changed"
    if row["preset"] is not None:
        config = Config(**row["config"])
        promise = promised(config, config.key_sizes[0])
        if (row["cycles_per_block"], row["latency_cycles"]) != (
            promise.cycles_per_block,
            promise.latency,
        ):
            return "its promised cycles changed"
    target = targets().get(row["target"])
    # A library that is not installed cannot be compared.
    if target and (not target.liberty or Path(target.liberty).is_file()):
        if target.liberty:
            target = replace(target, delay_ps=row["delay_ps"])
        if target.fingerprint != row["target_hash"]:
            return f"the target {target.name} changed"
    return ""
