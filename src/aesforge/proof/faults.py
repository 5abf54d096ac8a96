"""The catalogue of faults: `formal/faults/MODULE.toml`, substitutions in the text of one module.

Each is a mistake that a designer makes, most of them in control. `aesforge.proof.mutants` applies
them. Faults that only cost throughput are not here: `aesforge verify` measures it.
"""

import tomllib
from dataclasses import dataclass

from aesforge.proof.claims import formal_root


@dataclass(frozen=True)
class Fault:
    """A named substitution in one file of the RTL; `old` occurs there exactly once."""

    file: str
    name: str
    old: str
    new: str

    def __str__(self) -> str:
        return f"{self.file}: {self.name}"


def _catalogue() -> tuple[Fault, ...]:
    return tuple(
        Fault(path.stem, **fault)
        for path in sorted((formal_root() / "faults").glob("*.toml"))
        for fault in tomllib.loads(path.read_text(encoding="utf-8"))["fault"]
    )


FAULTS = _catalogue()
"""Every fault, by module."""
