"""What every pipeline does: give what went in, some moves later, whatever the pauses."""

import random
from collections.abc import Callable, Iterable

from runner import View


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
