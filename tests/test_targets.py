"""One file per target: what it says of itself, and how cells are counted."""

import re
from pathlib import Path

import needs
import pytest
from suite import slow

from aesforge.errors import UserError
from aesforge.space.targets import Target, library, target, targets
from aesforge.tools import liberty, netlist, yosys

DEVICES = {
    "placed": ("ecp5", "gatemate", "ice40", "nexus"),
    "synthesized": ("gowin", "xc7", "xc5v", "xc4v", "xc3s", "xc3se", "xcv"),
    "cells": ("osu018", "osu018_gated", "osu018_pulsed"),
}


def test_every_target_of_the_issue_is_a_file() -> None:
    assert set(targets()) == {name for names in DEVICES.values() for name in names}


@pytest.mark.parametrize("found", list(targets().values()), ids=list(targets()))
def test_a_target_is_a_device_or_a_library(found: Target) -> None:
    assert found.doc
    assert found.synthesis
    assert bool(found.liberty) != bool(found.lut)
    assert bool(found.family) == (found.name in DEVICES["placed"])
    if found.family:
        assert found.part
        assert set(found.capacity) == {"lut", "ff", "bram"}


def test_targets_differ_in_their_fingerprints() -> None:
    prints = {found.fingerprint for found in targets().values()}
    prints |= {target("osu018", delay).fingerprint for delay in (0, 1000)}
    assert len(prints) == len(targets()) + 2


def test_a_target_has_seeds_and_a_row_names_those_it_is_of() -> None:
    assert target("ecp5").with_seeds(3).seeds == (1, 2, 3)
    assert target("gatemate").with_seeds(3).seeds == (1,)
    assert target("ecp5").with_seeds(1).fingerprint == target("ecp5").fingerprint


def test_a_block_ram_is_worth_the_luts_of_the_part_for_each() -> None:
    assert target("ecp5").bram_area == round(83640 / 208)
    assert all(one.bram_area > 0 for one in targets().values() if not one.liberty)


def test_cells_are_counted_by_their_whole_names() -> None:
    counts = target("xc5v").count({"LUT6": 3, "RAM32M": 2, "FDRE": 5, "MUXF7": 1, "LUT6_X": 9})
    assert counts == {"lut": 3 + 2 * 4, "muxf": 1, "lutram": 2, "ff": 5, "bram": 0}


def test_a_part_that_is_too_small_is_reported() -> None:
    assert target("ice40").lacks({"lut": 7680, "ff": 7680, "bram": 32}) == ""
    reason = target("ice40").lacks({"lut": 9001, "ff": 0, "bram": 0})
    assert reason == "too large for iCE40HX8K-CT256: 9,001 LUT where it has 7,680"


LIBRARY = """
/* cell (NOT_A_CELL) { area : 1; } */
library (small) {
  cell ("ND2") { area : 3.0; pin (A) { direction : input; } pin (B) { direction : input; }
    pin (Y) { direction : output; function : "(!A) | (!B)"; } }
  cell (ND2_BIG) { area : 9; pin (Y) { function : "(A B)'"; } }
  cell (NR2) { area : 1; pin (Y) { function : "(A+B)'"; } }
  cell (BUF) { area : 2; pin (Y) { function : "(A)"; } }
  cell (TRI) { area : 1; pin (Y) { function : "A"; three_state : "E"; } }
  cell (REG) { area : 5; ff (IQ, IQN) { next_state : "D"; clear : "(!R)"; }
    pin (Q) { function : "IQ"; } }
  cell (LAT) { area : 0; latch (IQ, IQN) { data_in : "D"; } pin (Q) { function : "IQ"; } }
}
"""


def test_a_library_names_its_nand_its_buffer_and_its_registers(tmp_path: Path) -> None:
    path = tmp_path / "small.lib"
    path.write_text(LIBRARY)
    areas = {"ND2": 3.0, "ND2_BIG": 9.0, "NR2": 1.0, "BUF": 2.0, "TRI": 1.0, "REG": 5.0, "LAT": 0.0}
    registers = frozenset({"REG"}), frozenset({"LAT"})
    assert liberty.read(path) == liberty.Library(
        3.0, "BUF", ("A", "Y"), *registers, areas, asynchronous=(("REG", "R"),)
    )
    later = liberty.with_areas(LIBRARY, {"LAT": 4.5})
    path.write_text(later)
    liberty.read.cache_clear()
    assert liberty.read(path).areas == {**areas, "LAT": 4.5}
    path.write_text(LIBRARY)
    liberty.read.cache_clear()
    assert liberty.read(path, "ND2_BIG").nand_area == 9
    mine = library(path, 1500)
    assert (mine.name, mine.delay_ps) == ("small", 1500)
    moved = tmp_path / "moved" / "small.lib"
    moved.parent.mkdir()
    moved.write_text(LIBRARY)
    assert library(moved, 1500).fingerprint == mine.fingerprint
    moved.write_text(LIBRARY + " ")
    assert library(moved, 1500).fingerprint != mine.fingerprint


LEF = """
MACRO ND2
  FOREIGN ND2 0 0 ;
  SIZE 2.400 BY 10.000 ;
END ND2
MACRO FILL
END FILL
MACRO LAT
  SIZE 5.6 BY 10 ;
END LAT
"""


def test_areas_of_a_lef_file_replace_those_of_the_liberty_file(tmp_path: Path) -> None:
    cells, lef = tmp_path / "small.lib", tmp_path / "small.lef"
    cells.write_text(LIBRARY)
    lef.write_text(LEF)
    assert liberty.sizes(lef) == {"ND2": 24.0, "LAT": 56.0}
    found = liberty.read(cells, lef=lef)
    assert (found.areas["ND2"], found.areas["LAT"], found.areas["ND2_BIG"]) == (24.0, 56.0, 9.0)
    # The smallest NAND is now another one.
    assert found.nand_area == 9.0


@needs.cells
@pytest.mark.parametrize("name", ["osu018", "osu018_gated"])
def test_areas_of_osu018_are_those_of_its_lef_file(name: str) -> None:
    """The Liberty file has 23, 36 and 0 for these."""
    areas = target(name).library().areas
    assert (areas["OAI21X1"], areas["NAND3X1"], areas["LATCH"]) == (32.0, 32.0, 56.0)
    assert areas["NAND2X1"] == 24.0


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("no library", "has no cell that is a two-input NAND"),
        (LIBRARY.replace("(A)", "B"), "buffer"),
    ],
)
def test_a_library_without_what_it_needs_is_refused(text: str, says: str, tmp_path: Path) -> None:
    (tmp_path / "other.lib").write_text(text.replace('"B"', '"A B"'))
    with pytest.raises(UserError, match=says):
        library(tmp_path / "other.lib")


def test_depth_counts_levels_from_register_to_register() -> None:
    def cell(kind: str, **bits: list[int]) -> dict[str, object]:
        directions = {port: "output" if port in "QO" else "input" for port in bits}
        return {"type": kind, "connections": bits, "port_directions": directions}

    cells = {
        "r1": cell("FD", D=[9], Q=[1]),
        "a": cell("LUT", I=[1], O=[2]),
        "mux": cell("MUXF7", I=[2], O=[3]),
        "b": cell("LUT", I=[3, 1], O=[4]),
        # Written data does not pass through a memory in the same clock; an address does.
        "ram": cell("RAM", A=[1], D=[4], O=[5]),
        "c": cell("LUT", I=[5], O=[6]),
        "r2": cell("FD", D=[6], Q=[9]),
    }

    def depth() -> int:
        return netlist.depth(
            {"cells": cells},
            levels=lambda kind: kind in ("LUT", "RAM"),
            registers=lambda kind: kind == "FD",
            memories=lambda kind: kind == "RAM",
            read="A",
        )

    assert depth() == 2
    cells["ram"]["connections"]["A"] = [4]  # type: ignore[index]
    assert depth() == 4
    cells["a"]["connections"]["I"] = [6]  # type: ignore[index]
    with pytest.raises(ValueError, match="combinational loop"):
        depth()


@slow
def test_flip_flops_after_a_block_ram_move_into_its_output_register(tmp_path: Path) -> None:
    """Only where the port has no other reader, and the flip-flops one enable and no reset."""
    ports = "input clk_i, go_i, rst_i, input [7:0] a_i, b_i, output reg [23:0] a_o, b_o"
    table = " ^ ".join(f"(24'd{k * 65537} << (x % {k}))" for k in (3, 5, 7, 11))
    body = f"""
      (* rom_style = "block" *) reg [23:0] rom [256];
      integer x;
      initial for (x = 0; x < 256; x = x + 1) rom[x] = {table};
      reg [23:0] a, b;
      always @(posedge clk_i) if (go_i) begin a <= rom[a_i]; b <= rom[b_i]; a_o <= a; end
    """
    whole = "always @(posedge clk_i) if (go_i) b_o <= b;"
    reset = "always @(posedge clk_i) if (rst_i) b_o <= 0; else if (go_i) b_o <= b;"
    read = f"output c_o); assign c_o = b[3]; {body} {whole}"
    found = {}
    for name, text in (
        ("whole", f"); {body} {whole}"),
        ("reset", f"); {body} {reset}"),
        ("read", f", {read}"),
    ):
        (tmp_path / "rom.v").write_text(f"module rom ({ports} {text} endmodule\n", encoding="utf-8")
        passes = [*target("xc4v").logic("rom"), "write_rtlil rom.il", "stat -json"]
        yosys.run(["read_verilog -sv rom.v", *passes], tmp_path)
        made = (tmp_path / "rom.il").read_text(encoding="utf-8")
        enabled = re.findall(r"connect \\REGCE[AB] \\go_i", made)
        found[name] = len(enabled), len(re.findall(r"^  cell \\FDRE", made, re.M))
    # Yosys removes two constant columns of the table.
    assert found == {"whole": (2, 0), "reset": (1, 22), "read": (1, 22)}
