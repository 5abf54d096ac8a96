"""Programs of few XORs for linear maps: `sim/xors.cpp`, compiled once."""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from aesforge import cache
from aesforge.errors import ToolMissing
from aesforge.sources import digest
from aesforge.tools.process import call

PROGRAM = Path(__file__).parents[1] / "sim" / "xors.cpp"


@dataclass(frozen=True)
class Program:
    """XORs in order, each of two signals: the inputs count from 0, the XORs on from there.

    `results` are the signals of the targets.
    """

    inputs: int
    xors: tuple[tuple[int, int], ...]
    results: tuple[int, ...]


def _compiled() -> Path:
    def make(work: Path) -> None:
        compiler = shutil.which("g++")
        if compiler is None:
            raise ToolMissing("the search needs g++; install it with your system's packages")
        call("g++", [compiler, "-O2", "-std=c++17", "-o", work / "xors", PROGRAM])

    return cache.folder("xors", digest(PROGRAM), make) / "xors"


def solve(inputs: int, maps: Sequence[Sequence[int]], runs: int, seed: int = 1) -> list[Program]:
    """The smallest program of so many runs for each map: its targets as masks of the inputs."""
    with TemporaryDirectory() as scratch:
        jobs = Path(scratch) / "jobs"
        jobs.write_text(
            "".join(
                f"{inputs} {runs} {seed} {len(rows)} {' '.join(map(str, rows))}\n" for rows in maps
            ),
            encoding="ascii",
        )
        lines = call("xors", [_compiled(), jobs]).splitlines()
    found = []
    for line in lines:
        count, *words = map(int, line.split())
        pairs = words[: 2 * count]
        found.append(
            Program(
                inputs,
                tuple(zip(pairs[::2], pairs[1::2], strict=True)),
                tuple(words[2 * count :]),
            )
        )
    return found
