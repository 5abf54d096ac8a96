import random

from benches import KEY
from key_windows import padded, sizes, steps, told
from runner import View, for_each, simulate

from aesforge.core import model


def test_aes_key_sums() -> None:
    simulate(__file__, KEY)


@for_each(KEY, "aes_key_sums")
async def all_but_subword_is_added_up(module: View) -> None:
    for size in sizes(module) * 5:
        key = random.randbytes(size)
        for step in steps(key):
            window = padded(step.before)
            first = 4 * step.r + size // 4 - 4
            multiples = [i for i in range(first, first + 4) if i % (size // 4) == 0]
            # Where there is none, it must not count; of a 256-bit key it is 0 then.
            rcon = model.rcon(multiples[0] // (size // 4))[0] if multiples else 0
            for passes in (0, 1):
                await module.apply(
                    window_i=window,
                    len_i=told(module, key),
                    round_i=step.r,
                    rcon_i=rcon,
                    pass_i=passes,
                )
                expected = step.before[:16] if passes else step.sums
                found = module.get("sums_o").to_bytes(16)
                assert found == expected, (module.item.name, step.r)
