"""Count the toggles of a core on a stream of blocks, with `toggles.cpp`."""

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


def _bits(port: Port) -> list[str]:
    """The names of the bits of a port in an AIGER file, the top one first."""
    return [f"{port.name}[{bit}]" for bit in reversed(range(port.width))]


def count(
    machine: Aiger, contract: Contract, watched: Port, stimulus: Stimulus, folder: Path
) -> tuple[int, list[bytes], list[int]]:
    """The counted cycles, the results so far, and the toggles of each bit of an output.

    The lowest bit is first. ToolFailed when results are missing.
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
    ]
    (folder / "job").write_text(" ".join(map(str, job)), encoding="ascii")
    clocks, bits, toggles = call(
        "toggles", [program([PROGRAM], "counting toggles"), "job"], cwd=folder
    ).splitlines()
    width = len(result)
    results = [
        int(bits[at : at + width], 2).to_bytes(width // 8, "big")
        for at in range(0, len(bits), width)
    ]
    return int(clocks), results, [int(number) for number in toggles.split()]


def _at(names: dict[str, int], bit: str) -> int:
    """The name of a bit; a port of one bit has no index."""
    return names[bit] if bit in names else names[bit.removesuffix("[0]")]
