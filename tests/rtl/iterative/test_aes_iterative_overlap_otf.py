"""The iterative core with overlap and round keys on the fly: promise, parts, broken cores."""

from pathlib import Path

import pytest
from broken import is_caught, sampled
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


CORE = "iterative/aes_iterative_overlap_otf.sv"
MUTANTS = {
    "a round too few": (CORE, "rcon(NR - 1);", "rcon(NR - 2);"),
    "blocks are accepted one cycle late": (
        CORE,
        "&& !running_q && advance",
        "&& !running_q && !last_q",
    ),
    "a result is overwritten": (CORE, "&& !running_q && advance", "&& !running_q"),
    "a block starts without AddRoundKey": (CORE, "in_data_i ^ first_q", "in_data_i"),
    "MixColumns in the last round": (CORE, "out_data_o = s_key;", "out_data_o = m_key;"),
    "Rcon one round late": (CORE, "{rcon_next, 24'h0}", "{rcon_q, 24'h0}"),
    "the schedule advances in a stall": (
        CORE,
        "if (advance) begin\n      w01_q",
        "begin\n      w01_q",
    ),
    "RotWord in the wrong direction": (
        CORE,
        "{w3_q[23:0], w3_q[31:24]}",
        "{w3_q[7:0], w3_q[31:8]}",
    ),
    "a key changes during the rounds of a block": (
        CORE,
        "running_q ? k_sch[95:0] : first_q[95:0]",
        "(running_q && !take_key) ? k_sch[95:0] : first_q[95:0]",
    ),
}


@pytest.mark.parametrize("name", sampled(MUTANTS))
def test_a_broken_core_is_caught(name: str, tmp_path: Path) -> None:
    is_caught(tmp_path, *MUTANTS[name], PRESET, "--blocks", "500")
