import random

import cocotb
from benches import ROUND
from runner import simulate, views

from aesforge.core import model


def test_aes_mix_column_shared() -> None:
    simulate(__file__, ROUND)


@cocotb.test()
async def both_directions_match_the_model(dut: object) -> None:
    (column,) = views(dut, ROUND, "aes_mix_column_shared")
    # Single bits determine a linear map; the random values show that it is linear.
    cases = [1 << bit for bit in range(8 * 4)] + [random.getrandbits(8 * 4) for _ in range(200)]
    for inverse, mix in enumerate((model.mix_column, model.inv_mix_column)):
        for case in cases:
            await column.apply(data_i=case, inverse_i=inverse)
            assert column.get("data_o").to_bytes(4) == mix(case.to_bytes(4))
