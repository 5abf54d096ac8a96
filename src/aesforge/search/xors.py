"""Programs of few XORs for linear maps: `xors.cpp`, compiled once."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from aesforge.tools.compiled import program
from aesforge.tools.process import call


@dataclass(frozen=True)
class Program:
    """XORs in order, each of two signals. Signals are numbered: first the inputs, then the XORs.

    `results` are the signals of the targets.
    """

    inputs: int
    xors: tuple[tuple[int, int], ...]
    results: tuple[int, ...]


def solve(inputs: int, maps: Sequence[Sequence[int]], runs: int, seed: int = 1) -> list[Program]:
    """The smallest program of `runs` runs for each map, given by its targets as masks of inputs."""
    with TemporaryDirectory() as scratch:
        jobs = Path(scratch) / "jobs"
        jobs.write_text(
            "".join(
                f"{inputs} {runs} {seed} {len(rows)} {' '.join(map(str, rows))}\n" for rows in maps
            ),
            encoding="ascii",
        )
        lines = call(
            "xors", [program([Path(__file__).with_name("xors.cpp")], "a search"), jobs]
        ).splitlines()
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
