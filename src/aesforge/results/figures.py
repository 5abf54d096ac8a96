"""Look-up of stored figures by a point such as `sklavos-ake direction=both`. Runs no tool.

A point is a preset with axes, or a module with its parameters (`aes_mix_columns Inverse=1`). A
figure is a point, a target and a field of its row, written `POINT @ TARGET FIELD`. A library may
have a delay in ps after a colon, `osu018:0`; a field may be within another, such as
`parts.key_store.lut`, or, of power, the difference of two: `power_1_mw-registers_1_mw`;
`power_fmax_mhz` is the frequency of the netlist whose power is measured.
"""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import Any

from aesforge.results import store
from aesforge.space.axes import Config
from aesforge.space.presets import preset, presets
from aesforge.space.promises import Promise, promised
from aesforge.space.targets import target

RUNS = {
    f"{what}_{number}_{unit}": (number, field)
    for number in (1, 2, 4)
    for what, unit, field in (
        ("power", "mw", "mw"),
        ("registers", "mw", "registers_mw"),
        ("energy", "nj", "nj_per_block"),
    )
}
"""Figures of power: the number of S-boxes in use, and the field of that run."""

TOTAL = "total"

LUTS_PER_SLICE = {"xc5v": 4, "xc4v": 2, "xc3s": 2, "xc3se": 2, "xcv": 2, "ecp5": 2}
"""Look-up tables in a slice of a device; it has as many flip-flops."""


def slices(counts: Mapping[str, Any], each: int) -> float | None:
    """Slices of `each` look-up tables and flip-flops that are packed without a gap.

    The one rule for all tables, and a lower bound: a placer leaves some of them free.
    """
    luts, registers = counts.get("lut"), counts.get("ff")
    return None if luts is None else max(luts, registers or 0) / each


class Curve:
    """The Pareto-optimal points of a trade-off: speed, and the least area that reaches it.

    `current` says whether the points are of the present settings of the target.
    """

    def __init__(self, points: Sequence[tuple[float, float]], current: bool = True) -> None:
        self.current = current
        best: list[tuple[float, float]] = []
        for speed, area in sorted(points, reverse=True):
            if not best or area < best[-1][1]:
                best.append((speed, area))
        self.points = best[::-1]

    @property
    def slowest(self) -> float:
        """Where the area has its least value; a slower circuit is not smaller."""
        return self.points[0][0]

    @property
    def fastest(self) -> float:
        """The largest speed reached."""
        return self.points[-1][0]

    def area(self, speed: float) -> float:
        """The area at a speed up to the fastest, on the line between two points.

        Below the slowest point it is that point's: what is faster than needed does as well.
        """
        at = bisect_left([reached for reached, _ in self.points], speed)
        if at == 0:
            return self.points[0][1]
        (low, small), (high, large) = self.points[at - 1 : at + 1]
        return small + (large - small) * (speed - low) / (high - low)


class Measured:
    """Rows by point. `powers` are rows of `aesforge power`."""

    def __init__(self, rows: Sequence[store.Row], powers: Sequence[store.Row] = ()) -> None:
        self._rows = {store.point(row): row for row in rows}
        self._powers = {store.point(row): row for row in powers}

    @staticmethod
    def config(point: str) -> tuple[str, Config] | None:
        """Preset and configuration; None when the point is a module, or no such preset exists."""
        name, *axes = point.split() or [""]
        return (name, preset(name).configure(axes)) if name in presets() else None

    def promised(self, point: str) -> Promise | None:
        """The promised cycles of a point, for its smallest key."""
        found = self.config(point)
        return promised(found[1], found[1].key_sizes[0]) if found else None

    def row(self, point: str, on: str, delay: int | None = None) -> store.Row | None:
        """The row of a point on a target, if it was measured and fits."""
        row = self._find(self._rows, point, on, delay)
        return row if row and not row.get("failed") and not row.get("too_large") else None

    def power(self, point: str, on: str, delay: int | None = None) -> store.Row | None:
        """The row of `aesforge power` of a point."""
        return self._find(self._powers, point, on, delay)

    def _key(self, point: str) -> dict[str, Any] | None:
        name, *given = point.split() or [""]
        if found := self.config(point):
            return {"preset": found[0], "config": found[1].as_dict()}
        if not name.startswith("aes_"):
            return None
        return {"preset": None, "core": name, "config": dict(one.split("=") for one in given)}

    def _find(
        self, rows: Mapping[Any, store.Row], point: str, on: str, delay: int | None = None
    ) -> store.Row | None:
        key = self._key(point)
        if key is None:
            return None
        delay_ps = target(on, delay).delay_ps
        return rows.get(store.point({**key, "target": on, "delay_ps": delay_ps}))

    def figure(self, spec: str) -> float | None:
        """A figure written like `sklavos-ake direction=both @ xcv lut`."""
        point, _, where = spec.partition(" @ ")
        on, what = where.split()
        on, _, delay = on.partition(":")
        ps = int(delay) if delay else None
        if what == "power_fmax_mhz":
            powered = self.power(point, on, ps)
            return float(powered["fmax_mhz"]) if powered else None
        whole, _, less = what.partition("-")
        if whole in RUNS:
            value, taken = (self._run(self.power(point, on, ps), one) for one in (whole, less))
            return None if value is None else value - (taken or 0.0)
        row = self.row(point, on, ps)
        if row is None:
            return None
        found: Any = row
        for name in what.split("."):
            found = None if found is None else found.get(name)
        return None if found is None else float(found)

    @staticmethod
    def _run(row: store.Row | None, what: str) -> float | None:
        """A figure of `RUNS`; None without it."""
        number, field = RUNS.get(what, (0, ""))
        runs = row["runs"] if row else []
        return next((float(run[field]) for run in runs if run["sboxes_run"] == number), None)

    def curve(self, point: str, on: str, wires: bool = False) -> Curve | None:
        """GE against MHz of a point over all delays, of cells alone or with wires and clock.

        Of rows that were measured with the present settings of the target, if there are any.
        """
        key = self._key(point)
        rows = [
            row
            for row in self._rows.values()
            if key
            and row["target"] == on
            and row["preset"] == key["preset"]
            and row.get("core") == key.get("core")
            and row["config"] == key["config"]
        ]
        for current in (True, False):
            sides = [
                row.get("with_wires") or {} if wires else row
                for row in rows
                if not current or _current(row)
            ]
            found = [(side["fmax_mhz"], side["ge"]) for side in sides if side.get("fmax_mhz")]
            if found:
                return Curve(found, current)
        return None


def _current(row: store.Row) -> bool:
    """Whether a row was measured with the present settings of its target."""
    on = target(row["target"], row["delay_ps"] or 0)
    return row.get("target_hash") in (None, on.fingerprint)


def saving(less: Curve, more: Curve) -> tuple[float, float]:
    """The largest saving of one curve over another at equal speed, in per cent, and that speed.

    Where the curves overlap, or else at the end of the slower one, whose speed the faster one
    reaches with its smallest circuit. Between two points of both curves the saving is a quotient of
    lines, which has its largest value at an end; so the points of both are enough.
    """
    most = min(less.fastest, more.fastest)
    least = min(most, max(less.slowest, more.slowest))
    speeds = {speed for curve in (less, more) for speed, _ in curve.points}
    found = {speed for speed in speeds if least <= speed <= most} | {least, most}
    return max((100 * (1 - less.area(speed) / more.area(speed)), speed) for speed in found)
