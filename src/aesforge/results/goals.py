"""The goals of the library's own cores: `results/goals.toml`."""

import tomllib
from collections.abc import Iterator, Sequence
from typing import Any

from aesforge.results import store
from aesforge.results.figures import Measured


def goals(kind: str = "points") -> list[dict[str, Any]]:
    """The presets with goals, or the `records`; none where the file is not installed."""
    path = store.path().with_name("goals.toml")
    if not path.is_file():
        return []
    found: list[dict[str, Any]] = tomllib.loads(path.read_text(encoding="utf-8"))[kind]
    return found


def with_goals(rows: Sequence[store.Row]) -> Iterator[store.Row]:
    """Those of the rows that have a goal."""
    measured = Measured(rows)
    for said in goals():
        for goal in said["goals"]:
            row = measured.row(f"{said['preset']} {goal['point']}", goal["on"], goal.get("delay"))
            if row is not None:
                yield row
