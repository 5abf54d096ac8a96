"""aes_cfb: the equations of SP 800-38A, 6.3, for s = 128 on random blocks."""

import random
from typing import Any

import cocotb
from benches import MODE, NEXT_RESULT, NEXT_VALUE
from runner import simulate, views


def test_aes_cfb() -> None:
    simulate(__file__, MODE)


# In the simulator -------------------------------------------------------------------------------


@cocotb.test
async def the_cipher_encrypts_the_ciphertext_before(dut: Any) -> None:
    (view,) = views(dut, MODE, "aes_cfb")
    for _ in range(200):
        data, chain = random.getrandbits(128), random.getrandbits(128)
        for decrypt in (0, 1):
            await view.apply(data_i=data, chain_i=chain, decrypt_i=decrypt)
            assert (view.get("block_o"), view.get("mask_o")) == (chain, data)
            assert view.get("next_o") == (NEXT_VALUE if decrypt else NEXT_RESULT)
            if decrypt:
                assert view.get("chain_o") == data
