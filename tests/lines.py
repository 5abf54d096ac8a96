"""What every pipeline does: give what went in, some moves later, whatever the pauses."""

import random
from collections.abc import Callable, Iterable, Sequence

from runner import View


def by_stage(told: Sequence[int], stages: int) -> int:
    """What was told with each item so far, as a port has it: bit k for the item in stage k.

    `told` ends with what is on offer, in stage 0. Where no item is yet, anything.
    """
    vector = random.getrandbits(stages)
    for stage, bit in enumerate(told[: -stages - 1 : -1]):
        vector = vector & ~(1 << stage) | bit << stage
    return vector


async def gives_each_in_turn(
    line: View, bits: int, latency: int, values: Iterable[int], expected: Callable[[int], int]
) -> None:
    """Puts `values` of so many bits in, with pauses in which something else is on offer."""
    entered: list[int] = []
    # What is behind them pushes the last ones out.
    for value in (*values, *(0,) * latency):
        while random.random() < 0.3:
            await line.apply(move_i=0, data_i=random.getrandbits(bits))
            await line.edge()
        await line.apply(move_i=1, data_i=value)
        entered.append(value)
        if len(entered) > latency:
            assert line.get("data_o") == expected(entered[-1 - latency]), line.item.name
        await line.edge()


async def gives_each_its_own_way(
    line: View,
    bits: int,
    latency: int,
    values: Iterable[tuple[int, int]],
    expected: Callable[[int, int], int],
) -> None:
    """The same with values that go either way, which `inverse_i` tells of those in each stage."""
    entered: list[tuple[int, int]] = []
    for value in (*values, *((0, 0),) * latency):
        move = 0
        while not move:
            move = int(random.random() < 0.7)
            offer = value if move else (random.getrandbits(bits), random.getrandbits(1))
            inside = [*entered, offer]
            await line.apply(
                move_i=move,
                data_i=offer[0],
                inverse_i=by_stage([inverse for _, inverse in inside], latency + 1),
            )
            if len(inside) > latency:
                assert line.get("data_o") == expected(*inside[-1 - latency]), line.item.name
            await line.edge()
        entered.append(value)
