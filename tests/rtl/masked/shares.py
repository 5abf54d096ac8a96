"""Masked modules: data in shares, fresh random bits in every cycle."""

import random
from collections.abc import Callable, Mapping, Sequence
from functools import cache

from runner import View


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
