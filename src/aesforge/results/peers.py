"""Other open cores, measured with the same tools, and the point of ours that is ahead of each.

`results/peers.json` lists them with source and commit. A point on the same target is ahead if it
has all key sizes and directions of the other core, at least its throughput, at most its area and no
more block RAM. Without a throughput, its cycles per block are compared. Beside a core that works on
one block at a time, only such cores of ours are placed.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from aesforge.results import store
from aesforge.space.axes import DIRECTIONS, Config
from aesforge.space.presets import preset
from aesforge.space.targets import targets

HEAD = ("core", "takes", "target", "area", "speed", "ours", "area", "speed", "", "what it is", "by")

_ONE_BLOCK = ("iterative", "serial")
"""Engines that work on one block at a time, or on the next one beside its last round."""


def peers() -> dict[str, Any]:
    """The other open cores: their source, commit and figures."""
    path = store.path().with_name("peers.json")
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


@dataclass(frozen=True)
class Beside:
    """Another core on a target, and a row of ours: the smallest ahead of it, else the nearest.

    `area` is in LUTs or GE; `throughput_mbps` is None where only cycles are compared.
    """

    core: dict[str, Any]
    target: str
    area: int
    throughput_mbps: float | None
    ours: store.Row | None
    ahead: bool
    by: str

    @property
    def cells(self) -> tuple[str, ...]:
        """A line under `HEAD`; figures that are not measured are empty."""
        core, row = self.core, self.ours
        untimed = self.throughput_mbps is None
        unit = "GE" if targets()[self.target].liberty else "LUT"

        def speed(cycles: float, mbps: float | None) -> str:
            return f"{cycles:g} cycle{'s' * (cycles != 1)}" if untimed else f"{mbps or 0:,.0f} Mb/s"

        theirs = (
            core["name"],
            f"{core['key_sizes']}, {core['direction']}",
            self.target,
            f"{self.area:,} {unit}",
            speed(core["cycles_per_block"], self.throughput_mbps),
        )
        about = (core.get("architecture", ""), self.by)
        if row is None:
            return (*theirs, "", "", "", "not measured", *about)
        axes = preset(row["preset"]).choices(Config(**row["config"]))
        delay = f" --delay {row['delay_ps']}" if row.get("delay_ps") else ""
        return (
            *theirs,
            f"{row['preset']} {axes}{delay}",
            f"{_area(row):,} {unit}",
            speed(row["cycles_per_block"], row["throughput_mbps"]),
            "ahead" if self.ahead else "not ahead",
            *about,
        )


def _area(row: store.Row) -> int:
    return int(row["lut"] if row["ge"] is None else row["ge"])


def _shares(row: store.Row, core: dict[str, Any], area: int, mbps: float | None) -> float:
    """The larger of area and time per block relative to the other core; ahead up to 1."""
    slower = row["cycles_per_block"] / core["cycles_per_block"]
    if mbps is not None:
        slower = mbps / row["throughput_mbps"] if row["throughput_mbps"] else float("inf")
    return float(max(_area(row) / area, slower))


def beside(rows: Sequence[store.Row]) -> Iterator[Beside]:
    """Each other core on each target, with the best match in `rows`."""
    usable = [
        row
        for row in rows
        if row["preset"] and not row.get("failed") and not row.get("too_large")
        # Who compares cores builds what is named without a second thought.
        if not Config(**row["config"]).notices
    ]
    for core in peers()["cores"]:
        sizes = {int(bits) for bits in core["key_sizes"].split("/")}
        either = DIRECTIONS if core["direction"] == "both" else (core["direction"],)
        for figures in core["figures"]:
            target = figures["target"]
            area, mbps = figures.get("lut", figures.get("ge")), figures.get("throughput_mbps")
            like = []
            for row in usable:
                config = Config(**row["config"])
                if (
                    row["target"] == target
                    and (core["cycles_per_block"] == 1 or config.engine in _ONE_BLOCK)
                    and sizes <= set(config.key_sizes)
                    and set(either) <= set(config.directions)
                    and (row["bram"] or 0) <= figures.get("bram", 0)
                ):
                    like.append((_shares(row, core, area, mbps), row))
            ahead = [row for share, row in like if share <= 1]
            ours = min(ahead, key=_area) if ahead else None
            if ours is None and like:
                ours = min(like, key=lambda pair: pair[0])[1]
            yield Beside(core, target, area, mbps, ours, bool(ahead), figures["by"])
