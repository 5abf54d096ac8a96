import random
from collections import deque

from benches import MASKED
from runner import View, for_each, simulate
from shares import (
    clears,
    expected,
    shared,
    shares_of,
    started,
    takes_the_promised_cycles,
    unmasks_to_the_result,
    value_of,
)


def test_aes_masked_interleaved() -> None:
    simulate(__file__, MASKED)


def stages(core: View) -> int:
    return 9 if dict(core.item.parameters)["Gadget"] == 0 else 5


@for_each(MASKED, "aes_masked_interleaved")
async def the_vector_of_the_standard_takes_the_promised_cycles(core: View) -> None:
    await takes_the_promised_cycles(core, 10 * stages(core) + 1)


@for_each(MASKED, "aes_masked_interleaved")
async def random_blocks_under_random_stalls_unmask_to_the_result(core: View) -> None:
    await unmasks_to_the_result(core, 4)


@for_each(MASKED, "aes_masked_interleaved")
async def a_clear_in_flight_overwrites_and_the_next_block_is_right(core: View) -> None:
    await clears(core, (1, 5, 25, 50, 90), 9)


async def stream(core: View, blocks: int, stall: float) -> list[int]:
    """Send blocks with keys of their own and take the results; the cycles of the results."""
    await started(core)
    shares, width = shares_of(core), core.width("random_i")
    waiting = [(random.getrandbits(128), random.getrandbits(128)) for _ in range(blocks)]
    flying: deque[tuple[int, int]] = deque()
    done: list[int] = []
    sending = False
    for cycle in range(10_000):
        if not sending:
            sending = bool(waiting) and random.random() >= stall
            fresh = waiting[0] if sending else (0, 0)
            key, block = (shared(one, 128, shares) for one in fresh)
            core.set(key_i=key, in_data_i=block, in_valid_i=int(sending))
        core.set(random_valid_i=int(random.random() >= stall), random_i=random.getrandbits(width))
        await core.apply(out_ready_i=int(random.random() >= stall))
        if sending and core.get("in_ready_o"):
            flying.append(waiting.pop(0))
            sending = False
        if core.get("out_valid_o") and core.get("out_ready_i"):
            result = value_of(core.get("out_data_o"), 128, shares)
            assert result == expected(*flying.popleft()), core.item.name
            done.append(cycle)
        await core.edge()
        if len(done) == blocks:
            return done
    raise AssertionError("nothing happens")


@for_each(MASKED, "aes_masked_interleaved")
async def each_stage_has_a_block(core: View) -> None:
    count = stages(core)
    found = await stream(core, 3 * count, 0.0)
    assert [cycle - found[0] for cycle in found] == [
        10 * count * (at // count) + at % count for at in range(3 * count)
    ]


@for_each(MASKED, "aes_masked_interleaved")
async def a_stream_under_random_stalls_stays_in_order(core: View) -> None:
    for stall in (0.1, 0.5, 0.8):
        await stream(core, 12, stall)
