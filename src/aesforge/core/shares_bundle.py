"""What the datasheet and the testbench of a masked core say."""

import random

from aesforge.core import stack
from aesforge.core.contract import random_bits
from aesforge.core.stack import connected
from aesforge.sim.oracle import ecb
from aesforge.sim.vectors import APPENDIX_C
from aesforge.space.axes import Config
from aesforge.space.promises import masked_clear, promised

BLOCKS = 6
"""Blocks of the testbench, each with its own key."""

_KEY, _BLOCK = bytes(range(16)), APPENDIX_C
"""FIPS 197, appendix C."""


def figures(config: Config) -> dict[str, str]:
    """The numbers that both have."""
    promise = promised(config, 128)
    # A result leaves one cycle after its last random bits.
    return {
        "shares": config.shares,
        "random": str(random_bits(config)),
        "latency": str(promise.latency),
        "interval": str(promise.interval),
        "per": str(promise.per),
        "fresh": str(promise.latency - 1),
        "clear": str(masked_clear(config)),
    }


def sentences(config: Config) -> dict[str, str]:
    """What the datasheet says of handshakes."""
    promise = promised(config, 128)
    if config.engine == "serial":
        return {
            "pace": f"Blocks follow each other every {promise.interval} cycles.",
            "accepted": "A block is accepted while it is processed: hold `in_data_i` and `key_i` "
            "until `in_ready_o`.",
            "idle": "the state of the block in shares",
        }
    return {
        "pace": f"{promise.per} blocks, each with its own key, take {promise.interval} cycles.",
        "accepted": "A block is accepted when a stage of the round is free.",
        "idle": "the shares of the last result",
    }


def example() -> list[tuple[str, str]]:
    """Ports and the sums of their shares."""
    values = {"key_i": _KEY, "in_data_i": _BLOCK, "out_data_o": ecb(_KEY, False, 128)(_BLOCK)}
    return [(f"`{port}`", f"`{value.hex()}`") for port, value in values.items()]


def vectors(config: Config) -> list[str]:
    """Assignments of keys, blocks and results."""
    rng = random.Random(str(config))
    found = [(_KEY, _BLOCK), *((rng.randbytes(16), rng.randbytes(16)) for _ in range(BLOCKS - 1))]
    return [
        f"{name}[{at}] = 128'h{value.hex()};"
        for at, (key, block) in enumerate(found)
        for name, value in (
            ("key", key),
            ("block", block),
            ("result", ecb(key, False, 128)(block)),
        )
    ]


def pins(config: Config) -> list[str]:
    """The connections of the core in the testbench."""
    return connected((port.name, port.name) for port in stack.contract(config).ports)
