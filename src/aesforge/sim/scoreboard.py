"""Checks a run: every result against the oracle, and no block lost or reordered."""

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from aesforge.sim.oracle import ecb, sent_key
from aesforge.sim.player import END, HANDSHAKE, LEVEL, Event
from aesforge.space.axes import Config


@dataclass
class Scoreboard:
    """Follows the events of one run.

    A block uses the last key whose handshake was in an earlier cycle than its own. Clear and reset
    remove the key and all blocks in flight. Before the first reset a core may do anything.
    `problems` lists errors with their cycles; `accepted`, `offered` and `keyed` are the cycles of
    the handshakes of blocks, results and keys; of the first round key where these are loaded.
    """

    config: Config
    problems: list[str] = field(default_factory=list)
    accepted: list[int] = field(default_factory=list)
    offered: list[int] = field(default_factory=list)
    keyed: list[int] = field(default_factory=list)
    cleared: int = 0
    clocks: int = 0

    def __post_init__(self) -> None:
        self._expected: deque[bytes] = deque()
        self._key: bytes | None = None
        self._next: tuple[int, bytes] | None = None
        self._functions: dict[bool, Callable[[bytes], bytes]] = {}
        self._clear_after: int | None = None
        self._clearing = False
        self._begun = False
        self._size = int(self.config.block) // 8
        self._loads = self.config.key_schedule == "loaded"

    def watch(self, events: Iterable[Event]) -> "Scoreboard":
        """Follow a run to its end."""
        for event in events:
            self._advance(event.clock)
            if (event.kind, event.name, event.payload) == (LEVEL, "rst_ni", b"\0"):
                self._begun = True
            if not self._begun and event.kind != END:
                continue
            if event.kind == HANDSHAKE:
                if self._clearing and event.name != "out":
                    self._problem(event.clock, f"{event.name}: accepted only to be cleared")
                # A result is offered with its first beat.
                clock = event.began if event.name == "out" else event.clock
                if event.name == "key":
                    self.keyed.append(event.began if self._loads else event.clock)
                _ON_HANDSHAKE[event.name](self, clock, event.payload)
            elif event.kind == LEVEL:
                self._level(event)
            elif event.problem:
                self._problem(event.clock, event.problem)
            elif event.kind == END:
                self.clocks = event.clock
        if self._expected:
            self._problem(self.clocks, f"{len(self._expected)} accepted blocks never came out")
        return self

    def _problem(self, clock: int, text: str) -> None:
        if len(self.problems) < 20:
            self.problems.append(f"clock {clock}: {text}")

    def _advance(self, clock: int) -> None:
        if self._clear_after is not None and clock > self._clear_after:
            self._clear()
            self._clear_after = None
        if self._next is not None and clock > self._next[0]:
            self._key, self._next = self._next[1], None
            self._functions = {}

    def _clear(self) -> None:
        self.cleared += len(self._expected)
        self._expected.clear()
        self._key = self._next = None

    def _level(self, event: Event) -> None:
        if event.name == "rst_ni":
            self._clear()
            return
        self._clearing = bool(event.payload[0])
        if self._clearing:
            # A result can still be accepted in the first cycle of a clear or reset.
            self._clear_after = event.clock
        else:
            self._clear()

    def _on_key(self, clock: int, payload: bytes) -> None:
        self._next = (clock, sent_key(payload, self.config))

    def _on_in(self, clock: int, payload: bytes) -> None:
        self.accepted.append(clock)
        if self._key is None:
            self._problem(clock, "a block was accepted without a key")
            return
        both = len(self.config.directions) == 2
        decrypt = bool(payload[self._size]) if both else self.config.direction == "decrypt"
        if decrypt not in self._functions:
            self._functions[decrypt] = ecb(self._key, decrypt, int(self.config.block))
        self._expected.append(self._functions[decrypt](payload[: self._size]))

    def _on_out(self, clock: int, payload: bytes) -> None:
        self.offered.append(clock)
        if not self._expected:
            self._problem(clock, f"a result that no block waits for: {payload.hex()}")
        elif (expected := self._expected.popleft()) != payload:
            self._problem(clock, f"expected {expected.hex()}, got {payload.hex()}")


_ON_HANDSHAKE = {
    "key": Scoreboard._on_key,
    "in": Scoreboard._on_in,
    "out": Scoreboard._on_out,
}
