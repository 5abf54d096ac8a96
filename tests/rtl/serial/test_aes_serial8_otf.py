"""Faults in the 8-bit core and its wrapper are found. `test_aes_cipher.py` tests the sound one."""

from pathlib import Path

import pytest
from broken import is_caught, sampled

SERIAL, ADAPTER, CORE = (
    "serial/aes_serial8_otf.sv",
    "serial/aes_serial_adapter.sv",
    "serial/aes_serial8_core.sv",
)
MUTANTS = {
    "a round too few": (CORE, "rcon_q[5] && rcon_q[4];", "rcon_q[4] && rcon_q[3];"),
    "a key is replaced while the core takes it": (
        SERIAL,
        ".key_in_use_i    (take)",
        ".key_in_use_i    (1'b0)",
    ),
    "a key in the cycle of a block": (ADAPTER, " && !accept;", ";"),
    "the key does not rotate": (SERIAL, "{key_q[119:0], key}", "{key_q[119:0], 8'h00}"),
    "a stall is dropped": (ADAPTER, "out_valid_o && !out_ready_i;", "1'b0;"),
    "a result before its last byte": (SERIAL, "= core_valid_q && core_ready;", "= core_valid_q;"),
    "MixColumns in the last round": (CORE, "last_round ? a0 : m_col", "m_col"),
    "no round without SubWord": (CORE, "{2{round_done}}", "2'b00"),
    "the long ring shifts in SubWord": (CORE, "sub_word || (column[1]", "(column[1]"),
    "ShiftRows of row 2 as of row 0": (CORE, "row[1] != (row[0]", "(row[0]"),
    "a column is complete in SubWord": (CORE, "row == 2'd3 && !sub_word", "row == 2'd3"),
    "RotWord is gone": (
        CORE,
        "{w0_nq[23:8], w0_nq[7:0] ^ (sub_word ? s_box : 8'h00),",
        "{w0_nq[23:16], w0_nq[15:8] ^ (sub_word ? s_box : 8'h00), w0_nq[7:0],",
    ),
    "Rcon for each byte of the word": (CORE, "first_byte ? rcon_q", "first_word ? rcon_q"),
}


@pytest.mark.parametrize("name", sampled(MUTANTS, everyday=True))
def test_a_broken_core_is_caught(name: str, tmp_path: Path) -> None:
    checks = ("random_stalls_and_keys", "promised_clocks", "clears_in_flight")
    chosen = [word for check in checks for word in ("--check", check)]
    is_caught(tmp_path, *MUTANTS[name], "aesforge-nano", "--blocks", "200", *chosen)
