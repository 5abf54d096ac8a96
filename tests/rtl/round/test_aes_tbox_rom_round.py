import random

import cocotb
from benches import ROUND
from rounds import Apply, check_appendix_c1, check_random_rounds
from runner import View, simulate, views


def test_aes_tbox_rom_round() -> None:
    simulate(__file__, ROUND)


def registered(view: View) -> Apply:
    """Takes the state in one clock, waits for some, and gives the round with another on offer."""

    async def apply(state: bytes, key: bytes, decrypt: int, last: int) -> bytes:
        await view.apply(
            clear_i=0,
            load_i=1,
            load_data_i=int.from_bytes(state),
            load_decrypt_i=decrypt,
        )
        await view.edge()
        await view.apply(
            load_i=0,
            load_data_i=random.getrandbits(128),
            load_decrypt_i=random.getrandbits(1),
            k_sch_i=int.from_bytes(key),
            decrypt_i=decrypt,
            last_i=last,
        )
        for _ in range(random.randrange(3)):
            await view.edge()
        return view.get("data_o").to_bytes(16)

    return apply


@cocotb.test()
async def every_round_of_a_cipher_leads_to_the_next(dut: object) -> None:
    for view in views(dut, ROUND, "aes_tbox_rom_round"):
        await check_appendix_c1(view, registered(view))


@cocotb.test()
async def random_rounds_are_those_of_the_model(dut: object) -> None:
    for view in views(dut, ROUND, "aes_tbox_rom_round"):
        await check_random_rounds(view, registered(view))


@cocotb.test()
async def a_cleared_state_leaves_nothing_but_the_key(dut: object) -> None:
    for view in views(dut, ROUND, "aes_tbox_rom_round"):
        for load, decrypt in ((0, 0), (1, 0), (0, 1), (1, 1)):
            key = random.randbytes(16)
            await registered(view)(random.randbytes(16), key, decrypt, 1)
            await view.apply(clear_i=1, load_i=load)
            await view.edge()
            assert view.get("data_o").to_bytes(16) == key, view.item.name
