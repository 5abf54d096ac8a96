"""Broken iterative cores: `verify` must catch each of them."""

from pathlib import Path

import pytest
from broken import is_caught, sampled

MUTANTS = {
    "first Rcon": ("key/aes_key_expansion.sv", "rcon_q <= 8'h01;", "rcon_q <= 8'h02;"),
    "Rcon does not advance": (
        "key/aes_key_expansion.sv",
        "if (rotate) rcon_q",
        "if (substitute) rcon_q",
    ),
    "ShiftRows off by a row": (
        "round/aes_shift_rows.sv",
        "data_i[127-8*((STRIDE*k)%16) -: 8]",
        "data_i[127-8*((STRIDE*k+4)%16) -: 8]",
    ),
    "swapped ready": (
        "iterative/aes_iterative.sv",
        "!running_q && (!valid_q || out_ready_i)",
        "!running_q && (valid_q || out_ready_i)",
    ),
    "result dropped in a stall": (
        "iterative/aes_iterative.sv",
        "(valid_q && !out_ready_i)",
        "(valid_q && out_ready_i)",
    ),
    "block accepted while clearing": (
        "iterative/aes_iterative.sv",
        "loaded && !clearing && !running_q",
        "loaded && !running_q",
    ),
    "a round too few": (
        "iterative/aes_iterative.sv",
        "decrypt ? 4'd1 : rounds_now - 4'd1",
        "decrypt ? 4'd2 : rounds_now - 4'd2",
    ),
    "stale bank": (
        "iterative/aes_iterative.sv",
        "running_q ? bank_q : bank",
        "bank",
    ),
    "a bank written in use": ("key/aes_key_banks.sv", " && !in_use_i[!bank_q]", ""),
    "a key is valid too early": (
        "key/aes_key_banks.sv",
        "count_q == {rounds_o[4*!bank_q +: 4], 1'b1}",
        "count_q == {rounds_o[4*!bank_q +: 4], 1'b0}",
    ),
    "the setup ends a cycle late": (
        "key/aes_key_banks.sv",
        "loaded_q ? last && !key_clear_i : free",
        "loaded_q ? last && !key_clear_i : phase_q == EXPAND",
    ),
    "192 as 128": (
        "common/aes_pkg.sv",
        "(key_bits == 192) ? LEN_192",
        "(key_bits == 192) ? LEN_128",
    ),
    "T-box: round keys not mixed": (
        "iterative/aes_tbox_round.sv",
        "m_col ^ mixed_key",
        "m_col ^ k_sch_i",
    ),
    "T-box: words rotated in the wrong direction": (
        "iterative/aes_tbox_round.sv",
        "(i+4-r)%4",
        "(i+r)%4",
    ),
    "T-box in RAM: the direction of the previous block": (
        "iterative/aes_iterative.sv",
        "accept ? decrypt_next : decrypt",
        "decrypt",
    ),
    "T-box in RAM: a block is not loaded": (
        "iterative/aes_iterative.sv",
        ".load_i         (accept || running_q)",
        ".load_i         (running_q)",
    ),
}
TBOXES = ("kakarlapudi-tbox", "keys=128", "direction=both")


def core(name: str) -> tuple[str, ...]:
    """The core to break: the smallest one that the mutant affects."""
    if name.startswith("T-box"):
        return (*TBOXES, "sbox=bram") if "in RAM" in name else TBOXES
    # Decryption reads the first lines of a bank last, so an expansion can overwrite them first.
    direction = "decrypt" if "in use" in name else "encrypt"
    return "kakarlapudi-sbox", f"keys={192 if '192' in name else 128}", f"direction={direction}"


@pytest.mark.parametrize("name", sampled(MUTANTS, everyday=True))
def test_a_broken_core_is_caught(name: str, tmp_path: Path) -> None:
    file, good, bad = MUTANTS[name]
    is_caught(tmp_path, file, good, bad, *core(name), "--blocks", "1000")
