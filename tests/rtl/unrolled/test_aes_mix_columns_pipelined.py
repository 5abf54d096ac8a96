import random

from benches import ROUND
from runner import View, for_each, is_inverse, simulate

from aesforge.core import model


def test_aes_mix_columns_pipelined() -> None:
    simulate(__file__, ROUND)


@for_each(ROUND, "aes_mix_columns_pipelined")
async def each_state_comes_out_mixed(line: View) -> None:
    """Every single bit and random states, either way, with pauses in which nothing moves."""
    states = [1 << bit for bit in range(8 * 16)] + [random.getrandbits(128) for _ in range(100)]
    before = None
    for state in (*states, 0):
        told = random.getrandbits(1)
        for move in (*(0,) * random.randrange(3), 1):
            offer = state if move else random.getrandbits(128)
            await line.apply(move_i=move, data_i=offer, inverse_i=told)
            if before is not None:
                assert line.get("data_o") == before, line.item.name
            await line.edge()
        mix = model.inv_mix_columns if is_inverse(line, told) else model.mix_columns
        before = int.from_bytes(mix(state.to_bytes(16)))
