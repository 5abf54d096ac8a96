import random

import cocotb
from benches import KEY
from runner import simulate, views

from aesforge.core import model


def test_aes_key_step() -> None:
    simulate(__file__, KEY)


@cocotb.test()
async def each_step_gives_the_next_two_words(dut: object) -> None:
    (step,) = views(dut, KEY, "aes_key_step")
    for size in (16, 24, 32):
        nk = size // 4
        words = model.key_expansion(random.randbytes(size))
        for i in range(0, len(words) - nk - 1, 2):
            rotate, substitute = i % nk == 0, nk == 8 and i % nk == 4
            await step.apply(
                words_i=int.from_bytes(words[i] + words[i + 1]),
                temp_i=int.from_bytes(words[i + nk - 1]),
                rotate_i=int(rotate),
                substitute_i=int(substitute),
                rcon_i=model.rcon(i // nk + 1)[0],
            )
            # The S-boxes stand outside; what comes back when they are not asked must not count.
            asked = step.get("sub_word_o").to_bytes(4)
            reply = model.sub_word(asked) if rotate or substitute else random.randbytes(4)
            await step.apply(sub_word_i=int.from_bytes(reply))
            assert step.get("words_o").to_bytes(8) == words[i + nk] + words[i + nk + 1]
