"""Promised cycles of the 32-bit core, and faults that are found."""

from pathlib import Path

import pytest
from broken import is_caught, sampled

from aesforge.space.presets import preset
from aesforge.space.promises import promised

PRESET = "aesforge-compact"
CONTRACT, ADAPTER, CORE = (
    "serial/aes_serial32_otf.sv",
    "serial/aes_serial_adapter.sv",
    "serial/aes_serial32_core.sv",
)


def test_a_round_takes_four_cycles_for_a_block_and_for_a_new_key() -> None:
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
    "a key in the cycle of a block": (ADAPTER, " && !accept;", ";"),
    "a key is replaced while the core takes it": (
        CONTRACT,
        "= !word_q[3] && !idle;",
        "= 1'b0;",
    ),
    "a stall is dropped": (ADAPTER, "out_valid_o && !out_ready_i;", "1'b0;"),
    "no set-up of a new key": (ADAPTER, "loaded_q <= !DECRYPT;", "loaded_q <= 1'b1;"),
    "the last words in ascending order": (
        CONTRACT,
        "words[32*word_q[2:0]",
        "words[224-32*word_q[2:0]",
    ),
    "the key size of the previous block": (CORE, "busy_q ? len_q : key_len_i", "len_q"),
    "half a key of 256 bits": (CORE, "words_q[32*PREVIOUS", "words_q[32*(PREVIOUS%4)"),
    "192-bit keys enter at the wrong place": (CORE, "(p == 2 &&", "(p == 4 &&"),
    "no SubWord in the middle of 256-bit keys": (
        CORE,
        "!(pair_q[1] && len == aes_pkg::LEN_192)",
        "!pair_q[1]",
    ),
    "SubWord in the middle of 192-bit keys": (
        CORE,
        "!(pair_q[1] && len == aes_pkg::LEN_192)",
        "1'b1",
    ),
    "Rcon begins at the wrong end": (CORE, "? RCON_8 :", "? RCON_7 :"),
    "Rcon is gone": (CORE, "sub_word[23:16] ^ rcon_q", "sub_word[23:16]"),
    "row 2 is not shifted": (CORE, ": state_slot_q[1];", ": 1'b0;"),
    "MixColumns without the key before it": (
        CORE,
        "((decrypt || last_round_q) ?",
        "(last_round_q ?",
    ),
}


def test_a_decryption_core_that_keeps_the_key_too_long_is_caught(tmp_path: Path) -> None:
    change = (CONTRACT, "(setup_start || (setup_running", "((setup_running")
    words = (PRESET, "direction=decrypt", "--check", "promised_clocks")
    is_caught(tmp_path, *change, *words)


@pytest.mark.parametrize("name", sampled(MUTANTS))
def test_a_broken_core_is_caught(name: str, tmp_path: Path) -> None:
    checks = ("random_stalls_and_keys", "promised_clocks", "clears_in_flight")
    chosen = [word for check in checks for word in ("--check", check)]
    is_caught(tmp_path, *MUTANTS[name], PRESET, "--blocks", "200", *chosen)
