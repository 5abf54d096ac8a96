"""The goals of the library's own cores: `results/goals.toml`."""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from aesforge.results import store
from aesforge.results.figures import Measured


def goals(kind: str = "points") -> list[dict[str, Any]]:
    """The presets with goals, or `records` or `modes`; none where the file is not installed."""
    path = store.path().with_name("goals.toml")
    if not path.is_file():
        return []
    found: list[dict[str, Any]] = tomllib.loads(path.read_text(encoding="utf-8"))[kind]
    return found


def point(said: Mapping[str, Any], goal: Mapping[str, Any]) -> str:
    """The preset and the choices that a goal is of."""
    return f"{said.get('preset', '')} {goal['point']}".strip()


def with_goals(rows: Sequence[store.Row]) -> Iterator[store.Row]:
    """Those of the rows that have a goal."""
    measured = Measured(rows)
    for said in goals():
        for goal in said["goals"]:
            row = measured.row(point(said, goal), goal["on"], goal.get("delay"))
            if row is not None:
                yield row
