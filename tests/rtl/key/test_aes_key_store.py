import random

from benches import KEY, KEY_BITS
from key_banks import holds, valid_rounds
from runner import View, for_each, simulate

from aesforge.core import model


def test_aes_key_store() -> None:
    simulate(__file__, KEY)


def sizes(store: View) -> tuple[int, ...]:
    bits = dict(store.item.parameters)["KeyBits"]
    return (16, 24, 32) if bits == KEY_BITS[0] else (int(bits) // 8,)


def setup(key: bytes) -> int:
    """The promise: 22, 26 or 30 cycles."""
    return 2 * (model.rounds(key) + 1)


def lines(store: View) -> int:
    """Lines of the memory: two schedules of the longest key."""
    return 2 * (sizes(store)[-1] // 4 + 7)


async def offer(store: View, key: bytes) -> None:
    padded = int.from_bytes(key + random.randbytes(32 - len(key)))
    await store.apply(key_valid_i=1, key_i=padded, key_len_i=len(key) // 8 - 2)


async def withdraw(store: View) -> None:
    await store.apply(key_valid_i=0, key_i=random.getrandbits(256), key_len_i=random.getrandbits(2))


async def start(store: View) -> None:
    """Reset, and wait until the memory is clear."""
    store.set(key_valid_i=0, key_clear_i=0, in_use_i=0)
    await store.reset()
    assert await store.until(lambda: store.get("key_ready_o") == 1) == lines(store)


async def load(store: View, key: bytes) -> None:
    """Offer a key until it is accepted, and wait for the first cycle that may use it."""
    await offer(store, key)
    await store.until(lambda: store.get("key_ready_o") == 1)
    await store.edge()
    await withdraw(store)
    await store.until(lambda: store.get("loaded_o") == 1)


async def read(store: View, bank: int, number: int) -> bytes:
    await store.apply(read_bank_i=bank, read_round_i=number)
    return store.get("round_key_o").to_bytes(16)


async def is_zero(store: View) -> None:
    """Every line of both banks."""
    for number in range(lines(store) // 2):
        for bank in (0, 1):
            assert await read(store, bank, number) == bytes(16), store.item.name


@for_each(KEY, "aes_key_store")
async def setup_takes_two_cycles_per_round_key(store: View) -> None:
    for size in sizes(store):
        await start(store)
        key = random.randbytes(size)
        await offer(store, key)
        assert store.get("key_ready_o") == 1, "at once when no key is valid"
        await store.edge()
        await withdraw(store)
        cycles = await store.until(lambda: store.get("loaded_o") == 1)
        assert cycles == setup(key)
        await holds(store, key)


@for_each(KEY, "aes_key_store")
async def old_key_is_readable_during_the_setup_of_a_new_one(store: View) -> None:
    await start(store)
    old = random.randbytes(sizes(store)[0])
    await load(store, old)
    for size in sizes(store) * 2:
        new = random.randbytes(size)
        await offer(store, new)
        bank, between = store.get("bank_o"), 0
        while not store.get("key_ready_o"):
            number = random.randrange(model.rounds(old) + 1)
            assert await read(store, store.get("bank_o"), number) == model.round_keys(old)[number]
            assert valid_rounds(store) == model.rounds(old)
            await store.edge()
            between += 1
        # The cycle that offers the key, and `setup` cycles, the last of them with ready.
        assert between == setup(new)
        await holds(store, old)
        await store.edge()
        await withdraw(store)
        assert store.get("bank_o") == 1 - bank
        await holds(store, new)
        last = model.rounds(old)
        assert await read(store, bank, last) == model.round_keys(old)[last]
        old = new


@for_each(KEY, "aes_key_store")
async def bank_in_use_is_not_written(store: View) -> None:
    await start(store)
    first, second, third = (random.randbytes(sizes(store)[-1]) for _ in range(3))
    await load(store, first)
    bank = store.get("bank_o")
    await load(store, second)
    await store.apply(in_use_i=1 << bank)
    await offer(store, third)
    for _ in range(80):
        assert store.get("key_ready_o") == 0
        number = random.randrange(model.rounds(first) + 1)
        assert await read(store, bank, number) == model.round_keys(first)[number]
        await store.edge()
    await holds(store, second)
    # A block that uses the valid key does not delay the next key.
    await store.apply(in_use_i=2 >> bank)
    await store.until(lambda: store.get("key_ready_o") == 1, setup(third) + 1)
    await store.edge()
    await withdraw(store)
    await holds(store, third)


@for_each(KEY, "aes_key_store")
async def withdrawn_offer_leaves_the_old_key(store: View) -> None:
    await start(store)
    old, lost, new = (random.randbytes(sizes(store)[-1]) for _ in range(3))
    await load(store, old)
    for cycles in range(1, setup(lost) + 1):
        await offer(store, lost)
        for _ in range(cycles):
            assert store.get("key_ready_o") == 0
            await store.edge()
        await withdraw(store)
        await store.edge()
        await holds(store, old)
    await load(store, new)
    await holds(store, new)


@for_each(KEY, "aes_key_store")
async def clear_overwrites_both_banks(store: View) -> None:
    await start(store)
    for size in sizes(store)[-1:] * 2:
        await load(store, random.randbytes(size))
    await store.apply(key_clear_i=1)
    assert (store.get("key_ready_o"), store.get("clearing_o")) == (0, 1)
    await store.edge()
    await store.apply(key_clear_i=0)
    assert store.get("loaded_o") == 0
    cycles = await store.until(lambda: store.get("key_ready_o") == 1)
    assert cycles == lines(store)
    assert store.get("clearing_o") == 0
    await is_zero(store)


@for_each(KEY, "aes_key_store")
async def clear_and_reset_during_an_expansion_leave_nothing(store: View) -> None:
    for wipe in ({"key_clear_i": 1}, {"rst_ni": 0}):
        for loaded in (False, True):
            await start(store)
            if loaded:
                await load(store, random.randbytes(sizes(store)[-1]))
            await offer(store, random.randbytes(sizes(store)[-1]))
            for _ in range(random.randrange(2, 20)):
                await store.edge()
                if not loaded:
                    await withdraw(store)
            await store.apply(key_valid_i=0, **wipe)
            await store.edge()
            await store.apply(key_clear_i=0, rst_ni=1)
            assert store.get("loaded_o") == 0
            cycles = await store.until(lambda: store.get("key_ready_o") == 1)
            assert cycles == lines(store)
            assert store.get("loaded_o") == 0
            await is_zero(store)
            key = random.randbytes(sizes(store)[0])
            await load(store, key)
            await holds(store, key)


@for_each(KEY, "aes_key_store")
async def offer_during_a_clear_waits_for_its_end(store: View) -> None:
    await start(store)
    await load(store, random.randbytes(sizes(store)[0]))
    key = random.randbytes(sizes(store)[-1])
    await offer(store, key)
    await store.apply(key_clear_i=1)
    for _ in range(3):
        assert store.get("key_ready_o") == 0
        await store.edge()
    await store.apply(key_clear_i=0)
    assert await store.until(lambda: store.get("key_ready_o") == 1) == lines(store)
    await store.edge()
    await withdraw(store)
    assert await store.until(lambda: store.get("loaded_o") == 1) == setup(key)
    await holds(store, key)
