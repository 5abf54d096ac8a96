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


def test_aes_key_expand() -> None:
    simulate(__file__, KEY)


def sizes(expand: View) -> tuple[int, ...]:
    bits = dict(expand.item.parameters)["KeyBits"]
    return (16, 24, 32) if bits == KEY_BITS[0] else (int(bits) // 8,)


async def load(expand: View, key: bytes) -> None:
    # The bits below a short key are not part of it.
    padded = int.from_bytes(key + random.randbytes(32 - len(key)))
    await expand.apply(load_i=1, key_i=padded, key_len_i=len(key) // 8 - 2)
    await expand.edge()
    await expand.apply(load_i=0, key_i=random.getrandbits(256), key_len_i=random.getrandbits(2))


async def schedule(expand: View, key: bytes, stall: float = 0.0) -> bytes:
    await load(expand, key)
    words = b""
    for _ in range(2 * (model.rounds(key) + 1)):
        while random.random() < stall:
            await expand.edge()
        words += expand.get("words_o").to_bytes(8)
        await expand.apply(step_i=1)
        await expand.edge()
        await expand.apply(step_i=0)
    return words


@for_each(KEY, "aes_key_expand")
async def schedules_are_those_of_appendix_a(expand: View) -> None:
    for key, last in APPENDIX_A.items():
        if len(key) // 2 in sizes(expand):
            words = await schedule(expand, bytes.fromhex(key))
            assert words == b"".join(model.key_expansion(bytes.fromhex(key)))
            assert words.hex().endswith(last), expand.item.name


@for_each(KEY, "aes_key_expand")
async def random_keys_with_pauses_between_steps(expand: View) -> None:
    for size in sizes(expand) * 4:
        key = random.randbytes(size)
        words = await schedule(expand, key, stall=0.3)
        assert words == b"".join(model.key_expansion(key)), expand.item.name


@for_each(KEY, "aes_key_expand")
async def a_load_in_the_middle_starts_afresh(expand: View) -> None:
    for size in sizes(expand):
        await load(expand, random.randbytes(random.choice(sizes(expand))))
        await expand.apply(step_i=1)
        for _ in range(random.randrange(1, 12)):
            await expand.edge()
        await expand.apply(step_i=0)
        key = random.randbytes(size)
        assert await schedule(expand, key) == b"".join(model.key_expansion(key))


@for_each(KEY, "aes_key_expand")
async def clear_forgets_the_key(expand: View) -> None:
    size = sizes(expand)[-1]
    await load(expand, random.randbytes(size))
    await expand.apply(clear_i=1)
    await expand.edge()
    await expand.apply(clear_i=0)
    # The whole window is zero: without steps that use the S-box it slides out as zeros.
    assert expand.get("words_o") == 0
    for _ in range(size // 8 - 1):
        await expand.apply(step_i=1)
        await expand.edge()
        assert expand.get("words_o") == 0, expand.item.name
    await expand.apply(step_i=0)
