"""Search the bases of tower fields for S-boxes of few gates, and write the best as RTL.

Bases differ only in linear layers: the sums of bits before the products and the sums of products
after them. The search finds programs of XORs for both layers (`xors.py`), with few runs for every
basis and with many runs for the best basis of each tower. The programs for the tower of
`rtl/field/aes_tower_pkg.sv` are mapped.
"""

import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from aesforge.core.contract import Port
from aesforge.core.sources import closure, codes, files, is_sbox
from aesforge.errors import UserError
from aesforge.flows import synth
from aesforge.progress import hidden, track
from aesforge.results import store
from aesforge.search import xors
from aesforge.search.lean import BOTH, DIRECTIONS, MUX, XOR, Circuit, Found, kept, texts, turns
from aesforge.search.towers import DECRYPT, ENCRYPT, Tower, inverted, rows, scaling, towers
from aesforge.space.targets import Target
from aesforge.tools import yosys

SBOX = "aes_sbox_lean"
LAMBDA = 8
"""LAMBDA of `rtl/field/aes_tower_pkg.sv`, the smallest possible."""

_QUICK, _LONG = 3, 200
"""Runs of the search for a program, for every basis and for the best."""
_RATIOS = 4
"""Number of maps between the directions to try with every tower."""
_VARIANTS = 6
"""Number of programs of the same length to map."""


def _solve(
    circuits: Sequence[Circuit], runs: int, step: Callable[[float], None], seed: int = 1
) -> list[Found]:
    found = []
    for at in range(0, len(circuits), 64):
        some = circuits[at : at + 64]
        maps = [circuit.maps for circuit in some]
        solved = iter(xors.solve(8, [m for part in maps for m in part.values()], runs, seed))
        found += [
            Found(circuit, {part: next(solved) for part in of})
            for circuit, of in zip(some, maps, strict=True)
        ]
        step(len(some))
    return found


def scales(tower: Tower) -> list[int]:
    """A scale for each set of factors."""
    sets = {frozenset(tower.factors(scaling(scale, 0))): scale for scale in range(255, 0, -1)}
    return sorted(sets.values())


def _ratios() -> list[tuple[int, int]]:
    """The ratios whose maps take the fewest gates."""
    every = [(d, k) for k in range(8) for d in range(1, 256)]
    pairs = [(turn, inverted(turn)) for ratio in every for turn in turns(ratio)]
    maps = [rows(m) for pair in pairs for m in pair]
    costs = iter(
        XOR * len(program.xors) - MUX * kept(m)
        for m, program in zip(maps, xors.solve(8, maps, _QUICK), strict=True)
    )
    total = {ratio: sum(min(next(costs), next(costs)) for _ in range(2)) for ratio in every}
    return sorted(every, key=lambda ratio: total[ratio])[:_RATIOS]


def _candidates(direction: str) -> list[Circuit]:
    """All circuits of a direction: a scale for each set of factors, and few maps for both."""
    singles = [Circuit(direction, t, scale) for t in towers() for scale in scales(t)]
    if direction != BOTH:
        return singles
    return [
        replace(circuit, ratio=ratio, first=first, last=last)
        for ratio in _ratios()
        for circuit in singles
        for first, last in ((ENCRYPT, ENCRYPT), (DECRYPT, DECRYPT))
    ]


def _join(found: Iterable[Found]) -> list[Found]:
    """Join circuits for both directions that differ in `first` and `last`: the better of each."""
    sides: dict[tuple[Any, ...], dict[str, Found]] = {}
    for one in found:
        c = one.circuit
        sides.setdefault((c.tower, c.scale, c.ratio), {})[c.first] = one
    joined = []
    for pair in sides.values():
        best = {
            part: min(
                (len(one.programs[part].xors) + len(one.programs[turn].xors), first)
                for first, one in pair.items()
            )[1]
            for part, turn in (("factors", "enter"), ("sums", "leave"))
        }
        first, last = pair[best["factors"]], pair[best["sums"]]
        programs = {
            part: (first if part in ("factors", "enter") else last).programs[part]
            for part in first.programs
        }
        circuit = replace(first.circuit, last=last.circuit.last)
        joined.append(Found(circuit, programs))
    return joined


def best(direction: str) -> list[Found]:
    """The best circuit of each tower, the best first."""
    circuits = _candidates(direction)
    with track(f"search {direction}", len(circuits) + len(towers())) as step:
        found = _solve(circuits, _QUICK, step)
        found = _join(found) if direction == BOTH else found
        of_tower = {
            tower: min((f for f in found if f.circuit.tower == tower), key=lambda f: f.rank)
            for tower in towers()
        }
        longer = _solve([f.circuit for f in of_tower.values()], _LONG, step)
    return sorted(longer, key=lambda f: (f.rank, f.circuit.tower))


def _measure(module: str, files: Sequence[Path], direction: str, target: Target) -> dict[str, Any]:
    subject = synth.Subject(
        module,
        (
            Port("data_i", 8, "input", ""),
            Port("inverse_i", 1, "input", ""),
            Port("data_o", 8, "output", ""),
        ),
        "",
        {"Direction": codes()[f"DIRECTION_{direction.upper()}"]},
        [yosys.read([*files, Path("harness.sv")], "harness", hierarchy=True)],
    )
    with hidden():
        measured = synth.measure(subject, target)
    counts = {name: measured[name] for name in ("lut", "ge", "depth", "fmax_mhz", "versions")}
    return {**counts, "target": target.name}


def _map(found: dict[str, Found], direction: str, target: Target) -> dict[str, Any]:
    """Counts and speed of the S-box of a direction on a target."""
    with tempfile.TemporaryDirectory(prefix="aesforge-") as scratch:
        folder = Path(scratch)
        written = texts(found)
        for name, text in written.items():
            (folder / f"{name}.sv").write_text(text, encoding="utf-8")
        files = [folder / path.name if path.stem in written else path for path in closure(SBOX)]
        return _measure(SBOX, files, direction, target)


def _others(target: Target, step: Callable[[float], None]) -> list[dict[str, Any]]:
    """Rows of the other S-boxes, to compare with."""
    modules = [path.stem for path in files() if is_sbox(path.stem)]
    found = []
    for module in modules:
        for direction in DIRECTIONS if module != SBOX else ():
            counts = _measure(module, closure(module), direction, target)
            found.append(
                {"preset": None, "core": module, "config": {"direction": direction}, **counts}
            )
            step(1)
    return found


def _size(row: dict[str, Any]) -> tuple[float, ...]:
    size = row["ge"] if row["ge"] is not None else row["lut"]
    delay = 1 / row["fmax_mhz"] if row["fmax_mhz"] else 0.0
    return (size if size is not None else float("inf"), delay, *row["rank"])


def _row(found: Found) -> dict[str, Any]:
    circuit, tower = found.circuit, found.circuit.tower
    return {
        "preset": None,
        "core": SBOX,
        "config": {
            "direction": circuit.direction,
            **{name: f"{getattr(tower, name):02x}" for name in ("w", "z", "y")},
        },
        "lambda": tower.lambda_,
        "scale": f"{circuit.scale:02x}",
        "ratio": list(circuit.ratio),
        "first": circuit.first,
        "last": circuit.last,
        "xors": found.xors,
        "muxes": found.muxes,
        "rank": [found.rank, tower.w, tower.z, tower.y],
        "target": "",
        **dict.fromkeys(("lut", "ge", "depth", "fmax_mhz", "versions")),
        "programs": {
            part: [[list(pair) for pair in p.xors], list(p.results)]
            for part, p in found.programs.items()
        },
    }


def known(row: dict[str, Any]) -> Found:
    """The circuit of a row."""
    config = row["config"]
    tower = Tower(*(int(config[name], 16) for name in ("w", "z", "y")))
    circuit = Circuit(
        config["direction"],
        tower,
        int(row["scale"], 16),
        (row["ratio"][0], row["ratio"][1]),
        row["first"],
        row["last"],
    )
    programs = {
        part: xors.Program(8, tuple((a, b) for a, b in steps), tuple(results))
        for part, (steps, results) in row["programs"].items()
    }
    return Found(circuit, programs)


def winners(table: Sequence[dict[str, Any]]) -> dict[str, Found]:
    """The circuit of the RTL for each direction: the smallest of its tower."""
    return {
        direction: known(
            min(
                (
                    row
                    for row in table
                    if row["config"]["direction"] == direction
                    and row["core"] == SBOX
                    and row["lambda"] == LAMBDA
                ),
                key=_size,
            )
        )
        for direction in DIRECTIONS
    }


def search(
    target: Target | None = None, write: Path | None = None, table: Path | None = None
) -> dict[str, Any]:
    """Rows of the best circuit of each tower and direction, and the best circuits for the RTL.

    With a target, several programs of the same length are mapped, but not placed, for the tower of
    the RTL, and the smallest is kept. The RTL goes to the folder `write`, the rows to `table`.
    """
    if write and not write.is_dir():
        raise UserError(f"{write} is not a folder; create it, or name another with --write")
    target = replace(target, family="") if target else None
    found = {direction: best(direction) for direction in DIRECTIONS}
    own = {
        direction: next(f for f in some if f.circuit.tower.lambda_ == LAMBDA)
        for direction, some in found.items()
    }
    made = []
    with track("map", (4 * _VARIANTS + 3) * len(DIRECTIONS)) as step:
        for direction, some in found.items():
            for one in some:
                choices = [_row(one)]
                if target and one.circuit.tower.lambda_ == LAMBDA:
                    choices = []
                    for seed in range(1, _VARIANTS + 1):
                        [variant] = _solve([one.circuit], _LONG, lambda _: None, seed)
                        counts = _map({**own, direction: variant}, direction, target)
                        choices.append({**_row(variant), **counts})
                        step(1)
                made.append(min(choices, key=_size))
        others = _others(target, step) if target else []
    written = []
    for name, text in texts(winners(made)).items() if write else ():
        assert write
        written.append(write / f"{name}.sv")
        written[-1].write_text(text, encoding="utf-8")
    if table:
        table.unlink(missing_ok=True)
        store.record(table, [*made, *others])
    return {
        "sbox": "lean",
        "target": target.name if target else None,
        "rows": made,
        "others": others,
        "winners": {direction: _row(f) for direction, f in winners(made).items()},
        "files": [str(file) for file in written],
    }
