"""Netlists as files: read back, and compared whatever the names and the order of their nodes."""

import time
from pathlib import Path

from aesforge.tools import aiger

# Two inputs, a register `r_q` that the AND of both drives, and an output: their OR, inverted.
HEADER = b"aig 5 2 1 1 2\n"


def written(folder: Path, name: str, *parts: bytes) -> Path:
    path = folder / name
    path.write_bytes(b"".join(parts))
    return path


def delta(*differences: int) -> bytes:
    """The operands of gates, as AIGER has them: each less than 128 below the last."""
    return bytes(differences)


def symbols(register: bytes = b"r_q", output: bytes = b"o") -> bytes:
    return b"i0 a\ni1 b\nl0 " + register + b"\no0 " + output + b"\n"


# Node 4 is a & b, node 5 is !a & !b; the other way round in the second file.
AND, NOR = (2, 4), (3, 5)


def netlist(folder: Path, name: str, first: tuple[int, int], second: tuple[int, int]) -> Path:
    gates = b"".join(
        delta(2 * number - max(gate), max(gate) - min(gate))
        for number, gate in ((4, first), (5, second))
    )
    # The register is driven by AND, the output is NOR.
    at = {first: 8, second: 10}
    return written(
        folder, name, HEADER, b"%d\n%d\n" % (at.get(AND, 8), at.get(NOR, 10)), gates, symbols()
    )


def test_a_file_is_read_as_it_was_written(tmp_path: Path) -> None:
    machine = aiger.read(netlist(tmp_path, "a.aig", AND, NOR))
    assert (machine.inputs, machine.next, machine.outputs) == (2, [8], [10])
    assert machine.gates == [(4, 2), (5, 3)]
    assert machine.input_names == {"a": 0, "b": 1}
    assert (machine.register_names, machine.output_names) == ({0: "r_q"}, {"o": 0})
    for a, b in ((0, 0), (0, 1), (1, 0), (1, 1)):
        values = machine.values([a, b], [0])
        assert machine.literal(values, machine.next[0]) == a & b
        assert machine.literal(values, machine.outputs[0]) == 1 - (a | b)


def digest(path: Path) -> str:
    return aiger.structure(aiger.read(path))


def test_the_structure_depends_on_no_register_name_and_no_order(tmp_path: Path) -> None:
    one = netlist(tmp_path, "one.aig", AND, NOR)
    other = netlist(tmp_path, "other.aig", NOR, AND)
    renamed = written(tmp_path, "renamed.aig", one.read_bytes().replace(b"r_q", b"other_q"))
    assert digest(one) == digest(other) == digest(renamed)


def test_gates_inversions_and_ports_are_part_of_the_structure(tmp_path: Path) -> None:
    sound = netlist(tmp_path, "sound.aig", AND, NOR)
    data = sound.read_bytes()
    others = [
        netlist(tmp_path, "gate.aig", AND, (2, 5)),
        written(tmp_path, "output.aig", data.replace(b"\n10\n", b"\n11\n")),
        written(tmp_path, "next.aig", data.replace(b"\n8\n", b"\n9\n")),
        written(tmp_path, "inputs.aig", data.replace(b"i0 a\ni1 b", b"i0 a\ni1 c")),
        written(tmp_path, "ports.aig", data.replace(b"o0 o", b"o0 p")),
    ]
    assert len({digest(path) for path in [sound, *others]}) == 1 + len(others)


def chain(length: int) -> aiger.Aiger:
    """A shift register: each register takes the previous one, the first the input."""
    following = [2 * number + 2 for number in range(length)]
    return aiger.Aiger(1, following, [2 * length + 2], [], {"a": 0}, {"o": 0})


def test_registers_in_another_order_are_the_same_structure() -> None:
    # The same shift register with its registers numbered from its end.
    backward = aiger.Aiger(1, [6, 8, 2], [4], [], {"a": 0}, {"o": 0})
    assert aiger.structure(backward) == aiger.structure(chain(3))


def test_registers_far_from_the_ports_are_part_of_the_structure() -> None:
    assert len({aiger.structure(chain(length)) for length in range(1, 40)}) == 39


def test_a_large_netlist_has_its_structure_in_seconds() -> None:
    registers, gates = 5_000, 100_000
    machine = chain(registers)
    for number in range(gates):
        machine.gates.append((2 * (registers + 1 + number), 2 * (1 + 7 * number % registers) + 1))
    start = time.process_time()
    machine.next = [2 * (registers + 2 + 20 * number) for number in range(registers)]
    aiger.structure(machine)
    assert time.process_time() - start < 20
