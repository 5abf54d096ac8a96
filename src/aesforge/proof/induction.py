"""The second engine, unbounded: all states of control, and equations between registers of data.

docs/proofs.md says what that covers.
"""

import random
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from heapq import heappop, heappush
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from aesforge.proof import steps as standard
from aesforge.proof import sweep
from aesforge.proof.graph import Graph
from aesforge.proof.steps import Step, Steps, Value
from aesforge.space.axes import SBOXES, Config
from aesforge.space.promises import promised
from aesforge.tools.aiger import Aiger

LANES = 128
_MASK = (1 << LANES) - 1
_DATA = ("key_i", "in_data_i")


def index(value: Value) -> int:
    """About where in a run of the standard a value is, in words of the key schedule."""
    return value[2] if value[1] in ("latest", "used", "offered") else 4 * value[2]


class Broken(Exception):
    """Why a claim does not hold."""


class Flight(NamedTuple):
    """The block in flight: its direction, S-boxes, key size, and whether its key is the latest."""

    decrypt: bool
    sboxes: int
    bits: int
    same: bool


class Seen(NamedTuple):
    """What an observer of the handshakes knows.

    latest: bits of the latest key, 0 for none; offered: of a key that waits.
    age: cycles since the block in flight was accepted, up to its latency; 0 for no block.
    """

    latest: int = 0
    offered: int = 0
    age: int = 0
    flight: Flight | None = None


class Event(NamedTuple):
    """A cycle as the observer sees it."""

    clear: bool
    offer: int  # bits of the key on offer, 0 for none
    take_key: bool
    accept: bool
    decrypt: bool
    sboxes: int
    valid: bool
    taken: bool


class State(NamedTuple):
    control: tuple[int, ...]  # 0, 1 or 2 for any
    seen: Seen


@dataclass
class Transition:
    before: int
    after: int
    event: Event
    sides: tuple[int, ...]


@dataclass
class Machine:
    """A core, its nodes of control and of data."""

    config: Config
    core: Aiger
    inputs: dict[str, int] = field(init=False)

    def __post_init__(self) -> None:
        core, config = self.core, self.config
        names = ["rst_ni", "key_clear_i", "key_valid_i", "in_valid_i", "out_ready_i"]
        names += ["in_decrypt_i"] * (config.direction == "both")
        names += ["in_sboxes_i[0]", "in_sboxes_i[1]"] * bool(config.selectable_sboxes)
        names += ["key_len_i[0]", "key_len_i[1]"] * (config.keys == "any")
        bits = core.input_names
        self.inputs = {name: 1 + bits.get(name, bits.get(f"{name}[0]", -1)) for name in names}
        self.own, self.first = 1 + core.inputs, 1 + core.inputs + len(core.next)
        data = bytearray(self.first + len(core.gates))
        for node in range(1, self.own):
            data[node] = node not in self.inputs.values()
        count = -1
        while count < (found := sum(data)):
            count = found
            for at, (left, right) in enumerate(core.gates, self.first):
                data[at] |= data[left >> 1] | data[right >> 1]
            for at, literal in enumerate(core.next, self.own):
                data[at] |= data[literal >> 1]
        self.data = data
        self.control = [at for at in range(len(core.next)) if not data[self.own + at]]
        self.registers = [at for at in range(len(core.next)) if data[self.own + at]]
        gates = list(enumerate(core.gates, self.first))
        self.control_gates = [(at, *gate) for at, gate in gates if not data[at]]
        self.gates = [(at, *gate) for at, gate in gates if data[at]]
        self.out = [core.outputs[core.output_names[f"out_data_o[{bit}]"]] for bit in range(128)]
        used = {one >> 1 for _, *gate in self.gates for one in gate}
        used |= {core.next[at] >> 1 for at in self.registers} | {one >> 1 for one in self.out}
        self.sides = sorted(node for node in used if node and not data[node])

    def output(self, name: str) -> int:
        names = self.core.output_names
        return self.core.outputs[names.get(name, names.get(f"{name}[0]", -1))]


def size(config: Config, code: int) -> int:
    sizes = config.key_sizes
    return sizes[0] if len(sizes) == 1 else sizes[min(code, 2)]


def sboxes(config: Config, code: int) -> int:
    if not config.selectable_sboxes:
        return int(config.sboxes)
    return min(int(config.sboxes), SBOXES[min(code, 2)])


def latency(config: Config, flight: Flight) -> int:
    kind = replace(
        config,
        sboxes=str(flight.sboxes),
        direction="decrypt" if flight.decrypt else "encrypt",
    )
    return promised(replace(config, sboxes=str(flight.sboxes)), flight.bits).latency


class Walk:
    """All states of control, and the transitions between them."""

    def __init__(self, machine: Machine, limit: int = 20000):
        self.m = machine
        self.lat: dict[Any, int] = {}
        self.states: list[State] = []
        self.number: dict[State, int] = {}
        self.transitions: list[Transition] = []
        self.tree: dict[int, Transition] = {}
        # Each cycle of the inputs of control: 0, 1 or 2 for any.
        choices: list[dict[str, int]] = [dict.fromkeys(machine.inputs, 2) | {"rst_ni": 0}]

        def payloads(valid: str, *bits: str) -> Iterator[dict[str, int]]:
            present = [bit for bit in bits if bit in machine.inputs]
            yield {valid: 0, **dict.fromkeys(present, 2)}
            for code in product((0, 1), repeat=len(present)):
                yield {valid: 1, **dict(zip(present, code, strict=True))}

        keys = list(payloads("key_valid_i", "key_len_i[0]", "key_len_i[1]"))
        blocks = list(payloads("in_valid_i", "in_decrypt_i", "in_sboxes_i[0]", "in_sboxes_i[1]"))
        for clear, ready, key, block in product((0, 1), (0, 1), keys, blocks):
            choices.append({"rst_ni": 1, "key_clear_i": clear, "out_ready_i": ready, **key, **block})
        self.choices = choices
        self.lanes = len(choices)
        self.mask = (1 << self.lanes) - 1
        # The first choice is the top bit, as in the text of a number.
        self.columns = {
            name: tuple(
                int("".join(str(int(choice[name] in (value, 2))) for choice in choices), 2)
                for value in (0, 1)
            )
            for name in machine.inputs
        }
        self.start = start = self._reset()
        self._add(State(start, Seen()))
        todo = 0
        while todo < len(self.states):
            self._from(todo)
            todo += 1
            if len(self.states) > limit:
                raise Broken(f"more than {limit} states of control")

    def _add(self, state: State) -> int:
        if state not in self.number:
            self.number[state] = len(self.states)
            self.states.append(state)
        return self.number[state]

    def _values(self, may0: dict[int, int], may1: dict[int, int], control: tuple[int, ...], mask: int):
        m = self.m
        for at, value in zip(m.control, control, strict=True):
            may0[m.own + at] = mask if value != 1 else 0
            may1[m.own + at] = mask if value != 0 else 0
        may0[0], may1[0] = mask, 0
        for node, left, right in m.control_gates:
            a, b = left >> 1, right >> 1
            a1, a0 = (may0[a], may1[a]) if left & 1 else (may1[a], may0[a])
            b1, b0 = (may0[b], may1[b]) if right & 1 else (may1[b], may0[b])
            may1[node] = a1 & b1
            may0[node] = a0 | b0

    def _reset(self) -> tuple[int, ...]:
        m = self.m
        may0, may1 = {}, {}
        for name, node in m.inputs.items():
            may0[node], may1[node] = 1, int(name != "rst_ni")
        self._values(may0, may1, tuple([2] * len(m.control)), 1)
        found = []
        for at in m.control:
            one = m.core.next[at]
            a1, a0 = may1[one >> 1], may0[one >> 1]
            if one & 1:
                a1, a0 = a0, a1
            found.append(2 if a1 and a0 else int(a1))
        return tuple(found)

    def _from(self, number: int) -> None:
        m, mask = self.m, self.mask
        control, seen = self.states[number]
        may0: dict[int, int] = {}
        may1: dict[int, int] = {}
        for name, node in m.inputs.items():
            may0[node], may1[node] = self.columns[name]
        self._values(may0, may1, control, mask)

        def of(literal: int) -> tuple[int, int]:
            a1, a0 = may1[literal >> 1], may0[literal >> 1]
            return (a0, a1) if literal & 1 else (a1, a0)

        words: dict[str, int] = {}
        running = mask >> 1  # all but the reset
        for name in ("key_ready_o", "in_ready_o", "out_valid_o"):
            if m.data[m.output(name) >> 1]:
                raise Broken(f"{name} depends on a key or on data")
            one, zero = of(m.output(name))
            if one & zero & running:
                raise Broken(f"{name} depends on a register at power-up")
            words[name] = one
        varying: list[int] = []
        slots: dict[int, int] = {}

        def slot(word: int) -> int:
            """Index in varying, or -1 / -2 for constants."""
            if word == 0:
                return -1
            if word == mask:
                return -2
            if word not in slots:
                slots[word] = len(varying)
                varying.append(word)
            return slots[word]

        side_slots = [(slot(may1[n]), slot(may0[n])) for n in m.sides]
        next_slots = [tuple(slot(w) for w in of(m.core.next[at])) for at in m.control]
        event_slots = {name: slot(word) for name, word in words.items()}
        text = [format(word, f"0{self.lanes}b") for word in varying]
        columns: list[tuple[str, ...]] = list(zip(*text, strict=True)) if text else [()] * self.lanes
        known: set[Any] = set()
        for key, choice in zip(columns, self.choices, strict=True):

            def bit(at: int) -> int:
                return 0 if at == -1 else 1 if at == -2 else int(key[at])

            e = choice | {name: bit(at) for name, at in event_slots.items()}
            event = self._event(seen, e)
            if event is None:
                continue
            after = self._observe(seen, event)
            nxt = tuple(2 if bit(a) and bit(b) else bit(a) for a, b in next_slots)
            sides = tuple(2 if bit(a) and bit(b) else bit(a) for a, b in side_slots)
            if event.clear or (seen.offered and not event.offer):
                # What no reset sets is set again before it is used: so take any value for it.
                nxt = tuple(2 if x == 2 else y for x, y in zip(self.start, nxt, strict=True))
            target = State(nxt, after)
            fresh = target not in self.number
            to = self._add(target)
            kind = event._replace(sboxes=0)
            if (to, kind, sides) in known:
                continue
            known.add((to, kind, sides))
            transition = Transition(number, to, event, sides)
            self.transitions.append(transition)
            if fresh:
                self.tree[to] = transition

    def _event(self, seen: Seen, e: dict[str, int]) -> Event | None:
        config = self.m.config
        if not e["rst_ni"]:
            return Event(True, 0, False, False, False, 0, False, False)
        clear = bool(e["key_clear_i"])
        code = e.get("key_len_i[0]", 0) + 2 * e.get("key_len_i[1]", 0)
        offer = size(config, code) if e["key_valid_i"] else 0
        if seen.offered and offer and offer != seen.offered:
            return None
        taken = bool(e["out_valid_o"] and e["out_ready_i"])
        accept = bool(e["in_valid_i"] and e["in_ready_o"])
        latest = seen.latest
        if not clear:
            flight = seen.flight
            done = flight is not None and seen.age == self._latency(flight)
            if bool(e["out_valid_o"]) != done:
                raise Broken(f"out_valid_o is {e['out_valid_o']} {seen.age} cycles after a block; {seen}")
            if e["in_ready_o"] and (not latest or (seen.age and not taken and done) or (seen.age and not done)):
                # in_ready may depend on out_ready
                raise Broken("in_ready_o is high without a key or beside another block")
        decrypt = e.get("in_decrypt_i", int(config.direction == "decrypt")) == 1
        count = sboxes(config, e.get("in_sboxes_i[0]", 0) + 2 * e.get("in_sboxes_i[1]", 0))
        return Event(
            clear, offer, bool(e["key_valid_i"] and e["key_ready_o"]), accept,
            decrypt and accept, count * accept, bool(e["out_valid_o"]), taken,
        )

    def _latency(self, flight: Flight) -> int:
        if flight not in self.lat:
            self.lat[flight] = latency(self.m.config, flight)
        return self.lat[flight]

    def _observe(self, seen: Seen, event: Event) -> Seen:
        if event.clear:
            return Seen()
        latest = event.offer if event.take_key else seen.latest
        offered = 0 if event.take_key else event.offer
        age, flight = seen.age, seen.flight
        if event.accept:
            age, flight = 1, Flight(event.decrypt, event.sboxes, seen.latest, not event.take_key)
        elif event.taken:
            age, flight = 0, None
        elif flight:
            age += age < self._latency(flight)
            if event.take_key:
                flight = flight._replace(same=False)
        return Seen(latest, offered, age, flight)


Symbol = tuple[tuple[Value, ...], int, int]
"""The sum of bytes, the number of the bit in it, whether it is inverted. Without bytes: 0."""


def _exclusive_or() -> Aiger:
    graph = Graph()
    one, other = ([graph.free("") for _ in range(8)] for _ in range(2))
    made = [
        graph.both(graph.both(a, b) ^ 1, graph.both(a ^ 1, b ^ 1) ^ 1)
        for a, b in zip(one, other, strict=True)
    ]
    return graph.netlist(made, [literal >> 1 for literal in (*one, *other)])


SUM = _exclusive_or()


class Induction:
    def __init__(self, machine: Machine, cones: dict[str, Any], log=lambda *a: None, sums: bool = False):
        self.sums = sums
        self._sums: dict[Any, Symbol | None] = {}
        self.m, self.cones, self.log = machine, cones, log
        begun = time.perf_counter()
        self.walk = Walk(machine)
        self.log(f"{len(self.walk.states)} states, {len(self.walk.transitions)} transitions, {len(self.walk.tree)} tree; {len(machine.registers)} data registers {len(machine.gates)} gates {time.perf_counter()-begun:.1f}s")
        self.rng = random.Random(1)
        self.graph = Graph()
        self._lanes: list[int] = [0]
        self._steps: dict[Any, Steps] = {}
        self._pools: dict[Any, dict[int, Symbol]] = {}
        self._blocks = [[self.rng.getrandbits(LANES) for _ in range(128)] for _ in range(2)]
        self._keys = [[self.rng.getrandbits(LANES) for _ in range(256)] for _ in range(4)]
        self._inverse = "decrypt" in machine.config.directions
        self._values_cache: dict[Any, dict[Value, list[int]]] = {}

    # Steps of a context ------------------------------------------------------------------------

    def keysteps(self, key: str, bits: int) -> Steps:
        at = ("key", key, bits)
        if at not in self._steps:
            found = standard.key_steps(self.cones, key, bits)
            if not self._inverse:
                found = {v: w for v, w in found.items() if v[0] != "inverse"}
            self._steps[at] = found
        return self._steps[at]

    def runsteps(self, run: str, key: str, bits: int, decrypt: bool) -> Steps:
        at = ("run", run, key, bits, decrypt)
        if at not in self._steps:
            self._steps[at] = standard.run_steps(self.cones, run, key, bits, decrypt)
        return self._steps[at]

    def context(self, seen: Seen, event: Event | None) -> tuple[Any, ...]:
        found = []
        if seen.latest:
            found.append(("key", "latest", seen.latest))
        offered = seen.offered or (event.offer if event else 0)
        if offered:
            found.append(("key", "offered", offered))
        if seen.flight:
            f = seen.flight
            if not f.same:
                found.append(("key", "used", f.bits))
            found.append(("run", "old", "latest" if f.same else "used", f.bits, f.decrypt))
        if event and event.accept:
            found.append(("run", "new", "latest", seen.latest, event.decrypt))
        return tuple(found)

    def steps_of(self, context: tuple[Any, ...]) -> Steps:
        if ("all", context) not in self._steps:
            whole: Steps = {}
            for part in context:
                whole |= self.keysteps(*part[1:]) if part[0] == "key" else self.runsteps(*part[1:])
            # Steps back from a run to its key would overwrite the key's own: merge.
            merged: dict[Value, tuple[Step, ...]] = {}
            for part in context:
                made = self.keysteps(*part[1:]) if part[0] == "key" else self.runsteps(*part[1:])
                for value, ways in made.items():
                    merged[value] = merged.get(value, ()) + ways
            self._steps["all", context] = merged
        return self._steps["all", context]

    # Signatures --------------------------------------------------------------------------------

    def numbers(self, steps: Steps, base: dict[Value, list[int]]) -> dict[Value, list[int]]:
        """The lanes of every value, by the standard's own steps from the base."""
        found = dict(base)

        def of(value: Value) -> list[int]:
            if value not in found:
                step = steps[value][0]
                found[value] = step.lanes([of(s) for s in step.sources], _MASK)
            return found[value]

        for value in steps:
            of(value)
        return found

    def pool(self, seen: Seen, ids: tuple[int, int, int, int]) -> dict[int, Symbol]:
        """From lanes (lane 0 is 0) to what has them."""
        context = self.context(seen, None)
        block, latest, used, offered = ids
        key = (context, ids)
        if key not in self._pools:
            base: dict[Value, list[int]] = {}
            chosen = {"latest": latest, "used": used, "offered": offered}
            for part in context:
                if part[0] == "key":
                    for number in range(part[2] // 8):
                        base["word", part[1], number // 4, number % 4] = self._keys[chosen[part[1]]][
                            8 * number : 8 * number + 8
                        ]
                else:
                    for number in range(16):
                        base["block", "old", 0, number] = self._blocks[block][8 * number : 8 * number + 8]
            values = self.numbers(self.steps_of(context), base)
            found: dict[int, Symbol] = {0: ((), 0, 0)}
            for value, byte in values.items():
                for bit, lanes in enumerate(byte):
                    inverted = lanes & 1
                    found.setdefault(lanes ^ (_MASK * inverted), ((value,), bit, inverted))
            self._pools[key] = found
        return self._pools[key]

    def symbol(self, pool: dict[int, Symbol], lanes: int) -> Symbol | None:
        inverted = lanes & 1
        lanes ^= _MASK * inverted
        known = pool.get(lanes)
        if known is None and self.sums:
            if (id(pool), lanes) not in self._sums:
                found = None
                for one, (values, bit, turned) in pool.items():
                    other = pool.get(lanes ^ one)
                    if other is not None and other[1] == bit and values and other[0]:
                        found = (tuple(sorted((*values, *other[0]))), bit, turned ^ other[2])
                        break
                self._sums[id(pool), lanes] = found
            known = self._sums[id(pool), lanes]
        return None if known is None else (known[0], known[1], known[2] ^ inverted)

    def simulate(self, registers: dict[int, int], sides: tuple[int, ...], block: list[int], key: list[int]) -> list[int]:
        m = self.m
        values = [0] * (m.first + len(m.core.gates))
        for node, side in zip(m.sides, sides, strict=True):
            values[node] = _MASK if side == 1 else 0 if side == 0 else self.rng.getrandbits(LANES)
        for at, lanes in registers.items():
            values[m.own + at] = lanes
        for node in range(1, m.own):
            if m.data[node]:
                values[node] = self.rng.getrandbits(LANES)
        for bit in range(128):
            node = m.core.input_names.get(f"in_data_i[{bit}]")
            if node is not None:
                values[1 + node] = block[8 * (15 - bit // 8) + bit % 8]
        for bit in range(256):
            node = m.core.input_names.get(f"key_i[{bit}]")
            if node is not None:
                values[1 + node] = key[8 * (31 - bit // 8) + bit % 8]
        for node, left, right in m.gates:
            a, b = values[left >> 1], values[right >> 1]
            values[node] = (a ^ _MASK if left & 1 else a) & (b ^ _MASK if right & 1 else b)
        return values

    def literal(self, values: list[int], one: int) -> int:
        return values[one >> 1] ^ (_MASK if one & 1 else 0)

    def after(self, transition: Transition, ids: tuple[int, int, int, int], registers: dict[int, int]):
        block, latest, used, offered = ids
        event, seen = transition.event, self.walk.states[transition.before].seen
        new_block = 1 - block
        if not seen.offered:
            offered = min({0, 1, 2, 3} - {latest, used})
        values = self.simulate(registers, transition.sides, self._blocks[new_block], self._keys[offered])
        now = {at: self.literal(values, self.m.core.next[at]) for at in self.m.registers}
        same = seen.flight is None or seen.flight.same
        if event.accept or same:
            used = latest
        if event.take_key:
            latest = offered
        if event.accept:
            block = new_block
        return now, (block, latest, used, offered)

    def guess(self) -> None:
        """What each register holds in each state, as one run to it shows."""
        m, walk = self.m, self.walk
        registers = {0: {at: self.rng.getrandbits(LANES) for at in m.registers}}
        ids = {0: (0, 0, 0, 1)}
        self.symbols: list[list[Symbol | None]] = []
        order = sorted(walk.tree)
        for to in order:
            transition = walk.tree[to]
            registers[to], ids[to] = self.after(transition, ids[transition.before], registers[transition.before])
        for number, state in enumerate(walk.states):
            pool = self.pool(state.seen, ids[number])
            self.symbols.append([self.symbol(pool, registers[number][at]) for at in m.registers])
        self.weakened = 0
        self.log("tree simulated")
        # Other transitions: what they contradict.
        for transition in walk.transitions:
            if walk.tree.get(transition.after) is transition:
                continue
            now, then = self.after(transition, ids[transition.before], registers[transition.before])
            seen = walk.states[transition.after].seen
            pool = self.pool(seen, then)
            row = self.symbols[transition.after]
            for place, at in enumerate(m.registers):
                if row[place] is not None and row[place] != self.symbol(pool, now[at]):
                    row[place] = None
                    self.weakened += 1
        self.log(f"weakened by simulation: {self.weakened}")

    # Formulas ----------------------------------------------------------------------------------

    def lanes_of(self, literal: int) -> int:
        graph, lanes = self.graph, self._lanes
        for number in range(len(lanes), len(graph.operands)):
            operands = graph.operands[number]
            if operands is None:
                lanes.append(self.rng.getrandbits(256))
            else:
                a, b = operands
                x, y = lanes[a >> 1], lanes[b >> 1]
                full = (1 << 256) - 1
                lanes.append((x ^ full if a & 1 else x) & (y ^ full if b & 1 else y))
        value = lanes[literal >> 1]
        return value ^ ((1 << 256) - 1) if literal & 1 else value

    def free(self, name: Any) -> int:
        if name not in self._vars:
            self._vars[name] = self.graph.free(str(name))
        return self._vars[name]

    def prove(self) -> None:
        m, walk = self.m, self.walk
        self._vars: dict[Any, int] = {}
        self._ways: dict[Any, dict[Value, Step]] = {}
        outgoing: dict[int, list[Transition]] = {}
        for transition in walk.transitions:
            outgoing.setdefault(transition.before, []).append(transition)
        todo = deque(range(len(walk.states)))
        waiting = set(todo)
        self.pairs: dict[tuple[int, int], Any] = {}
        self.checks = 0
        rounds = 0
        while todo:
            number = todo.popleft()
            waiting.discard(number)
            rounds += 1
            for transition in outgoing[number]:
                if self.step(transition) and transition.after not in waiting:
                    waiting.add(transition.after)
                    todo.append(transition.after)
        self.log(f"{rounds} states visited, {self.checks} steps, {len(self.pairs)} pairs, {len(self.graph.operands)} nodes, weakened {self.weakened}")

    def ways(self, context: Any, held: frozenset[Value], sums: frozenset[Any]) -> dict[Value, Step]:
        """How each value that follows from the held ones is made: with the fewest steps."""
        key = (context, held, sums)
        if key not in self._ways:
            steps = self.steps_of(context)
            users: dict[Value, list[tuple[Value, Step]]] = {}
            missing: dict[tuple[Value, int], int] = {}
            found: dict[Value, Step] = {}
            if ("users", context) not in self._steps:
                for target, choices in steps.items():
                    for step in choices:
                        for source in set(step.sources):
                            users.setdefault(source, []).append((target, step))
                self._steps["users", context] = users
            users = self._steps["users", context]
            more: dict[Value, list[tuple[Value, Step]]] = {}
            span: dict[Value, tuple[int, int]] = {value: (index(value), index(value)) for value in held}
            for one, other in sums:
                whole: Value = ("sum", one, other)
                span[whole] = min(index(one), index(other)), max(index(one), index(other))
                more.setdefault(one, []).append((other, Step((whole, one), SUM)))
                more.setdefault(other, []).append((one, Step((whole, other), SUM)))
                missing[one, id(more[other][-1][1])] = 1
                missing[other, id(more[one][-1][1])] = 1
            ready: list[Any] = []
            done: set[Value] = set()

            def finish(value: Value) -> None:
                done.add(value)
                for target, step in (*more.get(value, ()), *users.get(value, ())):
                    at = (target, id(step))
                    left = missing.get(at, len(set(step.sources))) - 1
                    missing[at] = left
                    if left == 0 and target not in done:
                        low = min(span[one][0] for one in step.sources)
                        high = max(span[one][1] for one in step.sources)
                        far = max(abs(index(target) - low), abs(index(target) - high))
                        heappush(ready, (far, len(missing), target, step, (low, high)))

            for value in held:
                finish(value)
            while ready:
                _, _, target, step, reach = heappop(ready)
                if target not in done:
                    found[target], span[target] = step, reach
                    finish(target)
            self._ways[key] = found
        return self._ways[key]

    def step(self, transition: Transition) -> bool:
        """Check a transition; whether a register of the state after it was found to hold nothing."""
        wrong, attempt = self.compare(transition, 0), 1
        while wrong and attempt <= self.choices:
            wrong &= self.compare(transition, attempt)
            attempt += 1
        target, changed = self.symbols[transition.after], False
        for place in wrong:
            if place < 0:
                raise Broken(f"the result is wrong in bit {-1 - place}: {self.walk.states[transition.before].seen} {transition.event}")
            self.log("WEAK", self.m.core.register_names.get(self.m.registers[place]), target[place], transition.before, transition.after)
            target[place] = None
            self.weakened += 1
        return bool(wrong)

    def compare(self, transition: Transition, attempt: int) -> set[int]:
        """The registers that differ, and the bits of the result as -1 and below.

        Attempt 0 takes all that registers hold for independent values. The others take one window
        of each key, as long as the key, for what the other words of it follow from.
        """
        m, walk, graph = self.m, self.walk, self.graph
        self.checks += 1
        seen, event = walk.states[transition.before].seen, transition.event
        context = self.context(seen, event)
        row = self.symbols[transition.before]
        holders: dict[tuple[Value, ...], dict[int, int]] = {}
        for place, symbol in enumerate(row):
            if symbol is not None and symbol[0]:
                bits = holders.setdefault(symbol[0], {})
                if symbol[1] not in bits:
                    bits[symbol[1]] = self.free(("register", place)) ^ symbol[2]
        known: dict[Value, list[int]] = {}
        sums: list[tuple[Value, ...]] = []
        for terms, bits in holders.items():
            if len(bits) == 8:
                if len(terms) == 1:
                    known[terms[0]] = [bits[bit] for bit in range(8)]
                else:
                    sums.append(terms)
        if event.accept:
            for k in range(16):
                known["block", "new", 0, k] = [self.free(f"in_data_i[{8 * (15 - k) + b}]") for b in range(8)]
        count = seen.offered or event.offer
        if event.offer:
            for k in range(count // 8):
                known["word", "offered", k // 4, k % 4] = [self.free(f"key_i[{8 * (31 - k) + b}]") for b in range(8)]
        if attempt:
            self.choose_window(known, context, attempt - 1)
        else:
            self.choices = 0
            self.choose_window(dict(known), context, 0)
        ways = self.ways(context, frozenset(known), frozenset(sums))
        used: set[tuple[Value, ...]] = set()
        for terms in sums:
            known["sum", *terms] = [holders[terms][bit] for bit in range(8)]
            if any(t in ways and ways[t].sources[0] == ("sum", *terms) for t in terms):
                used.add(terms)

        def byte(value: Value) -> list[int]:
            if value not in known:
                if value in ways:
                    way = ways[value]
                    known[value] = way.of(graph, [byte(s) for s in way.sources])
                else:
                    bits = holders.get((value,), {})
                    known[value] = [bits[b] if b in bits else self.free((*value, b)) for b in range(8)]
            return known[value]

        def of(symbol: Symbol) -> int:
            terms, bit, literal = symbol
            if terms in used:
                return known["sum", *terms][bit] ^ literal
            for value in terms:
                other = byte(value)[bit]
                literal = graph.choose(literal, other ^ 1, other)
            return literal

        values = [0] * (m.first + len(m.core.gates))
        for node, side in zip(m.sides, transition.sides, strict=True):
            values[node] = side if side < 2 else self.free(("any", node))
        for place, at in enumerate(m.registers):
            symbol = row[place]
            values[m.own + at] = self.free(("register", place)) if symbol is None else of(symbol)
        names = {number + 1: name for name, number in m.core.input_names.items()}
        for node in range(1, m.own):
            if m.data[node]:
                values[node] = self.free(names.get(node, ("undefined", node)))
        both = graph.both
        for node, left, right in m.gates:
            a = values[left >> 1] ^ left & 1
            if a == 0:
                continue
            b = values[right >> 1] ^ right & 1
            values[node] = 0 if b == 0 else b if a == 1 else a if b == 1 else both(a, b)

        same = seen.flight is None or seen.flight.same

        def back(value: Value) -> Value:
            name, of_what, number, k = value
            if of_what == "old":
                of_what = "new" if event.accept else "old"
            elif of_what == "latest":
                of_what = "offered" if event.take_key else "latest"
            elif of_what == "used":
                of_what = "latest" if event.accept or same else "used"
            return (name, of_what, number, k)

        wrong: set[int] = set()
        target = self.symbols[transition.after]
        for place, at in enumerate(m.registers):
            symbol = target[place]
            if symbol is None:
                continue
            one = m.core.next[at]
            mine = values[one >> 1] ^ one & 1
            theirs = of((tuple(sorted(map(back, symbol[0]))), *symbol[1:]))
            if not self.equal(mine, theirs, (transition, place)):
                wrong.add(place)
        if event.valid and not event.clear:
            flight = seen.flight
            assert flight is not None
            for bit, one in enumerate(m.out):
                mine = values[one >> 1] ^ one & 1
                value = ("state", "old", flight.bits // 32 + 6, 15 - bit // 8)
                if not self.equal(mine, byte(value)[bit % 8], (transition, "result")):
                    wrong.add(-1 - bit)
        return wrong

    def choose_window(self, known: dict[Value, list[int]], context: Any, number: int) -> None:
        """Leave what one window of each key holds; `choices` is how many there are."""
        for part in context:
            if part[0] != "key":
                continue
            _, key, bits = part
            length = bits // 32
            whole = {
                i for i in range(4 * length + 28) if all(("word", key, i, k) in known for k in range(4))
            }
            starts = [i for i in whole if all(i + n in whole for n in range(length))]
            if key == "offered":
                starts = starts[:1]
            self.choices = max(self.choices, len(starts))
            if starts:
                start = starts[min(number, len(starts) - 1)]
                for value in list(known):
                    if value[1] == key and not (value[0] == "word" and start <= value[2] < start + length):
                        del known[value]

    def equal(self, mine: int, theirs: int, why: Any) -> bool:
        if mine == theirs:
            return True
        pair = (mine, theirs) if not mine & 1 else (mine ^ 1, theirs ^ 1)
        if pair in self.pairs:
            return True
        if self.lanes_of(mine) != self.lanes_of(theirs):
            return False
        self.pairs[pair] = why
        return True

    def decide(self) -> bool:
        pairs = list(self.pairs)
        inputs = [n for n in self.graph.cone([x for p in pairs for x in p]) if n in self.graph.names]
        one = self.graph.netlist([a for a, _ in pairs], inputs)
        other = self.graph.netlist([b for _, b in pairs], inputs)
        self.log(f"ABC: {len(pairs)} pairs, {len(one.gates)}+{len(other.gates)} gates")
        with TemporaryDirectory() as folder:
            return not pairs or sweep.equal(one, other, Path(folder))
