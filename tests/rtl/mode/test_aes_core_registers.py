"""aes_core_registers: blocks and results pass in order, and a key waits for the blocks."""

import random
from collections import deque

from benches import MODE
from runner import View, for_each, simulate


def test_aes_core_registers() -> None:
    simulate(__file__, MODE)


# In the simulator -------------------------------------------------------------------------------


@for_each(MODE, "aes_core_registers")
async def blocks_and_results_pass_in_order(view: View) -> None:
    await view.reset()
    await view.edge()
    blocks: deque[tuple[int, int, int]] = deque()
    results: deque[int] = deque()
    keys = waits = 0
    # The layer above holds a key until it is accepted, and offers no block with it.
    key_waits = shown = False
    for _ in range(2000):
        keyed = key_waits or random.random() < 0.3
        block = random.getrandbits(128), random.getrandbits(1), random.randrange(3)
        result = random.getrandbits(128)
        sent, ready, left, taken = (random.random() < 0.6 for _ in range(4))
        await view.apply(
            key_valid_i=int(keyed),
            key_i=result,
            core_key_ready_i=int(taking := random.random() < 0.5),
            in_valid_i=int(sent and not keyed),
            in_data_i=block[0],
            in_decrypt_i=block[1],
            in_sboxes_i=block[2],
            core_in_ready_i=int(ready),
            core_out_valid_i=int(left),
            core_out_data_i=result,
            out_ready_i=int(taken),
        )
        assert view.get("core_key_valid_o") == shown
        assert view.get("key_ready_o") == (shown and taking)
        assert view.get("core_key_o") == result
        assert not (shown and blocks)
        waits += keyed and bool(blocks)
        # The core sees a key from the next cycle on.
        key_accepted = shown and taking
        keys += key_accepted
        key_waits = keyed and not key_accepted
        shown = not key_accepted and (shown or (keyed and not blocks))
        accepted = sent and not keyed and view.get("in_ready_o")
        returned = left and view.get("core_out_ready_o")
        assert view.get("core_in_valid_o") == bool(blocks)
        if blocks:
            ports = ("core_in_data_o", "core_in_decrypt_o", "core_in_sboxes_o")
            assert tuple(map(view.get, ports)) == blocks[0]
            if ready:
                blocks.popleft()
        assert view.get("out_valid_o") == bool(results)
        if results:
            assert view.get("out_data_o") == results[0]
            if taken:
                results.popleft()
        if accepted:
            blocks.append(block)
        if returned:
            results.append(result)
        await view.edge()
    assert min(keys, waits) > 50


@for_each(MODE, "aes_core_registers")
async def clear_leaves_nothing(view: View) -> None:
    await view.reset()
    await view.apply(in_valid_i=1, in_data_i=2**128 - 1, in_decrypt_i=1, core_in_ready_i=0)
    await view.apply(core_out_valid_i=1, core_out_data_i=2**128 - 1, out_ready_i=0)
    for _ in range(3):
        await view.edge()
    await view.apply(key_clear_i=1)
    await view.edge()
    await view.apply(key_clear_i=0)
    # Words are cleared in the next cycle, in which none is accepted.
    await view.apply(in_valid_i=1, core_out_valid_i=1)
    for port in ("in_ready_o", "core_out_ready_o", "core_in_valid_o", "out_valid_o"):
        assert view.get(port) == 0
    await view.edge()
    for port in ("core_in_data_o", "core_in_decrypt_o", "out_data_o"):
        assert view.get(port) == 0


@for_each(MODE, "aes_core_registers")
async def clear_takes_a_key_back(view: View) -> None:
    await view.reset()
    await view.apply(key_valid_i=1, core_key_ready_i=0)
    for _ in range(3):
        await view.edge()
    assert view.get("core_key_valid_o") == 1
    await view.apply(key_clear_i=1)
    await view.edge()
    await view.apply(key_clear_i=0, key_valid_i=0, core_key_ready_i=1)
    assert view.get("core_key_valid_o") == 0
    assert view.get("key_ready_o") == 0
