"""The tables, claims and graphs of the five papers, compared with our measurements. Runs no tool.

Each paper is a file of `papers/`. A table has `columns` and `rows`; a row has a label, the
corresponding point of ours (appended to the table's own `point`; empty for none) and the paper's
figures. Power is that of the core `power_of` at the clock `mhz`, of the component in the label, or
of the whole core in a row `total`.
A claim of `structure` (cycles, counts, orderings) must hold here; an `outcome` may differ with
other tools and devices.
"""

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from aesforge.results import store
from aesforge.space.axes import Config
from aesforge.space.presets import preset, presets
from aesforge.space.promises import Promise, promised
from aesforge.space.targets import target

_PAPERS = Path(__file__).with_name("papers")

_NAMES = {
    "slices": "slices",
    "bram": "block RAMs",
    "gates": "gates",
    "latency_ns": "ns per block",
    "throughput_mbps": "Mb/s",
    "frequency_mhz": "MHz",
    "mbps_per_lut": "Mb/s per LUT",
    "cycles": "cycles",
    "latency_cycles": "cycles",
    "device": "device",
    "bits": "bits",
    "power_1_mw": "mW, 1 S-box",
    "power_2_mw": "mW, 2 S-boxes",
    "power_4_mw": "mW, 4 S-boxes",
}

_RUNS = {
    f"{what}_{number}_{unit}": (number, field)
    for number in (1, 2, 4)
    for what, unit, field in (("power", "mw", "mw"), ("energy", "nj", "nj_per_block"))
}
"""Figures of power: the number of S-boxes in use, and the field of that run."""

TOTAL = "total"
_NEAR = 0.1
"""The tolerance of a ratio, relative to the paper's ratio."""


@cache
def papers() -> tuple[dict[str, Any], ...]:
    """The five papers, from their files."""
    found = [tomllib.loads(path.read_text(encoding="utf-8")) for path in _PAPERS.glob("*.toml")]
    return tuple(sorted(found, key=lambda paper: paper["order"]))


class Measured:
    """Rows by point, where a point is written like `sklavos-ake direction=both`.

    `powers` are rows of `aesforge power`.
    """

    def __init__(self, rows: Sequence[store.Row], powers: Sequence[store.Row] = ()) -> None:
        self._rows = {store.point(row): row for row in rows}
        self._powers = {store.point(row): row for row in powers}

    @staticmethod
    def config(point: str) -> tuple[str, Config] | None:
        """Preset and configuration; None when the preset does not exist."""
        name, *axes = point.split()
        return (name, preset(name).configure(axes)) if name in presets() else None

    def promised(self, point: str) -> Promise | None:
        """The promised cycles of a point, for its smallest key."""
        found = self.config(point)
        return promised(found[1], found[1].key_sizes[0]) if found else None

    def row(self, point: str, on: str, delay: int | None = None) -> store.Row | None:
        """The row of a point on a target, if it was measured and fits."""
        row = self._find(self._rows, point, on, delay)
        return row if row and not row.get("failed") and not row.get("too_large") else None

    def power(
        self, point: str, on: str, what: str, component: str = TOTAL, mhz: float | None = None
    ) -> float | None:
        """Power or energy of a core, such as `power_2_mw`, if it was measured at that clock."""
        row, (number, field) = self._find(self._powers, point, on), _RUNS[what]
        if row is None or mhz not in (None, row["mhz"]):
            return None
        run = next((run for run in row["runs"] if run["sboxes_run"] == number), None)
        if run is not None and component != TOTAL:
            run = run["components"].get(component)
        return None if run is None else float(run[field])

    def gates(self, point: str, on: str, component: str) -> float | None:
        """The area of a component, or of the whole core, mapped for area alone part by part."""
        row = self._find(self._powers, point, on, 0)
        if row is None:
            return None
        areas: dict[str, int] = row["ge"]
        return sum(areas.values()) if component == TOTAL else areas.get(component)

    def _find(
        self, rows: Mapping[Any, store.Row], point: str, on: str, delay: int | None = None
    ) -> store.Row | None:
        found = self.config(point)
        if found is None:
            return None
        key = {
            "preset": found[0],
            "config": found[1].as_dict(),
            "target": on,
            "delay_ps": target(on, delay).delay_ps,
        }
        return rows.get(store.point(key))

    def figure(self, spec: str) -> float | None:
        """A figure written like `sklavos-ake direction=both @ xcv lut`."""
        point, _, where = spec.partition(" @ ")
        on, what = where.split()
        if what in _RUNS:
            return self.power(point, on, what)
        row = self.row(point, on)
        return None if row is None else row[what]

    def _curve(self, spec: str) -> list[tuple[float, float]]:
        """Throughput and another figure of a point, for each delay of its mappings."""
        point, _, where = spec.partition(" @ ")
        on, what = where.split()
        found = self.config(point)
        delays = {
            row["delay_ps"]
            for row in self._rows.values()
            if found and row["preset"] == found[0] and row["target"] == on
        }
        rows = (self.row(point, on, delay or 0) for delay in delays)
        return [(row["throughput_mbps"], row[what]) for row in rows if row]

    def saving(self, less: str, more: str) -> tuple[float, float] | None:
        """The largest saving of one over another at equal throughput, in per cent, and its Mb/s.

        The smallest mapping of each that reaches the throughput counts.
        """
        curves = [self._curve(spec) for spec in (less, more)]
        if not all(curves):
            return None
        most = min(max(reached for reached, _ in curve) for curve in curves)
        found = []
        for at in sorted({reached for curve in curves for reached, _ in curve if reached <= most}):
            under, over = (min(area for r, area in curve if r >= at) for curve in curves)
            found.append((round(100 * (1 - under / over), 1), at))
        return max(found)


# Tables ------------------------------------------------------------------------------------------


def _area(row: Mapping[str, Any], part: str | None) -> float | None:
    value = row["parts"][part]["lut"] if part else row["lut"]
    return None if value is None else float(value)


def _ours(what: str, point: str, entry: Mapping[str, Any], rows: Measured) -> float | None:
    """Our figure for a column of a table."""
    promise = rows.promised(point)
    if promise is None:
        return None
    if what == "cycles":
        return promise.cycles_per_block
    if what == "latency_cycles":
        return promise.latency
    on = "area_on" if what in ("slices", "bram", "gates") else "timed_on"
    row = rows.row(point, entry[on])
    if row is None:
        return None
    part = entry.get("part")
    if what == "slices":
        area = _area(row, part)
        return None if area is None else round(area / entry["luts_per_slice"], 1)
    if what == "mbps_per_lut":
        area = _area(row, part)
        return round(row["throughput_mbps"] / area, 3) if area and row["throughput_mbps"] else None
    if what == "latency_ns":
        fmax = row["fmax_mhz"]
        return round(1000 * row["latency_cycles"] / fmax, 1) if fmax else None
    names = {"gates": "ge", "frequency_mhz": "fmax_mhz"}
    value: float | None = row[names.get(what, what)]
    return value


def _row(cells: Sequence[Any], entry: Mapping[str, Any], rows: Measured) -> dict[str, Any]:
    label, axes, *figures = cells
    point = " ".join(filter(None, [entry.get("point", ""), axes]))
    quoted = dict(zip(entry["columns"], figures, strict=True))
    if "luts_per_slice" in entry and {"slices", "throughput_mbps"} <= quoted.keys():
        luts = quoted["slices"] * entry["luts_per_slice"]
        quoted["mbps_per_lut"] = round(quoted["throughput_mbps"] / luts, 3)
    values = []
    for what, theirs in quoted.items():
        if power := what in _RUNS:
            ours = rows.power(entry["power_of"], entry["timed_on"], what, label, entry["mhz"])
        elif what == "gates" and "power_of" in entry:
            ours = rows.gates(entry["power_of"], entry["area_on"], label)
        else:
            ours = _ours(what, point, entry, rows) if point else None
        compared = ours is not None and isinstance(theirs, int | float) and theirs
        area = what in ("slices", "bram", "gates")
        values.append(
            {
                "quantity": what,
                "unit": _NAMES[what],
                "paper": theirs,
                "ours": ours,
                "ratio": round(ours / theirs, 3) if compared and ours is not None else None,
                "target": None
                if not (point or power) or "cycles" in what
                else entry["area_on" if area else "timed_on"],
            }
        )
    return {"label": label, "point": point or None, "values": values}


def table(entry: Mapping[str, Any], rows: Measured) -> dict[str, Any]:
    """A table of a paper, row by row, with our figures and the ratio of ours to theirs."""
    return {
        "title": entry["title"],
        "note": entry["note"].strip(),
        "mhz": entry.get("mhz"),
        "rows": [_row(cells, entry, rows) for cells in entry["rows"]],
    }


# Claims ------------------------------------------------------------------------------------------


def _claim(entry: Mapping[str, Any], rows: Measured) -> dict[str, Any]:
    """Whether a claim holds here; `holds` is None if a figure is not measured."""
    checks: list[tuple[bool | None, str]] = []
    for point, what, count in entry.get("cycles", []):
        promise = rows.promised(point)
        has = getattr(promise, what) if promise else None
        checks.append((None if has is None else has == count, f"{point}: {_shown(has)}"))
    for chain in entry.get("less", []):
        found = [rows.figure(spec) for spec in chain]
        known = [value for value in found if value is not None]
        held = known == sorted(set(known)) if len(known) == len(found) else None
        checks.append((held, _pairs(chain, found)))
    for spec, count in entry.get("equals", []):
        has = rows.figure(spec)
        checks.append((None if has is None else has == count, _pairs([spec], [has])))
    for spec, count in entry.get("over", []):
        has = rows.figure(spec)
        checks.append((None if has is None else has >= count, _pairs([spec], [has])))
    if entry.get("at_equal_throughput"):
        saving = rows.saving(*entry["saves"])
        detail = f"saves up to {saving[0]:g}% here, at {saving[1]:,.0f} Mb/s" if saving else ""
        held = None if saving is None else saving[0] >= entry["percent"]
        checks.append((held, detail or "saves: not measured"))
    elif "saves" in entry:
        less, more = (rows.figure(spec) for spec in entry["saves"])
        saved = round(100 * (1 - less / more), 1) if less is not None and more else None
        held = None if saved is None else saved >= entry["percent"]
        checks.append((held, f"saves {_shown(saved)}% here"))
    for more, less, times in entry.get("times", []):
        over, under = rows.figure(more), rows.figure(less)
        ratio = round(over / under, 2) if over is not None and under else None
        held = None if ratio is None else abs(ratio - times) <= _NEAR * times
        checks.append((held, f"{more}: {_shown(ratio)} times {less}, in the paper {times:g}"))
    states = [held for held, _ in checks]
    return {
        "claim": entry["text"],
        "kind": entry["kind"],
        "holds": False if False in states else None if None in states else True,
        "details": [detail for _, detail in checks],
    }


def _shown(value: float | None) -> str:
    return "not measured" if value is None else f"{value:,g}" if value < 1e6 else f"{value:,.0f}"


def _pairs(figures: Sequence[str], values: Sequence[float | None]) -> str:
    return " < ".join(f"{f}: {_shown(v)}" for f, v in zip(figures, values, strict=True))


# Everything --------------------------------------------------------------------------------------


def compare(
    rows: Sequence[store.Row], only: str | None = None, powers: Sequence[store.Row] | None = None
) -> dict[str, Any]:
    """All papers: their tables, claims and graphs with our figures; `powers` defaults to ours.

    `sound` says whether no claim of structure fails here.
    """
    known = Measured(rows, store.load(store.path("power")) if powers is None else powers)
    made = [
        {
            "paper": paper["paper"],
            "title": paper["title"],
            "tables": [table(paper.get("defaults", {}) | t, known) for t in paper["tables"]],
            "claims": [_claim(claim, known) for claim in paper["claims"]],
        }
        for paper in papers()
        if only is None or only.lower() in paper["paper"].lower()
    ]
    claims = [claim for paper in made for claim in paper["claims"]]
    return {
        "papers": made,
        "graphs": graphs(rows),
        "sound": not any(c["holds"] is False for c in claims if c["kind"] == "structure"),
    }


# Graphs ------------------------------------------------------------------------------------------


def _series(name: str, points: Sequence[tuple[Any, float | None]], theirs: bool) -> dict[str, Any]:
    kept = [(x, y) for x, y in points if x is not None and y is not None]
    return {
        "name": name,
        "paper": theirs,
        "x": [x for x, _ in kept],
        "y": [y for _, y in kept],
    }


def _by_key_size(rows: Measured) -> list[dict[str, Any]]:
    """Graphs 1 to 3 of Kakarlapudi & Alabur, from their tables and ours."""
    paper = next(paper for paper in papers() if paper["order"] == 1)
    found = []
    for what, title in (
        ("throughput_mbps", "Throughput by key size"),
        ("slices", "Area by key size"),
        ("mbps_per_lut", "Throughput per area by key size"),
    ):
        series = []
        for entry in paper["tables"]:
            if "point" not in entry or (what != "slices" and entry["area_on"] == "xc3se"):
                continue
            name = entry["title"].split(": ", 1)[1]
            for theirs in (True, False):
                side = "paper" if theirs else "ours"
                points = []
                for row in table(paper["defaults"] | entry, rows)["rows"]:
                    value = next(v for v in row["values"] if v["quantity"] == what)
                    points.append((f"{row['label']} bits", value[side]))
                where = "ECP5" if not theirs and what != "slices" else name.split(", ")[-1]
                label = f"{', '.join(name.split(', ')[:-1])}, {where} ({side})"
                series.append(_series(label, points, theirs))
        found.append(
            {
                "title": f"{title} (Kakarlapudi & Alabur, graphs 1 to 3)",
                "x": "key size",
                "y": _NAMES[what],
                "kind": "bar",
                "series": series,
            }
        )
    return found


_SBOXES = {
    ("0", "0"): "table",
    ("1", "0"): "composite, one stage",
    ("1", "1"): "composite, two stages",
    ("1", "2"): "composite, three stages",
}


def graphs(rows: Sequence[store.Row]) -> list[dict[str, Any]]:
    """The papers' graphs with our points: `kind` is bar or line, each of `series` has x and y.

    The graphs of Hodjat & Verbauwhede have no printed figures, so they show ours alone.
    """
    known = Measured(rows)
    made = _by_key_size(known)
    cells = [row for row in rows if row["target"] == "osu018" and row.get("ge")]
    curves = []
    for (sbox, cuts), name in _SBOXES.items():
        points = [
            (round(1000 / row["fmax_mhz"], 3), row["ge"])
            for row in cells
            if row.get("core") == "aes_sub_bytes_pipelined"
            and (row["config"]["Sbox"], row["config"]["Latency"]) == (sbox, cuts)
            and row["fmax_mhz"]
        ]
        curves.append(_series(name, sorted(points), theirs=False))
    made.append(
        {
            "title": "Area against delay of an S-box (Hodjat & Verbauwhede, fig. 5; ours)",
            "x": "ns, slowest stage with its register",
            "y": "GE",
            "kind": "line",
            "series": curves,
        }
    )
    for schedule, figure in (("on_the_fly", 7), ("stored", 9)):
        curves = []
        for name in presets():
            if name.startswith("hodjat-"):
                points = [
                    (row["throughput_mbps"] / 1000, row["ge"])
                    for row in cells
                    if row["preset"] == name
                    and row["config"]["key_schedule"] == schedule
                    and (row["config"]["keys"], row["config"]["direction"]) == ("128", "encrypt")
                    and row["throughput_mbps"]
                ]
                curves.append(_series(name, sorted(points), theirs=False))
        made.append(
            {
                "title": "Area against throughput, keys "
                f"{schedule.replace('_', ' ')} (Hodjat & Verbauwhede, fig. {figure}; ours)",
                "x": "Gb/s",
                "y": "GE",
                "kind": "line",
                "series": curves,
            }
        )
    return made
