"""Prove a masked core: its function, its handshakes and its clear, for all shares and random bits.

The ports of a masked core are not those that the walk drives, and its shares are more than it can
follow. So `aesforge.proof.recombined` shows that the sums of the shares follow a core of sums, and
the claims on runs are made of that core: one block from any acceptance to its result, with all else
free, and one cycle of whatever comes between. docs/protection.md says how they make all runs.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, reduce
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from aesforge.errors import unknown
from aesforge.flows.probe import Leak, composed, gadgets, read_core
from aesforge.progress import track
from aesforge.proof import layers
from aesforge.proof.bounded import standard, standard_of
from aesforge.proof.claims import TO_AIGER, Claim, sources
from aesforge.proof.composition import Composition, inside_cores
from aesforge.proof.drive import Unproven
from aesforge.proof.graph import Cycles, Graph
from aesforge.proof.recombined import Core, Wrong, differs, inversions
from aesforge.space.axes import Config
from aesforge.space.promises import masked_clear, promised
from aesforge.tools import aiger, yosys
from aesforge.tools import netlist as netlists
from aesforge.tools.aiger import Aiger

VALID = "out_valid_o"


@dataclass
class _Started(Cycles):
    """A machine of which some registers have a value in cycle 0, by name; the others are free."""

    start: Mapping[str, int] = field(default_factory=dict)

    def _source(self, cycle: int, number: int) -> int | None:
        at = number - 1 - self.machine.inputs
        if cycle == 0 and at >= 0:
            name = self.machine.register_names[at] if at < len(self.machine.next) else ""
            if name in self.start:
                return self.start[name]
        return super()._source(cycle, number)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {name: at for at, name in self.machine.register_names.items()}

    def named(self, name: str) -> int:
        """The literal of a register in the last cycle."""
        return self.register(self._numbers[name])

    def constant(self, name: str, wanted: int) -> None:
        """Unproven unless an output has this value in the last cycle."""
        found = self.output(name)
        if found != wanted:
            said = found if found < 2 else "not constant"
            raise Unproven(f"{name} is {said} in cycle {len(self.driven) - 1}, not {wanted}")


def _word(port: str, literals: Iterable[int]) -> dict[str, int]:
    return {f"{port}[{at}]": literal for at, literal in enumerate(literals)}


_RUNNING = {"rst_ni": 1, "clear_i": 0}


@dataclass
class _Subject:
    """A masked core, elaborated with inversions and products as modules, and its core of sums."""

    config: Config
    folder: Path
    leak: Leak | None = None

    @cached_property
    def whole(self) -> Composition:
        """The core of inversions."""
        shares = int(self.config.shares)
        composed(self.config.module, self.config.gadget, shares, self.folder, self.leak)
        return Composition(self._modules[self.config.module], inside_cores(shares))

    @cached_property
    def _modules(self) -> dict[str, dict[str, Any]]:
        return netlists.modules(self.folder / "core.json")

    @cached_property
    def units(self) -> dict[str, Any]:
        """The table and the cycles of each inversion."""
        whole = self.whole  # which writes the netlist
        return inversions(self._modules, whole)

    @cached_property
    def core(self) -> Core:
        """The core of sums."""
        return Core(self.whole, self.units)

    @property
    def machine(self) -> Aiger:
        """The core of sums as a netlist."""
        return self.core.machine

    @cached_property
    def latency(self) -> int:
        """Promised cycles from a block that is offered to its result."""
        return promised(self.config, 128).latency

    @cached_property
    def idle(self) -> dict[str, int]:
        """The registers of control that a clear and a reset make constant, and their values."""
        found = []
        for driven in ({"clear_i": 1}, {"rst_ni": 0}):
            cycles = _Started(self.machine, Graph())
            cycles.advance(driven)
            cycles.advance({})
            found.append({name: cycles.named(name) for name in self.core.control})
        return {
            name: value for name, value in found[0].items() if value < 2 and found[1][name] == value
        }


# Claims -----------------------------------------------------------------------------------------


def _structure(one: _Subject) -> str:
    findings = list(one.whole.findings())
    if findings:
        raise Unproven(findings[0])
    return (
        f"{one.whole.size} gates, registers and inversions: no net of two shares, control of none"
    )


def _inversions(one: _Subject) -> str:
    cycles = {after for _, after in one.units.values()}
    return f"all shares, all random bits: {len(one.units)} tables, after {min(cycles)} cycles"


def _sums(one: _Subject) -> str:
    # That a copy has one share alone is what makes its form that of the share.
    _structure(one)
    wrong = one.core.exact(one.folder)
    if wrong:
        raise Unproven(f"not shown to be a function of sums: {wrong}")
    return f"all shares, any state: the sums of {len(one.core.sums)} registers follow from sums"


def _standard(
    one: _Subject, graph: Graph, found: list[int], key: list[int], block: list[int]
) -> None:
    """Unproven unless these literals are AES of a block."""
    spec = standard(sources(), 128, decrypt=False)
    # The key is in the upper half of the standard's port.
    theirs = standard_of(graph, spec, [0] * 128 + key, block)
    inputs = {literal >> 1 for literal in (*key, *block)}
    more = [n for n in graph.cone(found) if n in graph.names and n not in inputs]
    if more:
        raise Unproven(f"the result depends on {graph.names[more[0]]}")
    bits = [f"bit {at} of the result" for at in range(128)]
    if wrong := differs(graph, found, theirs, bits, one.folder):
        raise Unproven(f"not shown to be that of the standard: {wrong}")


def _words(graph: Graph) -> tuple[list[int], list[int]]:
    key, block = ([graph.free(f"{n}[{at}]") for at in range(128)] for n in ("key", "block"))
    return key, block


def _control(one: _Subject, cycles: _Started) -> dict[str, int]:
    return {name: cycles.named(name) for name in one.core.control}


def _block_alone(one: _Subject) -> str:
    """A core with one block: the run from an idle core to the result."""
    if len(one.idle) != len(one.core.control):
        missing = sorted(one.core.control.keys() - one.idle.keys())
        raise Unproven(f"a clear leaves {missing[0]} open")
    graph = Graph()
    key, block = _words(graph)
    cycles = _Started(one.machine, graph, start=one.idle)
    offered = {"in_valid_i": 1, **_word("key_i", key), **_word("in_data_i", block)}
    accepted = 0
    for cycle in range(one.latency + 1):
        # Random bits count from the second cycle.
        given = {"random_valid_i": 1} if cycle else {}
        cycles.advance(_RUNNING | given | ({} if accepted else offered))
        cycles.constant(VALID, int(cycle == one.latency))
        ready = cycles.output("in_ready_o")
        if ready > 1 or (ready and accepted):
            raise Unproven(f"in_ready_o in cycle {cycle} is not that of one block")
        accepted = accepted or ready * cycle
        if 0 < cycle < one.latency:
            _stalls(one, _control(one, cycles), cycle)
    if not accepted:
        raise Unproven("the block is not accepted")
    if _control(one, cycles) != {**one.idle, VALID: 1}:
        raise Unproven("with its result a core is not idle")
    _standard(one, graph, cycles.outputs("out_data_o", 128), key, block)
    return (
        f"all keys and blocks, any state before: accepted in cycle {accepted}, the result in "
        f"{one.latency}; in none of the cycles between does anything change without random bits"
    )


def _stalls(one: _Subject, control: Mapping[str, int], cycle: int) -> None:
    cycles = _Started(one.machine, Graph(), start=control)
    cycles.advance({**_RUNNING, "random_valid_i": 0})
    cycles.constant(VALID, 0)
    cycles.constant("in_ready_o", 0)
    _same_registers(cycles, f"without random bits in cycle {cycle}")


def _same_registers(cycles: _Started, when: str) -> None:
    before = [cycles.register(number) for number in cycles.machine.register_names]
    cycles.advance({})
    for number, name in cycles.machine.register_names.items():
        if cycles.register(number) != before[number]:
            raise Unproven(f"{name} changes {when}")


def _between(one: _Subject) -> str:
    """A core with one block: an idle core waits, and a result is kept until it is taken."""
    for start, driven, after in (
        (one.idle, {"in_valid_i": 0}, one.idle),
        ({**one.idle, VALID: 1}, {"out_ready_i": 1}, one.idle),
        ({**one.idle, VALID: 1}, {"out_ready_i": 0}, {**one.idle, VALID: 1}),
    ):
        cycles = _Started(one.machine, Graph(), start=start)
        cycles.advance(_RUNNING | driven)
        cycles.constant("in_ready_o", 0)
        shown = cycles.outputs("out_data_o", 128)
        cycles.advance({})
        if _control(one, cycles) != after:
            raise Unproven(f"an idle core changes with {driven}")
        kept = driven.get("out_ready_i", 1) or cycles.outputs("out_data_o", 128) == shown
        if not kept:
            raise Unproven("a result changes before it is taken")
    return "any data: an idle core waits for a block, and a result is kept until it is taken"


def _stages(one: _Subject) -> int:
    return int(one.config.stages)


def _rcon() -> list[str]:
    """The registers of Rcon in the last stage, bit 0 first."""
    return [f"rcon[{bit}]" for bit in range(8)]


_LAST_RCON = 0x36


def _block_in_loop(one: _Subject) -> str:
    """A core with a block in each stage: from each way to accept a block to its result."""
    last = _stages(one) - 1
    full = {f"busy_q[{last}]": 1}
    full |= {name: _LAST_RCON >> bit & 1 for bit, name in enumerate(_rcon())}
    ways: list[dict[str, int]] = [{f"busy_q[{stage}]": 0 for stage in range(last + 1)}, full]
    ways += [{f"busy_q[{stage}]": 1, f"busy_q[{last}]": 0} for stage in range(last)]
    for number, start in enumerate(ways):
        graph = Graph()
        key, block = _words(graph)
        cycles = _Started(one.machine, graph, start=start)
        offered = {"in_valid_i": 1, **_word("key_i", key), **_word("in_data_i", block)}
        for cycle in range(one.latency + 1):
            moving = {"random_valid_i": 1, "out_ready_i": 1}
            cycles.advance(_RUNNING | moving | ({} if cycle else offered))
            if not cycle:
                cycles.constant("in_ready_o", 1)
        cycles.constant(VALID, 1)
        result = cycles.outputs("out_data_o", 128)
        if not number:
            _standard(one, graph, result, key, block)
            first = graph, result
        elif not _alike(first, (graph, result)):
            raise Unproven("blocks that are accepted in different states have different results")
    return (
        f"all keys and blocks, from each of {len(ways)} kinds of states that accept one, whatever "
        f"the other stages hold: the result after {one.latency} cycles that move"
    )


def _alike(one: tuple[Graph, list[int]], other: tuple[Graph, list[int]]) -> bool:
    """Whether two results are made of key and block in the same way."""
    found = []
    for graph, literals in (one, other):
        inputs = list(graph.names)[:256]
        if any(number in graph.names and number not in inputs for number in graph.cone(literals)):
            return False
        made = graph.netlist(literals, inputs)
        found.append((made.outputs, made.gates))
    return found[0] == found[1]


def _loop(one: _Subject) -> str:
    """One cycle of a core with a block in each stage, from any state."""
    graph, machine, last = Graph(), one.machine, _stages(one) - 1
    names = list(machine.register_names.values())
    state = {name: graph.free(name) for name in names}
    ports = {name: graph.free(name) for name in machine.input_names}

    def following(**given: int) -> dict[str, int]:
        cycles = _Started(machine, graph, start=state)
        cycles.advance({**ports, **_RUNNING, **given})
        ready = cycles.output("in_ready_o")
        cycles.advance({})
        return {name: cycles.named(name) for name in names} | {"in_ready_o": ready}

    def either(a: int, b: int) -> int:
        return graph.both(a ^ 1, b ^ 1) ^ 1

    busy = [state[f"busy_q[{stage}]"] for stage in range(last + 1)]
    empty = reduce(graph.both, (one_busy ^ 1 for one_busy in busy))
    code = (state[name] ^ (_LAST_RCON >> bit & 1 ^ 1) for bit, name in enumerate(_rcon()))
    ends = reduce(graph.both, code)
    result, waits = graph.both(busy[last], ends), graph.both(state[VALID], ports["out_ready_i"] ^ 1)
    fresh = graph.both(ports["random_valid_i"], graph.both(result, waits) ^ 1)
    holds = graph.both(empty ^ 1, fresh ^ 1)
    free = either(busy[last] ^ 1, ends)
    entering = [either(free ^ 1, ports["in_valid_i"]), *busy]

    moved = following(random_valid_i=1, out_ready_i=1)
    expected = {name: graph.choose(holds, state[name], moved[name]) for name in names}
    for stage, one_busy in enumerate(busy):
        expected[f"busy_q[{stage}]"] = graph.choose(holds, one_busy, entering[stage])
    expected[VALID] = either(graph.both(graph.both(fresh, empty ^ 1), result), waits)
    expected["in_ready_o"] = either(empty, graph.both(fresh, free))
    own = following()
    found = [own[name] for name in expected]
    wrong = differs(graph, found, list(expected.values()), list(expected), one.folder)
    if wrong:
        raise Unproven(f"{wrong} is not as promised in a cycle that moves or stalls")
    return (
        "any state: all stages move, or none while random bits or the taking of a result are "
        "missing; a block enters by a handshake alone, and a result is kept until it is taken"
    )


def _cleared(one: _Subject) -> str:
    control = one.idle
    needed = [VALID] + (
        [f"busy_q[{stage}]" for stage in range(_stages(one))]
        if one.config.engine == "interleaved"
        else list(one.core.control)
    )
    for name in needed:
        if name not in control:
            raise Unproven(f"a clear leaves {name} open")
    if control[VALID]:
        raise Unproven("a result is valid after a clear")
    return f"any state: one cycle of clear_i, or of reset, sets {len(needed)} registers of control"


def _overwritten(one: _Subject) -> str:
    """The whole core with its products: what is left after a clear."""
    config, count = one.config, masked_clear(one.config)
    core, shares = config.module, int(config.shares)
    parameters = {"Gadget": gadgets()[config.gadget], "Shares": shares}
    read = read_core(core, one.folder, parameters, one.leak)
    yosys.run([read, *TO_AIGER, "write_aiger -symbols core.aig"], one.folder)
    machine = aiger.read(one.folder / "core.aig")
    control = {
        number
        for number, names in machine.register_aliases.items()
        if not one.core.control.keys().isdisjoint(names)
    }
    kept = {f"{machine.register_names[number]} at power-up" for number in control}
    for driven in ({"clear_i": 1}, {"rst_ni": 0}):
        graph = Graph()
        cycles = Cycles(machine, graph)
        for _ in range(count):
            cycles.advance(driven)
        cycles.advance({})
        left = {number: cycles.register(number) >> 1 for number in machine.register_names}
        sources = {n: name for n, name in graph.names.items() if not name.startswith("random_i")}
        # Control may depend on what control was before.
        of_shares = _reached(graph, (n for n, name in sources.items() if name not in kept))
        of_any = _reached(graph, sources)
        for number, node in left.items():
            if (of_shares if number in control else of_any)[node]:
                source = next(n for n in graph.cone([2 * node]) if n in sources)
                name = machine.register_names[number]
                raise Unproven(f"after {count} cycles {name} depends on {sources[source]}")
    return (
        f"any state: after {count} cycles of clear_i, or of reset, {len(machine.next)} registers "
        "depend on no share, block or key before or since"
    )


def _reached(graph: Graph, sources: Iterable[int]) -> bytearray:
    """Whether each node depends on one of some inputs."""
    marked = bytearray(len(graph.operands))
    for node in sources:
        marked[node] = 1
    for node, operands in enumerate(graph.operands):
        if operands is not None:
            marked[node] = marked[operands[0] >> 1] | marked[operands[1] >> 1]
    return marked


def _tasks(config: Config) -> dict[str, Callable[[_Subject], str]]:
    loop = config.engine == "interleaved"
    return {
        "shares apart": _structure,
        "inversions": _inversions,
        "sums": _sums,
        "clear of control": _cleared,
        "block": _block_in_loop if loop else _block_alone,
        "cycles": _loop if loop else _between,
        "clear of data": _overwritten,
    }


def prove_masked(
    config: Config, only: Iterable[str] | None = None, leak: Leak | None = None
) -> Iterator[Claim]:
    """Prove every claim on a masked core, or those whose names start with one of `only`.

    With a generator of random bits in it, the claims on that follow. `leak` is a fault of a source,
    to see that a claim fails.
    """
    tasks, only = _tasks(config), tuple(only or ())
    above = layers.claims(sources(), config)
    for name in only:
        if not any(task.startswith(name) for task in (*tasks, *above)):
            raise unknown("claim", name, (*tasks, *above))
    with TemporaryDirectory() as folder, track("proving", len(tasks) + len(above)) as advance:
        subject = _Subject(config, Path(folder), leak)
        for name, task in tasks.items():
            if name.startswith(only or ("",)):
                start, found = time.perf_counter(), dict[str, Any]()
                try:
                    covers = task(subject)
                except (Unproven, Wrong) as reason:
                    covers, found = "not shown", {"rule": str(reason)}
                yield Claim(name, not found, time.perf_counter() - start, covers, found)
            advance(1)
        for name, claim in above.items():
            if name.startswith(only or ("",)):
                yield claim()
            advance(1)
