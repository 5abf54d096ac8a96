"""The core with one column per cycle: promised cycles, parts of the netlist, found faults."""

from pathlib import Path

import pytest
from broken import is_caught, sampled
from netlists import flip_flops, modules, parts

from aesforge.core.contract import CIPHER
from aesforge.space.presets import preset
from aesforge.space.promises import promised

PRESET, STORED = "aesforge-compact", "key_schedule=stored"


def test_a_round_takes_four_cycles() -> None:
    config = preset(PRESET).configure([STORED])
    promises = [promised(config, bits) for bits in (128, 192, 256)]
    assert [promise.interval for promise in promises] == [44, 52, 60]
    assert [promise.latency for promise in promises] == [44, 52, 60]


def test_each_part_is_one_column_wide() -> None:
    """Four S-boxes in the round, four in the key schedule, one MixColumns, one state."""
    config = preset(PRESET).configure([STORED])
    assert (config.keys, config.direction) == ("any", "both")
    found = parts(CIPHER.module, config.parameters, registers=True)
    built = modules(found)
    assert built["aes_sbox"] == 4 + 4
    assert built["aes_mix_column_shared"] == 1
    assert built["aes_mix_column"] == 0
    assert built["aes_key_banks"] == 1
    bits = sum(flip_flops(cells).total() for _, cells in found)
    # State, places of its rows, window of the key schedule, control.
    assert 128 + 16 + 256 <= bits <= 128 + 16 + 256 + 48


CORE = "serial/aes_serial32.sv"
MUTANTS = {
    "a round too few": (
        CORE,
        "last_round = round_q == rounds_now;",
        "last_round = round_q + 4'd1 == rounds_now;",
    ),
    "the first column without its key": (
        CORE,
        "in_data_i[127:96] ^ round_key[127:96]",
        "in_data_i[127:96]",
    ),
    "the S-boxes in the first AddRoundKey": (CORE, "first_round ? column : s_box", "s_box"),
    "MixColumns in the last round": (CORE, "(first_round || last_round)", "(first_round)"),
    "a stall is dropped": (CORE, "(valid_q && !out_ready_i);", "1'b0;"),
    "the word of another column": (CORE, "127-32*column_q -: 32", "31+32*column_q -: 32"),
    "round keys forward in decryption": (
        CORE,
        "? rounds_now - round_q : round_q",
        "? round_q : round_q",
    ),
    "rows rotate in one direction only": (CORE, "decrypt ? 2'd0 - round_d[1:0] :", "1'b0 ? 2'd0 :"),
    "the newest key, not the key at acceptance": (CORE, "= running_q ? bank_q : bank;", "= bank;"),
}


@pytest.mark.parametrize("name", sampled(MUTANTS))
def test_a_broken_core_is_caught(name: str, tmp_path: Path) -> None:
    is_caught(tmp_path, *MUTANTS[name], PRESET, STORED, "--blocks", "500")
