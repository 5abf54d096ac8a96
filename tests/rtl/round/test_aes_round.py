import cocotb
from benches import ROUND
from rounds import check_appendix_c1, check_random_rounds, combinational
from runner import simulate, views


def test_aes_round() -> None:
    simulate(__file__, ROUND)


@cocotb.test()
async def every_round_of_a_cipher_leads_to_the_next(dut: object) -> None:
    for view in views(dut, ROUND, "aes_round"):
        await check_appendix_c1(view, combinational(view))


@cocotb.test()
async def random_rounds_are_those_of_the_model(dut: object) -> None:
    for view in views(dut, ROUND, "aes_round"):
        await check_random_rounds(view, combinational(view))
