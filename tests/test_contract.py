"""The monitor of the contract: sound cores keep every rule, and each rule finds a broken core."""

import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from suite import slow

from aesforge.core import bundle, sources
from aesforge.core.template import fill
from aesforge.flows.build import build
from aesforge.space.presets import ciphers, preset
from aesforge.tools import yosys

RULES = {
    1: "withdraws a result that is not taken",
    2: "changes a result that is not taken",
    3: "outputs each result twice",
    4: "accepts a block without a key",
    5: "accepts a second block and loses the first",
    6: "offers the result after a clear",
    7: "takes a cycle more for a result",
    8: "shows the state before it is a result",
    9: "is not ready for a key with a 1 in bit 0",
}
"""What the toy core does wrong for each value of its parameter. Rule n - 1 is broken then."""

TOY = """
// A toy core: a block and its key, summed, three cycles later. One fault for each rule.
module toy #(
  parameter int Fault = 0
) (
  input logic clk_i, input logic rst_ni,
  input logic key_valid_i, output logic key_ready_o, input logic [255:0] key_i,
  input logic [1:0] key_len_i,
  input logic in_valid_i, output logic in_ready_o, input logic [127:0] in_data_i,
  input logic in_decrypt_i,
  output logic out_valid_o, input logic out_ready_i, output logic [127:0] out_data_o,
  input logic key_clear_i
);
  logic keyed_q;
  logic valid_q;
  logic again_q;
  logic [2:0] count_q;  // 0 when idle
  logic [127:0] key_q;
  logic [127:0] state_q;
  logic accept;
  logic last;
  assign key_ready_o = !key_clear_i && !(Fault == 9 && key_i[0]);
  assign in_ready_o = (keyed_q || Fault == 4) && !key_clear_i && (count_q == 0 || Fault == 5) &&
                      (!valid_q || out_ready_i && !(Fault == 3 && !again_q));
  assign accept = in_valid_i && in_ready_o;
  assign last = count_q == ((Fault == 7) ? 3'd3 : 3'd2);
  assign out_valid_o = valid_q;
  assign out_data_o = (valid_q || Fault == 8) ? state_q : '0;
  always_ff @(posedge clk_i) begin
    if (key_valid_i && key_ready_o) key_q <= key_i[127:0];
    if (accept) state_q <= in_data_i;
    else if (last) state_q <= state_q ^ key_q;
    else if (Fault == 2 && valid_q && !out_ready_i) state_q <= ~state_q;
    if (!rst_ni || key_clear_i) begin
      keyed_q <= 1'b0;
      count_q <= '0;
      again_q <= 1'b0;
      valid_q <= rst_ni && Fault == 6 && valid_q;
    end else begin
      if (key_valid_i && key_ready_o) keyed_q <= 1'b1;
      if (accept) count_q <= 3'd1;
      else if (last || count_q == 0) count_q <= '0;
      else count_q <= count_q + 3'd1;
      again_q <= valid_q && out_ready_i && !again_q;
      if (last && !accept) valid_q <= 1'b1;
      else if (out_ready_i && !(Fault == 3 && !again_q) || Fault == 1) valid_q <= 1'b0;
    end
  end
endmodule
"""


SBOX = """
module aes_sbox #(
  parameter int Sbox = 0,
  parameter int Direction = 0
) (
  input  logic [7:0] data_i,
  input  logic       inverse_i,
  output logic [7:0] data_o
);
  assign data_o = {data_i[6:0], data_i[7] ^ inverse_i};
endmodule
"""
"""Takes the place of every S-box without a register: the data path is a wire there."""


def broken_rule(files: Sequence[Path], top: str, depth: int, folder: Path) -> int | None:
    """A bit of `violated_o` of `top` that some run of `depth` cycles raises first; None for none.

    Every register without an initial value is free at the start.
    """
    folder.mkdir(exist_ok=True)
    passes = [
        yosys.read(files, top),
        *("chformal -remove", "proc", "flatten", "memory_map", "opt", "simplemap", "techmap"),
        *("opt", "setundef -undriven -anyseq", "dffunmap", "aigmap", "opt_clean"),
        "write_aiger -zinit -symbols contract.aig",
    ]
    yosys.run(passes, folder)
    said = yosys.abc(f"read contract.aig; bmc3 -F {depth}", folder)
    found = re.search(r"Output (\d+) of miter \S+ was asserted", said)
    assert found or f"No output asserted in {depth} frames" in said, said
    return int(found[1]) if found else None


TOY_NAMES = {
    "command": "",
    "top": "toy",
    "monitor_name": "aes_contract",
    "block_top": "127",
    "block_bits": "128",
}


def test_each_rule_finds_a_broken_core(tmp_path: Path) -> None:
    values = {"in_flight": "1", "min_latency": "3", "max_latency": "3", "idle_zero": "1"}
    harness = fill("contract.sv", TOY_NAMES, select="", select_pin="", **values)
    for fault in (0, *RULES):
        text = TOY.replace("int Fault = 0", f"int Fault = {fault}") + harness
        (tmp_path / "toy.sv").write_text(text, encoding="utf-8")
        files = [bundle.monitor(), tmp_path / "toy.sv"]
        found = broken_rule(files, "toy_formal", 8, tmp_path / str(fault))
        assert found == (fault - 1 if fault else None), RULES.get(fault, "a sound core")


def harness(name: str, folder: Path) -> tuple[list[Path], str, int]:
    """The files of a bundle's harness of the contract, its top, and the depth of its script."""
    core = preset(name)
    command = f"aesforge build {name} --prefix aes_"
    top = str(build(core, core.config, folder, command, False, None, "aes_")["top"])
    script = (folder / "formal" / f"{top}.sby").read_text(encoding="utf-8")
    listed = script.partition("[files]\n")[2].split()
    depth = re.search(r"^depth (\d+)$", script, re.M)
    assert depth is not None
    # The script reads the same files, in the same order, from one folder.
    names = re.search(r"^read_verilog -sv -formal (.*)$", script, re.M)
    assert names is not None
    assert names[1].split() == [Path(file).name for file in listed]
    # The rules do not depend on what an S-box computes.
    (folder / "rtl" / "aes_sbox.sv").write_text(SBOX, encoding="utf-8")
    return [folder / file for file in listed], f"{top}_formal", int(depth[1])


def test_core_of_a_bundle_keeps_its_contract(tmp_path: Path) -> None:
    files, top, depth = harness("aesforge-iterative", tmp_path / "core")
    assert broken_rule(files, top, depth, tmp_path / "bmc") is None


@slow
@pytest.mark.parametrize("name", [name for name in ciphers() if name != "aesforge-iterative"])
def test_every_preset_keeps_its_contract(name: str, tmp_path: Path) -> None:
    files, top, depth = harness(name, tmp_path / "core")
    # The narrow cores take hundreds of cycles for a block.
    assert broken_rule(files, top, min(depth, 40), tmp_path / "bmc") is None


# Faults in a core by the rule of the monitor that they break.
BROKEN = {
    "a result does not hold": (0, "advance = !last_q || out_ready_i", "advance = 1'b1"),
    "a key is not needed": (3, "in_ready_o = loaded_q && ", "in_ready_o = "),
    "a clear leaves the result": (5, "      last_q <= 1'b0;\n", ""),
    "a round is left out": (
        6,
        "RCON_FORWARD = aes_gf_pkg::rcon(NEXT_TO_LAST)",
        "RCON_FORWARD = aes_gf_pkg::rcon(5)",
    ),
    "timing depends on the key": (
        8,
        "key_ready_o = !setup && !clearing;",
        "key_ready_o = !setup && !clearing && !key_i[0];",
    ),
}


CORE = "aes_iterative_overlap_otf.sv"


@pytest.mark.parametrize("fault", BROKEN)
def test_fault_fits_the_core(fault: str) -> None:
    """What the slow test below replaces, checked on every day."""
    (path,) = (file for file in sources.files() if file.name == CORE)
    assert path.read_text(encoding="utf-8").count(BROKEN[fault][1]) == 1


@slow
@pytest.mark.parametrize("fault", BROKEN)
def test_monitor_finds_a_fault_in_a_core(fault: str, tmp_path: Path) -> None:
    rule, old, new = BROKEN[fault]
    files, top, depth = harness("aesforge-iterative", tmp_path / "core")
    (path,) = (file for file in files if file.name == CORE)
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")
    assert broken_rule(files, top, depth, tmp_path / "bmc") == rule
