"""Fan's core: parts of the netlist, toggles of S-boxes."""

import random

import cocotb
import pytest
from netlists import modules, parts
from runner import View, instance, simulate, views

from aesforge.core import model
from aesforge.core.contract import CIPHER
from aesforge.space.presets import preset

# Netlist ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sboxes", ["1", "2", "4"])
def test_only_the_configured_sboxes_are_built(sboxes: str) -> None:
    """One MixColumns serves both directions; the key schedule has no S-box of its own."""
    config = preset("fan").configure([f"sboxes={sboxes}"])
    found = modules(parts(CIPHER.module, config.parameters))
    assert config.direction == "both"
    assert found["aes_sbox"] == found["aes_sbox_tower"] == int(sboxes)
    assert found["aes_mix_column_shared"] == 1
    assert found["aes_mix_columns"] == found["aes_key_banks"] == 0


# Toggles ------------------------------------------------------------------------------------------

PROBE = [instance("serial_probe")]


def test_sboxes_that_are_not_in_use_do_not_toggle() -> None:
    simulate(__file__, PROBE)


async def keyed(probe: View) -> bytes:
    """Reset and load a key."""
    key = random.randbytes(16)
    await probe.reset()
    await probe.until(lambda: bool(probe.get("key_ready_o")))
    await probe.apply(key_valid_i=1, key_i=int.from_bytes(key + bytes(16)), out_ready_i=1)
    await probe.edge()
    await probe.apply(key_valid_i=0, key_i=random.getrandbits(256))
    return key


async def blocks(probe: View, key: bytes, code: int, count: int) -> list[int]:
    """Check blocks of both directions and count the toggles of each S-box."""
    before = toggles(probe)
    for number in range(count):
        block, decrypt = random.randbytes(16), number % 2
        await probe.apply(
            in_valid_i=1,
            in_data_i=int.from_bytes(block),
            in_decrypt_i=decrypt,
            in_sboxes_i=code,
        )
        await probe.until(lambda: bool(probe.get("in_ready_o")))
        await probe.edge()
        # Random inputs without valid.
        await probe.apply(in_valid_i=0, in_data_i=random.getrandbits(128), in_sboxes_i=2)
        await probe.until(lambda: bool(probe.get("out_valid_o")))
        wanted = (model.inverse_cipher if decrypt else model.cipher)(block, key)
        assert probe.get("out_data_o").to_bytes(16) == wanted
        await probe.edge()
    return [after - past for after, past in zip(toggles(probe), before, strict=True)]


def toggles(probe: View) -> list[int]:
    counts = probe.get("toggles_o")
    return [counts >> 96 - 32 * k & 0xFFFFFFFF for k in range(4)]


@cocotb.test()
async def only_sboxes_in_use_toggle(dut: object) -> None:
    (probe,) = views(dut, PROBE, "serial_probe")
    for code in range(3):
        key = await keyed(probe)
        # The key set-up has ended when the first block enters.
        found = await blocks(probe, key, code, 12)
        runs = 1 << code
        assert all(found[:runs]), found
        assert not any(found[runs:]), found
        # Counted from reset, so the key set-up is included.
        assert not any(toggles(probe)[runs:])


@cocotb.test()
async def sboxes_out_of_use_toggle_once(dut: object) -> None:
    (probe,) = views(dut, PROBE, "serial_probe")
    key = await keyed(probe)
    await blocks(probe, key, 2, 2)
    await blocks(probe, key, 0, 1)
    assert not any((await blocks(probe, key, 0, 6))[1:])
    assert all(await blocks(probe, key, 2, 1))
