"""Checks of what appears late or seldom: long stalls and runs, power-up, idle inputs, resets.

Lengths grow with the number of blocks of a verification: by default a stall has 5,000 cycles.
"""

import random
from collections.abc import Callable, Iterator
from itertools import product

from aesforge.sim.bench import Bench, Outcome
from aesforge.sim.scoreboard import Scoreboard
from aesforge.space.axes import Config
from aesforge.space.promises import opening_cycles, promised

POWER_UPS = 24
"""Starts with other random values in all registers and memories."""

SOAK = "soak"
"""The name of the check that runs for a given number of cycles."""

_STALLS = (0, 0, 0.2, 0.5, 0.9)
"""The probabilities that a side stalls in a cycle, one at random for each run of blocks."""


def _complete(board: Scoreboard, blocks: int) -> list[str]:
    """The problems of a run in which so many blocks had to be accepted and output."""
    problems = list(board.problems)
    for what, found in (("accepted", board.accepted), ("output", board.offered)):
        if len(found) != blocks:
            problems.append(f"{len(found)} of {blocks} blocks were {what}")
    return problems


class _Source:
    """Random keys and blocks for a bench."""

    def __init__(self, bench: Bench) -> None:
        self.bench, self.rng, self.blocks = bench, random.Random(bench.seed), 0

    def key(self, bits: int | None = None) -> bytes:
        size = bits or self.rng.choice(self.bench.config.key_sizes)
        return self.bench.key(self.rng.randbytes(size // 8))

    def some(self, count: int, selected: Config | None = None) -> bytes:
        """So many random blocks, in any direction; with any selection by default."""
        self.blocks += count
        config = self.bench.config
        return b"".join(
            self.bench.block(
                self.rng.randbytes(self.bench.size),
                self.rng.choice(config.directions) == "decrypt",
                selected or self.rng.choice(config.selections),
            )
            for _ in range(count)
        )


def _long_stalls(bench: Bench) -> Outcome:
    """Results wait for thousands of cycles, from different cycles of a block on.

    A key is on offer all that time. Once, blocks and keys too stay away as long.
    """
    source, length = _Source(bench), max(1, bench.blocks // 2)
    script, stalls = bench.script, 0

    def whole() -> Iterator[bytes]:
        nonlocal stalls
        for bits, selected in product(bench.config.key_sizes, bench.config.selections):
            promise = promised(selected, bits)
            key_ready = promise.key_setup + 1
            for after in sorted({0, key_ready, key_ready + promise.latency // 2, bench.longest}):
                yield source.key(bits) + source.some(2 * promise.per + 2, selected)
                yield script.tick(after) + script.stall("out", 1) + source.key(bits)
                yield script.tick(length) + script.stall("out", 0)
                yield script.drain(bench.longest)
                stalls += 1
        yield script.tick(length) + source.some(2)
        yield bench.finish()

    board = bench.watch(whole())
    return _complete(board, source.blocks), f"{stalls} stalls of {length} cycles"


def _one_key(bench: Bench) -> Outcome:
    """All blocks of a long stream under one key, with changing stalls."""
    source, left = _Source(bench), bench.blocks

    def whole() -> Iterator[bytes]:
        nonlocal left
        yield source.key(max(bench.config.key_sizes))
        while left:
            run = min(left, source.rng.randrange(1, 400))
            left -= run
            for name in ("in", "out"):
                yield bench.script.stall(name, source.rng.choice(_STALLS))
            yield source.some(run) + bench.script.wait("in", source.blocks, 1_000_000)
        yield bench.finish()

    board = bench.watch(whole())
    return _complete(board, bench.blocks), f"{len(board.offered)} blocks under one key"


def _power_up(bench: Bench) -> Outcome:
    """Start many times, from random registers and memories, with a reset of a single cycle.

    The clock runs before the reset, and a key and blocks are on offer right after it.
    """
    problems: list[str] = []
    blocks, script = 0, bench.script
    for number in range(POWER_UPS):
        source = _Source(bench)
        before = script.level("rst_ni", 1) + script.tick(source.rng.randrange(number + 1))

        def whole(source: _Source = source) -> Iterator[bytes]:
            for _ in range(2):
                yield source.key() + source.some(2 * promised(bench.config, 128).per + 2)
                yield script.drain(bench.longest)
            yield bench.finish()

        seed = bench.seed * POWER_UPS + number
        board = bench.watch(whole(), seed, before * (number > 0) + script.pulse("rst_ni", 0, 1))
        problems += [f"power-up {number}: {text}" for text in _complete(board, source.blocks)]
        blocks += source.blocks
    return problems, f"{POWER_UPS} power-ups, {blocks} blocks"


def _idle_inputs(bench: Bench) -> Outcome:
    """While no block is in the core, all inputs change for thousands of cycles.

    Payloads are noise while they are not valid. Keys are offered and withdrawn, and the receiver is
    ready or not. Then a block still has the active key, and its promised cycles.
    """
    source, length = _Source(bench), max(1, bench.blocks // 2)
    script, problems, covered = bench.script, list[str](), 0
    for bits, selected in product(bench.config.key_sizes, bench.config.selections):
        promise = promised(selected, bits)
        source.blocks = 0

        def whole(bits: int = bits, selected: Config = selected) -> Iterator[bytes]:
            yield source.key(bits) + source.some(1, selected) + script.wait("out", 1)
            yield script.stall("out", 0.5)
            cycles = 0
            while cycles < length:
                offered, pause = source.rng.randrange(4), source.rng.randint(1, bench.longest)
                yield source.key(bits) + script.tick(offered) + script.withdraw("key")
                yield script.tick(pause)
                cycles += offered + pause
            # A withdrawn key may have been accepted in the last cycle of its offer.
            yield script.stall("out", 0) + script.tick(2 * bench.longest + 100)
            yield source.some(1, selected) + bench.finish()

        board = bench.watch(whole())
        problems += _complete(board, 2)
        if len(board.offered) == 2:
            latency = board.offered[1] - board.accepted[1]
            if latency != promise.latency:
                problems.append(f"{latency} cycles after a pause, promised {promise.latency}")
        covered += board.clocks
    return problems, f"{covered} cycles, {source.blocks} blocks for each kind"


def _resets_in_clears(bench: Bench) -> Outcome:
    """A reset in each cycle of a clear and after it, until the core has a key again, and later."""
    source, script, count = _Source(bench), bench.script, 0

    def whole() -> Iterator[bytes]:
        nonlocal count
        for bits in bench.config.key_sizes:
            promise = promised(bench.config, bits)
            for after in range(promise.key_setup + promise.latency + 4):
                yield source.key(bits) + source.some(2) + script.tick(bench.longest)
                yield script.withdraw("in") + script.withdraw("key")
                yield script.pulse("key_clear_i", 1) + source.key(bits)
                yield script.tick(after) + script.pulse("rst_ni", 0)
                yield source.key(bits) + source.some(1)
                yield script.tick(3 * bench.longest + opening_cycles(bench.config))
                count += 1
        yield bench.finish()

    board = bench.watch(whole())
    problems = list(board.problems)
    if len(board.offered) < count:
        problems.append(f"{len(board.offered)} results after {count} resets")
    return problems, f"{count} resets, {len(board.offered)} blocks"


def known_answers(bench: Bench) -> Outcome:
    """With self_test=on: a key is accepted in the promised cycles after a reset.

    A clear and another reset come before, in the test or after it.
    """
    problems: list[str] = []
    source, script, limit = _Source(bench), bench.script, opening_cycles(bench.config)
    latest = 0
    for after in sorted({*range(0, limit + 40, max(1, limit // 40)), *range(8)}):
        before = script.pulse("rst_ni", 0, 1) + script.tick(after)
        before += script.pulse("key_clear_i", 1, 1) + script.pulse("rst_ni", 0, 1)

        def whole(after: int = after) -> Iterator[bytes]:
            # A clear in the test has nothing to clear, and does not disturb it.
            yield script.tick(after) + script.pulse("key_clear_i", 1, 1) + source.key()
            yield source.some(2) + script.wait("out", 2) + bench.finish()

        def offered() -> Iterator[bytes]:
            yield source.key() + source.some(2) + script.wait("out", 2) + bench.finish()

        for run in (whole, offered):
            source.blocks = 0
            board = bench.watch(run(), reset=before)
            problems += _complete(board, 2)
            if run is offered and board.keyed:
                latest = max(latest, board.keyed[0] - after - 3)
    if latest > limit:
        problems.append(f"a key is accepted {latest} cycles after a reset, promised {limit}")
    return problems, f"a key is accepted at most {latest} cycles after a reset"


def soak(bench: Bench, cycles: int) -> Outcome:
    """Random keys, blocks, stalls, clears and resets for at least so many cycles."""
    source, script, wiped = _Source(bench), bench.script, 0

    def whole() -> Iterator[bytes]:
        nonlocal wiped
        rng, left = source.rng, cycles
        promise = promised(bench.config, max(bench.config.key_sizes))
        while left > 0:
            for name in ("key", "in", "out"):
                yield script.stall(name, rng.choice(_STALLS))
            run = rng.choice((1, 10, 100, 1000))
            # About as long as the blocks take, so that they are in the core at the next key.
            pause = int(run * promise.cycles_per_block * rng.uniform(0.5, 2)) + 1
            yield source.key() + source.some(run) + script.tick(pause)
            left -= pause
            if rng.random() < 0.1:
                port, value = rng.choice((("key_clear_i", 1), ("rst_ni", 0)))
                yield script.pulse(port, value) + source.key()
                wiped += 1
        yield bench.finish()

    board = bench.watch(whole())
    problems = list(board.problems)
    if len(board.accepted) != source.blocks:
        problems.append(f"{len(board.accepted)} of {source.blocks} blocks were accepted")
    if len(board.offered) + board.cleared != len(board.accepted):
        problems.append(f"{len(board.offered)} results of {len(board.accepted)} blocks")
    if board.clocks < cycles:
        problems.append(f"{board.clocks} of {cycles} cycles ran")
    return problems, (
        f"{board.clocks:,} cycles, {len(board.offered):,} blocks, {len(board.keyed):,} keys, "
        f"{wiped} clears and resets"
    )


CHECKS: dict[str, Callable[[Bench], Outcome]] = {
    "long_stalls": _long_stalls,
    "one_key": _one_key,
    "power_up": _power_up,
    "idle_inputs": _idle_inputs,
    "resets_in_clears": _resets_in_clears,
}
