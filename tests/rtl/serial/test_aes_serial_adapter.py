"""The adapter with a narrow core that this test plays: it returns the complement of each word."""

import random

from runner import BOTH, DECRYPT, ENCRYPT, View, for_each, instance, simulate

ADAPTERS = [instance("aes_serial_adapter", Width=32, Direction=d) for d in (ENCRYPT, DECRYPT, BOTH)]
ADAPTERS += [instance("aes_serial_adapter", Width=8, Direction=d) for d in (ENCRYPT, BOTH)]
ADAPTERS += [
    instance("aes_serial_adapter", Width=32, Direction=d, BlockBits=bits)
    for d, bits in ((BOTH, 192), (DECRYPT, 192), (BOTH, 256))
]


def test_aes_serial_adapter() -> None:
    simulate(__file__, ADAPTERS)


def block_bytes(unit: View) -> int:
    return int(dict(unit.item.parameters).get("BlockBits", 128)) // 8


def parameter(unit: View, name: str) -> int:
    return int(dict(unit.item.parameters)[name])


async def restart(unit: View) -> None:
    """A reset and one cycle of clear."""
    await unit.apply(idle_i=1, clear_done_i=0)
    await unit.reset(1)
    assert unit.get("clear_o")
    assert not unit.get("key_ready_o")
    await unit.edge()
    await unit.apply(clear_done_i=1)
    await unit.edge()
    await unit.apply(clear_done_i=0)
    assert not unit.get("clear_o")


async def new_key(unit: View) -> None:
    """A key and its set-up, if there is one: the core runs once and gives no result."""
    await unit.apply(key_valid_i=1)
    assert unit.get("key_ready_o")
    assert unit.get("key_load_o")
    await unit.edge()
    await unit.apply(key_valid_i=0)
    if parameter(unit, "Direction") == ENCRYPT:
        return
    assert not unit.get("key_ready_o")
    assert not unit.get("in_ready_o")
    assert unit.get("setup_start_o")
    assert not unit.get("core_decrypt_o")
    await unit.edge()
    await unit.apply(idle_i=0)
    last = block_bytes(unit) // 4 - 1
    for number in range(last + 1):
        assert unit.get("setup_running_o")
        assert not unit.get("setup_start_o")
        await unit.apply(
            result_valid_i=1, result_number_i=number, result_last_i=number == last, result_i=0
        )
        assert not unit.get("out_valid_o")
        await unit.edge()
    await unit.apply(result_valid_i=0, result_last_i=0, idle_i=1)


async def run(unit: View, block: bytes, decrypt: int) -> bytes:
    """The core takes the words of a block and returns their complements."""
    size = parameter(unit, "Width") // 8
    count = block_bytes(unit) // size
    # Words of 8 bits have no numbers.
    numbers = count if size == 4 else 4
    await unit.apply(in_valid_i=1, in_data_i=int.from_bytes(block), in_decrypt_i=decrypt)
    assert unit.get("in_ready_o")
    assert unit.get("accept_o")
    inverse = parameter(unit, "Direction") == DECRYPT or (
        parameter(unit, "Direction") == BOTH and decrypt
    )
    assert unit.get("core_decrypt_o") == inverse
    await unit.edge()
    await unit.apply(in_valid_i=0, in_decrypt_i=random.getrandbits(1), idle_i=0)
    assert not unit.get("in_ready_o")
    words = []
    for number in range(count):
        await unit.apply(take_i=1, word_number_i=number % numbers, result_i=0, key_in_use_i=1)
        words.append(unit.get("word_o").to_bytes(size))
        assert not unit.get("key_ready_o")
        await unit.edge()
    await unit.apply(take_i=0, key_in_use_i=0)
    assert unit.get("key_ready_o")
    # To decrypt, wide words are in descending order.
    assert b"".join(words[::-1] if inverse and size == 4 else words) == block
    for number, word in enumerate(words):
        # Wide words: the last one is part of the result at once.
        await unit.apply(
            result_valid_i=1,
            result_number_i=number % numbers,
            result_last_i=int(size == 4 and number == count - 1),
            result_i=int.from_bytes(word) ^ ((1 << 8 * size) - 1),
        )
        if not (size == 4 and number == count - 1):
            assert not unit.get("out_valid_o")
            await unit.edge()
    if size == 1:
        await unit.apply(result_valid_i=0, result_last_i=1)
    await unit.apply(idle_i=1, out_ready_i=0)
    for _ in range(random.randrange(4)):
        assert unit.get("out_valid_o")
        assert not unit.get("in_ready_o")
        held = unit.get("out_data_o")
        await unit.edge()
        await unit.apply(result_valid_i=0, result_last_i=0, result_i=random.getrandbits(8 * size))
        assert unit.get("out_data_o") == held
    await unit.apply(out_ready_i=1)
    assert unit.get("out_valid_o")
    found = unit.get("out_data_o").to_bytes(block_bytes(unit))
    assert unit.get("in_ready_o")
    await unit.edge()
    await unit.apply(result_valid_i=0, result_last_i=0)
    assert not unit.get("out_valid_o")
    return found


@for_each(ADAPTERS, "aes_serial_adapter")
async def blocks_become_words_and_words_become_results(unit: View) -> None:
    await restart(unit)
    assert not unit.get("in_ready_o")
    for number in range(20):
        if number % 5 == 0:
            await new_key(unit)
        block = random.randbytes(block_bytes(unit))
        assert await run(unit, block, random.getrandbits(1)) == bytes(b ^ 0xFF for b in block)


@for_each(ADAPTERS, "aes_serial_adapter")
async def a_clear_removes_the_key(unit: View) -> None:
    await restart(unit)
    await new_key(unit)
    await unit.apply(key_clear_i=1)
    assert not unit.get("in_ready_o")
    assert not unit.get("key_ready_o")
    await unit.edge()
    await unit.apply(key_clear_i=0, clear_done_i=1)
    assert unit.get("clear_o")
    await unit.edge()
    await unit.apply(clear_done_i=0)
    assert unit.get("key_ready_o")
    assert not unit.get("in_ready_o")
