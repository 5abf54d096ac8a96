"""Whether a mapped netlist is the design that it was mapped from: register by register, by ABC.

Both are AIGER files with the same ports. A register of the netlist is that of the design which
shares a name with it. The outputs and the next states of these registers must be equal for all
inputs and all states. A register that mapping removed is taken for a constant or for a copy of
another register, and this too must hold in the next state; random runs from a reset say which.
Where an undefined value of the design decides, such as a word beyond the end of a memory, the
mapping is free.
"""

import random
from dataclasses import dataclass, replace
from pathlib import Path

from aesforge.proof import sweep
from aesforge.proof.graph import Graph
from aesforge.tools.aiger import Aiger

_LANES = 256
_CYCLES = 200
"""The random runs that show what a removed register is: so many, and as long."""


@dataclass(frozen=True)
class Pairs:
    """Registers of the design by index: `kept` with that of the netlist, `removed` with a literal.

    The literal is 0 or 1, or that of a register of the design: 2 * index + 2, and 1 if inverted.
    """

    kept: dict[int, int]
    removed: dict[int, int]


def pairs(design: Aiger, netlist: Aiger) -> Pairs | None:
    """The correspondence of registers; None when a register of the netlist has no counterpart."""
    of = {name: at for at, names in design.register_aliases.items() for name in names}
    kept: dict[int, int] = {}
    merged: dict[int, int] = {}
    for number in range(len(netlist.next)):
        names = netlist.register_aliases.get(number, ())
        found = {of[name] for name in names if name in of}
        found -= kept.keys() | merged.keys()
        if not found:
            return None
        # Of registers that mapping merged, one is kept and the others are copies of it.
        one, *others = sorted(found)
        kept[one] = number
        merged |= dict.fromkeys(others, 2 * one + 2)
    removed = [at for at in range(len(design.next)) if at not in kept and at not in merged]
    guessed = _guess(design, removed, kept)
    return None if guessed is None else Pairs(kept, merged | guessed)


def _guess(design: Aiger, removed: list[int], kept: dict[int, int]) -> dict[int, int] | None:
    """What each removed register is in random runs from a reset; None if one is neither."""
    if not removed:
        return {}
    rng, mask = random.Random(1), (1 << _LANES) - 1
    state = [rng.getrandbits(_LANES) for _ in design.next]
    seen: list[list[int]] = []
    for cycle in range(_CYCLES):
        inputs = [rng.getrandbits(_LANES) for _ in range(design.inputs)]
        if "rst_ni" in design.input_names:
            inputs[design.input_names["rst_ni"]] = 0 if cycle < _CYCLES // 10 else mask
        if "key_clear_i" in design.input_names:
            # Seldom, or else nothing but clears would happen.
            for _ in range(6):
                inputs[design.input_names["key_clear_i"]] &= rng.getrandbits(_LANES)
        values = design.values(inputs, state, mask)
        state = [design.literal(values, literal, mask) for literal in design.next]
        if cycle >= _CYCLES // 10:
            seen.append(state)
    history = list(zip(*seen, strict=True))
    known: dict[tuple[int, ...], int] = {(0,) * len(seen): 0, (mask,) * len(seen): 1}
    for at in kept:
        known.setdefault(history[at], 2 * at + 2)
        known.setdefault(tuple(value ^ mask for value in history[at]), 2 * at + 3)
    found = {at: known.get(history[at]) for at in removed}
    return (
        {at: literal for at, literal in found.items() if literal is not None}
        if all(literal is not None for literal in found.values())
        else None
    )


def equal(design: Aiger, netlist: Aiger, found: Pairs, folder: Path) -> str:
    """Why the two differ under a correspondence of registers; empty when they are equal.

    An input of the design without a name is an undefined value. What one decides is left to the
    mapping.
    """
    outputs = sorted(design.output_names)
    if outputs != sorted(netlist.output_names):
        return "the netlist has other outputs"
    graph = Graph()
    ports = {name: graph.free(name) for name in sorted({*design.input_names, *netlist.input_names})}
    state = {at: graph.free(f"register {at}") for at in found.kept}
    state |= {at: state[of // 2 - 1] ^ of & 1 if of > 1 else of for at, of in found.removed.items()}
    theirs = {number: state[at] for at, number in found.kept.items()}
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
