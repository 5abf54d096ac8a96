import random

from benches import KEY
from key_windows import padded, sizes, steps, told
from runner import View, for_each, simulate

from aesforge.core import model


def test_aes_key_round() -> None:
    simulate(__file__, KEY)


@for_each(KEY, "aes_key_round")
async def each_round_gives_the_next_window(module: View) -> None:
    for size in sizes(module) * 5:
        key = random.randbytes(size)
        for step in steps(key):
            # The S-boxes stand outside; what they give when they are not asked must not count.
            asked = step.asked
            reply = random.randbytes(4) if asked is None else model.sub_word(asked)
            window = padded(step.before).to_bytes(32)
            for passes in (0, 1):
                sums = window[:16] if passes else step.sums
                await module.apply(
                    sums_i=int.from_bytes(sums),
                    rest_i=int.from_bytes(window[16:]),
                    len_i=told(module, key),
                    round_i=step.r,
                    pass_i=passes,
                    sub_word_i=int.from_bytes(reply),
                )
                found = module.get("window_o").to_bytes(32)
                after = window if passes else step.after
                assert found.startswith(after), (module.item.name, step.r)
