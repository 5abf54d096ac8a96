"""The catalogue of faults: `formal/faults/MODULE.toml`, substitutions in the text of one module.

Each is a mistake that a designer makes, most of them in control, or an attack on an abstraction of
the walk. `aesforge.proof.mutants` tries to prove every core with them; tests/test_faults.py
simulates those that name a core.
"""

import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from aesforge.proof.claims import formal_root


@dataclass(frozen=True)
class Fault:
    """A named substitution in one file of the RTL; `old` occurs there exactly once.

    `core` is a preset and choices, such as "sklavos-ake key_schedule=given": a core that fails
    `aesforge verify` with the fault. Empty: only proofs, or the test of the module, try it.
    """

    file: str
    name: str
    old: str
    new: str
    core: str = ""

    def __str__(self) -> str:
        return f"{self.file}: {self.name}"


T = TypeVar("T")


def catalogue(kind: Callable[..., T], folder: str) -> tuple[T, ...]:
    """The substitutions in a folder of `formal/`, whose files are named after their modules."""
    return tuple(
        kind(path.stem, **one)
        for path in sorted((formal_root() / folder).glob("*.toml"))
        for found in tomllib.loads(path.read_text(encoding="utf-8")).values()
        for one in found
    )


def substituted(path: Path, old: str, new: str, folder: Path) -> Path | None:
    """A copy of a file in `folder`, with `new` for `old`; None when that does not occur once."""
    text = path.read_text(encoding="utf-8")
    if text.count(old) != 1:
        return None
    changed = folder / path.name
    changed.write_text(text.replace(old, new), encoding="utf-8")
    return changed


FAULTS = catalogue(Fault, "faults")
"""Every fault, by module."""
