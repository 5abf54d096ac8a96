"""The second engine, unbounded, for cores of one block at a time: induction over all runs.

All states of control come from simulation (`control`). In each, a register of data is taken to hold
a value of the standard (`steps`), such as a bit of the state after round 5, as one random run
suggests. Each step between states is then checked: from what the registers hold before it, their
next values must be formulas of what they are to hold after it, and a result on offer must be that
of the standard. A register that fails is taken to hold anything, and what depends on it is checked
again. What is left is decided by ABC. No part is replaced, and nothing of the explorer is used.
docs/proofs.md says what that covers.
"""

import random
import time
from collections import deque
from collections.abc import Callable, Iterable
from heapq import heappop, heappush
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from aesforge import cache
from aesforge.core.sources import digest
from aesforge.proof import steps, sweep
from aesforge.proof.bounded import netlist
from aesforge.proof.claims import Claim, Sources
from aesforge.proof.control import ANY, Control, Event, Seen, Split, TooMany, Transition
from aesforge.proof.drive import Unproven
from aesforge.proof.graph import Graph
from aesforge.proof.steps import Step, Steps, Value
from aesforge.space.axes import Config
from aesforge.space.promises import promised
from aesforge.tools import aiger, yosys

TEXT = ("induction.py", "control.py", "steps.py", "graph.py", "sweep.py")
"""The files that decide a claim, with the Yosys and ABC that they call."""

NAME = "all runs by induction"

_LANES = 128
"""Random runs in which registers are compared with the values of the standard."""

_TRIED = 256
"""Random values for which two formulas are compared before they are left to ABC."""

_PATIENCE = 20
"""Searches for a sum in a register, all in vain, after which there are no more."""

_WINDOWS = 4
"""Round keys that are tried as what the others follow from."""

_KEPT = 500
"""Derivations that are kept for the next step."""

_MASK = (1 << _LANES) - 1
_TRIES = (1 << _TRIED) - 1


class Symbol(NamedTuple):
    """What a bit of a register holds: a bit of the sum of some bytes, or its inverse."""

    terms: tuple[Value, ...]
    bit: int
    inverted: int

    @property
    def inverse(self) -> "Symbol":
        """What the inverse of the bit holds."""
        return Symbol(self.terms, self.bit, self.inverted ^ 1)


class Names(NamedTuple):
    """Which of the random blocks and keys are those that a state speaks of."""

    block: int = 0
    latest: int = 0
    used: int = 0
    offered: int = 1


Part = tuple[str | int, ...]
"""A key of some bits, or a block under a key: the arguments of `key_steps` or `run_steps`."""

Context = tuple[Part, ...]


def reaches(config: Config) -> bool:
    """Whether the induction is for a core: one block at a time.

    Where keys are set up beside a block, states of control are few enough only with one key size
    and direction.
    """
    beside = config.key_schedule == "stored" and config.overlap == "off"
    one = len(config.key_sizes) == 1 and config.direction != "both"
    return (
        not config.protected
        and config.block == "128"
        and config.key_schedule in ("stored", "on_the_fly")
        and (one or not beside)
        and all(promised(config, bits).in_flight == 1 for bits in config.key_sizes)
    )


def induction(given: Sources, config: Config) -> Callable[[], list[Claim]]:
    """The claim on all runs of a core that `reaches` covers."""

    def make(core: Path) -> dict[str, Any]:
        start = time.perf_counter()
        covers, found = "no run", dict[str, Any]()
        try:
            covers = _prove(given, Split(aiger.read(core), config))
        except Unproven as reason:
            found = {"rule": str(reason)}
        return Claim(NAME, not found, time.perf_counter() - start, covers, found).as_dict()

    def claims() -> list[Claim]:
        core = netlist(given, config)
        here = [Path(__file__).with_name(name) for name in TEXT]
        texts = [given.formal / name for name in steps.FILES]
        promises = [promised(run, bits) for run in config.selections for bits in config.key_sizes]
        key = digest(NAME, core, config, *promises, *here, *texts, yosys.version())
        return [Claim(**cache.value("proof-induction", key, lambda: make(core)))]

    return claims


def _prove(given: Sources, split: Split) -> str:
    """What was covered. Unproven when a core is not shown to be AES."""
    try:
        control = Control(split)
    except TooMany:
        control = Control(split, forgetful=True)
    proof = _Induction(control, steps.cones(given))
    proof.guess()
    proof.check()
    proof.decide()
    return (
        f"all runs after a reset, all keys and blocks: {len(control.states)} states of control, "
        f"{len(control.transitions)} steps, {len(proof.pairs)} equations decided by ABC"
    )


class _Formulas:
    """The next values of a core as formulas over its registers of data, and their evaluation."""

    def __init__(self, split: Split) -> None:
        self.split = split
        self.graph = Graph()
        self._variables: dict[object, int] = {}
        self._made: dict[tuple[int, tuple[int, ...]], dict[int, int]] = {}
        self._support: dict[int, tuple[int, ...]] = {}
        self._composed: dict[tuple[int, tuple[tuple[int, int], ...]], int] = {}
        self.own = [self.free(f"register {place}") for place in range(len(split.registers))]
        """The variable of each register."""
        self.places = {literal >> 1: place for place, literal in enumerate(self.own)}
        self._template = [0] * (split.first + len(split.core.gates))
        names = {at + 1: name for name, at in split.core.input_names.items()}
        for node in range(1, split.own):
            if split.data[node]:
                # Without a name: an undefined value.
                self._template[node] = self.free(names.get(node, f"undefined value {node}"))
        for at, literal in zip(split.registers, self.own, strict=True):
            self._template[split.own + at] = literal

    def free(self, name: object) -> int:
        """The variable of this name."""
        if name not in self._variables:
            self._variables[name] = self.graph.free(str(name))
        return self._variables[name]

    def port(self, name: str, width: int, byte: int) -> list[int]:
        """The variables of a byte of an input port, bit 0 first; byte 0 is the top one."""
        return [self.free(f"{name}[{width - 8 * byte - 8 + bit}]") for bit in range(8)]

    def next(self, sides: tuple[int, ...]) -> dict[int, int]:
        """The next value of each register by its place, and the bits of the result, -1 and below.

        `sides` are the values of the nodes of control.
        """
        both = self.graph.both
        found: dict[int, int] = {}
        for number, group in enumerate(self.split.groups):
            key = number, tuple([sides[at] for at in group.sides])
            made = self._made.get(key)
            if made is None:
                values = self._template.copy()
                for at, side in zip(group.sides, key[1], strict=True):
                    node = self.split.sides[at]
                    values[node] = side if side != ANY else self.free(f"control {node}")
                for node, left, right in group.gates:
                    if a := values[left >> 1] ^ left & 1:
                        values[node] = both(a, values[right >> 1] ^ right & 1)
                made = {place: values[one >> 1] ^ one & 1 for place, one in group.members}
                self._made[key] = made
            found |= made
        return found

    def lanes(
        self,
        literals: Iterable[int],
        registers: list[int],
        ports: dict[int, int],
        rng: random.Random,
    ) -> list[int]:
        """Formulas in random runs; what is not in `ports` is random."""

        def leaf(node: int) -> int:
            place = self.places.get(node)
            if place is not None:
                return registers[place]
            return ports[node] if node in ports else rng.getrandbits(_LANES)

        known = {0: 0}
        for literal in literals:
            _evaluate(self.graph, literal >> 1, known, leaf, lambda a, b: a & b, _MASK)
        return [known[one >> 1] ^ _MASK * (one & 1) for one in literals]

    def composer(self, holds: Callable[[int], int]) -> Callable[[int], int]:
        """Replaces each register in a formula by what it holds, by its place."""
        known: dict[int, int] = {}

        def compose(literal: int) -> int:
            root, changed = literal >> 1, []
            for node in self._registers(root):
                if node not in known:
                    known[node] = holds(self.places[node])
                if known[node] != 2 * node:
                    changed.append((node, known[node]))
            if not changed:
                return literal
            key = root, tuple(changed)
            if key not in self._composed:
                made = {0: 0, **known}
                _evaluate(self.graph, root, made, lambda node: 2 * node, self.graph.both, 1)
                self._composed[key] = made[root]
            return self._composed[key] ^ literal & 1

        return compose

    def _registers(self, root: int) -> tuple[int, ...]:
        """The variables of registers that a node depends on."""
        if root not in self._support:
            seen, todo, found = {root}, [root], []
            while todo:
                gate = self.graph.operands[node := todo.pop()]
                if gate is None:
                    found += [node] * (node in self.places)
                    continue
                for one in gate:
                    if one >> 1 not in seen:
                        seen.add(one >> 1)
                        todo.append(one >> 1)
            self._support[root] = tuple(sorted(found))
        return self._support[root]


def _evaluate(
    graph: Graph,
    root: int,
    known: dict[int, int],
    leaf: Callable[[int], int],
    both: Callable[[int, int], int],
    inverse: int,
) -> None:
    """Give `known` the value of a node and of all that it depends on.

    `leaf` gives the values of inputs, `both` that of a conjunction; a value is inverted by the sum
    with `inverse`.
    """
    operands, todo = graph.operands, [root]
    while todo:
        node = todo[-1]
        if node in known:
            todo.pop()
            continue
        gate = operands[node]
        if gate is None:
            known[node] = leaf(node)
            todo.pop()
            continue
        left, right = gate
        a, b = known.get(left >> 1), known.get(right >> 1)
        if a is None or b is None:
            todo += [one >> 1 for one, value in ((left, a), (right, b)) if value is None]
            continue
        a, b = a ^ inverse if left & 1 else a, b ^ inverse if right & 1 else b
        known[node] = both(a, b)
        todo.pop()


class _Standard:
    """The values of the standard in a context: how they are made, and in random runs."""

    def __init__(self, cones: dict[str, steps.Cones], inverse: bool, rng: random.Random) -> None:
        self._cones, self._inverse = cones, inverse
        self._parts: dict[Part, Steps] = {}
        self._steps: dict[Context, Steps] = {}
        self._users: dict[Context, dict[Value, list[tuple[Value, Step]]]] = {}
        self._pools: dict[tuple[Context, Names], dict[int, Symbol]] = {}
        self._sums: dict[tuple[int, int], Symbol | None] = {}
        self._vain: dict[int, int] = {}
        self.blocks = [[rng.getrandbits(_LANES) for _ in range(128)] for _ in range(2)]
        self.keys = [[rng.getrandbits(_LANES) for _ in range(256)] for _ in range(3)]

    def steps(self, context: Context) -> Steps:
        """How each value is made."""
        if context not in self._steps:
            merged: Steps = {}
            for part in context:
                for value, ways in self._part(part).items():
                    merged[value] = merged.get(value, ()) + ways
            self._steps[context] = merged
        return self._steps[context]

    def _part(self, part: Part) -> Steps:
        if part not in self._parts:
            make: Callable[..., Steps] = steps.key_steps if len(part) == 2 else steps.run_steps
            found = make(self._cones, *part)
            if not self._inverse:
                found = {value: ways for value, ways in found.items() if value[0] != "inverse"}
            self._parts[part] = found
        return self._parts[part]

    def users(self, context: Context) -> dict[Value, list[tuple[Value, Step]]]:
        """The values that are made of each value."""
        if context not in self._users:
            found: dict[Value, list[tuple[Value, Step]]] = {}
            for target, ways in self.steps(context).items():
                for step in ways:
                    for source in set(step.sources):
                        found.setdefault(source, []).append((target, step))
            self._users[context] = found
        return self._users[context]

    def pool(self, context: Context, names: Names) -> dict[int, Symbol]:
        """The values by what they are in random runs, of which the first one inverts all to 0."""
        key = context, names
        if key not in self._pools:
            known: dict[Value, list[int]] = {}
            for part in context:
                if len(part) == 2:
                    name, bits = str(part[0]), int(part[1])
                    lanes = self.keys[getattr(names, name)]
                    of, size = ("word", name), bits // 8
                else:
                    lanes, of, size = self.blocks[names.block], ("block", str(part[0])), 16
                for byte in range(size):
                    at = (byte // 4, byte % 4) if len(part) == 2 else (0, byte)
                    known[(*of, *at)] = lanes[8 * byte : 8 * byte + 8]
            found = {0: Symbol((), 0, 0)}
            for value, byte_lanes in self._numbers(context, known).items():
                for bit, lane in enumerate(byte_lanes):
                    turned = lane & 1
                    found.setdefault(lane ^ _MASK * turned, Symbol((value,), bit, turned))
            self._pools[key] = found
        return self._pools[key]

    def _numbers(self, context: Context, known: dict[Value, list[int]]) -> dict[Value, list[int]]:
        """Every value, made as the standard makes it."""
        made = self.steps(context)

        def of(value: Value) -> list[int]:
            if value not in known:
                step = made[value][0]
                known[value] = step.lanes([of(source) for source in step.sources], _MASK)
            return known[value]

        for value in made:
            of(value)
        return known

    def symbol(self, pool: dict[int, Symbol], lanes: int, place: int) -> Symbol | None:
        """What is this in random runs: a value, or the sum of two.

        `place` is the register. After some searches without a sum, it is no longer looked for.
        """
        turned = lanes & 1
        lanes ^= _MASK * turned
        found = pool.get(lanes)
        if found is None and self._vain.get(place, 0) < _PATIENCE:
            key = id(pool), lanes
            if key not in self._sums:
                self._sums[key] = self._sum(pool, lanes)
            found = self._sums[key]
            self._vain[place] = self._vain.get(place, 0) + 1 if found is None else 0
        return found if found is None or not turned else found.inverse

    def _sum(self, pool: dict[int, Symbol], lanes: int) -> Symbol | None:
        for one, symbol in pool.items():
            other = pool.get(lanes ^ one)
            if other and other.terms and symbol.terms and other.bit == symbol.bit:
                terms = tuple(sorted(symbol.terms + other.terms))
                return Symbol(terms, symbol.bit, symbol.inverted ^ other.inverted)
        return None


def _context(seen: Seen, event: Event | None = None) -> Context:
    """The keys and blocks that there are, before a cycle or in it."""
    found: list[Part] = [("latest", seen.latest)] * bool(seen.latest)
    if offered := seen.offered or (event.offer if event else 0):
        found.append(("offered", offered))
    if flight := seen.flight:
        key = "latest" if flight.same else "used"
        found += [(key, flight.bits)] * (not flight.same)
        found.append(("old", key, flight.bits, flight.decrypt))
    if event and event.accept:
        found.append(("new", "latest", seen.latest, event.decrypt))
    return tuple(found)


def _before(value: Value, seen: Seen, event: Event) -> Value:
    """A value of the state after a cycle by its name in that cycle."""
    name, of, number, byte = value
    if of == "old":
        of = "new" if event.accept else "old"
    elif of == "latest":
        of = "offered" if event.take_key else "latest"
    elif of == "used" and (event.accept or seen.flight is None or seen.flight.same):
        of = "latest"
    return name, of, number, byte


class _Induction:
    """What the registers of a core hold in each state of its control."""

    def __init__(self, control: Control, cones: dict[str, steps.Cones]) -> None:
        self.control, self.split = control, control.split
        self._rng = random.Random(1)
        self._formulas = _Formulas(self.split)
        self.graph = self._formulas.graph
        inverse = "decrypt" in self.split.config.directions
        self._standard = _Standard(cones, inverse, self._rng)
        self._symbols: list[list[Symbol | None]] = []
        self._ways: dict[object, dict[Value, Step]] = {}
        self._lanes: list[int] = [0]
        self.pairs: dict[tuple[int, int], None] = {}
        """Literals that are equal for random values, for ABC to decide."""

    # What registers hold, as random runs suggest ////////////////////////////////////////////////

    def guess(self) -> None:
        """What each register holds in each state, after the runs along the tree."""
        states, own = self.control.states, self._formulas.own
        runs = {0: ([self._rng.getrandbits(_LANES) for _ in own], Names())}
        self._symbols = [[None] * len(own)]
        for to in range(1, len(states)):
            step = self.control.tree[to]
            before, names = runs[step.before]
            following = self._formulas.next(step.sides)
            runs[to] = after, names = self._run(step, following, before, names)
            pool = self._standard.pool(_context(states[to].seen), names)
            # What nothing was known of, and was not written, is not looked at again.
            self._symbols.append(
                [
                    None
                    if old is None and following[at] == own[at]
                    else self._standard.symbol(pool, lanes, at)
                    for at, (old, lanes) in enumerate(
                        zip(self._symbols[step.before], after, strict=True)
                    )
                ]
            )

    def _run(
        self, step: Transition, following: dict[int, int], registers: list[int], names: Names
    ) -> tuple[list[int], Names]:
        """The registers after a step in random runs, and which blocks and keys there are then."""
        event, seen, formulas = step.event, self.control.states[step.before].seen, self._formulas
        block = 1 - names.block
        offered = names.offered if seen.offered else min({0, 1, 2} - {names.latest, names.used})
        ports: dict[int, int] = {}
        for name, lanes in (
            ("in_data_i", self._standard.blocks[block]),
            ("key_i", self._standard.keys[offered]),
        ):
            for byte in range(len(lanes) // 8):
                for bit, literal in enumerate(formulas.port(name, len(lanes), byte)):
                    ports[literal >> 1] = lanes[8 * byte + bit]
        changed = [at for at, own in enumerate(formulas.own) if following[at] != own]
        made = formulas.lanes([following[at] for at in changed], registers, ports, self._rng)
        after = registers.copy()
        for at, value in zip(changed, made, strict=True):
            after[at] = value
        same = event.accept or seen.flight is None or seen.flight.same
        return after, Names(
            block if event.accept else names.block,
            offered if event.take_key else names.latest,
            names.latest if same else names.used,
            offered,
        )

    # That they hold it, step by step ////////////////////////////////////////////////////////////

    def check(self) -> None:
        """Check every step, again when less is known of the state before it.

        Unproven when a result is not shown to be that of the standard.
        """
        leaving: dict[int, list[Transition]] = {}
        for step in self.control.transitions:
            leaving.setdefault(step.before, []).append(step)
        todo = deque(range(len(self.control.states)))
        waiting = set(todo)
        while todo:
            number = todo.popleft()
            waiting.discard(number)
            for step in leaving[number]:
                wrong = self._wrong(step)
                if wrong and min(wrong) < 0:
                    raise Unproven(self._result(step, -1 - max(at for at in wrong if at < 0)))
                for at in wrong:
                    self._symbols[step.after][at] = None
                if wrong and step.after not in waiting:
                    waiting.add(step.after)
                    todo.append(step.after)

    def _result(self, step: Transition, bit: int) -> str:
        seen = self.control.states[step.before].seen
        kind = "decryption" if seen.flight and seen.flight.decrypt else "encryption"
        return (
            f"bit {bit} of the result of {kind} is not that of the standard, {seen.age} cycles "
            "after its block, or the registers hold other values than those that are looked for"
        )

    def _wrong(self, step: Transition) -> set[int]:
        """The registers that do not hold what they are to hold after a step, and wrong results.

        First all that the registers hold before it counts as independent values. It is not, when
        they hold several round keys of one key; so then one of them, as long as the key, is chosen
        and the others follow from it.
        """
        wrong = self._compare(step, None, frozenset())
        windows = self._windows(step, wrong) if wrong else []
        for window in windows:
            wrong = self._compare(step, window, frozenset(wrong))
            if not wrong:
                break
        return wrong

    def _compare(self, step: Transition, window: int | None, only: frozenset[int]) -> set[int]:
        """As `_wrong`, with the words of keys from number `window` on; of the places `only`."""
        seen, event = self.control.states[step.before].seen, step.event
        row, target = self._symbols[step.before], self._symbols[step.after]
        held = _Held(self, step, window)
        following = self._formulas.next(step.sides)
        compose = self._formulas.composer(
            lambda at: self._formulas.own[at] if (one := row[at]) is None else held.of(one)
        )
        wrong: set[int] = set()
        for at, symbol in enumerate(target):
            if symbol is None or (only and at not in only):
                continue
            terms = tuple(sorted(_before(term, seen, event) for term in symbol.terms))
            wanted = symbol._replace(terms=terms)
            if following[at] == self._formulas.own[at] and row[at] == wanted:
                continue
            if not self._equal(compose(following[at]), held.of(wanted)):
                wrong.add(at)
        if event.valid and not event.clear and seen.flight:
            for bit in range(128):
                last = ("state", "old", seen.flight.bits // 32 + 6, 15 - bit // 8)
                if only and -1 - bit not in only:
                    continue
                wanted = Symbol((last,), bit % 8, 0)
                if not self._equal(compose(following[-1 - bit]), held.of(wanted)):
                    wrong.add(-1 - bit)
        return wrong

    def _equal(self, one: int, other: int) -> bool:
        """Whether two literals are equal for random values; then they are left to ABC."""
        if one == other:
            return True
        pair = one ^ (one & 1), other ^ (one & 1)
        if pair not in self.pairs:
            if self._tried(one) != self._tried(other):
                return False
            self.pairs[pair] = None
        return True

    def _tried(self, literal: int) -> int:
        lanes = self._lanes
        for gate in self.graph.operands[len(lanes) :]:
            if gate is None:
                lanes.append(self._rng.getrandbits(_TRIED))
                continue
            a, b = (lanes[one >> 1] ^ _TRIES * (one & 1) for one in gate)
            lanes.append(a & b)
        return lanes[literal >> 1] ^ _TRIES * (literal & 1)

    def decide(self) -> None:
        """That all pairs are equal, by ABC; Unproven if not."""
        literals = [one for pair in self.pairs for one in pair]
        inputs = [node for node in self.graph.cone(literals) if node in self.graph.names]
        one, other = (
            self.graph.netlist([pair[side] for pair in self.pairs], inputs) for side in (0, 1)
        )
        with TemporaryDirectory() as folder:
            if self.pairs and not sweep.equal(one, other, Path(folder)):
                raise Unproven("ABC does not show that the registers hold what they seem to hold")

    # What follows from what registers hold //////////////////////////////////////////////////////

    def words(self, step: Transition) -> dict[str, list[int]]:
        """For each key, the numbers of the words that registers hold whole before a step."""
        held: dict[tuple[str, int], set[tuple[int, int]]] = {}
        for symbol in self._symbols[step.before]:
            if symbol and len(symbol.terms) == 1 and symbol.terms[0][0] == "word":
                _, key, number, byte = symbol.terms[0]
                held.setdefault((key, number), set()).add((byte, symbol.bit))
        found: dict[str, list[int]] = {}
        for (key, number), bits in held.items():
            if len(bits) == 32:
                found.setdefault(key, []).append(number)
        return found

    def _windows(self, step: Transition, wrong: set[int]) -> list[int]:
        """The first words of the round keys to try: the nearest to the values that fail first."""
        sought = [
            steps.index(term)
            for at in wrong
            if at >= 0 and (symbol := self._symbols[step.after][at])
            for term in symbol.terms
        ]
        middle = sum(sought) // len(sought) if sought else 0
        length = max(self.split.config.key_sizes) // 32
        found: set[int] = set()
        for numbers in self.words(step).values():
            found |= {one for one in numbers if set(range(one, one + length)) <= set(numbers)}
        order = sorted(found, key=lambda one: (one <= middle < one + length, abs(one - middle)))
        return order[:_WINDOWS]

    def ways(
        self, context: Context, held: frozenset[Value], sums: frozenset[tuple[Value, ...]]
    ) -> dict[Value, Step]:
        """How to make each value that follows from the held ones and sums, by the nearest way."""
        key = context, held, sums
        if key not in self._ways:
            if len(self._ways) == _KEPT:
                self._ways.clear()
            self._ways[key] = _nearest(self._standard.users(context), held, sums)
        return self._ways[key]

    def held(self, step: Transition) -> dict[tuple[Value, ...], dict[int, int]]:
        """The bits of values and of sums that are held before a step."""
        found: dict[tuple[Value, ...], dict[int, int]] = {}
        for at, symbol in enumerate(self._symbols[step.before]):
            if symbol and symbol.terms:
                literal = self._formulas.own[at] ^ symbol.inverted
                found.setdefault(symbol.terms, {}).setdefault(symbol.bit, literal)
        return found

    def offered(self, step: Transition) -> dict[Value, list[int]]:
        """The bytes at the ports in a step."""
        event, port = step.event, self._formulas.port
        found: dict[Value, list[int]] = {}
        if event.accept:
            for byte in range(16):
                found["block", "new", 0, byte] = port("in_data_i", 128, byte)
        for byte in range(event.offer // 8):
            found["word", "offered", byte // 4, byte % 4] = port("key_i", 256, byte)
        return found

    def free(self, value: Value, bit: int) -> int:
        """The variable of a bit that nothing is known of."""
        return self._formulas.free((value, bit))

    def context(self, step: Transition) -> Context:
        """The keys and blocks of a step."""
        return _context(self.control.states[step.before].seen, step.event)


class _Held:
    """The values of the standard in a step, as formulas over what registers hold before it."""

    def __init__(self, proof: _Induction, step: Transition, window: int | None) -> None:
        self._proof, self._graph = proof, proof.graph
        self._bits = proof.held(step)
        ports = proof.offered(step)
        whole = {
            terms: [bits[bit] for bit in range(8)]
            for terms, bits in self._bits.items()
            if len(bits) == 8
        }
        self._known = {terms[0]: byte for terms, byte in whole.items() if len(terms) == 1} | ports
        if window is not None:
            self._narrow(step, window, ports)
        sums = {terms: byte for terms, byte in whole.items() if len(terms) > 1}
        self._ways = proof.ways(proof.context(step), frozenset(self._known), frozenset(sums))
        used = {step.sources[0] for step in self._ways.values() if step.sources[0][0] == "sum"}
        self._sums = {terms: byte for terms, byte in sums.items() if _whole(terms) in used}
        self._known |= {_whole(terms): byte for terms, byte in self._sums.items()}

    def _narrow(self, step: Transition, window: int, ports: dict[Value, list[int]]) -> None:
        """Of each key, only the words from `window` on, if they are held whole."""
        for part in self._proof.context(step):
            if len(part) != 2:
                continue
            length = int(part[1]) // 32
            words = range(window, window + length)
            if part[0] == "offered":
                words = range(length)
            elif not set(words) <= set(self._proof.words(step).get(str(part[0]), ())):
                continue
            for value in list(self._known):
                inside = value[0] == "word" and value[2] in words
                if value[1] == part[0] and value not in ports and not inside:
                    del self._known[value]

    def of(self, symbol: Symbol) -> int:
        """The literal of what a register holds."""
        if symbol.terms in self._sums:
            return self._sums[symbol.terms][symbol.bit] ^ symbol.inverted
        literal = symbol.inverted
        for term in symbol.terms:
            other = self._byte(term)[symbol.bit]
            literal = self._graph.choose(literal, other ^ 1, other)
        return literal

    def _byte(self, value: Value) -> list[int]:
        if value not in self._known:
            if value in self._ways:
                way = self._ways[value]
                made = way.of(self._graph, [self._byte(source) for source in way.sources])
            else:
                bits = self._bits.get((value,), {})
                made = [bits[b] if b in bits else self._proof.free(value, b) for b in range(8)]
            self._known[value] = made
        return self._known[value]


def _whole(terms: tuple[Value, ...]) -> Value:
    """A sum as one value."""
    return ("sum", repr(terms), 0, 0)


def _nearest(
    users: dict[Value, list[tuple[Value, Step]]],
    held: frozenset[Value],
    sums: frozenset[tuple[Value, ...]],
) -> dict[Value, Step]:
    """How to make what follows from held values; of several ways, from the nearest rounds."""
    found: dict[Value, Step] = {}
    span = {value: (steps.index(value), steps.index(value)) for value in held}
    more: dict[Value, list[tuple[Value, Step]]] = {}
    missing: dict[tuple[Value, int], int] = {}
    for one, other in sums:
        low, high = sorted((steps.index(one), steps.index(other)))
        span[_whole((one, other))] = low, high
        for source, target in ((one, other), (other, one)):
            step = Step((_whole((one, other)), source), steps.SUM)
            more.setdefault(source, []).append((target, step))
            missing[target, id(step)] = 1
    ready: list[tuple[int, int, Value, Step, tuple[int, int]]] = []
    order = count()
    done: set[Value] = set()

    def finish(value: Value) -> None:
        done.add(value)
        for target, step in (*more.get(value, ()), *users.get(value, ())):
            key = target, id(step)
            missing[key] = missing.get(key, len(set(step.sources))) - 1
            if missing[key] == 0 and target not in done:
                low = min(span[one][0] for one in step.sources)
                high = max(span[one][1] for one in step.sources)
                far = max(abs(steps.index(target) - end) for end in (low, high))
                heappush(ready, (far, next(order), target, step, (low, high)))

    for value in sorted(held):
        finish(value)
    while ready:
        _, _, target, step, reach = heappop(ready)
        if target not in done:
            found[target], span[target] = step, reach
            finish(target)
    return found
