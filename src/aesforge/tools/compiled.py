"""The programs of `sim/` that are C++: compiled once for each version of their sources."""

import shutil
from collections.abc import Sequence
from pathlib import Path

from aesforge import cache
from aesforge.errors import ToolMissing
from aesforge.sources import digest
from aesforge.tools.process import call

SIM = Path(__file__).parents[1] / "sim"


def program(name: str, needed_by: str, headers: Sequence[Path] = ()) -> Path:
    """The executable of `sim/NAME.cpp`; ToolMissing without g++, which `needed_by` needs."""
    source = SIM / f"{name}.cpp"

    def make(work: Path) -> None:
        compiler = shutil.which("g++")
        if compiler is None:
            told = f"{needed_by} needs g++; install it with your system's packages"
            raise ToolMissing(told)
        call("g++", [compiler, "-O2", "-std=c++17", "-o", work / name, source])

    return cache.folder(name, digest(source, *headers), make) / name
