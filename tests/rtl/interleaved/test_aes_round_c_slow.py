import random

from benches import ROUND
from lines import by_stage
from rounds import inverse_round_of, round_of
from runner import View, for_each, is_inverse, simulate

from aesforge.core import model


def test_aes_round_c_slow() -> None:
    simulate(__file__, ROUND)


@for_each(ROUND, "aes_round_c_slow")
async def blocks_one_behind_the_other_go_their_own_way(ring: View) -> None:
    parameters = dict(ring.item.parameters)
    stages, mixed_in = int(parameters["Stages"]), int(parameters["SboxRegisters"]) + 2
    # Blocks, each told a direction, and to be in its last round or not; the last is in the register
    # before the round.
    entered = [(random.randbytes(16), random.getrandbits(1), random.getrandbits(1))]
    for _ in range(200):
        key, move = random.randbytes(16), int(random.random() < 0.7)
        at_mix = entered[-mixed_in] if len(entered) >= mixed_in else (b"", 0, 0)
        start, start_told, last = entered[-stages] if len(entered) >= stages else (b"", 0, 0)
        inverse = is_inverse(ring, start_told)
        # The equivalent inverse cipher wants round keys mixed.
        round_key = model.inv_mix_columns(key) if inverse and not last else key
        await ring.apply(
            move_i=move,
            start_i=int.from_bytes(entered[-1][0]),
            decrypt_i=by_stage([direction for _, direction, _ in entered], stages),
            last_i=at_mix[2],
            k_sch_i=int.from_bytes(round_key),
        )
        if start:
            expected = (inverse_round_of if inverse else round_of)(start, key, last)
            assert ring.get("data_o").to_bytes(16) == expected, ring.item.name
        if move:
            entered.append((random.randbytes(16), random.getrandbits(1), random.getrandbits(1)))
        await ring.edge()
