"""What the tests of GCM share, around one core and over lanes."""

import random
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from packet_benches import KEY, bench, play

from aesforge.sim.packets import Header, Packet, authenticated, beats, gcm
from aesforge.space.modes import MODES

IV = bytes(range(16, 28))
PAGES = Path(__file__).resolve().parents[1] / "docs" / "modes"
SIZES = (64, 512, 1500, 9000)


def packet(
    data: bytes, aad: bytes = b"", tag: bytes | None = None, iv: bytes = b"", mode: str = "gcm"
) -> Packet:
    """A packet to encrypt, or with a tag to decrypt, with the IV in the header or sent."""
    header = Header(mode, tag is not None, IV.ljust(16, b"\xa5"), 16)
    return header, beats(header, data, tag, aad=aad, iv=iv)


def clears_leave_no_trace(core: str, size: int) -> None:
    """A clear in any cycle of a packet of so many bytes, and a packet after it."""
    test, rng = bench(core), random.Random(6)

    def script() -> Iterator[bytes]:
        for cycle in range(1, 130, 2):
            data = rng.randbytes(size)
            yield test.key(rng.randbytes(16)) + test.script.wait("key", cycle)
            yield from test.packets([packet(data, data[:9]), packet(data, iv=data[:20])])
            yield test.script.tick(cycle) + test.script.level("key_clear_i", 1)
            yield test.script.tick(1) + test.withdraw() + test.script.level("key_clear_i", 0)
            yield test.key(rng.randbytes(16)) + test.script.wait("key", cycle + 1)
            yield from test.packets([packet(data, iv=data[:20])])
            yield test.script.drain(test.longest, 200_000)

    board = test.watch(script())
    assert board.problems == []
    assert board.cleared > 20


def timings(core: str, size: int) -> int:
    """How many timings packets of so many bytes have, with other keys, data and verdicts."""
    seen = set()
    for seed in range(3):
        rng = random.Random(seed)
        key, data = rng.randbytes(16), rng.randbytes(size)
        secret, tag = authenticated("gcm", key, IV, data, data)
        tag = tag if seed else rng.randbytes(16)
        board = play(core, [packet(data), packet(secret, data, tag), packet(data)], [key], 0)
        assert board.outputs[1][-1].kind == ("verified" if seed else "failed")
        seen.add((tuple(board.accepted), tuple(board.offered), tuple(board.opened)))
    return len(seen)


def lost(core: str, size: int, decrypt: bool, count: int = 24) -> int:
    """Cycles of a packet in a sequence of equal ones under one key, less those of its payload."""
    test = bench(core)
    data = random.Random(size).randbytes(size)
    secret, tag = gcm(KEY, IV, b"", data)
    whole = packet(secret, b"", tag) if decrypt else packet(data)
    board = play(core, [whole] * count, stalls=0)
    each = len(test.widened(whole[1]))
    assert len(board.accepted) == each * count
    # The powers of a new subkey are made while the first packets wait.
    turns = [board.accepted[each * n] for n in range(count - 5, count)]
    steps = {after - before for before, after in pairwise(turns)}
    assert len(steps) == 1, steps
    promise = test.promise(MODES["gcm"], decrypt, 128)
    return steps.pop() - -(-size // test.config.beat_bytes) * promise.interval


def latencies(core: str, mode: str = "gcm") -> tuple[int, int]:
    """Cycles from a beat of payload to its result: the least in a packet, and the promise."""
    test, count = bench(core), 300
    header = Header(mode, False, IV.ljust(16, b"\0"), 16)
    given = beats(header, random.Random(1).randbytes(count * test.config.beat_bytes), None)
    board = play(core, [(header, given)])
    # The last beat of all waits for the lengths.
    pairs = zip(board.accepted[: count - 1], board.offered[: count - 1], strict=True)
    promise = test.promise(MODES[mode], False, min(test.config.key_sizes))
    return min(there - at for at, there in pairs), promise.latency


def said(page: str) -> dict[str, list[int]]:
    """The cycles that a page says are lost for packets of each of `SIZES`, by core."""
    text = (PAGES / page).read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([^`]+)`[^|]*\|((?: *\d+ *\|){4})$", text, re.MULTILINE)
    return {core: [int(cell) for cell in cells.split("|")[:4]] for core, cells in rows}
