"""aes_verdict: beats pass unchanged, and a tag that is verified becomes a verdict without bytes."""

import random
from collections import deque

from benches import KIND_FAILED, KIND_PAYLOAD, KIND_TAG, KIND_VERIFIED, MODE
from runner import View, for_each, simulate


def test_aes_verdict() -> None:
    simulate(__file__, MODE)


# In the simulator -------------------------------------------------------------------------------

Beat = tuple[int, int, int, int]
"""Data, bytes, kind, last."""


def has(view: View, name: str) -> bool:
    return str(dict(view.item.parameters)[name]).endswith("1")


def beat(view: View) -> tuple[Beat, Beat]:
    """A random beat, and what is output for it."""
    kinds = [KIND_PAYLOAD, KIND_TAG, KIND_FAILED, *[KIND_VERIFIED] * 3 * has(view, "Verifies")]
    kind, size, last = random.choice(kinds), random.randrange(17), random.getrandbits(1)
    data, rest = random.getrandbits(128), 128 - 8 * size
    if kind == KIND_VERIFIED:
        # Nothing is left of a tag that is right; one bit of a tag that is nearly right. Bytes after
        # the tag are no part of it.
        data = random.choice((0, 1 << random.randrange(128), data))
        data = random.choice((data, data ^ random.getrandbits(128) >> 8 * size))
    counted = data >> rest << rest
    found = counted, size, kind, last
    if kind == KIND_VERIFIED:
        found = 0, 0, KIND_FAILED if counted else KIND_VERIFIED, last
    if kind == KIND_FAILED:
        found = 0, 0, KIND_FAILED, last
    return (data, size, kind, last), found


def output(view: View) -> Beat:
    data, size = view.get("out_data_o"), view.get("out_bytes_o")
    return data, size, view.get("out_kind_o"), view.get("out_last_o")


async def offer(view: View, sent: Beat, **ports: int) -> None:
    names = ("data", "bytes", "kind", "last")
    beat = {f"in_{name}_i": value for name, value in zip(names, sent, strict=True)}
    await view.apply(**beat, **ports)


@for_each(MODE, "aes_verdict")
async def tags_become_verdicts_in_order(view: View) -> None:
    await view.reset()
    expected: deque[Beat] = deque()
    sent, found = beat(view)
    offered, waited, kinds = False, 0, set()
    idle = 0
    for _ in range(3000):
        offered = offered or random.random() < 0.7
        taken = random.random() < 0.6
        await offer(view, sent, in_valid_i=int(offered), out_ready_i=int(taken))
        if has(view, "Pipelined"):
            # Nothing on offer depends on an input of the same cycle.
            assert view.get("out_valid_o") == bool(expected)
            accepted = offered and view.get("in_ready_o")
        else:
            # A verdict on a tag is on offer from the second cycle on, whatever the receiver does.
            late = sent[2] == KIND_VERIFIED and not waited
            assert view.get("out_valid_o") == (offered and not late)
            accepted = offered and not late and taken
            assert not offered or view.get("in_ready_o") == accepted
            if accepted:
                expected.append(found)
        if view.get("out_valid_o"):
            oldest = expected[0] if expected else found
            assert output(view) == oldest
            kinds.add(oldest[2])
            if taken and expected:
                expected.popleft()
        elif has(view, "IdleOutput"):
            assert view.get("out_data_o") == 0
            idle += 1
        if accepted and has(view, "Pipelined"):
            expected.append(found)
        waited = 0 if accepted else waited + offered
        await view.edge()
        if accepted:
            sent, found = beat(view)
            offered = False
    assert {KIND_FAILED, KIND_PAYLOAD, KIND_TAG} <= kinds
    assert (KIND_VERIFIED in kinds) == has(view, "Verifies")
    assert idle > 100 or not has(view, "IdleOutput")


@for_each(MODE, "aes_verdict")
async def the_rate_is_a_beat_per_cycle_in_a_pipeline(view: View) -> None:
    await view.reset()
    kind = KIND_VERIFIED if has(view, "Verifies") else KIND_PAYLOAD
    await offer(view, (0, 16, kind, 1), in_valid_i=1, out_ready_i=1)
    passed = 0
    for _ in range(101):
        passed += view.get("out_valid_o")
        await view.edge()
    if has(view, "Pipelined"):
        assert passed == 100
    else:
        assert passed == (50 if has(view, "Verifies") else 101)


@for_each(MODE, "aes_verdict")
async def clear_leaves_no_comparison(view: View) -> None:
    await view.reset()
    if not has(view, "Verifies"):
        return
    wrong, right = (2**128 - 1, 16, KIND_VERIFIED, 1), (0, 16, KIND_VERIFIED, 1)
    await offer(view, wrong, in_valid_i=1, out_ready_i=0)
    for _ in range(3):
        await view.edge()
    await view.apply(clear_i=1)
    await view.edge()
    await offer(view, right, clear_i=0, in_valid_i=1)
    assert not view.get("out_valid_o")
    await view.edge()
    assert view.get("out_valid_o")
    assert output(view) == (0, 0, KIND_VERIFIED, 1)
