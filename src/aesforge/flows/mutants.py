"""Break cores in many ways and count the faults that the proofs and the simulation catch."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from aesforge.core import stack
from aesforge.core.sources import digest
from aesforge.errors import UserError
from aesforge.flows.verify import checks_of
from aesforge.progress import track
from aesforge.proof import mutate
from aesforge.proof.claims import Sources, identity, modules, sources
from aesforge.proof.equivalence import equivalent
from aesforge.proof.faults import FAULTS, Fault
from aesforge.proof.mutants import NoVerdict, failing_claim, faulty, fitting
from aesforge.proof.proofs import state
from aesforge.proof.specification import formula
from aesforge.results import store
from aesforge.sim import player, register_player
from aesforge.space.axes import Config
from aesforge.space.presets import ciphers, preset
from aesforge.tools.process import ToolFailed

COUNT = 12
"""Systematic mutants of a core by default."""

BLOCKS = 2_000
"""Random blocks in each check: those of a slow test of a core (tests/rtl/cipher)."""


@dataclass
class _Mutant:
    """A core with one fault; the netlist for the walk and the model are made when asked for."""

    name: str
    kind: str
    given: Sources
    machine: Callable[[], Path | None]
    model: Callable[[], Path]


def mutants(
    choices: tuple[str, ...],
    count: int = COUNT,
    seed: int = 1,
    jobs: int = 1,
    blocks: int = BLOCKS,
    catalogue: bool = True,
) -> dict[str, Any]:
    """Try the mutants of a configuration, or without `choices` of the default one of each preset.

    Of each core, `count` systematic mutants are sampled with `seed`. With `catalogue`, the faults
    of `formal/faults` are tried too: each in the core that it names, else in the first one that
    contains it. A row of each core is stored in `results/mutants.jsonl`; one of the same mutants of
    the same netlist counts.
    """
    if count < 0 or jobs < 1 or blocks < 1:
        raise UserError("give --count of 0 or more, --jobs and --blocks of 1 or more")
    if count > mutate.MOST:
        raise UserError(f"--count {count} is more than {mutate.MOST}; use several seeds")
    table = store.path("mutants")
    old = store.load(table)
    rows: list[store.Row] = []
    met: set[Fault] = set()
    for name, config in _cores(choices):
        faults = _faults(name, config, met, bool(choices)) if catalogue else []
        met |= set(faults)
        if not faults and not count:
            continue
        made_of = {
            **{"preset": name, "config": config.as_dict(), "seed": seed, "count": count},
            **{"blocks": blocks, **_made_of(config, faults, old)},
        }
        row = next(
            (row for row in old if all(row.get(what) == made_of[what] for what in _SAME)), None
        )
        verdicts = (
            row["verdicts"] if row else _verdicts(name, config, faults, count, seed, jobs, blocks)
        )
        rows.append({**made_of, "verdicts": verdicts})
        store.record(table, rows[-1:])
    verdicts = [verdict for row in rows for verdict in row["verdicts"]]
    return {
        "cores": len(rows),
        "mutants": len(verdicts),
        "by_prove": sum(bool(v["prove"]) for v in verdicts),
        "by_verify": sum(bool(v["verify"]) for v in verdicts),
        "by_both": sum(bool(v["prove"] and v["verify"]) for v in verdicts),
        "by_none": sum(not v["prove"] and not v["verify"] for v in verdicts),
        "undecided": [v["name"] for v in verdicts if v["undecided"]],
        "unexplained": [v["name"] for v in verdicts if unexplained(v)],
        "holds": not any(unexplained(v) for v in verdicts),
        "rows": rows,
    }


def unexplained(verdict: dict[str, Any]) -> bool:
    """Whether a mutant passes every claim, or has no verdict, and is not shown to be equivalent."""
    return not verdict["prove"] and not verdict["equivalent"]


def _cores(choices: tuple[str, ...]) -> list[tuple[str, Config]]:
    """The cores to break: the one chosen, else each preset's own, and those that faults name."""
    if choices:
        name, *axes = choices
        config = preset(name).configure(axes)
        stack.require_contract(config, "mutants")
        stack.require_core(config, "mutants")
        return [(name, config)]
    found = [(name, one.config) for name, one in ciphers().items()]
    for words in dict.fromkeys(fault.core for fault in FAULTS if fault.core):
        core = _named(words)
        if core not in found:
            found.append(core)
    return found


def _named(words: str) -> tuple[str, Config]:
    name, *axes = words.split()
    return name, preset(name).configure(axes)


def _faults(name: str, config: Config, met: set[Fault], alone: bool) -> list[Fault]:
    """The faults of the catalogue to try in this core."""
    named = [fault for fault in FAULTS if fault.core and _named(fault.core) == (name, config)]
    others = [fault for fault in FAULTS if not fault.core and (alone or fault not in met)]
    return named + fitting(config, others)


def _verdicts(
    name: str,
    config: Config,
    faults: list[Fault],
    count: int,
    seed: int,
    jobs: int,
    blocks: int,
) -> list[dict[str, Any]]:
    verdicts = []
    with TemporaryDirectory() as folder:
        tasks = [
            *_of_catalogue(config, faults, Path(folder)),
            *_systematic(config, count, seed, Path(folder)),
        ]
        with track(f"mutants of {name}", len(tasks)) as advance, ThreadPoolExecutor(jobs) as pool:
            for verdict in pool.map(lambda task: _verdict(task, config, blocks), tasks):
                verdicts.append(verdict)
                advance(1)
    return verdicts


_SAME = ("preset", "config", "seed", "count", "blocks", "faults", "netlist", "specification")
"""What of a row shows whether its verdicts are those of a run now."""


def _made_of(config: Config, faults: list[Fault], known: list[store.Row]) -> store.Row:
    parts = modules(sources(), config)
    return {
        "faults": digest(*(f"{fault}: {fault.old} {fault.new}" for fault in faults)),
        "sources": list(parts),
        "source_hash": state(parts),
        **identity(sources(), config, known),
        "specification": formula(sources(), config),
    }


def _of_catalogue(config: Config, faults: Iterable[Fault], folder: Path) -> Iterator[_Mutant]:
    for number, fault in enumerate(faults):
        home = folder / f"fault{number}"
        home.mkdir()
        given = faulty(fault, home)
        assert given is not None, f"{fault}: its text is gone"

        def model(given: Sources = given) -> Path:
            return compile_faulty(given, config)

        yield _Mutant(str(fault), "catalogue", given, lambda: None, model)


def compile_faulty(given: Sources, config: Config) -> Path:
    """The simulation model of a core with a fault in its sources."""
    replaced = {path.name: path for path in given.rtl}
    files = tuple(replaced.get(path.name, path) for path in stack.sources(config))
    if config.registers:
        return register_player.compiled(config, files)
    return player.compiled(stack.contract(config), stack.parameters(config), files)


def _systematic(config: Config, count: int, seed: int, folder: Path) -> Iterator[_Mutant]:
    changes = mutate.sample(config, count, seed) if count else []
    whole = mutate.model(config, changes) if changes else Path()
    for number, change in enumerate(changes, 1):

        def machine(change: mutate.Mutation = change) -> Path:
            return mutate.machine(config, change)

        def model(number: int = number) -> Path:
            return mutate.chosen(whole, number, folder)

        yield _Mutant(str(change), "systematic", sources(), machine, model)


def _verdict(mutant: _Mutant, config: Config, blocks: int) -> dict[str, Any]:
    """What caught a mutant: the rule of the proof and the check of the simulation, or nothing."""
    found = {"name": mutant.name, "kind": mutant.kind, "prove": "", "undecided": ""}
    netlist = mutant.machine()
    try:
        found["prove"] = failing_claim(config, mutant.given, netlist)
    except NoVerdict as stopped:
        found["undecided"] = str(stopped)
    found["verify"] = failing_check(mutant.model(), config, blocks)
    found["equivalent"] = ""
    if netlist is not None and not found["prove"] and not found["verify"]:
        found["equivalent"] = equivalent(mutate.machine(config, None), netlist)
    return found


def failing_check(model: Path, config: Config, blocks: int) -> str:
    """The first check of `aesforge verify` that fails on a model; empty when all hold."""
    kind, checks = checks_of(config)
    bench = kind(config, model, blocks, seed=1)
    for name, check in checks.items():
        try:
            problems, _ = check(bench)
        except ToolFailed as failure:
            problems = [str(failure)]
        if problems:
            return name
    return ""
