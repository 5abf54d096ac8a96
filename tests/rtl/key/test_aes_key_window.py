import random

from benches import KEY, KEY_BITS
from runner import View, for_each, simulate

from aesforge.core import model


def test_aes_key_window() -> None:
    simulate(__file__, KEY)


def sizes(window: View) -> tuple[int, ...]:
    bits = dict(window.item.parameters)["KeyBits"]
    return (16, 24, 32) if bits == KEY_BITS[0] else (int(bits) // 8,)


async def load(window: View, key: bytes) -> None:
    # The bits below a short key are not part of it.
    padded = int.from_bytes(key + random.randbytes(32 - len(key)))
    await window.apply(load_i=1, key_i=padded, key_len_i=len(key) // 8 - 2)
    await window.edge()
    await window.apply(load_i=0, key_i=random.getrandbits(256), key_len_i=random.getrandbits(2))


async def schedule(window: View, key: bytes) -> bytes:
    """Step through a schedule; what comes from the S-boxes is wrong where it must not count."""
    await load(window, key)
    words = b""
    pairs = len(key) // 8
    for pair in range(2 * (model.rounds(key) + 1)):
        words += window.get("words_o").to_bytes(8)
        needed = pair % pairs == 0 or (pairs == 4 and pair % 4 == 2)
        assert window.get("substitute_o") == needed, window.item.name
        asked = window.get("sub_word_o").to_bytes(4)
        given = model.sub_word(asked) if needed else random.randbytes(4)
        while random.random() < 0.3:
            await window.apply(sub_word_i=random.getrandbits(32))
            await window.edge()
            assert window.get("sub_word_o").to_bytes(4) == asked
        await window.apply(step_i=1, sub_word_i=int.from_bytes(given))
        await window.edge()
        await window.apply(step_i=0)
    return words


@for_each(KEY, "aes_key_window")
async def schedules_are_those_of_the_model(window: View) -> None:
    for size in sizes(window) * 4:
        key = random.randbytes(size)
        assert await schedule(window, key) == b"".join(model.key_expansion(key))


@for_each(KEY, "aes_key_window")
async def clear_forgets_the_key(window: View) -> None:
    size = sizes(window)[-1]
    await load(window, random.randbytes(size))
    await window.apply(clear_i=1)
    await window.edge()
    await window.apply(clear_i=0, step_i=1, sub_word_i=0)
    for _ in range(size // 8):
        assert window.get("words_o") == 0, window.item.name
        await window.edge()
    await window.apply(step_i=0)
