import random

import cocotb
from benches import ROUND
from runner import simulate, views

from aesforge.core import model


def test_aes_sub_bytes_rom() -> None:
    simulate(__file__, ROUND)


@cocotb.test()
async def both_ports_give_every_line(dut: object) -> None:
    for number, rom in enumerate(views(dut, ROUND, "aes_sub_bytes_rom")):

        def line(byte: int, inverse: int = number) -> int:
            once = model.SBOX[byte]
            words = bytes([once, model.multiply(2, once), model.multiply(3, once)])
            return model.INV_SBOX[byte] if inverse else int.from_bytes(words)

        for a in range(256):
            b = random.randrange(256)
            await rom.apply(clear_i=0, load_i=1, a_i=a, b_i=b)
            await rom.edge()
            # It holds until the next look-up.
            await rom.apply(load_i=0, a_i=b, b_i=a)
            await rom.edge()
            assert (rom.get("a_o"), rom.get("b_o")) == (line(a), line(b)), rom.item.name
        await rom.apply(clear_i=1, load_i=1)
        await rom.edge()
        assert (rom.get("a_o"), rom.get("b_o")) == (0, 0)
