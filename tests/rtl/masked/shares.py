"""Masked modules: data in shares, fresh random bits in every cycle; and whole masked cores."""

import random
from collections.abc import Callable, Mapping, Sequence
from functools import cache

from runner import View

from aesforge.core import model


def shared(value: int, width: int, shares: int) -> int:
    """A value in random shares, share i in `[width * i +: width]`."""
    parts = [random.getrandbits(width) for _ in range(shares - 1)]
    for part in parts:
        value ^= part
    return sum(part << width * at for at, part in enumerate([*parts, value]))


def value_of(vector: int, width: int, shares: int) -> int:
    """The value of a vector of shares."""
    total = 0
    for at in range(shares):
        total ^= vector >> width * at & ((1 << width) - 1)
    return total


async def computes(
    view: View,
    width: int,
    latency: int,
    inputs: Sequence[Mapping[str, int]],
    expected: Callable[..., int],
) -> None:
    """Send masked values in every cycle, with stalls, and compare what the results unmask to."""
    shares = int(dict(view.item.parameters)["Shares"])
    mask = (1 << random_width(view)) - 1
    entered: list[Mapping[str, int]] = []
    for item in (*inputs, *inputs[:latency]):
        advance = 0
        while not advance:
            advance = int(random.random() < 0.7)
            masked = {port: shared(value, width, shares) for port, value in item.items()}
            fresh = random.getrandbits(512) & mask
            await view.apply(advance_i=advance, random_i=fresh, **masked)
            if advance:
                entered.append(item)
            if len(entered) > latency:
                wanted = expected(**entered[-1 - latency])
                if advance:
                    assert value_of(view.get("data_o"), width, shares) == wanted, view.item.name
            await view.edge()


def random_width(view: View) -> int:
    """Bits of `random_i`."""
    return view.width("random_i")


@cache
def product(a: int, b: int, width: int) -> int:
    """a * b in GF(2^2), w^2 + w + 1 = 0, or over it in GF(2^4), z^2 + z + w = 0."""
    if width == 1:
        return a & b
    half = width // 2
    low = (1 << half) - 1
    a1, a0, b1, b0 = a >> half, a & low, b >> half, b & low
    high = product(a1, b1, half)
    constant = high if half == 1 else product(high, 2, half)
    cross = product(a1, b0, half) ^ product(a0, b1, half)
    return (high ^ cross) << half | constant ^ product(a0, b0, half)


# Cores --------------------------------------------------------------------------------------------


def shares_of(core: View) -> int:
    """Shares of a value."""
    return int(dict(core.item.parameters)["Shares"])


async def encrypt(core: View, key: int, block: int, stall: float = 0.0) -> tuple[int, int]:
    """The result, and the cycles from valid input to the valid result."""
    shares, fresh = shares_of(core), core.width("random_i")
    core.set(in_data_i=shared(block, 128, shares), key_i=shared(key, 128, shares), in_valid_i=1)
    core.set(out_ready_i=0)
    cycles = 0
    while cycles < 1000:
        valid = int(random.random() >= stall)
        bits = random.getrandbits(fresh)
        await core.apply(random_valid_i=valid, random_i=bits)
        if core.get("out_valid_o"):
            break
        taken = core.get("in_ready_o")
        await core.edge()
        cycles += 1
        if taken:
            # Other data after the handshake.
            other = random.getrandbits(128 * shares)
            core.set(in_valid_i=0, in_data_i=other, key_i=other)
    for _ in range(random.randrange(3)):
        held = core.get("out_data_o")
        await core.edge()
        await core.settle()
        assert (core.get("out_valid_o"), core.get("out_data_o")) == (1, held)
    result = value_of(core.get("out_data_o"), 128, shares)
    await core.apply(out_ready_i=1)
    await core.edge()
    await core.apply(out_ready_i=0)
    assert not core.get("out_valid_o")
    return result, cycles


async def started(core: View) -> None:
    """Reset, with all inputs idle."""
    core.set(clear_i=0, in_valid_i=0, random_valid_i=0, out_ready_i=0)
    await core.reset(16)


def expected(key: int, block: int) -> int:
    """The encrypted block."""
    found = model.cipher(block.to_bytes(16, "big"), key.to_bytes(16, "big"))
    return int.from_bytes(found, "big")


async def takes_the_promised_cycles(core: View, promised: int) -> None:
    """The vector of FIPS 197, appendix C, twice."""
    await started(core)
    key, block = 0x000102030405060708090A0B0C0D0E0F, 0x00112233445566778899AABBCCDDEEFF
    for _ in range(2):
        found = await encrypt(core, key, block)
        assert found == (0x69C4E0D86A7B0430D8CDB78070B4C55A, promised), core.item.name


async def unmasks_to_the_result(core: View, blocks: int) -> None:
    """Random blocks, while random bits are often missing."""
    await started(core)
    for _ in range(blocks):
        key, block = random.getrandbits(128), random.getrandbits(128)
        found, _ = await encrypt(core, key, block, 0.3)
        assert found == expected(key, block), core.item.name


async def clears(core: View, after: Sequence[int], cycles: int) -> None:
    """A clear so many cycles after a block overwrites all; the next block is right."""
    await started(core)
    for running in after:
        core.set(in_data_i=random.getrandbits(128), key_i=random.getrandbits(128), in_valid_i=1)
        core.set(random_valid_i=1)
        for _ in range(running):
            await core.edge()
        await core.apply(clear_i=1, in_valid_i=0)
        for _ in range(cycles):
            await core.edge()
        await core.settle()
        assert (core.get("out_valid_o"), core.get("out_data_o")) == (0, 0)
        await core.apply(clear_i=0)
        key, block = random.getrandbits(128), random.getrandbits(128)
        assert (await encrypt(core, key, block))[0] == expected(key, block), core.item.name
