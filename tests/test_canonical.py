"""The digest of a netlist: names and hierarchy do not count, and everything else does."""

from pathlib import Path

import pytest

from aesforge.tools import canonical, yosys

# A counter with a memory, an enable and an initial value, in two modules.
TEXT = """
module part (input logic clk, input logic [3:0] d, output logic [3:0] q);
  logic [3:0] held = 4'd5;
  logic [3:0] rows [4];
  always_ff @(posedge clk) begin
    if (d[0]) held <= held + d;
    rows[d[1:0]] <= held;
  end
  assign q = held ^ rows[d[3:2]];
endmodule
module top (input logic clk, input logic [3:0] a, b, output logic [3:0] y);
  logic [3:0] one, two;
  part u_one (.clk(clk), .d(a & b), .q(one));
  part u_two (.clk(clk), .d(b), .q(two));
  assign y = one + two;
endmodule
"""


def digest(text: str, folder: Path, flat: bool = True, label: str = "") -> str:
    (folder / "top.sv").write_text(text)
    passes = ["flatten"] if flat else []
    yosys.run(
        [
            "read_verilog -sv top.sv",
            "hierarchy -top top",
            *(*passes, "proc", "opt", "write_json flat.json"),
        ],
        folder,
    )
    return canonical.netlist(
        folder / "flat.json",
        lambda name: name == "top",
        lambda name: label if "part" in name else "",
    )


SAME = {
    "operands": lambda t: t.replace("one + two", "two + one").replace("a & b", "b & a"),
    "names": lambda t: t.replace("held", "kept").replace("rows", "lines").replace("part", "piece"),
    "order": lambda t: t.replace(
        "part u_one (.clk(clk), .d(a & b), .q(one));\n  part u_two (.clk(clk), .d(b), .q(two));",
        "part u_2 (.clk(clk), .d(b), .q(two));\n  part u_1 (.clk(clk), .d(a & b), .q(one));",
    ),
}
OTHER = {
    "operator": ("one + two", "one - two"),
    "initial value": ("4'd5", "4'd4"),
    "enable": ("if (d[0])", "if (d[1])"),
    "size of a memory": ("rows [4]", "rows [8]"),
    "edge": ("posedge clk", "negedge clk"),
    "width": ("[3:0] held", "[4:0] held"),
    "input": (".d(b)", ".d(a)"),
    "port": ("a, b", "a, c, b"),
    "attribute": ("logic [3:0] rows [4]", '(* ram_style = "block" *) logic [3:0] rows [4]'),
}


@pytest.mark.parametrize("change", list(SAME))
def test_names_and_order_do_not_count(change: str, tmp_path: Path) -> None:
    text = SAME[change](TEXT)
    assert text != TEXT
    assert digest(text, tmp_path) == digest(TEXT, tmp_path)


@pytest.mark.parametrize("change", list(OTHER))
def test_all_else_counts(change: str, tmp_path: Path) -> None:
    text = TEXT.replace(*OTHER[change])
    assert text != TEXT
    assert digest(text, tmp_path) != digest(TEXT, tmp_path)


def test_the_order_of_operands_counts_where_it_matters(tmp_path: Path) -> None:
    text = TEXT.replace("one + two", "one - two")
    assert digest(text.replace("one - two", "two - one"), tmp_path) != digest(text, tmp_path)
    anded = TEXT.replace("one + two", "{3'd0, |{one[0], two[1]}}")
    swapped = anded.replace("one[0], two[1]", "two[1], one[0]")
    assert digest(swapped, tmp_path) == digest(anded, tmp_path)


def test_hierarchy_counts_where_it_is_kept(tmp_path: Path) -> None:
    """A part that is mapped on its own; one that is flattened leaves no trace."""
    merged = TEXT.replace(".d(a & b)", ".d(both)").replace(
        "logic [3:0] one, two;", "logic [3:0] one, two, both; assign both = a & b;"
    )
    assert digest(merged, tmp_path) == digest(TEXT, tmp_path)
    assert digest(TEXT, tmp_path, flat=False) != digest(TEXT, tmp_path)
    kept = digest(TEXT, tmp_path, flat=False)
    assert digest(TEXT.replace("part", "piece"), tmp_path, flat=False) == kept
    assert digest(TEXT, tmp_path, flat=False, label="counted separately") != kept


RING = """module top (input logic clk, output logic [1:0] y);
  logic s, t, u, v;
  initial {s, t, u, v} = 4'b1000;
  always_ff @(posedge clk) {s, t, u, v} <= {v, s, t, u};
  assign y = {s, u};
endmodule"""


def test_registers_in_a_ring_are_distinguished(tmp_path: Path) -> None:
    """They differ in their initial values, and in nothing else that drives them."""
    ring = digest(RING, tmp_path)
    # The same ring entered one register later.
    later = RING.replace("4'b1000", "4'b0100").replace("{s, u}", "{t, v}")
    assert digest(later, tmp_path) == ring
    assert digest(RING.replace("{s, u}", "{t, v}"), tmp_path) != ring
    assert digest(RING.replace("4'b1000", "4'b0100"), tmp_path) != ring
