import random

from benches import ROUND
from lines import by_stage
from rounds import inverse_round_of, round_of
from runner import View, for_each, is_inverse, simulate

from aesforge.core import model


def test_aes_round_unrolled() -> None:
    simulate(__file__, ROUND)


def coming(block: bytes, decrypt: int) -> dict[str, int]:
    """The input of the register before the round."""
    return {"next_i": int.from_bytes(block), "decrypt_next_i": decrypt}


@for_each(ROUND, "aes_round_unrolled")
async def consecutive_blocks_get_their_round_keys_and_directions(line: View) -> None:
    parameters = dict(line.item.parameters)
    stages = int(parameters["Stages"])
    last, passes = (parameters[name] == "1'b1" for name in ("Last", "Passes"))
    # Blocks with a direction each; the last is in the register before the round.
    entered = [(random.randbytes(16), random.getrandbits(1))]
    passed = 0
    await line.apply(advance_i=1, **coming(*entered[0]))
    await line.edge()
    for _ in range(150):
        follows = random.randbytes(16), random.getrandbits(1)
        key, bypass = random.randbytes(16), random.getrandbits(1)
        advance = int(random.random() < 0.7)
        start, start_decrypt = entered[-stages] if len(entered) >= stages else (b"", 0)
        inverse = is_inverse(line, start_decrypt)
        # The equivalent inverse cipher has round keys after InvMixColumns.
        mixed = model.inv_mix_columns(key) if inverse and not last else key
        # Round key and bypass belong to the block in the last stage.
        await line.apply(
            advance_i=advance,
            start_i=int.from_bytes(entered[-1][0]),
            decrypt_i=by_stage([direction for _, direction in entered], stages),
            k_sch_i=int.from_bytes(mixed),
            pass_i=bypass,
            **coming(*follows),
        )
        if start:
            by = passes and bool(bypass)
            whole = (inverse_round_of if inverse else round_of)(start, key, int(last))
            assert line.get("data_o").to_bytes(16) == (start if by else whole), line.item.name
            passed += by
        if advance:
            entered.append(follows)
        await line.edge()
    assert bool(passed) == passes
