"""Exact values of circuits that multiply, for all inputs at once: sums of products of two inputs.

A product in a field of characteristic 2 is bilinear, so each signal of a multiplier is a polynomial
over GF(2) with terms 1, a_i, b_j and a_i b_j. Two functions are equal for all inputs exactly when
their polynomials are equal, so comparing the polynomials is a proof; no solver is needed. Registers
are simulated cycle by cycle, with constants for control and polynomials for data. A signal with
any other term, and a control signal that depends on data, raise NotBilinear.
"""

from collections.abc import Callable, Mapping, Sequence
from graphlib import TopologicalSorter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from aesforge.tools import netlist, yosys


class NotBilinear(Exception):
    """A gate whose value is no sum of products of an input a_i and an input b_j."""


class Form(NamedTuple):
    """A polynomial by its terms: bit i of `a`, bit j of `b`, bit (i << SHIFT) + j of `ab`."""

    one: int = 0
    a: int = 0
    b: int = 0
    ab: int = 0


# At most so many inputs of each kind: their indices have so many bits.
SHIFT = 8
ZERO, ONE = Form(), Form(one=1)


def factor_a(count: int, start: int = 0) -> list[Form]:
    """Inputs a_i, i from `start`."""
    return [Form(a=1 << start + i) for i in range(count)]


def factor_b(count: int, start: int = 0) -> list[Form]:
    """Inputs b_j, j from `start`."""
    return [Form(b=1 << start + j) for j in range(count)]


def add(x: Form, y: Form) -> Form:
    """x + y."""
    return Form(x.one ^ y.one, x.a ^ y.a, x.b ^ y.b, x.ab ^ y.ab)


def multiply(x: Form, y: Form) -> Form:
    """x y; NotBilinear unless one factor is a constant, or one is of a_i only, one of b_j only."""
    for constant, other in ((x, y), (y, x)):
        if constant in (ZERO, ONE):
            return other if constant.one else ZERO
    if x.b:
        x, y = y, x
    if any((x.one, x.b, x.ab, y.one, y.a, y.ab)):
        raise NotBilinear("a product of values that are not of one factor each")
    ab, row, i = 0, y.b, 0
    left = x.a
    while left:
        i = (left & -left).bit_length() - 1
        left &= left - 1
        ab |= row << (i << SHIFT)
    return Form(ab=ab)


_GATES: dict[str, Callable[..., Form]] = {
    "$_AND_": multiply,
    "$_XOR_": add,
    "$_NOT_": lambda a: add(a, ONE),
    "$_OR_": lambda a, b: add(add(a, b), multiply(a, b)),
    "$_MUX_": lambda a, b, s: add(a, multiply(s, add(a, b))),
}


class Circuit:
    """A module of simple gates and registers, simulated with polynomials for values."""

    def __init__(self, files: Sequence[Path], top: str, parameters: Mapping[str, int]) -> None:
        script = [
            yosys.read(files, top, parameters),
            *(f"hierarchy -top {top}", "flatten", "proc", "memory", "opt_clean", "simplemap"),
            *("dffunmap", "simplemap", "techmap", "opt_clean", "write_json netlist.json"),
        ]
        with TemporaryDirectory() as folder:
            yosys.run(script, Path(folder))
            module = netlist.module(Path(folder) / "netlist.json", top)
        ports = module["ports"].items()
        self._inputs = {name: port["bits"] for name, port in ports if port["direction"] == "input"}
        self._outputs = {
            name: port["bits"] for name, port in ports if port["direction"] == "output"
        }
        self._registers: dict[Any, Any] = {}
        self._gates: dict[Any, tuple[str, list[Any]]] = {}
        for cell in module["cells"].values():
            pins = {name: bits[0] for name, bits in cell["connections"].items()}
            if cell["type"] == "$_DFF_P_":
                self._registers[pins["Q"]] = pins["D"]
            elif cell["type"] in _GATES:
                inputs = [pins[name] for name in ("A", "B", "S") if name in pins]
                self._gates[pins["Y"]] = (cell["type"], inputs)
            else:
                raise NotBilinear(f"a cell {cell['type']}")
        before = {bit: set(inputs) for bit, (_, inputs) in self._gates.items()}
        self._order = [bit for bit in TopologicalSorter(before).static_order() if bit in before]
        self._names = {
            name: net["bits"] for name, net in module["netnames"].items() if "$" not in name
        }
        # Registers start at 0; a test that needs others sets them.
        self.state: dict[Any, Form] = dict.fromkeys(self._registers, ZERO)

    def register(self, name: str) -> list[Form]:
        """The values of the register `name`, bit 0 first; KeyError when a bit is no register."""
        return [self.state[bit] for bit in self._names[name]]

    def set_register(self, name: str, values: Sequence[Form]) -> None:
        """Set a register, bit 0 first; KeyError when a bit of the net `name` is no register."""
        for bit, value in zip(self._names[name], values, strict=True):
            if bit not in self._registers:
                raise KeyError(f"{name} is not a register")
            self.state[bit] = value

    def cycle(self, inputs: Mapping[str, Sequence[Form]]) -> dict[str, list[Form]]:
        """The outputs for these inputs, bit 0 first; then a clock edge. Missing inputs are 0."""
        values: dict[Any, Form] = {"0": ZERO, "1": ONE, "x": ZERO, **self.state}
        for name, bits in self._inputs.items():
            values |= zip(bits, inputs.get(name, [ZERO] * len(bits)), strict=True)
        for bit in self._order:
            gate, pins = self._gates[bit]
            values[bit] = _GATES[gate](*(values[pin] for pin in pins))
        self.state = {q: values[d] for q, d in self._registers.items()}
        return {name: [values[bit] for bit in bits] for name, bits in self._outputs.items()}
