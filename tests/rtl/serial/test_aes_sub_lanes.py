import random

from benches import ROUND
from runner import View, for_each, is_inverse, simulate

from aesforge.core import model


def test_aes_sub_lanes() -> None:
    simulate(__file__, ROUND)


async def column(lanes: View, code: int, data: bytes, key: bool, told: int) -> bytes:
    """A column through the S-boxes, in as many clocks as it takes."""
    port = "key_column_i" if key else "column_i"
    noise = "column_i" if key else "key_column_i"
    await lanes.apply(load_i=0, next_run_i=code, next_row_i=0, next_key_i=int(key))
    await lanes.edge()
    for row in range(0, 4, 1 << code):
        await lanes.apply(
            **{port: int.from_bytes(data), noise: random.getrandbits(32)},
            inverse_i=told,
            load_i=1,
            run_i=code,
            row_i=row,
            next_row_i=(row + (1 << code)) % 4,
        )
        await lanes.edge()
    await lanes.apply(load_i=0, column_i=random.getrandbits(32))
    await lanes.edge()
    return lanes.get("column_o").to_bytes(4)


@for_each(ROUND, "aes_sub_lanes")
async def every_number_of_sboxes_gives_the_column(lanes: View) -> None:
    built = dict(lanes.item.parameters)["Sboxes"]
    for code in range(3):
        if 1 << code > int(built):
            continue
        for _ in range(40):
            data, key, told = random.randbytes(4), random.random() < 0.5, random.getrandbits(1)
            inverse = is_inverse(lanes, told)
            state = (model.inv_sub_bytes if inverse else model.sub_bytes)(data * 4)
            found = await column(lanes, code, data, key, told)
            assert found == state[:4], (lanes.item.name, code)
