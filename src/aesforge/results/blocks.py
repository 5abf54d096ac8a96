"""What Rijndael's longer blocks cost: cores that differ in nothing but `block`, side by side."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from aesforge.results.areas import area, timed, unit, where
from aesforge.results.digits import shown
from aesforge.results.store import Row
from aesforge.space.axes import BLOCK_BITS, Config
from aesforge.space.presets import presets

Core = tuple[Row, ...]
"""The rows of a core, one for each size of a block."""


def of_aes(rows: Iterable[Row]) -> list[Row]:
    """The rows of cores for blocks of 128 bits: the others are not AES."""
    return [row for row in rows if row["config"].get("block", "128") == "128"]


def side_by_side(rows: Iterable[Row]) -> list[Core]:
    """The cores that are measured with every size of a block, by target."""
    found: dict[tuple[str, ...], dict[str, Row]] = defaultdict(dict)
    for row in rows:
        core = {axis: value for axis, value in row["config"].items() if axis != "block"}
        known = (row["target"], str(row["delay_ps"] or ""), row["preset"], *map(str, core.items()))
        found[known][row["config"].get("block", "128")] = row
    sizes = [str(bits) for bits in BLOCK_BITS]
    return [
        tuple(by_size[size] for size in sizes)
        for _, by_size in sorted(found.items())
        if by_size.keys() == {*sizes}
    ]


def _throughput(row: Row) -> float | None:
    """Mb/s, if it counts."""
    return row["throughput_mbps"] if timed(row) else None


def _efficiency(row: Row) -> float | None:
    """kb/s per LUT or per GE."""
    throughput = _throughput(row)
    return 1000 * throughput / area(row) if throughput else None


def _name(row: Row) -> str:
    config = Config(**row["config"])
    chosen = presets()[row["preset"]].choices(config).split()
    shortened = [axis for axis in chosen if not axis.startswith(("block=", "idle_output="))]
    return " ".join((row["preset"], *shortened))


def _label(row: Row) -> str:
    """A short name for an axis of a graph, whose title says what is encrypted."""
    schedule = row["config"]["key_schedule"].replace("_", " ")
    return f"{row['preset']}, {schedule}, {row['target']}"


def _times(value: float | None, of: float | None) -> str:
    return f"{value / of:.2f}" if value and of else ""


def table(rows: Iterable[Row]) -> str:
    """Area, throughput and efficiency by block size, and each as a multiple of 128 bits."""
    lines = [
        "| core | target | block | cycles per block | area | times | MHz | Mb/s | times "
        "| kb/s per LUT or GE | times |",
        "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for core in side_by_side(rows):
        for row in core:
            first = row is core[0]
            throughput = _throughput(row)
            cells = [
                f"`{_name(row)}`" if first else "",
                where(row) if first else "",
                row["config"]["block"],
                f"{row['cycles_per_block']:g}",
                f"{area(row):,.0f} {unit(row)}",
                _times(area(row), area(core[0])),
                shown(row, row["fmax_mhz"]) if throughput else "",
                shown(row, throughput),
                _times(throughput, _throughput(core[0])),
                shown(row, _efficiency(row)),
                _times(_efficiency(row), _efficiency(core[0])),
            ]
            lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) if len(lines) > 2 else "Not measured yet."


_QUANTITIES = (("area", area), ("throughput", _throughput), ("throughput per area", _efficiency))


def graph(rows: Iterable[Row]) -> list[dict[str, Any]]:
    """For each quantity the cores with 192 and 256 bits, as multiples of the same with 128.

    Of cores that encrypt with 256-bit keys.
    """
    of_graph = {"keys": "256", "direction": "encrypt"}
    cores = side_by_side(row for row in rows if of_graph.items() <= row["config"].items())
    found = []
    for what, of in _QUANTITIES:
        series = []
        for at, bits in enumerate(BLOCK_BITS[1:], 1):
            points = [
                (_label(core[0]), round(value / before, 3))
                for core in cores
                for value, before in ((of(core[at]), of(core[0])),)
                if value and before
            ]
            names, values = ([point[k] for point in points] for k in (0, 1))
            series.append({"name": f"{bits} bits", "paper": False, "x": names, "y": values})
        title = f"Rijndael with 256-bit keys: {what} as a multiple of AES-256 by the same core"
        axes = {"x": "core", "y": "multiple", "kind": "bar"}
        found.append({"title": title, **axes, "series": series})
    return found if cores else []
