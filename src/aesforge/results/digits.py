"""Figures with as many digits as they are worth: those that the seeds of a placement agree on."""

from collections.abc import Mapping
from math import floor, log10
from typing import Any

_ONE_SEED = 0.05
"""Half the spread of seeds, as a share of the frequency, where there is one seed."""
_CELLS = 0.0005
"""The same for standard cells: what the order of cells changes in a mapping."""


def spread(row: Mapping[str, Any]) -> float:
    """Half the distance between the seeds of a row, as a share of its frequency."""
    placed = list((row.get("fmax_by_seed") or {}).values())
    if not placed:
        return _CELLS
    if len(placed) == 1:
        return _ONE_SEED
    return float(max(placed) - min(placed)) / 2 / float(row["fmax_mhz"])


def rounded(row: Mapping[str, Any], value: float | None) -> float | None:
    """A figure that is proportional to the frequency of a row.

    Its last digit is the first that the spread changes, and it has no more than four digits.
    """
    if not value:
        return value
    uncertain, most = floor(log10(value * spread(row))), floor(log10(value)) - 3
    places = -max(uncertain, most)
    return round(value, places) if places > 0 else float(int(round(value, places)))


def shown(row: Mapping[str, Any], value: float | None) -> str:
    """The text of such a figure; empty for None."""
    found = rounded(row, value)
    return "" if found is None else f"{found:,.10g}"
