"""What the shares of a masked core add up to: its function, for all shares and all random bits.

Outside of its units a masked module has each register once for each share, and what is made of them
is linear: the sums of the shares then depend on the sums before and on control alone, whatever the
shares are. So the module can be replaced by one whose registers are the sums, in which a unit is a
function of the sums of its operands. Each step of that is shown, not assumed:

1. of each product: the sum of the shares of its result is a polynomial in the sums of its operands,
   in which no random bit and no share alone occurs;
2. of each inversion, made of such products: likewise, so its result is a table of bytes, a number
   of cycles later;
3. of the core, made of such inversions: the sum of the next values of the shares of each register
   is a function of the sums and of control, namely the next value of the core of sums.

Units hold what they have while they are not enabled.
"""

import hashlib
import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, reduce
from operator import xor
from pathlib import Path
from typing import Any

from aesforge.proof import formulas, sweep
from aesforge.proof.composition import (
    Composition,
    Rules,
    inside_inversions,
    products,
)
from aesforge.proof.graph import Graph
from aesforge.proof.masked import (
    GATES,
    ONE,
    ZERO,
    Nets,
    Polynomial,
    inputs,
    times,
    variables,
)
from aesforge.tools.aiger import Aiger

ENABLE = "advance_i"
"""The enable of a unit."""

_PATTERNS = 256
"""Random values that are tried before a proof."""


class Wrong(Exception):
    """Why the shares of a module do not add up to a function of sums."""


# Units ------------------------------------------------------------------------------------------

_Term = frozenset[tuple[int, int]]


@dataclass(frozen=True)
class Function:
    """The sum of the shares of a result, bit by bit: sums of products of bits of sums of operands.

    A bit is its number, counted through all operands, and its age: how many cycles ago, of those in
    which the unit is enabled.
    """

    bits: tuple[frozenset[_Term], ...]

    def table(self) -> tuple[list[int], int]:
        """The value for each value of the operands, all of one age, and that age."""
        found = {bit for terms in self.bits for term in terms for bit in term}
        ages = {age for _, age in found}
        if len(ages) != 1 or not min(ages):
            raise Wrong(f"the result is of operands of different ages: {sorted(ages)}")
        width = 1 + max(number for number, _ in found)
        values = [
            sum(
                reduce(xor, (all(v >> n & 1 for n, _ in term) for term in terms), False) << place
                for place, terms in enumerate(self.bits)
            )
            for v in range(1 << width)
        ]
        return values, ages.pop()


@dataclass
class _Variables:
    """Numbers for variables: a key, of which the last part is an age."""

    keys: list[tuple[Any, ...]] = field(default_factory=list)
    _numbers: dict[tuple[Any, ...], int] = field(default_factory=dict)

    def of(self, *key: Any) -> Polynomial:
        number = self._numbers.setdefault(key, len(self.keys))
        if number == len(self.keys):
            self.keys.append(key)
        return frozenset({1 << number})

    def later(self, polynomial: Polynomial, by: int = 1) -> Polynomial:
        """The same, so many cycles ago."""
        made = ZERO
        for product in polynomial:
            term = ONE
            for one in variables((product,)):
                *key, age = self.keys[one]
                term = times(term, self.of(*key, age + by))
            made ^= term
        return made


class _Pipeline:
    """A module of registers with one enable, of gates and of units, as polynomials.

    `enabled`: whether the enable is 1; if not, registers and units have variables of their own.
    """

    def __init__(self, module: Composition, units: Mapping[str, Function], enabled: bool) -> None:
        self._module, self._units, self._enabled = module, units, enabled
        self.variables = _Variables()
        self._next = {cell["connections"]["Q"][0]: cell for cell in module.registers}
        self._known: dict[Any, Polynomial] = {"0": ZERO, "1": ONE, "x": ZERO}
        self._busy: set[Any] = set()
        self._results = {
            bit: (name, at)
            for name, cell in module.units.items()
            for at, bit in enumerate(cell["connections"][module.rules.result])
        }
        rules, first = module.rules, 0
        for port, described in module.module["ports"].items():
            bits = described["bits"]
            if described["direction"] != "input" or port == "clk_i":
                continue
            if port == ENABLE:
                self._known[bits[0]] = ONE if enabled else ZERO
            elif port == rules.random:
                for at, bit in enumerate(bits):
                    self._known[bit] = self.variables.of(f"{port}[{at}]", 0)
            elif port in rules.inputs:
                # Share 0 is the sum plus all other shares.
                width = len(bits) // rules.shares
                for at in range(width):
                    total = self.variables.of(first + at, 0)
                    for share in range(1, rules.shares):
                        own = self.variables.of(f"share {share} of {port}[{at}]", 0)
                        self._known[bits[width * share + at]] = own
                        total ^= own
                    self._known[bits[at]] = total
                first += width
            else:
                raise Wrong(f"{port} is neither masked nor random")

    def value(self, bit: Any) -> Polynomial:
        if bit not in self._known:
            if bit in self._busy:
                raise Wrong(f"{self._module.name(bit)} depends on itself")
            self._busy.add(bit)
            self._known[bit] = self._made(bit)
        return self._known[bit]

    def _made(self, bit: Any) -> Polynomial:
        if bit in self._results:
            return self._result(*self._results[bit])
        if bit in self._next:
            if not self._enabled:
                return self.variables.of("register", bit, 0)
            return self.variables.later(self.value(self._next[bit]["connections"]["D"][0]))
        cell = self._module.driver[bit]
        pins = inputs(cell)
        if cell["type"] == "$_MUX_" and (chosen := self.value(pins["S"])) in (ZERO, ONE):
            return self.value(pins["B" if chosen else "A"])
        return GATES[cell["type"]]({pin: self.value(one) for pin, one in pins.items()})

    def sums(self, cell: Mapping[str, Any]) -> list[Polynomial]:
        """The sums of the operands of a unit."""
        found = []
        for port in self._module.rules.operands:
            bits = cell["connections"][port]
            width = len(bits) // self._module.rules.shares
            for at in range(width):
                found.append(reduce(xor, (self.value(bit) for bit in bits[at::width])))
        return found

    def _result(self, name: str, at: int) -> Polynomial:
        cell, shares = self._module.units[name], self._module.rules.shares
        width = len(cell["connections"][self._module.rules.result]) // shares
        share, bit = divmod(at, width)
        if share or not self._enabled:
            # Nothing is known of one share but that all of them have this sum.
            return self.variables.of(f"share {share} of bit {bit} of {name}", 0)
        operands, made = self.sums(cell), ZERO
        for term in self._units[name].bits[bit]:
            product = ONE
            for number, age in term:
                product = times(product, self.variables.later(operands[number], age))
            made ^= product
        for other in range(1, shares):
            made ^= self._result(name, width * other + bit)
        return made

    def holds(self) -> Iterator[str]:
        """Registers and units that change while the module is not enabled."""
        for bit, cell in self._next.items():
            if self.value(cell["connections"]["D"][0]) != self.value(bit):
                yield f"{self._module.name(bit)} changes without {ENABLE}"
        yield from self.driven(ZERO)

    def driven(self, level: Polynomial) -> Iterator[str]:
        """Units whose enable is not that of the module."""
        for name, cell in self._module.units.items():
            if self.value(cell["connections"][ENABLE][0]) != level:
                yield f"{name} has not the enable of the module"


def function(module: Composition, units: Mapping[str, Function]) -> Function:
    """What the shares of the result of a pipeline add up to; `units` has those of its units.

    Wrong when they add up to no function of the sums of the operands.
    """
    idle, pipeline = (_Pipeline(module, units, enabled) for enabled in (False, True))
    for reason in (*idle.holds(), *pipeline.driven(ONE)):
        raise Wrong(reason)
    (port,) = module.rules.outputs
    bits = module.module["ports"][port]["bits"]
    width, made = len(bits) // module.rules.shares, []
    for at in range(width):
        total = reduce(xor, (pipeline.value(bit) for bit in bits[at::width]))
        terms = set()
        for product in total:
            keys = [pipeline.variables.keys[one] for one in variables((product,))]
            for name, _ in keys:
                if isinstance(name, str):
                    raise Wrong(f"bit {at} of the sum of the shares of {port} depends on {name}")
            terms.add(frozenset(keys))
        made.append(frozenset(terms))
    return Function(tuple(made))


def _shape(modules: Mapping[str, Any], name: str) -> str:
    """A digest of a module in which nets have numbers in the order in which they occur."""
    module, numbers = modules[name], dict[Any, int]()

    def numbered(bits: Sequence[Any]) -> list[Any]:
        return [b if isinstance(b, str) else numbers.setdefault(b, len(numbers)) for b in bits]

    ports = [(port, numbered(described["bits"])) for port, described in module["ports"].items()]
    cells = [
        (
            _shape(modules, cell["type"]) if cell["type"] in modules else cell["type"],
            [(pin, numbered(bits)) for pin, bits in sorted(cell["connections"].items())],
        )
        for cell in module["cells"].values()
    ]
    return hashlib.sha256(repr((ports, cells)).encode()).hexdigest()


def inversions(
    modules: Mapping[str, Any], whole: Composition
) -> dict[str, tuple[Sequence[int], int]]:
    """The table of each inversion of a core, and its cycles; equal ones are looked at once.

    `modules` are those of the netlist, in which products are modules too. Wrong when the shares of
    one add up to no function of sums.
    """
    shares, known = whole.rules.shares, dict[str, Function]()

    def of(name: str, rules: Rules) -> Function:
        shape = _shape(modules, name)
        if shape not in known:
            inside = Composition(modules[name], rules)
            parts = {part: of(c["type"], products(shares)) for part, c in inside.units.items()}
            known[shape] = function(inside, parts)
        return known[shape]

    return {
        name: of(cell["type"], inside_inversions(shares)).table()
        for name, cell in whole.units.items()
    }


# Cores ------------------------------------------------------------------------------------------

_LITERALS: Mapping[str, Callable[[Graph, Mapping[str, int]], int]] = {
    "$_BUF_": lambda g, p: p["A"],
    "$_NOT_": lambda g, p: p["A"] ^ 1,
    "$_AND_": lambda g, p: g.both(p["A"], p["B"]),
    "$_OR_": lambda g, p: g.both(p["A"] ^ 1, p["B"] ^ 1) ^ 1,
    "$_XOR_": lambda g, p: g.choose(p["A"], p["B"] ^ 1, p["B"]),
    "$_XNOR_": lambda g, p: g.choose(p["A"], p["B"], p["B"] ^ 1),
    "$_MUX_": lambda g, p: g.choose(p["S"], p["B"], p["A"]),
}


def _logic(module: Composition, graph: Graph, known: Mapping[Any, int]) -> Nets[int]:
    """The literals of nets, made of those that are known."""
    constants = {"0": 0, "1": 1, "x": 0}
    return Nets(module.driver, {**constants, **known}, lambda kind, p: _LITERALS[kind](graph, p))


@dataclass(frozen=True)
class _Form:
    """A sum of shares with factors of control: `factors` by name of what they are shares of."""

    constant: int
    factors: Mapping[Any, int]


class _Forms:
    """The forms of nets: control is a literal, and each share a variable.

    None for a net before which a gate multiplies two shares.
    """

    def __init__(self, module: Composition, graph: Graph, known: Mapping[Any, _Form]) -> None:
        self._graph = graph
        constants = {"0": _Form(0, {}), "x": _Form(0, {}), "1": _Form(1, {})}
        self.of = Nets[_Form | None](module.driver, {**constants, **known}, self._made).of

    def _made(self, kind: str, forms: Mapping[str, _Form | None]) -> _Form | None:
        pins = {pin: form for pin, form in forms.items() if form is not None}
        if len(pins) < len(forms):
            return None
        if not any(form.factors for form in pins.values()):
            literals = {pin: form.constant for pin, form in pins.items()}
            return _Form(_LITERALS[kind](self._graph, literals), {})
        a, b = pins["A"], pins.get("B", _Form(0, {}))
        if kind == "$_MUX_":
            change = self._times(pins["S"], self._plus(a, b))
            return None if change is None else self._plus(a, change)
        inverted = _Form(int(kind in ("$_NOT_", "$_XNOR_")), {})
        if kind in ("$_AND_", "$_OR_"):
            product = self._times(a, b)
            if product is None or kind == "$_AND_":
                return product
            return self._plus(self._plus(a, b), product)
        return self._plus(self._plus(a, b), inverted)

    def _plus(self, a: _Form, b: _Form) -> _Form:
        names = dict.fromkeys((*a.factors, *b.factors))
        factors = {n: self._either(a.factors.get(n, 0), b.factors.get(n, 0)) for n in names}
        constant = self._either(a.constant, b.constant)
        return _Form(constant, {name: factor for name, factor in factors.items() if factor})

    def _either(self, a: int, b: int) -> int:
        return self._graph.choose(a, b ^ 1, b)

    def _times(self, a: _Form, b: _Form) -> _Form | None:
        if a.factors and b.factors:
            return None
        a, b = (a, b) if a.factors else (b, a)
        factors = {name: self._graph.both(one, b.constant) for name, one in a.factors.items()}
        constant = self._graph.both(a.constant, b.constant)
        return _Form(constant, {name: factor for name, factor in factors.items() if factor})


def _sum(graph: Graph, literals: Sequence[int]) -> int:
    return reduce(lambda a, b: graph.choose(a, b ^ 1, b), literals, 0)


def _looked_up(graph: Graph, table: Sequence[int], index: Sequence[int], bit: int) -> int:
    """Bit `bit` of the entry of a table, whose index has bit 0 first."""
    level = [value >> bit & 1 for value in table]
    for one in index:
        level = [graph.choose(one, b, a) for a, b in zip(level[::2], level[1::2], strict=True)]
    return level[0]


@dataclass
class Core:
    """A core of sums. `units` has the table of each inversion of the core and its cycles."""

    module: Composition
    units: Mapping[str, tuple[Sequence[int], int]]

    def _key(self, bit: Any) -> str:
        """The name of a register without its share."""
        name = self.module.name(bit)
        if "gen_share[" in name:
            return re.sub(r"gen_share\[\d+\]", "gen_share[*]", name)
        base, _, at = name.rpartition("[")
        bits = self.module.module["netnames"][base]["bits"]
        return f"{base}[{int(at[:-1]) % (len(bits) // self.module.rules.shares)}]"

    def _of_control(self, port: str) -> bool:
        rules = self.module.rules
        return port not in (*rules.inputs, *rules.outputs, rules.random, "clk_i")

    def _ports(self, direction: str) -> Iterator[tuple[str, list[Any]]]:
        for port, described in self.module.module["ports"].items():
            if described["direction"] == direction:
                yield port, described["bits"]

    @cached_property
    def control(self) -> dict[str, Any]:
        """The registers of control by name."""
        found = {}
        for cell in self.module.registers:
            bit = cell["connections"]["Q"][0]
            if not self.module.label(bit).shares:
                found[self.module.name(bit)] = bit
        return found

    @cached_property
    def sums(self) -> dict[str, list[Any]]:
        """The shares of each register of data, by its name without the share."""
        found: dict[str, list[Any]] = {}
        for cell in self.module.registers:
            bit = cell["connections"]["Q"][0]
            if self.module.label(bit).shares:
                found.setdefault(self._key(bit), []).append(bit)
        # Share 0 first: the core of sums is then made of its logic alone.
        return {name: sorted(bits, key=self._share) for name, bits in found.items()}

    def _share(self, bit: Any) -> str:
        return min(map(str, self.module.label(bit).shares))

    @cached_property
    def _data(self) -> dict[Any, Any]:
        """The net of the next value of each register."""
        cells = (cell["connections"] for cell in self.module.registers)
        return {pins["Q"][0]: pins["D"][0] for pins in cells}

    def _masked_inputs(self) -> Iterator[tuple[str, list[Any]]]:
        """The shares of each bit of the masked inputs, by name."""
        for port, bits in self._ports("input"):
            if port in self.module.rules.inputs:
                width = len(bits) // self.module.rules.shares
                for at in range(width):
                    yield f"{port}[{at}]", bits[at::width]

    def _results(self) -> Iterator[tuple[tuple[str, int], list[Any]]]:
        """The shares of each bit of the results of units."""
        for name, cell in self.module.units.items():
            bits = cell["connections"][self.module.rules.result]
            width = len(bits) // self.module.rules.shares
            for at in range(width):
                yield (name, at), bits[at::width]

    def _operands(self) -> Iterator[tuple[tuple[str, int], list[Any]]]:
        """The shares of each bit of the operands of units."""
        (port,) = self.module.rules.operands
        for name, cell in self.module.units.items():
            bits = cell["connections"][port]
            width = len(bits) // self.module.rules.shares
            for at in range(width):
                yield (name, at), bits[at::width]

    def _outputs(self) -> Iterator[tuple[str, list[Any]]]:
        """The nets of each bit of the outputs, of a masked one its shares."""
        for port, bits in self._ports("output"):
            masked = port in self.module.rules.outputs
            width = len(bits) // self.module.rules.shares if masked else len(bits)
            for at in range(width):
                yield (port if len(bits) == 1 else f"{port}[{at}]"), bits[at::width]

    @cached_property
    def machine(self) -> Aiger:
        """The core whose registers are the sums of shares, and one register of control each.

        A unit is its table, and as many registers after it as it takes cycles.
        """
        graph, known = Graph(), dict[Any, int]()
        names: list[str] = []

        def free(name: str) -> int:
            names.append(name)
            return graph.free(name)

        for port, bits in self._ports("input"):
            if self._of_control(port):
                for at, bit in enumerate(bits):
                    known[bit] = free(port if len(bits) == 1 else f"{port}[{at}]")
        for name, shares in self._masked_inputs():
            known |= dict(zip(shares, [free(name)] + [0] * len(shares), strict=False))
        count = len(names)
        for name, bit in self.control.items():
            known[bit] = free(name)
        for name, shares in self.sums.items():
            known |= dict(zip(shares, [free(name)] + [0] * len(shares), strict=False))
        late: dict[tuple[str, int], list[int]] = {}
        for (name, at), shares in self._results():
            cycles = range(self.units[name][1])
            late[name, at] = [free(f"{name} stage {cycle}[{at}]") for cycle in cycles]
            known |= dict(zip(shares, [late[name, at][-1]] + [0] * len(shares), strict=False))
        logic = _logic(self.module, graph, known)

        def total(nets: Sequence[Any]) -> int:
            return _sum(graph, [logic.of(net) for net in nets])

        following = [logic.of(self._data[bit]) for bit in self.control.values()]
        following += [total([self._data[bit] for bit in shares]) for shares in self.sums.values()]
        operands: dict[str, list[int]] = {}
        for (name, _), shares in self._operands():
            operands.setdefault(name, []).append(total(shares))
        for (name, at), stages in late.items():
            enable = logic.of(self.module.units[name]["connections"][ENABLE][0])
            entering = _looked_up(graph, self.units[name][0], operands[name], at)
            for one, before in zip(stages, [entering, *stages], strict=False):
                following.append(graph.choose(enable, before, one))
        outputs = dict(self._outputs())
        found = graph.netlist([*map(total, outputs.values()), *following], [*graph.names])
        shown, following = found.outputs[: len(outputs)], found.outputs[len(outputs) :]
        machine = Aiger(count, following, shown, found.gates)
        machine.input_names = {name: at for at, name in enumerate(names[:count])}
        machine.register_names = dict(enumerate(names[count:]))
        machine.output_names = {name: at for at, name in enumerate(outputs)}
        return machine

    def exact(self, folder: Path) -> str:
        """Why the sums of shares do not follow `machine` for all shares; empty when they do.

        A sum that is linear in the shares, with the same factors for each share, is so by its form.
        The others are compared with the function of the sums, for all shares.
        """
        graph, masked, sums = Graph(), dict[Any, int](), dict[Any, int]()
        for port, bits in self._ports("input"):
            if self._of_control(port):
                masked |= {bit: graph.free(f"{port}[{at}]") for at, bit in enumerate(bits)}
        masked |= {bit: graph.free(name) for name, bit in self.control.items()}
        sums |= masked
        forms = {bit: _Form(literal, {}) for bit, literal in masked.items()}
        sources: list[tuple[Any, list[Any]]] = [*self._masked_inputs(), *self.sums.items()]
        for number, (_, shares) in enumerate((*sources, *self._results())):
            total = graph.free("sum")
            others = [graph.free("share") for _ in shares[1:]]
            masked |= dict(zip(shares, [_sum(graph, [total, *others]), *others], strict=True))
            sums |= dict(zip(shares, [total] + [0] * len(others), strict=True))
            forms |= dict.fromkeys(shares, _Form(0, {number: 1}))
        ends = {
            **{f"next {name}": [self._data[b] for b in bits] for name, bits in self.sums.items()},
            **{f"output {name}": nets for name, nets in self._outputs()},
            **{f"operand bit {at} of {name}": nets for (name, at), nets in self._operands()},
        }
        linear = _Forms(self.module, graph, forms)

        def same_factors(nets: Sequence[Any]) -> bool:
            found = [linear.of(net) for net in nets]
            return all(form and found[0] and form.factors == found[0].factors for form in found)

        ends = {name: nets for name, nets in ends.items() if not same_factors(nets)}
        of_shares, of_sums = _logic(self.module, graph, masked), _logic(self.module, graph, sums)
        mine = [_sum(graph, [of_shares.of(net) for net in nets]) for nets in ends.values()]
        theirs = [_sum(graph, [of_sums.of(net) for net in nets]) for nets in ends.values()]
        return differs(graph, mine, theirs, list(ends), folder)


def differs(
    graph: Graph, mine: list[int], theirs: list[int], names: Sequence[str], folder: Path
) -> str:
    """The name of a function that is not shown to be equal to the other one; empty for none."""
    pairs = [(a, b, name) for a, b, name in zip(mine, theirs, names, strict=True) if a != b]
    if not pairs:
        return ""
    one = graph.netlist([pair[0] for pair in pairs], [*graph.names])
    other = graph.netlist([pair[1] for pair in pairs], [*graph.names])
    mask, rng = (1 << _PATTERNS) - 1, random.Random(1)
    lanes = [rng.getrandbits(_PATTERNS) for _ in graph.names]
    values = [machine.values(lanes, [], mask) for machine in (one, other)]
    for at, (_, _, name) in enumerate(pairs):
        a, b = one.outputs[at], other.outputs[at]
        if one.literal(values[0], a, mask) != other.literal(values[1], b, mask):
            return name
    if formulas.same(other, one) or sweep.equal(one, other, folder):
        return ""
    return f"{pairs[0][2]}, or another one"
