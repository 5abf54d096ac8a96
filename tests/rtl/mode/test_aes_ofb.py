"""aes_ofb: the equations of SP 800-38A, 6.4, on random blocks."""

import random
from typing import Any

import cocotb
from benches import MODE, NEXT_CIPHER
from runner import simulate, views


def test_aes_ofb() -> None:
    simulate(__file__, MODE)


# In the simulator -------------------------------------------------------------------------------


@cocotb.test
async def the_cipher_encrypts_its_own_output(dut: Any) -> None:
    (view,) = views(dut, MODE, "aes_ofb")
    for _ in range(200):
        data, chain = random.getrandbits(128), random.getrandbits(128)
        await view.apply(data_i=data, chain_i=chain)
        assert (view.get("block_o"), view.get("mask_o")) == (chain, data)
        assert view.get("next_o") == NEXT_CIPHER
