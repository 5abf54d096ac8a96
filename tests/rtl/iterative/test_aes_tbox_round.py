import random

from benches import BRAM, ROUND
from rounds import Apply, check_appendix_c1, check_random_rounds, combinational
from runner import View, for_each, simulate


def test_aes_tbox_round() -> None:
    simulate(__file__, ROUND)


def in_block_ram(view: View) -> bool:
    return dict(view.item.parameters)["Sbox"] == BRAM


def registered(view: View) -> Apply:
    """Load the state, wait some cycles, and read the round while another state is offered."""

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


def applied(view: View) -> Apply:
    return registered(view) if in_block_ram(view) else combinational(view)


@for_each(ROUND, "aes_tbox_round")
async def rounds_of_appendix_c1_chain(view: View) -> None:
    await check_appendix_c1(view, applied(view))


@for_each(ROUND, "aes_tbox_round")
async def random_rounds_match_the_model(view: View) -> None:
    await check_random_rounds(view, applied(view))


@for_each(ROUND, "aes_tbox_round")
async def a_cleared_state_leaves_nothing_but_the_key(view: View) -> None:
    for load, decrypt in ((0, 0), (1, 0), (0, 1), (1, 1)) if in_block_ram(view) else ():
        key = random.randbytes(16)
        await registered(view)(random.randbytes(16), key, decrypt, 1)
        await view.apply(clear_i=1, load_i=load)
        await view.edge()
        assert view.get("data_o").to_bytes(16) == key, view.item.name
