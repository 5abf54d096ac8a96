import random
from itertools import pairwise

import cocotb
from benches import KEY
from runner import simulate, views

from aesforge.core import model


def test_aes_key_turn() -> None:
    simulate(__file__, KEY)


@cocotb.test()
async def each_turn_gives_the_round_key_beside(dut: object) -> None:
    (turn,) = views(dut, KEY, "aes_key_turn")
    for _ in range(20):
        keys = model.round_keys(random.randbytes(16))
        for number, (before, after) in enumerate(pairwise(keys), 1):
            for back, given, wanted in ((0, before, after), (1, after, before)):
                await turn.apply(
                    k_sch_i=int.from_bytes(given), back_i=back, rcon_i=model.rcon(number)[0]
                )
                asked = turn.get("sub_word_o").to_bytes(4)
                await turn.apply(sub_word_i=int.from_bytes(model.sub_word(asked)))
                assert turn.get("k_sch_o").to_bytes(16) == wanted
