"""Other open cores, measured with the same tools, and the point of ours that is ahead of each.

`results/peers.toml` lists them with source and commit, `results/peers.jsonl` has what `aesforge
peers` measured. A point on the same target is ahead if it has all key sizes and directions of the
other core, at least its throughput, at most its area and no more block RAM. Without a throughput,
its cycles per block are compared; of a mode, those in a long packet. Beside a core that works on
one block at a time, only such cores of ours are placed.
"""

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from aesforge.results import store
from aesforge.results.areas import area
from aesforge.space.axes import DIRECTIONS, Config
from aesforge.space.presets import preset
from aesforge.space.targets import targets

HEAD = ("core", "takes", "target", "area", "speed", "ours", "area", "speed", "", "what it is", "by")

ROWS = "peers"
"""The store of the rows of other cores."""

_ONE_BLOCK = ("iterative", "serial")
"""Engines that work on one block at a time, or on the next one beside its last round."""

_ALIKE = tuple(
    (axis, getattr(Config(), axis)) for axis in ("mode", "protection", "shares", "random")
)
"""Axes that a core of ours has as the other one, and what that has if it does not say."""


def listed() -> dict[str, Any]:
    """`results/peers.toml`: `cores`, `wrappers`, and the texts of `adapters`."""
    path = store.path(ROWS).with_suffix(".toml")
    found: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    return found


def _best(rows: Sequence[store.Row]) -> list[store.Row]:
    """Of the mappings of one core on one target, those that no other beats in area and speed."""

    def beats(one: store.Row, other: store.Row) -> bool:
        mine, theirs = ((area(row), -(row["throughput_mbps"] or 0)) for row in (one, other))
        no_worse = all(a <= b for a, b in zip(mine, theirs, strict=True))
        # Of equals the first counts.
        return no_worse and (mine != theirs or rows.index(one) < rows.index(other))

    usable = [row for row in rows if not row["too_large"]]
    return [row for row in usable if not any(beats(one, row) for one in usable)]


def _by(row: store.Row) -> str:
    delay = f" --delay {row['delay_ps']}" if row["delay_ps"] else ""
    seeds = f" --seeds {len(row['fmax_by_seed'])}" if row["fmax_by_seed"] else ""
    kept = "".join(f" --keep {one}" for one in row["config"]["keep"].split())
    return f"measure{delay}{seeds}{kept}"


def peers() -> dict[str, Any]:
    """The other open cores with their `figures`: the best of each on each target, by `measure`."""
    said, rows = listed(), store.load(store.path(ROWS))
    cores = []
    for core in said["cores"]:
        own = [row for row in rows if row["config"]["peer"] == core["name"]]
        of = {name: [row for row in own if row["target"] == name] for name in targets()}
        best = [row for here in of.values() for row in _best(here)]
        cores.append({**core, "figures": [{**row, "by": _by(row)} for row in best]})
    return {**said, "cores": cores}


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
            f"{core.get('mode', '').upper()} {core['key_sizes']}, {core['direction']}".strip(),
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
            f"{area(row):,.0f} {unit}",
            speed(row["cycles_per_block"], row["throughput_mbps"]),
            "ahead" if self.ahead else "not ahead",
            *about,
        )


def _shares(row: store.Row, core: dict[str, Any], size: int, mbps: float | None) -> float:
    """The larger of area and time per block relative to the other core; ahead up to 1."""
    slower = row["cycles_per_block"] / core["cycles_per_block"]
    if mbps is not None:
        slower = mbps / row["throughput_mbps"] if row["throughput_mbps"] else float("inf")
    return float(max(area(row) / size, slower))


def _directions(config: Config) -> set[str]:
    """What a core does to blocks, or one with modes to packets."""
    if not config.modes:
        return set(config.directions)
    found = {decrypts for mode in config.modes for decrypts in config.decrypts(mode)}
    return {DIRECTIONS[decrypts] for decrypts in found}


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
            size, mbps = int(area(figures)), figures.get("throughput_mbps")
            like = []
            for row in usable:
                config = Config(**row["config"])
                if (
                    row["target"] == target
                    and all(getattr(config, axis) == core.get(axis, at) for axis, at in _ALIKE)
                    and (core.get("in_flight", 1) > 1 or config.engine in _ONE_BLOCK)
                    and sizes <= set(config.key_sizes)
                    and set(either) <= _directions(config)
                    and (row["bram"] or 0) <= (figures["bram"] or 0)
                ):
                    like.append((_shares(row, core, size, mbps), row))
            ahead = [row for share, row in like if share <= 1]
            ours = min(ahead, key=area) if ahead else None
            if ours is None and like:
                ours = min(like, key=lambda pair: pair[0])[1]
            yield Beside(core, target, size, mbps, ours, bool(ahead), figures["by"])
