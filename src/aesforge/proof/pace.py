"""How often a core accepts blocks: one run that repeats itself, and so is of any length.

Blocks are always on offer, and results are always taken. The netlist is unrolled from reset until
the registers that valid and ready depend on have the values of an earlier cycle: from there on, the
cycles between the two repeat for ever. In each of these cycles another key may be offered: it is
followed until the run repeats itself again. docs/proofs.md says what that covers.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate
from math import lcm
from pathlib import Path
from typing import Any

from aesforge import cache
from aesforge.core.sources import digest
from aesforge.proof.claims import Claim, Sources, core
from aesforge.proof.drive import Answers, Offers, Unproven, limit
from aesforge.proof.graph import Cycles, Graph
from aesforge.proof.walk import named
from aesforge.space.axes import Config
from aesforge.space.promises import Promise, promised
from aesforge.tools import aiger, yosys
from aesforge.tools.aiger import Aiger

HANDSHAKES = ("key_ready_o", "in_ready_o", "out_valid_o")

_BLOCKS = 8
"""Blocks in flight, or groups of `per`, after which a run that does not repeat is given up."""


State = tuple[int, ...]
"""The registers of control, by their numbers."""


@dataclass(frozen=True)
class Loop:
    """Cycles that repeat for ever: the registers of control in each, and whether it takes a block.

    `begin`: the first one, from the reset.
    """

    states: list[State]
    takes: list[bool]
    begin: int = 0

    @property
    def period(self) -> int:
        """How many cycles repeat."""
        return len(self.states)

    @cached_property
    def _before(self) -> list[int]:
        return list(accumulate(self.takes, initial=0))

    def taken(self, cycles: int) -> int:
        """The blocks of the first `cycles`."""
        rounds, rest = divmod(cycles, self.period)
        return rounds * self._before[-1] + self._before[rest]

    def whole(self, promise: Promise) -> "Loop":
        """The same cycles, as often as makes whole intervals.

        Unproven when their blocks are not as many as promised.
        """
        if sum(self.takes) * promise.interval != self.period * promise.per:
            raise Unproven(
                f"{sum(self.takes)} blocks are accepted in {self.period} cycles, "
                f"promised {promise.per} in {promise.interval}"
            )
        times = lcm(self.period, promise.interval) // self.period
        return Loop(self.states * times, self.takes * times, self.begin)


@dataclass
class Control:
    """What the handshake outputs of a core depend on, through any cycles: numbers of nodes."""

    machine: Aiger
    nodes: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        machine = self.machine
        self.first = 1 + machine.inputs
        self.gates = self.first + len(machine.next)
        self.outputs = {
            name.partition("[")[0]: machine.outputs[number]
            for name, number in machine.output_names.items()
            if name.partition("[")[0] in HANDSHAKES
        }
        todo = [literal >> 1 for literal in self.outputs.values()]
        seen = set(todo)
        while todo:
            node = todo.pop()
            if node >= self.gates:
                behind = {literal >> 1 for literal in machine.gates[node - self.gates]}
            else:
                behind = {machine.next[node - self.first] >> 1} if node >= self.first else set()
            todo += behind - seen
            seen |= behind
        self.nodes = sorted(seen - {0})
        self.names = {number: name for name, number in machine.input_names.items()}

    @property
    def registers(self) -> list[int]:
        """The numbers of the registers."""
        return [node - self.first for node in self.nodes if self.first <= node < self.gates]

    def step(
        self, driven: dict[str, int], state: dict[int, int], mask: int
    ) -> tuple[dict[str, int], dict[int, int]]:
        """The handshake outputs of a cycle, and the next values of the registers.

        Each bit of a value is a run, and `mask` has all bits. Unproven when an input that is not
        `driven` counts.
        """
        machine, values = self.machine, {0: 0}

        def value(literal: int) -> int:
            return values[literal >> 1] ^ (mask if literal & 1 else 0)

        for node in self.nodes:
            if node < self.first:
                name = self.names.get(node - 1, "an undefined value")
                if name not in driven:
                    raise Unproven(f"valid or ready depends on {name}")
                values[node] = driven[name]
            elif node < self.gates:
                values[node] = state[node - self.first]
            else:
                left, right = machine.gates[node - self.gates]
                values[node] = value(left) & value(right)
        made = {port: value(literal) for port, literal in self.outputs.items()}
        return made, {number: value(machine.next[number]) for number in state}


def run(machine: Aiger, config: Config, bits: int, kind: Config, promise: Promise) -> Loop:
    """Run the core from reset until it repeats; Unproven when it breaks its promised cycles."""
    offers, cycles = Offers(config, bits, kind), Cycles(machine, Graph())
    registers, known = Control(machine).registers, dict[State, int]()
    patience = limit(promise.latency) + promise.key_setup
    patience += _BLOCKS * (promise.latency + promise.interval)
    answers = Answers(promise)
    accepted = answers.accepted
    cycles.advance(offers.reset)
    for cycle in range(1, patience + 1):
        cycles.advance(offers.levels | offers.key(not answers.keyed) | offers.block(on=True))
        # Before the first result, equal registers would not show that results go on as blocks do.
        if len(accepted) > promise.per and answers.offered:
            now = tuple(cycles.register(number) for number in registers)
            begin = known.setdefault(now, cycle)
            if begin < cycle:
                states = [one for one, at in known.items() if at >= begin]
                if any(literal > 1 for one in states for literal in one):
                    raise Unproven("valid and ready depend on a register that is no constant")
                takes = [at in accepted for at in range(begin, cycle)]
                return Loop(states, takes, begin).whole(promise)
        answers.see(cycles, block=True)
        _interval(cycle, accepted, promise)
    raise Unproven(f"the control of the core does not repeat itself in {patience} cycles")


def _interval(cycle: int, accepted: list[int], promise: Promise) -> None:
    """Check whether a block was accepted in this cycle, and should have been."""
    if not accepted or accepted[-1] != cycle:
        if len(accepted) >= promise.per and cycle >= accepted[-promise.per] + promise.interval:
            raise Unproven(
                f"no block is accepted in cycle {cycle}, {promise.interval} after one: "
                f"promised {promise.per} in {promise.interval} cycles"
            )
    elif len(accepted) > promise.per:
        since = cycle - accepted[-1 - promise.per]
        if since != promise.interval:
            raise Unproven(
                f"a block is accepted in cycle {cycle}, {since} after the one {promise.per} "
                f"before it, promised {promise.interval}"
            )


@dataclass
class _Stream:
    """A stream after another key was offered: its blocks, and its cycles since it has the key."""

    taken: int = 0
    takes: list[bool] = field(default_factory=list)
    states: dict[State, int] = field(default_factory=dict)
    loop: Loop | None = None

    def advance(self, state: State, takes: bool) -> None:
        """Add a cycle with the key, which begins in `state`."""
        begin = self.states.setdefault(state, len(self.takes))
        if begin < len(self.takes):
            states = [one for one, at in self.states.items() if at >= begin]
            self.loop = self.loop or Loop(states, self.takes[begin:])
        self.takes.append(takes)


def change(
    control: Control, levels: dict[str, int], loop: Loop, promise: Promise
) -> tuple[int, int, list[Loop]]:
    """Offer another key in each cycle of `loop`, while blocks go on being offered.

    The cycles that a key waits at most, the blocks that are lost at most, and in what cycles the
    streams end. Unproven when a key is not accepted, when more blocks are lost than promised, or
    when a stream does not repeat itself.
    """
    streams = [_Stream() for _ in loop.states]
    mask = pending = (1 << len(streams)) - 1
    driven = {name: mask * literal for name, literal in levels.items()}
    state = {
        number: sum(one[at] << run for run, one in enumerate(loop.states))
        for at, number in enumerate(control.registers)
    }
    wait = lost = 0
    patience = limit(promise.latency) + 2 * promise.key_setup
    patience += _BLOCKS * (promise.latency + promise.interval)
    for cycle in range(patience):
        before, had = state, pending
        driven |= {name: pending for name in ("key_valid_i", "key_valid_i[0]")}
        outputs, state = control.step(driven, state, mask)
        for run, stream in enumerate(streams):
            takes = bool(outputs["in_ready_o"] >> run & 1)
            stream.taken += takes
            if not had >> run & 1:
                stream.advance(tuple(value >> run & 1 for value in before.values()), takes)
            # The stream with the old key would be in cycle `run + cycle` of the loop.
            due = loop.taken(run + cycle + 1) - loop.taken(run)
            lost = max(lost, due - stream.taken)
        if lost > promise.key_change_blocks:
            raise Unproven(
                f"blocks lost by a key change: {lost}, promised {promise.key_change_blocks}"
            )
        wait += bool(pending)
        pending &= ~outputs["key_ready_o"]
        found = [stream.loop for stream in streams if stream.loop]
        if len(found) == len(streams):
            return wait, lost, found
    what = "the key is not accepted" if pending else "the stream does not repeat itself"
    raise Unproven(f"{what} in {patience} cycles after another key was offered")


def changes(
    machine: Aiger, config: Config, bits: int, kind: Config, promise: Promise, loop: Loop
) -> tuple[int, int]:
    """Change the key any number of times, each time when the stream repeats itself again.

    The cycles that a key waits at most, and the blocks that a change costs at most.
    """
    control, offers = Control(machine), Offers(config, bits, kind)
    levels = offers.levels | offers.key(on=True) | offers.block(on=True)
    todo, known, wait, lost = [loop], set(loop.states), 0, 0
    while todo:
        begun = todo.pop()
        waited, cost, ends = change(control, levels, begun, promise)
        wait, lost = max(wait, waited), max(lost, cost)
        for end in (found.whole(promise) for found in ends):
            # In another number of cycles a stream might fall behind after they were followed.
            if end.period != loop.period:
                raise Unproven(f"a stream repeats every {loop.period} cycles or {end.period}")
            if not known.issuperset(end.states):
                known |= set(end.states)
                todo.append(end)
    return wait, lost


def pace(
    given: Sources, config: Config, bits: int, kind: Config, netlist: Path | None = None
) -> Callable[[], Claim]:
    """The claim on the cycles in which a core accepts blocks of one kind with keys of `bits`.

    `kind` is one of `walk.kinds`. `netlist` is an AIGER file that replaces the core.
    """
    name = f"{named(config, bits, kind)} pace"

    def make(path: Path, promise: Promise) -> dict[str, Any]:
        start, covers, found = time.perf_counter(), "no run with its promised cycles", {}
        try:
            machine = aiger.read(path)
            ran = run(machine, config, bits, kind, promise)
            wait, lost = changes(machine, config, bits, kind, promise, ran)
            covers = (
                f"a stream of any length: {promise.per} block{'s' * (promise.per > 1)} in "
                f"{promise.interval} cycle{'s' * (promise.interval > 1)}; "
                f"from cycle {ran.begin} on it repeats every {ran.period}; a key change: cycles on "
                f"offer at most {wait}, blocks lost at most {lost}"
            )
        except Unproven as reason:
            found = {"rule": str(reason)}
        return Claim(name, not found, time.perf_counter() - start, covers, found).as_dict()

    def claim() -> Claim:
        path = netlist or core(given, config)
        promise = promised(replace(config, sboxes=kind.sboxes), bits)
        texts = [Path(__file__).with_name(text) for text in ("pace.py", "drive.py", "graph.py")]
        key = digest(name, config, promise, path, *texts, yosys.version())
        return Claim(**cache.value("proof-pace", key, lambda: make(path, promise)))

    return claim
