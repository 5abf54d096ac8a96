"""The catalogue of faults: `formal/faults/MODULE.toml`, substitutions in the text of one module.

Each is a mistake that a designer makes, most of them in control, or an attack on an abstraction of
the walk. `aesforge.proof.mutants` tries to prove every core with them; tests/test_faults.py
simulates those that name a core.
"""

import tomllib
from dataclasses import dataclass

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


def _catalogue() -> tuple[Fault, ...]:
    return tuple(
        Fault(path.stem, **fault)
        for path in sorted((formal_root() / "faults").glob("*.toml"))
        for fault in tomllib.loads(path.read_text(encoding="utf-8"))["fault"]
    )


FAULTS = _catalogue()
"""Every fault, by module."""
