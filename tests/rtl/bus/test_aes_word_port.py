"""aes_word_port in front of an abstract core: one that keeps the contract and nothing more."""

import random
from collections import deque
from collections.abc import Mapping

from benches import BUS, KEY_BITS
from runner import Sink, Source, View, for_each, simulate

SIZES = (16, 24, 32)


def test_aes_word_port() -> None:
    simulate(__file__, BUS)


def answer(block: int, decrypt: int, sboxes: int, key: int) -> int:
    """The result of the abstract core: it depends on every bit that a core may use."""
    return (block * 0x9E3779B97F4A7C15F39CC0605CEDC835 ^ key ^ decrypt << 3 ^ sboxes << 70) % 2**128


class Core:
    """A core of any latency: ready and valid at random, and a fixed pattern at full speed."""

    def __init__(self, view: View, stall: float, latency: int = 0, interval: int = 1) -> None:
        self.view, self.stall = view, stall
        self.latency, self.interval = latency, interval
        self.key: tuple[int, int] | None = None
        self.keys = 0
        self._results: deque[tuple[int, int]] = deque()
        self._offering = False
        self._next = 0

    def _pauses(self) -> bool:
        return random.random() < self.stall

    def drive(self) -> None:
        """Offer a result, and accept keys and blocks, or not."""
        now = self.view.clocks
        ready = self.key is not None and now >= self._next and not self._pauses()
        due = bool(self._results) and self._results[0][0] <= now
        self._offering = due and (self._offering or not self._pauses())
        data = self._results[0][1] if self._offering else random.getrandbits(128)
        self.view.set(
            core_key_ready_i=int(not self._pauses()),
            core_in_ready_i=int(ready),
            core_out_valid_i=int(self._offering),
            core_out_data_i=data,
        )

    def sample(self) -> None:
        """See what is transferred."""
        get, now = self.view.get, self.view.clocks
        if self._offering and get("core_out_ready_o"):
            self._results.popleft()
            self._offering = False
        if get("core_in_valid_o") and get("core_in_ready_i"):
            assert self.key is not None
            names = ("core_in_data_o", "core_in_decrypt_o", "core_in_sboxes_o")
            result = answer(*map(get, names), self.key[0])
            self._results.append((now + max(1, self.latency), result))
            self._next = now + self.interval
        if get("core_key_valid_o") and get("core_key_ready_i"):
            self.key = get("core_key_o"), get("core_key_len_o")
            self.keys += 1

    def wipe(self) -> None:
        """Cleared or reset."""
        self.key = None
        self._results.clear()
        self._offering = False


class Port:
    """The word port with drivers on its channels and a reference that sees each handshake."""

    def __init__(self, view: View, stall: float = 0.0, latency: int = 0, interval: int = 1) -> None:
        self.view = view
        bits = int(dict(view.item.parameters)["KeyBits"])
        self.core = Core(view, stall, latency, interval)
        self.sizes = SIZES if bits == KEY_BITS[0] else (bits // 8,)
        self.keys = Source(view, "key", stall)
        self.blocks = Source(view, "in", stall)
        self.results = Sink(view, "out", stall)
        self.keys.sent, self.blocks.sent = self._key_word, self._block_word
        self.results.taken = self._result_word
        self.key: bytes | None = None
        self.keys_taken = 0
        self.expected: deque[int] = deque()
        self.taken = 0
        self._key_words: list[Mapping[str, int]] = []
        self._block_words: list[Mapping[str, int]] = []
        # A block accepted in the cycle of a key handshake uses the previous key.
        view.agents = [self.core, self.results, self.blocks, self.keys]

    def send_key(self, key: bytes) -> None:
        for k in range(0, len(key), 4):
            # key_len_i is used with the first word only.
            length = len(key) // 8 - 2 if k == 0 else random.getrandbits(2)
            self.keys.queue.append({"key_i": int.from_bytes(key[k : k + 4]), "key_len_i": length})

    def send_block(self) -> None:
        # Direction and S-boxes count with the first word only.
        for _ in range(4):
            word = {"in_data_i": random.getrandbits(32), "in_decrypt_i": random.getrandbits(1)}
            self.blocks.queue.append({**word, "in_sboxes_i": random.getrandbits(2)})

    def send_random(self, blocks: int, size: int | None = None) -> None:
        self.send_key(random.randbytes(size or random.choice(self.sizes)))
        for _ in range(blocks):
            self.send_block()

    def _key_word(self, item: Mapping[str, int]) -> None:
        self._key_words.append(item)
        size = self.sizes[0]
        if len(self.sizes) > 1:
            size = SIZES[self._key_words[0]["key_len_i"]]
        if len(self._key_words) == size // 4:
            self.key = b"".join(word["key_i"].to_bytes(4) for word in self._key_words)
            self.keys_taken += 1
            # The core has got it, in the cycle of the last word.
            left = int.from_bytes(self.key.ljust(32, b"\0"))
            assert self.core.key == (left, size // 8 - 2)
            assert self.core.keys == self.keys_taken
            self._key_words = []

    def _block_word(self, item: Mapping[str, int]) -> None:
        self._block_words.append(item)
        if len(self._block_words) == 4:
            assert self.key is not None, "a block was taken without a key"
            words = [word["in_data_i"] for word in self._block_words]
            block = sum(word << (96 - 32 * k) for k, word in enumerate(words))
            first, key = self._block_words[0], int.from_bytes(self.key.ljust(32, b"\0"))
            result = answer(block, first["in_decrypt_i"], first["in_sboxes_i"], key)
            self.expected.extend(result >> (96 - 32 * k) & 0xFFFFFFFF for k in range(4))
            self._block_words = []

    def _result_word(self, word: int) -> None:
        assert self.expected, "a result word without a block"
        assert word == self.expected.popleft(), self.view.item.name
        self.taken += 1

    async def drained(self) -> None:
        """Wait until every result is transferred; then there is no further result."""
        await self.view.until(
            lambda: not (self.keys.queue or self.blocks.queue or self.expected), 20_000
        )
        await self.view.tick(20)

    async def wipe(self, **pins: int) -> None:
        """Clear or reset in this cycle; keys and blocks in progress are discarded."""
        self.keys.drop()
        self.blocks.drop()
        self.view.set(**pins)
        await self.view.tick()
        self.view.set(key_clear_i=0, rst_ni=1)
        self.results.drop()
        self.core.wipe()
        self.core.keys = self.keys_taken
        self.expected.clear()
        self.key, self._key_words, self._block_words = None, [], []


async def port(view: View, stall: float = 0.0, latency: int = 0, interval: int = 1) -> Port:
    await view.reset()
    return Port(view, stall, latency, interval)


@for_each(BUS, "aes_word_port")
async def keys_of_all_sizes(view: View) -> None:
    bench = await port(view)
    for size in (*bench.sizes, *bench.sizes[::-1]):
        bench.send_random(3, size)
        await bench.drained()
    assert bench.taken == 4 * 3 * 2 * len(bench.sizes)


@for_each(BUS, "aes_word_port")
async def words_arrive_in_order_under_random_stalls(view: View) -> None:
    for stall in (0.3, 0.7):
        bench = await port(view, stall)
        bench.send_random(25)
        await bench.drained()
        assert bench.taken == 100


@for_each(BUS, "aes_word_port")
async def blocks_around_a_key_change_use_their_key(view: View) -> None:
    """Blocks flow without a pause while keys change; the reference knows the key of each block."""
    bench = await port(view, 0.2)
    for _ in range(10):
        bench.send_random(6)
    await bench.drained()
    assert bench.keys_taken == 10
    assert bench.taken == 4 * 60


@for_each(BUS, "aes_word_port")
async def the_port_costs_one_cycle_of_latency_and_no_throughput(view: View) -> None:
    """From the last word in to the first word out; a block per 4 cycles, or as the core allows."""
    for latency, interval in ((1, 1), (3, 4), (11, 11), (30, 4), (17, 1)):
        bench = await port(view, 0.0, latency, interval)
        bench.send_random(0)
        await bench.drained()
        taken = bench.taken
        for _ in range(9):
            bench.send_block()
        await view.until(lambda bench=bench: len(bench.blocks.queue) == 32)
        accepted = view.clocks - 1
        await view.until(lambda: view.get("out_valid_o") == 1)
        assert view.clocks - accepted == latency + 1
        first = view.clocks
        await view.until(lambda bench=bench, taken=taken: bench.taken == taken + 36)
        assert view.clocks - first == 8 * max(4, interval) + 4


@for_each(BUS, "aes_word_port")
async def clear_and_reset_at_any_moment_discard_everything(view: View) -> None:
    bench = await port(view, 0.2)
    for moment in range(0, 150, 3):
        bench.send_random(4)
        await view.tick(moment + random.randrange(3))
        await bench.wipe(**({"rst_ni": 0} if moment % 4 == 0 else {"key_clear_i": 1}))
        # Without a key there is no result, and the last word of a block is not accepted.
        bench.send_block()
        await view.tick(40)
        assert len(bench.blocks.queue) == 1
        assert not bench.expected
        bench.send_random(1)
        await bench.drained()
