"""A reference model of the modes, which follows an `aes_mode` handshake by handshake."""

import random
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field

from benches import CBC, CTR, INTERLEAVED, ITERATIVE, PIPELINED
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms
from cryptography.hazmat.primitives.ciphers import modes as library
from runner import DECRYPT, ENCRYPT, Sink, Source, View

MASK = (1 << 128) - 1


def block(key: bytes, value: int, decrypt: bool) -> int:
    """One block through the library's cipher."""
    cipher = Cipher(algorithms.AES(key), library.ECB())
    context = cipher.decryptor() if decrypt else cipher.encryptor()
    return int.from_bytes(context.update(value.to_bytes(16, "big")), "big")


def increment(counter: int, bits: int) -> int:
    """The standard incrementing function (SP 800-38A, B.1)."""
    low = (1 << bits) - 1
    return (counter & ~low) | ((counter + 1) & low)


def top_bytes(count: int) -> int:
    """A block with its first `count` bytes set."""
    return MASK & ~(MASK >> 8 * count)


@dataclass
class Model:
    """A mode with its keys and chaining values, updated by each handshake."""

    mode: int
    direction: int
    counter_bits: int
    streams: int
    key: bytes | None = None
    chains: dict[int, int] = field(default_factory=dict)
    expected: deque[tuple[int, int, int, int]] = field(default_factory=deque)

    def on_key(self, item: Mapping[str, int]) -> None:
        """A key is taken."""
        size = 16 + 8 * item["key_len_i"]
        self.key = item["key_i"].to_bytes(32, "big")[:size]

    def on_block(self, item: Mapping[str, int]) -> None:
        """A block is taken: its result is expected."""
        assert self.key is not None
        stream = item["in_stream_i"] if self.streams > 1 else 0
        data, count = item["in_data_i"], item["in_bytes_i"]
        chain = self.chains.pop(stream, item["in_iv_i"])
        decrypt = self.direction == DECRYPT or (
            self.direction != ENCRYPT and bool(item["in_decrypt_i"])
        )
        if self.mode == CTR:
            result = (block(self.key, chain, False) ^ data) & top_bytes(count)
            chain = increment(chain, self.counter_bits)
        elif self.mode == CBC and decrypt:
            result = block(self.key, data, True) ^ chain
            chain = data
        elif self.mode == CBC:
            result = chain = block(self.key, data ^ chain, False)
        else:
            result = block(self.key, data, decrypt)
        if not item["in_last_i"]:
            self.chains[stream] = chain
        self.expected.append((result, item["in_last_i"], count, item["in_stream_i"]))

    def on_result(self, value: tuple[int, ...]) -> None:
        """A result is transferred."""
        assert self.expected, "a result without a block"
        expected = self.expected.popleft()
        assert value == expected, f"{[f'{v:x}' for v in value]}, not {[f'{v:x}' for v in expected]}"

    def clear(self) -> None:
        """Discard keys, chaining values and expected results."""
        self.key = None
        self.chains.clear()
        self.expected.clear()


class Results(Sink):
    """A sink for result, last, bytes and stream together."""

    def sample(self) -> None:
        ports = ("out_data_o", "out_last_o", "out_bytes_o", "out_stream_o")
        valid = self._view.get("out_valid_o")
        value = tuple(self._view.get(port) for port in ports)
        if self._offered is not None:
            assert (valid, value) == (1, self._offered), "an offer must hold until it is taken"
        self._offered = value if valid and not self._ready else None
        if valid and self._ready:
            self.taken(value)


class Bench:
    """An `aes_mode` with drivers on its channels and its reference model."""

    def __init__(self, view: View) -> None:
        parameters = dict(view.item.parameters)
        self.view = view
        self.mode = int(parameters["Mode"])
        self.key_bits = int(parameters["KeyBits"])
        self.direction = int(parameters["Direction"])
        self.streams = int(parameters["Streams"])
        engines = {
            ITERATIVE: "iterative",
            INTERLEAVED: "interleaved",
            PIPELINED: "unrolled",
        }
        self.engine = engines[int(parameters["Engine"])]
        self.stages = str(parameters["Stages"])
        self.keys = str(self.key_bits or "any")
        self.model = Model(self.mode, self.direction, int(parameters["CounterBits"]), self.streams)
        self.key, self.blocks = Source(view, "key"), Source(view, "in")
        self.results = Results(view, "out")
        self.key.sent, self.blocks.sent = self.model.on_key, self.model.on_block
        self.results.taken = self.model.on_result
        # The block first: a key taken in the same cycle applies from the next block on.
        view.agents = [self.blocks, self.key, self.results]

    def stall(self, key: float, blocks: float, results: float) -> None:
        """How often each side pauses."""
        self.key.stall, self.blocks.stall, self.results.stall = key, blocks, results

    @property
    def key_sizes(self) -> tuple[int, ...]:
        """Key sizes of the instance, in bits."""
        return (self.key_bits,) if self.key_bits else (128, 192, 256)

    @property
    def decrypts(self) -> tuple[int, ...]:
        """The values of `in_decrypt_i` that match the directions of the instance."""
        return {ENCRYPT: (0,), DECRYPT: (1,)}.get(self.direction, (0, 1))

    def send_key(self, key: bytes) -> None:
        """Queue a key."""
        value = int.from_bytes(key.ljust(32, b"\0"), "big")
        self.key.queue.append({"key_i": value, "key_len_i": len(key) // 8 - 2})

    def send_random_key(self) -> None:
        """Queue a random key of a size of the instance."""
        self.send_key(random.randbytes(random.choice(self.key_sizes) // 8))

    def packet(self, data: bytes, iv: int, decrypt: int, stream: int) -> list[dict[str, int]]:
        """The blocks of a packet; later blocks carry another IV, which must be ignored."""
        blocks = []
        for start in range(0, len(data), 16):
            part = data[start : start + 16]
            blocks.append(
                {
                    # Bytes beyond `in_bytes_i` must be ignored.
                    "in_data_i": int.from_bytes(part + random.randbytes(16 - len(part)), "big"),
                    "in_decrypt_i": decrypt,
                    "in_iv_i": random.getrandbits(128) if start else iv,
                    "in_last_i": int(start + 16 >= len(data)),
                    "in_bytes_i": len(part),
                    "in_stream_i": stream,
                }
            )
        return blocks

    def random_packet(self, stream: int) -> list[dict[str, int]]:
        """A packet of one to six blocks; counters are near their wrap."""
        size = 16 * random.randint(1, 6)
        if self.mode == CTR:
            size -= random.randint(0, 15)
        iv = random.getrandbits(128)
        if random.random() < 0.5:
            iv |= (1 << random.choice((8, 32, 64, 128))) - 1
            iv -= random.randint(0, 3)
        return self.packet(random.randbytes(size), iv, random.choice(self.decrypts), stream)

    def send_random_packets(self, count: int) -> None:
        """Queue `count` packets, with the blocks of all streams interleaved at random."""
        lanes = [deque[dict[str, int]]() for _ in range(self.streams)]
        for _ in range(count):
            stream = random.randrange(self.streams)
            lanes[stream].extend(self.random_packet(stream))
        while any(lanes):
            self.blocks.queue.append(random.choice([lane for lane in lanes if lane]).popleft())

    @property
    def idle(self) -> bool:
        """Nothing left to send or to expect."""
        return not (self.key.queue or self.blocks.queue or self.model.expected)

    async def drain(self, limit: int = 20000) -> None:
        """Run until every result has been transferred."""
        await self.view.until(lambda: self.idle, limit)

    async def clear(self) -> None:
        """Clear for one cycle, at any point of an operation."""
        self.view.set(key_clear_i=1)
        await self.view.tick()
        self.view.set(key_clear_i=0)
        for channel in (self.key, self.blocks):
            channel.drop()
        self.results.drop()
        self.model.clear()
