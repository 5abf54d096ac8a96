"""Cycles of the 32-bit core; its faults are found. `test_aes_cipher.py` tests the sound one."""

from pathlib import Path

import pytest
from broken import is_caught, sampled

from aesforge.space.presets import preset
from aesforge.space.promises import promised

PRESET = "aesforge-compact"
CONTRACT, CORE = "serial/aes_serial32_otf.sv", "serial/aes_serial32_core.sv"


def test_four_clocks_a_round_key_for_a_block_and_for_a_new_key() -> None:
    core = preset(PRESET)
    for direction, setups in (("both", [44, 52, 60]), ("encrypt", [0, 0, 0])):
        config = core.configure([f"direction={direction}"])
        assert config.module == "aes_serial32_otf"
        promises = [promised(config, bits) for bits in (128, 192, 256)]
        assert [promise.interval for promise in promises] == [44, 52, 60]
        assert [promise.latency for promise in promises] == [44, 52, 60]
        assert [promise.key_setup for promise in promises] == setups


MUTANTS = {
    "a round too few": (CORE, "(rcon_q[5] && rcon_q[4])", "(rcon_q[4] && rcon_q[3])"),
    "a key in the clock of a block": (CONTRACT, " || idle) && !accept;", " || idle);"),
    "a key changes while it goes in": (CONTRACT, "&& (word_q[3] || idle)", ""),
    "a stall is dropped": (CONTRACT, "out_valid_o && !out_ready_i;", "1'b0;"),
    "the last words are not looked for": (CONTRACT, "loaded_q <= !DECRYPT;", "loaded_q <= 1'b1;"),
    "the last words in ascending order": (
        CONTRACT,
        "words[32*word_q[2:0]",
        "words[224-32*word_q[2:0]",
    ),
    "the key size of the block before": (CORE, "busy_q ? len_q : key_len_i", "len_q"),
    "half a key of 256 bits": (CORE, "words_q[32*PREVIOUS", "words_q[32*(PREVIOUS%4)"),
    "192-bit keys come in elsewhere": (CORE, "(p == 2 &&", "(p == 4 &&"),
    "no SubWord in the middle": (CORE, "!(pair_q[1] && len == aes_pkg::LEN_192)", "!pair_q[1]"),
    "a middle in 192-bit keys too": (
        CORE,
        "!(pair_q[1] && len == aes_pkg::LEN_192)",
        "1'b1",
    ),
    "Rcon begins at the wrong end": (CORE, "? RCON_8 :", "? RCON_7 :"),
    "Rcon is gone": (CORE, "sub_word[23:16] ^ rcon_q", "sub_word[23:16]"),
    "row 2 is not turned": (CORE, ": state_slot_q[1];", ": 1'b0;"),
    "MixColumns without the key before it": (
        CORE,
        "((decrypt || last_round_q) ?",
        "(last_round_q ?",
    ),
}


def test_a_core_that_only_decrypts_with_a_key_that_stays_too_long_is_caught(tmp_path: Path) -> None:
    change = (CONTRACT, "(begin_setup || (finding_q", "((finding_q")
    words = (PRESET, "direction=decrypt", "--check", "promised_clocks")
    is_caught(tmp_path, *change, *words)


@pytest.mark.parametrize("name", sampled(MUTANTS))
def test_a_broken_core_is_caught(name: str, tmp_path: Path) -> None:
    checks = ("random_stalls_and_keys", "promised_clocks", "clears_in_flight")
    chosen = [word for check in checks for word in ("--check", check)]
    is_caught(tmp_path, *MUTANTS[name], PRESET, "--blocks", "200", *chosen)
