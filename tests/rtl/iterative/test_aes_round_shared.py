from benches import ROUND
from rounds import Apply, check_appendix_c1, check_random_rounds, combinational
from runner import View, for_each, is_inverse, simulate

from aesforge.core import model


def test_aes_round_shared() -> None:
    simulate(__file__, ROUND)


def straight(view: View) -> Apply:
    """Apply it with the round keys of the inverse cipher: the equivalent one wants them mixed."""
    apply = combinational(view)

    async def mixed(state: bytes, key: bytes, decrypt: int, last: int) -> bytes:
        passes = is_inverse(view, decrypt) and not last
        return await apply(state, model.inv_mix_columns(key) if passes else key, decrypt, last)

    return mixed


@for_each(ROUND, "aes_round_shared")
async def every_round_of_a_cipher_leads_to_the_next(view: View) -> None:
    await check_appendix_c1(view, straight(view))


@for_each(ROUND, "aes_round_shared")
async def random_rounds_are_those_of_the_model(view: View) -> None:
    await check_random_rounds(view, straight(view))
