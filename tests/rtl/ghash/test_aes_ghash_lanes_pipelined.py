"""aes_ghash_lanes_pipelined: the hash of SP 800-38D, a beat per cycle, with powers of the subkey."""

import random

import ghash
from benches import GHASH
from runner import View, for_each, simulate


def test_aes_ghash_lanes_pipelined() -> None:
    simulate(__file__, GHASH)


# In the simulator -------------------------------------------------------------------------------

of_each = (GHASH, "aes_ghash_lanes_pipelined")

messages_match = for_each(*of_each)(ghash.messages_match)
clear_leaves_nothing = for_each(*of_each)(ghash.clear_leaves_nothing)
a_key_waits_for_the_end_of_a_message = for_each(*of_each)(
    ghash.a_key_waits_for_the_end_of_a_message
)


def depth(view: View) -> int:
    """D: cycles from a product to one that needs its result."""
    return 2 + int(dict(view.item.parameters)["Registers"]).bit_count()


@for_each(*of_each)
async def keeps_its_rate_and_latency(view: View) -> None:
    await ghash.rate_and_latency(view, 1, 2 * depth(view) + 2)
