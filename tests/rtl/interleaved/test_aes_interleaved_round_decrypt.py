import cocotb
from benches import ROUND
from runner import simulate
from stages import DECRYPT, check_clear, check_three_stages


def test_aes_interleaved_round_decrypt() -> None:
    simulate(__file__, ROUND, [DECRYPT.module])


@cocotb.test()
async def results_follow_after_three_advances(dut: object) -> None:
    await check_three_stages(dut, DECRYPT)


@cocotb.test()
async def clear_removes_all_blocks(dut: object) -> None:
    await check_clear(dut, DECRYPT)
