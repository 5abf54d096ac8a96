"""The gates of a mapped core with their functions and delays, for `toggles.cpp`.

Yosys gives the functions of a Liberty file, OpenSTA the delays. Delays are whole picoseconds, one
at least. A register's output toggles its delay after the clock edge, an input of the core with it.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Protocol

from aesforge.power.toggles import Delay, Gate, Source, Timing
from aesforge.tools import aiger, yosys
from aesforge.tools.opensta import Delays
from aesforge.tools.process import ToolFailed

_TABLES = "functions.aig"
_MOST_INPUTS = 6


class Cell(Protocol):
    """A cell of a netlist: its nets by pin. A constant net is `1'b0` or `1'b1`."""

    @property
    def type(self) -> str:
        """The name of the cell in its library."""

    @property
    def inputs(self) -> Mapping[str, str]:
        """The nets of its inputs."""

    @property
    def outputs(self) -> Mapping[str, str]:
        """The nets of its outputs."""

    @property
    def register(self) -> bool:
        """Whether it stores its output."""


Functions = Mapping[str, Mapping[str, int]]
"""Of each type of cell and each output: bit k is the output for the inputs that spell k.

The first input, by name, is the lowest bit of k.
"""


def functions(cells: Iterable[Cell], liberty: str, folder: Path) -> Functions:
    """The functions of the gates among some cells, from the Liberty file `liberty` in `folder`.

    ToolFailed for a gate of more than six inputs.
    """
    gates = {cell.type: cell for cell in cells if not cell.register}
    ports, instances = [], []
    for kind, cell in gates.items():
        if len(cell.inputs) > _MOST_INPUTS:
            raise ToolFailed(
                "reading functions", f"{kind} has more than {_MOST_INPUTS} inputs; leave it out"
            )
        ports += [f"input {kind}_{pin}" for pin in cell.inputs]
        ports += [f"output {kind}_{pin}" for pin in cell.outputs]
        pins = (f".{pin}({kind}_{pin})" for pin in (*cell.inputs, *cell.outputs))
        instances.append(f"  {kind} u_{kind} ({', '.join(pins)});")
    text = [f"module functions ({', '.join(ports)});", *instances, "endmodule", ""]
    (folder / "functions.v").write_text("\n".join(text), encoding="utf-8")
    yosys.run(
        [
            f"read_liberty -ignore_miss_func {liberty}",
            "read_verilog functions.v",
            "hierarchy -check -top functions",
            *("proc", "flatten", "simplemap", "aigmap"),
            f"write_aiger -symbols {_TABLES}",
        ],
        folder,
    )
    machine = aiger.read(folder / _TABLES)
    mask = (1 << (1 << _MOST_INPUTS)) - 1
    given = [0] * machine.inputs
    for kind, cell in gates.items():
        for at, pin in enumerate(sorted(cell.inputs)):
            rows = (row for row in range(1 << _MOST_INPUTS) if row >> at & 1)
            given[machine.input_names[f"{kind}_{pin}"]] = sum(1 << row for row in rows)
    values = machine.values(given, [], mask)

    def function(kind: str, pin: str) -> int:
        literal = machine.outputs[machine.output_names[f"{kind}_{pin}"]]
        rows = (1 << (1 << len(gates[kind].inputs))) - 1
        return machine.literal(values, literal, mask) & rows

    return {
        kind: {pin: function(kind, pin) for pin in cell.outputs} for kind, cell in gates.items()
    }


def _picoseconds(delay: tuple[float, float]) -> Delay:
    rise, fall = (max(1, round(1000 * one)) for one in delay)
    return rise, fall


def _without(function: int, at: int, value: bool, inputs: int) -> int:
    """The function of one input less, with input `at` at a constant value."""
    found = 0
    for row in range(1 << (inputs - 1)):
        low = row & ((1 << at) - 1)
        whole = (row - low) << 1 | value << at | low
        found |= (function >> whole & 1) << row
    return found


def timing(
    cells: Mapping[str, Cell],
    left_out: frozenset[str],
    inputs: Iterable[str],
    nets: Sequence[str],
    known: Functions,
    delays: Delays,
) -> Timing:
    """The gates and sources of a netlist, whose watched output has `nets`, the first lowest.

    `left_out`: cells of clock gates. `inputs`: nets that no cell drives, toggling with the clock.
    ToolFailed when OpenSTA has no delay between two pins of a gate.
    """
    place = {net: at for at, net in enumerate(nets)}
    gates, sources = [], {net: (0, 0) for net in inputs}
    for name, cell in cells.items():
        if name in left_out:
            continue
        for output, net in cell.outputs.items():
            arcs = {pin: delay for (pin, to), delay in delays[name].items() if to == output}
            if cell.register:
                (delay,) = arcs.values()
                sources[net] = _picoseconds(delay)
                continue
            function, kept = known[cell.type][output], sorted(cell.inputs)
            for pin in sorted(cell.inputs, reverse=True):
                if cell.inputs[pin] not in place:
                    high = cell.inputs[pin] == "1'b1"
                    function = _without(function, kept.index(pin), high, len(kept))
                    kept.remove(pin)
            if missing := [pin for pin in kept if pin not in arcs]:
                reason = f"no delay from {missing[0]} to {output} of {cell.type} {name}"
                raise ToolFailed("OpenSTA", reason)
            gates.append(
                Gate(
                    [place[cell.inputs[pin]] for pin in kept],
                    place[net],
                    function,
                    [_picoseconds(arcs[pin]) for pin in kept],
                )
            )
    found = [Source(place[net], delay) for net, delay in sources.items() if net in place]
    return Timing(gates, found)
