"""The iterative core with overlap and round keys on the fly: its promise and its parts."""

import pytest
from netlists import flip_flops, modules, parts

from aesforge.core.contract import CIPHER
from aesforge.errors import UserError
from aesforge.space.presets import preset
from aesforge.space.promises import promised

PRESET = "aesforge-iterative"


def test_a_block_takes_as_many_cycles_as_rounds() -> None:
    promise = promised(preset(PRESET).config, 128)
    assert (promise.interval, promise.latency, promise.key_setup) == (10, 10, 0)
    assert promise.key_change_blocks == 0


@pytest.mark.parametrize("choice", ["keys=192", "keys=any", "direction=decrypt", "direction=both"])
def test_illegal_choices_are_refused(choice: str) -> None:
    with pytest.raises(UserError, match="choose another preset"):
        preset(PRESET).configure([choice])


def test_each_part_is_built_once() -> None:
    """One table per byte and four for round keys; three 128-bit registers and no memory."""
    config = preset(PRESET).config
    found = parts(CIPHER.module, config.parameters, registers=True)
    built = modules(found)
    assert built["aes_lookup"] == 16 + 4
    assert built["aes_key_banks"] == 0
    # The key, a round key and the state; Rcon and five bits of control.
    assert sum(flip_flops(cells).total() for _, cells in found) == 3 * 128 + 8 + 5
