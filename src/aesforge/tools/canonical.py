"""A digest of a netlist that depends on its cells and on how they are connected, and on no name.

Two netlists with the same digest are equal but for the names of nets, cells and modules, their
order, that of the operands of commutative cells, and copies of a cell with the same inputs that
take each other's place. The order of ports counts, and so do the parameters of cells.

Cells are distinguished by partition refinement: the class of a cell is a hash of its type, its
parameters, its initial values and the classes that drive its inputs, repeated within each strongly
connected component until no class splits (Hopcroft, 1971, without his choice of splitters).
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

_Cell = Mapping[str, Any]

# Attributes that say where a thing was written, or that the passes before have used.
_LEFT_OUT = (
    *("src", "hdlname", "scopename", "module_not_derived"),
    *("full_case", "parallel_case", "always_ff", "always_comb", "always_latch"),
)


# Cells whose operands A and B may change places if they are of one width and both signed or not.
_COMMUTATIVE = (
    *("$and", "$or", "$xor", "$xnor", "$add", "$mul"),
    *("$eq", "$ne", "$eqx", "$nex", "$logic_and", "$logic_or"),
)
# Cells of one operand whose bits may change places.
_REDUCING = (
    *("$reduce_and", "$reduce_or", "$reduce_xor", "$reduce_xnor", "$reduce_bool"),
    "$logic_not",
)


def netlist(path: Path, top: Callable[[str], bool], label: Callable[[str], str]) -> str:
    """The digest of the module that `top` accepts, in a file that `write_json` made: 12 digits.

    `label` is text that counts for a module of a name, in place of its name.
    """
    modules: dict[str, _Cell] = json.loads(path.read_text(encoding="utf-8"))["modules"]
    (found,) = (name for name in modules if top(name.removeprefix("\\")))
    return _module(modules, found, label, {})[:12]


def _hash(*parts: object) -> str:
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:24]


def _module(
    modules: Mapping[str, _Cell], name: str, label: Callable[[str], str], known: dict[str, str]
) -> str:
    """The digest of a module with those in it; `known` are of others."""
    if name not in known:
        module = modules[name]
        if "blackbox" in module["attributes"]:
            known[name] = _hash("blackbox", name)
        else:
            for cell in module["cells"].values():
                if cell["type"] in modules:
                    _module(modules, cell["type"], label, known)
            known[name] = _hash(label(name), _Module(modules, module, known).digest())
    return known[name]


class _Module:
    """The graph of one module: nodes are its cells and its memories."""

    def __init__(
        self, modules: Mapping[str, _Cell], module: _Cell, known: Mapping[str, str]
    ) -> None:
        self._ports = list(module["ports"].values())
        self._drivers: dict[object, tuple[str, object]] = {}
        for number, port in enumerate(self._ports):
            if port["direction"] != "output":
                for at, bit in enumerate(port["bits"]):
                    self._drivers[bit] = ("", (number, at))
        initial: dict[object, str] = {}
        for net in module["netnames"].values():
            value = str(net["attributes"].get("init", ""))
            # Bit 0 is the last digit.
            initial |= dict(zip(net["bits"], reversed(value), strict=False))
        self._inputs: dict[str, list[tuple[int, Sequence[object]]]] = {}
        self._class: dict[str, str] = {}
        self._reducing: set[str] = set()
        self._commutative: set[str] = set()
        self._memory: dict[str, list[str]] = {}
        for name, cell in module["cells"].items():
            # Where a module was that is flattened.
            if cell["type"] == "$scopeinfo":
                continue
            own, inputs = [known.get(cell["type"], cell["type"])], []
            # The ports of a cell of Yosys have names, those of a module numbers.
            names = sorted(cell["connections"])
            if cell["type"] in modules:
                names = list(modules[cell["type"]]["ports"])
            for number, port in enumerate(names):
                bits = cell["connections"].get(port, [])
                if cell["port_directions"].get(port) == "output":
                    own.append(repr([initial.get(bit, "x") for bit in bits]))
                    for at, bit in enumerate(bits):
                        self._drivers[bit] = (name, (number, at))
                else:
                    inputs.append((number, bits))
            parameters = {key: value for key, value in cell["parameters"].items() if key != "MEMID"}
            self._class[name] = _hash(own, sorted(parameters.items()), _said(cell))
            self._inputs[name] = inputs
            if cell["type"] in _REDUCING:
                self._reducing.add(name)
            elif cell["type"] in _COMMUTATIVE:
                shapes = [(parameters[f"{one}_WIDTH"], parameters[f"{one}_SIGNED"]) for one in "AB"]
                if shapes[0] == shapes[1]:
                    self._commutative.add(name)
            if "MEMID" in cell["parameters"] and cell["parameters"]["MEMID"].startswith("\\"):
                self._memory.setdefault(cell["parameters"]["MEMID"].removeprefix("\\"), []).append(
                    name
                )
        self._of = {cell: memory for memory, cells in self._memory.items() for cell in cells}
        memories = module.get("memories", {})
        for memory in self._memory:
            kept = memories.get(memory, {})
            shape = {key: kept.get(key) for key in ("width", "size", "start_offset")}
            self._class[f"memory {memory}"] = _hash("memory", sorted(shape.items()), _said(kept))
            self._inputs[f"memory {memory}"] = []

    def _before(self, node: str) -> Iterable[str]:
        """The nodes that a node depends on."""
        if node in self._of:
            yield f"memory {self._of[node]}"
        elif node.startswith("memory "):
            yield from self._memory[node.removeprefix("memory ")]
        for _, bits in self._inputs[node]:
            for bit in bits:
                driver = self._drivers.get(bit)
                if driver and driver[0]:
                    yield driver[0]

    def _bit(self, bit: object) -> object:
        """What drives a bit: a class with a port, an input, or a constant."""
        if bit not in self._drivers:
            return bit if isinstance(bit, str) else "undriven"
        node, place = self._drivers[bit]
        return (self._class.get(node, ""), place)

    def _refined(self, node: str) -> str:
        """The class of a node by those that drive it."""
        driven = [(port, [self._bit(bit) for bit in bits]) for port, bits in self._inputs[node]]
        if node in self._reducing:
            driven = [(port, sorted(bits, key=repr)) for port, bits in driven]
        elif node in self._commutative:
            operands = sorted((bits for _, bits in driven), key=repr)
            driven = list(enumerate(operands))
        beside: list[str] = []
        if node in self._of:
            beside = [self._class[f"memory {self._of[node]}"]]
        elif node.startswith("memory "):
            beside = sorted(self._class[cell] for cell in self._before(node))
        return _hash(self._class[node], driven, beside)

    def digest(self) -> str:
        before = {node: list(dict.fromkeys(self._before(node))) for node in self._class}
        for component in _components(before):
            looped = len(component) > 1 or component[0] in before[component[0]]
            classes = 0
            while True:
                self._class |= {node: self._refined(node) for node in component}
                number = len({self._class[node] for node in component})
                if not looped or number == classes:
                    break
                classes = number
        outputs = [
            (port["direction"], [self._bit(bit) for bit in port["bits"]]) for port in self._ports
        ]
        return _hash(outputs, sorted(self._class.values()))


def _said(thing: _Cell) -> list[tuple[str, object]]:
    attributes = thing.get("attributes", {})
    return sorted((key, value) for key, value in attributes.items() if key not in _LEFT_OUT)


def _components(before: Mapping[str, Sequence[str]]) -> list[list[str]]:
    """Strongly connected components, each after those that it depends on (Tarjan, 1972)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    inside: set[str] = set()
    found: list[list[str]] = []
    for root in before:
        if root in index:
            continue
        work = [(root, iter(before[root]))]
        index[root] = low[root] = len(index)
        stack.append(root)
        inside.add(root)
        while work:
            node, rest = work[-1]
            for other in rest:
                if other not in index:
                    index[other] = low[other] = len(index)
                    stack.append(other)
                    inside.add(other)
                    work.append((other, iter(before[other])))
                    break
                if other in inside:
                    low[node] = min(low[node], index[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    component = []
                    while True:
                        one = stack.pop()
                        inside.discard(one)
                        component.append(one)
                        if one == node:
                            break
                    found.append(component)
    return found
