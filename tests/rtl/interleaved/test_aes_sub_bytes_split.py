import random
from pathlib import Path

import cocotb
from benches import ROUND
from runner import simulate, views

from aesforge.core import model, sources
from aesforge.tools import yosys


def test_aes_sub_bytes_split() -> None:
    simulate(__file__, ROUND)


def test_every_register_is_cleared(tmp_path: Path) -> None:
    """The two bits to choose by do not show in a byte that is zero, nor in the proofs of cores."""
    read = yosys.read(sources.closure("aes_sub_bytes_split"), "aes_sub_bytes_split")
    passes = ("proc", "flatten", "opt", "tee -q -o cells.json stat -json")
    yosys.run([read, *passes], tmp_path)
    ((_, cells),) = yosys.statistics(tmp_path / "cells.json")
    # Registers with a synchronous reset that goes before their enable.
    assert {cell for cell in cells if "dff" in cell} == {"$sdffe"}


@cocotb.test()
async def every_byte_is_looked_up_in_a_clock(dut: object) -> None:
    for sbox, table in zip(
        views(dut, ROUND, "aes_sub_bytes_split"), (model.SBOX, model.INV_SBOX), strict=True
    ):
        await sbox.apply(clear_i=0)
        for byte in random.sample(range(256), 256):
            await sbox.apply(load_i=1, data_i=byte)
            await sbox.edge()
            # It holds until the next look-up.
            await sbox.apply(load_i=0, data_i=random.randrange(256))
            assert sbox.get("data_o") == table[byte], sbox.item.name
            await sbox.edge()
            assert sbox.get("data_o") == table[byte], sbox.item.name
        await sbox.apply(clear_i=1, load_i=1)
        await sbox.edge()
        assert sbox.get("data_o") == 0
