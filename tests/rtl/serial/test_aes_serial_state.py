import random
from itertools import product

import cocotb
from benches import ROUND
from runner import View, simulate, views

from aesforge.core import model


def test_aes_serial_state() -> None:
    simulate(__file__, ROUND)


async def load(unit: View, block: bytes) -> None:
    """Load a block and select column 0 for the next cycle."""
    await unit.apply(load_i=1, write_i=0, data_i=int.from_bytes(block), column_i=0, rotate_i=0)
    await unit.edge()
    await unit.apply(load_i=0)


async def step(unit: View, following: tuple[int, int], write: bytes | None, previous: int) -> bytes:
    """Read the column selected in the previous cycle, select the next column, and write."""
    await unit.apply(
        column_i=following[0],
        rotate_i=following[1] % 4,
        write_i=int(write is not None),
        write_previous_i=previous,
        write_data_i=int.from_bytes(write or random.randbytes(4)),
    )
    column = unit.get("column_o").to_bytes(4)
    await unit.edge()
    return column


@cocotb.test()
async def columns_follow_shift_rows_round_by_round(dut: object) -> None:
    (unit,) = views(dut, ROUND, "aes_serial_state")
    ways = ((model.shift_rows, 1), (model.inv_shift_rows, -1))
    for (shift, sign), previous, down, rounds in product(ways, (0, 1), (0, 1), (10, 12, 14)):
        state = random.randbytes(16)
        await load(unit, state)
        await unit.apply(descending_i=down, twelve_i=int(rounds == 12))
        # The columns in the order of reading.
        order = [3 - c if down else c for c in range(4)]
        for number in range(rounds + 1):
            # Round 0 has no ShiftRows.
            rows = shift(state) if number else state
            fresh = random.randbytes(16)
            await step(unit, (order[0], sign * number), None, 0)
            for c in range(4 + previous):
                at = order[c - previous] if c >= previous else None
                write = fresh[4 * at : 4 * at + 4] if at is not None else None
                following = (order[(c + 1) % 4], sign * number)
                column = await step(unit, following, write, previous)
                if c < 4:
                    wanted = rows[4 * order[c] : 4 * order[c] + 4]
                    assert column == wanted, (number, c, previous, down)
            state = fresh
        assert unit.get("data_o").to_bytes(16) == state


@cocotb.test()
async def nothing_changes_without_a_write(dut: object) -> None:
    (unit,) = views(dut, ROUND, "aes_serial_state")
    state = random.randbytes(16)
    await load(unit, state)
    for _ in range(50):
        following = (random.randrange(4), 0)
        await step(unit, following, None, random.getrandbits(1))
        column = await step(unit, following, None, random.getrandbits(1))
        assert column == state[4 * following[0] : 4 * following[0] + 4]
