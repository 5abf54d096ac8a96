"""The overlapped core with stored SubWord: its promise, its parts once, and broken ones."""

from pathlib import Path

import pytest
from broken import is_caught, sampled
from netlists import flip_flops, modules, parts

from aesforge.core.contract import CIPHER
from aesforge.space.presets import preset
from aesforge.space.promises import promised

PRESET = "aesforge-iterative"
STORED = "key_schedule=stored"


def test_as_many_clocks_as_rounds() -> None:
    promise = promised(preset(PRESET).configure([STORED]), 128)
    assert (promise.interval, promise.latency, promise.key_setup) == (10, 10, 24)
    assert promise.key_change_blocks == 3


def test_each_part_stands_there_once() -> None:
    """A table a byte, none for round keys; five keys or blocks of registers, and one memory."""
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
    "blocks come in a clock too late": (
        CORE,
        "in_ready_o = !busy_q && loaded_q",
        "in_ready_o = !busy_q && !valid_q && loaded_q",
    ),
    "a result is overwritten": (CORE, " && (!valid_q || out_ready_i);", ";"),
    "a block enters without AddRoundKey": (
        CORE,
        "(busy_q ? start_q : in_data_i) ^ {w01_q ^ w1_q, w1_q, w2_q, w3_q}",
        "busy_q ? start_q ^ {w01_q ^ w1_q, w1_q, w2_q, w3_q} : in_data_i",
    ),
    "MixColumns in the last round": (CORE, "out_q <= s_row ^ last_q;", "out_q <= m_col ^ last_q;"),
    "Rcon a round late": (CORE, "rcon(r + 1)", "rcon(r + 2)"),
    "the schedule does not rest": (CORE, "if (move) begin\n      w01_q", "begin\n      w01_q"),
    "RotWord the wrong way": (
        CORE,
        "{s_box[23:0], s_box[31:24]}",
        "{s_box[7:0], s_box[31:8]}",
    ),
    "a key changes under a block": (CORE, "(busy_q ? finish : !accept)", "!(setup_q || accept)"),
    "a key waits for the stream to end": (
        CORE,
        "(busy_q ? finish : !accept)",
        "(!busy_q && !accept)",
    ),
    "a setup of one clock a round key": (CORE, "setup_q ? read_q :", "setup_q ? 1'b1 :"),
    "a new key wipes a result": (CORE, "wipe = setup_q && !loaded_q;", "wipe = setup_q;"),
}


@pytest.mark.parametrize("name", sampled(MUTANTS))
def test_a_broken_core_is_caught(name: str, tmp_path: Path) -> None:
    is_caught(tmp_path, *MUTANTS[name], PRESET, STORED, "--blocks", "500")
