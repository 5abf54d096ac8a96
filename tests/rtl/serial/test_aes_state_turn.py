import random
from itertools import product

import cocotb
from benches import ROUND
from runner import View, simulate, views

from aesforge.core import model


def test_aes_state_turn() -> None:
    simulate(__file__, ROUND)


async def load(turn: View, block: bytes) -> None:
    """A block, and column 0 for the next clock."""
    await turn.apply(load_i=1, write_i=0, data_i=int.from_bytes(block), column_i=0, turn_i=0)
    await turn.edge()
    await turn.apply(load_i=0)


async def step(turn: View, told: tuple[int, int], write: bytes | None, before: int) -> bytes:
    """The column that was told for this clock; tell the next one, and write."""
    await turn.apply(
        column_i=told[0],
        turn_i=told[1] % 4,
        write_i=int(write is not None),
        before_i=before,
        write_data_i=int.from_bytes(write or random.randbytes(4)),
    )
    column = turn.get("column_o").to_bytes(4)
    await turn.edge()
    return column


@cocotb.test()
async def columns_are_those_of_shift_rows_round_by_round(dut: object) -> None:
    (turn,) = views(dut, ROUND, "aes_state_turn")
    ways = ((model.shift_rows, 1), (model.inv_shift_rows, -1))
    for (shift, sign), before, down, rounds in product(ways, (0, 1), (0, 1), (10, 12, 14)):
        state = random.randbytes(16)
        await load(turn, state)
        await turn.apply(descending_i=down, twelve_i=int(rounds == 12))
        # The columns in the order in which they are read.
        order = [3 - c if down else c for c in range(4)]
        for number in range(rounds + 1):
            # Round 0 has no ShiftRows.
            rows = shift(state) if number else state
            fresh = random.randbytes(16)
            await step(turn, (order[0], sign * number), None, 0)
            for c in range(4 + before):
                at = order[c - before] if c >= before else None
                write = fresh[4 * at : 4 * at + 4] if at is not None else None
                told = (order[(c + 1) % 4], sign * number)
                column = await step(turn, told, write, before)
                if c < 4:
                    wanted = rows[4 * order[c] : 4 * order[c] + 4]
                    assert column == wanted, (number, c, before, down)
            state = fresh
        assert turn.get("data_o").to_bytes(16) == state


@cocotb.test()
async def nothing_changes_without_a_write(dut: object) -> None:
    (turn,) = views(dut, ROUND, "aes_state_turn")
    state = random.randbytes(16)
    await load(turn, state)
    for _ in range(50):
        told = (random.randrange(4), 0)
        await step(turn, told, None, random.getrandbits(1))
        column = await step(turn, told, None, random.getrandbits(1))
        assert column == state[4 * told[0] : 4 * told[0] + 4]
