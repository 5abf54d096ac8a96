"""Every module elaborates in every tool that the sources promise, and illegal values in none."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import needs
import pytest
from suite import EVERYDAY, slow

from aesforge.core import sources
from aesforge.space.axes import Config
from aesforge.space.presets import preset
from aesforge.tools import verilator, yosys
from aesforge.tools.process import ToolFailed

Parameters = Mapping[str, int]
Case = tuple[str, Parameters]

PIPELINED = [
    ("hodjat-lut-1", ("keys=128",)),
    ("hodjat-lut-2", ("keys=any", "key_schedule=stored")),
    ("hodjat-tower-3", ()),
    ("hodjat-tower-4", ("keys=128", "direction=both", "key_schedule=stored")),
    ("sklavos-arkl", ("keys=192", "direction=decrypt")),
    ("aesforge-unrolled", ("stop_cycles=2",)),
]
# The corners of the design space: everything, and the least of each kind.
CORES = [
    Config().parameters,
    Config(keys="128", direction="encrypt", sbox="tower").parameters,
    Config(keys="256", direction="decrypt").parameters,
    Config(round="tbox").parameters,
    Config(keys="256", block="256").parameters,
    Config(engine="unrolled", block="192").parameters,
    Config(keys="192", direction="decrypt", round="tbox", sbox="bram").parameters,
    Config(keys="128", direction="encrypt", round="tbox", sbox="bram").parameters,
    Config(engine="interleaved", stages="4", keys="any", direction="both").parameters,
    Config(engine="interleaved", stages="4", keys="128", direction="decrypt").parameters,
    Config(engine="interleaved", stages="4", sbox="bram").parameters,
    Config(engine="interleaved", stages="4", sbox="split").parameters,
    Config(
        engine="interleaved", stages="4", keys="192", direction="decrypt", sbox="split"
    ).parameters,
    Config(engine="interleaved", stages="4", keys="any", block="192").parameters,
    Config(engine="interleaved", stages="4", keys="128", block="256", sbox="bram").parameters,
    Config(engine="interleaved", stages="4", keys="192", block="256", sbox="split").parameters,
    Config(
        engine="interleaved", stages="4", keys="192", direction="encrypt", sbox="tower"
    ).parameters,
    Config(keys="128", sbox="inverse_table", key_schedule="on_the_fly").parameters,
    Config(keys="128", direction="encrypt", key_schedule="on_the_fly").parameters,
    preset("sklavos-ake").configure(["key_schedule=given"]).parameters,
    preset("aesforge-iterative").configure(["sbox=nibbles"]).parameters,
    preset("aesforge-iterative").configure(["key_schedule=stored"]).parameters,
    preset("aesforge-iterative").configure(["rounds_per_cycle=10"]).parameters,
    preset("aesforge-iterative").configure(["rounds_per_cycle=2", "direction=both"]).parameters,
    preset("aesforge-interleaved").config.parameters,
    preset("aesforge-interleaved").configure(["stages=2", "sbox_registers=0"]).parameters,
    preset("aesforge-interleaved-universal").configure(["keys=any"]).parameters,
    preset("aesforge-interleaved-universal")
    .configure(["stages=2", "sbox_registers=0", "keys=192", "direction=encrypt", "sbox=nibbles"])
    .parameters,
    *(
        preset("fan").configure(axes).parameters
        for axes in (
            (),
            ("keys=any",),
            ("sboxes=2", "keys=192", "direction=decrypt"),
            ("sboxes=1", "keys=256", "direction=encrypt"),
            ("block=192", "keys=any"),
            ("block=256", "keys=192", "direction=decrypt", "sboxes=2"),
            ("block=256", "keys=128", "direction=encrypt", "sboxes=1"),
        )
    ),
    preset("aesforge-compact").config.parameters,
    *(
        preset("aesforge-compact").configure(axes).parameters
        for axes in (
            ("keys=192", "direction=decrypt"),
            ("keys=128", "direction=encrypt"),
            ("key_schedule=stored",),
            ("key_schedule=stored", "keys=192", "direction=decrypt"),
        )
    ),
    preset("aesforge-nano").config.parameters,
    *(
        preset("aesforge-lowcost").configure(axes).parameters
        for axes in ((), ("sboxes=2", "direction=encrypt"), ("sboxes=1", "sbox=inverse_table"))
    ),
    preset("sklavos-ake").configure(["sbox=bram"]).parameters,
    preset("aesforge-iterative-universal").config.parameters,
    preset("aesforge-iterative-universal").configure(["keys=192", "direction=encrypt"]).parameters,
    preset("aesforge-iterative-universal").configure(["block=192"]).parameters,
    preset("aesforge-iterative-universal").configure(["block=256", "keys=128"]).parameters,
    *(preset(name).configure(axes).parameters for name, axes in PIPELINED),
]
INCLUDE = f"-I{sources.include()}"
TOPS = [path.stem for path in sources.files() if not path.stem.endswith("_pkg")]
CONFIGURED: list[Case] = [
    *(("aes_cipher", core) for core in CORES[1:]),
    *(("aes_word_port", {"KeyBits": bits}) for bits in (128, 192, 256)),
    *(("aes_masked_sbox", {"Gadget": g, "Shares": s}) for g, s in ((1, 2), (2, 2), (0, 3), (2, 3))),
    *(("aes_masked_random", {"Bits": bits}) for bits in (18, 432)),
]
LEGAL: list[Case] = [*((top, {}) for top in TOPS), *CONFIGURED]
ILLEGAL: list[tuple[str, Parameters, str]] = [
    ("aes_cipher", {"BlockBits": 160}, "BlockBits_must_be_128_192_or_256"),
    ("aes_cipher", {"BlockBits": 192, "Overlap": 1}, "Overlap_needs_BlockBits_128"),
    (
        "aes_cipher",
        {"BlockBits": 192, "KeySchedule": 2, "KeyBits": 128},
        "KEY_SCHEDULE_GIVEN_needs_BlockBits_128",
    ),
    (
        "aes_cipher",
        {"BlockBits": 192, "Engine": 2, "KeySchedule": 1, "Direction": 0},
        "BlockBits_192_and_256_need_KEY_SCHEDULE_STORED_in_a_pipelined_engine",
    ),
    (
        "aes_cipher",
        {
            "BlockBits": 192,
            "Engine": 3,
            "Width": 8,
            "Sboxes": 1,
            "KeySchedule": 1,
            "KeyBits": 128,
            "Direction": 0,
        },
        "Width_8_without_Switchable_needs_BlockBits_128",
    ),
    (
        "aes_cipher",
        {
            "BlockBits": 256,
            "Engine": 3,
            "Width": 32,
            "Switchable": 1,
            "KeySchedule": 1,
            "KeyBits": 128,
        },
        "Width_32_with_Switchable_needs_BlockBits_128",
    ),
    (
        "aes_mode",
        {"BlockBits": 192, "Modes": 1 << 4},
        "Modes_other_than_ECB_CBC_CTR_and_OFB_need_BlockBits_128",
    ),
    ("aes_verdict", {"BlockBits": 192}, "Verifies_needs_BlockBits_128"),
    (
        "aes_sideband_fifo",
        {"Depth": 3, "Registered": 1},
        "Depth_must_be_4_or_more_with_Registered",
    ),
    ("aes_key_source", {"BlockBits": 192}, "KEY_SCHEDULE_ON_THE_FLY_needs_BlockBits_128"),
    *[
        (f"aes_{name}", {"BlockBits": 192}, "BlockBits_must_be_128")
        for name in (
            *("interleaved_batch", "interleaved_otf"),
            *("iterative_overlap", "iterative_overlap_otf"),
        )
    ],
    ("aes_sbox", {"Sbox": 99}, "Sbox_must_be_an_aes_pkg_SBOX_code"),
    ("aes_cipher", {"Sbox": 99}, "Sbox_must_be_an_aes_pkg_SBOX_code"),
    ("aes_cipher", {"Engine": 99}, "Engine_must_be_an_aes_pkg_ENGINE_code"),
    ("aes_cipher", {"IdleOutput": 99}, "IdleOutput_must_be_an_aes_pkg_IDLE_OUTPUT_code"),
    ("aes_cipher", {"Sbox": 2}, "SBOX_BRAM_needs_a_round_with_its_register_in_block_RAM"),
    (
        "aes_cipher",
        {"Sbox": 3},
        "SBOX_SPLIT_needs_ENGINE_INTERLEAVED_with_KEY_SCHEDULE_STORED",
    ),
    ("aes_cipher", {"Round": 99}, "Round_must_be_an_aes_pkg_ROUND_code"),
    ("aes_cipher", {"Round": 1, "Sbox": 1}, "ROUND_TBOX_needs_SBOX_TABLE_or_SBOX_BRAM"),
    ("aes_cipher", {"Engine": 1, "Stages": 4, "Round": 1}, "ROUND_TBOX_needs_ENGINE_ITERATIVE"),
    *(
        (
            "aes_cipher",
            {"Round": 1, "KeyBits": 128, "Direction": 0, "KeySchedule": keys, "Overlap": overlap},
            "ROUND_TBOX_needs_KEY_SCHEDULE_STORED_without_Overlap_or_Overlap_without_it",
        )
        for keys, overlap in ((1, 0), (0, 1))
    ),
    (
        "aes_cipher",
        {"Round": 1, "KeyBits": 128, "KeySchedule": 1, "Overlap": 1},
        "ROUND_TBOX_with_Overlap_needs_DIRECTION_ENCRYPT_and_SBOX_TABLE",
    ),
    (
        "aes_iterative_overlap_otf",
        {"Round": 1, "Direction": 2},
        "ROUND_TBOX_needs_DIRECTION_ENCRYPT_and_SBOX_TABLE",
    ),
    ("aes_cipher", {"Direction": 3}, "Direction_must_be_an_aes_pkg_DIRECTION_code"),
    (
        "aes_cipher",
        {"KeyBits": 64},
        "KeyBits_must_be_128_192_256_or_aes_pkg_KEYS_ANY",
    ),
    (
        "aes_cipher",
        {"Engine": 2, "KeyBits": 128, "KeySchedule": 2},
        "KEY_SCHEDULE_GIVEN_needs_ENGINE_ITERATIVE_without_Overlap",
    ),
    (
        "aes_cipher",
        {"Engine": 1, "Stages": 4, "KeySchedule": 3},
        "KEY_SCHEDULE_BATCH_needs_KeyBits_128_and_DIRECTION_ENCRYPT",
    ),
    (
        "aes_interleaved_batch",
        {"Stages": 5, "SboxRegisters": 4},
        "Stages_must_be_1_or_SboxRegisters_and_2_to_4",
    ),
    (
        "aes_interleaved_otf",
        {"Stages": 5, "SboxRegisters": 1},
        "Stages_must_be_SboxRegisters_and_2_or_3",
    ),
    (
        "aes_round_pipelined",
        {"Stages": 2, "SboxRegisters": 1},
        "Stages_must_be_1_or_SboxRegisters_and_2_to_4",
    ),
    (
        "aes_cipher",
        {"Engine": 2, "KeyBits": 128, "KeySchedule": 3},
        "KEY_SCHEDULE_BATCH_needs_ENGINE_INTERLEAVED",
    ),
    ("aes_cipher", {"KeySchedule": 2}, "KEY_SCHEDULE_GIVEN_needs_KeyBits_128_and_decryption"),
    ("aes_cipher", {"KeySchedule": 4}, "KEY_SCHEDULE_LOADED_needs_ENGINE_UNROLLED"),
    ("aes_cipher", {"KeySchedule": 9}, "KeySchedule_must_be_an_aes_pkg_KEY_SCHEDULE_code"),
    ("aes_cipher", {"Stages": 2}, "Stages_need_ENGINE_INTERLEAVED_or_ENGINE_UNROLLED"),
    (
        "aes_cipher",
        {"Engine": 1},
        "Stages_must_be_4_for_ENGINE_INTERLEAVED_with_KEY_SCHEDULE_STORED",
    ),
    (
        "aes_cipher",
        {"Engine": 2, "KeyBits": 128, "KeySchedule": 1},
        "ENGINE_UNROLLED_needs_KEY_SCHEDULE_STORED_to_decrypt",
    ),
    (
        "aes_unrolled",
        {"Direction": 2, "KeyBits": 128, "KeySchedule": 1},
        "Decryption_needs_KEY_SCHEDULE_STORED",
    ),
    (
        "aes_cipher",
        {"Engine": 2, "Stages": 4, "SboxRegisters": 1},
        "SboxRegisters_need_SBOX_TOWER",
    ),
    (
        "aes_cipher",
        {"Engine": 2, "Stages": 12, "SboxRegisters": 10, "Sbox": 1},
        "SboxRegisters_must_be_0_to_9",
    ),
    (
        "aes_cipher",
        {"Engine": 1, "KeySchedule": 1, "Stages": 4},
        "Stages_must_be_2_or_3_more_than_SboxRegisters_for_ENGINE_INTERLEAVED_on_the_fly",
    ),
    (
        "aes_cipher",
        {"Engine": 2, "Stages": 5, "Sbox": 1},
        "Stages_must_be_2_to_4_more_than_SboxRegisters",
    ),
    (
        "aes_cipher",
        {"Engine": 2, "StopCycles": 2, "KeyBits": 128, "Sbox": 1},
        "StopCycles_2_needs_more_than_one_of_Stages",
    ),
    ("aes_cipher", {"Sboxes": 1}, "Sboxes_need_ENGINE_SERIAL"),
    ("aes_cipher", {"Overlap": 1, "KeyBits": 256, "Direction": 0}, "Overlap_needs_KeyBits_128"),
    (
        "aes_iterative_otf",
        {"KeySchedule": 2, "KeyBits": 192},
        "KEY_SCHEDULE_GIVEN_needs_KeyBits_and_BlockBits_128",
    ),
    (
        "aes_interleaved_batch",
        {"KeyBits": 192, "Stages": 4},
        "KEY_SCHEDULE_BATCH_encrypts_with_128_bit_keys",
    ),
    (
        "aes_cipher",
        {"KeySchedule": 2, "KeyBits": 128, "Direction": 0, "Overlap": 1},
        "KEY_SCHEDULE_GIVEN_needs_ENGINE_ITERATIVE_without_Overlap",
    ),
    (
        "aes_cipher",
        {"Engine": 2, "StopCycles": 2, "KeyBits": 128, "Stages": 2},
        "StopCycles_2_needs_ENGINE_UNROLLED_and_SBOX_TOWER_and_one_Direction",
    ),
    (
        "aes_cipher",
        {"Engine": 3, "Width": 8, "Switchable": 1, "KeyBits": 128},
        "ENGINE_SERIAL_with_KEY_SCHEDULE_STORED_needs_Width_32_without_Switchable",
    ),
    (
        "aes_cipher",
        {"Engine": 1, "Stages": 4, "Overlap": 1},
        "Overlap_needs_ENGINE_ITERATIVE",
    ),
    ("aes_iterative_overlap_otf", {"KeyBits": 256}, "Overlap_needs_128_KeyBits"),
    ("aes_iterative_overlap_otf", {"RoundsPerCycle": 3}, "RoundsPerCycle_must_be_1_2_5_or_10"),
    ("aes_cipher", {"RoundsPerCycle": 3}, "RoundsPerCycle_must_be_1_2_5_or_10"),
    (
        "aes_cipher",
        {"KeyBits": 128, "Direction": 0, "Overlap": 1, "RoundsPerCycle": 10},
        "RoundsPerCycle_needs_Overlap_with_KEY_SCHEDULE_ON_THE_FLY",
    ),
    (
        "aes_cipher",
        {"Overlap": 1, "KeyBits": 128, "Direction": 2},
        "Overlap_with_KEY_SCHEDULE_STORED_needs_DIRECTION_ENCRYPT",
    ),
    ("aes_iterative_overlap", {"KeyBits": 192}, "Overlap_needs_128_KeyBits"),
    ("aes_iterative_overlap", {"Direction": 1}, "Overlap_needs_DIRECTION_ENCRYPT"),
    ("aes_serial8_switchable_otf", {"Sboxes": 3}, "Sboxes_must_be_1_2_or_4"),
    (
        "aes_unrolled",
        {"KeyBits": 128, "Stages": 6, "SboxRegisters": 1},
        "Stages_must_be_1_or_SboxRegisters_and_2_to_4",
    ),
    (
        "aes_cipher",
        {"SboxRegisters": 1},
        "SboxRegisters_need_ENGINE_UNROLLED_or_ENGINE_INTERLEAVED_without_stored_keys",
    ),
    (
        "aes_cipher",
        {"Engine": 3, "Width": 16, "KeyBits": 128, "Direction": 0},
        "Width_must_be_8_or_32_for_ENGINE_SERIAL_and_128_for_others",
    ),
    (
        "aes_cipher",
        {"Engine": 3, "Width": 8, "Sboxes": 1, "KeyBits": 256, "KeySchedule": 1},
        "Width_8_without_Switchable_needs_KeyBits_128_and_encryption",
    ),
    ("aes_serial32_switchable_core", {"Sboxes": 3}, "Sboxes_must_be_1_2_or_4"),
    ("aes_serial_adapter", {"Width": 16}, "Width_must_be_8_or_32"),
    (
        "aes_serial8_core",
        {"Direction": 1},
        "Direction_must_be_DIRECTION_ENCRYPT_or_DIRECTION_BOTH",
    ),
    (
        "aes_cipher",
        {"Engine": 3, "Width": 32, "Sboxes": 2, "KeyBits": 128},
        "Sboxes_must_be_one_for_each_byte_of_Width_without_Switchable",
    ),
    (
        "aes_cipher",
        {
            "Engine": 3,
            "Width": 32,
            "Switchable": 1,
            "KeyBits": 128,
            "Direction": 1,
            "KeySchedule": 1,
        },
        "Width_32_with_Switchable_needs_KeyBits_128_and_encryption",
    ),
    (
        "aes_cipher",
        {"KeyBits": 128, "Switchable": 1},
        "Switchable_needs_ENGINE_SERIAL",
    ),
    ("aes_sub_bytes_pipelined", {"Sbox": 0, "Latency": 2}, "A_latency_over_1_needs_SBOX_TOWER"),
    ("aes_sub_bytes_pipelined", {"Sbox": 2, "Latency": 1}, "SBOX_BRAM_has_its_register_before_it"),
    ("aes_unrolled_stall", {"StopCycles": 3}, "StopCycles_must_be_1_or_2"),
    ("aes_key_registers", {"Direction": 2, "Late": 1}, "Late_needs_one_direction"),
    ("aes_sbox_tower_pipelined", {"Registers": 10}, "Registers_must_be_1_to_9"),
    (
        "aes_word_port",
        {"KeyBits": 64},
        "KeyBits_must_be_128_192_256_or_aes_pkg_KEYS_ANY",
    ),
    (
        "aes_key_store_shared_sboxes",
        {"SubLatency": 4},
        "SubLatency_must_be_1_to_aes_pkg_STAGES_less_1",
    ),
    ("aes_ctr", {"CounterBits": 129}, "CounterBits_must_be_1_to_128"),
    ("aes_packet_state", {"Streams": 3}, "Streams_must_be_a_power_of_two"),
    ("aes_packet_state", {"Registered": 1}, "Registered_and_Bypass_exclude_each_other"),
    ("aes_skid_buffer", {"Entries": 3}, "Entries_must_be_1_or_2"),
    (
        "aes_mode",
        {"Modes": 1 << 1, "Registered": 1},
        "Registered_needs_modes_whose_blocks_do_not_wait",
    ),
    ("aes_cfb_segments", {"SegmentBits": 2}, "SegmentBits_must_be_1_or_8"),
    ("aes_mode", {"Modes": 0}, "Modes_must_be_a_sum_of_powers_of_two_of_MODE_codes"),
    (
        "aes_mode",
        {"Direction": 1},
        "Modes_other_than_ECB_CBC_XTS_and_KW_need_a_core_that_encrypts",
    ),
    ("aes_mode", {"Modes": 256, "Streams": 2}, "Modes_with_ciphertext_stealing_take_one_stream"),
    ("aes_mode", {"Modes": 1 << 14, "Streams": 2}, "MODE_CCM_takes_one_stream"),
    ("aes_mode", {"Modes": 1 << 11, "Streams": 2}, "Modes_with_GHASH_take_one_stream"),
    ("aes_mode", {"Modes": 1 << 16, "Streams": 2}, "Modes_that_wrap_keys_take_one_stream"),
    ("aes_byte_count", {"SliceBits": 5}, "SliceBits_must_hold_four_beats_and_be_less_than_Bits"),
    ("aes_kw", {"Semiblocks": 6}, "Semiblocks_must_be_a_power_of_two_from_2_on"),
    ("aes_ctr_lanes", {"Lanes": 3}, "Lanes_must_be_2_4_or_8"),
    ("aes_ctr_lanes", {"CounterBits": 129}, "CounterBits_must_be_1_to_128"),
    ("aes_key_slots", {"Slots": 3}, "Slots_must_be_2_4_8_or_16"),
    ("aes_key_slots", {"KeyBits": 64}, "KeyBits_must_be_128_192_256_or_aes_pkg_KEYS_ANY"),
    ("aes_gcm_siv", {"PayloadBytes": 96}, "PayloadBytes_must_be_a_power_of_two_from_64_on"),
    ("aes_mode", {"Modes": 1 << 17, "Streams": 2}, "Modes_with_GHASH_take_one_stream"),
    ("aes_gcm_tag", {"HashDigit": 3}, "HashDigit_must_be_0_or_a_power_of_two_up_to_128"),
    *(
        ("aes_hold", given, "HoldBytes_must_be_a_beat_times_a_power_of_two_and_at_least_two_beats")
        for given in ({"HoldBytes": 48}, {"HoldBytes": 16}, {"HoldBytes": 64, "Lanes": 4})
    ),
    ("aes_hold", {"Lanes": 3}, "Lanes_must_be_1_2_4_or_8"),
    ("aes_axi_stream", {"Lanes": 16}, "Lanes_must_be_1_2_4_or_8"),
    ("aes_masked_product", {"Gadget": 3}, "Gadget_must_be_an_aes_masked_pkg_GADGET_code"),
    ("aes_masked_product_dom", {"Shares": 4}, "Shares_must_be_2_or_3"),
    ("aes_masked_product_hpc3", {"Width": 8}, "Width_must_be_2_or_4"),
    ("aes_masked_product_dom", {"Shares": 3, "Refreshed": 1}, "Refreshed_needs_2_Shares"),
    ("aes_trivium", {"Steps": 65}, "Steps_must_be_1_to_64"),
    ("aes_xts_lanes", {"Lanes": 3}, "Lanes_must_be_2_4_or_8"),
    ("aes_gcm_lanes", {"Lanes": 3}, "Lanes_must_be_2_4_or_8"),
    ("aes_ghash_lanes", {"Lanes": 3}, "Lanes_must_be_2_4_or_8"),
    ("aes_ghash_blocks", {"Lanes": 3}, "Lanes_must_be_2_4_or_8"),
    ("aes_ghash_sums", {"Slots": 2}, "Slots_must_be_D_plus_1_or_more"),
    ("aes_ghash_lanes_pipelined", {"Lanes": 3}, "Lanes_must_be_2_4_or_8"),
    ("aes_byte_count", {"Most": 24}, "Most_must_be_a_power_of_two_from_16_on"),
    (
        "aes_self_test",
        {"KeyBits": 64},
        "KeyBits_must_be_128_192_256_or_aes_pkg_KEYS_ANY",
    ),
    ("aes_self_test", {"WaitBits": 1}, "WaitBits_must_be_at_least_2"),
    ("aes_xts_ahead", {"Lanes": 3}, "Lanes_must_be_1_2_4_or_8"),
    ("aes_xts_ahead", {"Modes": 1}, "Modes_must_have_MODE_XTS"),
    ("aes_xts_ahead", {"KeyBits": 192}, "KeyBits_must_be_128_256_or_aes_pkg_KEYS_ANY"),
]


def name(value: object) -> str | None:
    if isinstance(value, Mapping):
        return "-".join(f"{key}{code}" for key, code in value.items()) or "default"
    return None


# Every day slang, the fastest, reads all configurations, and the other three take turns: each reads
# a third of the modules as they are. The 14 rounds of aes_unrolled take each tool longer than any
# other module.
SLOW = [*CONFIGURED, ("aes_unrolled", {})]


def legal(turn: slice) -> pytest.MarkDecorator:
    """All cases; every day those modules whose turn it is."""
    everyday = [case for case in LEGAL if case not in SLOW][turn]
    return pytest.mark.parametrize(
        ("top", "parameters"),
        [pytest.param(*case, marks=() if case in everyday else slow) for case in LEGAL],
        ids=name,
    )


every = pytest.mark.parametrize(("top", "parameters"), LEGAL, ids=name)
illegal = pytest.mark.parametrize(("top", "parameters", "message"), ILLEGAL, ids=name)
some_illegal = pytest.mark.parametrize(
    ("top", "parameters", "message"),
    [pytest.param(*case, marks=slow if at % 3 else ()) for at, case in enumerate(ILLEGAL)],
    ids=name,
)


# Verilator --------------------------------------------------------------------------------------


@legal(slice(2, None, 3))
def test_verilator_has_no_warning(top: str, parameters: Parameters) -> None:
    assert "%Warning" not in verilator.lint(sources.closure(top), top, parameters)


@slow
@illegal
def test_verilator_refuses(top: str, parameters: Parameters, message: str) -> None:
    with pytest.raises(ToolFailed) as failure:
        verilator.lint(sources.closure(top), top, parameters)
    assert message in failure.value.output


def test_verilator_needs_no_python_on_the_path() -> None:
    assert shutil.which("python", path=verilator.environment()["PATH"]) is not None
    first, second = verilator.environment()["PATH"].split(os.pathsep)[:2]
    assert Path(first, "verilator").is_file()
    assert Path(second) == Path(sys.executable).parent


# slang, by itself and inside Yosys --------------------------------------------------------------


def slang(top: str, parameters: Parameters) -> str:
    import pyslang

    driver = pyslang.driver.Driver()
    driver.addStandardArgs()
    given = " ".join(f"-G {key}={value}" for key, value in parameters.items())
    files = " ".join([INCLUDE, *(str(path) for path in sources.closure(top))])
    assert driver.parseCommandLine(f"slang --top {top} {given} {files}")
    assert driver.processOptions()
    assert driver.parseAllSources()
    compilation = driver.createCompilation()
    engine = pyslang.DiagnosticEngine(compilation.sourceManager)
    client = pyslang.TextDiagnosticClient()
    engine.addClient(client)
    # A cast such as 4'(1) keeps the sign of its literal, which is no matter at equal widths.
    engine.setWarningOptions(["no-arith-op-mismatch", "no-sign-compare"])
    found = compilation.getAllDiagnostics()
    for diagnostic in found:
        engine.issue(diagnostic)
    return str(client.getString())


@every
def test_slang_has_no_warning(top: str, parameters: Parameters) -> None:
    assert slang(top, parameters) == ""


@some_illegal
def test_slang_refuses(top: str, parameters: Parameters, message: str) -> None:
    assert message in slang(top, parameters)


@legal(slice(0, None, 3))
def test_yosys_reads_it_with_slang(top: str, parameters: Parameters, tmp_path: Path) -> None:
    script = [yosys.read(sources.closure(top), top, parameters), "hierarchy -check", "proc"]
    yosys.run([*script, "check -assert"], tmp_path)


# Yosys' own front end ---------------------------------------------------------------------------


# Tables are computed while modules elaborate, which takes a minute for all of them; so that is done
# once, and each case of other parameters is tried in a fork after it. Every day all files are read,
# and three modules are elaborated. A failed pass ends its process, and the exit status and the log
# tell.
_DRIVER = """
import os, sys
from pyosys import libyosys
design = libyosys.Design()
first, *cases = sys.stdin.read().splitlines()
for part in first.split(";"):
    libyosys.run_pass(part, design)
for number, case in enumerate(cases):
    child = os.fork()
    if not child:
        log = os.open(f"{number}.log", os.O_WRONLY | os.O_CREAT)
        os.dup2(log, 1)
        os.dup2(log, 2)
        libyosys.run_pass(case, design)
        os._exit(0)
    os.rename(f"{number}.log", f"{number}.{os.waitpid(child, 0)[1]}.log")
"""


_ELABORATED = ("aes_cipher", "aes_mode")
"""The modules that are elaborated every day, as they are."""


def _hierarchy(top: str, parameters: Parameters) -> str:
    """The pass that elaborates a module; with no parameters, but for everyday, all modules."""
    given = " ".join(f"-chparam {key} {value}" for key, value in parameters.items())
    whole = not given and not EVERYDAY
    return "hierarchy -check" if whole else f"hierarchy -check {given} -top {top}"


@pytest.fixture(scope="module")
def yosys_logs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[bool, str]]:
    """For each case: whether it elaborates, and what Yosys says."""
    every = _hierarchy("", {})
    named = [_hierarchy(*case) for case in CONFIGURED] + [_hierarchy(*c[:2]) for c in ILLEGAL]
    cases = [case for case in named if case != every]
    files = " ".join([INCLUDE, *(str(path) for path in sources.files())])
    first = f"read_verilog -sv {files};{every}"
    if EVERYDAY:
        cases = [_hierarchy(top, {}) for top in _ELABORATED]
        first = f"read_verilog -defer -sv {files}"
    folder = tmp_path_factory.mktemp("yosys")
    done = subprocess.run(
        [sys.executable, "-c", _DRIVER],
        cwd=folder,
        input="\n".join([first, *cases]),
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:]
    logs = {every: (True, done.stdout)}
    for log in folder.glob("*.log"):
        number, status, _ = log.name.split(".")
        logs[cases[int(number)]] = (status == "0", log.read_text(encoding="utf-8"))
    return logs


Logs = dict[str, tuple[bool, str]]


@pytest.mark.parametrize(
    ("top", "parameters"),
    [
        pytest.param(*case, marks=() if case in [(top, {}) for top in _ELABORATED] else slow)
        for case in LEGAL
    ],
    ids=name,
)
def test_yosys_reads_it_by_itself(top: str, parameters: Parameters, yosys_logs: Logs) -> None:
    elaborates, log = yosys_logs[_hierarchy(top, parameters)]
    assert elaborates, log
    assert "Warning" not in log


@slow
@illegal
def test_yosys_refuses(top: str, parameters: Parameters, message: str, yosys_logs: Logs) -> None:
    elaborates, log = yosys_logs[_hierarchy(top, parameters)]
    assert not elaborates
    assert message in log


@slow
@pytest.mark.parametrize(("keys", "block"), [(128, 256), (256, 256), (192, 192), (128, 192)])
def test_yosys_reads_what_slang_reads(keys: int, block: int, tmp_path: Path) -> None:
    """The module with names across nested generate blocks, which a reader could resolve wrongly."""
    top = "aes_next_round_key_long"
    files = sources.closure(top)
    own = [
        f"read_verilog -sv {INCLUDE} {' '.join(map(str, files))}",
        f"hierarchy -top {top} -chparam KeyBits {keys} -chparam BlockBits {block}",
    ]
    slang = [yosys.read(files, top, {"KeyBits": keys, "BlockBits": block}), f"hierarchy -top {top}"]
    ready = ["proc", "flatten -noscopeinfo", "opt -full"]
    yosys.run(
        [
            *(*own, *ready, "rename -top own", "design -stash own"),
            *(*slang, *ready, "rename -top slang", "design -stash slang"),
            *("design -copy-from own own", "design -copy-from slang slang"),
            *("miter -equiv -flatten -make_outputs own slang miter", "hierarchy -top miter", "opt"),
            "sat -verify -prove trigger 0 miter",
        ],
        tmp_path,
    )


# Icarus -----------------------------------------------------------------------------------------


def icarus(top: str, parameters: Parameters) -> subprocess.CompletedProcess[str]:
    given = [f"-P{top}.{key}={value}" for key, value in parameters.items()]
    files = [str(path) for path in sources.closure(top)]
    return subprocess.run(
        [needs.iverilog(), "-g2012", "-Wall", "-tnull", INCLUDE, "-s", top, *given, *files],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )


@legal(slice(1, None, 3))
def test_icarus_has_no_warning(top: str, parameters: Parameters) -> None:
    done = icarus(top, parameters)
    assert (done.returncode, done.stdout) == (0, "")


@slow
@illegal
def test_icarus_refuses(top: str, parameters: Parameters, message: str) -> None:
    done = icarus(top, parameters)
    assert done.returncode != 0
    assert message in done.stdout


# What the cases rest on -------------------------------------------------------------------------


def test_every_guard_of_the_sources_is_tried() -> None:
    guards = {
        guard
        for path in sources.files()
        for guard in re.findall(r"(\w+) u_error \(\);", path.read_text(encoding="utf-8"))
    }
    assert guards == {message for _, _, message in ILLEGAL}
