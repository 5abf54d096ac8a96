import random

from benches import KEY, KEY_BITS
from key_banks import holds
from runner import View, for_each, simulate

from aesforge.core import model


def test_aes_key_banks() -> None:
    simulate(__file__, KEY)


def sizes(banks: View) -> tuple[int, ...]:
    bits = dict(banks.item.parameters)["KeyBits"]
    return (16, 24, 32) if bits == KEY_BITS[0] else (int(bits) // 8,)


async def start(banks: View) -> None:
    banks.set(key_valid_i=0, key_clear_i=0, in_use_i=0, step_i=0)
    await banks.reset()
    await banks.until(lambda: banks.get("key_ready_o") == 1)


async def step(banks: View, words: bytes) -> None:
    """Pauses without a write, then two words."""
    while random.random() < 0.4:
        await banks.apply(step_i=0, words_i=random.getrandbits(64))
        assert not (banks.get("loaded_o") and banks.get("key_ready_o"))
        await banks.edge()
    await banks.apply(step_i=1, words_i=int.from_bytes(words))


async def load(banks: View, key: bytes) -> None:
    """Offer a key and write its schedule; ends in the first cycle that may use it."""
    fresh = banks.get("loaded_o") == 0
    await banks.apply(key_valid_i=1, key_len_i=len(key) // 8 - 2)
    assert (banks.get("load_o"), banks.get("key_ready_o")) == (1, fresh)
    await banks.edge()
    await banks.apply(key_len_i=random.getrandbits(2))
    if fresh:
        await banks.apply(key_valid_i=0)
    words = b"".join(model.key_expansion(key))
    for at in range(0, len(words), 8):
        assert banks.get("expanding_o") == 1
        await step(banks, words[at : at + 8])
        # The handshake is in the cycle of the last two words, or at once if no key was valid.
        last = at + 8 == len(words)
        assert banks.get("key_ready_o") == (last and not fresh), banks.item.name
        await banks.edge()
        await banks.apply(step_i=0)
    await banks.apply(key_valid_i=0)
    assert banks.get("expanding_o") == 0


@for_each(KEY, "aes_key_banks")
async def keys_are_written_step_by_step(banks: View) -> None:
    await start(banks)
    for size in sizes(banks) * 3:
        key = random.randbytes(size)
        await load(banks, key)
        await holds(banks, key)


@for_each(KEY, "aes_key_banks")
async def withdrawn_key_leaves_the_old_one(banks: View) -> None:
    await start(banks)
    old, new = (random.randbytes(sizes(banks)[-1]) for _ in range(2))
    await load(banks, old)
    for steps in (0, 1, 7, 2 * model.rounds(new) + 1):
        await banks.apply(key_valid_i=1, key_len_i=len(new) // 8 - 2)
        await banks.edge()
        for _ in range(steps):
            await step(banks, random.randbytes(8))
            await banks.edge()
        await banks.apply(key_valid_i=0, step_i=random.getrandbits(1))
        await banks.edge()
        await banks.apply(step_i=0)
        assert banks.get("expanding_o") == 0
        await holds(banks, old)
    await load(banks, new)
    await holds(banks, new)


@for_each(KEY, "aes_key_banks")
async def bank_in_use_is_not_written(banks: View) -> None:
    await start(banks)
    first, second, third = (random.randbytes(sizes(banks)[-1]) for _ in range(3))
    await load(banks, first)
    bank = banks.get("bank_o")
    await load(banks, second)
    await banks.apply(in_use_i=1 << bank, key_valid_i=1, key_len_i=len(third) // 8 - 2)
    for _ in range(20):
        await banks.apply(step_i=random.getrandbits(1), words_i=random.getrandbits(64))
        assert (banks.get("load_o"), banks.get("key_ready_o")) == (0, 0)
        await banks.edge()
    await banks.apply(step_i=0, key_valid_i=0)
    await holds(banks, second)
    # A block that uses the valid key does not delay the next key.
    await banks.apply(in_use_i=2 >> bank)
    await load(banks, third)
    await holds(banks, third)


@for_each(KEY, "aes_key_banks")
async def clear_overwrites_both_banks(banks: View) -> None:
    await start(banks)
    for _ in range(2):
        await load(banks, random.randbytes(sizes(banks)[-1]))
    await banks.apply(key_clear_i=1)
    assert (banks.get("key_ready_o"), banks.get("clearing_o")) == (0, 1)
    await banks.edge()
    await banks.apply(key_clear_i=0)
    lines = 2 * (sizes(banks)[-1] // 4 + 7)
    assert await banks.until(lambda: banks.get("key_ready_o") == 1) == lines
    assert banks.get("loaded_o") == 0
    for number in range(lines // 2):
        for bank in (0, 1):
            await banks.apply(read_bank_i=bank, read_round_i=number)
            assert banks.get("round_key_o") == 0, banks.item.name
