import random

from benches import ROUND
from rounds import round_of
from runner import View, for_each, simulate

from aesforge.core import model

MODULE = "aes_iterative_overlap_tbox_round"


def test_aes_iterative_overlap_tbox_round() -> None:
    simulate(__file__, ROUND)


def _window(round_key: bytes) -> bytes:
    """What a register of the schedule holds: w0 + w1 in place of w0."""
    return model.xor(round_key[:4], round_key[4:8]) + round_key[4:]


@for_each(ROUND, MODULE)
async def each_step_gives_the_round_key_and_the_next_window(view: View) -> None:
    keys = model.round_keys(random.randbytes(16))
    for number in range(1, 11):
        before, after = keys[number - 1], keys[number]
        rcon = model.rcon(number) + bytes(12)
        await view.apply(window_i=int.from_bytes(model.xor(_window(before), rcon)))
        assert view.get("k_sch_o").to_bytes(16) == after, number
        assert view.get("window_o").to_bytes(16) == _window(after), number


@for_each(ROUND, MODULE)
async def random_rounds_match_the_model(view: View) -> None:
    for _ in range(50):
        block = random.randbytes(16)
        await view.apply(start_i=int.from_bytes(block), window_i=random.getrandbits(128))
        key = view.get("k_sch_o").to_bytes(16)
        for port, last in (("start_o", 0), ("data_o", 1)):
            assert view.get(port).to_bytes(16) == round_of(block, key, last), port
