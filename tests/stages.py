"""What every form of the three stages behind AddRoundKey has to do."""

import random
from collections.abc import Callable
from dataclasses import dataclass

from benches import ROUND
from runner import views

from aesforge.core import model


@dataclass(frozen=True)
class Stages:
    """A module: its ports of the block and of the round without MixColumns, and its function.

    `sub_moves`: moves from the first column to its SubWord; None where the key schedule has none.
    """

    module: str
    data: str
    plain: str
    expected: Callable[[bytes, int], bytes]
    sub_moves: int | None = None


def encrypted(block: bytes, last: int) -> bytes:
    s_row = model.shift_rows(model.sub_bytes(block))
    return s_row if last else model.mix_columns(s_row)


def decrypted(block: bytes, first: int) -> bytes:
    start = block if first else model.inv_mix_columns(block)
    return model.inv_sub_bytes(model.inv_shift_rows(start))


async def give_blocks_after_three_moves(dut: object, form: Stages) -> None:
    """Other blocks before and behind, with pauses in which nothing moves."""
    for stages in views(dut, ROUND, form.module):
        await stages.apply(clear_i=0)
        inside: list[bytes] = []
        words: list[bytes] = []
        for _ in range(200):
            block, plain = random.randbytes(16), random.getrandbits(1)
            move = int(random.random() < 0.7)
            await stages.apply(
                **{form.data: int.from_bytes(block), form.plain: plain, "move_i": move}
            )
            word = model.sub_word(block[:4])
            if form.sub_moves == 0:
                assert stages.get("sub_word_o").to_bytes(4) == word, stages.item.name
            if move:
                inside.append(form.expected(block, plain))
                words.append(word)
            await stages.edge()
            if form.sub_moves and len(words) >= form.sub_moves:
                late = words[-form.sub_moves]
                assert stages.get("sub_word_o").to_bytes(4) == late, stages.item.name
            if len(inside) >= 3:
                assert stages.get("data_o").to_bytes(16) == inside[-3], stages.item.name


async def forget_all_blocks(dut: object, form: Stages) -> None:
    for stages in views(dut, ROUND, form.module):
        await stages.apply(**{"clear_i": 0, "move_i": 1, form.plain: 1})
        for _ in range(3):
            await stages.apply(**{form.data: random.getrandbits(128)})
            await stages.edge()
        await stages.apply(clear_i=1)
        await stages.edge()
        assert stages.get("data_o") == 0
        # What stood in each stage, with and without MixColumns, is what comes of zero.
        await stages.apply(**{"clear_i": 0, form.data: 0})
        for stage in range(3):
            await stages.edge()
            known = {bytes(16), form.expected(bytes(16), 0), form.expected(bytes(16), 1)}
            assert stages.get("data_o").to_bytes(16) in known, (stages.item.name, stage)
