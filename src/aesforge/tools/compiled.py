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

    `needed_by` is named in that error. A change of `headers` compiles it again. The units share one
    namespace, and what they do not export has names of its own.
    """
    name = units[0].stem

    def make(work: Path) -> None:
        compiler = shutil.which("g++")
        if compiler is None:
            reason = f"{needed_by} needs g++; install it with your system's packages"
            raise ToolMissing(reason)
        # As one unit: the headers of the library are most of the text, and are read once.
        whole = work / "whole.cpp"
        whole.write_text("".join(f'#include "{unit}"\n' for unit in units), encoding="utf-8")
        call("g++", [compiler, "-O2", "-std=c++17", "-o", work / name, whole])

    return cache.folder(name, digest(*units, *headers), make) / name
