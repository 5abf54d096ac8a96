import random

import cocotb
from benches import ROUND
from runner import simulate, views

from aesforge import model


def test_aes_stages_encrypt_split() -> None:
    simulate(__file__, ROUND)


def expected(block: bytes, last: int) -> bytes:
    s_row = model.shift_rows(model.sub_bytes(block))
    return s_row if last else model.mix_columns(s_row)


@cocotb.test()
async def blocks_come_out_after_three_moves(dut: object) -> None:
    """Other blocks before and behind, with pauses in which nothing moves."""
    for stages in views(dut, ROUND, "aes_stages_encrypt_split"):
        await stages.apply(clear_i=0)
        inside: list[bytes] = []
        sub_word = stages.get("sub_word_o").to_bytes(4)
        for _ in range(200):
            block, last = random.randbytes(16), random.getrandbits(1)
            move = int(random.random() < 0.7)
            await stages.apply(start_i=int.from_bytes(block), last_i=last, move_i=move)
            if move:
                inside.append(expected(block, last))
            await stages.edge()
            if move:
                sub_word = model.sub_word(block[:4])
            assert stages.get("sub_word_o").to_bytes(4) == sub_word
            if len(inside) >= 3:
                assert stages.get("data_o").to_bytes(16) == inside[-3], stages.item.name


@cocotb.test()
async def clear_forgets_all_blocks(dut: object) -> None:
    for stages in views(dut, ROUND, "aes_stages_encrypt_split"):
        await stages.apply(clear_i=0, move_i=1, last_i=1)
        for _ in range(3):
            await stages.apply(start_i=random.getrandbits(128))
            await stages.edge()
        await stages.apply(clear_i=1)
        await stages.edge()
        assert stages.get("data_o") == 0
        # What stood in each stage, with and without MixColumns, is what comes of zero.
        await stages.apply(clear_i=0, start_i=0)
        for stage in range(3):
            await stages.edge()
            known = {bytes(16), expected(bytes(16), 0), expected(bytes(16), 1)}
            assert stages.get("data_o").to_bytes(16) in known, (stages.item.name, stage)
