import random

from benches import ROUND
from lines import by_stage
from rounds import inverse_round_of, round_of
from runner import View, for_each, is_inverse, simulate

from aesforge.core import model


def test_aes_round_unrolled() -> None:
    simulate(__file__, ROUND)


def coming(block: bytes, told: int) -> dict[str, int]:
    """What the register before the round takes with the next move."""
    return {"next_i": int.from_bytes(block), "decrypt_next_i": told}


@for_each(ROUND, "aes_round_unrolled")
async def blocks_one_behind_the_other_meet_their_round_keys(line: View) -> None:
    parameters = dict(line.item.parameters)
    stages = int(parameters["Stages"])
    last, passes = (parameters[name] == "1'b1" for name in ("Last", "Passes"))
    # Blocks, each told a direction of its own; the last is in the register before the round.
    entered = [(random.randbytes(16), random.getrandbits(1))]
    passed = 0
    await line.apply(move_i=1, **coming(*entered[0]))
    await line.edge()
    for _ in range(150):
        follows = random.randbytes(16), random.getrandbits(1)
        key, pass_told = random.randbytes(16), random.getrandbits(1)
        move = int(random.random() < 0.7)
        start, start_told = entered[-stages] if len(entered) >= stages else (b"", 0)
        inverse = is_inverse(line, start_told)
        # The equivalent inverse cipher wants round keys mixed.
        mixed = model.inv_mix_columns(key) if inverse and not last else key
        # Round key and pass belong to the block that is in the last stage.
        await line.apply(
            move_i=move,
            start_i=int.from_bytes(entered[-1][0]),
            decrypt_i=by_stage([direction for _, direction in entered], stages),
            k_sch_i=int.from_bytes(mixed),
            pass_i=pass_told,
            **coming(*follows),
        )
        if start:
            by = passes and bool(pass_told)
            whole = (inverse_round_of if inverse else round_of)(start, key, int(last))
            assert line.get("data_o").to_bytes(16) == (start if by else whole), line.item.name
            passed += by
        if move:
            entered.append(follows)
        await line.edge()
    assert bool(passed) == passes
