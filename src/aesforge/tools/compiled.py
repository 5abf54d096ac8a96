"""Our own programs in C++: compiled once for each version of their sources."""

import shutil
from collections.abc import Sequence
from pathlib import Path

from aesforge import cache
from aesforge.core.sources import digest
from aesforge.errors import ToolMissing
from aesforge.tools.process import call


def program(units: Sequence[Path], needed_by: str, headers: Sequence[Path] = ()) -> Path:
    """The executable of C++ translation units, named after the first; ToolMissing without g++.

    `needed_by` is named in that error. A change of `headers` compiles it again.
    """
    name = units[0].stem

    def make(work: Path) -> None:
        compiler = shutil.which("g++")
        if compiler is None:
            reason = f"{needed_by} needs g++; install it with your system's packages"
            raise ToolMissing(reason)
        call("g++", [compiler, "-O2", "-std=c++17", "-o", work / name, *units])

    return cache.folder(name, digest(*units, *headers), make) / name
