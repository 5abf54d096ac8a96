"""Faults in the switchable 32-bit core are found. `test_aes_cipher.py` tests the sound one."""

from pathlib import Path

import pytest
from broken import is_caught, sampled

SERIAL, ADAPTER, CORE = (
    "serial/aes_serial32_switchable_otf.sv",
    "serial/aes_serial_adapter.sv",
    "serial/aes_serial32_switchable_core.sv",
)
MUTANTS = {
    "a round too few": (CORE, "(rcon_q[5] && rcon_q[4]);", "(rcon_q[4] && rcon_q[3]);"),
    "SubWord uses the direction of the block": (
        CORE,
        "inverse_q <= sub_word && decrypt_next;",
        "inverse_q <= decrypt;",
    ),
    "the S-boxes of the previous block": (CORE, "(last_round && slot_q == 3'd3) ?", "(1'b0) ?"),
    "MixColumns changes direction too soon": (
        CORE,
        "        if (last_round) begin\n",
        "        if (1'b1) begin\n",
    ),
    "the key is added instead of SubWord": (CORE, "first_slot && !tail_q", "first_slot"),
    "a key in the cycle of a block": (ADAPTER, " && !accept;", ";"),
    "a key is replaced while the core takes it": (
        SERIAL,
        ".key_in_use_i    (!first)",
        ".key_in_use_i    (1'b0)",
    ),
    "a stall is dropped": (ADAPTER, "out_valid_o && !out_ready_i;", "1'b0;"),
    "no set-up of a new key": (ADAPTER, "loaded_q <= !DECRYPT;", "loaded_q <= 1'b1;"),
    "a set-up runs backward": (ADAPTER, " && !setup_start :", " :"),
    "all S-boxes substitute at once": (CORE, "assign runs = bytes_q[k];", "assign runs = 1'b1;"),
    "row 1 is shifted twice": (
        CORE,
        "overtake = sub_word || slot_q[1];",
        "overtake = sub_word;",
    ),
    "the sum one step late": (
        CORE,
        "(back && slot_q[1:0] != 2'd1)",
        "(back && slot_q[1:0] != 2'd2)",
    ),
    "Rcon is gone": (CORE, "added ^ {rcon_q, 24'h0}", "added"),
}


@pytest.mark.parametrize("name", sampled(MUTANTS))
def test_a_broken_core_is_caught(name: str, tmp_path: Path) -> None:
    checks = ("random_stalls_and_keys", "promised_clocks", "clears_in_flight")
    chosen = [word for check in checks for word in ("--check", check)]
    is_caught(tmp_path, *MUTANTS[name], "aesforge-lowcost", "--blocks", "200", *chosen)
