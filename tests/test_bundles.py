"""Bundles in a design: each reads in every tool, and several of them stand side by side."""

import itertools
import re
import sys
from collections.abc import Callable
from pathlib import Path

import needs
import pytest
import yaml
from suite import slow
from test_build import run

from aesforge.core import stack
from aesforge.flows.build import build, elaborated
from aesforge.flows.measure import subject
from aesforge.flows.synth import _elaborate, core
from aesforge.proof.equivalence import EVERY_STATE, equivalent
from aesforge.space.presets import ciphers, preset
from aesforge.space.targets import target
from aesforge.tools import aiger, verilator, yosys

SAMPLE = "aesforge-nano"
LAYERED = (
    "kakarlapudi-sbox keys=128 port=word32",
    "aesforge-iterative mode=ctr,cmac",
    "aesforge-compact keys=128 mode=xts",
    "aesforge-iterative mode=ctr port=axi-stream",
    "fan mode=cbc streams=2 port=axi-stream",
    "aesforge-iterative mode=xts lanes=2 port=axi-stream",
    "aesforge-iterative mode=ctr port=axi-lite",
    "aesforge-iterative mode=ctr port=wishbone stream_port=on",
)


def bundle(
    spec: str, out: Path, name: str | None = None, single: bool = False, plain: bool = False
) -> str:
    """A bundle of a preset and choices in `out`; the name of its top module."""
    chosen, *choices = spec.split()
    found = preset(chosen)
    command = f"aesforge build {spec}"
    made = build(
        found, found.configure(choices), out, command, False, name, single=single, plain=plain
    )
    return str(made["top"])


def listed(folder: Path, top: str) -> list[Path]:
    """The sources of a bundle in the order of its file list."""
    lines = (folder / f"{top}.f").read_text(encoding="utf-8").splitlines()
    return [folder / line for line in lines[1:]]


# Tools ------------------------------------------------------------------------------------------


def in_icarus(folder: Path, top: str) -> None:
    done = run(
        needs.iverilog(), "-g2012", "-Wall", "-t", "null", "-s", top, "-c", f"{top}.f", cwd=folder
    )
    assert (done.returncode, done.stdout) == (0, "")


def in_verilator(folder: Path, top: str) -> None:
    # aes_mode has constants that only some modes use.
    lint = ("verilator", "--lint-only", "-Wall", "-Wno-UNUSEDPARAM", "--top-module", top)
    done = run(*lint, "-f", f"{top}.f", cwd=folder, **verilator.environment())
    assert (done.returncode, "%Warning" in done.stdout) == (0, False), done.stdout


DEBIAN = "/usr/bin"
"""Where the tools of Debian are, which are older than ours."""


def in_debian_verilator(folder: Path, top: str) -> None:
    own = needs.program("verilator", DEBIAN)
    # Bits of a vector that depend on one another are no loop: version 5.006 takes them for one.
    lint = (own, "--lint-only", "-Wall", "-Wno-UNUSEDPARAM", "-Wno-UNOPTFLAT")
    done = run(*lint, "--top-module", top, "-f", f"{top}.f", cwd=folder)
    assert (done.returncode, done.stdout) == (0, "")


def in_slang(folder: Path, top: str) -> None:
    yosys.run([yosys.read(listed(folder, top), top), "check -assert"], folder)


def in_yosys(folder: Path, top: str) -> None:
    files = " ".join(map(str, listed(folder, top)))
    yosys.run([f"read_verilog -sv {files}", f"hierarchy -check -top {top}", "proc"], folder)


def in_debian_yosys(folder: Path, top: str) -> None:
    own = needs.program("yosys", DEBIAN)
    files = " ".join(f"rtl/{path.name}" for path in listed(folder, top))
    script = f"read_verilog -sv {files}; hierarchy -check -top {top}; proc"
    done = run(own, "-q", "-p", script, cwd=folder)
    assert done.returncode == 0, done.stdout


def in_ghdl(folder: Path, top: str) -> None:
    done = run(needs.program("ghdl"), "-a", "--std=08", f"vhdl/{top}_component.vhd", cwd=folder)
    assert (done.returncode, done.stdout) == (0, "")


TOOLS = (in_icarus, in_verilator, in_debian_verilator, in_slang, in_yosys, in_debian_yosys, in_ghdl)


# Yosys' own reader computes the constants of an S-box slowly.
SLOW_TOOLS = (in_yosys, in_debian_yosys)
EVERYDAY = [(SAMPLE, tool) for tool in TOOLS if tool not in SLOW_TOOLS]
ALL = [(spec, tool) for spec in (*ciphers(), *LAYERED) for tool in TOOLS]


@pytest.mark.parametrize(
    ("spec", "tool"),
    [*EVERYDAY, *(pytest.param(*case, marks=slow) for case in ALL if case not in EVERYDAY)],
    ids=lambda value: value if isinstance(value, str) else value.__name__,
)
def test_bundle_reads(spec: str, tool: Callable[[Path, str], None], tmp_path: Path) -> None:
    tool(tmp_path / "core", bundle(spec, tmp_path / "core", "my_aes"))


@pytest.mark.parametrize(
    "tool", [in_icarus, in_verilator, in_slang, pytest.param(in_yosys, marks=slow)]
)
def test_single_file_reads(tool: Callable[[Path, str], None], tmp_path: Path) -> None:
    top = bundle(SAMPLE, tmp_path / "core", single=True)
    (only,) = listed(tmp_path / "core", top)
    found = re.findall(r"^(?:module|package) (\w+)", only.read_text(encoding="utf-8"), re.M)
    parts = [path.stem for path in elaborated(preset(SAMPLE).config)]
    assert found == [*(f"{top}_{name.removeprefix('aes_')}" for name in parts), top]
    tool(tmp_path / "core", top)


# In Verilog-2005 --------------------------------------------------------------------------------

VERILOG = [
    SAMPLE,
    *(
        pytest.param(spec, marks=slow)
        for spec in ("aesforge-compact keys=128", *ciphers(), *LAYERED)
        if spec != SAMPLE
    ),
]


@pytest.mark.parametrize("spec", VERILOG)
def test_verilog_2005_passes_the_testbench(spec: str, tmp_path: Path) -> None:
    folder = tmp_path / "core"
    top = bundle(spec, folder, "my_aes", plain=True)
    (only,) = listed(folder, top)
    assert only.name == "my_aes.v"
    # Names of modules are plain, and modules of equal text are one.
    names = re.findall(r"^module (\S+)\(", only.read_text(encoding="utf-8"), re.M)
    assert names[0] == top
    assert all(re.fullmatch(rf"{top}_\w+", name) for name in names[1:])
    assert len(names) < 60
    old = run(needs.iverilog(), "-g2005", "-Wall", "-t", "null", "-s", top, only, cwd=folder)
    assert (old.returncode, old.stdout) == (0, "")
    monitor = [path for path in ("formal/my_aes_contract.sv",) if (folder / path).exists()]
    bench = [only, *monitor, "tb/my_aes_tb.sv"]
    built = run(needs.iverilog(), "-g2012", "-s", "my_aes_tb", "-o", "sim", *bench, cwd=folder)
    assert built.returncode == 0, built.stdout
    done = run("vvp", "sim", cwd=folder)
    assert (done.returncode, "PASS" in done.stdout) == (0, True), done.stdout


GATES = (
    *(
        "setattr -mod -unset keep_hierarchy *",
        "proc",
        "flatten",
        "opt",
        "memory -nomap",
        "memory_map",
        "setundef -zero",
    ),
    *("dffunmap", "simplemap", "techmap", "setundef -zero", "opt_clean", "aigmap", "opt_clean"),
)


def machine(read: str, top: str, folder: Path) -> Path:
    """A design as an AIGER file."""
    folder.mkdir()
    yosys.run([read, f"hierarchy -top {top}", *GATES, "write_aiger -symbols out.aig"], folder)
    return folder / "out.aig"


@slow
def test_verilog_2005_is_the_same_machine(tmp_path: Path) -> None:
    plain, bundled = tmp_path / "plain", tmp_path / "bundled"
    top = bundle(SAMPLE, plain, "my_aes", plain=True)
    bundle(SAMPLE, bundled, "my_aes")
    ours = machine(yosys.read(listed(bundled, top), top), top, tmp_path / "a")
    text = listed(plain, top)[0].read_text(encoding="utf-8")
    found = []
    for number, changed in enumerate((text, text.replace(" ^ ", " | ", 1))):
        file = tmp_path / f"{number}.v"
        file.write_text(changed, encoding="utf-8")
        theirs = machine(f"read_verilog {file}", top, tmp_path / f"b{number}")
        found.append(equivalent(ours, theirs, seconds=5))
    # In every state, whatever the names; and another function is not.
    assert found == [EVERY_STATE, ""]


# What is published --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "spec", [SAMPLE, *(pytest.param(p, marks=slow) for p in (*ciphers(), *LAYERED) if p != SAMPLE)]
)
def test_netlist_of_a_bundle_is_that_which_is_proven_and_measured(
    spec: str, tmp_path: Path
) -> None:
    top = bundle(spec, tmp_path / "core")
    name, *choices = spec.split()
    config, on = preset(name).configure(choices), target("ecp5")
    if config.selectable_sboxes:
        # The chooser has in_sboxes_i at the end, and the digest of a figure counts ports in order.
        module, parameters = stack.contract(config).module, stack.parameters(config)
        read = yosys.read(stack.sources(config), module, parameters)
        whole = machine(read, module, tmp_path / "chooser")
        own = machine(yosys.read(listed(tmp_path / "core", top), top), top, tmp_path / "own")
        assert aiger.structure(aiger.read(own)) == aiger.structure(aiger.read(whole))
        return
    found = []
    for measured in (core(config), subject(listed(tmp_path / "core", top), top)):
        folder = tmp_path / str(len(found))
        folder.mkdir()
        found.append(_elaborate(measured, on, folder).netlist)
    assert found[0] == found[1]


# Several in one design ----------------------------------------------------------------------------

# The same modules with other parameters, and other cores: encryption with 128-bit keys.
THREE = {
    "disk_aes": "aesforge-nano",
    "link_aes": "kakarlapudi-sbox keys=128 sbox=tower direction=encrypt",
    "boot_aes": "kakarlapudi-sbox keys=128 sbox=table direction=encrypt",
}
RESULT = "69c4e0d86a7b0430d8cdb78070b4c55a"
BENCH = """
// FIPS 197, appendix C.1, on every core at once.
module bench;
  logic clk = 1'b0;
  always #5 clk = !clk;
  logic rst_n = 1'b0;
  logic [2:0] keyed, ready, valid;
  logic [127:0] data [3];
  logic [2:0] key_valid, in_valid, done;
  integer cycles = 0;
INSTANCES
  always @(posedge clk) begin
    cycles <= cycles + 1;
    rst_n <= cycles > 2;
    if (!rst_n) {key_valid, in_valid, done} <= {3'b111, 3'b111, 3'b000};
    else begin
      key_valid <= key_valid & ~keyed;
      in_valid <= in_valid & ~ready;
      for (int k = 0; k < 3; k++) if (valid[k]) begin
        done[k] <= 1'b1;
        if (data[k] != 128'hRESULT) begin
          $display("core %0d is wrong", k);
          $fatal;
        end
      end
      if (done == 3'b111) begin
        $display("PASS");
        $finish;
      end
      if (cycles > 2000) $fatal;
    end
  end
endmodule
"""
INSTANCE = """
  NAME u_NAME (
    .clk_i (clk), .rst_ni (rst_n), .key_valid_i (key_valid[K]), .key_ready_o (keyed[K]),
    .key_i ({128'h000102030405060708090a0b0c0d0e0f, 128'h0}), .key_len_i (2'd0),
    .in_valid_i (in_valid[K]), .in_ready_o (ready[K]), .in_decrypt_i (1'b0),
    .in_data_i (128'h00112233445566778899aabbccddeeff),
    .out_valid_o (valid[K]), .out_ready_i (1'b1), .out_data_o (data[K]), .key_clear_i (1'b0)
  );"""
PROJECT = """CAPI=2:
name: example:soc:bench:1.0
filesets:
  bench:
    files: [bench.sv]
    file_type: systemVerilogSource
    depend: [DEPEND]
targets:
  default:
    filesets: [bench]
    toplevel: bench
  sim:
    flow: sim
    flow_options: {tool: icarus, iverilog_options: [-g2012]}
    filesets: [bench]
    toplevel: bench
"""


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three bundles and a bench that instantiates all of them, as a FuseSoC project."""
    folder = tmp_path_factory.mktemp("soc")
    for name, spec in THREE.items():
        bundle(spec, folder / name, name, single=name == "disk_aes")
    instances = (
        INSTANCE.replace("NAME", name).replace("K]", f"{k}]") for k, name in enumerate(THREE)
    )
    bench = BENCH.replace("INSTANCES", "".join(instances)).replace("RESULT", RESULT)
    (folder / "bench.sv").write_text(bench, encoding="utf-8")
    cores = [yaml.safe_load((folder / n / f"{n}.core").read_text())["name"] for n in THREE]
    project = PROJECT.replace("DEPEND", ", ".join(f'"{name}"' for name in cores))
    (folder / "bench.core").write_text(project, encoding="utf-8")
    return folder


def test_three_bundles_share_no_name(three: Path) -> None:
    names = [
        re.findall(r"^(?:module|package) (\w+)", path.read_text(encoding="utf-8"), re.M)
        for path in three.glob("*/*/*.sv")
    ]
    found = list(itertools.chain(*names))
    assert len(found) == len(set(found))
    assert len(found) > 30


def together(folder: Path) -> list[str]:
    return [str(path) for name in THREE for path in listed(folder / name, name)] + ["bench.sv"]


def test_three_bundles_in_one_simulation_in_icarus(three: Path, tmp_path: Path) -> None:
    model = str(tmp_path / "sim.vvp")
    built = run(
        needs.iverilog(), "-g2012", "-Wall", "-s", "bench", "-o", model, *together(three), cwd=three
    )
    assert built.returncode == 0, built.stdout
    done = run("vvp", model, cwd=three)
    assert (done.returncode, done.stdout.count("PASS")) == (0, 1), done.stdout


@slow
def test_three_bundles_in_one_simulation_in_verilator(three: Path, tmp_path: Path) -> None:
    haste = "CFG_CXXFLAGS_PCH_I=-include OPT_FAST=-O0 OPT_GLOBAL=-O0"
    env = {**verilator.environment(), "MAKEFLAGS": haste}
    build = ("--binary", "-CFLAGS", "-std=gnu++20", "--top-module", "bench", "-Mdir", str(tmp_path))
    built = run("verilator", *build, *together(three), "-o", "sim", cwd=three, **env)
    assert built.returncode == 0, built.stdout
    done = run(str(tmp_path / "sim"), cwd=three)
    assert (done.returncode, done.stdout.count("PASS")) == (0, 1), done.stdout


def test_three_bundles_in_one_fusesoc_project(three: Path) -> None:
    needs.iverilog()
    fusesoc = (sys.executable, "-m", "fusesoc.main", "--cores-root", ".", "run", "--target=sim")
    done = run(*fusesoc, "example:soc:bench", cwd=three, XDG_DATA_HOME=str(three / "data"))
    assert (done.returncode, done.stdout.count("PASS")) == (0, 1), done.stdout
