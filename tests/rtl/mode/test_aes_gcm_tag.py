"""aes_gcm_tag: hashes and results in order under stalls, lengths beyond their carries, clears."""

import random
from typing import Any

from benches import KIND_FAILED, KIND_TAG, MODE, MODE_CODES
from runner import Sink, View, for_each, simulate
from suite import EVERYDAY

from aesforge.sim.packets import Ghash


def test_aes_gcm_tag() -> None:
    simulate(__file__, MODE)


# In the simulator -------------------------------------------------------------------------------

HASH = {name.removeprefix("HASH_"): code for name, code in MODE_CODES.items() if "HASH_" in name}


class Bench:
    """Sends the steps of packets in order, and compares what is output."""

    def __init__(self, view: View, stall: float) -> None:
        self.view, self.stall = view, stall
        self.steps: list[dict[str, int]] = []
        self.expected: list[tuple[int, int, int, int]] = []
        self.ivs: list[int] = []
        self.subkey = bytes(16)
        sink = Sink(view, "out", stall)
        sink.taken = self._taken
        view.agents[:] = [self, sink]
        self._offer: dict[str, int] | None = None
        self.wait = 0

    def _taken(self, value: int) -> None:
        view = self.view
        found = (value, *(view.get(f"out_{name}_o") for name in ("kind", "bytes", "last")))
        assert found == self.expected.pop(0)

    def drive(self) -> None:
        """Offer the next step; its result is done some cycles later."""
        view = self.view
        if self._offer is None and self.steps and random.random() >= self.stall:
            self._offer = self.steps.pop(0)
            self.wait = random.randrange(4) if self.stall else 0
            view.set(**self._offer)
        view.set(in_valid_i=int(self._offer is not None), in_done_i=int(self.wait == 0))
        self.wait = max(0, self.wait - 1)

    def sample(self) -> None:
        """Whether the step is taken; whether the hash of an IV arrives."""
        view = self.view
        if view.get("iv_valid_o"):
            assert view.get("iv_data_o") == self.ivs.pop(0)
        if self._offer is not None and view.get("in_ready_o") and view.get("in_done_i"):
            self._offer = None

    def step(self, what: str, data: int = 0, block: int = 0, **ports: int) -> None:
        """Queue a step."""
        zero: dict[str, int] = dict.fromkeys(("emit", "kind", "bytes", "last"), 0)
        self.steps.append(
            {"in_hash_i": HASH[what], "in_data_i": data, "in_block_i": block}
            | {f"in_{name}_i": value for name, value in (zero | ports).items()}
        )

    def key(self) -> None:
        """Queue a subkey."""
        self.subkey = random.randbytes(16)
        self.step("KEY", int.from_bytes(self.subkey, "big"))

    def hashed(self, sizes: list[tuple[int, bool]], end: str) -> None:
        """Queue a message of blocks with sizes, each with a result or not, and its end."""
        blocks, lengths = [], [0, 0]
        for size, emits in sizes:
            block, data = random.randbytes(size).ljust(16, b"\0"), random.getrandbits(128)
            self.step(
                random.choice(("RESULT", "MASK")),
                data,
                int.from_bytes(block, "big"),
                emit=int(emits),
                kind=2,
                bytes=size,
            )
            if emits:
                self.expected.append((data, 2, size, 0))
            blocks.append(block)
            lengths[emits] += 8 * size
        if end == "IV":
            lengths.reverse()
        tail = b"".join(length.to_bytes(8, "big") for length in lengths)
        found = int.from_bytes(Ghash(self.subkey)([*blocks, tail]), "big")
        if end == "IV":
            self.step("IV", random.getrandbits(128))
            self.ivs.append(found)
            return
        data, kind = random.getrandbits(128), random.choice((KIND_TAG, KIND_FAILED))
        self.step("TAG", data, emit=1, kind=kind, bytes=16, last=1)
        self.expected.append((data ^ found, kind, 16, 1))

    async def drain(self) -> None:
        """Wait until everything is output."""
        done: Any = lambda: not (self.steps or self._offer or self.expected or self.ivs)  # noqa: E731
        await self.view.until(done, limit=200_000)
        await self.view.tick(3)


def random_packets(bench: Bench, count: int) -> None:
    for _ in range(count):
        if random.random() < 0.2:
            bench.key()
        if random.random() < 0.3:
            sizes = [(random.randrange(1, 17), False) for _ in range(random.randrange(3))]
            bench.hashed(sizes, "IV")
        if random.random() < 0.3:
            # A result of a mode that hashes nothing passes in order.
            data = random.getrandbits(128)
            bench.step("NONE", data, emit=1, kind=2, bytes=16, last=1)
            bench.expected.append((data, 2, 16, 1))
        count = random.randrange(7)
        split = random.randrange(count + 1)
        sizes = [
            (random.choice((16, 16, random.randrange(1, 17))), n >= split) for n in range(count)
        ]
        bench.hashed(sizes, "TAG")


@for_each(MODE, "aes_gcm_tag")
async def hashes_are_added_to_tags_in_order(view: View) -> None:
    await view.reset()
    for stall in (0.0, 0.3, 0.7):
        bench = Bench(view, stall)
        bench.key()
        random_packets(bench, 12)
        await bench.drain()


@for_each(MODE, "aes_gcm_tag")
async def lengths_are_counted_beyond_their_low_bits(view: View) -> None:
    """A carry is added one cycle after its block, also when the block of lengths follows."""
    await view.reset()
    if dict(view.item.parameters)["HashDigit"] != 128:
        return
    bench = Bench(view, 0.0)
    bench.key()
    for blocks in (4096,) if EVERYDAY else (4096, 4097):
        for emits in (False, True):
            if not (EVERYDAY and emits):
                bench.hashed([(16, emits)] * blocks, "TAG")
            if emits or not EVERYDAY:
                bench.hashed([(16, emits)] * (blocks - 1) + [(15, emits), (1, emits)], "TAG")
    bench.hashed([(16, False)] * 16, "IV")
    await bench.drain()


@for_each(MODE, "aes_gcm_tag")
async def clear_leaves_nothing(view: View) -> None:
    await view.reset()
    for cycles in range(0, 60, 12 if EVERYDAY else 3):
        bench = Bench(view, 0.0)
        bench.key()
        random_packets(bench, 4)
        await view.tick(cycles)
        view.agents.clear()
        await view.apply(clear_i=1, in_valid_i=0, out_ready_i=0)
        await view.edge()
        await view.apply(clear_i=0)
        assert (view.get("out_valid_o"), view.get("iv_valid_o")) == (0, 0)
        after = Bench(view, 0.2)
        after.key()
        random_packets(after, 2)
        await after.drain()
