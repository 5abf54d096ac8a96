"""Binary AIGER files (http://fmv.jku.at/aiger): read, compare, evaluate on many patterns."""

import hashlib
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path


@dataclass
class Aiger:
    """Inputs, then registers, then gates, numbered from 1; a literal is 2 * number + inverted.

    `register_names` has the own name of each register, `register_aliases` all names of its net.
    """

    inputs: int
    next: list[int]
    outputs: list[int]
    gates: list[tuple[int, int]]
    input_names: dict[str, int] = field(default_factory=dict)
    output_names: dict[str, int] = field(default_factory=dict)
    register_names: dict[int, str] = field(default_factory=dict)
    register_aliases: dict[int, tuple[str, ...]] = field(default_factory=dict)

    def values(self, inputs: list[int], registers: list[int], mask: int = 1) -> list[int]:
        """The value of every node; each bit of an integer is one pattern, `mask` has all bits."""
        values = [0, *inputs, *registers]
        for left, right in self.gates:
            a = values[left >> 1] ^ (mask if left & 1 else 0)
            b = values[right >> 1] ^ (mask if right & 1 else 0)
            values.append(a & b)
        return values

    def reached(self, inputs: Collection[str], ends: Collection[str] = ()) -> bytearray:
        """Whether a bit of an input port in `inputs` reaches each node, in any cycle.

        It does so through any gates and registers but those whose names end in one of `ends`.
        """
        own = 1 + self.inputs
        stops = {
            own + at for at, name in self.register_names.items() if name.rpartition(".")[2] in ends
        }
        named = self.input_names.items()
        return self.after((1 + at for name, at in named if name.partition("[")[0] in inputs), stops)

    def after(self, nodes: Iterable[int], stops: Collection[int] = ()) -> bytearray:
        """Whether one of these nodes reaches each node, in any cycle, but through no register in
        `stops`.
        """
        own = 1 + self.inputs
        first = own + len(self.next)
        marked = bytearray(first + len(self.gates))
        for node in nodes:
            marked[node] = 1
        count = -1
        while count < (found := sum(marked)):
            count = found
            for at, (left, right) in enumerate(self.gates, first):
                marked[at] |= marked[left >> 1] | marked[right >> 1]
            for at, literal in enumerate(self.next, own):
                marked[at] |= marked[literal >> 1] and at not in stops
        return marked

    @staticmethod
    def literal(values: list[int], literal: int, mask: int = 1) -> int:
        """The value of a literal."""
        return values[literal >> 1] ^ (mask if literal & 1 else 0)


def read(path: Path) -> Aiger:
    """Read a file; a symbol line may give one bit several names."""
    data = path.read_bytes()
    at = data.index(b"\n") + 1
    kind, _, *counts = data[:at].split()
    if kind != b"aig":
        raise ValueError(f"{path} is not a binary AIGER file")
    inputs, registers, outputs, gates = (int(count) for count in counts[:4])

    def lines(number: int) -> list[int]:
        nonlocal at
        found = []
        for _ in range(number):
            end = data.index(b"\n", at)
            found.append(int(data[at:end].split()[0]))
            at = end + 1
        return found

    def delta() -> int:
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    aiger = Aiger(inputs, lines(registers), lines(outputs), [])
    for number in range(inputs + registers + 1, inputs + registers + 1 + gates):
        left = 2 * number - delta()
        aiger.gates.append((left, left - delta()))
    for line in data[at:].decode().splitlines():
        symbol, *names = line.split()
        if symbol == "c":
            break
        number = int(symbol[1:])
        for name in names:
            if symbol[0] == "i":
                aiger.input_names[name] = number
            elif symbol[0] == "o":
                aiger.output_names[name] = number
        if symbol[0] == "l":
            aiger.register_names[number] = _own(names)
            aiger.register_aliases[number] = tuple(names)
    return aiger


def _number(value: int) -> bytes:
    """A difference of literals, as the format has it: seven bits a byte, lowest first."""
    found = bytearray()
    while value > 0x7F:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*found, value])


def write(machine: Aiger, path: Path) -> None:
    """Write a machine to a file, without its gates that nothing uses; the names stay."""
    first = machine.inputs + len(machine.next) + 1
    used = {literal >> 1 for literal in (*machine.next, *machine.outputs)}
    for at in reversed(range(len(machine.gates))):
        if first + at in used:
            used.update(literal >> 1 for literal in machine.gates[at])
    place = {node: node for node in range(first)}
    kept = [at for at in range(len(machine.gates)) if first + at in used]
    place |= {first + at: first + number for number, at in enumerate(kept)}

    def moved(literal: int) -> int:
        return 2 * place[literal >> 1] | literal & 1

    counts = (machine.inputs, len(machine.next), len(machine.outputs), len(kept))
    text = [f"aig {first - 1 + len(kept)} {' '.join(map(str, counts))}\n".encode()]
    text += [f"{moved(literal)}\n".encode() for literal in (*machine.next, *machine.outputs)]
    for at in kept:
        left, right = sorted(map(moved, machine.gates[at]), reverse=True)
        text.append(_number(2 * place[first + at] - left) + _number(left - right))
    names: list[tuple[str, int, str]] = [
        *(("i", number, name) for name, number in machine.input_names.items()),
        *(("l", number, name) for number, name in machine.register_names.items()),
        *(("o", number, name) for name, number in machine.output_names.items()),
    ]
    text += [f"{kind}{number} {name}\n".encode() for kind, number, name in names]
    path.write_bytes(b"".join(text))


def ungated(machine: Aiger, valid: str, port: str) -> Aiger:
    """The machine before the AND gates with output `valid` at output `port`.

    A bit of the port that has no such gate stays. Where `valid` is 1 the port is the same.
    """
    gate = machine.outputs[machine.output_names[valid]]
    first = machine.inputs + len(machine.next) + 1
    outputs = list(machine.outputs)
    for name, at in machine.output_names.items():
        node, inverted = divmod(outputs[at], 2)
        if name.partition("[")[0] == port and node >= first and not inverted:
            operands = machine.gates[node - first]
            if gate in operands:
                outputs[at] = operands[operands[0] == gate]
    return replace(machine, outputs=outputs)


def _own(names: list[str]) -> str:
    """The register's own name among the nets that it drives: it ends in `_q`."""
    own = [name for name in names if name.partition("[")[0].endswith("_q")]
    return min(own or names, key=lambda name: (len(name), name))


_MASK = (1 << 64) - 1


def _colour(data: bytes) -> int:
    """A 64-bit colour of some bytes."""
    return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "big")


def structure(machine: Aiger) -> str:
    """A digest of a netlist that depends on no name of a register or gate, and on no order.

    Colour refinement: all registers start with one colour. In each round a gate takes its colour
    from those of its two operands, and a register takes its next colour from its own and that of
    its next state, for four rounds at least and until the number of colours no longer grows. The
    digest is made of the outputs by name, the colours of all registers, and the number of gates; an
    input counts by its name. 32 hex digits.
    """
    names = {number: name for name, number in machine.input_names.items()}
    ports = [_colour(b"0")]
    ports += [_colour(f"i{names.get(number, '?')}".encode()) for number in range(machine.inputs)]

    def colours(registers: list[int]) -> list[int]:
        found = [*ports, *registers]
        for left, right in machine.gates:
            a, b = found[left >> 1], found[right >> 1]
            if left & 1:
                a = (a * 0x9E3779B97F4A7C15 + 0x7F4A7C15) & _MASK
            if right & 1:
                b = (b * 0x9E3779B97F4A7C15 + 0x7F4A7C15) & _MASK
            mixed = ((a ^ b) * 0xD6E8FEB86659FD93 + (a + b) * 0xA0761D6478BD642F) & _MASK
            mixed ^= mixed >> 29
            found.append((mixed * 0xE7037ED1A0B428DB + 1) & _MASK ^ (mixed >> 32))
        return found

    def literal(found: list[int], at: int) -> int:
        colour = found[at >> 1]
        return (colour * 0x9E3779B97F4A7C15 + 0x7F4A7C15) & _MASK if at & 1 else colour

    registers = [_colour(b"register")] * len(machine.next)
    counts = [len(set(registers))]
    while len(counts) < 5 or counts[-1] != counts[-2]:
        found = colours(registers)
        registers = [
            _colour(literal(found, at).to_bytes(8, "big") + own.to_bytes(8, "big"))
            for at, own in zip(machine.next, registers, strict=True)
        ]
        counts.append(len(set(registers)))
    found = colours(registers)
    outputs = sorted(
        (name, literal(found, machine.outputs[at])) for name, at in machine.output_names.items()
    )
    whole = repr((outputs, sorted(registers), len(machine.gates)))
    return hashlib.blake2b(whole.encode(), digest_size=16).hexdigest()
