import random

from benches import KEY, ON_THE_FLY
from key_windows import padded, sizes, told
from runner import View, for_each, is_inverse, simulate

from aesforge.core import model

REST = {
    "rst_ni": 1,
    "key_clear_i": 0,
    "clear_i": 0,
    "move_i": 1,
    "accept_i": 0,
    "empties_i": 0,
    "decrypt_i": 0,
    "key_valid_i": 0,
}


def test_aes_key_source() -> None:
    simulate(__file__, KEY)


def parameter(source: View, name: str) -> int:
    return int(dict(source.item.parameters)[name])


def on_the_fly(source: View) -> bool:
    return parameter(source, "KeySchedule") == ON_THE_FLY


def clocks(source: View, key: bytes) -> int:
    """From the clock behind a key to the last in which it is not in force."""
    if on_the_fly(source):
        return 0
    return (2 + parameter(source, "SboxRegisters")) * model.rounds(key) + 2


def depth(source: View) -> int:
    return parameter(source, "Stages") * (sizes(source)[-1] // 4 + 6)


async def flush(source: View) -> None:
    """A clear, until zeros have run through the rounds."""
    await source.apply(**REST | {"key_clear_i": 1})
    assert source.get("key_ready_o") == 0
    await source.edge()
    await source.apply(key_clear_i=0, clear_i=1)
    for clock in range(depth(source) + 12):
        await source.apply(empties_i=int(clock == depth(source) + 11), key_valid_i=clock % 2)
        assert (source.get("key_ready_o"), source.get("loaded_o")) == (0, 0), source.item.name
        await source.edge()
    await source.apply(**REST)


async def give(source: View, key: bytes) -> None:
    await source.apply(key_valid_i=1, key_i=padded(key), key_len_i=told(source, key))
    assert source.get("key_ready_o") == 1, source.item.name
    await source.edge()
    await source.apply(key_valid_i=0, key_i=random.getrandbits(256))


@for_each(KEY, "aes_key_source")
async def a_key_comes_into_force_in_time(source: View) -> None:
    await flush(source)
    for size in sizes(source) * 3:
        key = random.randbytes(size)
        await give(source, key)
        for _ in range(clocks(source, key)):
            assert source.get("loaded_o") == 0, source.item.name
            await source.edge()
        assert source.get("loaded_o") == 1, source.item.name
        first = source.get("k_sch_o") & (1 << 128) - 1
        expected = model.round_keys(key)[-1 if is_inverse(source, 0) else 0]
        assert first.to_bytes(16) == expected, source.item.name


@for_each(KEY, "aes_key_source")
async def a_stored_key_waits_for_the_rounds_to_be_empty(source: View) -> None:
    await flush(source)
    key = random.randbytes(sizes(source)[-1])
    await give(source, key)
    for _ in range(clocks(source, key)):
        await source.edge()
    await source.apply(accept_i=1)
    await source.edge()
    # Also with one that comes in as another leaves.
    await source.apply(accept_i=1, empties_i=1)
    await source.edge()
    await source.apply(accept_i=0, empties_i=0, key_valid_i=1)
    for _ in range(20):
        assert source.get("key_ready_o") == on_the_fly(source), source.item.name
        assert source.get("loaded_o") == 1, source.item.name
        await source.edge()
    await source.apply(empties_i=1)
    await source.edge()
    await source.apply(empties_i=0)
    assert source.get("key_ready_o") == 1, source.item.name


@for_each(KEY, "aes_key_source")
async def a_clear_forgets_the_key_in_every_clock(source: View) -> None:
    await flush(source)
    for clock in range(clocks(source, bytes(sizes(source)[-1])) + 3):
        await give(source, random.randbytes(sizes(source)[-1]))
        for _ in range(clock):
            await source.edge()
        await flush(source)
        # None comes into force, and another may come at once.
        for _ in range(3):
            assert (source.get("loaded_o"), source.get("key_ready_o")) == (0, 1), source.item.name
            await source.edge()
