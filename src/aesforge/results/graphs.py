"""The papers' graphs with our points, for the page of `aesforge report`."""

from collections.abc import Sequence
from typing import Any

from aesforge.results.comparison import UNITS, papers, table
from aesforge.results.figures import Measured


def _series(name: str, points: Sequence[tuple[Any, float | None]], theirs: bool) -> dict[str, Any]:
    kept = [(x, y) for x, y in points if x is not None and y is not None]
    return {
        "name": name,
        "paper": theirs,
        "x": [x for x, _ in kept],
        "y": [y for _, y in kept],
    }


def _by_key_size(rows: Measured) -> list[dict[str, Any]]:
    """Graphs 1 to 3 of Kakarlapudi & Alabur, from their tables and ours.

    Graph 1 has the cores of both directions. Ours on ECP5 stand for both devices of the paper, as
    neither has an open placer.
    """
    paper = next(paper for paper in papers() if paper["name"] == "kakarlapudi")
    found = []
    for number, (what, title) in enumerate(
        (
            ("throughput_mbps", "Throughput of the combined cores by key size"),
            ("slices", "Area by key size"),
            ("kbps_per_slice", "Throughput per area by key size"),
        ),
        start=1,
    ):
        series = []
        for entry in paper["tables"]:
            if "point" not in entry or (number == 1 and "direction=both" not in entry["point"]):
                continue
            *core, device = entry["title"].split(": ", 1)[1].split(", ")
            made = table(paper["defaults"] | entry, rows)["rows"]
            for theirs in (True, False):
                # Speed of ours is of one device, so that it is drawn once.
                if not theirs and what != "slices" and entry["area_on"] == "xc3se":
                    continue
                points = []
                for row in made:
                    value = next(v for v in row["values"] if v["quantity"] == what)
                    points.append((f"{row['label']} bits", value["paper" if theirs else "ours"]))
                where = "ECP5" if not theirs and what != "slices" else device
                label = f"{', '.join(core)}, {where} ({'paper' if theirs else 'ours'})"
                series.append(_series(label, points, theirs))
        found.append(
            {
                "title": f"{title} (Kakarlapudi & Alabur, graph {number})",
                "x": "key size",
                "y": UNITS[what],
                "kind": "bar",
                "series": series,
            }
        )
    return found


def graphs(rows: Measured) -> list[dict[str, Any]]:
    """The papers' graphs: `kind` is bar or line, and each of `series` has x and y.

    The graphs of Hodjat & Verbauwhede have no printed figures, so they show ours alone.
    """
    made = _by_key_size(rows)
    for paper in papers():
        for entry in paper.get("curves", []):
            pipeline = entry["speed"] == "gbps"
            series = []
            for label, point in entry["series"]:
                curve = rows.curve(point, entry["on"])
                points = [
                    (round(0.128 * mhz, 2) if pipeline else round(1000 / mhz, 3), area)
                    for mhz, area in (curve.points if curve else ())
                ]
                series.append(_series(label, sorted(points), theirs=False))
            made.append(
                {
                    "title": f"{entry['title']} ({paper['paper']}; ours)",
                    "x": "Gb/s" if pipeline else "ns, slowest stage with its register",
                    "y": "GE",
                    "kind": "line",
                    "series": series,
                }
            )
    return made
