from benches import ROUND
from rounds import Apply, check_appendix_c1, check_random_rounds, combinational
from runner import View, for_each, is_inverse, simulate

from aesforge.core import model


def test_aes_round_equivalent() -> None:
    simulate(__file__, ROUND)


def equivalent(view: View) -> Apply:
    """Round keys of the equivalent inverse cipher pass through InvMixColumns first."""
    apply = combinational(view)

    async def mixed(state: bytes, key: bytes, decrypt: int, last: int) -> bytes:
        mix = is_inverse(view, decrypt) and not last
        return await apply(state, model.inv_mix_columns(key) if mix else key, decrypt, last)

    return mixed


@for_each(ROUND, "aes_round_equivalent")
async def rounds_of_appendix_c1_chain(view: View) -> None:
    await check_appendix_c1(view, equivalent(view))


@for_each(ROUND, "aes_round_equivalent")
async def random_rounds_match_the_model(view: View) -> None:
    await check_random_rounds(view, equivalent(view))
