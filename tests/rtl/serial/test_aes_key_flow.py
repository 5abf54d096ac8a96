import random

from runner import BOTH, ENCRYPT, View, for_each, instance, simulate

from aesforge.core import model

ANY = 0
FLOWS = [
    instance("aes_key_flow", KeyBits=ANY, Direction=BOTH),
    instance("aes_key_flow", KeyBits=ANY, Direction=ENCRYPT),
    *(instance("aes_key_flow", KeyBits=bits, Direction=BOTH) for bits in (128, 192, 256)),
]


def test_aes_key_flow() -> None:
    simulate(__file__, FLOWS)


async def schedule(flow: View, given: list[bytes], count: int, back: int) -> list[bytes]:
    """So many words in the order of their use, those that are given first."""
    nk = len(given)
    used: list[bytes] = []
    for number in range(count):
        # The word that is made of that Nk before it, which is w[i] or, backward, w[i-Nk].
        i = number if not back else count - 1 - number + nk
        first, fourth = i % nk == 0, nk == 8 and i % nk == 4
        inputs = {
            "key_len_i": nk // 2 - 2,
            "back_i": back,
            "given_i": int(number < nk),
            "key_i": int.from_bytes(given[number]) if number < nk else random.getrandbits(32),
            "substitute_i": int(first or fourth),
            "rotate_i": int(first) if first or fourth else random.getrandbits(1),
            "rcon_i": model.rcon(i // nk)[0] if first and i else random.getrandbits(8),
        }
        await flow.apply(sub_word_i=random.getrandbits(32), **inputs)
        word = flow.get("sub_word_o").to_bytes(4)
        await flow.apply(sub_word_i=int.from_bytes(model.sub_word(word)))
        used.append(flow.get("next_o").to_bytes(4))
        await flow.edge()
        assert flow.get("k_sch_o").to_bytes(4) == used[-1]
    return used


@for_each(FLOWS, "aes_key_flow")
async def schedules_run_either_way(flow: View) -> None:
    given = dict(flow.item.parameters)
    ways = (0, 1) if given["Direction"] == BOTH else (0,)
    sizes = (128, 192, 256) if given["KeyBits"] == ANY else (int(given["KeyBits"]),)
    for _ in range(6):
        for bits in random.sample(sizes, len(sizes)):
            w = model.key_expansion(random.randbytes(bits // 8))
            for back in random.sample(ways, len(ways)):
                wanted = w[::-1] if back else w
                start = wanted[: bits // 32]
                assert await schedule(flow, start, len(w), back) == wanted


@for_each(FLOWS, "aes_key_flow")
async def eight_words_leave_nothing_of_a_key(flow: View) -> None:
    for length in (2, 1, 0):
        common = {"key_len_i": length, "back_i": 0, "substitute_i": 0, "rotate_i": 0, "rcon_i": 0}
        await flow.apply(given_i=1, sub_word_i=0, **common)
        for word in [random.getrandbits(32)] * 8 + [0] * 8:
            await flow.apply(key_i=word)
            await flow.edge()
        await flow.apply(given_i=0)
        for size in (0, 1, 2, 0, 1, 2, 0, 1, 2):
            await flow.apply(key_len_i=size)
            assert [flow.get(port) for port in ("next_o", "k_sch_o", "sub_word_o")] == [0, 0, 0]
            await flow.edge()
