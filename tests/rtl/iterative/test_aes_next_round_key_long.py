import random

from benches import KEY
from key_windows import beyond, length_code, padded, sizes
from runner import View, for_each, simulate

from aesforge.core import model


def test_aes_next_round_key_long() -> None:
    simulate(__file__, KEY)


def window_words(step: View, nk: int, nb: int) -> int:
    """Words of a window: of the longer of key and block, or eight for keys of any size."""
    return max(nk, nb) if len(sizes(step)) == 1 else 8


async def answer(step: View, made: range, nk: int) -> None:
    """The answers of SubWord for the words `made`, in order; unused S-boxes give anything."""
    for port, part in (("a", made[:4]), ("b", made[4:])):
        found = random.randbytes(4)
        if any(i % nk == 0 or (nk > 6 and i % nk == 4) for i in part):
            found = model.sub_word(step.get(f"sub_word_{port}_o").to_bytes(4))
        await step.apply(**{f"sub_word_{port}_i": int.from_bytes(found)})


@for_each(KEY, "aes_next_round_key_long")
async def each_step_gives_the_next_or_previous_round_key(step: View) -> None:
    nb = int(dict(step.item.parameters)["BlockBits"]) // 32
    for size in sizes(step) * 3:
        key = random.randbytes(size)
        nk = size // 4
        length = window_words(step, nk, nb)
        words = beyond(key, nb, length)
        for index in range(model.rounds(key, nb)):
            p = nb * index
            before, after = (b"".join(words[k : k + length]) for k in (p, p + nb))
            for back, given, wanted in ((0, before, after), (1, after, before)):
                # The words whose equations give the new ones, and the steps of Rcon among them.
                first = p + nk if back else p + length
                made = range(first, first + nb)
                rotated = sum(i % nk == 0 for i in made)
                used = made[-1] // nk if back else -(-first // nk)
                await step.apply(
                    window_i=padded(given),
                    key_len_i=length_code(step, key),
                    back_i=back,
                    phase_i=first % nk // 2,
                    rcon_i=model.rcon(used)[0],
                )
                await answer(step, made, nk)
                case = (step.item.name, size, index, back)
                assert step.get("window_o").to_bytes(32)[: 4 * length] == wanted, case
                following = first - nb if back else first + nb
                assert step.get("phase_o") == following % nk // 2, case
                after_it = used - rotated if back else used + rotated
                assert after_it == 0 or step.get("rcon_o") == model.rcon(after_it)[0], case


@for_each(KEY, "aes_next_round_key_long")
async def a_key_is_extended_to_the_first_window(step: View) -> None:
    nb = int(dict(step.item.parameters)["BlockBits"]) // 32
    for size in sizes(step) * 3:
        key = random.randbytes(size)
        nk = size // 4
        length = window_words(step, nk, nb)
        await step.apply(
            window_i=padded(random.randbytes(4 * length - size) + key),
            key_len_i=length_code(step, key),
            back_i=0,
            phase_i=0,
            rcon_i=model.rcon(1)[0],
        )
        await answer(step, range(nk, nk + nb), nk)
        wanted = b"".join(beyond(key, nb, length)[:length])
        assert step.get("first_o").to_bytes(32)[: 4 * length] == wanted, (step.item.name, size)
