"""Whether a mapped netlist is the design that it was mapped from: register by register, by ABC.

Both are AIGER files with the same ports. A register of the netlist is that of the design which
shares a name with it or, where it has none (in shift registers and memories of LUTs), which has the
same values in random runs from a reset. The outputs and the next states of these registers must be
equal for all inputs and all states. A register that mapping removed is taken for a constant or for
a copy of another register, as the same runs show, and this too must hold in the next state. One
with no counterpart may have any value in every cycle. Where an undefined value of the design
decides, such as a word beyond the end of a memory, the mapping is free.
"""

import random
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from aesforge.proof import sweep
from aesforge.proof.graph import Graph
from aesforge.tools.aiger import Aiger

_LANES = 256
_CYCLES = 300
_COMPARED = 100
"""The random runs that show what a register is: so many, as long, compared in the last cycles."""


@dataclass(frozen=True)
class Pairs:
    """Registers of the design by index: `kept` with that of the netlist, `removed` with a literal.

    The literal is 0 or 1, or that of a register of the design: 2 * index + 2, and 1 if inverted.
    `copies` are registers of the netlist that have the value of one of the design, by its index,
    beside the one that it is kept in. `free` has the registers of both without a counterpart.
    """

    kept: dict[int, int]
    removed: dict[int, int]
    copies: dict[int, int] = field(default_factory=dict)
    free: tuple[frozenset[int], frozenset[int]] = (frozenset(), frozenset())


def pairs(design: Aiger, netlist: Aiger) -> Pairs:
    """The correspondence of registers, by name and else by their values in random runs."""
    of = {name: at for at, names in design.register_aliases.items() for name in names}
    kept: dict[int, int] = {}
    merged: dict[int, int] = {}
    unnamed: list[int] = []
    for number in range(len(netlist.next)):
        names = netlist.register_aliases.get(number, ())
        found = {of[name] for name in names if name in of}
        found -= kept.keys() | merged.keys()
        if not found:
            unnamed.append(number)
            continue
        # Of registers that mapping merged, one is kept and the others are copies of it.
        one, *others = sorted(found)
        kept[one] = number
        merged |= dict.fromkeys(others, 2 * one + 2)
    removed = [at for at in range(len(design.next)) if at not in kept and at not in merged]
    if not unnamed and not removed:
        return Pairs(kept, merged)
    return _behaving(design, netlist, Pairs(kept, merged), unnamed, removed)


def _behaving(
    design: Aiger, netlist: Aiger, named: Pairs, unnamed: list[int], removed: list[int]
) -> Pairs:
    """Pairs with the other registers too: what each is in random runs."""
    values, theirs = _runs(design, netlist, named.kept)
    kept, lost = dict(named.kept), dict(named.removed)
    copies: dict[int, int] = {}
    waiting: dict[tuple[int, ...], list[int]] = {}
    for at in reversed(removed):
        waiting.setdefault(values[at], []).append(at)
    by_value = {values[at]: at for at in kept}
    for number in unnamed:
        value = theirs[number]
        if waiting.get(value):
            at = waiting[value].pop()
            kept[at] = number
            by_value.setdefault(value, at)
        elif value in by_value:
            copies[number] = by_value[value]
    every = (1 << _LANES) - 1
    known: dict[tuple[int, ...], int] = {(0,) * _COMPARED: 0, (every,) * _COMPARED: 1}
    for value, at in by_value.items():
        known.setdefault(value, 2 * at + 2)
        known.setdefault(tuple(word ^ every for word in value), 2 * at + 3)
    left = [at for at in removed if at not in kept]
    lost |= {at: known[values[at]] for at in left if values[at] in known}
    free = (
        frozenset(left) - lost.keys(),
        frozenset(unnamed) - copies.keys() - set(kept.values()),
    )
    return Pairs(kept, lost, copies, free)


def _runs(
    design: Aiger, netlist: Aiger, kept: dict[int, int]
) -> tuple[list[tuple[int, ...]], list[tuple[int, ...]]]:
    """The values of the registers of both at the end of random runs with the same inputs."""
    rng, mask = random.Random(1), (1 << _LANES) - 1
    states = [[rng.getrandbits(_LANES) for _ in machine.next] for machine in (design, netlist)]
    for at, number in kept.items():
        states[1][number] = states[0][at]
    names = sorted({*design.input_names, *netlist.input_names})
    seen: tuple[list[list[int]], list[list[int]]] = [], []
    for cycle in range(_CYCLES):
        ports = {name: rng.getrandbits(_LANES) for name in names}
        if "rst_ni" in ports:
            ports["rst_ni"] = 0 if cycle < _CYCLES // 10 else mask
        if "key_clear_i" in ports:
            # Seldom, or else nothing but clears would happen.
            for _ in range(6):
                ports["key_clear_i"] &= rng.getrandbits(_LANES)
        for which, machine in enumerate((design, netlist)):
            inputs = [rng.getrandbits(_LANES) for _ in range(machine.inputs)]
            for name, at in machine.input_names.items():
                inputs[at] = ports[name]
            values = machine.values(inputs, states[which], mask)
            states[which] = [machine.literal(values, literal, mask) for literal in machine.next]
            if cycle >= _CYCLES - _COMPARED:
                seen[which].append(states[which])
    first, second = (list(zip(*one, strict=True)) for one in seen)
    return first, second


def equal(design: Aiger, netlist: Aiger, found: Pairs, folder: Path) -> str:
    """Why the two differ under a correspondence of registers; empty when they are equal.

    An input of the design without a name is an undefined value. What one decides is left to the
    mapping.
    """
    outputs = sorted(design.output_names)
    if outputs != sorted(netlist.output_names):
        return "the netlist has other outputs"
    graph = Graph()

    def free(registers: Iterable[int], name: str) -> dict[int, int]:
        return {at: graph.free(f"{name} {at}") for at in sorted(registers)}

    ports = {name: graph.free(name) for name in sorted({*design.input_names, *netlist.input_names})}
    state = free(found.kept, "register") | free(found.free[0], "register")
    state |= {at: state[of // 2 - 1] ^ of & 1 if of > 1 else of for at, of in found.removed.items()}
    theirs = {number: state[at] for at, number in found.kept.items()}
    theirs |= {number: state[at] for number, at in found.copies.items()}
    theirs |= free(found.free[1], "register of the netlist")
    given, after = _next(graph, design, ports, state, outputs)
    got, reached = _next(graph, netlist, ports, theirs, outputs)

    def wrong(one: tuple[int, int], other: int) -> int:
        """Whether a value is defined and is not the other one."""
        low, high = one
        return graph.choose(other, high ^ 1, low ^ 1)

    compared = {
        name: wrong(one, other[1]) for name, one, other in zip(outputs, given, got, strict=True)
    }
    for at, number in found.kept.items():
        compared[f"the next {_name(design, at)}"] = wrong(after[at], reached[number][1])
    for number, at in found.copies.items():
        compared[f"a copy of {_name(design, at)}"] = wrong(after[at], reached[number][1])
    for at, of in found.removed.items():
        wanted = after[of // 2 - 1][1] ^ of & 1 if of > 1 else of
        compared[f"{_name(design, at)}, which mapping removed"] = wrong(after[at], wanted)
    inputs = list(graph.names)
    miter = graph.netlist(list(compared.values()), inputs)
    rng, mask = random.Random(1), (1 << _LANES) - 1
    values = miter.values([rng.getrandbits(_LANES) for _ in inputs], [], mask)
    for name, literal in zip(compared, miter.outputs, strict=True):
        if miter.literal(values, literal, mask):
            return f"{name} differs"
    never = replace(miter, outputs=[0] * len(miter.outputs), gates=[])
    return "" if sweep.equal(miter, never, folder) else "ABC does not show that they are equal"


def _next(
    graph: Graph, machine: Aiger, ports: dict[str, int], state: dict[int, int], outputs: list[str]
) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """The outputs in order, and the next states: whether each may be 0, and whether it may be 1.

    Both for what an undefined value decides.
    """
    made = [(1, 0), *[(1, 1)] * machine.inputs, *[(1, 1)] * len(machine.next)]
    for name, at in machine.input_names.items():
        made[1 + at] = ports[name] ^ 1, ports[name]
    for at, literal in state.items():
        made[1 + machine.inputs + at] = literal ^ 1, literal

    def of(literal: int) -> tuple[int, int]:
        low, high = made[literal >> 1]
        return (high, low) if literal & 1 else (low, high)

    for left, right in machine.gates:
        (low, high), (other_low, other_high) = of(left), of(right)
        may_be_0 = graph.both(low ^ 1, other_low ^ 1) ^ 1
        made.append((may_be_0, graph.both(high, other_high)))
    places = [machine.outputs[machine.output_names[name]] for name in outputs]
    return [of(one) for one in places], [of(one) for one in machine.next]


def _name(machine: Aiger, at: int) -> str:
    return machine.register_names.get(at, f"register {at}")
