"""Targets that stop clocks: what becomes of registers, how it is timed, and that it still works."""

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import needs
import pytest
from suite import slow

from aesforge.flows import power, synth
from aesforge.space.presets import preset
from aesforge.space.targets import CELLS, Target, target
from aesforge.tools import opensta, yosys
from aesforge.tools.process import ToolFailed, call

GATED = target("osu018_gated")
PLAIN = target("osu018")

# Registers with every kind of enable and reset: 70, 40, 8 and 3 of them.
KINDS = """
module kinds (
  input logic clk_i, rst_ni, go_i, turn_i, clear_i,
  input logic [69:0] data_i,
  output logic [69:0] held_o, output logic [39:0] cleared_o, output logic [7:0] count_o,
  output logic [2:0] few_o, output logic last_o
);
  always_ff @(posedge clk_i) begin
    if (go_i) held_o <= data_i;
    if (clear_i) cleared_o <= '0;
    else if (!go_i && turn_i) cleared_o <= cleared_o ^ data_i[39:0];
    if (turn_i) begin
      count_o <= count_o + 8'd1;
      if (!rst_ni) count_o <= '0;
    end
    if (turn_i && clear_i) few_o <= data_i[2:0];
    last_o <= ^data_i;
    if (!rst_ni) last_o <= 1'b0;
  end
endmodule
"""

# Random inputs to the module and its netlist, that come while the clock is high, as from registers.
# Nothing is compared before all registers are set.
BENCH = """
`timescale 1ns/1ps
module bench;
  reg clk = 0, rst_n = 0, go = 1, turn = 1, clear = 1;
  reg [69:0] data = 0;
  wire [121:0] is, should;
  mapped u_is (.clk_i(clk), .rst_ni(rst_n), .go_i(go), .turn_i(turn), .clear_i(clear),
    .data_i(data), .held_o(is[69:0]), .cleared_o(is[109:70]), .count_o(is[117:110]),
    .few_o(is[120:118]), .last_o(is[121]));
  kinds u_should (.clk_i(clk), .rst_ni(rst_n), .go_i(go), .turn_i(turn), .clear_i(clear),
    .data_i(data), .held_o(should[69:0]), .cleared_o(should[109:70]), .count_o(should[117:110]),
    .few_o(should[120:118]), .last_o(should[121]));
  integer clock, wrong = 0, moved = 0;
  reg [121:0] earlier;
  always #10 clk = !clk;
  initial begin
    for (clock = 0; clock < 2000; clock = clock + 1) begin
      @(posedge clk);
      #3;
      if (clock > 4) begin
        rst_n = $random % 8 != 0; go = $random; turn = $random; clear = $random % 4 == 0;
      end
      data = {$random, $random, $random};
      #6;
      if (clock > 4 && is !== should) wrong = wrong + 1;
      if (is !== earlier) moved = moved + 1;
      earlier = is;
    end
    $display("wrong %0d, moved %0d", wrong, moved);
    $finish;
  end
endmodule
"""


def mapped(text: str, folder: Path, kinds: str = KINDS, on: Target = GATED) -> str:
    """The netlist of the module `kinds`, with the clock gate `text`."""
    on = replace(on, clock_gate=text)
    for name in (CELLS, "mapped.v"):
        (folder / name).unlink(missing_ok=True)
    on.prepare(folder)
    (folder / "kinds.sv").write_text(kinds)
    passes = on.passes("kinds")
    end = ["opt_clean -purge", "rename kinds mapped", "write_verilog -noattr mapped.v"]
    yosys.run(["read_verilog -sv kinds.sv", "proc", "opt", *passes, *end], folder)
    return (folder / "mapped.v").read_text()


def simulated(folder: Path) -> tuple[int, int]:
    """In how many clocks the netlist was wrong, and in how many something changed."""
    (folder / "bench.v").write_text(BENCH)
    models = Path(PLAIN.liberty).with_suffix(".v")
    files = ["bench.v", "kinds.sv", "mapped.v", models]
    call("Icarus", [needs.iverilog(), "-g2012", "-gspecify", "-o", "bench", *files], cwd=folder)
    log = call("Icarus", ["vvp", "-n", "bench"], cwd=folder)
    found = re.search(r"wrong (\d+), moved (\d+)", log)
    assert found, log
    return int(found[1]), int(found[2])


@needs.cells
def test_registers_with_an_enable_are_clock_gated(tmp_path: Path) -> None:
    text = mapped(GATED.clock_gate, tmp_path)
    clocks = Counter(re.findall(r"DFFPOSX1 \S+ \(\s*\.CLK\((\S+)\)", text))
    # Three are too few, and one has no enable.
    assert clocks.pop("clk_i") == 3 + 1
    # Seventy in five parts, forty in three; eight that count.
    assert sorted(clocks.values()) == sorted([16, 16, 16, 16, 6, 16, 16, 8, 8])
    assert len(re.findall(r"^  LATCH ", text, re.M)) == len(clocks)


@needs.cells
def test_a_clock_gated_netlist_does_what_its_source_does(tmp_path: Path) -> None:
    mapped(GATED.clock_gate, tmp_path)
    wrong, moved = simulated(tmp_path)
    assert wrong == 0
    assert moved > 1000
    # An enable that comes while the clock is high must wait for the next one.
    mapped(GATED.clock_gate.replace(".B(held)", ".B(en_i)"), tmp_path)
    assert simulated(tmp_path)[0] > 100


@slow
@needs.cells
def test_an_enable_of_many_registers_is_driven(tmp_path: Path) -> None:
    """Seventy parts, all opened by one port: no net drives more of them than `enabled`."""
    text = mapped(GATED.clock_gate, tmp_path, KINDS.replace("69:0", f"{70 * GATED.gated - 1}:0"))
    opened = Counter(re.findall(r"LATCH \S+ \([^;]*\.D\((\S+)\)", text))
    assert sorted(opened.values())[-5:] == [4] * 5


@slow
@needs.cells
def test_clock_gating_costs_fewer_gates(tmp_path: Path) -> None:
    core = preset("aesforge-lowcost")
    plain, gated = (
        synth.synth(core, core.config, replace(on, delay_ps=None)) for on in (PLAIN, GATED)
    )
    assert gated["ff"] == plain["ff"]
    assert gated["ge"] < 0.9 * plain["ge"]


def netlist(folder: Path, cells: str) -> float:
    """The period found for a netlist of these cells between two registers."""
    (folder / "cells.lib").unlink(missing_ok=True)
    (folder / "cells.lib").symlink_to(PLAIN.liberty)
    (folder / "cells.v").write_text(
        f"""module chain (input clk_i, d_i, output q_o); wire a, b, c, d, e, f;
        DFFPOSX1 u_first (.CLK(clk_i), .D(d_i), .Q(a)); {cells}
        DFFPOSX1 u_last (.CLK({"f" if "(f)" in cells else "clk_i"}), .D(b), .Q(q_o)); endmodule"""
    )
    return opensta.period("cells.v", CELLS, "chain", "clk_i", folder)[0]


INVERTERS = "INVX1 u_b (.A(a), .Y(b));"
GATE = """INVX1 u_low (.A(clk_i), .Y(c)); LATCH u_held (.CLK(c), .D(a), .Q(d));
AND2X2 u_clk (.A(clk_i), .B(d), .Y(f));"""


@needs.cells
def test_the_period_counts_what_opens_a_clock(tmp_path: Path) -> None:
    plain = netlist(tmp_path, INVERTERS)
    gated = netlist(tmp_path, INVERTERS + GATE)
    # From register to latch to gate: more than the one inverter, and far from half the first guess.
    assert plain < gated < 3 * plain
    slow = " ".join(
        f"BUFX2 u_{n} (.A({a}), .Y({b}));" for n, a, b in ((1, "a", "g"), (2, "g", "e"))
    )
    slower = netlist(tmp_path, INVERTERS + "wire g;" + slow + GATE.replace(".D(a)", ".D(e)"))
    assert gated < slower < 2 * gated


@needs.cells
def test_a_period_is_in_nanoseconds_for_any_unit_of_the_library(tmp_path: Path) -> None:
    plain_period = netlist(tmp_path, INVERTERS)
    text = Path(PLAIN.liberty).read_text()
    assert 'time_unit : "1ns"' in text
    (tmp_path / "cells.lib").unlink()
    (tmp_path / "cells.lib").write_text(text.replace('time_unit : "1ns"', 'time_unit : "10ps"'))
    found, _ = opensta.period("cells.v", CELLS, "chain", "clk_i", tmp_path)
    assert found == pytest.approx(plain_period / 100, rel=1e-3)


@needs.cells
def test_a_netlist_that_is_read_in_part_is_not_timed(tmp_path: Path) -> None:
    with pytest.raises(ToolFailed, match="syntax error"):
        netlist(tmp_path, INVERTERS + "assign {c, d} = {a, b};")


@slow
@needs.cells
def test_power_of_gated_clocks_is_less_and_has_the_gates() -> None:
    """The simulated results are those of AES, or the flow fails."""
    core = preset("aesforge-nano")
    (gated,) = power.power(core, core.config, GATED, blocks=2)["runs"]
    (plain,) = power.power(core, core.config, PLAIN, blocks=2)["runs"]
    assert plain["clock_gates_mw"] == 0 < gated["clock_gates_mw"]
    assert gated["mw"] < 0.9 * plain["mw"]
    assert gated["registers_mw"] + gated["clock_gates_mw"] < plain["registers_mw"]


@needs.cells
def test_cells_of_a_clock_gate_are_weighted_by_the_cycles_in_which_it_runs() -> None:
    """A register with a gated clock, one without, and the four cells of the gate."""
    ports = {
        name: {"direction": way, "bits": [bit]}
        for name, way, bit in (
            ("clk_i", "input", 2),
            ("en", "input", 3),
            ("d", "input", 4),
            ("q", "output", 9),
            ("p", "output", 10),
        )
    }
    cells = {
        name: {
            "type": kind,
            "connections": {pin: [bit] for pin, bit in pins.items()},
            "port_directions": {pin: "output" if pin in "YQ" else "input" for pin in pins},
        }
        for name, kind, pins in (
            ("low", "INVX1", {"A": 2, "Y": 5}),
            ("held", "LATCH", {"CLK": 5, "D": 3, "Q": 6}),
            ("shut", "NAND2X1", {"A": 2, "B": 6, "Y": 7}),
            ("out", "INVX8", {"A": 7, "Y": 8}),
            ("gated", "DFFPOSX1", {"CLK": 8, "D": 4, "Q": 9}),
            ("free", "DFFPOSX1", {"CLK": 2, "D": 4, "Q": 10}),
        )
    }
    library = GATED.library()
    made = power._netlist(
        {"cells": cells, "ports": ports},
        {},
        library.flip_flops | library.latches,
        library.latches,
    )
    assert made.clocks == {"n2": "", "n5": "", "n7": "n3", "n8": "n3"}
    assert made.gates == {"c0", "c1", "c2", "c3"}
    unit = {name: power.Cost(1.0, 0.0, 0.0, 1.0, 0.0) for name in made.cells}
    rate = {"n9": 0.5} | made.held({"n3": 0.25})
    found = power.cell_powers(made, unit, rate, power.ASKED_MHZ, {"n3": 0.25})
    assert {name: cost[:2] for name, cost in found.items()} == {
        "c0": (1.0, 1.0),  # in each cycle
        "c1": (1.0, 0.25),  # its clock in each cycle, its output with the enable
        "c2": (0.25, 0.25),
        "c3": (0.25, 0.25),
        "c4": (0.25, 0.5),
        "c5": (1.0, 0.0),
    }


TEXT = """module \\top
  wire $gated
  wire \\clk
  cell \\clock_gate $g
    connect \\clk_i \\clk
    connect \\en_i \\en
    connect \\clk_o $gated
  end
{}
end
"""


def test_copies_of_a_cell_share_what_it_drives() -> None:
    cells = [f"  cell $_DFF_P_ $r{n}\n    connect \\C $gated\n  end" for n in range(5)]
    text = yosys.Spread("clock_gate", "clk_o", 2)(TEXT.format("\n".join(cells)))
    assert re.findall(r"connect \\C (\S+)", text) == ["$gated"] * 2 + ["$gated_1"] * 2 + [
        "$gated_2"
    ]
    assert re.findall(r"connect \\clk_o (\S+)", text) == ["$gated", "$gated_1", "$gated_2"]
    assert text.count("connect \\en_i \\en\n") == text.count("connect \\clk_i \\clk\n") == 3
    assert text.index("wire $gated_2") < text.index("cell")
    few = TEXT.format("\n".join(cells[:2]))
    assert yosys.Spread("clock_gate", "clk_o", 2)(few) == few


def test_what_drives_many_does_so_through_others() -> None:
    gate = (
        "  cell \\clock_gate $g{0}\n    connect \\clk_i \\clk\n    connect \\en_i \\en [{1}]\n  end"
    )
    cells = [gate.format(n, int(n > 4)) for n in range(7)]
    drive = yosys.Drive(("driver", "a_i", "y_o"), ("clock_gate", "en_i"), 2)
    text = drive(TEXT.format("\n".join(cells)))
    assert re.findall(r"connect \\en_i (.*)", text) == [
        "\\en",
        *["$driver_of_clock_gate_1_0"] * 2,
        *["$driver_of_clock_gate_1_1"] * 2,
        "$driver_of_clock_gate_1_2",
        *["\\en [1]"] * 2,
    ]
    assert re.findall(r"connect \\a_i (.*)", text) == ["\\en [0]"] * 3
    assert re.findall(r"connect \\y_o (.*)", text) == [
        f"$driver_of_clock_gate_1_{n}" for n in range(3)
    ]
    assert text.index("wire $driver_of_clock_gate_1_2") < text.index("cell")
    few = TEXT.format("\n".join(cells[5:]))
    assert drive(few) == few
