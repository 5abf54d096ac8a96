"""aes_lockstep: copies that agree are one core; a difference stops all of it until reset."""

import random
from collections import deque

from benches import PROTECT
from runner import View, for_each, simulate

from aesforge.core.sources import codes


def test_aes_lockstep() -> None:
    simulate(__file__, PROTECT)


# In the simulator -------------------------------------------------------------------------------

SIDES = ("core", "copy")
ALONE = {"key_ready_o": 0, "in_ready_o": 0, "out_valid_o": 0}


def parameter(view: View, name: str) -> int:
    return int(dict(view.item.parameters)[name])


async def both(view: View, **ports: int) -> None:
    """Apply the same to both copies."""
    await view.apply(**{f"{side}_{name}": v for side in SIDES for name, v in ports.items()})


async def idle(view: View) -> None:
    await view.apply(key_valid_i=0, in_valid_i=0, out_ready_i=0, key_clear_i=0, key_i=0)
    await both(view, key_ready_i=1, in_ready_i=1, out_valid_i=0, out_data_i=0)
    await view.reset()


@for_each(PROTECT, "aes_lockstep")
async def copies_that_agree_are_one_core(view: View) -> None:
    await idle(view)
    results: deque[int] = deque()
    passed = fullest = 0
    for _ in range(2000):
        key, block, result = (random.getrandbits(128) for _ in range(3))
        keyed, sent, left, taken, ready = (random.random() < 0.6 for _ in range(5))
        await view.apply(
            key_valid_i=int(keyed),
            key_i=key,
            key_len_i=key % 3,
            in_valid_i=int(sent),
            in_data_i=block,
            in_decrypt_i=block % 2,
            in_sboxes_i=block % 3,
            out_ready_i=int(taken),
        )
        await both(view, key_ready_i=int(ready), in_ready_i=int(left))
        # Data that is not valid may differ: registers of data start at any value.
        await both(view, out_valid_i=int(left))
        await view.apply(core_out_data_i=result, copy_out_data_i=result if left else block)
        for side in SIDES:
            assert view.get(f"{side}_key_valid_o") == keyed
            assert view.get(f"{side}_in_valid_o") == sent
            assert view.get(f"{side}_key_o") == key
            assert view.get(f"{side}_key_len_o") == key % 3
            assert view.get(f"{side}_in_data_o") == block
            assert view.get(f"{side}_in_decrypt_o") == block % 2
            assert view.get(f"{side}_in_sboxes_o") == block % 3
        assert (view.get("key_ready_o"), view.get("in_ready_o")) == (ready, left)
        assert view.get("out_valid_o") == bool(results)
        if results:
            assert view.get("out_data_o") == results[0]
        elif parameter(view, "IdleOutput") == codes()["IDLE_OUTPUT_ZERO"]:
            assert view.get("out_data_o") == 0
        accepted = left and view.get("core_out_ready_o")
        assert view.get("core_out_ready_o") == view.get("copy_out_ready_o")
        assert (view.get("fault_o"), view.get("core_key_clear_o")) == (0, 0)
        if results and taken:
            results.popleft()
            passed += 1
        if accepted:
            results.append(result)
        fullest = max(fullest, len(results))
        await view.edge()
    assert passed > 300
    assert fullest == parameter(view, "Entries")


async def stays_stopped(view: View) -> None:
    """The alarm is raised in this cycle: one clear, no handshake, until reset."""
    await view.apply(key_valid_i=1, in_valid_i=1, out_ready_i=1, key_clear_i=0)
    for cycle in range(20):
        await both(view, key_ready_i=1, in_ready_i=1, out_valid_i=cycle % 2, out_data_i=cycle)
        assert view.get("fault_o") == 1
        assert {name: view.get(name) for name in ALONE} == ALONE
        for side in SIDES:
            assert (view.get(f"{side}_key_valid_o"), view.get(f"{side}_in_valid_o")) == (0, 0)
        assert view.get("core_key_clear_o") == (cycle == 0)
        if parameter(view, "IdleOutput") == codes()["IDLE_OUTPUT_ZERO"]:
            assert view.get("out_data_o") == 0
        await view.edge()
    # A clear passes, and ends no alarm.
    await view.apply(key_clear_i=1)
    assert view.get("core_key_clear_o") == 1
    await view.edge()
    await view.apply(key_clear_i=0)
    assert (view.get("fault_o"), view.get("core_key_clear_o")) == (1, 0)
    await view.reset()
    assert view.get("fault_o") == 0


@for_each(PROTECT, "aes_lockstep")
async def each_handshake_is_compared(view: View) -> None:
    for side in SIDES:
        for name in ("key_ready_i", "in_ready_i", "out_valid_i"):
            await idle(view)
            await view.apply(**{f"{side}_{name}": int(name == "out_valid_i")})
            # Nothing is accepted that one copy does not accept.
            if name != "out_valid_i":
                assert view.get(name.replace("_i", "_o")) == 0
            assert view.get("fault_o") == 0
            await view.edge()
            await view.apply(**{f"{side}_{name}": int(name != "out_valid_i")})
            await stays_stopped(view)


@for_each(PROTECT, "aes_lockstep")
async def each_bit_of_a_result_is_compared_before_it_is_output(view: View) -> None:
    for bit in range(128):
        await idle(view)
        result = random.getrandbits(128)
        await both(view, out_valid_i=1, out_data_i=result)
        await view.apply(copy_out_data_i=result ^ 1 << bit, out_ready_i=bit % 2)
        await view.edge()
        await both(view, out_valid_i=0)
        assert (view.get("out_valid_o"), view.get("fault_o")) == (0, 0)
        if parameter(view, "IdleOutput") == codes()["IDLE_OUTPUT_ZERO"]:
            assert view.get("out_data_o") == 0
        await view.edge()
        await stays_stopped(view)


@for_each(PROTECT, "aes_lockstep")
async def a_clear_leaves_no_result(view: View) -> None:
    await idle(view)
    await both(view, out_valid_i=1, out_data_i=2**128 - 1)
    await view.edge()
    await both(view, out_valid_i=0)
    await view.apply(key_clear_i=1)
    assert view.get("core_key_clear_o") == 1
    await view.edge()
    await view.apply(key_clear_i=0)
    assert (view.get("out_valid_o"), view.get("out_data_o"), view.get("fault_o")) == (0, 0, 0)
