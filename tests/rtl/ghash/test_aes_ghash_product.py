"""aes_ghash_product: products of SP 800-38D, one per cycle."""

import random

import ghash
from benches import GHASH
from runner import View, for_each, simulate


def test_aes_ghash_product() -> None:
    simulate(__file__, GHASH)


# In the simulator -------------------------------------------------------------------------------


@for_each(GHASH, "aes_ghash_product")
async def products_arrive_after_the_latency(view: View) -> None:
    latency = int(dict(view.item.parameters)["Registers"]).bit_count()
    # One bit in a factor, in the other one all powers of x in turn; then random factors.
    factors = [(1 << random.randrange(128), 1 << k) for k in range(128)]
    factors += [(random.getrandbits(128), random.getrandbits(128)) for _ in range(100)]
    for n in range(len(factors) + latency):
        a, b = factors[min(n, len(factors) - 1)]
        await view.apply(a_i=a, b_i=b)
        if n >= latency:
            assert view.get("data_o") == ghash.multiply(*factors[n - latency])
        await view.edge()
