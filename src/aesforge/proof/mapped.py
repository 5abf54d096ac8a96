"""Whether a mapped netlist is the design that it was mapped from: register by register, by ABC.

Both are AIGER files with the same ports. A register of the netlist is that of the design which
shares a name with it. The outputs and the next states of these registers must be equal for all
inputs and all states. A register that mapping removed is taken for a constant or for a copy of
another register, and this too must hold in the next state; random runs from a reset say which.
"""

import random
from dataclasses import dataclass
from pathlib import Path

from aesforge.tools import aiger, yosys

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


def pairs(design: aiger.Aiger, netlist: aiger.Aiger) -> Pairs | None:
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


def _guess(design: aiger.Aiger, removed: list[int], kept: dict[int, int]) -> dict[int, int] | None:
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


def _combinational(
    machine: aiger.Aiger,
    ports: list[str],
    outputs: list[str],
    state: dict[int, int],
    removed: dict[int, int],
    order: list[int],
) -> aiger.Aiger:
    """The outputs, the next states in `order`, and what must hold of removed registers.

    `state` gives the place of each register among the inputs that follow the ports.
    """
    place = {name: number for number, name in enumerate(ports)}
    literal = [0] * (machine.inputs + len(machine.next) + 1)
    extra = len(ports) + len(state)
    for name, number in machine.input_names.items():
        literal[number + 1] = 2 * (place[name] + 1)
    own = machine.inputs + 1

    def register(at: int) -> int:
        return 2 * (len(ports) + state[at] + 1)

    for at in state:
        literal[own + at] = register(at)
    for at, other in removed.items():
        literal[own + at] = register(other // 2 - 1) | other & 1 if other > 1 else other
    first = len(literal)

    def moved(found: int) -> int:
        node = found >> 1
        base = literal[node] if node < first else 2 * (node - first + extra + 1)
        return base ^ found & 1

    gates = [(moved(left), moved(right)) for left, right in machine.gates]

    def both(left: int, right: int) -> int:
        gates.append((left, right))
        return 2 * (extra + len(gates))

    def differ(left: int, right: int) -> int:
        return both(both(left, right) ^ 1, both(left ^ 1, right ^ 1) ^ 1)

    found = [moved(machine.outputs[machine.output_names[name]]) for name in outputs]
    found += [moved(machine.next[at]) for at in order]
    for at, other in removed.items():
        wanted = moved(machine.next[other // 2 - 1]) ^ other & 1 if other > 1 else other
        found.append(differ(moved(machine.next[at]), wanted))
    return aiger.Aiger(extra, [], found, gates)


def equal(design: aiger.Aiger, netlist: aiger.Aiger, found: Pairs, folder: Path) -> str:
    """Why the two differ under a correspondence of registers; empty when they are equal."""
    ports = sorted(design.input_names.keys() & netlist.input_names.keys())
    outputs = sorted(design.output_names)
    if outputs != sorted(netlist.output_names):
        return "the netlist has other outputs"
    order = sorted(found.kept)
    place = {at: number for number, at in enumerate(order)}
    theirs = {found.kept[at]: number for at, number in place.items()}
    one = _combinational(design, ports, outputs, place, found.removed, order)
    other = _combinational(netlist, ports, outputs, theirs, {}, [found.kept[at] for at in order])
    other.outputs.extend([0] * len(found.removed))
    rng, mask = random.Random(1), (1 << _LANES) - 1
    inputs = [rng.getrandbits(_LANES) for _ in range(one.inputs)]
    values = [machine.values(inputs, [], mask) for machine in (one, other)]
    names = [*outputs, *(f"the next {_name(design, at)}" for at in order)]
    names += [f"{_name(design, at)}, which mapping removed" for at in found.removed]
    for name, mine, yours in zip(names, one.outputs, other.outputs, strict=True):
        if one.literal(values[0], mine, mask) != other.literal(values[1], yours, mask):
            return f"{name} differs"
    aiger.write(one, folder / "design.aig")
    aiger.write(other, folder / "netlist.aig")
    output = yosys.abc("&read design.aig; &cec netlist.aig", folder)
    return "" if "Networks are equivalent" in output else "ABC does not show that they are equal"


def _name(machine: aiger.Aiger, at: int) -> str:
    return machine.register_names.get(at, f"register {at}")
