import random

import cocotb
from benches import ROUND
from runner import View, simulate, views

from aesforge.core import model


def test_aes_state_bytes() -> None:
    simulate(__file__, ROUND)


async def state(unit: View, data: bytes) -> tuple[bytes, bytes]:
    """A state goes in, and what became of the one before comes out; then the clocks of SubWord."""
    s_row, m_col = bytearray(), bytearray()
    for place, byte in enumerate(data):
        await unit.apply(place_i=place, data_i=byte, sub_word_i=0)
        s_row.append(unit.get("s_row_o"))
        m_col.append(unit.get("m_col_o"))
        await unit.edge()
    for place in range(12, 16):
        await unit.apply(place_i=place, data_i=random.getrandbits(8), sub_word_i=1)
        await unit.edge()
    return bytes(s_row), bytes(m_col)


@cocotb.test()
async def a_state_comes_back_shifted_and_mixed(dut: object) -> None:
    (unit,) = views(dut, ROUND, "aes_state_bytes")
    await state(unit, before := random.randbytes(16))
    for _ in range(50):
        shifted = model.shift_rows(before)
        before = random.randbytes(16)
        assert await state(unit, before) == (shifted, model.mix_columns(shifted))
