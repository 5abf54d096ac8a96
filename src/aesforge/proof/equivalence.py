"""Whether a mutant that no claim distinguishes from its core is equivalent to it, by ABC.

Both run beside each other on the same inputs, from the same arbitrary power-up value of each
register, and an output of the combination is high when they differ.
"""

import random
from collections.abc import Iterable
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from aesforge.tools import aiger, yosys
from aesforge.tools.process import ToolTimeout

EVERY_STATE = "equal in every state"
AFTER_RESET = "equal after a reset"
WHILE_VALID = "equal after a reset, but for the output while it is not valid"


class _Graph:
    """An and-inverter graph that grows: inputs and registers first."""

    def __init__(self, inputs: int, registers: int) -> None:
        self.gates: list[tuple[int, int]] = []
        self._first = 1 + inputs + registers

    def both(self, a: int, b: int) -> int:
        self.gates.append((a, b))
        return 2 * (self._first + len(self.gates) - 1)

    def either(self, a: int, b: int) -> int:
        return self.both(a ^ 1, b ^ 1) ^ 1

    def choose(self, condition: int, a: int, b: int) -> int:
        """`a` if the condition is high, else `b`."""
        return self.either(self.both(condition, a), self.both(condition ^ 1, b))

    def differ(self, a: int, b: int) -> int:
        return self.choose(a, b ^ 1, b)

    def any(self, literals: Iterable[int]) -> int:
        found = 0
        for literal in literals:
            found = self.either(found, literal)
        return found

    def copy(self, machine: aiger.Aiger, inputs: list[int], registers: list[int]) -> list[int]:
        """The literal of each node of a machine."""
        literals = [0, *inputs, *registers]
        for left, right in machine.gates:
            a, b = literals[left >> 1] ^ left & 1, literals[right >> 1] ^ right & 1
            literals.append(self.both(a, b))
        return literals


def _at(literals: list[int], literal: int) -> int:
    return literals[literal >> 1] ^ literal & 1


def _inputs(machine: aiger.Aiger) -> list[str]:
    """The names of all inputs, in their order; undefined values are numbered."""
    names = {number: name for name, number in machine.input_names.items()}
    undefined = count()
    return [names.get(at) or f"undefined {next(undefined)}" for at in range(machine.inputs)]


def miter(sound: aiger.Aiger, mutant: aiger.Aiger, kind: str) -> aiger.Aiger:
    """The two machines side by side, with one output: high when they differ.

    In every state: their registers are inputs, of equal values, and their next states count as
    outputs. After a reset: `rst_ni` is low in the first cycle, and outputs count from the second.
    As the values at power-up are arbitrary, each run of the mutant from a reset is a run of the
    core then. An input without a name is an undefined value, which may change in every cycle: it is
    the same in both, in their order, so each run of the mutant is one of the core with some values.
    """
    pair = (sound, mutant)
    inputs_of = [_inputs(machine) for machine in pair]
    ports = sorted({*inputs_of[0], *inputs_of[1]})
    names = sorted({*sound.register_names.values(), *mutant.register_names.values()})
    own = [{name: number for number, name in m.register_names.items()} for m in pair]
    combinational = kind == EVERY_STATE
    inputs = len(ports) + len(names)
    sizes = [0 if combinational else len(m.next) for m in pair]
    graph = _Graph(inputs, sum(sizes) + (not combinational))
    port = {name: 2 * (1 + number) for number, name in enumerate(ports)}
    start = {name: 2 * (1 + len(ports) + number) for number, name in enumerate(names)}
    first_register = 1 + inputs
    # Low in the first cycle, in which each register has its value of power-up.
    running = 2 * (first_register + sum(sizes))
    driven = dict(port)
    if not combinational:
        driven["rst_ni"] = graph.both(port["rst_ni"], running)

    copies = []
    for number, machine in enumerate(pair):
        offset = first_register + sum(sizes[:number])
        registers = []
        for at in range(len(machine.next)):
            begin = start[machine.register_names[at]]
            held = 2 * (offset + at)
            registers.append(begin if combinational else graph.choose(running, held, begin))
        given = [driven[name] for name in inputs_of[number]]
        copies.append(graph.copy(machine, given, registers))

    def outputs(name: str) -> list[int]:
        return [
            _at(literals, machine.outputs[machine.output_names[name]])
            for literals, machine in zip(copies, pair, strict=True)
        ]

    valid = outputs("out_valid_o")[0]
    differences = []
    for name in sound.output_names:
        different = graph.differ(*outputs(name))
        masked = kind == WHILE_VALID and name.startswith("out_data_o")
        differences.append(graph.both(valid, different) if masked else different)
    next_states = [
        {name: _at(copies[k], pair[k].next[at]) for name, at in own[k].items()} for k in (0, 1)
    ]
    if combinational:
        differences += [
            graph.differ(next_states[0][name], next_states[1][name])
            for name in names
            if all(name in one for one in next_states)
        ]
        return aiger.Aiger(inputs, [], [graph.any(differences)], graph.gates)
    bad = graph.both(running, graph.any(differences))
    registers = [_at(copies[k], literal) for k in (0, 1) for literal in pair[k].next]
    return aiger.Aiger(inputs, [*registers, 1], [bad], graph.gates)


def equivalent(sound: Path, mutant: Path, seconds: int = 60) -> str:
    """How the two AIGER files are equivalent, one of the sentences above; empty if not shown.

    Of each sentence `pdr` has `seconds`, and what ABC tries before it ten times as long.
    """
    pair = aiger.read(sound), aiger.read(mutant)
    for kind in (EVERY_STATE, AFTER_RESET, WHILE_VALID):
        both = miter(*pair, kind)
        if kind == EVERY_STATE and _differs(both):
            continue
        with TemporaryDirectory() as folder:
            place = Path(folder)
            aiger.write(both, place / "miter.aig")
            if _never(place, kind == EVERY_STATE, seconds):
                return kind
    return ""


def _never(place: Path, combinational: bool, seconds: int) -> bool:
    """Whether ABC shows that the output of `miter.aig` is never high."""
    begin = "read_aiger miter.aig; strash"
    try:
        if combinational:
            return "UNSATISFIABLE" in yosys.abc(f"{begin}; iprove", place, 10 * seconds)
        yosys.abc(f"{begin}; scorr; write_aiger left.aig", place, 10 * seconds)
    except ToolTimeout:
        return False
    if aiger.read(place / "left.aig").outputs == [0]:
        return True
    return "Property proved" in yosys.abc(f"read_aiger left.aig; strash; pdr -T {seconds}", place)


def _differs(both: aiger.Aiger) -> bool:
    """Whether a random pattern raises the output of a miter without registers."""
    rng, mask = random.Random(1), (1 << 1024) - 1
    values = both.values([rng.getrandbits(1024) for _ in range(both.inputs)], [], mask)
    return both.literal(values, both.outputs[0], mask) != 0
