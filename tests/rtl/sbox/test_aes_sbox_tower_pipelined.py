import random

from benches import ROUND
from lines import delays_each_with_its_direction
from runner import View, for_each, is_inverse, simulate

from aesforge.core import model


def test_aes_sbox_tower_pipelined() -> None:
    simulate(__file__, ROUND)


@for_each(ROUND, "aes_sbox_tower_pipelined")
async def every_byte_is_substituted(sbox: View) -> None:
    registers = int(dict(sbox.item.parameters)["Registers"])

    def expected(byte: int, decrypt: int, sbox: View = sbox) -> int:
        return (model.INV_SBOX if is_inverse(sbox, decrypt) else model.SBOX)[byte]

    # In both directions; an S-box of one direction ignores `inverse_i`.
    values = random.sample([(byte, decrypt) for byte in range(256) for decrypt in (0, 1)], 512)
    await delays_each_with_its_direction(sbox, 8, registers, values, expected)
