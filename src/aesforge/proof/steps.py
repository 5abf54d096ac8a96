"""AES as steps between named bytes, from `formal/aes_reference_steps.sv`.

A value is a tuple: its name, the run or the key that it is of, a number, and the byte, 0 first.

    ("block", run, 0, k)        the block
    ("state", run, r, k)        the state after round r; 0 is after the first AddRoundKey()
    ("substituted", run, r, k)  the output of SubBytes() or InvSubBytes() in round r
    ("mixed", run, r, k)        what MixColumns() gives, or InvMixColumns() takes, in round r
    ("word", key, i, k)         word i of KeyExpansion()
    ("subword", key, i, k)      SubWord() or SubWord(RotWord()) of word i - 1, as word i needs it
    ("inverse", key, i, k)      InvMixColumns() of word i
"""

from dataclasses import dataclass
from pathlib import Path

from aesforge import cache
from aesforge.core.sources import digest
from aesforge.proof.claims import Sources
from aesforge.proof.graph import Graph
from aesforge.tools import aiger, yosys
from aesforge.tools.aiger import Aiger

Value = tuple[str, str, int, int]

FILES = ("aes_fips197.sv", "aes_reference_steps.sv")
"""The files of `formal/` that the steps are of."""

_TOPS = (
    ("aes_reference_round", "-chparam Decrypt 0", "encrypt"),
    ("aes_reference_round", "-chparam Decrypt 1", "decrypt"),
    ("aes_reference_word", "", "word"),
)


@dataclass(frozen=True)
class Step:
    """How a byte is made of others: its sources, and the netlist from their bits, bit 0 first."""

    sources: tuple[Value, ...]
    formula: Aiger
    constant: tuple[int, ...] = ()
    """The values of the inputs behind the sources."""

    def of(self, graph: Graph, sources: list[list[int]]) -> list[int]:
        """The literals of the byte, bit 0 first."""
        inputs = [bit for byte in sources for bit in byte]
        return graph.formula(self.formula, [*inputs, *self.constant])

    def lanes(self, sources: list[list[int]], mask: int) -> list[int]:
        """The bits of the byte in as many patterns as the mask has bits."""
        inputs = [bit for byte in sources for bit in byte]
        inputs += [mask * bit for bit in self.constant]
        values = self.formula.values(inputs, [], mask)
        return [self.formula.literal(values, literal, mask) for literal in self.formula.outputs]


@dataclass(frozen=True)
class Cone:
    """A byte of an output port: the bytes of input ports that it depends on, and the netlist."""

    sources: tuple[tuple[str, int], ...]
    formula: Aiger


def _exclusive_or() -> Aiger:
    graph = Graph()
    one, other = ([graph.free("") for _ in range(8)] for _ in range(2))
    made = [graph.choose(a, b ^ 1, b) for a, b in zip(one, other, strict=True)]
    return graph.netlist(made, [literal >> 1 for literal in (*one, *other)])


SUM = _exclusive_or()
"""The sum of two bytes."""


def index(value: Value) -> int:
    """About where in a run a value is, in words of the key schedule."""
    return value[2] if value[0] in ("word", "subword", "inverse") else 4 * value[2]


Cones = dict[tuple[str, int], Cone]


def cones(given: Sources) -> dict[str, Cones]:
    """The bytes of the outputs of the steps, for a round of each direction and for a word."""
    files = [given.formal / name for name in FILES]
    read = f"read_verilog -sv {' '.join(map(str, files))}"

    def make(work: Path) -> None:
        for top, parameters, name in _TOPS:
            passes = [
                *(read, f"hierarchy -check -top {top} {parameters}"),
                *("proc", "wreduce", "peepopt", "opt", "simplemap", "techmap", "opt", "aigmap"),
                *("opt_clean", "flatten", "opt_clean", f"write_aiger -symbols {name}.aig"),
            ]
            yosys.run(passes, work)

    folder = cache.folder("proof-steps", digest(*files, _TOPS, yosys.version()), make)
    return {name: _bytes(aiger.read(folder / f"{name}.aig")) for _, _, name in _TOPS}


def _place(name: str) -> tuple[str, int]:
    """The port, and the number of the bit."""
    port, _, bit = name.removesuffix("]").partition("[")
    return port, int(bit or 0)


def _bytes(machine: Aiger) -> Cones:
    """Each byte of the outputs; byte 0 of a port is the top one."""
    width: dict[str, int] = {}
    for name in (*machine.input_names, *machine.output_names):
        port, bit = _place(name)
        width[port] = max(width.get(port, 0), bit + 1)
    graph = Graph()
    ports = {name: graph.free(name) for name in machine.input_names}
    inputs = [0] * machine.inputs
    for name, at in machine.input_names.items():
        inputs[at] = ports[name]
    made = graph.formula(machine, inputs)

    def literals(names: dict[str, int], port: str, byte: int) -> list[int]:
        low = width[port] - 8 * byte - 8
        return [names[f"{port}[{low + bit}]"] for bit in range(8)]

    outputs = {name: made[at] for name, at in machine.output_names.items()}
    found: Cones = {}
    for port in {_place(name)[0] for name in machine.output_names}:
        for byte in range(width[port] // 8):
            of = literals(outputs, port, byte)
            places = [_place(graph.names[one]) for one in graph.cone(of) if one in graph.names]
            sources = {(name, (width[name] - 1 - bit) // 8) for name, bit in places}
            ordered = sorted(sources, key=lambda source: (source[0] == "rcon_i", *source))
            bits = [one >> 1 for source in ordered for one in literals(ports, *source)]
            found[port, byte] = Cone(tuple(ordered), graph.netlist(of, bits))
    return found


def _rcon(number: int) -> tuple[int, ...]:
    """The first byte of Rcon[number] (FIPS 197, 5.2), bit 0 first."""
    value = 1
    for _ in range(number - 1):
        value = value << 1 ^ (0x11B if value & 0x80 else 0)
    return tuple(value >> bit & 1 for bit in range(8))


Steps = dict[Value, tuple[Step, ...]]
"""The ways to make a value; the first is that of the standard."""


def key_steps(given: dict[str, Cones], key: str, bits: int) -> Steps:
    """The key schedule of a key of `bits`, forwards and backwards."""
    length, found = bits // 32, dict[Value, list[Step]]()

    def step(port: str, byte: int, number: int) -> Step:
        """A byte of an output port of `aes_reference_word` as it makes word `number`."""
        cone = given["word"][port, byte]
        of = {
            "past_i": ("word", key, number - length),
            "before_i": ("word", key, number - 1),
            "substituted_i": ("subword", key, number),
        }
        sources = tuple((*of[name], at) for name, at in cone.sources if name in of)
        constant = _rcon(number // length) if len(sources) < len(cone.sources) else ()
        return Step(sources, cone.formula, constant)

    for number in range(4 * (length + 7)):
        first, middle = number % length == 0, length > 6 and number % length == 4
        sub, word = ("rotated_o", "first_o") if first else ("substituted_o", "middle_o")
        for byte in range(4):
            found["inverse", key, number, byte] = [step("mixed_o", byte, number + 1)]
            if number < length:
                continue
            if first or middle:
                found["subword", key, number, byte] = [step(sub, byte, number)]
            else:
                word = "plain_o"
            _add(found, ("word", key, number, byte), step(word, byte, number), "word")
    return {value: tuple(ways) for value, ways in found.items()}


def run_steps(given: dict[str, Cones], run: str, key: str, bits: int, decrypt: bool) -> Steps:
    """The rounds of a block under a key of `bits`."""
    rounds, found = bits // 32 + 6, dict[Value, list[Step]]()
    cones = given["decrypt" if decrypt else "encrypt"]

    def step(port: str, byte: int, number: int) -> Step:
        """A byte of an output port of `aes_reference_round` in round `number`."""
        of = {
            "block_i": ("block", run, 0),
            "state_i": ("state", run, number - 1),
            "substituted_i": ("substituted", run, number),
            "mixed_i": ("mixed", run, number),
        }
        word = 4 * (rounds - number if decrypt else number)
        sources: list[Value] = []
        for name, at in cones[port, byte].sources:
            if name == "key_i":
                sources.append(("word", key, word + at // 4, at % 4))
            else:
                sources.append((*of[name], at))
        return Step(tuple(sources), cones[port, byte].formula)

    for number in range(rounds + 1):
        for byte in range(16):
            state = ("state", run, number, byte)
            if number == 0:
                _add(found, state, step("first_o", byte, number), "block")
                continue
            found["substituted", run, number, byte] = [step("substituted_o", byte, number)]
            if number == rounds:
                found[state] = [step("last_o", byte, number)]
                continue
            ahead = ("mixed", run, number, byte)
            _add(found, ahead, step("mixed_o", byte, number), "")
            _add(found, state, step("state_o", byte, number), "" if decrypt else "mixed")
    return {value: tuple(ways) for value, ways in found.items()}


def _add(found: dict[Value, list[Step]], value: Value, step: Step, summand: str) -> None:
    """A step and, where the value is a sum, the step back to each source named `summand`."""
    found.setdefault(value, []).insert(0, step)
    for at, source in enumerate(step.sources):
        if source[0] == summand and _sum(step, at):
            others = (*step.sources[:at], value, *step.sources[at + 1 :])
            found.setdefault(source, []).append(Step(others, step.formula, step.constant))


_SUMS: dict[tuple[int, int], tuple[Aiger, bool]] = {}


def _sum(step: Step, at: int) -> bool:
    """Whether a byte of two sources is the sum of source `at` and a function of the other.

    So it is if the step made twice gives the source again, which is tried for all values.
    """
    key = id(step.formula), at
    if key not in _SUMS:
        mask = (1 << (1 << 16)) - 1
        # Pattern n has the bits of n: bit b is 2^b times 0, then as many times 1, and so on.
        runs = [1 << bit for bit in range(16)]
        bits = [mask // ((1 << 2 * run) - 1) * (((1 << run) - 1) << run) for run in runs]
        sources = [bits[:8], bits[8:]]
        once = step.lanes(sources, mask)
        again = step.lanes(
            [once if place == at else one for place, one in enumerate(sources)], mask
        )
        _SUMS[key] = step.formula, len(step.sources) == 2 and again == sources[at]
    return _SUMS[key][1]
