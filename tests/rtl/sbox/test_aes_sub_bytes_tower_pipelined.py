import random

from benches import ROUND
from lines import gives_each_its_own_way
from runner import View, for_each, is_inverse, simulate

from aesforge.core import model


def test_aes_sub_bytes_tower_pipelined() -> None:
    simulate(__file__, ROUND)


@for_each(ROUND, "aes_sub_bytes_tower_pipelined")
async def every_byte_comes_out_substituted(sbox: View) -> None:
    cuts = int(dict(sbox.item.parameters)["Cuts"])

    def expected(byte: int, told: int, sbox: View = sbox) -> int:
        return (model.INV_SBOX if is_inverse(sbox, told) else model.SBOX)[byte]

    # Told either way, which only those of both directions heed.
    values = random.sample([(byte, told) for byte in range(256) for told in (0, 1)], 512)
    await gives_each_its_own_way(sbox, 8, cuts, values, expected)
