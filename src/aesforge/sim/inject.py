"""Flip registers and gates of a core while it works, with `inject.cpp`, and classify each fault."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from aesforge.core.contract import Channel, Contract, Port
from aesforge.tools.aiger import Aiger
from aesforge.tools.compiled import program
from aesforge.tools.process import call

_PROGRAM = Path(__file__).with_name("inject.cpp")

ALARM = "fault_o"
"""The output of a protected core that says that a fault was detected."""

RAILS = ("alarm_q", "calm_q")
"""The registers of the alarm, on which control depends from then on, whatever data it was for."""

CLASSES = {
    "d": "detected",
    "h": "harmless",
    "s": "silent",
    "m": "missing",
    "l": "late",
    "u": "unstable",
}
"""What becomes of a fault.

detected: the alarm is raised and stays, and no wrong result was on offer. harmless: no alarm, and
all results are right. missing: no alarm, and a result does not arrive. silent: no alarm, and a
wrong result or one too many. late: the alarm is raised, but a wrong result was on offer. unstable:
the alarm ends by itself.
"""

Flip = tuple[int, int]
"""A flip: the cycle after the reset in which it is made, and the register or the gate.

The number of a gate follows those of all registers. A gate has the wrong value for that cycle.
"""


@dataclass(frozen=True)
class Stimulus:
    """A key, and the blocks under it with their results, as integers.

    `key` and each block have an integer for each port of the payload.
    """

    key: Sequence[int]
    blocks: Sequence[Sequence[int]]
    results: Sequence[int]


@dataclass(frozen=True)
class Outcome:
    """A fault's class, the cycle of the alarm or None, and a digest of all registers at the end."""

    kind: str
    alarm: int | None
    digest: int


@dataclass(frozen=True)
class Run:
    """The run without faults: cycles after the reset, with those of the first and last result."""

    first: int
    last: int
    cycles: int


def _literal(names: dict[str, int], port: Port, bit: int) -> int:
    # A port of one bit has no index.
    name = f"{port.name}[{bit}]"
    return names[name] if name in names else names[port.name]


class Injector:
    """A core as an and-inverter graph, with what it works on."""

    def __init__(self, machine: Aiger, contract: Contract, stimulus: Stimulus) -> None:
        self._machine = machine
        key, block, out = (contract.channel(name) for name in ("key", "in", "out"))
        result = self._outputs(out.payload[0])
        alarm = machine.output_names.get(ALARM)
        self._job: list[object] = [
            *(machine.inputs, len(machine.next), len(machine.gates)),
            *machine.next,
            *(literal for gate in machine.gates for literal in gate),
            *(*self._inputs(contract.RESET), *self._inputs(out.ready), *self._outputs(out.valid)),
            *(0 if alarm is None else machine.outputs[alarm], len(result), *result),
            *self._sender(key, [stimulus.key]),
            *self._sender(block, stimulus.blocks),
            *(f"{value:0{out.payload[0].width}b}" for value in stimulus.results),
            _PATIENCE,
        ]

    def _inputs(self, port: Port) -> list[int]:
        names = self._machine.input_names
        return [1 + _literal(names, port, bit) for bit in reversed(range(port.width))]

    def _outputs(self, port: Port) -> list[int]:
        names = self._machine.output_names
        bits = reversed(range(port.width))
        return [self._machine.outputs[_literal(names, port, bit)] for bit in bits]

    def _sender(self, channel: Channel, payloads: Sequence[Sequence[int]]) -> list[object]:
        pins = [pin for port in channel.payload for pin in self._inputs(port)]
        words = (
            "".join(f"{v:0{p.width}b}" for p, v in zip(channel.payload, payload, strict=True))
            for payload in payloads
        )
        handshake = *self._inputs(channel.valid), *self._outputs(channel.ready)
        return [*handshake, len(pins), *pins, len(payloads), *words]

    def run(self, faults: Sequence[Sequence[Flip]], folder: Path) -> tuple[Run, list[Outcome]]:
        """The outcome of each fault, which is one or more flips.

        Flips are in cycles before the last result. ToolFailed when the run without faults is not
        right, or has an alarm.
        """
        given = [len(faults)]
        for fault in faults:
            given += [len(fault), *(number for flip in fault for number in flip)]
        job = folder / "job"
        job.write_text(" ".join(map(str, (*self._job, *given))), encoding="ascii")
        executable = program([_PROGRAM], "injecting faults")
        first, *lines = call("inject", [executable, job], cwd=folder).splitlines()
        outcomes = []
        for line in lines:
            kind, alarm, digest = line.split()
            raised = int(alarm) if int(alarm) >= 0 else None
            outcomes.append(Outcome(CLASSES[kind], raised, int(digest)))
        return Run(*map(int, first.split())), outcomes


_PATIENCE = 100_000
"""Cycles after which the run without faults must have ended."""


def control(machine: Aiger, contract: Contract) -> list[bool]:
    """Which registers hold control: no bit of a key, block or result, in any cycle.

    Found by the structure of the netlist: a register that depends on a payload through any gates
    and registers holds data. The rails of the alarm hold control, and end the dependence.
    """
    secret = {p.name for c in contract.channels if c.flow == "in" for p in c.payload[:1]}
    first = 1 + machine.inputs
    marked = machine.reached(secret, RAILS)
    return [not mark for mark in marked[first : first + len(machine.next)]]
