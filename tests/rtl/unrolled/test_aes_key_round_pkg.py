import random

from benches import KEY
from key_windows import length_code, padded, sizes, steps
from runner import View, for_each, simulate

from aesforge.core import model


def test_aes_key_round_pkg() -> None:
    simulate(__file__, KEY)


@for_each(KEY, "key_round_probe")
async def each_round_computes_the_next_window(probe: View) -> None:
    """The input of SubWord, the sums without it, and the next window; or the same in a bypass."""
    for size in sizes(probe) * 5:
        key = random.randbytes(size)
        for step in steps(key):
            first = 4 * step.r + size // 4 - 4
            multiples = [i for i in range(first, first + 4) if i % (size // 4) == 0]
            # A round without a multiple of Nk must not use Rcon; aes_key_rcon gives 0 then.
            rcon = model.rcon(multiples[0] // (size // 4))[0] if multiples else 0
            # A round without SubWord must not use the output of the S-boxes.
            sub_word = random.randbytes(4) if step.asked is None else model.sub_word(step.asked)
            window = padded(step.before).to_bytes(32)
            for bypass in (0, 1):
                await probe.apply(
                    window_i=int.from_bytes(window),
                    len_i=length_code(probe, key),
                    round_i=step.r,
                    rcon_i=rcon,
                    bypass_i=bypass,
                    sub_word_i=int.from_bytes(sub_word),
                )
                if step.asked is not None:
                    assert probe.get("operand_o").to_bytes(4) == step.asked, probe.item.name
                sums = window[:16] if bypass else step.sums
                assert probe.get("sums_o").to_bytes(16) == sums, (probe.item.name, step.r)
                after = window if bypass else step.after
                found = probe.get("window_o").to_bytes(32)
                assert found.startswith(after), (probe.item.name, step.r)
