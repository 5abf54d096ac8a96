import random

from benches import ROUND
from rounds import inverse_round_of, round_of
from runner import View, for_each, is_inverse, simulate

from aesforge.core import model


def test_aes_iterative_overlap_round() -> None:
    simulate(__file__, ROUND)


def _forward(round_key: bytes) -> bytes:
    """A window that the forward schedule keeps: w0 + w1 in place of w0."""
    return model.xor(round_key[:4], round_key[4:8]) + round_key[4:]


@for_each(ROUND, "aes_iterative_overlap_round")
async def each_step_gives_the_round_key_and_the_next_window(view: View) -> None:
    keys = model.round_keys(random.randbytes(16))
    for number in range(1, 11):
        before, after = keys[number - 1], keys[number]
        rcon = model.rcon(number) + bytes(12)
        forward = _forward(before), after, _forward(after)
        # Backward, w0 is that of the round key used before, and the rest of the one in use.
        previous = keys[number - 2][4:] if number > 1 else None
        backward = after[:4] + before[4:], before, before[:4] + (previous or b"")
        for back, (window, round_key, following) in enumerate((forward, backward)):
            await view.apply(window_i=int.from_bytes(model.xor(window, rcon)), back_i=back)
            assert view.get("k_sch_o").to_bytes(16) == round_key, (view.item.name, number, back)
            found = view.get("window_o").to_bytes(16)[: len(following)]
            assert found == following, (view.item.name, number, back)


@for_each(ROUND, "aes_iterative_overlap_round")
async def random_rounds_match_the_model(view: View) -> None:
    for decrypt in (0, 1):
        inverse = is_inverse(view, decrypt)
        for _ in range(25):
            block = random.randbytes(16)
            view.set(start_i=int.from_bytes(block), decrypt_i=0xFFFF * decrypt)
            await view.apply(window_i=random.getrandbits(128), back_i=random.getrandbits(1))
            key = view.get("k_sch_o").to_bytes(16)
            expected = inverse_round_of if inverse else round_of
            for port, last in (("start_o", 0), ("data_o", 1)):
                found = view.get(port).to_bytes(16)
                assert found == expected(block, key, last), (view.item.name, port, decrypt)
