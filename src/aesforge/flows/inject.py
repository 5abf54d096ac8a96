"""Flip every register of a core, and gates, in every cycle of a block; count what becomes of it.

The netlist is that of the bundle, elaborated, in which each bit of a register or memory is one
flip-flop. Two blocks are encrypted or decrypted under one key, with stalls of the results. Flips
are made from the reset to the result of the first block; the second block shows what a flip leaves
behind, in a stored key for example. A gate is a conjunction of the and-inverter graph of that
netlist, and its flip lasts for one cycle.

The negative controls are the substitutions of `formal/flips/MODULE.toml`: a comparison missing, an
alarm that ends. The campaign must find each of them.
"""

import random
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from aesforge import cache
from aesforge.core import stack
from aesforge.core.contract import Contract
from aesforge.core.sources import digest, fingerprint, used
from aesforge.errors import UserError
from aesforge.flows.build import elaborated
from aesforge.progress import track
from aesforge.proof.claims import TO_AIGER
from aesforge.proof.faults import catalogue, substituted
from aesforge.results import store
from aesforge.sim.inject import CLASSES, Flip, Injector, Outcome, Run, Stimulus, control
from aesforge.sim.oracle import ecb, key_payload
from aesforge.space.axes import Config
from aesforge.space.presets import Preset
from aesforge.tools import aiger, yosys

TOP = "aes_injected"

CORE, COPY = "u_cipher.", "u_copy."
"""What the names of registers start with in a core, and in the copy that it is compared with."""

BAD = ("silent", "missing", "late", "unstable")
"""What no single flip of a core with `protection=fault` may be."""

_SEED = 1
"""Of keys and blocks of a run."""


@dataclass(frozen=True)
class Control:
    """A negative control: `old` in a module, which occurs once, replaced by `new`.

    `find` is a class of faults that the campaign must then have.
    """

    file: str
    name: str
    old: str
    new: str
    find: str


def controls() -> tuple[Control, ...]:
    """The negative controls of the layer that compares two copies."""
    return catalogue(Control, "flips")


def netlist(config: Config, instead: Control | None = None) -> aiger.Aiger:
    """The bundle of a configuration as an and-inverter graph, with its copies apart."""
    lines = stack.top(config, TOP, chooser=False)

    def make(folder: Path) -> None:
        files = [_changed(path, instead, folder) for path in elaborated(config)]
        top = folder / f"{TOP}.sv"
        top.write_text("\n".join(lines) + "\n", encoding="utf-8")
        # Registers are black boxes to these passes, so equal ones of both copies are not merged.
        read = yosys.read([*files, top], TOP)
        yosys.run([read, *TO_AIGER, "write_aiger -symbols core.aig"], folder)

    key = digest(*lines, str(instead), *elaborated(config), *TO_AIGER, yosys.version())
    return aiger.read(cache.folder("injected", key, make) / "core.aig")


def _changed(path: Path, instead: Control | None, folder: Path) -> Path:
    if instead is None or path.stem != instead.file:
        return path
    changed = substituted(path, instead.old, instead.new, folder)
    if changed is None:
        raise UserError(f"the control '{instead.name}' does not fit {instead.file}")
    return changed


def stimulus(config: Config, seed: int = _SEED) -> Stimulus:
    """A random key of the smallest size and two random blocks, with OpenSSL's results."""
    rng = random.Random(seed)
    key = rng.randbytes(config.key_sizes[0] // 8)
    decrypt = config.directions[0] == "decrypt"
    blocks = [rng.randbytes(config.block_bytes) for _ in range(2)]
    results = [ecb(key, decrypt, int(config.block))(block) for block in blocks]
    payload = [_number(value) for value in key_payload(key, config)]
    largest = (0,) if config.selectable_sboxes else ()
    return Stimulus(
        payload,
        [(int.from_bytes(block), int(decrypt), *largest) for block in blocks],
        [int.from_bytes(result) for result in results],
    )


def _number(value: int | bytes) -> int:
    return value if isinstance(value, int) else int.from_bytes(value)


@dataclass(frozen=True)
class Subject:
    """A core to disturb: its netlist, its contract, which registers hold control."""

    machine: aiger.Aiger
    contract: Contract
    injector: Injector
    control: Sequence[bool]

    @classmethod
    def of(cls, config: Config, instead: Control | None = None, seed: int = _SEED) -> "Subject":
        """The bundle of a configuration, or one with a negative control."""
        machine, contract = netlist(config, instead), stack.contract(config)
        injector = Injector(machine, contract, stimulus(config, seed))
        return cls(machine, contract, injector, control(machine, contract))

    def twins(self) -> list[tuple[int, int]]:
        """Each register of the core and the same one of its copy."""
        at = {name: number for number, name in self.machine.register_names.items()}
        return [
            (number, at[COPY + name.removeprefix(CORE)])
            for name, number in at.items()
            if name.startswith(CORE) and COPY + name.removeprefix(CORE) in at
        ]

    def gates(self) -> dict[str, list[int]]:
        """The numbers of all gates: with two copies, of those and of what is around them.

        A gate is of a copy when it depends on registers of one copy and not of the other, in the
        same cycle; that may be logic of the layer, too.
        """
        machine = self.machine
        own, first = 1 + machine.inputs, 1 + machine.inputs + len(machine.next)
        copies = [frozenset[str]()] * (first + len(machine.gates))
        for number, name in machine.register_names.items():
            copies[own + number] = frozenset(one for one in (CORE, COPY) if name.startswith(one))
        for at, (left, right) in enumerate(machine.gates, first):
            copies[at] = copies[left >> 1] | copies[right >> 1]
        numbers = {at: at - own for at in range(first, first + len(machine.gates))}
        if not self.twins():
            return {"gate": list(numbers.values())}
        return {
            "gate_of_copy": [number for at, number in numbers.items() if len(copies[at]) == 1],
            "gate_of_layer": [number for at, number in numbers.items() if len(copies[at]) != 1],
        }

    def singles(self, every: int) -> tuple[Run, list[tuple[Flip]], list[Outcome]]:
        """A flip of each register in one cycle of so many, until the first result."""
        run, _ = self.inject([])
        registers = range(len(self.machine.next))
        clocks = range(0, run.first + 1, every)
        flips = [((clock, register),) for clock in clocks for register in registers]
        return run, flips, self.inject(flips)[1]

    def inject(self, faults: Sequence[Sequence[Flip]]) -> tuple[Run, list[Outcome]]:
        """The outcome of each fault."""
        with TemporaryDirectory(prefix="aesforge-") as folder:
            return self.injector.run(faults, Path(folder))


def _counted(outcomes: Sequence[Outcome]) -> dict[str, int]:
    found = Counter(outcome.kind for outcome in outcomes)
    return {"faults": len(outcomes), **{kind: found[kind] for kind in CLASSES.values()}}


def campaign(
    config: Config, doubles: int, every: int = 1, seed: int = 1, gates: int = 0
) -> dict[str, Any]:
    """Flip each register in each cycle, or in one cycle of so many; then `doubles` pairs.

    A pair is two flips of any registers in any cycles, both drawn at random. With two copies, as
    many more pairs flip the same register of both in the same cycle. `gates` are flips of one gate
    in one cycle, drawn at random; with two copies as many again are of the layer around them.
    """
    subject = Subject.of(config)
    registers = len(subject.machine.next)
    run, singles, outcomes = subject.singles(every)
    kinds: dict[str, list[Outcome]] = {"control": [], "data": []}
    for ((_, register),), outcome in zip(singles, outcomes, strict=True):
        kinds["control" if subject.control[register] else "data"].append(outcome)
    rng = random.Random(seed)

    def flip() -> Flip:
        return rng.randrange(run.first + 1), rng.randrange(registers)

    pairs = [(flip(), flip()) for _ in range(doubles)]
    table = {f"single_{kind}": _counted(found) for kind, found in kinds.items()}
    table["double"] = _counted(subject.inject(pairs)[1])
    if twins := subject.twins():
        both = [
            tuple((clock, register) for register in rng.choice(twins))
            for clock in (rng.randrange(run.first + 1) for _ in range(doubles))
        ]
        table["same_in_both"] = _counted(subject.inject(both)[1])
    chosen = random.Random(seed)
    for name, found in subject.gates().items() if gates else ():
        drawn = [((chosen.randrange(run.first + 1), chosen.choice(found)),) for _ in range(gates)]
        table[name] = _counted(subject.inject(drawn)[1])
    alarms = [o.alarm - at for ((at, _),), o in zip(singles, outcomes, strict=True) if o.alarm]
    return {
        "cycles": run.first + 1,
        "every": every,
        "seed": seed,
        "gates": len(subject.machine.gates),
        "registers": {"control": sum(subject.control), "data": registers - sum(subject.control)},
        "faults": table,
        "longest_detection": max(alarms, default=None),
        "holds": _holds(table),
        **_made_of(config, subject.machine),
    }


def _holds(table: Mapping[str, Mapping[str, int]]) -> bool:
    """No bad outcome of a single flip in control or of a gate of a copy, and few in data.

    Few are less than 0.1 %.
    """
    bad = {name: sum(found[kind] for kind in BAD) for name, found in table.items()}
    none = not bad["single_control"] and not bad.get("gate_of_copy")
    return none and 1000 * bad["single_data"] < table["single_data"]["faults"]


def _made_of(config: Config, machine: aiger.Aiger) -> dict[str, Any]:
    names = used({path.stem for path in elaborated(config)})
    return {
        "sources": list(names),
        "source_hash": fingerprint(names),
        "netlist": aiger.structure(machine),
        "versions": {"pyosys": yosys.version()},
    }


def inject(
    preset: Preset,
    config: Config,
    doubles: int,
    every: int,
    seed: int,
    table: Path | None,
    gates: int = 0,
) -> dict[str, Any]:
    """A campaign on one configuration, recorded in the store `table` if there is one."""
    _check(config, doubles, every, gates)
    begun = time.perf_counter()
    with track(f"injecting faults into {preset.name}"):
        found = campaign(config, doubles, every, seed, gates)
    row = {
        **{"preset": preset.name, "config": config.as_dict()},
        **found,
        "seconds": round(time.perf_counter() - begun, 1),
    }
    if table is not None:
        store.record(table, [row])
    # A core without protection is the control: that flips corrupt its results is not a failure.
    return row if config.protection == "fault" else {**row, "holds": True}


def checked(config: Config, one: Control, every: int) -> dict[str, Any]:
    """A negative control, with the number of faults that it must have and has."""
    begun = time.perf_counter()
    subject = Subject.of(config, one)
    _, _, outcomes = subject.singles(every)
    found = Counter(outcome.kind for outcome in outcomes)
    return {
        "name": f"{one.file}: {one.name}",
        "holds": found[one.find] > 0,
        "find": one.find,
        "found": found[one.find],
        "seconds": round(time.perf_counter() - begun, 1),
    }


def inject_controls(preset: Preset, config: Config, every: int) -> dict[str, Any]:
    """The campaign on each negative control: all must be found."""
    _check(config, 0, every)
    if config.protection != "fault":
        raise UserError("the controls break the comparison: choose protection=fault too")
    checks = [checked(config, one, every) for one in controls()]
    return {
        "preset": preset.name,
        "config": config.as_dict(),
        "controls": checks,
        "holds": all(check["holds"] for check in checks),
    }


def _check(config: Config, doubles: int, every: int, gates: int = 0) -> None:
    stack.require_contract(config, "inject")
    stack.require_blocks(config, "inject")
    if config.port != "native":
        raise UserError(
            f"'aesforge inject' takes the ports of a core: leave out port={config.port}"
        )
    if config.self_test == "on":
        raise UserError(
            "'aesforge inject' takes a core without a test, which would stop the core for a flip "
            "of its own: leave out self_test=on"
        )
    if config.key_schedule in ("loaded", "given"):
        raise UserError(
            f"'aesforge inject' offers keys alone: choose another key_schedule than "
            f"{config.key_schedule}"
        )
    if doubles < 0 or gates < 0 or every < 1:
        raise UserError("give --doubles and --gates of 0 or more, and --every of 1 or more")
