"""Fan's core: parts of the netlist, toggles of S-boxes, faults that are found."""

import random
from pathlib import Path

import cocotb
import pytest
from broken import is_caught, sampled
from netlists import modules, parts
from runner import View, instance, simulate, views

from aesforge.core import model
from aesforge.core.contract import CIPHER
from aesforge.space.presets import preset

# Netlist ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sboxes", ["1", "2", "4"])
def test_only_the_configured_sboxes_are_built(sboxes: str) -> None:
    """One MixColumns serves both directions; the key schedule has no S-box of its own."""
    config = preset("fan").configure([f"sboxes={sboxes}"])
    found = modules(parts(CIPHER.module, config.parameters))
    assert config.direction == "both"
    assert found["aes_sbox"] == found["aes_sbox_tower"] == int(sboxes)
    assert found["aes_mix_column_shared"] == 1
    assert found["aes_mix_column"] == found["aes_key_banks"] == 0


# Toggles ------------------------------------------------------------------------------------------

PROBE = [instance("serial_probe")]


def test_sboxes_that_are_not_in_use_do_not_toggle() -> None:
    simulate(__file__, PROBE)


async def keyed(probe: View) -> bytes:
    """Reset and load a key."""
    key = random.randbytes(16)
    await probe.reset()
    await probe.until(lambda: bool(probe.get("key_ready_o")))
    await probe.apply(key_valid_i=1, key_i=int.from_bytes(key + bytes(16)), out_ready_i=1)
    await probe.edge()
    await probe.apply(key_valid_i=0, key_i=random.getrandbits(256))
    return key


async def blocks(probe: View, key: bytes, code: int, count: int) -> list[int]:
    """Check blocks of both directions and count the toggles of each S-box."""
    before = toggles(probe)
    for number in range(count):
        block, decrypt = random.randbytes(16), number % 2
        await probe.apply(
            in_valid_i=1,
            in_data_i=int.from_bytes(block),
            in_decrypt_i=decrypt,
            in_sboxes_i=code,
        )
        await probe.until(lambda: bool(probe.get("in_ready_o")))
        await probe.edge()
        # Random inputs without valid.
        await probe.apply(in_valid_i=0, in_data_i=random.getrandbits(128), in_sboxes_i=2)
        await probe.until(lambda: bool(probe.get("out_valid_o")))
        wanted = (model.inverse_cipher if decrypt else model.cipher)(block, key)
        assert probe.get("out_data_o").to_bytes(16) == wanted
        await probe.edge()
    return [after - past for after, past in zip(toggles(probe), before, strict=True)]


def toggles(probe: View) -> list[int]:
    counts = probe.get("toggles_o")
    return [counts >> 96 - 32 * k & 0xFFFFFFFF for k in range(4)]


@cocotb.test()
async def only_sboxes_in_use_toggle(dut: object) -> None:
    (probe,) = views(dut, PROBE, "serial_probe")
    for code in range(3):
        key = await keyed(probe)
        # The key set-up has ended when the first block enters.
        found = await blocks(probe, key, code, 12)
        runs = 1 << code
        assert all(found[:runs]), found
        assert not any(found[runs:]), found
        # Counted from reset, so the key set-up is included.
        assert not any(toggles(probe)[runs:])


@cocotb.test()
async def sboxes_out_of_use_toggle_once(dut: object) -> None:
    (probe,) = views(dut, PROBE, "serial_probe")
    key = await keyed(probe)
    await blocks(probe, key, 2, 2)
    await blocks(probe, key, 0, 1)
    assert not any((await blocks(probe, key, 0, 6))[1:])
    assert all(await blocks(probe, key, 2, 1))


# Faults -------------------------------------------------------------------------------------------

CORE, STATE, SUB_BYTES, MIX, KEYS = (
    "serial/aes_serial8_switchable_otf.sv",
    "serial/aes_serial_state.sv",
    "serial/aes_serial8_switchable_sub_bytes.sv",
    "serial/aes_serial_mix_add_key.sv",
    "serial/aes_serial8_switchable_key_schedule.sv",
)
MUTANTS = {
    "a round too few": (CORE, "aes_pkg::len_rounds(len);", "aes_pkg::len_rounds(len) - 4'd1;"),
    "a key set-up runs during a block": (CORE, "&& !prepare_q && !running_q;", "&& !prepare_q;"),
    "blocks under the old key in a set-up": (CORE, "loaded_q <= !DECRYPT;", "loaded_q <= 1'b1;"),
    "a stall is dropped": (CORE, "(valid_q && !out_ready_i);", "1'b0;"),
    "the number of S-boxes of the next block": (
        CORE,
        "run_d = selected_q;",
        "run_d = aes_pkg::run_code(Sboxes, in_sboxes_i);",
    ),
    "the stored start keeps its direction": (
        CORE,
        "start_decrypt_q <= decrypt_next;",
        "start_decrypt_q <= 1'b0;",
    ),
    "a new key keeps the old direction": (
        CORE,
        "if (take_key) start_decrypt_q <= 1'b0;\n      else if",
        "if",
    ),
    "ShiftRows one way only": (CORE, "decrypt ? 2'd0 - round_d[1:0] : ", ""),
    "the result is not rotated back": (STATE, "((p+2*r)%4)", "p"),
    "a row is stored one cycle early": (SUB_BYTES, "row_i[1] == 1'(r/2)", "row_i[1] != 1'(r/2)"),
    "MixColumns in the last round": (MIX, "bypass_i ? added : mixed", "mixed"),
    "the last words are stored as sums": (
        KEYS,
        "start_i || (last_round_i && !first_word)",
        "start_i",
    ),
    "a new key has no priority": (
        KEYS,
        "if (take_i) start_q <= key_i[255:128];\n      else if (keep_i) start_q <= words_q;",
        "if (keep_i) start_q <= words_q;\n      else if (take_i) start_q <= key_i[255:128];",
    ),
}


# With keys of any size.
ANY_KEYS = {
    "rounds of the waiting key": (
        CORE,
        "if (accept || begin_setup) len_q <= key_len_q;",
        "len_q <= key_len_q;",
    ),
    "a result rotated for the key of the set-up": (
        CORE,
        "if (accept) block_len_q <= key_len_q;",
        "block_len_q <= len_q;",
    ),
    "the words do not rotate in a set-up": (
        CORE,
        "(KeyBits != 128 && prepare_q && round_q == 4'd0)",
        "1'b0",
    ),
    "the first column of the last block": (
        CORE,
        "(accept ? decrypt_next : decrypt)",
        "decrypt",
    ),
    "a result of 12 rounds is rotated": (STATE, "twelve_i ? row_q[31-8*p -: 8] : ", ""),
    "RotWord for the fifth of eight": (KEYS, "rotate = !(eight && odd_q);", "rotate = 1'b1;"),
    "rounds of SubWord as in encryption": (KEYS, "(back ? 2'd2 : 2'd1)", "2'd1"),
    "SubWord is gone": (KEYS, "(word == 2'd0) ? sub_word_i : sub_word_q", "sub_word_i"),
    "SubWord ignores the shift of the words": (
        KEYS,
        "(start_i && !eight) ? shifted : rotated",
        "rotated",
    ),
    "the last Rcon of another size": (KEYS, "six ? aes_gf_pkg::rcon(8) : ", ""),
}
CASES = {
    name: (keys, *fault)
    for keys, faults in (("keys=128", MUTANTS), ("keys=any", ANY_KEYS))
    for name, fault in faults.items()
}


@pytest.mark.parametrize("name", sampled(CASES))
def test_a_broken_core_is_caught(name: str, tmp_path: Path) -> None:
    keys, file, good, bad = CASES[name]
    checks = ("random_stalls_and_keys", "every_kind_in_turn", "clears_in_flight")
    chosen = [word for check in checks for word in ("--check", check)]
    is_caught(tmp_path, file, good, bad, "fan", keys, "--blocks", "500", *chosen)
