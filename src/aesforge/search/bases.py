"""Bases for the S-box of two layers of products: `bases.cpp`, compiled once."""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from aesforge.tools.compiled import program
from aesforge.tools.process import call


@dataclass(frozen=True)
class Bases:
    """A choice of bases as described in `rtl/field/aes_shallow_pkg.sv`.

    `norms` has exponents of 3^17, `factors` eight masks of bits of the byte for each norm, and
    `duals` four pairs d, e of exponents for each bit of the result. `sums` is the number of sums
    of two or more bits, `functions` the number of different e, and `third_bits` the number of sums
    of three bits in the norm.
    """

    norms: tuple[int, ...]
    factors: tuple[tuple[int, ...], ...]
    duals: tuple[tuple[tuple[int, int], ...], ...]
    sums: int
    functions: int
    third_bits: int


@dataclass(frozen=True)
class Costs:
    """Costs in NANDs: an XOR, a function of the norm, and a third bit of a sum in the norm."""

    xor: float
    function: float
    third_bit: float


def _read(line: str) -> Bases | None:
    closed, sums, functions, third_bits, *words = map(int, line.split())
    if not closed:
        return None
    norms, factors, duals = words[:4], words[4:36], words[36:]
    pairs = list(zip(duals[::2], duals[1::2], strict=True))
    return Bases(
        tuple(norms),
        tuple(tuple(factors[at : at + 8]) for at in range(0, 32, 8)),
        tuple(tuple(pairs[at : at + 4]) for at in range(0, 32, 4)),
        sums,
        functions,
        third_bits,
    )


def anneal(
    seeds: Sequence[int], steps: int, costs: Costs, step: Callable[[float], None]
) -> dict[int, Bases]:
    """The best bases that `steps` steps of annealing find for each seed.

    Bases with a sum that is not made of two others are left out, because the RTL has no such sum.
    """
    run = program([Path(__file__).with_name("bases.cpp")], "a search")
    with TemporaryDirectory() as scratch:

        def one(seed: int) -> Bases | None:
            job = Path(scratch) / f"{seed}"
            problem = f"{seed} {steps} {costs.xor} {costs.function} {costs.third_bit}\n"
            job.write_text(problem, encoding="ascii")
            found = _read(call("bases", [run, job]))
            step(1)
            return found

        with ThreadPoolExecutor(os.cpu_count()) as pool:
            found = dict(zip(seeds, pool.map(one, seeds), strict=True))
    return {seed: bases for seed, bases in found.items() if bases}
