"""The player of a simulated core."""

from aesforge.core.contract import CIPHER
from aesforge.sim.player import END, HANDSHAKE, TIMEOUT, Script, compiled, play
from aesforge.space.presets import preset


def test_a_wait_that_times_out_ends_the_run() -> None:
    model = compiled(CIPHER, preset("aesforge-nano").config.parameters)
    script = Script(CIPHER)
    # No key is offered: neither wait can end well.
    waits = script.reset() + script.wait("key", 1, 50) + script.wait("key", 1, 1_000_000)
    events = list(play(model, CIPHER, [waits]))
    assert [event.kind for event in events[-2:]] == [TIMEOUT, END]
    assert events[-1].clock < 100


def test_a_drain_ends_when_all_has_come_out() -> None:
    config = preset("aesforge-nano").config
    model = compiled(CIPHER, config.parameters)
    script = Script(CIPHER)
    key = script.send("key", bytes(32), 0)
    blocks = [script.send("in", bytes(16), 0) for _ in range(5)]
    events = list(play(model, CIPHER, [script.reset(), key, *blocks, script.drain(300)]))
    results = [event.clock for event in events if (event.kind, event.name) == (HANDSHAKE, "out")]
    assert len(results) == 5
    assert events[-1].kind == END
    assert events[-1].clock == results[-1] + 300


def test_a_drain_without_a_key_gives_up() -> None:
    model = compiled(CIPHER, preset("aesforge-nano").config.parameters)
    script = Script(CIPHER)
    offer = script.reset() + script.send("in", bytes(16), 0) + script.drain(10, 50)
    events = list(play(model, CIPHER, [offer]))
    assert [(event.kind, event.name) for event in events[-2:-1]] == [(TIMEOUT, "in")]
    assert events[-1].clock < 100


def test_a_limit_that_no_run_reaches_is_the_longest_one() -> None:
    """`run mode=cfb1` waits for 1,024 beats of 128 blocks each."""
    script = Script(CIPHER)
    assert script.wait("out", 1, 1 << 40).endswith(b"\xff" * 4)
    assert script.drain(1, 1 << 40).endswith(b"\xff" * 4)
