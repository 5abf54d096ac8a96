"""All states of the control of a core of one block at a time, by simulation.

Control is what no key and no block reaches. A register of it has the value 0, 1 or 2, which stands
for any. With each state goes what an observer of the handshakes knows; in it, the handshakes must
be as promised.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import NamedTuple

from aesforge.proof.drive import Unproven
from aesforge.space.axes import SBOXES, Config
from aesforge.space.promises import promised
from aesforge.tools.aiger import Aiger

ANY = 2
"""The value of a register or an input that may be 0 and 1."""

LIMIT = 20000
"""States at most."""

_RESETS = 8
"""Cycles of a reset after which all registers of control that it reaches have their values."""


class TooMany(Unproven):
    """There are more states than the limit."""


class Flight(NamedTuple):
    """The block in flight: its kind, the bits of its key, and whether that is the latest one."""

    decrypt: bool
    sboxes: int
    bits: int
    same: bool


class Seen(NamedTuple):
    """What the observer knows before a cycle.

    `latest`: the bits of the latest key, 0 for none; `offered`: of one that waits for its
    handshake. `age`: the cycles since the block in flight was accepted, up to its latency.
    """

    latest: int = 0
    offered: int = 0
    age: int = 0
    flight: Flight | None = None


class Event(NamedTuple):
    """What the observer sees in a cycle. `offer`: the bits of a key on offer, 0 for none."""

    clear: bool
    offer: int = 0
    take_key: bool = False
    accept: bool = False
    decrypt: bool = False
    sboxes: int = 0
    valid: bool = False
    taken: bool = False


class State(NamedTuple):
    """Values of the registers of control, and what the observer knows."""

    control: tuple[int, ...]
    seen: Seen


class Transition(NamedTuple):
    """A step from one state to another, by number, and the values of `Split.sides` in it."""

    before: int
    after: int
    event: Event
    sides: tuple[int, ...]


class Group(NamedTuple):
    """Next values that depend on the same nodes of control.

    `members`: places in `Split.registers`, or -1 and below for the bits of the result, each with
    its literal. `sides`: places in `Split.sides`.
    """

    members: tuple[tuple[int, int], ...]
    gates: tuple[tuple[int, int, int], ...]
    sides: tuple[int, ...]


class Split:
    """The nodes of a core: those that a key, a block or an undefined value reaches, and control."""

    def __init__(self, core: Aiger, config: Config) -> None:
        self.core, self.config = core, config
        names = ["rst_ni", "key_clear_i", "key_valid_i", "in_valid_i", "out_ready_i"]
        names += ["in_decrypt_i"] * (config.direction == "both")
        names += ["in_sboxes_i[0]", "in_sboxes_i[1]"] * bool(config.selectable_sboxes)
        names += ["key_len_i[0]", "key_len_i[1]"] * (config.keys == "any")
        found = {name.removesuffix("[0]"): at for name, at in core.input_names.items()}
        found |= core.input_names
        self.inputs = {name: 1 + found[name] for name in names if name in found}
        self.own = 1 + core.inputs
        """The node of register 0."""
        self.first = self.own + len(core.next)
        """The node of gate 0."""
        self.data = core.after(set(range(1, self.own)) - set(self.inputs.values()))
        """Whether each node is of data."""
        self.control = [at for at in range(len(core.next)) if not self.data[self.own + at]]
        """The registers of control."""
        self.registers = [at for at in range(len(core.next)) if self.data[self.own + at]]
        """The registers of data; a place is an index of this list."""
        gates = [(node, *gate) for node, gate in enumerate(core.gates, self.first)]
        self.control_gates = [gate for gate in gates if not self.data[gate[0]]]
        self.gates = [gate for gate in gates if self.data[gate[0]]]
        self.result = [self.output(f"out_data_o[{bit}]") for bit in range(128)]
        used = {one >> 1 for _, *gate in self.gates for one in gate}
        used |= {core.next[at] >> 1 for at in self.registers} | {one >> 1 for one in self.result}
        self.sides = sorted(node for node in used if node and not self.data[node])
        """The nodes of control that data depend on."""
        self.groups = self._groups()

    def output(self, name: str) -> int:
        """The literal of an output."""
        names = self.core.output_names
        return self.core.outputs[names[name] if name in names else names[f"{name}[0]"]]

    def _groups(self) -> list[Group]:
        reads = [0] * (self.first + len(self.core.gates))
        for number, node in enumerate(self.sides):
            reads[node] = 1 << number
        for node, left, right in self.gates:
            reads[node] = reads[left >> 1] | reads[right >> 1]
        literals = {place: self.core.next[at] for place, at in enumerate(self.registers)}
        literals |= {-1 - bit: one for bit, one in enumerate(self.result)}
        members: dict[int, list[tuple[int, int]]] = {}
        for place, one in literals.items():
            members.setdefault(reads[one >> 1], []).append((place, one))
        found = []
        for mask, inside in members.items():
            marked = {one >> 1 for _, one in inside}
            gates = []
            for gate in reversed(self.gates):
                if gate[0] in marked:
                    gates.append(gate)
                    marked |= {gate[1] >> 1, gate[2] >> 1}
            numbers = tuple(at for at in range(len(self.sides)) if mask >> at & 1)
            found.append(Group(tuple(inside), tuple(reversed(gates)), numbers))
        return found


class Control:
    """The states that a core reaches after a reset, and every step between them.

    A key on offer stays as it is until its handshake, or is withdrawn; all else may change in
    every cycle. `tree` has a step to each state but the first. Unproven when a handshake is not as
    promised, depends on data, or has no value.

    What no reset sets may have any value after a clear too, and with `forgetful` when an offer of a
    key is withdrawn: fewer states, of which less is known.
    """

    def __init__(self, split: Split, forgetful: bool = False, limit: int = LIMIT) -> None:
        self.split = split
        self._forgetful = forgetful
        self.choices = list(_choices(split))
        self._mask = (1 << len(self.choices)) - 1
        # For each input, where it may be 0, and where 1; the first choice is the top bit.
        self._columns = {
            name: (self._where(name, 0), self._where(name, 1)) for name in split.inputs
        }
        self._latencies: dict[Flight, int] = {}
        self.states: list[State] = []
        self.transitions: list[Transition] = []
        self.tree: dict[int, Transition] = {}
        self._numbers: dict[State, int] = {}
        self._sides: dict[tuple[int, ...], tuple[int, ...]] = {}
        start = self._reset((ANY,) * len(split.control))
        self._free = start
        for _ in range(_RESETS):
            self._free = self._reset(self._free)
        self._number(State(start, Seen()))
        at = 0
        while at < len(self.states):
            self._from(at)
            at += 1
            if len(self.states) > limit:
                raise TooMany(f"control has more than {limit} states")

    def _where(self, name: str, value: int) -> int:
        bits = (str(int(choice[name] in (value, ANY))) for choice in self.choices)
        return int("".join(bits), 2)

    def _number(self, state: State) -> int:
        if state not in self._numbers:
            self._numbers[state] = len(self.states)
            self.states.append(state)
        return self._numbers[state]

    def _values(
        self, inputs: dict[int, tuple[int, int]], control: tuple[int, ...], mask: int
    ) -> dict[int, tuple[int, int]]:
        """For each node of control, the patterns in which it may be 0, and those in which 1."""
        split = self.split
        made = {**inputs, 0: (mask, 0)}
        for at, value in zip(split.control, control, strict=True):
            made[split.own + at] = mask * (value != 1), mask * (value != 0)
        for node, left, right in split.control_gates:
            a0, a1 = made[left >> 1]
            b0, b1 = made[right >> 1]
            if left & 1:
                a0, a1 = a1, a0
            if right & 1:
                b0, b1 = b1, b0
            made[node] = a0 | b0, a1 & b1
        return made

    def _reset(self, control: tuple[int, ...]) -> tuple[int, ...]:
        """The values after a cycle of reset in which all other inputs may have any value."""
        split = self.split
        inputs = {node: (1, int(name != "rst_ni")) for name, node in split.inputs.items()}
        made = self._values(inputs, control, 1)
        pairs = [_of(made, split.core.next[at]) for at in split.control]
        return tuple(ANY if low and high else high for low, high in pairs)

    def _from(self, number: int) -> None:
        """Every step from a state."""
        split, mask = self.split, self._mask
        control, seen = self.states[number]
        inputs = {node: self._columns[name] for name, node in split.inputs.items()}
        made = self._values(inputs, control, mask)
        handshakes = {}
        for name in ("key_ready_o", "in_ready_o", "out_valid_o"):
            literal = split.output(name)
            if split.data[literal >> 1]:
                raise Unproven(f"{name} depends on a key or on data")
            low, high = _of(made, literal)
            if low & high & mask >> 1:
                raise Unproven(f"{name} depends on a register at power-up")
            handshakes[name] = high
        words = _Words(mask)
        ports = {name: words.add(word) for name, word in handshakes.items()}
        # Many nodes are equal: the values of each pair of words once.
        pairs: dict[tuple[int, int], int] = {}
        places = [pairs.setdefault(words.pair(made[node]), len(pairs)) for node in split.sides]
        whole: dict[tuple[int, ...], tuple[int, ...]] = {}
        after = [words.pair(_of(made, split.core.next[at])) for at in split.control]
        known: set[tuple[int, Event, tuple[int, ...]]] = set()
        for choice, values in zip(self.choices, words.patterns(len(self.choices)), strict=True):
            event = self._event(seen, choice | {name: values[at] for name, at in ports.items()})
            if event is None:
                continue
            then = [ANY if values[low] and values[high] else values[high] for low, high in after]
            withdrawn = seen.offered and not event.offer
            if event.clear or (withdrawn and self._forgetful):
                # What no reset sets is written before it is used, so it may have any value.
                then = [
                    ANY if free == ANY else one for free, one in zip(self._free, then, strict=True)
                ]
            state = State(tuple(then), self._observe(seen, event))
            fresh = state not in self._numbers
            brief = tuple(
                [ANY if values[low] and values[high] else values[high] for low, high in pairs]
            )
            if brief not in whole:
                sides = tuple([brief[at] for at in places])
                whole[brief] = self._sides.setdefault(sides, sides)
            step = Transition(number, self._number(state), event, whole[brief])
            if (key := (step.after, event._replace(sboxes=0), brief)) not in known:
                known.add(key)
                self.transitions.append(step)
                if fresh:
                    self.tree[step.after] = step

    def _latency(self, flight: Flight) -> int:
        if flight not in self._latencies:
            kind = replace(self.split.config, sboxes=str(flight.sboxes))
            self._latencies[flight] = promised(kind, flight.bits).latency
        return self._latencies[flight]

    def _event(self, seen: Seen, values: dict[str, int]) -> Event | None:
        """A cycle as it is seen; None if a key on offer changes its size. Unproven if broken."""
        if not values["rst_ni"]:
            return Event(True)
        config = self.split.config
        code = values.get("key_len_i[0]", 0) + 2 * values.get("key_len_i[1]", 0)
        sizes = config.key_sizes
        size = sizes[0] if len(sizes) == 1 else sizes[min(code, 2)]
        offer = size if values["key_valid_i"] else 0
        if seen.offered and offer and offer != seen.offered:
            return None
        valid, ready = values["out_valid_o"], values["in_ready_o"]
        taken = bool(valid and values["out_ready_i"])
        accept = bool(values["in_valid_i"] and ready)
        clear = bool(values["key_clear_i"])
        if not clear:
            done = seen.flight is not None and seen.age == self._latency(seen.flight)
            if valid != done:
                when = f"{seen.age} cycles after its block" if seen.flight else "without a block"
                raise Unproven(f"out_valid_o is {valid} {when}")
            if ready and not seen.latest:
                raise Unproven("in_ready_o is high without a key")
            if ready and seen.flight and not taken:
                raise Unproven("in_ready_o is high beside a block in flight")
        code = values.get("in_sboxes_i[0]", 0) + 2 * values.get("in_sboxes_i[1]", 0)
        count = min(int(config.sboxes), SBOXES[min(code, 2)])
        if not config.selectable_sboxes:
            count = int(config.sboxes)
        decrypt = bool(values.get("in_decrypt_i", config.direction == "decrypt"))
        take_key = bool(values["key_valid_i"] and values["key_ready_o"])
        kind = (decrypt, count) if accept else (False, 0)
        return Event(clear, offer, take_key, accept, *kind, bool(valid), taken)

    def _observe(self, seen: Seen, event: Event) -> Seen:
        """What is known after a cycle."""
        if event.clear:
            return Seen()
        latest = event.offer if event.take_key else seen.latest
        offered = 0 if event.take_key else event.offer
        age, flight = seen.age, seen.flight
        if event.accept:
            same = not event.take_key
            age, flight = 1, Flight(event.decrypt, event.sboxes, seen.latest, same)
        elif event.taken:
            age, flight = 0, None
        elif flight:
            age += age < self._latency(flight)
            flight = flight._replace(same=flight.same and not event.take_key)
        return Seen(latest, offered, age, flight)


def _choices(split: Split) -> Iterator[dict[str, int]]:
    """The inputs of control in each cycle that can be; the first is a reset."""

    def channel(valid: str, *payload: str) -> Iterator[dict[str, int]]:
        bits = [bit for bit in payload if bit in split.inputs]
        yield {valid: 0, **dict.fromkeys(bits, ANY)}
        for code in product((0, 1), repeat=len(bits)):
            yield {valid: 1, **dict(zip(bits, code, strict=True))}

    yield {**dict.fromkeys(split.inputs, ANY), "rst_ni": 0}
    keys = list(channel("key_valid_i", "key_len_i[0]", "key_len_i[1]"))
    blocks = list(channel("in_valid_i", "in_decrypt_i", "in_sboxes_i[0]", "in_sboxes_i[1]"))
    for clear, ready, key, block in product((0, 1), (0, 1), keys, blocks):
        yield {"rst_ni": 1, "key_clear_i": clear, "out_ready_i": ready, **key, **block}


def _of(made: dict[int, tuple[int, int]], literal: int) -> tuple[int, int]:
    low, high = made[literal >> 1]
    return (high, low) if literal & 1 else (low, high)


class _Words:
    """Words of one bit for each pattern, each of them once."""

    def __init__(self, mask: int) -> None:
        self._places = {0: 0, mask: 1}

    def add(self, word: int) -> int:
        """The place of a word among the values of a pattern."""
        return self._places.setdefault(word, len(self._places))

    def pair(self, words: tuple[int, int]) -> tuple[int, int]:
        """The places of two words."""
        return self.add(words[0]), self.add(words[1])

    def patterns(self, count: int) -> Iterator[list[int]]:
        """The values of all words in each pattern, the top bit first."""
        texts = [format(word, f"0{count}b") for word in self._places]
        for bits in zip(*texts, strict=True):
            yield [int(bit) for bit in bits]
