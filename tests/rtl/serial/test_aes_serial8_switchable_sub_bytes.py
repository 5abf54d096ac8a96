import random

from benches import ROUND
from runner import View, for_each, is_inverse, simulate

from aesforge.core import model


def test_aes_serial8_switchable_sub_bytes() -> None:
    simulate(__file__, ROUND)


async def column(unit: View, code: int, data: bytes, key: bool, inverse_i: int) -> bytes:
    """Substitute one column, in 4, 2 or 1 cycles."""
    port = "key_column_i" if key else "column_i"
    noise = "column_i" if key else "key_column_i"
    await unit.apply(load_i=0, next_run_i=code, next_row_i=0, next_key_i=int(key))
    await unit.edge()
    for row in range(0, 4, 1 << code):
        await unit.apply(
            **{port: int.from_bytes(data), noise: random.getrandbits(32)},
            inverse_i=inverse_i,
            load_i=1,
            run_i=code,
            row_i=row,
            next_row_i=(row + (1 << code)) % 4,
        )
        await unit.edge()
    await unit.apply(load_i=0, column_i=random.getrandbits(32))
    await unit.edge()
    return unit.get("column_o").to_bytes(4)


@for_each(ROUND, "aes_serial8_switchable_sub_bytes")
async def every_number_of_sboxes_substitutes_the_column(unit: View) -> None:
    built = dict(unit.item.parameters)["Sboxes"]
    for code in range(3):
        if 1 << code > int(built):
            continue
        for _ in range(40):
            data, key, inverse_i = random.randbytes(4), random.random() < 0.5, random.getrandbits(1)
            inverse = is_inverse(unit, inverse_i)
            state = (model.inv_sub_bytes if inverse else model.sub_bytes)(data * 4)
            found = await column(unit, code, data, key, inverse_i)
            assert found == state[:4], (unit.item.name, code)
