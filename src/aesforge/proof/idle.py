"""The claim on the idle output: with `idle_output=zero`, a result that is not valid is 0."""

import random
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from aesforge import cache
from aesforge.core.sources import digest
from aesforge.proof.claims import Claim, Sources, whole
from aesforge.space.axes import Config
from aesforge.tools import aiger, yosys

IDLE = "idle output"
"""The name of the claim."""

_VALID, _DATA = "out_valid_o", "out_data_o"
_PATTERNS = 4096


def idle(given: Sources, config: Config) -> Claim:
    """The claim that `out_data_o` is 0 whenever `out_valid_o` is low.

    Registers and inputs may have any values, those that no run reaches among them. ABC decides it
    by satisfiability; a violation names the bit of the result.
    """
    return gated(whole(given, config))


def gated(netlist: Path) -> Claim:
    """The same claim on the AIGER file of a whole core."""

    def make() -> dict[str, Any]:
        start = time.perf_counter()
        machine = aiger.read(netlist)
        found = _simulated(machine)
        if not found and not _never(_violation(machine)):
            found = {"rule": f"{_DATA} is not shown to be 0 while {_VALID} is low"}
        covers = f"any inputs and any registers: {_DATA} is 0 while {_VALID} is low"
        return Claim(IDLE, not found, time.perf_counter() - start, covers, found).as_dict()

    key = digest(netlist, Path(__file__), Path(aiger.__file__), yosys.version())
    return Claim(**cache.value("proof-idle", key, make))


def _bits(machine: aiger.Aiger) -> dict[str, int]:
    """The literal of each bit of the result."""
    return {
        name: machine.outputs[at]
        for name, at in machine.output_names.items()
        if name.partition("[")[0] == _DATA
    }


def _simulated(machine: aiger.Aiger) -> dict[str, Any]:
    """A violation among random patterns; empty when there is none."""
    rng, mask = random.Random(1), (1 << _PATTERNS) - 1
    inputs = [rng.getrandbits(_PATTERNS) for _ in range(machine.inputs)]
    registers = [rng.getrandbits(_PATTERNS) for _ in machine.next]
    values = machine.values(inputs, registers, mask)
    idle = ~machine.literal(values, machine.outputs[machine.output_names[_VALID]], mask) & mask
    for name, literal in _bits(machine).items():
        if machine.literal(values, literal, mask) & idle:
            return {"rule": f"{name} can be 1 while {_VALID} is low"}
    return {}


def _violation(machine: aiger.Aiger) -> aiger.Aiger:
    """A circuit of one output: some bit of the result is 1 while it is not valid."""
    valid = machine.outputs[machine.output_names[_VALID]]
    gates, first = list(machine.gates), machine.inputs + len(machine.next) + 1

    def both(left: int, right: int) -> int:
        gates.append((left, right))
        return 2 * (first + len(gates) - 1)

    none = 1
    for literal in _bits(machine).values():
        none = both(none, both(literal, valid ^ 1) ^ 1)
    inputs = machine.inputs + len(machine.next)
    return aiger.Aiger(inputs, [], [none ^ 1], gates)


def _never(circuit: aiger.Aiger) -> bool:
    """Whether the output of a circuit without registers is 0 for all inputs."""
    with TemporaryDirectory() as folder:
        aiger.write(circuit, Path(folder) / "idle.aig")
        return "UNSATISFIABLE" in yosys.abc("read idle.aig; strash; sat", Path(folder))
