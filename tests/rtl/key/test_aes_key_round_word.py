import random

import cocotb
from benches import KEY
from runner import simulate, views
from windows import padded, sizes, steps, told


def test_aes_key_round_word() -> None:
    simulate(__file__, KEY)


@cocotb.test()
async def each_round_asks_for_its_word(dut: object) -> None:
    for module in views(dut, KEY, "aes_key_round_word"):
        for size in sizes(module) * 5:
            key = random.randbytes(size)
            for step in steps(key):
                await module.apply(
                    window_i=padded(step.before), len_i=told(module, key), round_i=step.r
                )
                if step.asked is not None:
                    assert module.get("sub_word_o").to_bytes(4) == step.asked, module.item.name
