"""Checks of every pipeline: data arrives after the latency, with any stalls."""

import random
from collections.abc import Callable, Iterable, Sequence

from runner import View


def by_stage(controls: Sequence[int], stages: int) -> int:
    """The control bit of each item on a port with bit k for the item in stage k.

    `controls` ends with the item on offer, in stage 0. Stages without an item have random bits.
    """
    vector = random.getrandbits(stages)
    for stage, bit in enumerate(controls[: -stages - 1 : -1]):
        vector = vector & ~(1 << stage) | bit << stage
    return vector


async def delays_each(
    line: View, bits: int, latency: int, values: Iterable[int], expected: Callable[[int], int]
) -> None:
    """Send `values` of `bits` bits, with stalls in which the input has other data."""
    entered: list[int] = []
    # Further values push the last ones out.
    for value in (*values, *(0,) * latency):
        while random.random() < 0.3:
            await line.apply(advance_i=0, data_i=random.getrandbits(bits))
            await line.edge()
        await line.apply(advance_i=1, data_i=value)
        entered.append(value)
        if len(entered) > latency:
            assert line.get("data_o") == expected(entered[-1 - latency]), line.item.name
        await line.edge()


async def delays_each_with_its_direction(
    line: View,
    bits: int,
    latency: int,
    values: Iterable[tuple[int, int]],
    expected: Callable[[int, int], int],
    enables: int = 1,
) -> None:
    """As `delays_each`, with a direction for each value; `inverse_i` has those of all stages.

    `advance_i` has `enables` bits.
    """
    entered: list[tuple[int, int]] = []
    for value in (*values, *((0, 0),) * latency):
        advance = 0
        while not advance:
            advance = int(random.random() < 0.7)
            offer = value if advance else (random.getrandbits(bits), random.getrandbits(1))
            inside = [*entered, offer]
            await line.apply(
                advance_i=advance * ((1 << enables) - 1),
                data_i=offer[0],
                inverse_i=by_stage([inverse for _, inverse in inside], latency + 1),
            )
            if len(inside) > latency:
                assert line.get("data_o") == expected(*inside[-1 - latency]), line.item.name
            await line.edge()
        entered.append(value)
