"""The interleaved core with round keys on the fly: promise, netlist, blocks of both directions."""

from collections.abc import Iterator

import pytest
from netlists import flip_flops, modules, parts
from suite import slow

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

PRESET = "aesforge-interleaved-universal"


@pytest.mark.parametrize(
    ("axes", "setup"),
    [
        ((), 41),
        (("keys=256",), 57),
        (("direction=encrypt",), 5),
        (("direction=encrypt", "stages=2", "sbox_registers=0"), 3),
        (("stages=2", "sbox_registers=0"), 21),
    ],
)
def test_as_many_blocks_as_stages(axes: tuple[str, ...], setup: int) -> None:
    config = preset(PRESET).configure(axes)
    bits = 256 if config.keys == "256" else 128
    promise, stages, turns = promised(config, bits), int(config.stages), 14 if bits == 256 else 10
    assert (promise.latency, promise.interval) == (stages * turns + 1, stages * (turns + 1))
    assert (promise.per, promise.key_setup, promise.key_change_blocks) == (stages, setup, stages)


@pytest.mark.parametrize(
    ("axes", "why"),
    [
        (("stages=5", "sbox_registers=1"), "stages must be 2 or 3 more than sbox_registers"),
        (("stages=2", "sbox_registers=1"), "stages must be 2 to 4 more than sbox_registers"),
        (("sbox=nibbles",), "sbox_registers need sbox=tower"),
        (("stages=3", "sbox_registers=0", "sbox=nibbles"), ""),
    ],
)
def test_stages_match_the_sbox_registers(axes: tuple[str, ...], why: str) -> None:
    if not why:
        preset(PRESET).configure(axes)
        return
    with pytest.raises(UserError, match=why):
        preset(PRESET).configure(axes)


def test_one_round_and_a_key_window_for_each_block() -> None:
    """One S-box per byte and four for the round keys serve four blocks in either direction."""
    config = preset(PRESET).configure(["keys=any"])
    assert config.direction == "both"
    found = modules(parts(CIPHER.module, config.parameters))
    assert found["aes_sbox_tower_pipelined"] == 16 + 4
    assert (found["aes_mix_column_shared"], found["aes_mix_columns"]) == (4, 1)
    assert found["aes_key_banks"] == 0
    # One for the operand of SubWord, one for its result.
    assert found["aes_next_round_key"] == 2
    kept = parts(CIPHER.module, config.parameters, registers=True)
    total = sum(sum(flip_flops(cells).values()) for _, cells in kept)
    # Windows; both ends of the schedule, each with a round key; `start`, MixColumns and the round
    # key; S-boxes with 12 sub-pipeline bits; at most 64 bits of control.
    data = 4 * 256 + 2 * (256 + 128) + 3 * 128 + 20 * (12 + 8)
    assert data < total <= data + 64


def run(config: Config, script: Iterator[bytes]) -> Scoreboard:
    return Scoreboard(config).watch(play(model(config), stack.contract(config), script))


def test_a_block_enters_in_the_cycle_in_which_one_leaves() -> None:
    """Blocks of both directions; each slot takes a new block in the cycle of its result."""
    config, script, count = preset(PRESET).config, Script(CIPHER), 16

    def whole() -> Iterator[bytes]:
        yield script.reset() + script.tick(40)
        yield script.send("key", *key_payload(bytes(16))) + script.wait("key", 1) + script.tick(60)
        for number in range(count):
            yield script.send("in", bytes([number] * 16), number % 2)
        yield script.wait("out", count)

    board = run(config, whole())
    assert board.problems == []
    first = board.accepted[0]
    assert board.accepted == [first + 44 * (number // 4) + number % 4 for number in range(count)]
    assert board.offered == [clock + 41 for clock in board.accepted]


@slow
def test_a_key_is_set_up_while_blocks_run_under_the_old_key() -> None:
    """The setup takes one slot; blocks in the other slots continue."""
    config, script = preset(PRESET).configure(["keys=any"]), Script(CIPHER)

    def whole() -> Iterator[bytes]:
        yield script.reset() + script.tick(40)
        yield script.send("key", *key_payload(bytes(16))) + script.wait("key", 1) + script.tick(60)
        yield script.send("in", bytes(16), 0) + script.send("in", bytes(16), 1)
        yield script.wait("in", 2)
        yield script.send("key", *key_payload(bytes(range(32)))) + script.wait("key", 2)
        yield script.send("in", bytes(16), 1) + script.wait("out", 3)

    board = run(config, whole())
    assert board.problems == []
    # 14 passes for the key, without 10 more for the blocks before it.
    assert board.accepted[2] - board.accepted[1] < 4 * 14 + 8
    assert board.offered[:2] == [clock + 41 for clock in board.accepted[:2]]
