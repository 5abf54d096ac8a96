import random

from benches import KEY
from key_windows import beyond, length_code, padded, sizes, window
from runner import View, for_each, simulate

from aesforge.core import model


def test_aes_next_round_key() -> None:
    simulate(__file__, KEY)


@for_each(KEY, "aes_next_round_key")
async def each_step_gives_the_next_or_previous_round_key(step: View) -> None:
    for size in sizes(step) * 3:
        key = random.randbytes(size)
        nk = size // 4
        words = beyond(key)
        for index in range(model.rounds(key)):
            new = range(4 * index + nk, 4 * index + nk + 4)
            rcon = [i // nk for i in new if i % nk == 0]
            substitutes = bool(rcon) or (nk > 6 and any(i % nk == 4 for i in new))
            before, after = window(words, index, nk), window(words, index + 1, nk)
            for back, given, wanted in ((0, before, after), (1, after, before)):
                await step.apply(
                    window_i=padded(given),
                    key_len_i=length_code(step, key),
                    back_i=back,
                    phase_i=index % (3 if nk == 6 else 2),
                    # Unused inputs are random, as is the answer of unused S-boxes.
                    rcon_i=model.rcon(rcon[0])[0] if rcon else random.getrandbits(8),
                )
                assert step.get("rotate_o") == bool(rcon), (step.item.name, index, back)
                operand = step.get("sub_word_o").to_bytes(4)
                answer = model.sub_word(operand) if substitutes else random.randbytes(4)
                await step.apply(sub_word_i=int.from_bytes(answer))
                found = step.get("window_o").to_bytes(32)[:size]
                assert found == wanted, (step.item.name, size, index, back)
