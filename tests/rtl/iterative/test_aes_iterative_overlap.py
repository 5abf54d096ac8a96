"""The iterative core with overlap and stored SubWords: its promise, its parts, broken cores."""

from pathlib import Path

import pytest
from broken import is_caught, sampled
from netlists import flip_flops, modules, parts

from aesforge.core.contract import CIPHER
from aesforge.space.presets import preset
from aesforge.space.promises import promised

PRESET = "aesforge-iterative"
STORED = "key_schedule=stored"


def test_a_block_takes_as_many_cycles_as_rounds() -> None:
    promise = promised(preset(PRESET).configure([STORED]), 128)
    assert (promise.interval, promise.latency, promise.key_setup) == (10, 10, 24)
    assert promise.key_change_blocks == 3


def test_each_part_is_built_once() -> None:
    """One table per byte, none for round keys; five 128-bit registers and one memory."""
    found = parts(CIPHER.module, preset(PRESET).configure([STORED]).parameters, registers=True)
    built = modules(found)
    assert built["aes_lookup"] == 16
    # The key, its last round key, a round key, the state and the result; nine bits of control.
    assert sum(flip_flops(cells).total() for _, cells in found) == 5 * 128 + 9
    ports = {name: sum(cells[name] for _, cells in found) for name in ("$memrd_v2", "$memwr_v2")}
    assert ports == {"$memrd_v2": 1, "$memwr_v2": 1}


CORE = "iterative/aes_iterative_overlap.sv"
MUTANTS = {
    "a round too few": (CORE, "LAST_LINE = 4'(NR - 1);", "LAST_LINE = 4'(NR - 2);"),
    "blocks are accepted one cycle late": (
        CORE,
        "in_ready_o = !busy_q && loaded_q",
        "in_ready_o = !busy_q && !valid_q && loaded_q",
    ),
    "a result is overwritten": (CORE, " && (!valid_q || out_ready_i);", ";"),
    "a block starts without AddRoundKey": (
        CORE,
        "(busy_q ? start_q : in_data_i) ^ {w01_q ^ w1_q, w1_q, w2_q, w3_q}",
        "busy_q ? start_q ^ {w01_q ^ w1_q, w1_q, w2_q, w3_q} : in_data_i",
    ),
    "MixColumns in the last round": (CORE, "out_q <= s_row ^ last_q;", "out_q <= m_col ^ last_q;"),
    "Rcon one round late": (CORE, "rcon(r + 1)", "rcon(r + 2)"),
    "the schedule advances in each cycle": (
        CORE,
        "if (advance) begin\n      w01_q",
        "begin\n      w01_q",
    ),
    "RotWord in the wrong direction": (
        CORE,
        "{s_box[23:0], s_box[31:24]}",
        "{s_box[7:0], s_box[31:8]}",
    ),
    "a key changes during the rounds of a block": (
        CORE,
        "(busy_q ? finish : !accept)",
        "!(setup_q || accept)",
    ),
    "a key waits for the stream to end": (
        CORE,
        "(busy_q ? finish : !accept)",
        "(!busy_q && !accept)",
    ),
    "a setup of one cycle per round key": (CORE, "setup_q ? read_q :", "setup_q ? 1'b1 :"),
    "a new key clears a result": (CORE, "clearing = setup_q && !loaded_q;", "clearing = setup_q;"),
}


@pytest.mark.parametrize("name", sampled(MUTANTS))
def test_a_broken_core_is_caught(name: str, tmp_path: Path) -> None:
    is_caught(tmp_path, *MUTANTS[name], PRESET, STORED, "--blocks", "500")
