import random

from benches import ROUND
from rounds import round_of
from runner import View, for_each, simulate


def test_aes_round_batch() -> None:
    simulate(__file__, ROUND)


@for_each(ROUND, "aes_round_batch")
async def last_rounds_and_others_one_behind_the_other(line: View) -> None:
    parameters = dict(line.item.parameters)
    stages, cuts = int(parameters["Stages"]), int(parameters["SboxRegisters"])
    # MixColumns is told of the block in the last stage, or of the one that comes there next.
    told_at = stages - (stages > cuts + 2)
    # Blocks, each in its last round or not; the last is in the register before the round.
    entered = [(random.randbytes(16), random.getrandbits(1))]
    for _ in range(150):
        key, move = random.randbytes(16), int(random.random() < 0.7)
        last = entered[-told_at][1] if len(entered) >= told_at else 0
        await line.apply(
            move_i=move,
            start_i=int.from_bytes(entered[-1][0]),
            mix_i=1 - last,
            k_sch_i=int.from_bytes(key),
        )
        if len(entered) >= stages:
            expected = round_of(entered[-stages][0], key, entered[-stages][1])
            assert line.get("data_o").to_bytes(16) == expected, line.item.name
        if move:
            entered.append((random.randbytes(16), random.getrandbits(1)))
        await line.edge()
