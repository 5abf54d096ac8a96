"""The second engine, unbounded: a core and its cycle-level reference as one sequential netlist.

ABC's `scorr` looks for signals that are equal in every cycle, and shows by induction that they are.
When it finds that the outputs of `formal/aes_reference.sv` are constant 0, the core does in every
cycle of every run what the reference does. No part is replaced, and nothing of the explorer is
used. docs/proofs.md says what that covers.
"""

import random
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from aesforge import cache
from aesforge.core.sources import digest
from aesforge.proof.bounded import netlist
from aesforge.proof.claims import Claim, Sources
from aesforge.proof.graph import Cycles, Graph
from aesforge.space.axes import Config
from aesforge.space.promises import promised
from aesforge.tools import aiger, yosys
from aesforge.tools.aiger import Aiger

RULES = ("when out_valid_o is high", "the result", "when in_ready_o is high")
"""What each bit of `violated_o` of the reference is about."""

MODULES = ("aes_iterative_overlap_otf", "aes_iterative_otf")
"""The cores whose rounds the reference follows."""

_OURS = "reference "
"""What the names of the registers of the reference begin with."""

_MATTERS = {"key_q": 2, "state_q": 1, "round_key_q": 0, "rcon_q": 0}
"""The bit of `matters_o` for each register of data of the reference."""

_PATTERNS, _CYCLES = 64, 80
"""Runs, and cycles of each, in which pairs of registers are looked for."""

_RARE = {"rst_ni": (5, 1), "key_clear_i": (5, 0), "key_valid_i": (2, 0)}
"""How many coins decide an input, and its value when not all of them are heads.

ABC collects candidates by simulation with random inputs. With a reset in every second cycle no
block would reach its second round. Every sequence of values of the input remains possible.
"""


def reaches(config: Config) -> bool:
    """Whether the reference covers a core: a round of AES-128 per cycle, encryption."""
    return (
        config.module in MODULES
        and config.block == "128"
        and config.keys == "128"
        and config.direction == "encrypt"
        and config.rounds_per_cycle == "1"
        and config.key_schedule == "on_the_fly"
    )


def sequential(given: Sources, config: Config, conflicts: int = 1000) -> Callable[[], list[Claim]]:
    """The claim on all runs of a core that `reaches` covers.

    `conflicts` limits each question to the SAT solver; one without an answer is not proven.
    """
    latency = promised(config, 128).latency

    def make(core: Path, observer: Path) -> dict[str, Any]:
        start = time.perf_counter()
        whole = product(aiger.read(core), aiger.read(observer), latency)
        with TemporaryDirectory() as folder:
            work = Path(folder)
            aiger.write(whole, work / "product.aig")
            yosys.abc(f"read product.aig; scorr -C {conflicts}; write_aiger left.aig", work)
            left = aiger.read(work / "left.aig")
        rest = [name for name, literal in zip(RULES, left.outputs, strict=False) if literal]
        covers = f"all runs after a reset, all keys and blocks: {len(whole.next)} registers"
        found = {"rule": f"not proven equal to the reference: {', '.join(rest)}"} if rest else {}
        seconds = time.perf_counter() - start
        return Claim("cipher 128 encrypt by scorr", not rest, seconds, covers, found).as_dict()

    def claims() -> list[Claim]:
        core, observer = netlist(given, config), reference(given, latency)
        own = (Path(__file__), Path(__file__).with_name("graph.py"))
        key = digest(core, observer, latency, conflicts, *own, yosys.version())
        return [Claim(**cache.value("proof-sequential", key, lambda: make(core, observer)))]

    return claims


def reference(given: Sources, latency: int) -> Path:
    """The reference as an AIGER file."""
    files = [given.formal / "aes_fips197.sv", given.formal / "aes_reference.sv"]

    def make(work: Path) -> None:
        yosys.run(
            [
                f"read_verilog -sv {' '.join(map(str, files))}",
                f"hierarchy -check -top aes_reference -chparam Latency {latency}",
                *("proc", "wreduce", "peepopt", "opt -noff", "simplemap", "techmap", "opt -noff"),
                *("aigmap", "opt_clean", "flatten", "opt_clean"),
                "write_aiger -symbols reference.aig",
            ],
            work,
        )

    key = digest(*files, latency, yosys.version())
    return cache.folder("proof-reference", key, make) / "reference.aig"


def product(core: Aiger, observer: Aiger, latency: int) -> Aiger:
    """The core and its observer as one machine that starts in the cycle after a reset.

    Its first outputs are those of `violated_o`. In AIGER every register starts with 0, so a
    register that is 1 after the reset is stored inverted. A register without a constant value
    after the reset starts with any value.
    """
    both = _joined(core, observer)
    both = _following(both, _pairs(both, len(core.next)))
    cycles = Cycles(both, Graph())
    cycles.advance({"rst_ni": 0})
    cycles.advance({})
    starts = [cycles.register(at) for at in range(len(both.next))]

    graph = Graph()
    inputs: list[int] = []

    def free(name: str) -> int:
        literal = graph.free(name)
        inputs.append(literal >> 1)
        return literal

    ports = [0] * both.inputs
    for name, at in both.input_names.items():
        coins, usual = _RARE.get(name, (1, 0))
        literal = 1
        for number in range(coins):
            literal = graph.both(literal, free(f"{name} {number}"))
        ports[at] = literal ^ usual
    # In the first cycle, a register of any value is an input: one for all that are equal then.
    some = {start >> 1: 0 for start in starts if start > 1}
    some = {node: free(f"start {number}") for number, node in enumerate(some)}
    started = graph.free("started")
    registers = [graph.free("") for _ in both.next]
    values = [
        graph.choose(started, register, some[start >> 1] ^ start & 1)
        if start > 1
        else register ^ start
        for register, start in zip(registers, starts, strict=True)
    ]
    made = graph.formula(_combinational(both), [*ports, *values])
    after, left = made[: len(values)], made[len(values) :]
    stored = [value ^ (start == 1) for value, start in zip(after, starts, strict=True)]
    outputs = {name: left[at] for name, at in both.output_names.items()}
    rules = [outputs[f"violated_o[{bit}]"] for bit in range(len(RULES))]
    wrong = [literal for name, literal in outputs.items() if name.startswith("wrong_o")]

    def age(number: int) -> int:
        """Whether a block was accepted so many cycles ago."""
        found = 1
        for bit in range(4):
            found = graph.both(found, outputs[f"age_o[{bit}]"] ^ (number >> bit & 1) ^ 1)
        return found

    # Signals that are equal only while a block is in flight or a key is valid, and registers of
    # control that have a certain value so many cycles after a block was accepted.
    data = both.reached(("key_i", "in_data_i"))[1 + both.inputs :]
    control = [value for at, value in enumerate(values) if not data[at]]
    hints = [
        graph.both(when, value)
        for when in (age(0) ^ 1, outputs["keyed_o"])
        for value in (*values, *after)
    ]
    hints += [graph.both(age(number), value) for number in range(latency + 1) for value in control]
    whole = graph.netlist(
        [1, *stored, *rules, *wrong, *hints],
        [*inputs, started >> 1, *(literal >> 1 for literal in registers)],
    )
    count = 1 + len(values)
    return Aiger(len(inputs), whole.outputs[:count], whole.outputs[count:], whole.gates)


def _combinational(machine: Aiger) -> Aiger:
    """The registers as inputs, and their next values as the first outputs."""
    outputs = [*machine.next, *machine.outputs]
    return Aiger(machine.inputs + len(machine.next), [], outputs, machine.gates)


def _joined(core: Aiger, observer: Aiger) -> Aiger:
    """The core with the observer on its ports; the outputs are those of the observer."""
    graph = Graph()
    # An input without a name is an undefined value, which may change in every cycle.
    named = {at: name for name, at in core.input_names.items()}
    names = [named.get(at, f"undefined value {at}") for at in range(core.inputs)]
    ports = {name: graph.free(name) for name in names}
    own = [graph.free("") for _ in core.next]
    theirs = [graph.free("") for _ in observer.next]
    made = graph.formula(_combinational(core), [*ports.values(), *own])
    after, left = made[: len(own)], made[len(own) :]
    seen = {name: ports[names[at]] for name, at in core.input_names.items()}
    seen |= {name: left[at] for name, at in core.output_names.items()} | {"clk_i": 0}
    inputs = [0] * observer.inputs
    for name, at in observer.input_names.items():
        port, _, bit = name.partition("[")
        # The key is left-aligned.
        inputs[at] = seen[f"{port}[{int(bit[:-1]) + 128}]" if port == "key_i" else name]
    made = graph.formula(_combinational(observer), [*inputs, *theirs])
    whole = graph.netlist(
        [*after, *made], [literal >> 1 for literal in (*ports.values(), *own, *theirs)]
    )
    count = len(own) + len(theirs)
    labels = core.register_names | {
        len(own) + at: f"{_OURS}{name}" for at, name in observer.register_names.items()
    }
    return Aiger(
        *(len(ports), whole.outputs[:count], whole.outputs[count:], whole.gates),
        {name: at for at, name in enumerate(ports)},
        observer.output_names,
        labels,
    )


def _data(machine: Aiger) -> dict[int, int]:
    """The registers of data of the reference, and for each the output that says when it matters."""
    found = {}
    for at, name in machine.register_names.items():
        port = name.removeprefix(_OURS).partition("[")[0]
        if name.startswith(_OURS) and port in _MATTERS:
            found[at] = machine.output_names[f"matters_o[{_MATTERS[port]}]"]
    return found


def _pairs(machine: Aiger, own: int) -> dict[int, int]:
    """For registers of the reference: a register of the core with the same value when it matters.

    The core has the first `own` registers. Found by random simulation, so it is a guess: a wrong
    one can break a proof, and cannot make one.
    """
    mask = (1 << _PATTERNS) - 1
    rng = random.Random(1)
    data = _data(machine)
    words: dict[tuple[int, int], list[int]] = {}
    registers = [rng.getrandbits(_PATTERNS) for _ in machine.next]
    for cycle in range(_CYCLES):
        inputs = [rng.getrandbits(_PATTERNS) for _ in range(machine.inputs)]
        for name, at in machine.input_names.items():
            coins, usual = _RARE.get(name, (1, 0))
            for _ in range(coins - 1):
                inputs[at] &= rng.getrandbits(_PATTERNS)
            inputs[at] ^= mask * usual
            if cycle == 0 and name == "rst_ni":
                inputs[at] = 0
        values = machine.values(inputs, registers, mask)
        registers = [machine.literal(values, literal, mask) for literal in machine.next]
        for output in set(data.values()):
            when = machine.literal(values, machine.outputs[output], mask)
            for at, value in enumerate(registers):
                if at < own or data.get(at) == output:
                    words.setdefault((output, at), []).append(value & when)
    known: dict[tuple[int, ...], int] = {}
    for (output, at), word in words.items():
        if at < own:
            known.setdefault((output, *word), at)
    found = {at: known.get((output, *words[output, at])) for at, output in data.items()}
    return {at: twin for at, twin in found.items() if twin is not None}


def _following(machine: Aiger, pairs: dict[int, int]) -> Aiger:
    """The machine in which a register of the reference follows its pair when it does not matter.

    The reference writes such a register before it reads it, so its value is arbitrary until then.
    """
    graph = Graph()
    inputs = [graph.free("") for _ in range(machine.inputs)]
    registers = [graph.free("") for _ in machine.next]
    made = graph.formula(_combinational(machine), [*inputs, *registers])
    values, outputs = made[: len(registers)], made[len(registers) :]
    data = _data(machine)
    follows = {
        at: graph.choose(outputs[data[at]], values[at], values[twin]) for at, twin in pairs.items()
    }
    values = [follows.get(at, value) for at, value in enumerate(values)]
    whole = graph.netlist([*values, *outputs], [one >> 1 for one in (*inputs, *registers)])
    count = len(values)
    return replace(
        machine, next=whole.outputs[:count], outputs=whole.outputs[count:], gates=whole.gates
    )
