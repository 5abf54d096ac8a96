"""Faults in the switchable 32-bit core are found. `test_aes_cipher.py` tests the sound one."""

from pathlib import Path

import pytest
from broken import is_caught, sampled

SERIAL, CORE = (
    "serial/aes_serial32_switchable_otf.sv",
    "serial/aes_serial32_switchable_core.sv",
)
MUTANTS = {
    "a round too few": (CORE, "(rcon_q[5] && rcon_q[4]);", "(rcon_q[4] && rcon_q[3]);"),
    "SubWord turned round": (
        CORE,
        "inverse_q <= sub_word && decrypt_next;",
        "inverse_q <= decrypt;",
    ),
    "the S-boxes of the block before": (CORE, "(last_round && slot_q == 3'd3) ?", "(1'b0) ?"),
    "MixColumns turned round too soon": (
        CORE,
        "        if (last_round) begin\n",
        "        if (1'b1) begin\n",
    ),
    "the key is added where SubWord was": (CORE, "first_slot && !tail_q", "first_slot"),
    "a key in the clock of a block": (SERIAL, " && first && !accept;", " && first;"),
    "a key changes while it goes in": (SERIAL, " && first && !accept;", " && !accept;"),
    "a stall is dropped": (SERIAL, "out_valid_o && !out_ready_i;", "1'b0;"),
    "the last round key is not looked for": (SERIAL, "loaded_q <= !DECRYPT;", "loaded_q <= 1'b1;"),
    "the words of the block before": (SERIAL, "&& !begin_setup);", ");"),
    "all S-boxes substitute at once": (CORE, "assign runs = bytes_q[k];", "assign runs = 1'b1;"),
    "row 1 is turned twice": (
        CORE,
        "overtake = sub_word || slot_q[1];",
        "overtake = sub_word;",
    ),
    "the sum in another step": (
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
