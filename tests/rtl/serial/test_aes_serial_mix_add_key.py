import random

from benches import ROUND
from runner import View, for_each, is_inverse, simulate

from aesforge.core import model


def test_aes_serial_mix_add_key() -> None:
    simulate(__file__, ROUND)


@for_each(ROUND, "aes_serial_mix_add_key")
async def each_direction_adds_on_its_side(unit: View) -> None:
    for _ in range(200):
        data, word = random.randbytes(4), random.randbytes(4)
        decrypt, bypass = random.getrandbits(1), random.getrandbits(1)
        await unit.apply(
            data_i=int.from_bytes(data),
            k_sch_i=int.from_bytes(word),
            decrypt_i=decrypt,
            bypass_i=bypass,
        )
        if bypass:
            wanted = model.xor(data, word)
        elif is_inverse(unit, decrypt):
            wanted = model.inv_mix_column(model.xor(data, word))
        else:
            wanted = model.xor(model.mix_column(data), word)
        assert unit.get("data_o").to_bytes(4) == wanted
