import random

from benches import ROUND
from runner import View, for_each, is_inverse, simulate

from aesforge.core import model


def test_aes_mix_columns_pipelined() -> None:
    simulate(__file__, ROUND)


@for_each(ROUND, "aes_mix_columns_pipelined")
async def each_state_is_mixed_one_enabled_cycle_later(mix: View) -> None:
    """Every single bit and random states, in both directions, with cycles without enable."""
    states = [1 << bit for bit in range(8 * 16)] + [random.getrandbits(128) for _ in range(100)]
    before = None
    for state in (*states, 0):
        inverse = random.getrandbits(1)
        for advance in (*(0,) * random.randrange(3), 1):
            offer = state if advance else random.getrandbits(128)
            await mix.apply(advance_i=advance, data_i=offer, inverse_i=inverse)
            if before is not None:
                assert mix.get("data_o") == before, mix.item.name
            await mix.edge()
        expected = model.inv_mix_columns if is_inverse(mix, inverse) else model.mix_columns
        before = int.from_bytes(expected(state.to_bytes(16)))
