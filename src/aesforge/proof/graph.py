"""And-inverter graphs that grow: formulas over named inputs, and a netlist cycle by cycle."""

from dataclasses import dataclass, field

from aesforge.tools.aiger import Aiger


@dataclass
class Graph:
    """An and-inverter graph with structural hashing.

    A literal is 2 * number + inverted; number 0 is the constant 0. `operands` has the two operands
    of a gate, and None for an input.
    """

    operands: list[tuple[int, int] | None] = field(default_factory=lambda: [None])
    names: dict[int, str] = field(default_factory=dict)
    _gates: dict[tuple[int, int], int] = field(default_factory=dict)

    def free(self, name: str) -> int:
        """A new input."""
        self.operands.append(None)
        self.names[len(self.operands) - 1] = name
        return 2 * (len(self.operands) - 1)

    def both(self, a: int, b: int) -> int:
        """The conjunction of two literals."""
        if a > b:
            a, b = b, a
        if a == 0 or a ^ b == 1:
            return 0
        if a == 1 or a == b:
            return b
        found = self._gates.get((a, b))
        if found is None:
            self.operands.append((a, b))
            found = self._gates[a, b] = 2 * (len(self.operands) - 1)
        return found

    def choose(self, select: int, one: int, other: int) -> int:
        """`one` where `select` is 1, `other` where it is 0."""
        return self.both(self.both(select, one) ^ 1, self.both(select ^ 1, other) ^ 1) ^ 1

    def formula(self, of: Aiger, inputs: list[int]) -> list[int]:
        """The outputs of a combinational netlist as functions of the literals `inputs`."""
        made = [0, *inputs]
        for left, right in of.gates:
            made.append(self.both(made[left >> 1] ^ left & 1, made[right >> 1] ^ right & 1))
        return [made[literal >> 1] ^ literal & 1 for literal in of.outputs]

    def cone(self, literals: list[int]) -> list[int]:
        """The numbers of the nodes that the literals depend on, operands first."""
        marked = bytearray(len(self.operands))
        for literal in literals:
            marked[literal >> 1] = 1
        for number in range(len(self.operands) - 1, 0, -1):
            operands = self.operands[number]
            if marked[number] and operands is not None:
                marked[operands[0] >> 1] = marked[operands[1] >> 1] = 1
        return [number for number in range(1, len(self.operands)) if marked[number]]

    def netlist(self, outputs: list[int], inputs: list[int]) -> Aiger:
        """The cone of `outputs`; `inputs` are the numbers of the inputs in order."""
        place = {0: 0} | {number: at for at, number in enumerate(inputs, 1)}
        gates = []
        for number in self.cone(outputs):
            operands = self.operands[number]
            if operands is not None:
                a, b = (2 * place[one >> 1] + (one & 1) for one in operands)
                gates.append((max(a, b), min(a, b)))
                place[number] = len(inputs) + len(gates)
        literals = [2 * place[one >> 1] + (one & 1) for one in outputs]
        return Aiger(len(inputs), [], literals, gates)


@dataclass
class Cycles:
    """A netlist in successive cycles. Every register is a free input in cycle 0.

    A node is only built when a literal that was asked for depends on it. An input without a value
    in `driven` is free, apart in each cycle.
    """

    machine: Aiger
    graph: Graph
    driven: list[dict[str, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._inputs = {number: name for name, number in self.machine.input_names.items()}
        self._first = 1 + self.machine.inputs + len(self.machine.next)
        self._made: list[dict[int, int]] = []

    def advance(self, driven: dict[str, int]) -> None:
        """Add a cycle in which these inputs have these literals."""
        self.driven.append(driven)
        self._made.append({0: 0})

    def output(self, name: str) -> int:
        """The literal of an output in the last cycle."""
        return self._literal(len(self._made) - 1, self.machine.outputs[self._output(name)])

    def outputs(self, port: str, width: int) -> list[int]:
        """The literals of a port in the last cycle, bit 0 first."""
        return [self.output(f"{port}[{bit}]") for bit in range(width)]

    def register(self, number: int) -> int:
        """The literal of a register in the last cycle."""
        return self._literal(len(self._made) - 1, 2 * (1 + self.machine.inputs + number))

    def _output(self, name: str) -> int:
        names = self.machine.output_names
        return names[name] if name in names else names[f"{name}[0]"]

    def _source(self, cycle: int, number: int) -> int | None:
        """The literal of an input, or of a register in cycle 0; None of all else."""
        if number <= self.machine.inputs:
            # Without a name: an undefined value, which may change in every cycle.
            name = self._inputs.get(number - 1, f"undefined value {number}")
            if name in self.driven[cycle]:
                return self.driven[cycle][name]
            return self.graph.free(f"{name} in cycle {cycle}")
        if number < self._first and cycle == 0:
            at = number - 1 - self.machine.inputs
            return self.graph.free(f"{self.machine.register_names.get(at, at)} at power-up")
        return None

    def _literal(self, cycle: int, literal: int) -> int:
        # Depth first, without recursion: a chain of gates is as long as the run.
        todo = [(cycle, literal >> 1)]
        made, both = self._made, self.graph.both
        while todo:
            at, number = todo[-1]
            known = made[at]
            if number in known:
                todo.pop()
                continue
            source = self._source(at, number)
            if source is not None:
                known[number] = source
                todo.pop()
                continue
            if number < self._first:
                before = self.machine.next[number - 1 - self.machine.inputs]
                value = made[at - 1].get(before >> 1)
                if value is None:
                    todo.append((at - 1, before >> 1))
                else:
                    known[number] = value ^ before & 1
                    todo.pop()
                continue
            left, right = self.machine.gates[number - self._first]
            a = known.get(left >> 1)
            if a is None:
                todo.append((at, left >> 1))
                continue
            a ^= left & 1
            if a == 0:
                known[number] = 0
                todo.pop()
                continue
            b = known.get(right >> 1)
            if b is None:
                todo.append((at, right >> 1))
                continue
            known[number] = both(a, b ^ right & 1)
            todo.pop()
        return made[cycle][literal >> 1] ^ literal & 1
