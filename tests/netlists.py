"""What a design holds once it is elaborated: its modules, and in each its cells and flip-flops."""

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from aesforge.core.sources import closure
from aesforge.tools import yosys

Parts = list[tuple[str, Counter[str]]]
"""For each module instance: the modules down to it, `top/module/module`, and its cells by type."""


def parts(top: str, parameters: Mapping[str, int] | None = None, registers: bool = False) -> Parts:
    """The instances in `top`; with `registers` its flip-flops are cells of a bit each."""
    passes = ("proc", "opt", "simplemap t:*dff*") if registers else ()
    with TemporaryDirectory() as folder:
        cells = Path(folder, "cells.json")
        yosys.run(
            [
                yosys.read(closure(top), top, parameters, hierarchy=True),
                "hierarchy -check",
                *passes,
                f"tee -q -o {cells} stat -json",
            ],
            Path(folder),
        )
        return [(at, Counter(found)) for at, found in yosys.statistics(cells)]


def module(at: str) -> str:
    """The module of an instance, less where it stands."""
    return at.rpartition("/")[2].partition("$")[0]


def modules(found: Iterable[tuple[str, Counter[str]]]) -> Counter[str]:
    """How many instances there are of each module."""
    return Counter(module(at) for at, _ in found)


def flip_flops(cells: Counter[str]) -> Counter[str]:
    """Those among the cells of an instance, from `parts` with `registers`."""
    return Counter({cell: n for cell, n in cells.items() if cell.startswith(("$_DFF", "$_SDFF"))})
