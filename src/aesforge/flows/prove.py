"""Prove a core: its parts, and every reachable state of its control for all keys and blocks."""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from aesforge.core.contract import CIPHER
from aesforge.errors import UserError, unknown
from aesforge.flows.prove_masked import prove_masked
from aesforge.progress import track
from aesforge.proof import certificate as certificates
from aesforge.proof import induction, layers, sequential
from aesforge.proof.bounded import bounded
from aesforge.proof.claims import Claim, Sources, sources, versions, well_formed
from aesforge.proof.idle import IDLE, idle
from aesforge.proof.leaves import leaves
from aesforge.proof.pace import pace
from aesforge.proof.walk import STATES, cipher, kinds, named
from aesforge.space.axes import Config
from aesforge.tools.vcd import write_vcd

ENGINES = ("walk", "cec", "scorr", "induction", "all")
"""The engines that claims are shown by; the first is that of every day."""


def _listed(claim: Callable[[], Claim]) -> Callable[[], list[Claim]]:
    return lambda: [claim()]


def _tasks(
    given: Sources, config: Config, engine: str, states: int, only: Iterable[str]
) -> dict[str, Callable[[], list[Claim]]]:
    """What an engine shows of a configuration, by name."""
    if engine not in ENGINES:
        raise unknown("engine", engine, ENGINES)
    core = config.core
    if engine == "scorr" and not sequential.reaches(core):
        raise UserError(
            "scorr covers cores of engine=iterative with key_schedule=on_the_fly, block=128, "
            "keys=128, direction=encrypt and rounds_per_cycle=1; choose these, or --engine cec"
        )
    if engine == "induction" and not induction.reaches(core):
        raise UserError(
            "induction covers cores of one block at a time with block=128 and key_schedule="
            "on_the_fly, or stored keys of one size and direction; choose these, or --engine cec"
        )
    tasks: dict[str, Callable[[], list[Claim]]] = {}
    if engine in ("walk", "all"):
        tasks = {name: _listed(claim) for name, claim in leaves(given).items()}
        # A layer around the core has the gate, and its contract the claim.
        if config.idle_output == "zero" and not config.cipher.stacked:
            tasks[IDLE] = _listed(lambda: idle(given, core))
        found = layers.claims(given, config, only)
        tasks |= {name: _listed(claim) for name, claim in found.items()}
    for bits in core.key_sizes:
        for kind in kinds(core):
            name = named(core, bits, kind)
            if engine in ("walk", "all"):
                tasks[name] = cipher(given, core, bits, kind, states)
                tasks[f"{name} pace"] = _listed(pace(given, core, bits, kind))
            if engine in ("cec", "all"):
                tasks[f"{name} by cec"] = bounded(given, core, bits, kind)
    if engine in ("scorr", "all") and sequential.reaches(core):
        tasks["cipher 128 encrypt by scorr"] = sequential.sequential(given, core)
    if engine in ("induction", "all") and induction.reaches(core):
        tasks[induction.NAME] = induction.induction(given, core)
    return tasks


def prove(
    preset: str,
    config: Config,
    jobs: int = 1,
    wave: Path | None = None,
    only: Iterable[str] | None = None,
    given: Sources | None = None,
    states: int = STATES,
    certificate: Path | None = None,
    check: Path | None = None,
    engine: str = "walk",
) -> dict[str, Any]:
    """Prove every claim on a configuration, or those whose names start with one of `only`.

    The claims on a core with layers are those on the core and those on each layer around any core.
    Nothing else is claimed of a netlist that the proofs do not cover. `certificate` is a file that
    the states of the walks are written to, and checked from; `check` is such a file to check alone.
    A masked core has other claims (`aesforge.flows.prove_masked`).
    `engine` is one of `ENGINES`; the name of a claim ends with an engine other than the walk.
    """
    if jobs < 1:
        raise UserError(f"--jobs {jobs} proves nothing; give 1 or more")
    if config.protected:
        if certificate or check or wave or engine != "walk":
            raise UserError(
                "a masked core has claims of its own, by one engine: leave out --engine, --wave "
                "and certificates"
            )
        return _document(preset, config, list(prove_masked(config, only)))
    if engine not in ("walk", "all") and (certificate or check):
        raise UserError(f"a certificate is of the walk, not of {engine}; leave out --engine")
    given, core = given or sources(), config.core
    wanted = ("",) if only is None else tuple(only)
    tasks = _tasks(given, config, engine, states, wanted)
    if only is not None:
        for name in wanted:
            if not any(task.startswith(name) for task in tasks):
                raise unknown("claim", name, tasks)
        tasks = {name: task for name, task in tasks.items() if name.startswith(wanted)}
    if check is not None:
        tasks = {"certificate": lambda: certificates.check(given, core, check)}

    claims = [well_formed(given, core)]
    if not claims[0].holds:
        tasks = {}
    with track(f"proving {preset}", len(tasks)) as advance, ThreadPoolExecutor(jobs) as pool:
        for done in pool.map(lambda task: task(), tasks.values()):
            claims.extend(done)
            advance(1)
    if certificate is not None and all(claim.holds for claim in claims):
        claims += certificates.made(given, core, certificate)
    for claim in claims:
        clocks = claim.counterexample.pop("wave", None)
        widths = claim.counterexample.pop("widths", None)
        if wave is not None and clocks:
            write_vcd(wave, CIPHER.module, clocks, widths)
            wave = None
    return _document(preset, config, claims)


def _document(preset: str, config: Config, claims: list[Claim]) -> dict[str, Any]:
    return {
        "preset": preset,
        "config": config.as_dict(),
        "holds": all(claim.holds for claim in claims),
        "claims": [claim.as_dict() for claim in claims],
        "versions": versions(),
    }
