import random

import cocotb
from runner import View, instance, simulate, views

from aesforge.core import model

FLOW = [instance("aes_column_flow")]


def test_aes_column_flow() -> None:
    simulate(__file__, FLOW)


async def turn(flow: View, columns: list[int]) -> list[int]:
    """The columns that leave in the clocks of a round, in which others come."""
    left = []
    for slot, column in enumerate(columns):
        await flow.apply(slot_i=slot, data_i=column)
        left.append(flow.get("column_o"))
        await flow.edge()
    return left


def columns_of(state: bytes) -> list[int]:
    return [int.from_bytes(state[i : i + 4]) for i in range(0, 16, 4)]


@cocotb.test()
async def rows_come_out_shifted(dut: object) -> None:
    (flow,) = views(dut, FLOW, "aes_column_flow")
    wanted: list[int] = []
    for _ in range(50):
        state = random.randbytes(16)
        left = await turn(flow, columns_of(state))
        assert wanted in ([], left)
        wanted = columns_of(model.shift_rows(state))


@cocotb.test()
async def rows_of_descending_columns_come_out_shifted_back(dut: object) -> None:
    (flow,) = views(dut, FLOW, "aes_column_flow")
    wanted: list[int] = []
    for _ in range(50):
        state = random.randbytes(16)
        left = await turn(flow, columns_of(state)[::-1])
        assert wanted in ([], left[::-1])
        wanted = columns_of(model.inv_shift_rows(state))


@cocotb.test()
async def five_clocks_between_rounds_leave_nothing_of_a_state(dut: object) -> None:
    (flow,) = views(dut, FLOW, "aes_column_flow")
    await turn(flow, [random.getrandbits(32) | 0x01010101 for _ in range(4)])
    for _ in range(5):
        await flow.apply(slot_i=0, data_i=0)
        await flow.edge()
    for slot in (0, 1, 2, 3, 0, 1, 2, 3):
        await flow.apply(slot_i=slot, data_i=0)
        assert flow.get("column_o") == 0
        await flow.edge()
