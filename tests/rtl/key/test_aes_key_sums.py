import random

import cocotb
from benches import KEY
from runner import simulate, views
from windows import padded, sizes, steps, told


def test_aes_key_sums() -> None:
    simulate(__file__, KEY)


@cocotb.test()
async def all_but_subword_is_added_up(dut: object) -> None:
    for module in views(dut, KEY, "aes_key_sums"):
        for size in sizes(module) * 5:
            key = random.randbytes(size)
            for step in steps(key):
                window = padded(step.before)
                for passes in (0, 1):
                    await module.apply(
                        window_i=window,
                        len_i=told(module, key),
                        round_i=step.r,
                        pass_i=passes,
                    )
                    expected = step.before[:16] if passes else step.sums
                    found = module.get("sums_o").to_bytes(16)
                    assert found == expected, (module.item.name, step.r)
