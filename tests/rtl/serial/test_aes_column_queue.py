import random

import cocotb
from runner import View, instance, simulate, views

from aesforge.core import model

QUEUE = [instance("aes_column_queue")]


def test_aes_column_queue() -> None:
    simulate(__file__, QUEUE)


async def turn(queue: View, columns: list[int]) -> list[int]:
    """The columns that leave in the steps of a round, in which others come."""
    left = []
    for slot, column in enumerate(columns):
        while random.random() < 0.3:
            await queue.apply(step_i=0, slot_i=slot, data_i=random.getrandbits(32))
            await queue.edge()
        await queue.apply(step_i=1, slot_i=slot, data_i=column)
        left.append(queue.get("column_o"))
        await queue.edge()
    return left


@cocotb.test()
async def rows_come_out_shifted(dut: object) -> None:
    (queue,) = views(dut, QUEUE, "aes_column_queue")
    before: list[int] = []
    for _ in range(50):
        state, between = random.randbytes(16), random.getrandbits(32)
        columns = [int.from_bytes(state[i : i + 4]) for i in range(0, 16, 4)]
        left = await turn(queue, [between, *columns])
        shifted = model.shift_rows(state)
        wanted = [int.from_bytes(shifted[i : i + 4]) for i in range(0, 16, 4)]
        assert before == [] or left[:3] == before
        assert left[3:] == [between, wanted[0]]
        before = wanted[1:]


@cocotb.test()
async def rows_of_descending_columns_come_out_shifted_back(dut: object) -> None:
    (queue,) = views(dut, QUEUE, "aes_column_queue")
    state = random.randbytes(16)
    columns = [int.from_bytes(state[i : i + 4]) for i in range(0, 16, 4)]
    left = await turn(queue, [0, *columns[::-1]])
    left = [left[4], *(await turn(queue, [0] * 5))[:3]]
    assert b"".join(word.to_bytes(4) for word in left[::-1]) == model.inv_shift_rows(state)
