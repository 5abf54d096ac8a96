"""Count the toggles of a core on a stream of blocks, with `toggles.cpp`.

Toggles between settled values, and with the delays of the gates all toggles, glitches included.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from aesforge.core.contract import Channel, Contract, Port
from aesforge.tools.aiger import Aiger
from aesforge.tools.compiled import program
from aesforge.tools.process import call

PROGRAM = Path(__file__).with_name("toggles.cpp")


@dataclass(frozen=True)
class Stimulus:
    """The inputs of a core: payloads of channels, an integer for each of their ports.

    Toggles are counted after `lead` results, over `counted` more.
    """

    key: Sequence[int]
    blocks: Sequence[Sequence[int]]
    lead: int
    counted: int


Delay = tuple[int, int]
"""Of a rise and of a fall, in ps."""


@dataclass(frozen=True)
class Gate:
    """A gate of a timed netlist. Nets are bits of the watched output.

    `function` has bit k set when the output is high for inputs that spell k, the first its lowest
    bit. `delays`: from each input to the edge of the output that it causes.
    """

    inputs: Sequence[int]
    output: int
    function: int
    delays: Sequence[Delay]


@dataclass(frozen=True)
class Source:
    """A net that no gate drives, of a register or a port, and when it toggles after the clock."""

    net: int
    delay: Delay


@dataclass(frozen=True)
class Timing:
    """A netlist with delays; without gates there are no glitches."""

    gates: Sequence[Gate] = ()
    sources: Sequence[Source] = ()

    def job(self) -> list[object]:
        """What `toggles.cpp` reads of it."""
        job: list[object] = [len(self.gates)]
        for gate in self.gates:
            job += [len(gate.inputs), *gate.inputs, gate.output, gate.function]
            job += [time for delay in gate.delays for time in delay]
        job.append(len(self.sources))
        for source in self.sources:
            job += [source.net, *source.delay]
        return job


@dataclass(frozen=True)
class Counts:
    """What was counted in `clocks` cycles, for each watched bit, the lowest first.

    `settled`: toggles between values at the end of a cycle. `every`: all toggles; empty without a
    timing. `settles_ps`: how long after the clock the last one was. `results` of the core so far.
    """

    clocks: int
    results: Sequence[bytes]
    settled: Sequence[int]
    every: Sequence[int]
    settles_ps: int


def _bits(port: Port) -> list[str]:
    """The names of the bits of a port in an AIGER file, the top one first."""
    return [f"{port.name}[{bit}]" for bit in reversed(range(port.width))]


def count(
    machine: Aiger,
    contract: Contract,
    watched: Port,
    stimulus: Stimulus,
    folder: Path,
    timing: Timing | None = None,
) -> Counts:
    """Simulate a core and count the toggles of each bit of an output.

    ToolFailed when results are missing, or when the netlist of `timing` does not settle to the
    values of the machine.
    """

    def inputs(port: Port) -> list[int]:
        return [_at(machine.input_names, name) for name in _bits(port)]

    def outputs(port: Port) -> list[int]:
        return [machine.outputs[_at(machine.output_names, name)] for name in _bits(port)]

    def sender(channel: Channel, payloads: Sequence[Sequence[int]]) -> list[object]:
        pins = [pin for port in channel.payload for pin in inputs(port)]
        words = (
            "".join(
                f"{value:0{port.width}b}"
                for port, value in zip(channel.payload, payload, strict=True)
            )
            for payload in payloads
        )
        handshake = (*inputs(channel.valid), *outputs(channel.ready))
        return [*handshake, len(pins), *pins, len(payloads), *words]

    key, block, out = (contract.channel(name) for name in ("key", "in", "out"))
    result = outputs(out.payload[0])
    job: list[object] = [
        *(machine.inputs, len(machine.next), len(machine.gates)),
        *machine.next,
        *(literal for gate in machine.gates for literal in gate),
        watched.width,
        *reversed(outputs(watched)),
        *(*inputs(contract.RESET), *inputs(out.ready), *outputs(out.valid)),
        *(len(result), *result),
        *sender(key, [stimulus.key]),
        *sender(block, stimulus.blocks),
        *(stimulus.lead, stimulus.counted),
        *(timing or Timing()).job(),
    ]
    (folder / "job").write_text(" ".join(map(str, job)), encoding="ascii")
    clocks, bits, settled, every, latest = call(
        "toggles", [program([PROGRAM], "counting toggles"), "job"], cwd=folder
    ).splitlines()
    width = len(result)
    results = [
        int(bits[at : at + width], 2).to_bytes(width // 8, "big")
        for at in range(0, len(bits), width)
    ]
    stable, total = ([int(number) for number in line.split()] for line in (settled, every))
    return Counts(int(clocks), results, stable, total, int(latest))


def _at(names: dict[str, int], bit: str) -> int:
    """The name of a bit; a port of one bit has no index."""
    return names[bit] if bit in names else names[bit.removesuffix("[0]")]
