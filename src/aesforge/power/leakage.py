"""Simulated power of a masked core on many inputs at once, and a fixed against random t-test.

The sample of a cycle is the number of transitions of the gates and registers of the and-inverter
graph, glitches included: all gates have the same delay, and change whenever their operands do. Half
of the traces, chosen at random, have a fixed block, the others random blocks; the key is the same
for all (Goodwill, Jun, Jaffe, Rohatgi, "A testing methodology for side-channel resistance
validation", NIST 2011).
"""

import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aesforge.tools.aiger import Aiger
from aesforge.tools.compiled import program

LANES = 4096
"""Traces that are simulated together."""

THRESHOLD = 4.5
"""The least |t| that counts as a leak."""

PROGRAM = Path(__file__).with_name("transitions.cpp")

Words = NDArray[np.uint64]


class Machine:
    """An and-inverter graph with a bit for each trace at every node."""

    def __init__(self, aiger: Aiger) -> None:
        self._aiger, self._first = aiger, 1 + aiger.inputs
        first = self._first + len(aiger.next)
        gates = np.array(aiger.gates)
        depth = [0] * first
        for left, right in aiger.gates:
            depth.append(1 + max(depth[left >> 1], depth[right >> 1]))
        order = sorted(range(len(gates)), key=lambda at: depth[first + at])
        self._levels = []
        for _, found in groupby(order, key=lambda at: depth[first + at]):
            at = np.array(list(found))
            self._levels.append(
                (first + at, *self._literals(gates[at, 0]), *self._literals(gates[at, 1]))
            )
        self._next = self._literals(np.array(aiger.next))
        self.values: Words = np.zeros((first + len(gates), LANES // 64), np.uint64)

    @staticmethod
    def _literals(literals: NDArray[Any]) -> tuple[NDArray[Any], Words]:
        inverted = (literals & 1).astype(np.uint64)
        return literals >> 1, (np.uint64(0) - inverted)[:, None]

    def drive(self, port: str, bits: Words) -> None:
        """Set the bits of an input, the lowest first."""
        for at, word in enumerate(bits):
            name = f"{port}[{at}]" if len(bits) > 1 else port
            self.values[1 + self._aiger.input_names[name]] = word

    def output(self, name: str) -> Words:
        """The bit of an output after `settle`."""
        literal = self._aiger.outputs[self._aiger.output_names[name]]
        inverted = np.uint64((1 << 64) - 1 if literal & 1 else 0)
        found: Words = self.values[literal >> 1] ^ inverted
        return found

    def settle(self) -> None:
        """Evaluate all gates."""
        values = self.values
        for out, a, not_a, b, not_b in self._levels:
            values[out] = (values[a] ^ not_a) & (values[b] ^ not_b)

    def edge(self) -> None:
        """The next state of all registers."""
        at, inverted = self._next
        self.values[self._first : self._first + len(at)] = self.values[at] ^ inverted

    def registers(self) -> Words:
        """The values of registers."""
        return self.values[self._first : self._first + len(self._next[0])]

    def sources(self) -> Words:
        """The values of inputs and registers."""
        return self.values[1 : self._first + len(self._next[0])]


class Transitions:
    """The transitions of registers and gates in each cycle, by `transitions.cpp`.

    A context, which ends the program. ToolMissing without g++.
    """

    def __init__(self, aiger: Aiger) -> None:
        sizes = (aiger.inputs, len(aiger.next), len(aiger.gates), LANES // 64)
        self._program = subprocess.Popen(
            [program([PROGRAM], "aesforge leakage")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self._write(np.array(sizes, np.uint32))
        self._write(np.array(aiger.gates, np.uint32))

    def _write(self, words: NDArray[Any]) -> None:
        assert self._program.stdin is not None
        self._program.stdin.write(np.ascontiguousarray(words).data)
        self._program.stdin.flush()

    def count(self, sources: Words) -> NDArray[np.float64]:
        """Those of each trace, from the inputs and registers of the last call to these."""
        assert self._program.stdout is not None
        self._write(sources)
        found = self._program.stdout.read(4 * LANES)
        return np.frombuffer(found, np.uint32).astype(np.float64)

    def __enter__(self) -> "Transitions":
        return self

    def __exit__(self, *_: object) -> None:
        self._program.communicate()


@dataclass
class Welch:
    """Sums of two groups of traces, sample by sample, about a common offset."""

    count: NDArray[Any]
    sums: NDArray[Any]
    squares: NDArray[Any]
    offset: NDArray[Any]

    @classmethod
    def of(cls, traces: NDArray[Any]) -> "Welch":
        """Empty sums for traces such as these."""
        shape = (2, traces.shape[0])
        return cls(np.zeros(2), np.zeros(shape), np.zeros(shape), traces.mean(axis=1))

    def add(self, traces: NDArray[Any], fixed: NDArray[Any]) -> None:
        """Traces, a column each; `fixed` says which have the fixed block."""
        for group in (0, 1):
            own = traces[:, fixed == group] - self.offset[:, None]
            self.count[group] += own.shape[1]
            self.sums[group] += own.sum(axis=1)
            self.squares[group] += (own**2).sum(axis=1)

    def t(self) -> NDArray[Any]:
        """Welch's t of each sample; 0 where all traces agree."""
        mean = self.sums / self.count[:, None]
        variance = self.squares / self.count[:, None] - mean**2
        error = np.sqrt((variance / (self.count[:, None] - 1)).sum(axis=0))
        found: NDArray[Any] = np.divide(
            mean[1] - mean[0], error, out=np.zeros_like(error), where=error > 0
        )
        return found


@dataclass(frozen=True)
class Stimulus:
    """A block and a key of a core in shares; without `masked`, all masks are zero."""

    shares: int
    random: int
    masked: bool
    key: int
    block: int

    def batch(self, rng: np.random.Generator) -> tuple[dict[str, Words], NDArray[Any]]:
        """Ports that hold for a block, and which traces have the fixed block."""
        fixed = rng.integers(0, 2, LANES)
        lanes = np.packbits(fixed.astype(np.uint8), bitorder="little").view(np.uint64)
        block = np.array([self._all(self.block >> at) for at in range(128)], np.uint64)[:, None]
        varied = _words(rng, 128)
        mixed = (block & lanes) | (varied & ~lanes)
        key = np.array([self._all(self.key >> at) for at in range(128)], np.uint64)[:, None]
        key = np.repeat(key, LANES // 64, axis=1)
        return {"in_data_i": self._shared(rng, mixed), "key_i": self._shared(rng, key)}, fixed

    @staticmethod
    def _all(bit: int) -> int:
        return (1 << 64) - 1 if bit & 1 else 0

    def _shared(self, rng: np.random.Generator, value: Words) -> Words:
        masks = [self.fresh(rng, len(value)) for _ in range(self.shares - 1)]
        last = value
        for mask in masks:
            last = last ^ mask
        return np.concatenate([*masks, last])

    def fresh(self, rng: np.random.Generator, bits: int) -> Words:
        """Random bits of each trace, or zeros."""
        return _words(rng, bits) if self.masked else np.zeros((bits, LANES // 64), np.uint64)


def _words(rng: np.random.Generator, bits: int) -> Words:
    return rng.integers(0, 1 << 64, (bits, LANES // 64), np.uint64)


def _bit(value: int) -> Words:
    return np.full((1, LANES // 64), (1 << 64) - 1 if value else 0, np.uint64)


def block(
    machine: Machine,
    stimulus: Stimulus,
    cycles: int,
    rng: np.random.Generator,
    transitions: Transitions,
) -> tuple[NDArray[Any], NDArray[Any]]:
    """The traces of a block from reset on, a column each, and which have the fixed block."""
    ports, fixed = stimulus.batch(rng)
    idle: Mapping[str, int] = {"random_valid_i": 1, "out_ready_i": 0, "clear_i": 0}
    for name, value in idle.items():
        machine.drive(name, _bit(value))
    machine.drive("rst_ni", _bit(0))
    machine.drive("in_valid_i", _bit(0))
    for name, bits in ports.items():
        machine.drive(name, np.zeros_like(bits))
    samples = []
    for cycle in range(-16, cycles):
        if cycle == 0:
            machine.drive("rst_ni", _bit(1))
            machine.drive("in_valid_i", _bit(1))
            for name, bits in ports.items():
                machine.drive(name, bits)
        machine.drive("random_i", stimulus.fresh(rng, stimulus.random))
        found = transitions.count(machine.sources())
        if cycle >= 0:
            samples.append(found)
        machine.settle()
        accepted = machine.output("in_ready_o").any()
        machine.edge()
        if cycle >= 0 and accepted:
            machine.drive("in_valid_i", _bit(0))
    return np.array(samples), fixed


def assess(
    machine: Machine,
    stimulus: Stimulus,
    cycles: int,
    traces: int,
    seed: int,
    transitions: Transitions,
) -> Iterator[tuple[int, NDArray[Any]]]:
    """The number of traces so far and t of each cycle, after each batch of `LANES` traces."""
    rng = np.random.default_rng(seed)
    sums: Welch | None = None
    for done in range(LANES, traces + LANES, LANES):
        found, fixed = block(machine, stimulus, cycles, rng, transitions)
        sums = sums or Welch.of(found)
        kept = min(LANES, LANES - (done - traces)) if done > traces else LANES
        sums.add(found[:, :kept], fixed[:kept])
        yield min(done, traces), sums.t()
