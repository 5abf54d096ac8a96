"""aes_ctr: the equations of SP 800-38A, 6.5, and its counter's wrap (B.1)."""

import random

from benches import MODE
from runner import View, for_each, simulate

from aesforge.sim.packets import increment


def test_aes_ctr() -> None:
    simulate(__file__, MODE)


# In the simulator -------------------------------------------------------------------------------


@for_each(MODE, "aes_ctr")
async def counter_wraps_within_its_low_bits(view: View) -> None:
    bits = int(dict(view.item.parameters)["CounterBits"])
    for ones in range(129):
        data = random.getrandbits(128)
        counter = (random.getrandbits(128) << ones | (1 << ones) - 1) % (1 << 128)
        await view.apply(data_i=data, chain_i=counter)
        assert view.get("block_o") == counter
        assert view.get("mask_o") == data
        assert view.get("chain_o") == increment(counter, bits)
