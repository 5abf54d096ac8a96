"""The row moves by one word either way, for each size, and returns to its start."""

import random

from benches import KEY
from key_windows import padded, sizes
from runner import View, for_each, simulate

from aesforge.sim.oracle import LEN_CODE

MODULE = "aes_serial8_switchable_key_row"


def test_aes_serial8_switchable_key_row() -> None:
    simulate(__file__, KEY)


def words(data: bytes) -> list[bytes]:
    return [data[at : at + 4] for at in range(0, len(data), 4)]


@for_each(KEY, MODULE)
async def the_row_is_a_list_of_words(unit: View) -> None:
    for size in sizes(unit):
        start: list[bytes] = []
        row: list[bytes] = []
        for cycle in range(200):
            # A key is stored first, and the row returns to it.
            take = cycle == 0 or (cycle > 1 and random.random() < 0.1)
            restart = cycle == 1 or (cycle > 1 and random.random() < 0.1)
            keep, step, back = (random.random() < share for share in (0.1, 0.7, 0.5))
            key, word = random.randbytes(size), random.randbytes(4)
            await unit.apply(
                take_i=take,
                key_i=padded(key),
                restart_i=restart,
                keep_i=keep,
                step_i=step,
                back_i=back,
                len_i=LEN_CODE[8 * size],
                word_i=int.from_bytes(word, "big"),
            )
            if cycle > 1:
                assert words(unit.get("row_o").to_bytes(32, "big")[:size]) == row
            await unit.edge()
            moved = [word, *row[:-1]] if back else [*row[1:], word]
            before = row
            row = start if restart else moved if step else row
            start = words(key) if take else before if keep else start
