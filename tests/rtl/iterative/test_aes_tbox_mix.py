import random

import cocotb
from benches import ROUND
from rounds import inverse_round_of, round_of, word_of
from runner import simulate, views


def test_aes_tbox_mix() -> None:
    simulate(__file__, ROUND)


@cocotb.test()
async def words_and_key_make_a_round(dut: object) -> None:
    for inverse, mix in enumerate(views(dut, ROUND, "aes_tbox_mix")):
        for last in (0, 1):
            for _ in range(100):
                block, key = random.randbytes(16), random.randbytes(16)
                await mix.apply(
                    words_i=int.from_bytes(b"".join(word_of(byte, inverse) for byte in block)),
                    k_sch_i=int.from_bytes(key),
                    last_i=last,
                )
                expected = (inverse_round_of if inverse else round_of)(block, key, last)
                assert mix.get("data_o").to_bytes(16) == expected, mix.item.name
