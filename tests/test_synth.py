"""What a core costs, against what the papers say of theirs."""

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import needs
import pytest
from netlists import modules, parts
from suite import slow

from aesforge.errors import ToolMissing
from aesforge.flows import synth as flow
from aesforge.flows.synth import synth
from aesforge.results.store import load, path
from aesforge.space.axes import Config
from aesforge.space.presets import preset
from aesforge.space.targets import Target, target

# Slices of four look-up tables (Kakarlapudi & Alabur, tables I and III to VI). The paper's area is
# the same for all key sizes, so the key schedule and its memory cannot be in it; they are counted
# apart.
PAPER_SLICES = {
    ("kakarlapudi-sbox", "encrypt"): 264,
    ("kakarlapudi-sbox", "both"): 633,
    ("kakarlapudi-tbox", "encrypt"): 762,
    ("kakarlapudi-tbox", "decrypt"): 931,
    ("kakarlapudi-tbox", "both"): 1696,
}


# One every day: the tables of docs/papers.md compare all five from stored rows.
@slow
@pytest.mark.parametrize(
    ("name", "direction"),
    [pytest.param(*core, marks=slow if number else ()) for number, core in enumerate(PAPER_SLICES)],
)
def test_rounds_and_control_are_no_larger_than_the_papers(name: str, direction: str) -> None:
    core = preset(name)
    row = synth(core, core.configure(["keys=128", f"direction={direction}"]), target("xc5v"))
    assert row["parts"]["rounds_and_control"]["lut"] <= 4 * PAPER_SLICES[name, direction]
    assert row["bram"] == 0
    # The round keys lie in LUT RAM.
    assert row["parts"]["key_store"]["lutram"] > 0
    assert row["parts"]["rounds_and_control"]["lutram"] == 0


# LUTs of the paper's encryption with T-boxes (tables IV and XI): Virtex-5 slices have four, those
# of a Spartan-3E two.
PAPER_TBOX_LUTS = {"xc5v": 4 * 762, "xc3se": 2 * 4416}


@slow
@pytest.mark.parametrize("device", ["xc5v", "xc3se"])
def test_two_tboxes_share_a_block_ram(device: str) -> None:
    core = preset("kakarlapudi-tbox")
    config = core.configure(["keys=128", "direction=encrypt", "sbox=bram"])
    row = synth(core, config, target(device))
    assert row["bram"] == 8
    assert row["parts"]["key_store"]["bram"] == 0
    # The tables were nearly all of it.
    assert row["parts"]["rounds_and_control"]["lut"] <= PAPER_TBOX_LUTS[device] / 8


def built(config: Config) -> tuple[Counter[str], Counter[str]]:
    """Instances of each module of a core, in the rounds and in the key store."""
    found = parts("aes_cipher", config.parameters)
    # slang names a module it keeps apart by where it stands.
    rounds, key_store = (
        [one for one in found if (".u_key_store" in one[0].rpartition("/")[2]) == kept]
        for kept in (False, True)
    )
    return modules(rounds), modules(key_store)


# T-boxes, and tables of 256 bytes in them: three for a word of encryption, four of decryption.
TBOXES = {"encrypt": (16, 48), "decrypt": (16, 64), "both": (32, 112)}


@pytest.mark.parametrize("direction", list(TBOXES))
def test_rounds_of_tboxes_have_no_other_table(direction: str) -> None:
    core = preset("kakarlapudi-tbox")
    rounds, key_store = built(core.configure([f"direction={direction}"]))
    assert (rounds["aes_tbox"], rounds["aes_lookup"]) == TBOXES[direction]
    # MixColumns is left for the round keys of decryption alone.
    assert rounds["aes_mix_columns"] == int(direction != "encrypt")
    assert [module for module in rounds if "sbox" in module] == []
    assert key_store["aes_sbox"] == 4


@slow
@pytest.mark.parametrize("direction", list(TBOXES))
def test_rounds_of_tboxes_in_block_ram_have_no_other_table(direction: str) -> None:
    core = preset("kakarlapudi-tbox")
    rounds, key_store = built(core.configure([f"direction={direction}", "sbox=bram"]))
    assert rounds["aes_rom"] == 8
    assert rounds["aes_lookup"] == 0
    assert [module for module in rounds if "sbox" in module] == []
    assert key_store["aes_sbox"] == 4


def test_rounds_of_sboxes_have_sixteen() -> None:
    rounds, key_store = built(preset("kakarlapudi-sbox").config)
    assert (rounds["aes_sbox"], key_store["aes_sbox"]) == (16, 4)


def test_rows_of_the_table_name_what_they_come_from() -> None:
    for row in load(path()):
        assert row["versions"]["pyosys"]
        assert row["device"]
        if row.get("failed"):
            continue
        timed = row["fmax_by_seed"] is not None or "opensta" in row["versions"]
        assert (row["fmax_mhz"] is not None) == timed
        # Areas are look-up tables or gates, never both.
        assert (row["lut"] is None) != (row["ge"] is None)


@slow
@needs.cells
def test_cells_are_counted_and_timed() -> None:
    row = cells_of_sklavos(0)
    assert row["lut"] is row["bram"] is row["mbps_per_lut"] is None
    # start_q, first_q and k_sch_q, Rcon and a little control.
    assert 3 * 128 + 8 < row["ff"] < 3 * 128 + 8 + 16
    # A flip-flop has 4 GE.
    assert row["ge"] > 4 * row["ff"]
    assert row["throughput_mbps"] == round(128 * row["fmax_mhz"] / 11, 1)
    assert row["delay_ps"] is None


@slow
@needs.cells
def test_the_fastest_of_several_delays_is_taken() -> None:
    small, fast = cells_of_sklavos(0), cells_of_sklavos(None)
    assert fast["delay_ps"] == 1300
    assert small["ge"] < fast["ge"]
    assert small["fmax_mhz"] < fast["fmax_mhz"]


def cells_of_sklavos(delay: int | None) -> dict[str, Any]:
    core = preset("sklavos-ake")
    config = core.configure(["direction=encrypt", "sbox=tower"])
    return synth(core, config, target("osu018", delay))


def test_missing_cells_are_named() -> None:
    with pytest.raises(ToolMissing, match="install the Debian package qflow-tech-osu018"):
        replace(target("osu018"), liberty="no.lib").library()


@slow
def test_parts_mapped_apart_close_no_loop() -> None:
    """Of the column core ABC makes a ready from a valid that it does not depend on."""
    core = preset("aesforge-lowcost")
    assert synth(core, core.configure([]), target("xc4v"))["depth"]


@pytest.mark.parametrize(("luts", "kept"), [(10, True), (11, False)])
def test_placements_of_another_mapping_are_not_kept(
    luts: int, kept: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("AESFORGE_CACHE", str(tmp_path))
    cells = {"lut": 10, "ff": 2, "bram": 0, "muxf": 0, "lutram": 0, "parts": {}, "too_large": ""}
    monkeypatch.setattr(flow, "_elaborate", lambda *_: flow._Elaborated("netlist", ()))
    monkeypatch.setattr(flow, "_map", lambda *_: dict(cells))

    def place(at: Target, *_: object) -> dict[str, dict[str, float]]:
        return {"fmax_by_seed": {str(seed): float(str(cells["lut"])) for seed in at.seeds}}

    monkeypatch.setattr(flow, "_place", place)
    subject, ecp5 = flow.core(preset("aesforge-nano").config), target("ecp5")
    one = flow.measure(subject, replace(ecp5, seeds=(1,)), None, 1, True)
    cells["lut"] = luts
    both = flow.measure(subject, replace(ecp5, seeds=(1, 2)), one, 1, False)
    assert both["fmax_by_seed"] == {"1": 10.0 if kept else 11.0, "2": float(luts)}
