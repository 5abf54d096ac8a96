import random

from benches import KEY
from key_windows import length_code, sizes, steps
from runner import View, for_each, simulate


def test_aes_key_rcon() -> None:
    simulate(__file__, KEY)


@for_each(KEY, "aes_key_rcon")
async def each_round_has_its_constant(module: View) -> None:
    for size in sizes(module) * 5:
        key = random.randbytes(size)
        for step in steps(key):
            await module.apply(len_i=length_code(module, key), round_i=step.r)
            # Without SubWord there is nothing that it is added to.
            if step.asked is not None:
                found = bytes((module.get("rcon_o"), 0, 0, 0))
                assert found == step.rcon, (module.item.name, step.r)
