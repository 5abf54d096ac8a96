"""The player of a simulated core."""

from aesforge.config import preset
from aesforge.contract import CIPHER
from aesforge.sim.player import END, TIMEOUT, Script, compiled, play


def test_what_stands_still_is_not_driven_on() -> None:
    model = compiled(CIPHER, preset("aesforge-nano").config.parameters)
    script = Script(CIPHER)
    # No key is offered: neither wait can end well.
    waits = script.reset() + script.wait("key", 1, 50) + script.wait("key", 1, 1_000_000)
    events = list(play(model, CIPHER, [waits]))
    assert [event.kind for event in events[-2:]] == [TIMEOUT, END]
    assert events[-1].clock < 100
