"""Random packets for the C driver, and what the standards say of each."""

import random
from collections.abc import Iterator
from dataclasses import dataclass

from aesforge.sim import packets
from aesforge.space.axes import Config
from aesforge.space.modes import Mode

OK, E_FAILED = 0, -7
"""Results of the driver: done; and not authentic, or aborted."""


def shown(data: bytes) -> str:
    """Bytes as a word of a line."""
    return data.hex() or "-"


@dataclass(frozen=True)
class Case:
    """A packet for the driver, and the result, output and tag that it must give."""

    mode: Mode
    decrypt: bool
    iv: bytes
    aad: bytes
    data: bytes
    tag_bytes: int
    tag: bytes
    expected: tuple[int, bytes, bytes]

    def line(self, how: str) -> str:
        """The line of input."""
        numbers = f"{self.mode.code} {int(self.decrypt)}"
        texts = (shown(part) for part in (self.iv, self.aad, self.data))
        return f"packet {how} {numbers} {' '.join(texts)} {self.tag_bytes} {shown(self.tag)}"

    def result(self) -> list[str]:
        """The words of the answer."""
        code, output, tag = self.expected
        return [str(code), shown(output), shown(tag)]


def _most(config: Config, mode: Mode, decrypt: bool) -> int:
    """Bytes of payload that a configuration takes, at most; of a wrapped packet before that."""
    if mode.wraps:
        return 8 * int(config.semiblocks)
    if mode.buffers:
        return int(config.payload_bytes)
    return int(config.hold_bytes) if config.hold == "on" and decrypt and mode.held else 1 << 20


def _payload(rng: random.Random, config: Config, mode: Mode, decrypt: bool) -> bytes:
    size = rng.choice((0, 1, 15, 16, 17, 32, 33, rng.randrange(70)))
    match mode.lengths:
        case "blocks":
            size = 16 * (1 + size // 16)
        case "block or more":
            size += 16
        case "semiblocks":
            size = 16 + 8 * (size // 8)
    if mode.name == "kwp":
        size += 1
    size = min(size, _most(config, mode, decrypt))
    return rng.randbytes(min(size, 20) if mode.name == "cfb1" else size)


def _iv(rng: random.Random, mode: Mode) -> bytes:
    size = mode.iv
    if mode.any_iv and rng.random() < 0.5:
        size = rng.choice((1, 11, 13, 16, 17, 40))
    if mode.shortest_iv:
        size = rng.randrange(mode.shortest_iv, mode.iv + 1)
    return rng.randbytes(size)


def case(
    rng: random.Random, config: Config, mode: Mode, keys: tuple[bytes, bytes], decrypt: bool
) -> Case:
    """A random packet under a key, and a second one for XTS; one of four to verify is forged."""
    key, iv, plain = keys[0] + keys[1], _iv(rng, mode), _payload(rng, config, mode, decrypt)
    aad = rng.randbytes(rng.choice((0, 1, 16, 20, 33))) if mode.aad else b""
    tag, tag_bytes = b"", 0
    if mode.wraps:
        secret = packets.wrap(mode.name, key, plain) or b""
    elif mode.tag:
        tag_bytes = 16 if mode.name == "gcm-siv" else rng.choice((4, 8, 12, 16))
        secret, tag = packets.authenticated(mode.name, key, iv, aad, plain, tag_bytes=tag_bytes)
        tag = tag[:tag_bytes]
    else:
        bits = int(config.counter_bits)
        secret = packets.process(mode.name, key, iv, plain, False, bits)
    if mode.mac:
        secret, output = plain, b""
    else:
        output = plain if decrypt else secret
    data = secret if decrypt else plain
    result = OK, output, b"" if decrypt else tag
    if decrypt and mode.verifies and rng.random() < 0.25:
        result = E_FAILED, b"", b""
        if mode.tag:
            tag = bytes([tag[0] ^ 0x10]) + tag[1:]
        else:
            data = bytes([data[0] ^ 0x10]) + data[1:]
    return Case(mode, decrypt, iv, aad, data, tag_bytes, tag if decrypt else b"", result)


def cases(rng: random.Random, config: Config, number: int) -> Iterator[tuple[str, list[str]]]:
    """Lines of input with their answers: keys, packets of each mode in each direction, wipes."""
    yield "open", [str(OK)]
    for turn in range(number):
        bits = rng.choice(config.key_sizes)
        for mode in config.modes:
            fitting = [size for size in config.key_sizes if size in mode.key_sizes]
            size = bits if bits in fitting else rng.choice(fitting)
            key = rng.randbytes(size // 8)
            tweak = rng.randbytes(size // 8) if mode.two_keys else b""
            if config.sideload == "on" and rng.random() < 0.5:
                yield f"sideload {shown(key)} {shown(tweak)}", [str(OK), "0"]
            else:
                yield f"key {shown(key)} {shown(tweak)}", [str(OK)]
            for decrypt in config.decrypts(mode):
                how = rng.choice(("run", "interrupts", "in_place", "unaligned"))
                one = case(rng, config, mode, (key, tweak), decrypt)
                if rng.random() < 0.1:
                    yield one.line("abort"), [str(OK), "-", "-"]
                yield one.line(how), one.result()
        if turn % 4 == 3:
            yield "wipe", ["0"]
    yield "errors", ["0"]
