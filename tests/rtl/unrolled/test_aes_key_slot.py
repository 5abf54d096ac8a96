import random

from benches import KEY
from runner import BOTH, View, for_each, is_inverse, simulate


def test_aes_key_slot() -> None:
    simulate(__file__, KEY)


async def write(slot: View, key: int, words: tuple[int, int]) -> None:
    await slot.apply(k_sch_i=key, write_i=words[0], write_decrypt_i=words[1])
    await slot.edge()


async def clear(slot: View, word: int) -> None:
    await slot.apply(clear_i=1, clear_word_i=word)
    await slot.edge()
    await slot.apply(clear_i=0)


async def holds(slot: View, words: list[int]) -> None:
    """Each direction reads its word, in the same clock."""
    for told in (0, 1):
        await slot.apply(decrypt_i=told)
        assert slot.get("k_sch_o") == words[is_inverse(slot, told)], slot.item.name


@for_each(KEY, "aes_key_slot")
async def each_direction_reads_what_was_written_for_it(slot: View) -> None:
    words = [random.getrandbits(128) for _ in range(2)]
    await write(slot, words[0], (1, 0))
    await write(slot, words[1], (0, 1))
    for _ in range(300):
        await holds(slot, words)
        key, which = random.getrandbits(128), random.choice(((0, 0), (1, 0), (0, 1)))
        await write(slot, key, which)
        words = [key if now else word for now, word in zip(which, words, strict=True)]


@for_each(KEY, "aes_key_slot")
async def clear_forgets_a_word_and_comes_before_a_write(slot: View) -> None:
    both = dict(slot.item.parameters)["Direction"] == BOTH
    for _ in range(50):
        words = [random.getrandbits(128) for _ in range(2)]
        await write(slot, words[0], (1, 0))
        await write(slot, words[1], (0, 1))
        which = random.getrandbits(1)
        word = random.getrandbits(1)
        await slot.apply(k_sch_i=random.getrandbits(128), write_i=1 - word, write_decrypt_i=word)
        await clear(slot, which)
        await slot.apply(write_i=0, write_decrypt_i=0)
        # With one word, whichever is told.
        words = [0 if k == which or not both else word for k, word in enumerate(words)]
        await holds(slot, words)
        await clear(slot, 1 - which)
        await holds(slot, [0, 0])
