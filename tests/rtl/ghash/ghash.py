"""GHASH in Python, from SP 800-38D, and what the tests of its modules share."""

import random
from collections.abc import Sequence

from runner import Sink, Source, View

# R (SP 800-38D, 6.3): 11100001 and 120 zeros.
R = 0xE1 << 120


def multiply(x: int, y: int) -> int:
    """X * Y (SP 800-38D, algorithm 1); bit 0 of a block is its most significant one."""
    z, v = 0, y
    for i in range(128):
        if x >> (127 - i) & 1:
            z ^= v
        v = v >> 1 ^ (R if v & 1 else 0)
    return z


def ghash(subkey: int, blocks: Sequence[int]) -> int:
    """GHASH of whole blocks (SP 800-38D, algorithm 2)."""
    y = 0
    for block in blocks:
        y = multiply(y ^ block, subkey)
    return y


class Bench:
    """A GHASH module with a key, messages sent and hashes expected.

    One with several lanes has any number of blocks in a beat, or as many as lanes if they are
    `whole`.
    """

    def __init__(self, view: View, stall: float, whole: bool = False) -> None:
        self.view, self.whole = view, whole
        self.lanes = int(dict(view.item.parameters).get("Lanes", 1))
        self.subkey = 0
        self.expected: list[int] = []
        self.source = Source(view, "in", stall)
        self.sink = Sink(view, "out", stall)
        self.sink.taken = self._check
        view.agents[:] = [self.source, self.sink]

    def _check(self, value: int) -> None:
        assert value == self.expected.pop(0), self.view.item.name

    async def set_key(self, subkey: int) -> None:
        """Offer a subkey until it is accepted."""
        self.view.set(key_valid_i=1, key_i=subkey)
        await self.view.until(lambda: bool(self.view.get("key_ready_o")))
        await self.view.tick()
        await self.view.apply(key_valid_i=0, key_i=random.getrandbits(128))
        self.subkey = subkey

    def send(self, blocks: Sequence[int]) -> None:
        """Queue a message under the present subkey."""
        left = list(blocks)
        while left:
            count = self.lanes if self.whole else random.randint(1, self.lanes)
            self.beat(left[:count], not left[count:])
            del left[:count]
        self.expected.append(ghash(self.subkey, blocks))

    def beat(self, blocks: Sequence[int], last: bool) -> None:
        """Queue a beat of one block, or of several."""
        data = sum(x << 128 * (self.lanes - 1 - k) for k, x in enumerate(blocks))
        count = {"in_blocks_i": len(blocks)} if self.lanes > 1 else {}
        self.source.queue.append({"in_data_i": data, "in_last_i": int(last), **count})

    async def drain(self) -> None:
        """Wait until all hashes are taken."""
        await self.view.until(lambda: not self.expected, limit=20_000)


def message(longest: int = 24) -> list[int]:
    """A random message, often short."""
    length = random.choice((1, 2, 3, random.randint(1, longest)))
    return [random.getrandbits(128) for _ in range(length)]


async def messages_match(view: View) -> None:
    """Messages of many lengths, subkeys between them, stalls on both sides."""
    await view.reset()
    for stall in (0.0, 0.5, 0.8):
        bench = Bench(view, stall)
        for _ in range(2):
            await bench.set_key(random.getrandbits(128))
            for _ in range(4):
                bench.send(message())
            await bench.drain()


async def clear_leaves_nothing(view: View) -> None:
    """A clear in the middle of a message: the next one has a hash of its own."""
    await view.reset()
    for _ in range(4):
        bench = Bench(view, 0.3)
        await bench.set_key(random.getrandbits(128))
        bench.send(message(40))
        bench.send(message(40))
        await view.tick(random.randint(1, 60))
        bench.source.drop()
        bench.sink.drop()
        await view.apply(in_valid_i=0, out_ready_i=0, clear_i=1)
        await view.edge()
        await view.apply(clear_i=0)
        assert not view.get("out_valid_o")
        assert not view.get("in_ready_o"), "no block is accepted without a subkey"
        bench = Bench(view, 0.3)
        await bench.set_key(random.getrandbits(128))
        bench.send(message())
        await bench.drain()


async def a_key_waits_for_the_end_of_a_message(view: View) -> None:
    """A subkey offered in the middle of a message is not accepted before its last block."""
    await view.reset()
    bench = Bench(view, 0.2)
    await bench.set_key(random.getrandbits(128))
    first, second = random.getrandbits(128), random.getrandbits(128)
    bench.beat([first], False)
    await view.until(lambda: not bench.source.queue)
    view.set(key_valid_i=1, key_i=random.getrandbits(128))
    for _ in range(200):
        await view.settle()
        assert not view.get("key_ready_o")
        await view.tick()
    await view.apply(key_valid_i=0)
    bench.beat([second], True)
    bench.expected.append(ghash(bench.subkey, [first, second]))
    await bench.drain()


async def rate_and_latency(view: View, cycles: int, latency: int, between: int = 0) -> None:
    """A beat each `cycles` cycles, `between` more for each message, and the hash after `latency`.

    The latency counts from the cycle of the last beat to the cycle of the hash.
    """
    await view.reset()
    bench = Bench(view, 0.0, whole=True)
    await bench.set_key(random.getrandbits(128))
    await view.until(lambda: bool(view.get("in_ready_o")), limit=2000)
    lengths = (9, 12, 10, 40)
    for length in lengths:
        bench.send([random.getrandbits(128) for _ in range(length * bench.lanes)])
    start = view.clocks
    await bench.drain()
    blocks, gaps = sum(lengths) - 1, len(lengths) - 1
    assert view.clocks - start == cycles * blocks + between * gaps + latency + 1, view.item.name


async def a_hash_waits_until_it_is_taken(view: View) -> None:
    """Meanwhile neither a beat nor a subkey is accepted."""
    await view.reset()
    bench = Bench(view, 0.0)
    await bench.set_key(random.getrandbits(128))
    bench.sink.stall = 1.0
    bench.send([random.getrandbits(128)])
    await view.until(lambda: bool(view.get("out_valid_o")))
    bench.send([random.getrandbits(128)])
    for _ in range(5):
        await view.tick()
        await view.settle()
        assert view.get("out_valid_o")
        assert not view.get("in_ready_o")
        assert not view.get("key_ready_o")
    bench.sink.stall = 0.0
    await bench.drain()
