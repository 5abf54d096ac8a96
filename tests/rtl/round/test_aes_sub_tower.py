import random

import cocotb
from benches import ROUND
from lines import gives_each_in_turn
from runner import simulate, views

from aesforge import model


def test_aes_sub_tower() -> None:
    simulate(__file__, ROUND)


@cocotb.test()
async def every_byte_comes_out_substituted(dut: object) -> None:
    for sbox in views(dut, ROUND, "aes_sub_tower"):
        cuts = int(dict(sbox.item.parameters)["Cuts"])
        values = random.sample(range(256), 256)
        await gives_each_in_turn(sbox, 8, cuts, values, model.SBOX.__getitem__)
