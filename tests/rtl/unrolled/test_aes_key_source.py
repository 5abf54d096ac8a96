import random

from benches import KEY, LOADED, ON_THE_FLY
from key_unrolled import parameter
from key_windows import length_code, padded, sizes
from runner import BOTH, ENCRYPT, View, for_each, is_inverse, simulate
from suite import EVERYDAY

from aesforge.core import model

IDLE = {
    "rst_ni": 1,
    "key_clear_i": 0,
    "flush_i": 0,
    "clear_keys_i": 0,
    "clear_word_i": 0,
    "accept_i": 0,
    "emptied_i": 0,
    "decrypt_i": 0,
    "key_valid_i": 0,
}


def test_aes_key_source() -> None:
    simulate(__file__, KEY)


def on_the_fly(source: View) -> bool:
    return parameter(source, "KeySchedule") == ON_THE_FLY


def loaded(source: View) -> bool:
    return parameter(source, "KeySchedule") == LOADED


def cycles(source: View, key: bytes) -> int:
    """Cycles after a handshake in which blocks may not use the key yet."""
    if on_the_fly(source):
        return 0
    if loaded(source):
        return 1 + (parameter(source, "Direction") == BOTH)
    registers = parameter(source, "SboxRegisters")
    last = 2 if parameter(source, "Late") else parameter(source, "Direction") != ENCRYPT
    return (2 + registers * (registers > 2)) * model.rounds(key) + last


def depth(source: View) -> int:
    return parameter(source, "Stages") * (sizes(source)[-1] // 4 + 6)


async def flush(source: View) -> None:
    """A clear, until zeros have reached the last stage."""
    await source.apply(**IDLE | {"key_clear_i": 1})
    assert source.get("key_ready_o") == 0
    await source.edge()
    await source.apply(key_clear_i=0, flush_i=1, clear_keys_i=1)
    last = depth(source) + 11
    for cycle in range(last + 1):
        await source.apply(
            emptied_i=int(cycle == last), key_valid_i=cycle % 2, clear_word_i=cycle % 2
        )
        assert (source.get("key_ready_o"), source.get("loaded_o")) == (0, 0), source.item.name
        await source.edge()
    await source.apply(**IDLE)


async def give(source: View, key: bytes) -> None:
    parts = model.round_keys(key) if loaded(source) else [key]
    for number, part in enumerate(parts):
        code = random.getrandbits(2) if number else length_code(source, key)
        await source.apply(key_valid_i=1, key_i=padded(part), key_len_i=code)
        # A round key for both directions is written in two cycles.
        if number and parameter(source, "Direction") == BOTH:
            assert source.get("key_ready_o") == 0, source.item.name
            await source.edge()
        assert source.get("key_ready_o") == 1, source.item.name
        await source.edge()
        assert not (loaded(source) and source.get("loaded_o")), source.item.name
        await source.apply(key_valid_i=0, key_i=random.getrandbits(256))


@for_each(KEY, "aes_key_source")
async def a_key_is_loaded_in_the_promised_cycles(source: View) -> None:
    await flush(source)
    for size in sizes(source) * 3:
        key = random.randbytes(size)
        await give(source, key)
        for _ in range(cycles(source, key)):
            assert source.get("loaded_o") == 0, source.item.name
            await source.edge()
        assert source.get("loaded_o") == 1, source.item.name
        first = source.get("k_sch_o") & (1 << 128) - 1
        expected = model.round_keys(key)[-1 if is_inverse(source, 0) else 0]
        assert first.to_bytes(16) == expected, source.item.name


@for_each(KEY, "aes_key_source")
async def a_stored_key_waits_for_an_empty_pipeline_and_for_the_key_before(source: View) -> None:
    await flush(source)
    key = random.randbytes(sizes(source)[-1])
    await give(source, key)
    for _ in range(cycles(source, key)):
        assert source.get("key_ready_o") == 0, source.item.name
        await source.edge()
    await source.apply(accept_i=1)
    await source.edge()
    # A block that enters in the cycle in which another one leaves keeps the rounds occupied.
    await source.apply(accept_i=1, emptied_i=1)
    await source.edge()
    await source.apply(accept_i=0, emptied_i=0, key_valid_i=1)
    for _ in range(20):
        assert source.get("key_ready_o") == on_the_fly(source), source.item.name
        assert source.get("loaded_o") == 1, source.item.name
        await source.edge()
    await source.apply(emptied_i=1)
    await source.edge()
    await source.apply(emptied_i=0)
    assert source.get("key_ready_o") == 1, source.item.name


@for_each(KEY, "aes_key_source")
async def a_clear_in_any_cycle_clears_the_key(source: View) -> None:
    await flush(source)
    for cycle in range(0, cycles(source, bytes(sizes(source)[-1])) + 3, 5 if EVERYDAY else 1):
        await give(source, random.randbytes(sizes(source)[-1]))
        for _ in range(cycle):
            await source.edge()
        await flush(source)
        # No key gets loaded, and the next is taken at once.
        for _ in range(3):
            assert (source.get("loaded_o"), source.get("key_ready_o")) == (0, 1), source.item.name
            await source.edge()
