"""A compiled core, and the scripts that its checks consist of."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import cycle
from pathlib import Path

from aesforge.core import stack
from aesforge.core.contract import Contract, sboxes_code
from aesforge.sim.oracle import ecb, key_payload
from aesforge.sim.player import Script, play
from aesforge.sim.scoreboard import Scoreboard
from aesforge.space.axes import Config
from aesforge.space.promises import promised


@dataclass(frozen=True)
class Bench:
    """A compiled core and the settings of its checks."""

    config: Config
    model: Path
    blocks: int
    seed: int

    @property
    def contract(self) -> Contract:
        """The ports that the configuration uses."""
        return stack.contract(self.config)

    @cached_property
    def script(self) -> Script:
        """Creates the operations of a script."""
        return Script(self.contract)

    @cached_property
    def _turns(self) -> Iterator[Config]:
        return cycle(self.config.selections)

    @property
    def size(self) -> int:
        """Bytes of a block."""
        return int(self.config.block) // 8

    def function(self, key: bytes, decrypt: bool) -> Callable[[bytes], bytes]:
        """What the core makes of blocks."""
        return ecb(key, decrypt, int(self.config.block))

    def key(self, key: bytes) -> bytes:
        """Offer a key."""
        return self.script.send("key", *key_payload(key, self.config))

    def block(self, data: bytes, decrypt: bool, run: Config | None = None) -> bytes:
        """Offer a block with the selection `run`; by default each selection in turn."""
        selected = self.selection(run or next(self._turns))
        return self.script.send("in", data, int(decrypt), *selected)

    def selection(self, run: Config) -> tuple[int, ...]:
        """The value of the port that selects `run` for a block, if the core has the port."""
        return tuple(sboxes_code(number) for number in run.selectable_sboxes[:1])

    def stalls(self, probability: float) -> bytes:
        """Stall all channels with the same probability."""
        return b"".join(self.script.stall(name, probability) for name in ("key", "in", "out"))

    @cached_property
    def longest(self) -> int:
        """Cycles in which a block of any kind under a new key is output when nothing stalls.

        A port may take longer for a block than the core.
        """
        promises = [
            promised(selected, bits)
            for bits in self.config.key_sizes
            for selected in self.config.selections
        ]
        return max(p.key_setup + max(p.latency, p.interval) for p in promises)

    def finish(self) -> bytes:
        """Let all results out, and wait until a late or repeated one would have appeared."""
        return self.stalls(0) + self.script.drain(2 * self.longest + 100)

    def watch(
        self, script: Iterator[bytes], seed: int | None = None, reset: bytes | None = None
    ) -> Scoreboard:
        """Run a script after a reset.

        `seed` also sets the registers and memories at power-up; `reset` replaces the usual one.
        """

        def whole() -> Iterator[bytes]:
            yield self.script.reset() if reset is None else reset
            yield from script

        events = play(self.model, self.contract, whole(), self.seed if seed is None else seed)
        return Scoreboard(self.config).watch(events)


Outcome = tuple[list[str], str]
"""Problems, none when the check holds, and what was covered."""
