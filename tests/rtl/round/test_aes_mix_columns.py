import random

import cocotb
from benches import ROUND
from runner import simulate, views

from aesforge.core import model


def test_aes_mix_columns() -> None:
    simulate(__file__, ROUND)


@cocotb.test()
async def both_directions_match_the_model(dut: object) -> None:
    found = views(dut, ROUND, "aes_mix_columns")
    for columns, (forward, inverse) in ((4, found[:2]), (1, found[2:])):
        bits = 32 * columns
        # Single bits determine a linear map; the random values show that it is linear.
        cases = [1 << bit for bit in range(bits)] + [random.getrandbits(bits) for _ in range(200)]
        for case in cases:
            # A state of which the other columns are 0.
            data = case.to_bytes(4 * columns).ljust(16, b"\0")
            await forward.apply(data_i=case)
            await inverse.apply(data_i=case)
            mixed, unmixed = model.mix_columns(data), model.inv_mix_columns(data)
            assert forward.get("data_o") == int.from_bytes(mixed[: 4 * columns])
            assert inverse.get("data_o") == int.from_bytes(unmixed[: 4 * columns])
