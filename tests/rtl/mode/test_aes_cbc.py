"""aes_cbc: the equations of SP 800-38A, 6.2, on random blocks."""

import random
from typing import Any

import cocotb
from benches import MODE, NEXT_CIPHER, NEXT_VALUE
from runner import simulate, views


def test_aes_cbc() -> None:
    simulate(__file__, MODE)


# In the simulator -------------------------------------------------------------------------------


@cocotb.test
async def encryption_chains_by_result_and_decryption_by_block(dut: Any) -> None:
    (view,) = views(dut, MODE, "aes_cbc")
    for _ in range(200):
        data, chain = random.getrandbits(128), random.getrandbits(128)
        await view.apply(data_i=data, chain_i=chain, decrypt_i=0)
        assert view.get("block_o") == data ^ chain
        assert view.get("mask_o") == 0
        assert view.get("next_o") == NEXT_CIPHER
        await view.apply(decrypt_i=1)
        assert view.get("block_o") == data
        assert view.get("mask_o") == chain
        assert (view.get("chain_o"), view.get("next_o")) == (data, NEXT_VALUE)
