"""The 8-bit core: results, cycles, and parts of the netlist."""

import random

import cocotb
import needs
import pytest
from benches import BOTH, ENCRYPT, INVERSE_TABLE, TABLE, TOWER
from netlists import flip_flops, modules, parts
from runner import View, for_each, instance, simulate, views
from suite import slow

from aesforge.core import model
from aesforge.flows.synth import synth
from aesforge.space.presets import preset
from aesforge.space.targets import target

CORES = [
    instance("aes_serial8_core", Direction=d, Sbox=s)
    for d in (ENCRYPT, BOTH)
    for s in (TOWER, TABLE, INVERSE_TABLE)
]


def test_aes_serial8_core() -> None:
    simulate(__file__, CORES)


def both(core: View) -> bool:
    """Whether the core decrypts too."""
    return int(dict(core.item.parameters)["Direction"]) == BOTH


async def send(core: View, block: bytes, key: bytes) -> None:
    """Send bytes of a block and of its key, from the first on."""
    for data, of_key in zip(block, key, strict=True):
        await core.apply(in_valid_i=1, in_data_i=data, key_i=of_key)
        assert core.get("in_ready_o")
        assert not core.get("out_valid_o")
        await core.edge()
    await core.apply(in_valid_i=0, in_data_i=random.getrandbits(8), key_i=random.getrandbits(8))


async def receive(core: View) -> tuple[int, bytes, bytes]:
    """The cycles until a result starts, the result, and the round key that comes with it."""
    cycles, result, key = 0, bytearray(), bytearray()
    while not core.get("out_valid_o"):
        assert not core.get("in_ready_o")
        cycles += 1
        await core.edge()
    while core.get("out_valid_o"):
        result.append(core.get("out_data_o"))
        key.append(core.get("key_o"))
        await core.edge()
    return cycles, bytes(result), bytes(key)


@for_each(CORES, "aes_serial8_core")
async def a_block_takes_200_or_240_cycles_to_its_first_byte(core: View) -> None:
    await core.reset()
    cycles = (240 if both(core) else 200) - 16
    for number in range(12):
        key, block = random.randbytes(16), random.randbytes(16)
        # Blocks of all ones and all zeros take as long.
        if number < 2:
            key = block = bytes([0xFF * number]) * 16
        last = model.round_keys(key)[-1]
        said = last if both(core) else bytes(16)
        await core.apply(in_decrypt_i=0)
        await send(core, block, key)
        assert await receive(core) == (cycles, model.cipher(block, key), said)
        if both(core):
            await core.apply(in_decrypt_i=1)
            await send(core, block, last)
            assert await receive(core) == (cycles, model.inverse_cipher(block, key), key)
        for _ in range(random.randrange(3)):
            assert core.get("in_ready_o")
            await core.edge()


@for_each(CORES, "aes_serial8_core")
async def a_core_that_encrypts_ignores_the_direction(core: View) -> None:
    if both(core):
        return
    await core.reset()
    key, block = random.randbytes(16), random.randbytes(16)
    await core.apply(in_decrypt_i=1)
    await send(core, block, key)
    assert (await receive(core))[1] == model.cipher(block, key)
    await core.apply(in_decrypt_i=0)


@for_each(CORES, "aes_serial8_core")
async def an_aborted_block_leaves_no_trace(core: View) -> None:
    await core.reset(1)
    for length in (1, 5, 15):
        await send(core, random.randbytes(length), random.randbytes(length))
        await core.edge()
        key, block = random.randbytes(16), random.randbytes(16)
        await send(core, block, key)
        assert (await receive(core))[1] == model.cipher(block, key)


@cocotb.test()
async def a_reset_ends_a_block(dut: object) -> None:
    core = views(dut, CORES, "aes_serial8_core")[0]
    for cycles in (3, 30, 190):
        key, block = random.randbytes(16), random.randbytes(16)
        await core.reset(1)
        await send(core, block, key)
        for _ in range(cycles):
            await core.edge()
        await core.reset(1)
        await send(core, block, key)
        assert (await receive(core))[1] == model.cipher(block, key)


@pytest.mark.parametrize("direction", [ENCRYPT, BOTH])
def test_it_has_one_sbox_and_one_byte_of_mix_columns(direction: int) -> None:
    found = parts("aes_serial8_core", {"Direction": direction}, registers=True)
    built = modules(found)
    assert built["aes_sbox"] == 1
    assert built["aes_mix_columns"] == 0
    # State, key, three bytes of a column, the cycle of the round, Rcon.
    assert sum(flip_flops(cells).total() for _, cells in found) == 128 + 128 + 24 + 5 + 8


CELLS = target("osu018", 0)


@needs.cells
@pytest.mark.parametrize(
    ("direction", "sbox", "gates"),
    [
        ("encrypt", "lean", 1900),
        ("both", "lean", 2230),
        pytest.param("encrypt", "tower", 2150, marks=slow),
    ],
)
def test_it_has_few_gates(direction: str, sbox: str, gates: int) -> None:
    core = preset("aesforge-nano")
    row = synth(core, core.configure([f"direction={direction}", f"sbox={sbox}"]), CELLS)
    assert row["parts"]["byte_core"]["ff"] == 293
    assert row["parts"]["byte_core"]["ge"] < gates
    assert row["ge"] == row["parts"]["byte_core"]["ge"] + row["parts"]["rounds_and_control"]["ge"]
