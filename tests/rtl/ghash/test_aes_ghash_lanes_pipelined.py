"""aes_ghash_lanes_pipelined: the hash of SP 800-38D, a beat per cycle, over powers of H."""

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


@for_each(*of_each)
async def the_powers_of_a_subkey_are_made_in_rounds(view: View) -> None:
    await view.reset()
    for _ in range(3):
        bench = ghash.Bench(view, 0.0)
        await bench.set_key(random.getrandbits(128))
        waited = await view.until(lambda: bool(view.get("in_ready_o")), limit=2000)
        powers = depth(view) * bench.lanes
        assert waited == powers - 1 + depth(view) * (powers - 1).bit_length()
        bench.send([random.getrandbits(128) for _ in range(3 * powers)])
        await bench.drain()


@for_each(*of_each)
async def beats_of_any_size_follow_each_other(view: View) -> None:
    """Messages longer than the pipeline, and short ones, with beats of any number of blocks."""
    await view.reset()
    for stall, limit in ((0.0, 1.0), (0.3, 1.0), (0.0, 0.7)):
        bench = ghash.Bench(view, stall)
        bench.sink.stall = 1 - limit
        await bench.set_key(random.getrandbits(128))
        for _ in range(8):
            bench.send(ghash.message(2))
            bench.send(ghash.message(5 * depth(view) * bench.lanes))
        await bench.drain()


@for_each(*of_each)
async def hashes_wait_until_they_are_taken(view: View) -> None:
    """`Hashes` messages are complete and no more; meanwhile no subkey replaces theirs."""
    await view.reset()
    bench = ghash.Bench(view, 0.0)
    await bench.set_key(random.getrandbits(128))
    bench.sink.stall = 1.0
    for _ in range(40):
        bench.send([random.getrandbits(128)])
    await view.tick(20 * depth(view))
    await view.settle()
    assert view.get("out_valid_o")
    assert not view.get("in_ready_o")
    assert not view.get("key_ready_o")
    bench.sink.stall = 0.0
    await bench.drain()
