"""The column core behind the contract: broken ones. `test_aes_cipher.py` has the sound ones."""

from pathlib import Path

import pytest
from broken import is_caught, sampled

SERIAL, CORE, SUB, QUEUE, RING = (
    "serial/aes_serial32_switchable_otf.sv",
    "serial/aes_serial32_switchable_core.sv",
    "serial/aes_sub_column.sv",
    "serial/aes_column_queue.sv",
    "serial/aes_key_ring.sv",
)
MUTANTS = {
    "a round too few": (CORE, "(rcon_q[5] && rcon_q[4]);", "(rcon_q[4] && rcon_q[3]);"),
    "SubWord turned round": (
        CORE,
        "inverse_q <= sub_word && decrypt_next;",
        "inverse_q <= decrypt;",
    ),
    "the S-boxes of the block before": (CORE, "(last && slot_q == 3'd3) ?", "(1'b0) ?"),
    "MixColumns turned round too soon": (
        CORE,
        "        if (last) begin\n",
        "        if (1'b1) begin\n",
    ),
    "the key is added where SubWord was": (CORE, "at_first && !tail_q", "at_first"),
    "a key in the clock of a block": (SERIAL, " && first && !accept;", " && first;"),
    "a key changes while it goes in": (SERIAL, " && first && !accept;", " && !accept;"),
    "a stall is dropped": (SERIAL, "out_valid_o && !out_ready_i;", "1'b0;"),
    "the last round key is not looked for": (SERIAL, "loaded_q <= !DECRYPT;", "loaded_q <= 1'b1;"),
    "the words of the block before": (SERIAL, "&& !begin_setup);", ");"),
    "all S-boxes substitute at once": (SUB, "assign runs = bytes_i[k];", "assign runs = 1'b1;"),
    "row 1 is turned twice": (QUEUE, "overtake = last || slot_i[1];", "overtake = last;"),
    "the sum in another step": (RING, "(back && slot_i != 2'd1)", "(back && slot_i != 2'd2)"),
    "Rcon is gone": (RING, "sum_i ^ {rcon_i, 24'h0}", "sum_i"),
}


@pytest.mark.parametrize("name", sampled(MUTANTS))
def test_a_broken_core_is_caught(name: str, tmp_path: Path) -> None:
    checks = ("random_stalls_and_keys", "promised_clocks", "clears_in_flight")
    chosen = [word for check in checks for word in ("--check", check)]
    is_caught(tmp_path, *MUTANTS[name], "aesforge-lowcost", "--blocks", "200", *chosen)
