"""Search the bases of the S-box of two layers of products, and write the best as RTL.

`bases.cpp` anneals a choice of bases for few gates, from several seeds. The linear parts of all
results take about the same area, so a mapping decides which is fastest: with a target each result
is mapped in its core (`aes_iterative_overlap_otf`), and the one with the highest throughput per
area is kept.
"""

import os
import tempfile
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from aesforge.errors import UserError
from aesforge.flows import synth
from aesforge.progress import hidden, track
from aesforge.results import store
from aesforge.search.bases import Bases, Costs, anneal
from aesforge.search.shallow import PACKAGE, text
from aesforge.space.axes import Config
from aesforge.space.presets import preset
from aesforge.space.targets import Target

SBOX = "aes_sbox_shallow"
CORE = "aesforge-iterative"
SEEDS = tuple(range(1, 25))
_STEPS = 3_000_000
_COSTS = Costs(xor=2.33, function=6.0, third_bit=4.0)


def _cost(row: Mapping[str, Any]) -> float:
    """The cost function of the annealing, in NANDs."""
    third_bits = row["third_bits"] * _COSTS.third_bit
    return float(_COSTS.xor * row["sums"] + row["functions"] * _COSTS.function + third_bits)


def rank(row: Mapping[str, Any]) -> tuple[float, ...]:
    """The order of rows, the best first."""
    area = row["ge"] if row["ge"] is not None else row["lut"]
    if area is None:
        return (_cost(row), int(row["config"]["seed"]))
    return (area / (row["fmax_mhz"] or 1.0), _cost(row), int(row["config"]["seed"]))


def config() -> Config:
    """The configuration in which bases are mapped."""
    return replace(preset(CORE).config, sbox="shallow")


def _map(bases: Bases, target: Target) -> dict[str, Any]:
    """Counts and speed of the core with these bases."""
    with tempfile.TemporaryDirectory(prefix="aesforge-") as scratch:
        file = Path(scratch) / f"{PACKAGE}.sv"
        file.write_text(text(bases), encoding="utf-8")
        measured = synth.measure(synth.core(config(), {PACKAGE: file}), target, parallel=1)
    return {name: measured[name] for name in ("lut", "ge", "depth", "fmax_mhz", "versions")}


def _row(seed: int, bases: Bases, target: Target | None) -> dict[str, Any]:
    return {
        "preset": None,
        "core": SBOX,
        "config": {"direction": "encrypt", "seed": str(seed)},
        **asdict(bases),
        "in": CORE,
        "target": target.name if target else "",
        "delay_ps": target.delay_ps if target else None,
        **dict.fromkeys(("lut", "ge", "depth", "fmax_mhz", "versions")),
    }


def known(row: Mapping[str, Any]) -> Bases:
    """The bases of a row."""
    return Bases(
        tuple(row["norms"]),
        tuple(tuple(masks) for masks in row["factors"]),
        tuple(tuple((d, e) for d, e in of_bit) for of_bit in row["duals"]),
        row["sums"],
        row["functions"],
        row["third_bits"],
    )


def winner(table: list[dict[str, Any]]) -> dict[str, Any]:
    """The row with the bases of the RTL."""
    return min(table, key=rank)


def search(
    target: Target | None = None, write: Path | None = None, table: Path | None = None
) -> dict[str, Any]:
    """A row for each seed of the annealing, the best first.

    With a target each is mapped, but not placed, in `aesforge-iterative sbox=shallow`. The best
    bases are written to the folder `write`, the rows to `table`.
    """
    if write and not write.is_dir():
        raise UserError(f"{write} is not a folder; create it, or name another with --write")
    target = replace(target, family="") if target else None
    with track("anneal", len(SEEDS)) as step:
        found = anneal(SEEDS, _STEPS, _COSTS, step)
    made = {seed: _row(seed, bases, target) for seed, bases in found.items()}
    if target:
        with track("map", len(made)) as step, hidden():

            def one(seed: int) -> None:
                made[seed] |= _map(found[seed], target)
                step(1)

            with ThreadPoolExecutor(os.cpu_count()) as pool:
                list(pool.map(one, made))
    rows = sorted(made.values(), key=rank)
    written = []
    if write:
        written.append(write / f"{PACKAGE}.sv")
        written[-1].write_text(text(known(rows[0])), encoding="utf-8")
    if table:
        table.unlink(missing_ok=True)
        store.record(table, rows)
    return {
        "sbox": "shallow",
        "target": target.name if target else None,
        "rows": rows,
        "files": [str(file) for file in written],
    }
