"""A masked pipeline as polynomials over GF(2), from a netlist of simple gates."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar

from aesforge.tools import netlist

Polynomial = frozenset[int]
"""A sum of products; a product is a mask, bit n of which is variable n."""

T = TypeVar("T")

ZERO: Polynomial = frozenset()
ONE: Polynomial = frozenset({0})


def variables(products: Iterable[int]) -> Iterator[int]:
    """The numbers of the variables of a polynomial, each once."""
    union = 0
    for one in products:
        union |= one
    while union:
        low = union & -union
        yield low.bit_length() - 1
        union ^= low


def times(a: Polynomial, b: Polynomial) -> Polynomial:
    """a * b."""
    found: set[int] = set()
    for one in a:
        for other in b:
            found ^= {one | other}
    return frozenset(found)


_Pins = Mapping[str, Polynomial]
GATES: Mapping[str, Callable[[_Pins], Polynomial]] = {
    "$_BUF_": lambda p: p["A"],
    "$_NOT_": lambda p: p["A"] ^ ONE,
    "$_AND_": lambda p: times(p["A"], p["B"]),
    "$_OR_": lambda p: p["A"] ^ p["B"] ^ times(p["A"], p["B"]),
    "$_XOR_": lambda p: p["A"] ^ p["B"],
    "$_XNOR_": lambda p: p["A"] ^ p["B"] ^ ONE,
    "$_MUX_": lambda p: p["A"] ^ times(p["S"], p["A"] ^ p["B"]),
}
REGISTER = "$_DFF_P_"


@dataclass(frozen=True)
class Masked:
    """The ports of a masked module, share i in `[width * i +: width]`: name and width of a share.

    Operands are masked independently of each other. `random` is a port of fresh random bits.
    """

    module: str
    shares: int
    operands: Mapping[str, int]
    output: tuple[str, int]
    random: str = "random_i"


@dataclass(frozen=True)
class Probe:
    """A wire that a register or an output has: with glitches it shows all of `seen`.

    `output`: the share of the result, if it is one, of which the probe has all bits.
    """

    name: str
    seen: frozenset[int]
    output: int | None = None


@dataclass
class Pipeline:
    """Registers and inputs by number: `next` has the next states, `share` operand, bit and share.

    A probe on the input of each register and on each share of the result sees all that a probe
    inside the logic before it sees.
    """

    masked: Masked
    names: list[str] = field(default_factory=list)
    next: dict[int, Polynomial] = field(default_factory=dict)
    random: set[int] = field(default_factory=set)
    share: dict[int, tuple[str, int, int]] = field(default_factory=dict)
    probes: list[Probe] = field(default_factory=list)
    outputs: list[Polynomial] = field(default_factory=list)

    def unmasked(self) -> list[Polynomial]:
        """The bits of the result, its shares summed, over the inputs of one cycle.

        As numbers of inputs have no cycle, this is the result of a pipeline whose paths are of
        equal length.
        """
        width = self.masked.output[1]
        found = []
        for bit in range(width):
            total = ZERO
            for polynomial in self.outputs[bit::width]:
                total ^= self._over_inputs(polynomial)
            found.append(total)
        return found

    def _over_inputs(self, polynomial: Polynomial) -> Polynomial:
        total = ZERO
        for product in polynomial:
            term = ONE
            for one in variables((product,)):
                known = self.next.get(one)
                value = frozenset({1 << one}) if known is None else self._over_inputs(known)
                term = times(term, value)
            total ^= term
        return total

    def depth(self) -> int:
        """Registers on the longest path; ValueError with feedback."""
        known: dict[int, int] = {}
        for _ in self.names:
            found = {
                one: 1 + max((known.get(v, 0) for v in variables(self.next[one])), default=0)
                for one in self.next
            }
            if found == known:
                return max(known.values(), default=0)
            known = found
        raise ValueError("registers depend on themselves")


def inputs(cell: Mapping[str, Any]) -> dict[str, Any]:
    """The nets at the inputs of a gate, by pin."""
    return {pin: bits[0] for pin, bits in cell["connections"].items() if pin != "Y"}


class Nets(Generic[T]):
    """Values of nets: those that are known, and what `make` makes of the inputs of a gate.

    `make` gets the type of the gate and the values by pin.
    """

    def __init__(
        self,
        driver: Mapping[Any, Mapping[str, Any]],
        known: Mapping[Any, T],
        make: Callable[[str, Mapping[str, T]], T],
    ) -> None:
        self._driver, self._make = driver, make
        self._known: dict[Any, T] = dict(known)

    def of(self, wanted: Any) -> T:
        """The value of a net."""
        todo = [wanted]
        while todo:
            bit = todo[-1]
            if bit in self._known:
                todo.pop()
                continue
            cell = self._driver[bit]
            pins = inputs(cell)
            missing = [net for net in pins.values() if net not in self._known]
            todo += missing
            if not missing:
                values = {pin: self._known[net] for pin, net in pins.items()}
                self._known[bit] = self._make(cell["type"], values)
        return self._known[wanted]


_Seen = tuple[Polynomial, frozenset[int]]
"""The polynomial of a net, and the registers and inputs it is made of."""


def _seen(kind: str, pins: Mapping[str, _Seen]) -> _Seen:
    value = GATES[kind]({pin: one for pin, (one, _) in pins.items()})
    return value, frozenset().union(*(cone for _, cone in pins.values()))


def read(path: Path, module: str, masked: Masked) -> Pipeline:
    """The pipeline of a JSON netlist of simple gates, all of whose registers are on one clock."""
    top = netlist.module(path, module)
    made, numbers = Pipeline(masked), dict[Any, int]()
    # The data that gates and registers use: all but the clock.
    used = {
        net
        for cell in top["cells"].values()
        for pin, nets in cell["connections"].items()
        if pin != "C"
        for net in nets
    }

    def number(bit: Any, name: str) -> int:
        numbers[bit] = len(made.names)
        made.names.append(name)
        return numbers[bit]

    for port, described in top["ports"].items():
        if described["direction"] != "input":
            continue
        for at, bit in enumerate(described["bits"]):
            if isinstance(bit, str):
                # Tied to a constant.
                continue
            one = number(bit, f"{port}[{at}]")
            if port == masked.random:
                made.random.add(one)
            elif width := masked.operands.get(port):
                made.share[one] = (port, at % width, at // width)
            elif bit in used:
                raise ValueError(f"{port} is neither masked nor random")
    registers, gates = [], []
    for name, cell in top["cells"].items():
        if cell["type"] == REGISTER:
            pins = {pin: nets[0] for pin, nets in cell["connections"].items()}
            registers.append((number(pins["Q"], name), pins["D"]))
        elif cell["type"] in GATES:
            gates.append(cell)
        elif cell["type"] != "$scopeinfo":
            raise ValueError(f"{cell['type']} is not a simple gate")
    driver = {cell["connections"]["Y"][0]: cell for cell in gates}
    known: dict[Any, _Seen] = dict.fromkeys(("0", "x"), (ZERO, frozenset()))
    known["1"] = (ONE, frozenset())
    known |= {bit: (frozenset({1 << at}), frozenset({at})) for bit, at in numbers.items()}
    logic = Nets(driver, known, _seen)
    for one, data in registers:
        made.next[one], cone = logic.of(data)
        made.probes.append(Probe(f"the input of {made.names[one]}", cone))
    port, width = masked.output
    made.outputs = [logic.of(bit)[0] for bit in top["ports"][port]["bits"]]
    for share in range(masked.shares):
        bits = top["ports"][port]["bits"][width * share : width * (share + 1)]
        cone = frozenset().union(*(logic.of(bit)[1] for bit in bits))
        made.probes.append(Probe(f"share {share} of {port}", cone, share))
    return made
