"""The feedback core: what its netlist holds once, and broken ones."""

from pathlib import Path

import pytest
from broken import is_caught, sampled
from netlists import flip_flops, modules, parts

from aesforge.core.contract import CIPHER
from aesforge.space.presets import preset


def test_one_circuit_serves_both_directions() -> None:
    """One table a byte, one MixColumns, four S-boxes for round keys that go either way."""
    config = preset("sklavos-ake").config
    found = modules(parts(CIPHER.module, config.parameters))
    assert config.direction == "both"
    assert found["aes_lookup"] == found["aes_sbox_inverse_table"] == 16 + 4
    assert found["aes_mix_column_shared"] == 4
    # Of the round key, for decryption.
    assert found["aes_mix_column"] == 4
    assert found["aes_key_turn"] == 1
    assert found["aes_key_memory"] == 0


def test_keys_of_any_size_share_the_s_boxes() -> None:
    """Four for every size and both ways; a window of 256 bits, and one for each end."""
    config = preset("aesforge-iterative-universal").config
    found = modules(parts(CIPHER.module, config.parameters))
    assert (config.keys, config.direction) == ("any", "both")
    assert found["aes_sbox_tower"] == 16 + 4
    assert found["aes_mix_column_shared"] == found["aes_mix_column"] == 4
    assert found["aes_key_slide"] == 1
    assert found["aes_key_turn"] == found["aes_key_memory"] == 0
    # Windows, the block, and at most 40 of control.
    found = parts(CIPHER.module, config.parameters, registers=True)
    kept = sum(sum(flip_flops(cells).values()) for _, cells in found)
    assert 3 * 256 + 128 < kept <= 3 * 256 + 128 + 40


CORE, ROUND, TURN, SLIDE, GIVEN = (
    "iterative/aes_iterative_otf.sv",
    "iterative/aes_round_shared.sv",
    "iterative/aes_key_turn.sv",
    "key/aes_key_slide.sv",
    "iterative/aes_key_given.sv",
)
MUTANTS = {
    "a round too few": (CORE, "last = round_q == rounds;", "last = round_q == rounds - 4'd1;"),
    "the last round key found a step early": (CORE, "== rounds - 4'd1;", "== rounds - 4'd2;"),
    "a key is run through under a block": (CORE, "= setup_q && !running_q;", "= setup_q;"),
    "blocks under the old key in a set-up": (CORE, "loaded_q <= !DERIVE;", "loaded_q <= 1'b1;"),
    "decryption starts from the first key": (CORE, "back ? last_q : first_q", "first_q"),
    "the last round key is mixed": (CORE, "(decrypt && !last)", "decrypt"),
    "round keys are not mixed": (CORE, "(decrypt && !last)", "1'b0"),
    "the first Rcon backwards": (CORE, "back ? LAST_RCON[8*len +: 8] : FIRST_RCON", "FIRST_RCON"),
    "a stall is dropped": (CORE, "(valid_q && !out_ready_i);", "1'b0;"),
    "MixColumns in the last round": (ROUND, "last_i ? s_row : m_col", "m_col"),
    "ShiftRows one way only": (ROUND, "decrypt ? right : left", "left"),
    "SubWord of the wrong word backwards": (TURN, "back_i ? w2 ^ w3 : w3", "w3"),
}


@pytest.mark.parametrize("name", sampled(MUTANTS))
def test_a_broken_core_is_caught(name: str, tmp_path: Path) -> None:
    is_caught(tmp_path, *MUTANTS[name], "sklavos-ake", "--blocks", "500")


GIVEN_MUTANTS = {
    "the key for its last round key": (GIVEN, "key_i[127:0]", "key_i[255:128]"),
    "a given key is not taken": (CORE, "last_found = take_key;", "last_found = 1'b0;"),
    "a given key is derived too": (CORE, "&& KeySchedule != aes_pkg::KEY_SCHEDULE_GIVEN", ""),
}


@pytest.mark.parametrize("name", sampled(GIVEN_MUTANTS))
def test_a_broken_core_with_given_keys_is_caught(name: str, tmp_path: Path) -> None:
    choices = ("key_schedule=given", "--blocks", "500")
    is_caught(tmp_path, *GIVEN_MUTANTS[name], "sklavos-ake", *choices)


SLIDE_MUTANTS = {
    "the size of the new key for the block": (
        CORE,
        "running_q ? block_len_q : key_len_q",
        "key_len_q",
    ),
    "Rcon of 128 bits ends all schedules": (
        CORE,
        "LAST_RCON[8*len +: 8]",
        "LAST_RCON[7:0]",
    ),
    "192-bit keys in steps of two kinds": (
        CORE,
        "(len == aes_pkg::LEN_192) ? 2'd2 : 2'd1",
        "2'd1",
    ),
    "SubWord of the word that is there": (SLIDE, "w0 ^ w1 ^ w5", "w5"),
    "RotWord in each SubWord": (SLIDE, "rotate_o ? {operand", "1'b1 ? {operand"),
    "the words behind are lost": (SLIDE, "come3, w0, w1, w2, w3}", "come3, w4, w5, w6, w7}"),
}


@pytest.mark.parametrize("name", sampled(SLIDE_MUTANTS))
def test_a_broken_core_for_keys_of_any_size_is_caught(name: str, tmp_path: Path) -> None:
    is_caught(tmp_path, *SLIDE_MUTANTS[name], "aesforge-iterative-universal", "--blocks", "500")
