"""aes_ghash_blocks: the hash of SP 800-38D, whatever number of blocks a beat has."""

import ghash
from benches import GHASH
from runner import View, for_each, simulate


def test_aes_ghash_blocks() -> None:
    simulate(__file__, GHASH)


# In the simulator -------------------------------------------------------------------------------

of_each = (GHASH, "aes_ghash_blocks")

messages_match = for_each(*of_each)(ghash.messages_match)
clear_leaves_nothing = for_each(*of_each)(ghash.clear_leaves_nothing)
a_key_waits_for_the_end_of_a_message = for_each(*of_each)(
    ghash.a_key_waits_for_the_end_of_a_message
)
a_hash_waits_until_it_is_taken = for_each(*of_each)(ghash.a_hash_waits_until_it_is_taken)


@for_each(*of_each)
async def keeps_its_rate_and_latency(view: View) -> None:
    parameters = dict(view.item.parameters)
    digit, lanes = int(parameters["Digit"]), int(parameters["Lanes"])
    cycles, below = 128 // digit * lanes, 0 if digit == 128 else 1
    await ghash.rate_and_latency(view, cycles, cycles + below + 1, between=1 + below)
