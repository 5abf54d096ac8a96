"""Break a core in many small ways and check that each break is caught.

There are two sources of mutants: the faults of `formal/faults`, substitutions in the text of the
RTL, and random faults that Yosys `mutate` makes in the netlist. A mutant is caught when a claim on
it fails. A mutant that survives is equivalent under the contract, or breaks what is not claimed.
"""

import hashlib
import re
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from aesforge import cache
from aesforge.core.contract import CIPHER, delete_unused_ports
from aesforge.core.sources import digest
from aesforge.progress import track
from aesforge.proof.claims import (
    REGISTER,
    TO_AIGER,
    TO_GATES,
    Sources,
    core,
    environment,
    read_core,
    sources,
    well_formed,
)
from aesforge.proof.faults import FAULTS, Fault
from aesforge.proof.idle import idle
from aesforge.proof.leaves import leaves
from aesforge.proof.walk import cipher, kinds
from aesforge.space.axes import Config
from aesforge.tools import yosys
from aesforge.tools.process import ToolFailed

RANDOM = 12
"""Random mutants of an engine by default."""

_STATES = 10_000_000
"""Control states after which a mutant has no verdict; the sound cores have fewer."""

# Folding constants and removing unused cells suffices to see whether a core contains a fault. `opt`
# takes ten times as long in a pipeline.
_TO_TEXT = (
    *("proc", "opt_expr", "opt_clean", "memory_collect", "setattr -unset src"),
    *("rename -enumerate", "write_verilog -noattr core.v"),
)


@dataclass
class Verdict:
    """The result of a mutant: `caught` by the claim `by`, for the reason `why`."""

    name: str
    caught: bool
    by: str
    why: str
    seconds: float


def _text(given: Sources, config: Config) -> str:
    """A digest of what the core is elaborated to, with all its parts and no names of files."""

    def make() -> str:
        with TemporaryDirectory() as folder:
            place = Path(folder)
            yosys.run(
                [
                    yosys.read(rtl, CIPHER.module, config.parameters),
                    *_TO_TEXT,
                ],
                place,
            )
            return hashlib.sha256((place / "core.v").read_bytes()).hexdigest()

    rtl = given.closure(CIPHER.module)
    key = digest(config.parameters, *rtl, yosys.version(), *_TO_TEXT)
    return str(cache.value("mutant-text", key, make))


def _check(name: str, given: Sources, config: Config, netlist: Path | None) -> Verdict:
    """The verdict on a mutant. One that is no legal text counts as not caught."""
    start = time.perf_counter()

    def verdict(caught: bool, by: str, why: str) -> Verdict:
        return Verdict(name, caught, by, why, round(time.perf_counter() - start, 1))

    try:
        if netlist is None:
            claim = well_formed(given, config)
            if not claim.holds:
                return verdict(True, claim.name, claim.counterexample["rule"])
            for leaf, claim_of in leaves(given).items():
                if not claim_of().holds:
                    return verdict(True, leaf, "a part differs from the standard")
            if config.idle_output == "zero" and not (shown := idle(given, config)).holds:
                return verdict(True, shown.name, shown.counterexample["rule"])
        for bits in config.key_sizes:
            for kind in kinds(config):
                claims = cipher(
                    *(given, config, bits, kind, _STATES),
                    netlist=netlist,
                    replay=False,
                    like=core(sources(), config),
                )
                for claim in claims():
                    if claim.counterexample:
                        return verdict(True, claim.name, claim.counterexample["rule"])
                    if not claim.holds:
                        return verdict(False, claim.name, claim.covers)
    except ToolFailed as failure:
        return verdict(False, "elaboration", str(failure).splitlines()[-1])
    return verdict(False, "", "every claim holds")


def _modules(config: Config) -> list[str]:
    """The files whose modules the core is made of."""

    def make() -> list[str]:
        with TemporaryDirectory() as folder:
            read = yosys.read(rtl, CIPHER.module, config.parameters, hierarchy=True)
            yosys.run([read, "tee -q -o modules.txt ls"], Path(folder))
            # slang adds the place in the hierarchy: "aes_round$aes_cipher.u_core.u_round".
            found = (Path(folder) / "modules.txt").read_text(encoding="utf-8")
            return sorted(set(re.findall(r"\baes_\w+(?=[$\s])", found)))

    rtl = sources().closure(CIPHER.module)
    key = digest(config.parameters, *rtl, yosys.version(), "modules")
    return list(cache.value("modules", key, make))


def faulty(fault: Fault, folder: Path) -> Sources | None:
    """The sources with the fault in them; None when they have no such text."""
    whole = sources()
    for number, path in enumerate(whole.rtl):
        if path.stem == fault.file:
            text = path.read_text(encoding="utf-8")
            if text.count(fault.old) != 1:
                return None
            broken = folder / path.name
            broken.write_text(text.replace(fault.old, fault.new), encoding="utf-8")
            return replace(whole, rtl=(*whole.rtl[:number], broken, *whole.rtl[number + 1 :]))
    return None


def fitting(config: Config, faults: Sequence[Fault] = FAULTS) -> list[Fault]:
    """The faults that are in a part of this core."""
    modules = _modules(config)
    in_parts = [fault for fault in faults if fault.file.endswith("_pkg") or fault.file in modules]
    sound = _text(sources(), config) if in_parts else ""
    found = []
    for fault in in_parts:
        with TemporaryDirectory() as folder:
            given = faulty(fault, Path(folder))
            try:
                if given is not None and _text(given, config) != sound:
                    found.append(fault)
            except ToolFailed:
                found.append(fault)
    return found


def _random(config: Config, count: int) -> list[tuple[str, Path]]:
    """Netlists of the core with one random fault each."""
    whole = sources()

    def make(work: Path) -> None:
        yosys.run(
            [
                *read_core(whole, config, work)[0],
                *delete_unused_ports(config),
                # Mapped once for all of them, tables too, before the faults.
                *(*TO_GATES, "write_rtlil core.il"),
                f"mutate -list {count} -seed 1 -o mutations t:* t:{REGISTER} %d",
            ],
            work,
        )
        lines = (work / "mutations").read_text(encoding="utf-8").splitlines()
        for number, line in enumerate(line for line in lines if line.startswith("mutate")):
            place = work / f"random{number}"
            place.mkdir()
            passes = [*TO_AIGER[len(TO_GATES) :], "write_aiger -symbols core.aig"]
            yosys.run(["read_rtlil ../core.il", line, *passes], place)
            words = line.split()
            where = words[words.index("-cell") + 1] if "-cell" in words else ""
            mode = words[words.index("-mode") + 1]
            name = f"random {number}: {mode} at {where[-48:]}"
            (place / "name").write_text(name, encoding="utf-8")

    formal = (*whole.specification(), *environment(whole, config))
    key = digest(_text(whole, config), *formal, count, *TO_AIGER, yosys.version(), "gates")
    made = sorted(cache.folder("mutants-random", key, make).glob("random*"))
    return [((place / "name").read_text(encoding="utf-8"), place / "core.aig") for place in made]


def mutants(
    preset: str,
    config: Config,
    jobs: int = 1,
    count: int = RANDOM,
    faults: Sequence[Fault] = FAULTS,
) -> dict[str, Any]:
    """Check every mutant of a configuration; says which were caught, by what, and the share."""
    verdicts = []
    with TemporaryDirectory() as folder:
        place = Path(folder)
        tasks: list[tuple[str, Sources, Path | None]] = []
        for number, fault in enumerate(fitting(config, faults)):
            home = place / f"fault{number}"
            home.mkdir()
            given = faulty(fault, home)
            if given is not None:
                tasks.append((str(fault), given, None))
        if count:
            tasks += [(name, sources(), core) for name, core in _random(config, count)]
        with track(f"mutants of {preset}", len(tasks)) as advance, ThreadPoolExecutor(jobs) as pool:
            for verdict in pool.map(lambda task: _check(task[0], task[1], config, task[2]), tasks):
                verdicts.append(verdict)
                advance(1)
    caught = sum(verdict.caught for verdict in verdicts)
    return {
        "preset": preset,
        "config": config.as_dict(),
        "mutants": len(verdicts),
        "caught": caught,
        "share": caught / len(verdicts) if verdicts else None,
        "verdicts": [asdict(verdict) for verdict in verdicts],
    }
