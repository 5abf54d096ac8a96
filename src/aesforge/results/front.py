"""Pareto fronts of throughput, area and block RAM."""

from collections.abc import Mapping, Sequence
from typing import Any


def front(points: Sequence[Mapping[str, Any]], within: float = 0.0) -> list[Mapping[str, Any]]:
    """The Pareto-optimal points by `area`, `bram` and `throughput_mbps`, smallest area first.

    Block RAM is a third dimension: a core with less of it is kept beside a smaller one. A point is
    left out if another is no worse in all three and better in one; with `within`, if another has
    more than that share of throughput beyond its own.
    """

    def cost(point: Mapping[str, Any]) -> tuple[float, float]:
        return point["area"], point.get("bram") or 0

    found: list[Mapping[str, Any]] = []
    for point in sorted(points, key=lambda p: (p["throughput_mbps"] * -1, *cost(p))):
        area, bram = cost(point)
        least = point["throughput_mbps"] * (1 + within)
        if not any(
            cost(other)[0] <= area and cost(other)[1] <= bram and other["throughput_mbps"] >= least
            for other in found
        ):
            found.append(point)
    return sorted(found, key=lambda p: (*cost(p), -p["throughput_mbps"]))
