"""Simulate a core against NIST's vectors and OpenSSL, and measure its promised cycles.

Each check runs a script on the channels of the contract. The scoreboard compares every result with
OpenSSL and checks that no block is lost, repeated, reordered, or processed with the wrong key.
"""

import math
import random
import time
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from itertools import product
from statistics import mean
from typing import Any

from aesforge.core import stack
from aesforge.errors import UserError, unknown
from aesforge.flows import verify_modes, verify_registers
from aesforge.flows.verify_modes import PacketBench
from aesforge.progress import track
from aesforge.sim import endurance
from aesforge.sim.bench import Bench, Outcome
from aesforge.sim.register_player import model
from aesforge.sim.vectors import KNOWN_ANSWER, MULTIBLOCK, cavs, rijndael
from aesforge.space.axes import Config
from aesforge.space.presets import Preset
from aesforge.space.promises import promised

BLOCKS = 10_000
"""Random blocks of a verification by default."""


@dataclass
class Check:
    """The result of a check. `detail` says what was covered, or what went wrong."""

    name: str
    holds: bool
    seconds: float
    detail: str


def _vectors(bench: Bench, kinds: tuple[str, ...]) -> Outcome:
    cases = [
        vector
        for bits in bench.config.key_sizes
        for vector in (cavs("ecb", kinds, bits) if bench.size == 16 else rijndael(bench.size, bits))
        if ("decrypt" if vector.decrypt else "encrypt") in bench.config.directions
    ]
    wrong = [v.name for v in cases if bench.function(v.key, v.decrypt)(v.data) != v.result]

    def script() -> Iterator[bytes]:
        taken = 0
        for number, vector in enumerate(cases, 1):
            # The key changes once all blocks of the previous case are accepted.
            yield bench.script.wait("in", taken) + bench.key(vector.key)
            yield bench.script.wait("key", number)
            for at in range(0, len(vector.data), bench.size):
                yield bench.block(vector.data[at : at + bench.size], vector.decrypt)
                taken += 1
        yield bench.script.wait("out", taken)

    board = bench.watch(script())
    # The oracle agrees with the files, and the core agrees with the oracle.
    problems = [f"the oracle disagrees with {name}" for name in wrong] + board.problems
    return problems, f"{len(cases)} vectors, {len(board.offered)} blocks"


def _known_answer(bench: Bench) -> Outcome:
    return _vectors(bench, KNOWN_ANSWER)


def _multiblock(bench: Bench) -> Outcome:
    return _vectors(bench, MULTIBLOCK)


def _monte_carlo(bench: Bench) -> Outcome:
    """AESAVS 6.4.1: 100 keys of 1000 chained blocks, for each key size and direction.

    With less than the default number of random blocks, as much shorter: of 2,000, 20 keys. OpenSSL
    computes the chain; a wrong result is reported at its block.
    """
    runs = min(100, math.ceil(bench.blocks / 100))

    def script() -> Iterator[bytes]:
        keys = taken = 0
        rng = random.Random(bench.seed)
        for bits in bench.config.key_sizes:
            for direction in bench.config.directions:
                decrypt = direction == "decrypt"
                key, data, last = rng.randbytes(bits // 8), rng.randbytes(bench.size), b""
                for _ in range(runs):
                    keys += 1
                    yield bench.script.wait("in", taken, 1_000_000) + bench.key(key)
                    yield bench.script.wait("key", keys)
                    function = bench.function(key, decrypt)
                    for _ in range(1000):
                        yield bench.block(data, decrypt)
                        last, data = data, function(data)
                    taken += 1000
                    tail = (last + data)[-(bits // 8) :]
                    key = bytes(a ^ b for a, b in zip(key, tail, strict=True))
        yield bench.script.wait("out", taken, 1_000_000)

    board = bench.watch(script())
    return board.problems, f"{len(board.offered)} chained blocks, {len(board.keyed)} keys"


def _random_blocks(bench: Bench, begin: Iterator[bytes], wipe: str | None) -> Outcome:
    """Random keys, blocks and directions with random stalls, after the script `begin`.

    The input named `wipe`, if any, clears the core every few runs, at any time.
    """
    rng = random.Random(bench.seed)
    # Cycles of a block, so that keys do not run ahead of the blocks that wait for a slow core.
    longest = max(bench.config.key_sizes)
    pace = math.ceil(
        mean(promised(selected, longest).cycles_per_block for selected in bench.config.selections)
    )

    def key() -> bytes:
        return bench.key(rng.randbytes(rng.choice(bench.config.key_sizes) // 8))

    # A port of words may have some of the words of a block when it is cleared.
    lost = 0

    def script() -> Iterator[bytes]:
        nonlocal lost
        yield from begin
        left = bench.blocks
        while left:
            run = min(left, rng.randrange(1, 40))
            left -= run
            for name in ("key", "in", "out"):
                yield bench.script.stall(name, rng.choice((0, 0, 0.2, 0.5, 0.9)))
            # In most runs the key is offered while blocks of the previous key are in flight.
            yield key()
            for _ in range(run):
                direction, selected = (
                    rng.choice(bench.config.directions),
                    rng.choice(bench.config.selections),
                )
                yield bench.block(rng.randbytes(bench.size), direction == "decrypt", selected)
            yield bench.script.tick(rng.randrange(0, 2 * run * pace + 40))
            if wipe is not None and rng.random() < 0.3:
                yield _wipe(bench, wipe, rng.choice((1, 1, 2, 5))) + key()
                lost += bench.config.port == "word32"
        yield bench.finish()

    board = bench.watch(script())
    problems = list(board.problems)
    if len(board.offered) + board.cleared != len(board.accepted):
        problems.append(f"{len(board.offered)} results of {len(board.accepted)} blocks")
    if len(board.accepted) < bench.blocks - lost:
        problems.append(f"{len(board.accepted)} of {bench.blocks} blocks were accepted")
    return problems, (
        f"{len(board.offered)} blocks, {len(board.keyed)} keys, {board.cleared} blocks cleared"
    )


def _wipe(bench: Bench, port: str, clocks: int) -> bytes:
    return bench.script.pulse(port, 0 if port == "rst_ni" else 1, clocks)


def _random(bench: Bench) -> Outcome:
    return _random_blocks(bench, iter(()), None)


def _wiped(bench: Bench, port: str) -> Outcome:
    """Clear the core in every cycle from the key handshake to the second result."""
    rng = random.Random(bench.seed)

    def every_clock() -> Iterator[bytes]:
        for bits, selected in product(bench.config.key_sizes, bench.config.selections):
            promise = promised(selected, bits)
            for direction in bench.config.directions:
                for after in range(promise.key_setup + 2 * promise.latency + 4):
                    yield bench.key(rng.randbytes(bits // 8))
                    for _ in range(2 * promise.per + 1):
                        yield bench.block(
                            rng.randbytes(bench.size), direction == "decrypt", selected
                        )
                    yield bench.script.tick(after) + _wipe(bench, port, 1)
                    # Blocks that were not yet accepted use the next key.
                    yield bench.key(rng.randbytes(bits // 8))
                    block = max(promise.latency, promise.interval)
                    yield bench.script.tick(3 * promise.key_setup + 8 * block)
                    yield _wipe(bench, port, 1)

    return _random_blocks(bench, every_clock(), port)


def _clears(bench: Bench) -> Outcome:
    return _wiped(bench, "key_clear_i")


def _resets(bench: Bench) -> Outcome:
    return _wiped(bench, "rst_ni")


def _promises(bench: Bench) -> Outcome:
    """Latency, interval and key setup at the ports, for each key size and direction."""
    problems: list[str] = []
    found: list[str] = []
    rng = random.Random(bench.seed)
    count = 32

    for bits, selected, direction in product(
        bench.config.key_sizes, bench.config.selections, bench.config.directions
    ):
        promise, key = promised(selected, bits), rng.randbytes(bits // 8)
        which = f"{bits} {direction}{_suffix(selected)}"

        def script(
            key: bytes = key, decrypt: bool = direction == "decrypt", selected: Config = selected
        ) -> Iterator[bytes]:
            # One block waits for the first key; then many blocks follow.
            yield bench.key(key) + bench.block(bytes(bench.size), decrypt, selected)
            yield bench.script.wait("out", 1) + bench.script.tick(5)
            for _ in range(count):
                yield bench.block(rng.randbytes(bench.size), decrypt, selected)
            yield bench.script.wait("out", 1 + count)

        board = bench.watch(script())
        problems += board.problems
        if not len(board.accepted) == len(board.offered) == 1 + count or not board.keyed:
            problems.append(f"{which}: blocks are missing")
            continue
        setup = board.accepted[0] - board.keyed[0] - 1
        latency = board.offered[0] - board.accepted[0]
        groups = (count - 1) // promise.per
        interval = (board.accepted[1 + groups * promise.per] - board.accepted[1]) / groups
        for what, measured, wanted in (
            ("key setup", setup, promise.key_setup),
            ("latency", latency, promise.latency),
            ("interval", interval, promise.interval),
        ):
            if measured != wanted:
                problems.append(f"{which}: {what} {measured:g} cycles, promised {wanted}")
        found.append(f"{which} {latency}/{interval:g}/{setup}")
    return problems, f"latency/interval/key setup: {', '.join(found)}"


def _suffix(run: Config) -> str:
    return "".join(f" sboxes={number}" for number in run.selectable_sboxes[:1])


def _changes(bench: Bench) -> Outcome:
    """Blocks with different selections in sequence: each takes its own number of cycles."""
    problems: list[str] = []
    rng = random.Random(bench.seed)
    count = 0
    for bits in bench.config.key_sizes:
        kinds = list(product(bench.config.selections, bench.config.directions))
        # Every kind of block after every other kind.
        order = [kind for pair in product(kinds, kinds) for kind in pair]
        key = rng.randbytes(bits // 8)

        def script(key: bytes = key, order: list[tuple[Config, str]] = order) -> Iterator[bytes]:
            yield bench.key(key) + bench.script.wait("key", 1)
            for selected, direction in order:
                yield bench.block(rng.randbytes(bench.size), direction == "decrypt", selected)
            yield bench.script.wait("out", len(order))

        board = bench.watch(script())
        problems += board.problems
        if not len(board.accepted) == len(board.offered) == len(order):
            problems.append(f"{bits}: blocks are missing")
            continue
        count += len(order)
        for number, (selected, direction) in enumerate(order):
            promise = promised(selected, bits)
            latency = board.offered[number] - board.accepted[number]
            if latency != promise.latency and promise.per == 1:
                problems.append(f"{bits} {direction}{_suffix(selected)}: {latency} cycles")
    return problems, f"{count} blocks, every kind after every other kind"


def _key_change(bench: Bench) -> Outcome:
    """A key change in mid-stream costs exactly the promised number of blocks."""
    problems: list[str] = []
    found: list[str] = []
    rng = random.Random(bench.seed)
    for bits, selected in product(bench.config.key_sizes, bench.config.selections):
        promise, which = promised(selected, bits), f"{bits}{_suffix(selected)}"
        count = 64 + promise.key_change_blocks
        blocks = [rng.randbytes(bench.size) for _ in range(count)]
        keys = [rng.randbytes(bits // 8) for _ in range(2)]

        def script(
            keys: list[bytes],
            blocks: list[bytes] = blocks,
            per: int = promise.per,
            selected: Config = selected,
        ) -> Iterator[bytes]:
            decrypt = bench.config.directions[0] == "decrypt"
            yield bench.key(keys[0]) + bench.script.wait("key", 1)
            for block in blocks:
                yield bench.block(block, decrypt, selected)
            yield bench.script.wait("in", 4 * per)
            for key in keys[1:]:
                yield bench.key(key)
            yield bench.script.wait("out", len(blocks))

        steady, changed = bench.watch(script(keys[:1])), bench.watch(script(keys))
        problems += steady.problems + changed.problems
        if not len(steady.accepted) == len(changed.accepted) == count:
            problems.append(f"{which}: blocks are missing")
            continue
        steps = steady.accepted[promise.per :: promise.per]
        gaps = {b - a for a, b in zip(steady.accepted[:: promise.per], steps, strict=False)}
        if gaps != {promise.interval}:
            problems.append(f"{which}: intervals between blocks of {sorted(gaps)} cycles")
        if len(changed.keyed) != 2:
            problems.append(f"{which}: the second key was not accepted")
        behind = max(
            number - bisect_right(changed.accepted, clock)
            for number, clock in enumerate(steady.accepted, 1)
        )
        if behind != promise.key_change_blocks:
            problems.append(
                f"{which}: a key change costs {behind} blocks, promised {promise.key_change_blocks}"
            )
        found.append(f"{which} {behind}")
    return problems, f"blocks lost by a key change in mid-stream: {', '.join(found)}"


CHECKS: dict[str, Callable[[Bench], Outcome]] = {
    "known_answer": _known_answer,
    "multiblock": _multiblock,
    "monte_carlo": _monte_carlo,
    "random_stalls_and_keys": _random,
    "clears_in_flight": _clears,
    "resets_in_flight": _resets,
    "promised_clocks": _promises,
    "every_kind_in_turn": _changes,
    "key_change_in_stream": _key_change,
    **endurance.CHECKS,
    "known_answers": endurance.known_answers,
}


def checks_of(config: Config) -> tuple[Any, dict[str, Callable[[Any], Outcome]]]:
    """The bench of a configuration, of blocks or of packets, and the checks that run on it."""
    if config.registers:
        # The cycles of a beat are those of its accesses, and further checks are of these.
        own = verify_registers
        return PacketBench, {
            **verify_modes.CHECKS,
            "promised_clocks": own.promised_clocks,
            "registers": own.registers,
            "errors_in_packets": own.errors_in_packets,
            "c_driver": own.c_driver,
        }
    if config.modes:
        # The standards' vectors are of AES.
        left_out = {"mode_vectors"} if config.block != "128" else set()
        checks = verify_modes.CHECKS
        return PacketBench, {name: checks[name] for name in checks if name not in left_out}
    # The vectors of Rijndael's longer blocks are single blocks.
    left_out = {"multiblock"} if config.block != "128" else set()
    left_out |= {"known_answers"} if config.self_test == "off" else set()
    return Bench, {name: check for name, check in CHECKS.items() if name not in left_out}


def verify(
    preset: Preset,
    config: Config,
    blocks: int = BLOCKS,
    seed: int = 1,
    only: tuple[str, ...] = (),
    cycles: int = 0,
) -> dict[str, Any]:
    """Run all checks, or those named in `only`, on one configuration.

    Each random check uses `blocks` random blocks; `seed` starts the random numbers. With `cycles`,
    a last check runs the core under random stalls for so many cycles.
    """
    if cycles < 0:
        raise UserError(f"--cycles {cycles} is impossible; give the number of cycles to run")
    if endurance.SOAK in only and not cycles:
        raise UserError(f"the check {endurance.SOAK} needs --cycles, such as --cycles 1000000")
    stack.require_contract(config, "verify")
    bench, known = checks_of(config)
    if config.modes and cycles:
        raise UserError("--cycles takes a core of blocks: leave out mode=, or give --blocks")
    if cycles:
        known[endurance.SOAK] = lambda bench: endurance.soak(bench, cycles)
    for name in only:
        if name not in known:
            raise unknown("check", name, known)
    if blocks < 1:
        raise UserError(f"--blocks {blocks} checks nothing; give 1 or more")
    chosen = {name: known[name] for name in only or known}
    checks = []
    with track(f"verify {preset.name}", len(chosen) + 1) as advance:
        bench = bench(config, model(config), blocks, seed)
        advance(1)
        for name, check in chosen.items():
            start = time.monotonic()
            problems, covered = check(bench)
            seconds = round(time.monotonic() - start, 3)
            detail = "; ".join(problems[:5]) if problems else covered
            checks.append(Check(name, not problems, seconds, detail))
            advance(1)
    return {
        "preset": preset.name,
        "config": config.as_dict(),
        "holds": all(check.holds for check in checks),
        "seed": seed,
        "checks": [asdict(check) for check in checks],
    }
