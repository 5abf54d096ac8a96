import random

from benches import KEY
from key_windows import padded, sizes, steps, told
from runner import View, for_each, simulate


def test_aes_key_round_word() -> None:
    simulate(__file__, KEY)


@for_each(KEY, "aes_key_round_word")
async def each_round_asks_for_its_word(module: View) -> None:
    for size in sizes(module) * 5:
        key = random.randbytes(size)
        for step in steps(key):
            await module.apply(
                window_i=padded(step.before), len_i=told(module, key), round_i=step.r
            )
            if step.asked is not None:
                assert module.get("sub_word_o").to_bytes(4) == step.asked, module.item.name
