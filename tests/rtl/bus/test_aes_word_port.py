import random
from collections import deque
from collections.abc import Mapping

from benches import BUS, KEY_BITS
from runner import BOTH, DECRYPT, Sink, Source, View, for_each, simulate

from aesforge.core import model

SIZES = (16, 24, 32)


def test_aes_word_port() -> None:
    simulate(__file__, BUS)


class Port:
    """The word port with drivers on its channels and a reference that sees each handshake."""

    def __init__(self, view: View, stall: float = 0.0) -> None:
        self.view = view
        parameters = dict(view.item.parameters)
        bits, self.direction = int(parameters["KeyBits"]), parameters["Direction"]
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
        view.agents = [self.results, self.blocks, self.keys]

    def send_key(self, key: bytes) -> None:
        for k in range(0, len(key), 4):
            # key_len_i is used with the first word only.
            length = len(key) // 8 - 2 if k == 0 else random.getrandbits(2)
            self.keys.queue.append({"key_i": int.from_bytes(key[k : k + 4]), "key_len_i": length})

    def send_block(self, block: bytes, decrypt: int) -> None:
        for k in range(0, 16, 4):
            direction = decrypt if k == 0 else random.getrandbits(1)
            word = int.from_bytes(block[k : k + 4])
            self.blocks.queue.append({"in_data_i": word, "in_decrypt_i": direction})

    def send_random(self, blocks: int, size: int | None = None) -> None:
        self.send_key(random.randbytes(size or random.choice(self.sizes)))
        for _ in range(blocks):
            self.send_block(random.randbytes(16), random.getrandbits(1))

    def _key_word(self, item: Mapping[str, int]) -> None:
        self._key_words.append(item)
        size = self.sizes[0]
        if len(self.sizes) > 1:
            size = SIZES[self._key_words[0]["key_len_i"]]
        if len(self._key_words) == size // 4:
            self.key = b"".join(word["key_i"].to_bytes(4) for word in self._key_words)
            self.keys_taken += 1
            self._key_words = []

    def _block_word(self, item: Mapping[str, int]) -> None:
        self._block_words.append(item)
        if len(self._block_words) == 4:
            assert self.key is not None, "a block was taken without a key"
            block = b"".join(word["in_data_i"].to_bytes(4) for word in self._block_words)
            selected = self._block_words[0]["in_decrypt_i"]
            decrypt = selected if self.direction == BOTH else self.direction == DECRYPT
            result = (model.inverse_cipher if decrypt else model.cipher)(block, self.key)
            self.expected.extend(int.from_bytes(result[k : k + 4]) for k in range(0, 16, 4))
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
        self.expected.clear()
        self.key, self._key_words, self._block_words = None, [], []


async def port(view: View, stall: float = 0.0) -> Port:
    await view.reset()
    return Port(view, stall)


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
async def full_speed_equals_that_of_the_core(view: View) -> None:
    """One block per Nr + 1 cycles; the first result word Nr + 2 cycles after the last input."""
    bench = await port(view)
    size = bench.sizes[-1]
    interval = size // 4 + 7
    bench.send_random(0, size)
    await bench.drained()
    await view.tick(2 * interval)
    bench.send_random(0, size)
    await bench.drained()
    await view.tick(2 * interval)
    for _ in range(9):
        bench.send_block(random.randbytes(16), 0)
    await view.until(lambda bench=bench: len(bench.blocks.queue) == 32)
    accepted = view.clocks - 1
    await view.until(lambda: view.get("out_valid_o") == 1)
    assert view.clocks - accepted == interval + 1
    first = view.clocks
    await view.until(lambda bench=bench: bench.taken == 36)
    assert view.clocks - first == 8 * interval + 4


@for_each(BUS, "aes_word_port")
async def clear_and_reset_at_any_moment_discard_everything(view: View) -> None:
    bench = await port(view, 0.2)
    for moment in range(0, 150, 3):
        bench.send_random(4)
        await view.tick(moment + random.randrange(3))
        await bench.wipe(**({"rst_ni": 0} if moment % 4 == 0 else {"key_clear_i": 1}))
        # Without a key there is no result, and the last word of a block is not accepted.
        bench.send_block(random.randbytes(16), 0)
        await view.tick(40)
        assert len(bench.blocks.queue) == 1
        assert not bench.expected
        bench.send_random(1)
        await bench.drained()


@for_each(BUS, "aes_word_port")
async def wrong_key_gives_another_result(view: View) -> None:
    """The reference detects a key that differs in one bit."""
    bench = await port(view)
    key = random.randbytes(bench.sizes[0])
    bench.send_key(key)
    await bench.drained()
    bench.key = model.xor(key, bytes(len(key) - 1) + b"\x01")
    bench.send_block(random.randbytes(16), 0)
    try:
        await bench.drained()
    except AssertionError:
        return
    raise AssertionError("the wrong key was not noticed")
