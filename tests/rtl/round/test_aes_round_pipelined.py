import random

from benches import ROUND
from lines import by_stage
from rounds import inverse_round_of, round_of
from runner import View, for_each, is_inverse, simulate

from aesforge.core import model


def test_aes_round_pipelined() -> None:
    simulate(__file__, ROUND)


@for_each(ROUND, "aes_round_pipelined")
async def each_stage_holds_a_block_of_its_own(line: View) -> None:
    """A different direction and round in each stage, with stalls at random."""
    parameters = dict(line.item.parameters)
    stages = int(parameters["Stages"])
    # AddRoundKey has a stage of its own when more than one follows the S-boxes.
    mix_ends = stages - int(stages > int(parameters["SboxRegisters"]) + 2)
    # Each block with its direction and whether the round is its last one. The newest block is in
    # the register before the round.
    entered = [(random.randbytes(16), random.getrandbits(1), random.getrandbits(1))]
    for _ in range(200):
        key, advance = random.randbytes(16), int(random.random() < 0.7)
        at_mix = entered[-mix_ends] if len(entered) >= mix_ends else (b"", 0, 0)
        start, direction, last = entered[-stages] if len(entered) >= stages else (b"", 0, 0)
        inverse = is_inverse(line, direction)
        # The equivalent inverse cipher needs round keys after InvMixColumns.
        round_key = model.inv_mix_columns(key) if inverse and not last else key
        await line.apply(
            advance_i=0b11111 * advance,
            start_i=int.from_bytes(entered[-1][0]),
            decrypt_i=by_stage([decrypt for _, decrypt, _ in entered], stages),
            last_i=at_mix[2],
            k_sch_i=int.from_bytes(round_key),
        )
        if start:
            expected = (inverse_round_of if inverse else round_of)(start, key, last)
            assert line.get("data_o").to_bytes(16) == expected, line.item.name
        if advance:
            entered.append((random.randbytes(16), random.getrandbits(1), random.getrandbits(1)))
        await line.edge()
