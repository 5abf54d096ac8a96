"""Every S-box, found by listing rtl/sbox, and the chooser with every code: exhaustive."""

import cocotb
from benches import SBOX
from runner import BOTH, DECRYPT, View, for_each, sbox_modules, simulate, views

from aesforge.core import model


def test_aes_sbox() -> None:
    simulate(__file__, SBOX, [*sbox_modules(), "aes_sbox"])


async def check(sbox: View) -> None:
    direction = dict(sbox.item.parameters)["Direction"]
    for decrypt in (0, 1):
        inverse = bool(decrypt) if direction == BOTH else direction == DECRYPT
        table = model.INV_SBOX if inverse else model.SBOX
        for byte in range(256):
            await sbox.apply(data_i=byte, inverse_i=decrypt)
            assert sbox.get("data_o") == table[byte], (sbox.item.name, decrypt, byte)


@cocotb.test()
async def every_sbox_matches_the_standard(dut: object) -> None:
    for module in sbox_modules():
        for sbox in views(dut, SBOX, module):
            await check(sbox)


@for_each(SBOX, "aes_sbox")
async def every_choice_matches_the_standard(sbox: View) -> None:
    await check(sbox)
