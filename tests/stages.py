"""Requirements on the three stages between two AddRoundKeys of `aes_interleaved`."""

import random
from collections.abc import Callable
from dataclasses import dataclass

from benches import BRAM, ROUND, SPLIT
from runner import View, views

from aesforge.core import model


@dataclass(frozen=True)
class Stages:
    """A module, its ports, and the function that it computes in three stages.

    `data`: the port of the state. `plain`: the port that marks a round without MixColumns.
    """

    module: str
    data: str
    plain: str
    expected: Callable[[bytes, int], bytes]


def encrypted(block: bytes, last: int) -> bytes:
    s_row = model.shift_rows(model.sub_bytes(block))
    return s_row if last else model.mix_columns(s_row)


def decrypted(block: bytes, first: int) -> bytes:
    start = block if first else model.inv_mix_columns(block)
    return model.inv_sub_bytes(model.inv_shift_rows(start))


ENCRYPT = Stages("aes_interleaved_round_encrypt", "start_i", "last_i", encrypted)
DECRYPT = Stages("aes_interleaved_round_decrypt", "ik_add_i", "first_i", decrypted)


def check_sub_word(stages: View, offered: bytes, entered: list[bytes]) -> None:
    """SubWord of the first column: combinational, or one stage later for registered S-boxes."""
    registered = dict(stages.item.parameters)["Sbox"] in (BRAM, SPLIT)
    column = (entered[-1] if entered else None) if registered else offered
    if column is not None:
        assert stages.get("sub_word_o").to_bytes(4) == model.sub_word(column), stages.item.name


async def check_three_stages(dut: object, form: Stages) -> None:
    """Each result appears after three advances, with other blocks around it and random stalls."""
    for stages in views(dut, ROUND, form.module):
        await stages.apply(clear_i=0)
        columns: list[bytes] = []
        results: list[bytes] = []
        for _ in range(200):
            block, plain = random.randbytes(16), random.getrandbits(1)
            advance = int(random.random() < 0.7)
            await stages.apply(
                **{form.data: int.from_bytes(block), form.plain: plain, "advance_i": advance}
            )
            if form is ENCRYPT:
                check_sub_word(stages, block[:4], columns)
            if advance:
                columns.append(block[:4])
                results.append(form.expected(block, plain))
            await stages.edge()
            if len(results) >= 3:
                assert stages.get("data_o").to_bytes(16) == results[-3], stages.item.name


async def check_clear(dut: object, form: Stages) -> None:
    """A cycle of clear removes every block; with registers in block RAM so do three."""
    for stages in views(dut, ROUND, form.module):
        await stages.apply(**{"clear_i": 0, "advance_i": 1, form.plain: 1})
        for _ in range(3):
            await stages.apply(**{form.data: random.getrandbits(128)})
            await stages.edge()
        await stages.apply(clear_i=1)
        if form is ENCRYPT and dict(stages.item.parameters)["Sbox"] == BRAM:
            await stages.edge()
            await stages.apply(**{form.data: 0})
            await stages.edge()
        await stages.edge()
        assert stages.get("data_o") == 0
        # Each stage now holds zero, and outputs what follows from zero with or without MixColumns.
        await stages.apply(**{"clear_i": 0, form.data: 0})
        for stage in range(3):
            await stages.edge()
            known = {bytes(16), form.expected(bytes(16), 0), form.expected(bytes(16), 1)}
            assert stages.get("data_o").to_bytes(16) in known, (stages.item.name, stage)
