"""The iterative core with round keys on the fly: what its netlist shares, and broken cores."""

from pathlib import Path

import pytest
from broken import is_caught, sampled
from netlists import flip_flops, modules, parts

from aesforge.core.contract import CIPHER
from aesforge.space.presets import preset


def test_one_circuit_serves_both_directions() -> None:
    """One table per byte, one MixColumns, four S-boxes for the next and the previous round key."""
    config = preset("sklavos-ake").config
    found = modules(parts(CIPHER.module, config.parameters))
    assert config.direction == "both"
    assert found["aes_lookup"] == found["aes_sbox_inverse_table"] == 16 + 4
    assert found["aes_mix_column_shared"] == 4
    # InvMixColumns of the round key, for decryption.
    assert found["aes_mix_column"] == 4
    assert found["aes_next_round_key"] == 1
    assert found["aes_key_banks"] == 0


def test_keys_of_any_size_share_the_s_boxes() -> None:
    """Four for every size and direction; a window of 256 bits, and one for each end."""
    config = preset("aesforge-iterative-universal").config
    found = modules(parts(CIPHER.module, config.parameters))
    assert (config.keys, config.direction) == ("any", "both")
    assert found["aes_sbox_tower"] == 16 + 4
    assert found["aes_mix_column_shared"] == found["aes_mix_column"] == 4
    assert found["aes_next_round_key"] == 1
    assert found["aes_key_banks"] == 0
    # Windows, the block, and at most 40 bits of control.
    found = parts(CIPHER.module, config.parameters, registers=True)
    kept = sum(sum(flip_flops(cells).values()) for _, cells in found)
    assert 3 * 256 + 128 < kept <= 3 * 256 + 128 + 40


CORE, ROUND, NEXT = (
    "iterative/aes_iterative_otf.sv",
    "iterative/aes_round_equivalent.sv",
    "key/aes_next_round_key.sv",
)
MUTANTS = {
    "a round too few": (CORE, "_round = round_q == rounds;", "_round = round_q == rounds - 4'd1;"),
    "the setup ends a step early": (CORE, "== rounds - 4'd1;", "== rounds - 4'd2;"),
    "a setup during the rounds of a block": (CORE, "= setup_q && !running_q;", "= setup_q;"),
    "blocks under the old key in a setup": (CORE, "loaded_q <= !SETUP;", "loaded_q <= 1'b1;"),
    "decryption starts from the first key": (CORE, "back ? last_q : first_q", "first_q"),
    "the last round key is mixed": (CORE, "(decrypt && !last_round)", "decrypt"),
    "round keys are not mixed": (CORE, "(decrypt && !last_round)", "1'b0"),
    "the first Rcon backward": (CORE, "back ? LAST_RCON[8*len +: 8] : FIRST_RCON", "FIRST_RCON"),
    "a stall is dropped": (CORE, "(valid_q && !out_ready_i);", "1'b0;"),
    "MixColumns in the last round": (ROUND, "last_i ? s_row : m_col", "m_col"),
    "ShiftRows in both directions": (ROUND, "decrypt ? inverse_shifted : shifted", "shifted"),
    "SubWord of the wrong word backward": (NEXT, "nk4           ? w2 ^ w3", "nk4 ? w3"),
}


@pytest.mark.parametrize("name", sampled(MUTANTS))
def test_a_broken_core_is_caught(name: str, tmp_path: Path) -> None:
    is_caught(tmp_path, *MUTANTS[name], "sklavos-ake", "--blocks", "500")


GIVEN_MUTANTS = {
    "the key instead of its last round key": (CORE, "key_i[BITS-1:0]", "key_i[255 -: BITS]"),
    "a given last round key is not stored": (CORE, "last_found = take_key;", "last_found = 1'b0;"),
    "a given last round key is also computed": (
        CORE,
        "&& KeySchedule != aes_pkg::KEY_SCHEDULE_GIVEN",
        "",
    ),
}


@pytest.mark.parametrize("name", sampled(GIVEN_MUTANTS))
def test_a_broken_core_with_given_keys_is_caught(name: str, tmp_path: Path) -> None:
    choices = ("key_schedule=given", "--blocks", "500")
    is_caught(tmp_path, *GIVEN_MUTANTS[name], "sklavos-ake", *choices)


ANY_MUTANTS = {
    "the block uses the size of the new key": (
        CORE,
        "running_q ? block_len_q : key_len_q",
        "key_len_q",
    ),
    "the last Rcon of 128-bit keys for all sizes": (
        CORE,
        "LAST_RCON[8*len +: 8]",
        "LAST_RCON[7:0]",
    ),
    "192-bit keys with two phases": (
        CORE,
        "(len == aes_pkg::LEN_192) ? 2'd2 : 2'd1",
        "2'd1",
    ),
    "SubWord of the wrong word before the third word": (NEXT, "w0 ^ w1 ^ w5", "w5"),
    "RotWord in each SubWord": (NEXT, "rotate_o ? {operand", "1'b1 ? {operand"),
    "the lower half of the previous window is lost": (
        NEXT,
        "new3, w0, w1, w2, w3}",
        "new3, w4, w5, w6, w7}",
    ),
}


@pytest.mark.parametrize("name", sampled(ANY_MUTANTS))
def test_a_broken_core_for_keys_of_any_size_is_caught(name: str, tmp_path: Path) -> None:
    is_caught(tmp_path, *ANY_MUTANTS[name], "aesforge-iterative-universal", "--blocks", "500")
