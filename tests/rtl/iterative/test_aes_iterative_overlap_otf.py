"""The overlapped core: what it promises, what its netlist holds once, and broken ones."""

from pathlib import Path

import pytest
from broken import is_caught, sampled
from netlists import flip_flops, modules, parts

from aesforge.core.contract import CIPHER
from aesforge.errors import UserError
from aesforge.space.presets import preset
from aesforge.space.promises import promised

PRESET = "aesforge-iterative"


def test_as_many_clocks_as_rounds() -> None:
    promise = promised(preset(PRESET).config, 128)
    assert (promise.interval, promise.latency, promise.key_setup) == (10, 10, 0)
    assert promise.key_change_blocks == 0


@pytest.mark.parametrize("choice", ["keys=192", "keys=any", "direction=decrypt", "direction=both"])
def test_what_it_cannot_be_is_refused(choice: str) -> None:
    with pytest.raises(UserError, match="choose another preset"):
        preset(PRESET).configure([choice])


def test_each_part_stands_there_once() -> None:
    """A table a byte and four for round keys; three keys or blocks of registers, and no memory."""
    config = preset(PRESET).config
    found = parts(CIPHER.module, config.parameters, registers=True)
    built = modules(found)
    assert built["aes_lookup"] == 16 + 4
    assert built["aes_key_banks"] == 0
    # The key, a round key and the state; Rcon and five bits of control.
    assert sum(flip_flops(cells).total() for _, cells in found) == 3 * 128 + 8 + 5


CORE = "iterative/aes_iterative_overlap_otf.sv"
MUTANTS = {
    "a round too few": (CORE, "rounds(KeyBits) - 1);", "rounds(KeyBits) - 2);"),
    "blocks come in a clock too late": (CORE, "&& !running_q && move", "&& !running_q && !last_q"),
    "a result is overwritten": (CORE, "&& !running_q && move", "&& !running_q"),
    "a block enters without AddRoundKey": (CORE, "in_data_i ^ first_q", "in_data_i"),
    "MixColumns in the last round": (CORE, "out_data_o = s_key;", "out_data_o = m_key;"),
    "Rcon a round late": (CORE, "{rcon_next, 24'h0}", "{rcon_q, 24'h0}"),
    "the schedule goes on in a stall": (CORE, "if (move) begin\n      w01_q", "begin\n      w01_q"),
    "RotWord the wrong way": (CORE, "{w3_q[23:0], w3_q[31:24]}", "{w3_q[7:0], w3_q[31:8]}"),
    "a key changes under a block": (
        CORE,
        "running_q ? k_sch[95:0] : first_q[95:0]",
        "(running_q && !take_key) ? k_sch[95:0] : first_q[95:0]",
    ),
}


@pytest.mark.parametrize("name", sampled(MUTANTS))
def test_a_broken_core_is_caught(name: str, tmp_path: Path) -> None:
    is_caught(tmp_path, *MUTANTS[name], PRESET, "--blocks", "500")
