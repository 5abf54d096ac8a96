import cocotb
from benches import ROUND
from runner import simulate
from stages import ENCRYPT, check_clear, check_three_stages


def test_aes_interleaved_round_encrypt() -> None:
    simulate(__file__, ROUND, [ENCRYPT.module])


@cocotb.test()
async def results_follow_after_three_advances(dut: object) -> None:
    await check_three_stages(dut, ENCRYPT)


@cocotb.test()
async def clear_removes_all_blocks(dut: object) -> None:
    await check_clear(dut, ENCRYPT)
