"""aes_ghash_lanes: the hash of SP 800-38D, whatever number of blocks a beat has."""

import random

import ghash
from benches import GHASH
from runner import View, for_each, simulate


def test_aes_ghash_lanes() -> None:
    simulate(__file__, GHASH)


# In the simulator -------------------------------------------------------------------------------

of_each = (GHASH, "aes_ghash_lanes")

messages_match = for_each(*of_each)(ghash.messages_match)
clear_leaves_nothing = for_each(*of_each)(ghash.clear_leaves_nothing)
a_key_waits_for_the_end_of_a_message = for_each(*of_each)(
    ghash.a_key_waits_for_the_end_of_a_message
)
a_hash_waits_until_it_is_taken = for_each(*of_each)(ghash.a_hash_waits_until_it_is_taken)


@for_each(*of_each)
async def keeps_its_rate_and_latency(view: View) -> None:
    await ghash.rate_and_latency(view, 1, 2, between=1)


@for_each(*of_each)
async def the_powers_of_a_subkey_take_a_cycle_each(view: View) -> None:
    await view.reset()
    lanes = int(dict(view.item.parameters)["Lanes"])
    for _ in range(3):
        bench = ghash.Bench(view, 0.0)
        await bench.set_key(random.getrandbits(128))
        waited = await view.until(lambda: bool(view.get("in_ready_o")))
        assert waited == lanes - 1
        bench.send([random.getrandbits(128) for _ in range(3 * lanes)])
        await bench.drain()
