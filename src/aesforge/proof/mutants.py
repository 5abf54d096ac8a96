"""Whether the proofs and the simulation catch a mutant: a core with one fault.

There are two sources of mutants: the faults of `formal/faults`, substitutions in the text of the
RTL, and the systematic ones of `aesforge.proof.mutate`. A mutant is caught when a claim on it, or a
check of `aesforge verify`, fails.
"""

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from aesforge import cache
from aesforge.core.contract import CIPHER
from aesforge.core.sources import digest
from aesforge.proof.claims import Claim, Sources, bare, core, sources, well_formed, whole
from aesforge.proof.faults import FAULTS, Fault, substituted
from aesforge.proof.idle import gated
from aesforge.proof.leaves import leaves
from aesforge.proof.pace import pace
from aesforge.proof.walk import cipher, kinds
from aesforge.space.axes import Config
from aesforge.tools import yosys

_STATES = 10_000_000
"""Control states after which a mutant has no verdict; the sound cores have fewer."""

# Folding constants and removing unused cells suffices to see whether a core contains a fault. `opt`
# takes ten times as long in a pipeline.
_TO_TEXT = (
    *("proc", "opt_expr", "opt_clean", "memory_collect", "setattr -unset src"),
    *("rename -enumerate", "write_verilog -noattr core.v"),
)


class NoVerdict(Exception):
    """A walk ended at its limit of states."""


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
            broken = substituted(path, fault.old, fault.new, folder)
            if broken is None:
                return None
            return replace(whole, rtl=(*whole.rtl[:number], broken, *whole.rtl[number + 1 :]))
    return None


def fitting(config: Config, faults: Sequence[Fault] = FAULTS) -> list[Fault]:
    """The faults that change the netlist of this core."""
    modules = _modules(config)
    in_parts = [fault for fault in faults if fault.file.endswith("_pkg") or fault.file in modules]
    sound = _text(sources(), config) if in_parts else ""
    found = []
    for fault in in_parts:
        with TemporaryDirectory() as folder:
            given = faulty(fault, Path(folder))
            if given is not None and _text(given, config) != sound:
                found.append(fault)
    return found


def failing_claim(config: Config, given: Sources, netlist: Path | None = None) -> str:
    """The rule that the first failing claim on a mutant names; empty when every claim holds.

    `netlist` is an AIGER file that replaces the core. NoVerdict when a walk stops at its limit.
    """
    for claim in _claims(config, given, netlist):
        if claim.counterexample:
            return str(claim.counterexample.get("rule", f"{claim.name}: a part is wrong"))
        if not claim.holds:
            raise NoVerdict(claim.covers)
    return ""


def _claims(config: Config, given: Sources, netlist: Path | None) -> Iterator[Claim]:
    if netlist is None:
        yield well_formed(given, config)
        for claim in leaves(given).values():
            yield claim()
    if config.idle_output == "zero":
        yield gated(netlist or whole(given, config))
    walked = netlist and bare(netlist, config)
    like = core(sources(), config)
    for bits in config.key_sizes:
        for kind in kinds(config):
            yield from cipher(
                *(given, config, bits, kind, _STATES), netlist=walked, replay=False, like=like
            )()
            yield pace(given, config, bits, kind, walked)()
