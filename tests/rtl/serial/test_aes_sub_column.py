import random

from benches import INVERSE_TABLE, TABLE, TOWER
from runner import BOTH, ENCRYPT, View, for_each, instance, simulate

from aesforge.core import model

COLUMNS = [
    instance("aes_sub_column", Sbox=s, Direction=d, Sboxes=n)
    for s, d, n in (
        (TOWER, BOTH, 4),
        (TOWER, BOTH, 2),
        (INVERSE_TABLE, BOTH, 1),
        (TABLE, ENCRYPT, 4),
    )
]

# The bytes that are at the S-boxes, clock by clock, when so many run.
BYTES = {4: (0b1111,), 2: (0b0011, 0b1100), 1: (0b0001, 0b0010, 0b0100, 0b1000)}


def test_aes_sub_column() -> None:
    simulate(__file__, COLUMNS)


def sboxes(unit: View) -> list[int]:
    return [n for n in BYTES if n <= int(dict(unit.item.parameters)["Sboxes"])]


@for_each(COLUMNS, "aes_sub_column")
async def a_column_is_substituted_with_each_number(unit: View) -> None:
    await unit.apply(load_i=1, bytes_i=0, data_i=random.getrandbits(32), inverse_i=0, all_i=0)
    column = random.randbytes(4)
    await unit.apply(data_i=int.from_bytes(column))
    await unit.edge()
    for _ in range(60):
        run = random.choice(sboxes(unit))
        both = dict(unit.item.parameters)["Direction"] == BOTH
        inverse = int(both and random.random() < 0.5)
        after = random.randbytes(4)
        for number, at in enumerate(BYTES[run]):
            load = int(number == len(BYTES[run]) - 1)
            data = int.from_bytes(after) if load else random.getrandbits(32)
            await unit.apply(
                bytes_i=at, all_i=int(run == 2), inverse_i=inverse, load_i=load, data_i=data
            )
            if load:
                substitute = model.inv_sub_bytes if inverse else model.sub_bytes
                assert unit.get("column_o").to_bytes(4) == substitute(column)
            await unit.edge()
        column = after


@for_each(COLUMNS, "aes_sub_column")
async def a_column_stays_while_nothing_runs(unit: View) -> None:
    column = random.getrandbits(32)
    await unit.apply(load_i=1, bytes_i=0, data_i=column, inverse_i=0, all_i=0)
    await unit.edge()
    await unit.apply(load_i=0)
    for _ in range(3):
        await unit.edge()
    assert unit.get("column_o") == column
