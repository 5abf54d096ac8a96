import cocotb
from benches import ROUND
from rounds import Apply, check_appendix_c1, check_random_rounds, combinational
from runner import View, is_inverse, simulate, views

from aesforge import model


def test_aes_round_shared() -> None:
    simulate(__file__, ROUND)


def straight(view: View) -> Apply:
    """Apply it with the round keys of the inverse cipher: the equivalent one wants them mixed."""
    apply = combinational(view)

    async def mixed(state: bytes, key: bytes, decrypt: int, last: int) -> bytes:
        passes = is_inverse(view, decrypt) and not last
        return await apply(state, model.inv_mix_columns(key) if passes else key, decrypt, last)

    return mixed


@cocotb.test()
async def every_round_of_a_cipher_leads_to_the_next(dut: object) -> None:
    for view in views(dut, ROUND, "aes_round_shared"):
        await check_appendix_c1(view, straight(view))


@cocotb.test()
async def random_rounds_are_those_of_the_model(dut: object) -> None:
    for view in views(dut, ROUND, "aes_round_shared"):
        await check_random_rounds(view, straight(view))
