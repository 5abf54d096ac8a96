import random

import cocotb
from benches import ROUND
from runner import simulate, views

from aesforge.core import model


def test_aes_mix_column() -> None:
    simulate(__file__, ROUND)


@cocotb.test()
async def both_directions_match_the_model(dut: object) -> None:
    forward, inverse = views(dut, ROUND, "aes_mix_column")
    # Single bits determine a linear map; the random values show that it is linear.
    cases = [1 << bit for bit in range(8 * 4)] + [random.getrandbits(8 * 4) for _ in range(200)]
    for case in cases:
        data = case.to_bytes(4)
        await forward.apply(data_i=case)
        await inverse.apply(data_i=case)
        assert forward.get("data_o") == int.from_bytes(model.mix_column(data))
        assert inverse.get("data_o") == int.from_bytes(model.inv_mix_column(data))
