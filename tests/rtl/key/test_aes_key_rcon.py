import random

import cocotb
from benches import KEY
from runner import simulate, views
from windows import sizes, steps, told


def test_aes_key_rcon() -> None:
    simulate(__file__, KEY)


@cocotb.test()
async def each_round_has_its_constant(dut: object) -> None:
    for module in views(dut, KEY, "aes_key_rcon"):
        for size in sizes(module) * 5:
            key = random.randbytes(size)
            for step in steps(key):
                await module.apply(len_i=told(module, key), round_i=step.r)
                # Without SubWord there is nothing that it is added to.
                if step.asked is not None:
                    found = bytes((module.get("rcon_o"), 0, 0, 0))
                    assert found == step.rcon, (module.item.name, step.r)
