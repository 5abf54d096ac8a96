"""Binary AIGER files (http://fmv.jku.at/aiger): read, compared, and evaluated on many patterns."""

import hashlib
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Aiger:
    """Inputs, then registers, then gates, numbered from 1; a literal is 2 * number + inverted."""

    inputs: int
    next: list[int]
    outputs: list[int]
    gates: list[tuple[int, int]]
    input_names: dict[str, int] = field(default_factory=dict)
    output_names: dict[str, int] = field(default_factory=dict)
    register_names: dict[int, str] = field(default_factory=dict)

    def values(self, inputs: list[int], registers: list[int], mask: int = 1) -> list[int]:
        """The value of every node; each integer carries one pattern a bit, `mask` all of them."""
        values = [0, *inputs, *registers]
        for left, right in self.gates:
            a = values[left >> 1] ^ (mask if left & 1 else 0)
            b = values[right >> 1] ^ (mask if right & 1 else 0)
            values.append(a & b)
        return values

    @staticmethod
    def literal(values: list[int], literal: int, mask: int = 1) -> int:
        """The value of a literal."""
        return values[literal >> 1] ^ (mask if literal & 1 else 0)


def read(path: Path) -> Aiger:
    """Read a file; the names of symbols that stand for one bit are split apart."""
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
    return aiger


def _own(names: list[str]) -> str:
    """The name of a register among those of all the nets that it drives: ours end in `_q`."""
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


def netlist(path: Path) -> str:
    """A digest of the netlist in a file: the same when nodes are only numbered in another order.

    Of each output and each register, by name, it has the digest of the gate before it; of a gate,
    those of its two operands. An input without a name counts by its number. 32 hex digits.
    """
    machine = read(path)

    def both(text: str) -> tuple[bytes, bytes]:
        return b"+" + text.encode(), b"-" + text.encode()

    names = {number: name for name, number in machine.input_names.items()}
    nodes = [(b"0", b"1")]
    nodes += [both(names.get(number, f"? {number}")) for number in range(machine.inputs)]
    registers = [
        machine.register_names.get(number, f"? {number}") for number in range(len(machine.next))
    ]
    nodes += [both(name) for name in registers]
    for left, right in machine.gates:
        operands = sorted((nodes[left >> 1][left & 1], nodes[right >> 1][right & 1]))
        gate = hashlib.blake2b(b"&".join(operands), digest_size=16).digest()
        nodes.append((b"+" + gate, b"-" + gate))
    driven = dict(zip(registers, machine.next, strict=True))
    driven |= {f"output {name}": machine.outputs[at] for name, at in machine.output_names.items()}
    lines = [name.encode() + b"=" + nodes[at >> 1][at & 1] for name, at in sorted(driven.items())]
    return hashlib.blake2b(b"\n".join(lines), digest_size=16).hexdigest()
