import random

import cocotb
from benches import ROUND
from rounds import round_of
from runner import simulate, views


def test_aes_round_line() -> None:
    simulate(__file__, ROUND)


@cocotb.test()
async def blocks_one_behind_the_other_meet_their_round_keys(dut: object) -> None:
    for line in views(dut, ROUND, "aes_round_line"):
        parameters = dict(line.item.parameters)
        latency = int(parameters["Stages"]) - 1
        last, passes = (parameters[name] == "1'b1" for name in ("Last", "Passes"))
        entered: list[bytes] = []
        passed = 0
        for _ in range(150):
            block, key, told = random.randbytes(16), random.randbytes(16), random.getrandbits(1)
            move = int(random.random() < 0.7)
            # Round key and pass belong to the block that is in the last stage.
            await line.apply(
                move_i=move,
                start_i=int.from_bytes(block),
                k_sch_i=int.from_bytes(key),
                pass_i=told,
            )
            inside = [*entered, block]
            if len(inside) > latency:
                start, by = inside[-1 - latency], passes and bool(told)
                expected = start if by else round_of(start, key, int(last))
                assert line.get("data_o").to_bytes(16) == expected, line.item.name
                passed += by
            if move:
                entered.append(block)
            await line.edge()
        assert bool(passed) == passes
