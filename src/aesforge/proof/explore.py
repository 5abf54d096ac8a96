"""The explorer of `sim/explore.cpp`: compiled once, called with AIGER files."""

import json
import shutil
from contextlib import suppress
from pathlib import Path
from typing import Any
from uuid import uuid4

from aesforge import cache
from aesforge.core.sources import digest
from aesforge.tools.compiled import program
from aesforge.tools.process import call

_PROGRAM = Path(__file__).parent / "explorer" / "explore.cpp"


def sources() -> tuple[Path, ...]:
    """The files that a result depends on."""
    return (_PROGRAM, *sorted(_PROGRAM.parent.glob("explore_*.h")))


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
    output = call(
        "explore",
        [program([_PROGRAM], "a proof", sources()[1:]), core, spec, "job", "result.aig"],
        cwd=folder,
    )
    with suppress(OSError):
        known.parent.mkdir(parents=True, exist_ok=True)
        part = known.with_name(f"{known.name}.{uuid4().hex[:6]}")
        shutil.copyfile(learned, part)
        part.replace(known)
    report: dict[str, Any] = json.loads(output)
    return report
