"""The core with batches: promise, netlist and stalls."""

from collections.abc import Iterator

import pytest
from netlists import flip_flops, modules, parts

from aesforge.core import stack
from aesforge.core.contract import CIPHER
from aesforge.errors import UserError
from aesforge.sim.oracle import key_payload
from aesforge.sim.player import Script, play
from aesforge.sim.register_player import model
from aesforge.sim.scoreboard import Scoreboard
from aesforge.space.axes import Config
from aesforge.space.presets import preset
from aesforge.space.promises import promised

PRESET = "aesforge-interleaved"
SHORT = ("stages=3", "sbox_registers=1")


@pytest.mark.parametrize(("axes", "stages"), [((), 7), (SHORT, 3)])
def test_ten_passes_for_a_batch(axes: tuple[str, ...], stages: int) -> None:
    promise = promised(preset(PRESET).configure(axes), 128)
    assert (promise.interval, promise.latency, promise.per) == (10 * stages, 10 * stages, stages)
    assert (promise.cycles_per_block, promise.key_setup, promise.key_change_blocks) == (10, 1, 0)


@pytest.mark.parametrize("choice", ["keys=192", "keys=any", "direction=decrypt", "direction=both"])
def test_unsupported_choices_are_refused(choice: str) -> None:
    with pytest.raises(UserError, match="choose another preset"):
        preset(PRESET).configure([choice])


@pytest.mark.parametrize(
    ("axes", "why"),
    [
        (("stages=5", "sbox_registers=4"), "stages must be 2 to 4 more than sbox_registers"),
        (("stages=2", "sbox_registers=0", "sbox=nibbles"), ""),
        (("stages=3", "sbox_registers=1", "sbox=nibbles"), "sbox_registers need sbox=tower"),
    ],
)
def test_stages_match_the_sbox_registers(axes: tuple[str, ...], why: str) -> None:
    if not why:
        preset(PRESET).configure(axes)
        return
    with pytest.raises(UserError, match=why):
        preset(PRESET).configure(axes)


@pytest.mark.parametrize(
    ("axes", "boxes", "bits"),
    [
        # Per S-box 8, 18 and three times 12 bits; half a word at the S-boxes, and the half result.
        ((), 16 + 2, 16 * (8 + 54 + 8) + 2 * (8 + 54 + 8) + 16 + 6),
        (("stages=4", "sbox_registers=2"), 16 + 4, 16 * (8 + 24) + 4 * (8 + 24 + 8)),
    ],
)
def test_no_register_is_duplicated(axes: tuple[str, ...], boxes: int, bits: int) -> None:
    config = preset(PRESET).configure(axes)
    stages = int(config.stages)
    found = parts(CIPHER.module, config.parameters, registers=True)
    assert modules(found)["aes_sbox_tower_pipelined"] == boxes
    # The key, the round key and `start`; MixColumns has a register only with a stage of its own.
    mix = 128 if stages > int(config.sbox_registers) + 2 else 0
    control = 2 * stages + 11 + 8 + 1 + bool(mix) + min(4, stages - 1)
    total = sum(flip_flops(cells).total() for _, cells in found)
    assert total == 2 * 128 + (128 if not mix else 0) + bits + mix + control


def run(config: Config, script: Iterator[bytes]) -> Scoreboard:
    return Scoreboard(config).watch(play(model(config), stack.contract(config), script))


def test_a_batch_enters_and_leaves_together() -> None:
    """Blocks enter in seven consecutive cycles, then none until their results leave."""
    config, script, count = preset(PRESET).config, Script(CIPHER), 21

    def whole() -> Iterator[bytes]:
        yield script.reset() + script.tick(40)
        yield script.send("key", *key_payload(bytes(16))) + script.wait("key", 1) + script.tick(4)
        for number in range(count):
            yield script.send("in", bytes([number] * 16), 0)
        yield script.wait("out", count)

    board = run(config, whole())
    assert board.problems == []
    first = board.accepted[0]
    expected = [first + 70 * (number // 7) + number % 7 for number in range(count)]
    assert board.accepted == expected
    assert board.offered == [clock + 70 for clock in expected]


def test_a_result_that_waits_blocks_its_slot() -> None:
    """A full loop stalls; it never holds more than seven blocks."""
    config, script, count = preset(PRESET).config, Script(CIPHER), 14

    def whole() -> Iterator[bytes]:
        yield script.reset() + script.stall("out", 1) + script.tick(40)
        yield script.send("key", *key_payload(bytes(16))) + script.wait("key", 1)
        for number in range(count):
            yield script.send("in", bytes([number] * 16), 0)
        yield script.tick(200) + script.stall("out", 0) + script.wait("out", count)

    board = run(config, whole())
    assert board.problems == []
    assert board.accepted[6] - board.accepted[0] == 6
    # Results are taken from cycle 200 on, and only then does the next batch enter.
    assert board.accepted[7] - board.accepted[0] > 190
