"""The explorer of `sim/explore.cpp`: compiled once, called with AIGER files."""

import json
import shutil
from contextlib import suppress
from pathlib import Path
from typing import Any
from uuid import uuid4

from aesforge import cache
from aesforge.errors import ToolMissing
from aesforge.sources import digest
from aesforge.tools.process import call

_PROGRAM = Path(__file__).parents[1] / "sim" / "explore.cpp"


def sources() -> tuple[Path, ...]:
    """The files that a result depends on."""
    return (_PROGRAM, *sorted(_PROGRAM.parent.glob("explore_*.h")))


def _compiled() -> Path:
    def make(work: Path) -> None:
        compiler = shutil.which("g++")
        if compiler is None:
            raise ToolMissing("proofs need g++; install it with your system's packages")
        call("g++", [compiler, "-O2", "-std=c++17", "-o", work / "explore", _PROGRAM])

    return cache.folder("explore", digest(*sources()), make) / "explore"


def explore(
    core: Path, spec: Path, job: str, folder: Path, like: Path | None = None
) -> dict[str, Any]:
    """Walk the control states of `core`; its formulas for the results go to `result.aig`.

    What a walk of a core could do without is tried at once in the next of that core, or of one that
    is said to be `like` it. That makes it faster, and no claim hold that would not.
    """
    known, others = (
        cache.root() / "explore-learned" / digest(one, *sources()) for one in (core, like or core)
    )
    learned = folder / "learned"
    with suppress(OSError):
        shutil.copyfile(known if known.is_file() else others, learned)
    (folder / "job").write_text(f"{job}\nlearned {learned.name}\n", encoding="utf-8")
    output = call("explore", [_compiled(), core, spec, "job", "result.aig"], cwd=folder)
    with suppress(OSError):
        known.parent.mkdir(parents=True, exist_ok=True)
        part = known.with_name(f"{known.name}.{uuid4().hex[:6]}")
        shutil.copyfile(learned, part)
        part.replace(known)
    report: dict[str, Any] = json.loads(output)
    return report
