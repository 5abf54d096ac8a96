import cocotb
from benches import ROUND
from runner import simulate
from stages import Stages, encrypted, forget_all_blocks, give_blocks_after_three_moves

FORM = Stages("aes_stages_encrypt", "start_i", "last_i", encrypted, 0)


def test_aes_stages_encrypt() -> None:
    simulate(__file__, ROUND)


@cocotb.test()
async def blocks_come_out_after_three_moves(dut: object) -> None:
    await give_blocks_after_three_moves(dut, FORM)


@cocotb.test()
async def clear_forgets_all_blocks(dut: object) -> None:
    await forget_all_blocks(dut, FORM)
