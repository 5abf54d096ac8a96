import random

from benches import KEY, KEY_BITS
from runner import View, for_each, simulate

from aesforge.core import model

# FIPS 197, appendix A: keys, and the last word of each schedule.
APPENDIX_A = {
    "2b7e151628aed2a6abf7158809cf4f3c": "b6630ca6",
    "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b": "01002202",
    "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4": "706c631e",
}


def test_aes_key_expansion() -> None:
    simulate(__file__, KEY)


def sizes(expansion: View) -> tuple[int, ...]:
    bits = dict(expansion.item.parameters)["KeyBits"]
    return (16, 24, 32) if bits == KEY_BITS[0] else (int(bits) // 8,)


async def load(expansion: View, key: bytes) -> None:
    # The bits below a short key are not part of it.
    padded = int.from_bytes(key + random.randbytes(32 - len(key)))
    await expansion.apply(load_i=1, key_i=padded, key_len_i=len(key) // 8 - 2)
    await expansion.edge()
    await expansion.apply(load_i=0, key_i=random.getrandbits(256), key_len_i=random.getrandbits(2))


async def schedule(expansion: View, key: bytes) -> bytes:
    """Step through a schedule; the S-boxes answer with noise where they are not used."""
    await load(expansion, key)
    words = b""
    pairs = len(key) // 8
    for pair in range(2 * (model.rounds(key) + 1)):
        words += expansion.get("words_o").to_bytes(8)
        needed = pair % pairs == 0 or (pairs == 4 and pair % 4 == 2)
        assert expansion.get("substitute_o") == needed, expansion.item.name
        operand = expansion.get("sub_word_o").to_bytes(4)
        answer = model.sub_word(operand) if needed else random.randbytes(4)
        while random.random() < 0.3:
            await expansion.apply(sub_word_i=random.getrandbits(32))
            await expansion.edge()
            assert expansion.get("sub_word_o").to_bytes(4) == operand
        await expansion.apply(step_i=1, sub_word_i=int.from_bytes(answer))
        await expansion.edge()
        await expansion.apply(step_i=0)
    return words


@for_each(KEY, "aes_key_expansion")
async def schedules_match_appendix_a(expansion: View) -> None:
    for key, last in APPENDIX_A.items():
        if len(key) // 2 in sizes(expansion):
            words = await schedule(expansion, bytes.fromhex(key))
            assert words == b"".join(model.key_expansion(bytes.fromhex(key)))
            assert words.hex().endswith(last), expansion.item.name


@for_each(KEY, "aes_key_expansion")
async def schedules_match_the_model(expansion: View) -> None:
    for size in sizes(expansion) * 4:
        key = random.randbytes(size)
        assert await schedule(expansion, key) == b"".join(model.key_expansion(key))


@for_each(KEY, "aes_key_expansion")
async def a_load_during_a_schedule_restarts_it(expansion: View) -> None:
    for size in sizes(expansion):
        await load(expansion, random.randbytes(random.choice(sizes(expansion))))
        await expansion.apply(step_i=1)
        for _ in range(random.randrange(1, 12)):
            await expansion.edge()
        await expansion.apply(step_i=0)
        key = random.randbytes(size)
        assert await schedule(expansion, key) == b"".join(model.key_expansion(key))


@for_each(KEY, "aes_key_expansion")
async def clear_overwrites_the_key(expansion: View) -> None:
    size = sizes(expansion)[-1]
    await load(expansion, random.randbytes(size))
    await expansion.apply(clear_i=1)
    await expansion.edge()
    await expansion.apply(clear_i=0, step_i=1, sub_word_i=0)
    for _ in range(size // 8):
        assert expansion.get("words_o") == 0, expansion.item.name
        await expansion.edge()
    await expansion.apply(step_i=0)
