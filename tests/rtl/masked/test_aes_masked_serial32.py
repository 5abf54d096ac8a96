import random

from benches import MASKED
from runner import View, for_each, simulate
from shares import shared, value_of

from aesforge.core import model


def test_aes_masked_serial32() -> None:
    simulate(__file__, MASKED)


def shares_of(core: View) -> int:
    return int(dict(core.item.parameters)["Shares"])


async def encrypt(core: View, key: int, block: int, stall: float = 0.0) -> tuple[int, int]:
    """The result, and the cycles from valid input to the valid result."""
    shares, fresh = shares_of(core), core.width("random_i")
    core.set(in_data_i=shared(block, 128, shares), key_i=shared(key, 128, shares), in_valid_i=1)
    core.set(out_ready_i=0)
    cycles = 0
    while cycles < 1000:
        valid = int(random.random() >= stall)
        bits = random.getrandbits(fresh)
        await core.apply(random_valid_i=valid, random_i=bits)
        if core.get("out_valid_o"):
            break
        taken = core.get("in_ready_o")
        await core.edge()
        cycles += 1
        if taken:
            # Other data after the handshake.
            other = random.getrandbits(128 * shares)
            core.set(in_valid_i=0, in_data_i=other, key_i=other)
    for _ in range(random.randrange(3)):
        held = core.get("out_data_o")
        await core.edge()
        await core.settle()
        assert (core.get("out_valid_o"), core.get("out_data_o")) == (1, held)
    result = value_of(core.get("out_data_o"), 128, shares)
    await core.apply(out_ready_i=1)
    await core.edge()
    await core.apply(out_ready_i=0)
    assert not core.get("out_valid_o")
    return result, cycles


async def started(core: View) -> None:
    core.set(clear_i=0, in_valid_i=0, random_valid_i=0, out_ready_i=0)
    await core.reset(16)


def expected(key: int, block: int) -> int:
    found = model.cipher(block.to_bytes(16, "big"), key.to_bytes(16, "big"))
    return int.from_bytes(found, "big")


@for_each(MASKED, "aes_masked_serial32")
async def the_vector_of_the_standard_takes_the_promised_cycles(core: View) -> None:
    await started(core)
    key, block = 0x000102030405060708090A0B0C0D0E0F, 0x00112233445566778899AABBCCDDEEFF
    promised = 129 if dict(core.item.parameters)["Gadget"] == 0 else 85
    for _ in range(2):
        found = await encrypt(core, key, block)
        assert found == (0x69C4E0D86A7B0430D8CDB78070B4C55A, promised), core.item.name


@for_each(MASKED, "aes_masked_serial32")
async def random_blocks_under_random_stalls_unmask_to_the_result(core: View) -> None:
    await started(core)
    for _ in range(8):
        key, block = random.getrandbits(128), random.getrandbits(128)
        found, _ = await encrypt(core, key, block, 0.3)
        assert found == expected(key, block), core.item.name


@for_each(MASKED, "aes_masked_serial32")
async def a_clear_in_flight_overwrites_and_the_next_block_is_right(core: View) -> None:
    await started(core)
    for cycles in (1, 5, 40, 84):
        core.set(in_data_i=random.getrandbits(128), key_i=random.getrandbits(128), in_valid_i=1)
        core.set(random_valid_i=1)
        for _ in range(cycles):
            await core.edge()
        await core.apply(clear_i=1, in_valid_i=0)
        for _ in range(12):
            await core.edge()
        await core.settle()
        assert (core.get("out_valid_o"), core.get("out_data_o")) == (0, 0)
        await core.apply(clear_i=0)
        key, block = random.getrandbits(128), random.getrandbits(128)
        assert (await encrypt(core, key, block))[0] == expected(key, block), core.item.name
