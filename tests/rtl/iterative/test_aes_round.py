from benches import ROUND
from rounds import check_appendix_c1, check_random_rounds, combinational
from runner import View, for_each, simulate


def test_aes_round() -> None:
    simulate(__file__, ROUND)


@for_each(ROUND, "aes_round")
async def rounds_of_appendix_c1_chain(view: View) -> None:
    await check_appendix_c1(view, combinational(view))


@for_each(ROUND, "aes_round")
async def random_rounds_match_the_model(view: View) -> None:
    await check_random_rounds(view, combinational(view))
