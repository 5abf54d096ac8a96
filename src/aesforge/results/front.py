"""Pareto fronts of throughput and area."""

from collections.abc import Mapping, Sequence
from typing import Any


def front(points: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The Pareto-optimal points by `area` and `throughput_mbps`, smallest area first."""
    found: list[Mapping[str, Any]] = []
    for point in sorted(points, key=lambda p: (p["area"], -p["throughput_mbps"])):
        if not found or point["throughput_mbps"] > found[-1]["throughput_mbps"]:
            found.append(point)
    return found
