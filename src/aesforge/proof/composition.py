"""How the gadgets of a masked netlist are composed: a check of its structure.

In a netlist of simple gates and of units, such as the inversions of a core or the products of an
inversion, each net is labelled with the shares that it depends on, and with whether it depends on
random bits; control depends on neither. Five rules must hold:

1. No net outside a unit depends on two shares, and share i of each port is made of share i.
2. Control depends on no share.
3. Each random bit is an input of one unit and of nothing else, and each unit has its own random
   bits, so that none is used twice in a cycle.
4. Where operands must be `registered`, no logic connects the output of a unit to an operand of one
   without a register between them: glitches of a unit then end at its output.
5. There, too, different bits of an operand depend on different registers: a unit that combines one
   bit of a share with another bit of another share sees both shares of no bit.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from aesforge.proof.masked import GATES, REGISTER, inputs

RANDOM = "random"


@dataclass(frozen=True)
class Label:
    """What a net depends on. `late`: on the output of a unit, without a register between them."""

    shares: frozenset[int | str] = frozenset()
    late: bool = False

    def __or__(self, other: "Label") -> "Label":
        return Label(self.shares | other.shares, self.late or other.late)


_CONTROL = Label()


@dataclass(frozen=True)
class Rules:
    """The masked ports of a module, and of the units in it: a share is an equal part of each.

    `unit` begins the names of the modules of units.
    """

    shares: int
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    unit: str
    operands: tuple[str, ...]
    result: str
    registered: bool
    random: str = "random_i"


def inside_cores(shares: int) -> Rules:
    """The rules of a core, which is made of inversions."""
    return Rules(
        *(shares, ("in_data_i", "key_i"), ("out_data_o",), "aes_masked_inversion", ("data_i",)),
        *("data_o", True),
    )


def inside_inversions(shares: int) -> Rules:
    """The rules of an inversion, which is made of products."""
    return Rules(
        *(shares, ("data_i",), ("data_o",), "aes_masked_product", ("a_i", "b_i", "sum_i")),
        *("data_o", False),
    )


def products(shares: int) -> Rules:
    """The masked ports of a product, in which shares do meet."""
    return Rules(shares, ("a_i", "b_i", "sum_i"), ("data_o",), "none", (), "", False)


class Composition:
    """A module of a JSON netlist of simple gates and units, all nets of which are labelled."""

    def __init__(self, module: Mapping[str, Any], rules: Rules) -> None:
        self.module, self.rules = module, rules
        self.gates: list[Mapping[str, Any]] = []
        self.registers: list[Mapping[str, Any]] = []
        self.units: dict[str, Mapping[str, Any]] = {}
        for name, cell in module["cells"].items():
            kind = cell["type"].removeprefix("\\")
            if kind.startswith(rules.unit):
                self.units[name] = cell
            elif kind == REGISTER:
                self.registers.append(cell)
            elif kind in GATES:
                self.gates.append(cell)
            elif kind != "$scopeinfo":
                raise ValueError(f"{kind} is not a simple gate")
        self._names: dict[Any, str] = {}
        for name, net in module["netnames"].items():
            for at, bit in enumerate(net["bits"]):
                known = self._names.get(bit)
                if known is None or (len(name), name) < (len(known), known):
                    self._names[bit] = f"{name}[{at}]" if len(net["bits"]) > 1 else name
        self.driver = {cell["connections"]["Y"][0]: cell for cell in self.gates}
        self._labels: dict[Any, Label] = dict(self._given())
        self._spread()

    def _given(self) -> Iterator[tuple[Any, Label]]:
        for port, described in self.module["ports"].items():
            for at, bit in enumerate(described["bits"]):
                if described["direction"] == "input":
                    if port in self.rules.inputs:
                        yield bit, Label(frozenset({self._share(at, described["bits"])}))
                    elif port == self.rules.random:
                        yield bit, Label(frozenset({RANDOM}))
        for unit in self.units.values():
            bits = unit["connections"][self.rules.result]
            for at, bit in enumerate(bits):
                yield bit, Label(frozenset({self._share(at, bits)}), late=True)

    def _share(self, at: int, bits: Sequence[Any]) -> int:
        return at * self.rules.shares // len(bits)

    @property
    def size(self) -> int:
        """Gates, registers and units."""
        return len(self.gates) + len(self.registers) + len(self.units)

    def label(self, bit: Any) -> Label:
        """The label of a net; constants are control."""
        return self._labels.get(bit, _CONTROL)

    def _spread(self) -> None:
        """Label all nets, also through registers that depend on themselves."""
        changed = True
        while changed:
            changed = False
            for cell in self.gates:
                pins = inputs(cell)
                found = _CONTROL
                for bit in pins.values():
                    found |= self.label(bit)
                changed |= self._set(cell["connections"]["Y"][0], found)
            for cell in self.registers:
                data = self.label(cell["connections"]["D"][0])
                changed |= self._set(cell["connections"]["Q"][0], Label(data.shares))

    def _set(self, bit: Any, found: Label) -> bool:
        if self.label(bit) == found:
            return False
        self._labels[bit] = found
        return True

    def _masked_sources(self, wanted: Any) -> set[Any]:
        """The nets with a share that logic connects to a net, but for those that it drives."""
        found, seen, todo = set(), set(), [wanted]
        while todo:
            bit = todo.pop()
            if bit in seen or not self.label(bit).shares:
                continue
            seen.add(bit)
            if bit in self.driver:
                todo += inputs(self.driver[bit]).values()
            else:
                found.add(bit)
        return found

    def name(self, bit: Any) -> str:
        """The shortest name of a net."""
        return self._names.get(bit, f"net {bit}")

    def findings(self) -> Iterator[str]:
        """Where a rule is broken."""
        yield from self._of_gates()
        yield from self._of_outputs()
        for name, unit in self.units.items():
            yield from self._of_operands(name, unit)
        yield from self._of_random()

    def _of_gates(self) -> Iterator[str]:
        for cell in self.gates:
            made = self.name(cell["connections"]["Y"][0])
            labels = {pin: self.label(bit).shares for pin, bit in inputs(cell).items()}
            union: frozenset[int | str] = frozenset().union(*labels.values())
            if RANDOM in union:
                yield f"{made} is made of a random bit"
            # A net after such a one has two shares too; the first one is the reason.
            if len(union) > 1 and all(len(one) < 2 for one in labels.values()):
                yield f"shares {_listed(union)} meet at {made}"

    def _of_outputs(self) -> Iterator[str]:
        for port, described in self.module["ports"].items():
            if described["direction"] != "output":
                continue
            masked = port in self.rules.outputs
            for at, bit in enumerate(described["bits"]):
                allowed = {self._share(at, described["bits"])} if masked else set[int]()
                if not self.label(bit).shares <= allowed:
                    yield f"{port}[{at}] depends on share {_listed(self.label(bit).shares)}"

    def _of_operands(self, name: str, unit: Mapping[str, Any]) -> Iterator[str]:
        rules = self.rules
        for port, bits in unit["connections"].items():
            if port in (rules.result, rules.random):
                continue
            masked = port in rules.operands
            for at, bit in enumerate(bits):
                allowed = {self._share(at, bits)} if masked else set[int]()
                label = self.label(bit)
                if not label.shares <= allowed:
                    yield f"{port}[{at}] of {name} depends on share {_listed(label.shares)}"
                if label.late and masked and rules.registered:
                    yield f"no register is between a unit and {port}[{at}] of {name}"
            if masked and rules.registered:
                yield from self._of_bits(name, port, bits)

    def _of_bits(self, name: str, port: str, bits: Sequence[Any]) -> Iterator[str]:
        width, known = len(bits) // self.rules.shares, dict[Any, int]()
        for at, bit in enumerate(bits):
            for source in self._masked_sources(bit):
                place = known.setdefault(source, at % width)
                if place != at % width:
                    yield (
                        f"bits {place} and {at % width} of {port} of {name} depend on "
                        f"{self.name(source)}"
                    )

    def _of_random(self) -> Iterator[str]:
        fresh = set(self.module["ports"][self.rules.random]["bits"])
        used: Counter[Any] = Counter()
        for name, unit in self.units.items():
            for at, bit in enumerate(unit["connections"][self.rules.random]):
                used[bit] += 1
                if bit not in fresh:
                    yield f"{self.rules.random}[{at}] of {name} is no fresh random bit"
        for bit, times in used.items():
            if bit in fresh and times > 1:
                yield f"{self.name(bit)} is used {times} times in a cycle"
        for cell in self.registers:
            if RANDOM in self.label(cell["connections"]["D"][0]).shares:
                yield f"{self.name(cell['connections']['Q'][0])} stores a random bit"


def _listed(shares: frozenset[int | str]) -> str:
    return " and ".join(sorted(map(str, shares)))
