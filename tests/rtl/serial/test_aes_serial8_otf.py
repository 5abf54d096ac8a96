"""The byte core behind the contract: broken ones. `test_aes_cipher.py` has the sound ones."""

from pathlib import Path

import pytest
from broken import is_caught, sampled

SERIAL, CORE, STATE, KEY = (
    "serial/aes_serial8_otf.sv",
    "serial/aes_serial8_core.sv",
    "serial/aes_state_bytes.sv",
    "serial/aes_key_bytes.sv",
)
MUTANTS = {
    "a round too few": (CORE, "last = rcon_q[5] && rcon_q[4];", "last = rcon_q[4] && rcon_q[3];"),
    "a key changes while it goes in": (SERIAL, "!key_clear_i && !turn &&", "!key_clear_i &&"),
    "a key in the clock of a block": (SERIAL, " && !accept;", ";"),
    "the key does not go round": (SERIAL, "{key_q[119:0], key}", "{key_q[119:0], 8'h00}"),
    "a stall is dropped": (SERIAL, "(result_q && !(out_valid_o && out_ready_i))", "1'b0"),
    "a result before its last byte": (SERIAL, "= result_q && core_ready;", "= result_q;"),
    "MixColumns in the last round": (CORE, "last ? s_row : m_col", "m_col"),
    "no round without SubWord": (CORE, "{2{round_done}}", "2'b00"),
    "the long ring rests": (STATE, "sub_word_i || (column[1]", "(column[1]"),
    "ShiftRows of row 2 as of row 0": (STATE, "row[1] != (row[0]", "(row[0]"),
    "a column gathered in SubWord": (STATE, "row == 2'd3 && !sub_word_i", "row == 2'd3"),
    "RotWord is gone": (
        KEY,
        "{w0_nq[23:8], w0_nq[7:0] ^ (sub_word_i ? s_box_i : 8'h00),",
        "{w0_nq[23:16], w0_nq[15:8] ^ (sub_word_i ? s_box_i : 8'h00), w0_nq[7:0],",
    ),
    "Rcon for each byte of the word": (KEY, "first_byte_i ? rcon_i", "first_word_i ? rcon_i"),
}


@pytest.mark.parametrize("name", sampled(MUTANTS, everyday=True))
def test_a_broken_core_is_caught(name: str, tmp_path: Path) -> None:
    checks = ("random_stalls_and_keys", "promised_clocks", "clears_in_flight")
    chosen = [word for check in checks for word in ("--check", check)]
    is_caught(tmp_path, *MUTANTS[name], "aesforge-nano", "--blocks", "200", *chosen)
