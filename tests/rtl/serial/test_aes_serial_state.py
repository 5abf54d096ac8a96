import random
from itertools import product

from benches import ROUND
from runner import View, for_each, simulate

from aesforge.core import model


def test_aes_serial_state() -> None:
    simulate(__file__, ROUND)


def columns(unit: View) -> int:
    return int(dict(unit.item.parameters).get("BlockBits", 128)) // 32


async def load(unit: View, block: bytes) -> None:
    """Load a block and select column 0 for the next cycle."""
    await unit.apply(load_i=1, write_i=0, data_i=int.from_bytes(block), column_i=0, rotate_i=0)
    await unit.edge()
    await unit.apply(load_i=0)


async def step(unit: View, following: tuple[int, int], write: bytes | None, previous: int) -> bytes:
    """Read the column selected in the previous cycle, select the next column, and write."""
    await unit.apply(
        column_i=following[0],
        rotate_i=following[1] % columns(unit),
        write_i=int(write is not None),
        write_previous_i=previous,
        write_data_i=int.from_bytes(write or random.randbytes(4)),
    )
    column = unit.get("column_o").to_bytes(4)
    await unit.edge()
    return column


@for_each(ROUND, "aes_serial_state")
async def columns_follow_shift_rows_round_by_round(unit: View) -> None:
    nb = columns(unit)
    ways = ((model.shift_rows, 1), (model.inv_shift_rows, -1))
    numbers = {4: (10, 12, 14), 6: (12, 14), 8: (14,)}[nb]
    for (shift, sign), previous, down, rounds in product(ways, (0, 1), (0, 1), numbers):
        state = random.randbytes(4 * nb)
        await load(unit, state)
        await unit.apply(descending_i=down, twelve_i=int(rounds == 12), inverse_i=int(sign < 0))
        # The columns in the order of reading.
        order = [nb - 1 - c if down else c for c in range(nb)]
        for number in range(rounds + 1):
            # Round 0 has no ShiftRows.
            rows = shift(state) if number else state
            fresh = random.randbytes(4 * nb)
            await step(unit, (order[0], sign * number), None, 0)
            for c in range(nb + previous):
                at = order[c - previous] if c >= previous else None
                write = fresh[4 * at : 4 * at + 4] if at is not None else None
                following = (order[(c + 1) % nb], sign * number)
                column = await step(unit, following, write, previous)
                if c < nb:
                    wanted = rows[4 * order[c] : 4 * order[c] + 4]
                    assert column == wanted, (number, c, previous, down)
            state = fresh
        assert unit.get("data_o").to_bytes(4 * nb) == state


@for_each(ROUND, "aes_serial_state")
async def nothing_changes_without_a_write(unit: View) -> None:
    state = random.randbytes(4 * columns(unit))
    await load(unit, state)
    for _ in range(50):
        following = (random.randrange(columns(unit)), 0)
        await step(unit, following, None, random.getrandbits(1))
        column = await step(unit, following, None, random.getrandbits(1))
        assert column == state[4 * following[0] : 4 * following[0] + 4]
