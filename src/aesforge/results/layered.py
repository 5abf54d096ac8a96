"""Rows of cores with layers, beside those of the same cores alone."""

from collections.abc import Callable, Iterable, Iterator

from aesforge.results import store
from aesforge.results.store import Row
from aesforge.space.axes import Config

LEAST_SHARE = 0.95
"""What a mode or a port is to leave of the frequency of its core."""


def with_alone(
    rows: list[Row], above: Callable[[Config], Iterable[str]]
) -> Iterator[tuple[Row, Row]]:
    """Each row of a core that has axes `above`, after that of the core without them."""
    stored, default = {store.point(row): row for row in rows}, Config().as_dict()
    for row in rows:
        config = Config(**row["config"])
        axes = list(above(config))
        without = config.as_dict() | {axis: default[axis] for axis in axes}
        alone = stored.get(store.point({**row, "config": without}))
        if axes and alone is not None:
            yield alone, row


def slowed(rows: list[Row]) -> Iterator[Row]:
    """The placed rows of cores that layers seem to slow down too much, and of the same cores alone.

    Placements of one netlist differ, so one of each does not say it.
    """
    cores = [row for row in rows if row["preset"]]
    for alone, row in with_alone(cores, lambda config: config.layered):
        placed = alone.get("fmax_by_seed") and row.get("fmax_by_seed")
        if placed and row["fmax_mhz"] < LEAST_SHARE * alone["fmax_mhz"]:
            yield alone
            yield row
