"""aes_ghash_single: the hash of SP 800-38D, a block per cycle, in one cycle."""

import ghash
from benches import GHASH
from runner import View, for_each, simulate


def test_aes_ghash_single() -> None:
    simulate(__file__, GHASH)


# In the simulator -------------------------------------------------------------------------------

of_each = (GHASH, "aes_ghash_single")

messages_match = for_each(*of_each)(ghash.messages_match)
clear_leaves_nothing = for_each(*of_each)(ghash.clear_leaves_nothing)
a_key_waits_for_the_end_of_a_message = for_each(*of_each)(
    ghash.a_key_waits_for_the_end_of_a_message
)


@for_each(*of_each)
async def keeps_its_rate_and_latency(view: View) -> None:
    await ghash.rate_and_latency(view, 1, 1)
