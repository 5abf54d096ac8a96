"""Cores of a user's own: read, harnessed and reported like ours."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import needs
import pytest
from suite import slow

from aesforge import cache
from aesforge.errors import UserError
from aesforge.flows import measure, synth
from aesforge.results import store
from aesforge.space.targets import target
from aesforge.tools.process import ToolFailed

# A device on which mapping takes a second, and nothing is placed here.
MAPPED = replace(target("ecp5"), family="")

CORE = """
module mine #(parameter WIDTH = 8) (
  input clk, input [WIDTH-1:0] a, b, output reg [WIDTH-1:0] y
);
  reg [WIDTH-1:0] r;
  always @(posedge clk) begin r <= a ^ b; y <= r & a; end
endmodule
"""


@pytest.fixture
def core(tmp_path: Path) -> Path:
    path = tmp_path / "mine.v"
    path.write_text(CORE)
    return path


def test_a_core_is_counted_without_the_harness(core: Path) -> None:
    row = measure.measure([core], "mine", MAPPED, 4, 2, 8)
    assert (row["lut"], row["ff"], row["depth"]) == (16, 16, 1)
    assert (row["preset"], row["core"], row["cycles_per_block"]) == (None, "mine", 4)
    assert tuple(row) >= store.FIELDS or set(store.FIELDS) <= set(row)
    wide = measure.measure([core], "mine", MAPPED, None, None, 8, parameters=["WIDTH=12"])
    assert (wide["lut"], wide["config"]) == (24, {"WIDTH": "12"})


def test_a_row_of_the_same_netlist_is_kept(core: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    subject, on = measure.subject([core], "mine"), MAPPED
    row = synth.measure(subject, on)

    def no_tool(*_: object) -> None:
        raise AssertionError("mapped again")

    monkeypatch.setattr(synth, "_map", no_tool)
    monkeypatch.setattr(cache, "value", lambda *given: given[2]())
    assert synth.measure(subject, on, known=row) == {**row, "stored": True}
    with pytest.raises(AssertionError, match="mapped again"):
        synth.measure(subject, on, known={**row, "netlist": "another"})
    with pytest.raises(AssertionError, match="mapped again"):
        synth.measure(subject, on, known={**row, "versions": {"pyosys": "0.1"}})
    with pytest.raises(AssertionError, match="mapped again"):
        synth.measure(subject, on, known={**row, "failed": "stopped after 900 s"})


KEPT = """
module half #(parameter X = 0) (input [3:0] a, output [3:0] y); assign y = a ^ X; endmodule
module mine (input clk, input [3:0] a, output reg [3:0] y);
  wire [3:0] b, c;
  half #(5) u_b (a, b); half #(5) u_c (b, c);
  always @(posedge clk) y <= c;
endmodule
"""


def test_a_module_may_be_mapped_on_its_own(tmp_path: Path) -> None:
    """Two inverters in a row are none, unless the module between them is kept."""
    path = tmp_path / "mine.v"
    path.write_text(KEPT)
    on = MAPPED
    assert measure.measure([path], "mine", on, None, None, 4)["lut"] == 0
    kept = measure.measure([path], "mine", on, None, None, 4, keep=["half"])
    assert kept["lut"] == 2 * 2
    with pytest.raises(UserError, match=r"give --keep the name after 'module'"):
        measure.measure([path], "mine", on, None, None, 4, keep=["half!"])


def test_only_seeds_that_are_missing_are_placed(
    core: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    subject, on = measure.subject([core], "mine"), target("ecp5")
    fastest, seeds = 0, list[int]()

    def place(
        _family: str, _device: object, _netlist: Path, seed: int, _folder: Path
    ) -> synth.nextpnr.Placed:
        seeds.append(seed)
        return synth.nextpnr.Placed(100.0 + fastest * (seed == 1) + seed, (f"net{seed}",), 0.5)

    monkeypatch.setattr(synth.nextpnr, "place_and_route", place)
    monkeypatch.setattr(cache, "value", lambda *given: given[2]())
    one = synth.measure(subject, on.with_seeds(1))
    assert (one["seeds"], one["fmax_mhz"]) == ([1], 101.0)
    assert (one["critical_path"], one["routing"]) == (["net1"], 0.5)
    five = synth.measure(subject, on, known=one)
    assert sorted(seeds) == [1, 2, 3, 4, 5]
    assert (five["seeds"], five["fmax_mhz"]) == ([1, 2, 3, 4, 5], 103.0)
    # That of the fastest placement.
    assert five["critical_path"] == ["net5"]
    # More seeds than are asked for are as good.
    assert synth.measure(subject, on.with_seeds(3), known=five) == {**five, "stored": True}
    assert len(seeds) == 5
    # The fastest placement may be a stored one.
    fastest = 50
    first = synth.measure(subject, on.with_seeds(1))
    assert synth.measure(subject, on, known=first)["critical_path"] == ["net1"]


def test_a_point_may_be_mapped_and_not_placed(core: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    subject, on = measure.subject([core], "mine"), target("ecp5").with_seeds(1)

    def place(*_: object) -> float:
        raise AssertionError("placed")

    monkeypatch.setattr(synth.nextpnr, "place_and_route", place)
    row = synth.measure(subject, on, unplaced="another is better", fresh=True)
    assert (row["fmax_mhz"], row["unplaced"]) == (None, "another is better")
    assert row["lut"] > 0
    again = synth.measure(subject, on, known=row, unplaced="another is better")
    assert again == {**row, "stored": True}
    with pytest.raises(AssertionError, match="placed"):
        synth.measure(subject, on, known=row)


def test_what_slang_refuses_yosys_may_read(tmp_path: Path) -> None:
    path = tmp_path / "old.v"
    # A name that is used before it is declared.
    path.write_text(
        "module old(input clk, input [3:0] d, output [3:0] q);\n"
        "assign q = later; reg [3:0] later; always @(posedge clk) later <= d;\nendmodule\n"
    )
    assert measure.measure([path], "old", MAPPED, 1, 1, 4)["ff"] == 4


ASYNCHRONOUS = """module core (input clk, input rst_n, input [511:0] d, output reg [511:0] q);
  always @(posedge clk or negedge rst_n) if (!rst_n) q <= 512'h5; else q <= {d[0], d[511:1]};
endmodule
"""


@needs.cells
@pytest.mark.parametrize("name", ["osu018", pytest.param("osu018_gated", marks=slow)])
def test_an_asynchronous_reset_is_buffered(name: str, tmp_path: Path) -> None:
    """Unbuffered, the recovery check of 512 flip-flops would set the period: about 30 MHz."""
    path = tmp_path / "core.v"
    path.write_text(ASYNCHRONOUS)
    found = measure.measure([path], "core", target(name), None, None, 128)
    assert found["ff"] == 512
    assert found["fmax_mhz"] > 500


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"clock": "ck"}, "no input 'ck' of one bit"),
        ({"top": "yours"}, "cannot read yours"),
        ({"top": "9"}, "is not the name of a module"),
        ({"parameters": ["WIDTH"]}, "not of the form NAME=VALUE"),
    ],
)
def test_a_core_that_cannot_be_measured_is_an_error(
    core: Path, options: dict[str, object], says: str
) -> None:
    top = str(options.pop("top", "mine"))
    with pytest.raises(UserError, match=says):
        measure.measure([core], top, MAPPED, 1, 1, 8, **options)


def test_a_combinational_loop_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "ring.sv"
    path.write_text(
        "module ring(input logic clk, input logic set, input logic clear, output logic q);\n"
        "logic a, b; assign a = ~(set & b); assign b = ~(clear & a);\n"
        "always_ff @(posedge clk) q <= a; endmodule\n"
    )
    with pytest.raises(ToolFailed, match="combinational loop; the design has it, or"):
        measure.measure([path], "ring", MAPPED, 1, 1, 1)


@pytest.mark.parametrize("clock", ["clk", "clk_i", "i_clk", "iClk", "CLK", "sys_clock", "aclk"])
def test_a_clock_is_found_by_its_name(clock: str, tmp_path: Path) -> None:
    path = tmp_path / "one.sv"
    path.write_text(
        f"module one(input logic {clock}, input logic d, output logic q);\n"
        f"always_ff @(posedge {clock}) q <= d; endmodule\n"
    )
    assert measure.subject([path], "one").clock == clock


def test_an_ambiguous_clock_must_be_named(tmp_path: Path) -> None:
    path = tmp_path / "two.sv"
    path.write_text(
        "module two(input logic beat, input logic d, output logic q);\n"
        "logic r; always_ff @(posedge beat) begin r <= ~d; q <= r ^ d; end endmodule\n"
    )
    with pytest.raises(UserError, match="name it with --clock, one of: beat, d, or none"):
        measure.measure([path], "two", MAPPED, 1, 1, 1)
    assert measure.measure([path], "two", MAPPED, 1, 1, 1, clock="beat")["ff"] == 2
    path.write_text("module two(inout wire pad); endmodule\n")
    with pytest.raises(UserError, match="is an inout"):
        measure.measure([path], "two", MAPPED, 1, 1, 1)


@slow
def test_the_command_records_what_it_prints(core: Path, tmp_path: Path) -> None:
    table = tmp_path / "rows.jsonl"
    done = subprocess.run(
        [
            *(
                sys.executable,
                "-m",
                "aesforge.cli.main",
                "measure",
                core,
                "--top",
                "mine",
                "--json",
            ),
            *("--target", "xc5v", "--cycles", "11", "--store", table),
        ],
        capture_output=True,
        check=True,
        env={**os.environ},
    )
    row = json.loads(done.stdout)
    assert store.load(table) == [{name: row[name] for name in row if name != "stored"}]
    assert row["target"] == "xc5v"


def test_a_failure_says_why_and_not_where_a_tool_was() -> None:
    output = [
        "Traceback (most recent call last):",
        '  File "tool.py", line 1, in main',
        "    start()",
        "Trap: error while executing",
        *(f"  {at}: 0x72ecc - <unknown>!<wasm function 1015>" for at in range(40)),
        "Caused by:",
        "  wasm trap: unreachable",
    ]
    reason = str(ToolFailed("nextpnr", "\n".join(output)))
    assert reason == (
        "nextpnr failed:\nTrap: error while executing\nCaused by:\n  wasm trap: unreachable"
    )
