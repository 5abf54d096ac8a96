"""The tables, figures and claims of the five papers, compared with our measurements. No tool runs.

Each paper is a file of `papers/`, in which

- `[[systems]]` are what the authors built: its `figure`, our `command` that shows it, `ours` (how
  it maps to the figure), and `missing` where ours falls short.
- `[[tables]]` have a `name`, `columns` and `rows`. A row has a label, the point of ours that is its
  counterpart (appended to the table's own `point`; empty for none) and the paper's figures. The
  point may end in ` @ TARGET`, where area is measured (`area_on` and `timed_on` are the defaults),
  and ` chained`: each block waits for the result of the one before.
  `also` are columns of ours that the paper has not. In a table with `power_of`, gates, power and
  frequency are of one netlist, and the second cell is a component of it, `total`, or the number of
  S-boxes in use.
- `[[curves]]` are graphs without printed figures: `series` of a label and a point, for all delays.
- `[[claims]]` have the place in the paper (`where`) and checks. A claim of `structure` (cycles,
  counts, orderings) must hold here; an `outcome` may differ with other tools and devices, and
  `reason` says why it does (or `@NAME` of `[reasons]`); `others` are of designs without
  sources, or of devices without an open placer.
"""

import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from aesforge.results import store
from aesforge.results.figures import LUTS_PER_SLICE, TOTAL, Measured, saving, slices
from aesforge.space.promises import serial_phases

_PAPERS = Path(__file__).with_name("papers")

UNITS = {
    "slices": "slices",
    "half_slices": "slices of 2 LUTs",
    "whole_slices": "slices, whole core",
    "port_slices": "the same, 32-bit ports",
    "luts": "LUTs",
    "ff": "flip-flops",
    "wired_gates": "gates, wires",
    "wired_mhz": "MHz, wires",
    "wired_mbps": "Mb/s, wires",
    "bram": "block RAMs",
    "gates": "gates",
    "gates_share": "% of gates",
    "latency_ns": "ns per block",
    "throughput_mbps": "Mb/s",
    "frequency_mhz": "MHz",
    "kbps_per_slice": "kb/s per slice",
    "mbps_per_slice": "Mb/s per slice",
    "cycles": "cycles",
    "latency_cycles": "cycles",
    "first_round": "first round",
    "round_loop": "round loop",
    "last_round": "last round",
    "device": "device",
    "bits": "bits",
    **{f"power_{n}_mw": f"mW, {n} S-box{'es' * (n > 1)}" for n in (1, 2, 4)},
    **{f"power_{n}_share": "% of mW" for n in (1, 2, 4)},
}
"""The quantities of tables, with the words for their columns."""

_FIELDS = {
    "lut": "LUT",
    "lutram": "LUT RAMs",
    "bram": "block RAMs",
    "ff": "FF",
    "ge": "GE",
    "fmax_mhz": "MHz",
    "throughput_mbps": "Mb/s",
    "mbps_per_lut": "Mb/s per LUT",
    **{f"power_{n}_mw": "mW" for n in (1, 2, 4)},
    "power_fmax_mhz": "MHz",
    **{f"power_{n}_mw-registers_{n}_mw": "mW without registers" for n in (1, 2, 4)},
    **{f"energy_{n}_nj": "nJ" for n in (1, 2, 4)},
}
_NEAR = 0.1
"""The tolerance of a ratio, relative to the paper's ratio."""

_VERDICTS = {True: "holds", False: "differs", None: "open"}


@cache
def papers() -> tuple[dict[str, Any], ...]:
    """The five papers, from their files."""
    found = [
        {"name": path.stem, **tomllib.loads(path.read_text(encoding="utf-8"))}
        for path in _PAPERS.glob("*.toml")
    ]
    return tuple(sorted(found, key=lambda paper: paper["order"]))


# Tables ------------------------------------------------------------------------------------------


class _Line:
    """Our figures for one row of a table. `part` is the part of a core that is compared."""

    def __init__(self, entry: Mapping[str, Any], cell: str, rows: Measured) -> None:
        point, _, where = cell.partition(" @ ")
        on, *rest = [*where.split(), ""]
        self.chained = "chained" in rest
        self.point = " ".join(filter(None, [entry.get("point", ""), point]))
        self.area_on: str = on or entry.get("area_on", "")
        self.timed_on: str = entry.get("timed_on", "")
        self.entry, self.rows = entry, rows
        self.area = rows.row(self.point, self.area_on) if self.area_on and self.point else None
        self.timed = rows.row(self.point, self.timed_on) if self.timed_on else None

    def target(self, what: str) -> str | None:
        """The target that a quantity is measured on, if it is measured."""
        if what in ("cycles", "latency_cycles", "first_round", "round_loop", "last_round", "bits"):
            return None
        areas = (
            "slices",
            "half_slices",
            "whole_slices",
            "port_slices",
            "luts",
            "ff",
            "bram",
            "gates",
            "device",
        )
        return self.area_on if what in areas else self.timed_on

    def _part(self, row: store.Row) -> Mapping[str, Any]:
        part = self.entry.get("part")
        counts: Mapping[str, Any] = row["parts"][part] if part else row
        return counts

    def ours(self, what: str) -> float | str | None:
        """Our figure of a quantity; None when it is not measured."""
        promise = self.rows.promised(self.point)
        cycles = latency = None
        if promise:
            latency = promise.latency
            cycles = latency if self.chained else promise.cycles_per_block
        if what in ("cycles", "latency_cycles"):
            return cycles if what == "cycles" else latency
        if what in ("first_round", "round_loop", "last_round"):
            found = self.rows.config(self.point)
            return (
                found
                and serial_phases(found[1])[("first_round", "round_loop", "last_round").index(what)]
            )
        row = self.area if self.target(what) == self.area_on else self.timed
        if row is None:
            return None
        each = LUTS_PER_SLICE.get(self.area_on, 2)
        match what:
            case "slices" | "half_slices":
                return slices(self._part(row), 2 if what == "half_slices" else each)
            case "whole_slices":
                return slices(row, each)
            case "port_slices":
                port = self.rows.row(f"{self.point} port=word32", self.area_on)
                return slices(port, each) if port else None
            case "device":
                return self._device(row)
            case "kbps_per_slice" | "mbps_per_slice":
                area = slices(self._part(row), each)
                scale = 1000 if what == "kbps_per_slice" else 1
                rate = row["throughput_mbps"]
                return scale * rate / area if rate and area else None
            case "throughput_mbps":
                return 128 * row["fmax_mhz"] / cycles if row["fmax_mhz"] and cycles else None
            case "latency_ns":
                return 1000 * row["latency_cycles"] / row["fmax_mhz"] if row["fmax_mhz"] else None
        fields = {
            "gates": "ge",
            "luts": "lut",
            "frequency_mhz": "fmax_mhz",
            "wired_gates": "ge",
            "wired_mhz": "fmax_mhz",
            "wired_mbps": "throughput_mbps",
        }
        if what.startswith("wired_"):
            row = row.get("with_wires") or {}
        value: float | None = row.get(fields.get(what, what))
        return value

    def _device(self, row: store.Row) -> str | None:
        """The smallest of `devices` that has the slices and block RAMs of the whole core."""
        area = slices(row, LUTS_PER_SLICE[self.area_on])
        for name, has, memories in self.entry["devices"]:
            if area is not None and area <= has and row["bram"] <= memories:
                return str(name)
        return None


class _Powered:
    """Gates, power and frequency of one netlist, by component or by the S-boxes in use."""

    def __init__(self, entry: Mapping[str, Any], cell: str, rows: Measured) -> None:
        self.point: str = entry["power_of"] if cell else ""
        self.area_on = self.timed_on = str(entry["timed_on"])
        self.cell = cell
        row = rows.power(self.point, self.timed_on, entry.get("delay")) if cell else None
        self.row = row if row and row["mhz"] == entry["mhz"] else None

    def target(self, _what: str) -> str | None:
        return self.timed_on

    def _of(self, values: Mapping[str, float]) -> float | None:
        return sum(values.values()) if self.cell.isdigit() else self._part(values)

    def _part(self, values: Mapping[str, float]) -> float | None:
        return sum(values.values()) if self.cell == TOTAL else values.get(self.cell)

    def ours(self, what: str) -> float | None:
        """Our figure of a quantity; None when it is not measured at the clock of the paper."""
        if self.row is None:
            return None
        if what in ("frequency_mhz", "throughput_mbps"):
            fmax = float(self.row["fmax_mhz"])
            cycles = [
                r["cycles_per_block"] for r in self.row["runs"] if self.cell == str(r["sboxes_run"])
            ]
            return fmax if what == "frequency_mhz" else 128 * fmax / cycles[0] if cycles else None
        values: Mapping[str, float] = self.row["ge"]
        if what.startswith("power"):
            number = int(what.split("_")[1])
            run = next((r for r in self.row["runs"] if r["sboxes_run"] == number), None)
            if run is None:
                return None
            values = {name: part["mw"] for name, part in run["components"].items()}
        found = self._of(values)
        if what.endswith("_share"):
            return None if found is None else round(100 * found / sum(values.values()), 1)
        return found


def _rounded(value: float | str | None) -> float | str | None:
    """Four digits at least, and no more decimal places than they need."""
    if not isinstance(value, float):
        return value
    places = 3 if abs(value) < 10 else 2 if abs(value) < 100 else 1
    return int(value) if value.is_integer() else round(value, places)


def _row(cells: Sequence[Any], entry: Mapping[str, Any], rows: Measured) -> dict[str, Any]:
    label, cell, *figures = cells
    also = entry.get("also", [])
    quoted = dict(zip(entry["columns"], figures, strict=True)) | dict.fromkeys(also)
    made: _Line | _Powered = (_Powered if "power_of" in entry else _Line)(entry, cell, rows)
    values = []
    for what, theirs in quoted.items():
        ours = made.ours(what) if made.point else None
        ratio = None
        comparable = isinstance(ours, int | float) and isinstance(theirs, int | float)
        if comparable and theirs and not what.endswith("_share"):
            ratio = round(ours / theirs, 3)
        values.append(
            {
                "quantity": what,
                "unit": UNITS[what],
                "paper": theirs,
                "ours": _rounded(ours),
                "ratio": ratio,
                "target": made.target(what) if made.point else None,
            }
        )
    return {"label": label, "point": made.point or None, "values": values}


def table(entry: Mapping[str, Any], rows: Measured) -> dict[str, Any]:
    """A table of a paper, row by row, with our figures and the ratio of ours to theirs."""
    return {
        "name": entry["name"],
        "title": entry["title"],
        "note": entry.get("note", "").strip(),
        "mhz": entry.get("mhz"),
        "rows": [_row(cells, entry, rows) for cells in entry["rows"]],
    }


def curve_table(entry: Mapping[str, Any], rows: Measured) -> dict[str, Any]:
    """A graph of a paper as a table: the points of each of its curves, all of them ours."""
    lines = []
    for label, point in entry["series"]:
        curve = rows.curve(point, entry["on"])
        for mhz, area in curve.points if curve else ():
            speed = {
                "ns": ("ns, slowest stage", round(1000 / mhz, 3)),
                "gbps": ("Gb/s", round(0.128 * mhz, 1)),
            }[entry["speed"]]
            lines.append(
                {
                    "label": label,
                    "point": point,
                    "values": [
                        {
                            "quantity": quantity,
                            "unit": unit,
                            "paper": None,
                            "ours": value,
                            "ratio": None,
                            "target": entry["on"],
                        }
                        for quantity, (unit, value) in (
                            ("speed", speed),
                            ("gates", ("GE", area)),
                        )
                    ],
                }
            )
    return {
        "name": entry["name"],
        "title": entry["title"],
        "note": entry.get("note", "").strip(),
        "mhz": None,
        "rows": lines,
    }


@dataclass(frozen=True)
class Layout:
    """A table as text: what all rows of ours have in common, the head, and the lines below it.

    `ours` is the common part of the points, with the target if there is one target.

    A row has a line of the paper, one of ours, and the ratio; a line without figures is left out.
    """

    ours: str
    head: Sequence[str]
    lines: Sequence[Sequence[str]]


def layout(found: Mapping[str, Any]) -> Layout:
    """How a table is shown, everywhere."""
    rows = found["rows"]
    points = [row["point"].split() for row in rows if row["point"]]
    common = [word for word in points[0] if all(word in p for p in points)] if points else []
    units = [value["unit"] for value in rows[0]["values"]] if rows else []
    on = [
        sorted({row["values"][at]["target"] or "" for row in rows} - {""})
        for at in range(len(units))
    ]
    # A target that all columns have is named once.
    if len({*map(tuple, filter(None, on))}) == 1:
        common += ["on", next("/".join(names) for names in on if names)]
        on = [[] for _ in units]
    # Where rows have different ones, each row names its own.
    own_at = next((at for at, names in enumerate(on) if len(names) > 1), None)
    head = ["", *(f"{u} ({o[0]})" if len(o) == 1 else u for u, o in zip(units, on, strict=True))]
    lines = []
    for row in rows:
        values = row["values"]
        theirs = any(value["paper"] is not None for value in values)
        if theirs:
            lines.append([row["label"], *(shown(value["paper"]) for value in values)])
        if row["point"]:
            own = " ".join(word for word in row["point"].split() if word not in common)
            if own_at is not None:
                own += f" on {values[own_at]['target']}"
            name = f"ours, {own}".removesuffix(", ") if theirs else row["label"]
            if all(value["ours"] is None for value in values):
                name += " (not measured)"
            lines.append([name, *(shown(value["ours"]) for value in values)])
        if any(value["ratio"] is not None for value in values):
            ratios = ("" if v["ratio"] is None else f"{v['ratio']:.2f}" for v in values)
            lines.append(["ours / paper", *ratios])
    return Layout(" ".join(common), head, lines)


def shown(value: object) -> str:
    """A figure as text; empty for none."""
    if value is None:
        return ""
    return f"{value:,}" if isinstance(value, int | float) else str(value)


# Claims ------------------------------------------------------------------------------------------

Check = tuple[bool | None, str]
"""Whether it holds (None: not measured), and what was found."""


def _number(value: float | None) -> str:
    if value is None:
        return "not measured"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def _unit(spec: str) -> str:
    what = spec.split()[-1].split(".")[-1]
    return _FIELDS.get(what, what)


def _cycles(item: Sequence[Any], rows: Measured) -> Check:
    point, what, count = item
    promise = rows.promised(point)
    has = getattr(promise, what) if promise else None
    return None if has is None else has == count, f"{_number(has)}"


def _less(chain: Sequence[str], rows: Measured) -> Check:
    found = [rows.figure(spec) for spec in chain]
    known = [value for value in found if value is not None]
    if len(known) < len(found):
        missing = (spec for spec, value in zip(chain, found, strict=True) if value is None)
        return None, f"not measured: {next(missing)}"
    text = _number(known[0])
    for a, b in pairwise(known):
        text += f" {'<' if a < b else '=' if a == b else '>'} {_number(b)}"
    return all(a < b for a, b in pairwise(known)), f"{text} {_unit(chain[0])}"


def _equals(item: Sequence[Any], rows: Measured) -> Check:
    spec, count = item
    has = rows.figure(spec)
    return None if has is None else has == count, f"{_number(has)} {_unit(spec)}"


def _within(item: Sequence[Any], rows: Measured) -> Check:
    spec, low, high = item
    has = rows.figure(spec)
    if has is None:
        return None, "not measured"
    return low <= has <= high, f"{_number(has)} {_unit(spec)}"


def _rates(item: Sequence[Any], rows: Measured) -> Check:
    """The throughput of a mode of a core at the frequency of the whole core."""
    core, mode, on, mbps = item
    row, promise = rows.row(core, on), rows.promised(mode)
    if row is None or promise is None or not row["fmax_mhz"]:
        return None, "not measured"
    rate = 128 * row["fmax_mhz"] / promise.cycles_per_block
    return rate >= mbps, f"{rate:,.0f} Mb/s"


def _saves(item: Sequence[Any], rows: Measured) -> Check:
    less, more, percent = item
    under, over = rows.figure(less), rows.figure(more)
    if under is None or not over:
        return None, "not measured"
    saved = 100 * (1 - under / over)
    text = f"{_number(under)} against {_number(over)} {_unit(less)}, {saved:.1f}% less"
    return round(saved) >= percent, text


def _times(item: Sequence[Any], rows: Measured) -> Check:
    more, less, times = item
    over, under = rows.figure(more), rows.figure(less)
    if over is None or not under:
        return None, "not measured"
    text = f"{_number(over)} against {_number(under)} {_unit(more)}, {over / under:.2f} times"
    return abs(over / under - times) <= _NEAR * times, text


def _saves_at_speed(item: Sequence[Any], rows: Measured) -> Check:
    """Of cells alone, and with wires where both curves have them, which then decides."""
    less, more, on, percent = item
    saved, texts = None, []
    for wires, name in ((False, "cells alone"), (True, "with wires")):
        under, over = (rows.curve(point, on, wires) for point in (less, more))
        if under is None or over is None:
            continue
        if under.current != over.current:
            texts.append(f"{name}, one of them is not measured with the present settings")
            continue
        saved, at = saving(under, over)
        low, high = max(under.slowest, over.slowest), min(under.fastest, over.fastest)
        where = (
            f"where both are from {low:,.0f} to {high:,.0f} MHz"
            if low <= high
            else f"one ends there, the other starts at {low:,.0f}"
        )
        texts.append(f"{name}, up to {saved:.1f}% less, at {at:,.0f} MHz ({where})")
    # The paper has whole per cents.
    held = None if saved is None else round(saved) >= percent
    return held, "; ".join(texts) or "not measured"


def _path(item: Sequence[Any], rows: Measured) -> Check:
    point, on, parts = item
    row = rows.row(point, on)
    path = row.get("critical_path") if row else None
    if row is None or not path:
        return None, "not measured"
    instances = dict.fromkeys(part for net in path for part in re.findall(r"\bu_\w+", net))
    inside = [name for name in instances if name not in ("u_dut", "u_core")]
    return any(part in net for net in path for part in parts), (
        f"the path of {1000 / row['fmax_mhz']:.2f} ns on {on} passes {', '.join(inside) or path[0]}"
    )


def _shown_by(item: str, _rows: Measured) -> Check:
    return True, f"checked by {item}"


def _refuted_by(item: str, _rows: Measured) -> Check:
    return False, f"refuted by {item}"


CHECKS: dict[str, Callable[[Any, Measured], Check]] = {
    "cycles": _cycles,
    "less": _less,
    "equals": _equals,
    "within": _within,
    "rates": _rates,
    "saves": _saves,
    "times": _times,
    "saves_at_speed": _saves_at_speed,
    "path": _path,
    "shown_by": _shown_by,
    "refuted_by": _refuted_by,
}


def _checks(entry: Mapping[str, Any], rows: Measured) -> Iterator[Check]:
    for name, check in CHECKS.items():
        for item in entry.get(name, []):
            yield check(item, rows)


def _claim(entry: Mapping[str, Any], reasons: Mapping[str, str], rows: Measured) -> dict[str, Any]:
    """Whether a claim holds here; `holds` is None if a figure is not measured."""
    checks = list(_checks(entry, rows))
    states = [held for held, _ in checks]
    holds = False if False in states else None if None in states or not states else True
    found = "; ".join(dict.fromkeys(text for _, text in checks))
    if entry.get("cycles"):
        found += f" {entry.get('unit', 'cycles')}"
    reason = entry.get("reason", "")
    return {
        "where": entry["where"],
        "claim": entry["text"],
        "kind": entry["kind"],
        "holds": holds,
        "verdict": "n/a" if entry["kind"] == "others" else _VERDICTS[holds],
        "found": found,
        "reason": "" if holds else reasons.get(reason.removeprefix("@"), reason).strip(),
    }


# Everything --------------------------------------------------------------------------------------


def _summary(paper: Mapping[str, Any]) -> dict[str, int]:
    """How much of a paper is reproduced, and how many of its claims hold.

    `tables` are those with a counterpart of ours, `reproduced` those with figures of ours.
    """
    compared = [t for t in paper["tables"] if any(row["point"] for row in t["rows"])]
    ours = [
        t
        for t in compared
        if any(v["ours"] is not None for row in t["rows"] for v in row["values"])
    ]
    verdicts = Counter(claim["verdict"] for claim in paper["claims"])
    return {
        "systems": len(paper["systems"]),
        "complete": sum(not system["missing"] for system in paper["systems"]),
        "tables": len(compared),
        "reproduced": len(ours),
        "claims": len(paper["claims"]),
        "hold": verdicts["holds"],
        "differ": verdicts["differs"],
        "open": verdicts["open"],
        "others": verdicts["n/a"],
    }


def compare(
    rows: Sequence[store.Row], only: str | None = None, powers: Sequence[store.Row] | None = None
) -> dict[str, Any]:
    """All papers, or those whose name or authors include `only`, with our figures.

    `powers` defaults to ours. `sound` says whether no claim of structure fails here.
    """
    from aesforge.results.graphs import graphs

    known = Measured(rows, store.load(store.path("power")) if powers is None else powers)
    made = []
    for paper in papers():
        if only is not None and only.lower() not in f"{paper['name']} {paper['paper']}".lower():
            continue
        defaults = paper.get("defaults", {})
        found = {
            "paper": paper["paper"],
            "name": paper["name"],
            "title": paper["title"],
            "built": paper["built"].strip(),
            "note": paper["note"].strip(),
            "systems": [{"missing": "", **system} for system in paper["systems"]],
            "tables": [
                *(table(defaults | one, known) for one in paper["tables"]),
                *(curve_table(one, known) for one in paper.get("curves", [])),
            ],
            "claims": [_claim(claim, paper.get("reasons", {}), known) for claim in paper["claims"]],
        }
        made.append({**found, "summary": _summary(found)})
    claims = [claim for paper in made for claim in paper["claims"]]
    return {
        "papers": made,
        "graphs": graphs(known),
        "sound": not any(c["holds"] is False for c in claims if c["kind"] == "structure"),
    }
