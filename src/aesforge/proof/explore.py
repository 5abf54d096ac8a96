"""The explorer of `explorer/`: compiled once, called with AIGER files."""

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

FOLDER = Path(__file__).parent / "explorer"
_PROGRAM = FOLDER / "explore.cpp"


def units() -> list[Path]:
    """The translation units, the one with `main` first."""
    return sorted(FOLDER.glob("*.cpp"), key=lambda path: (path != _PROGRAM, path.name))


def headers() -> list[Path]:
    """The interfaces of the units."""
    return sorted(FOLDER.glob("*.h"))


def sources() -> tuple[Path, ...]:
    """The files that a result depends on."""
    return (*units(), *headers())


def explore(
    core: Path, spec: Path, job: str, folder: Path, like: Path | None = None
) -> dict[str, Any]:
    """Walk the control states of `core`; its formulas for the results go to `result.aig`.

    What a walk learned of a core is tried first in the next walk of that core, or of a core that is
    `like` it. That saves time; it makes no claim hold that would not hold without.
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
        [program(units(), "a proof", headers()), core, spec, "job", "result.aig"],
        cwd=folder,
    )
    with suppress(OSError):
        known.parent.mkdir(parents=True, exist_ok=True)
        part = known.with_name(f"{known.name}.{uuid4().hex[:6]}")
        shutil.copyfile(learned, part)
        part.replace(known)
    report: dict[str, Any] = json.loads(output)
    return report
