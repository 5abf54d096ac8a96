"""Two copies of a core in lockstep: in the design space, proven, mapped and in bundles."""

from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner
from suite import slow
from test_build import with_icarus, with_verilator

from aesforge.cli.main import cli
from aesforge.core import stack
from aesforge.errors import UserError
from aesforge.flows.build import build
from aesforge.flows.choose import Budget, choose
from aesforge.flows.prove import prove
from aesforge.flows.verify import verify
from aesforge.proof import layers
from aesforge.proof.claims import Sources, formal_root
from aesforge.proof.faults import FAULTS, Fault
from aesforge.proof.mutants import faulty
from aesforge.results import store
from aesforge.space.axes import Config
from aesforge.space.presets import ciphers, preset
from aesforge.space.promises import promised
from aesforge.tools import yosys

NANO = preset("aesforge-nano")
FAULTY = [fault for fault in FAULTS if fault.file == "aes_lockstep"]


def lockstep(name: str, *choices: str) -> Config:
    return preset(name).configure(["protection=fault", *choices])


# The design space ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ciphers())
def test_every_preset_may_have_a_copy(name: str) -> None:
    config = lockstep(name)
    assert config.core == preset(name).config
    assert config.stacked == {"protection": "fault"}
    assert "fault_o" in [port.name for port in stack.contract(config).ports]
    alone, two = (promised(one, one.key_sizes[0]) for one in (config.core, config))
    assert two.latency == alone.latency + 1
    assert two.interval == alone.interval
    assert two.key_setup == alone.key_setup


@pytest.mark.parametrize(
    ("choices", "says"),
    [
        (("mode=xts",), "around one core, and mode=xts has two"),
        (("mode=ctr", "lanes=2"), "around one core yet: leave out lanes=2"),
        (("mode=cbc", "port=axi-lite"), "port=axi-lite has no register for yet"),
        (("shares=3",), "protection=none|shares=2"),
    ],
)
def test_what_has_no_copy_is_refused(choices: tuple[str, ...], says: str) -> None:
    with pytest.raises(UserError, match=says):
        lockstep("kakarlapudi-sbox", "keys=128", *choices)
    with pytest.raises(UserError, match="blocks of 128 bits: leave out block=192"):
        lockstep("kakarlapudi-sbox", "block=192")


def test_both_copies_are_cleared_by_the_layer() -> None:
    text = "\n".join(stack.top(lockstep("aesforge-nano"), "aes_top", chooser=False))
    assert text.count("(* keep_hierarchy") == 2
    assert text.count(".key_clear_i  (lockstep_key_clear)") == 2
    assert "\n".join(stack.top(lockstep("aesforge-nano"), "aes_top")).count("keep_hierarchy") == 0


def test_it_is_chosen_only_by_name() -> None:
    rows = [row for row in store.measured(store.path()) if row["preset"] == "aesforge-nano"]
    alone, two = (choose(rows, "xc7", Budget(area=10_000), words) for words in ([], CHOSEN))
    assert {point["config"]["protection"] for point in alone["points"]} == {"none"}
    assert {point["config"]["protection"] for point in two["points"]} == {"fault"}


CHOSEN = ["protection=fault"]


def test_list_says_that_presets_may_have_it() -> None:
    found = CliRunner().invoke(cli, ["list", "aesforge-nano"])
    assert "has protection=none|fault: two copies" in found.output


# Checks -------------------------------------------------------------------------------------------


def test_two_copies_do_what_one_does() -> None:
    found = verify(NANO, lockstep("aesforge-nano"), blocks=300)
    assert found["holds"], found


@pytest.mark.parametrize(
    "words",
    [
        "aesforge-iterative keys=128 mode=ctr",
        pytest.param("aesforge-nano mode=cmac,ccm hold=on", marks=slow),
        pytest.param("aesforge-interleaved-universal keys=128 mode=cbc streams=2", marks=slow),
        pytest.param("kakarlapudi-sbox keys=128 mode=gcm port=axi-stream", marks=slow),
        pytest.param("fan mode=kwp", marks=slow),
        pytest.param("aesforge-nano port=word32", marks=slow),
    ],
)
def test_modes_and_ports_do_on_two_copies_what_they_do_on_one(words: str) -> None:
    name, *choices = words.split()
    config = lockstep(name, *choices)
    assert "fault_o" in [port.name for port in stack.contract(config).ports]
    found = verify(preset(name), config, blocks=100)
    assert found["holds"], found


@pytest.mark.parametrize("choices", [("mode=ecb",), ("mode=ecb", "port=axi-stream")])
def test_a_fault_below_a_mode_stops_it_and_is_seen_at_the_top(
    choices: tuple[str, ...], tmp_path: Path
) -> None:
    """The testbench of a bundle, with a flip of a buffered result of one copy."""
    name = "aesforge-iterative"
    config = lockstep(name, "keys=128", *choices)
    folder = tmp_path / "core"
    build(preset(name), config, folder, "aesforge build", force=False, name="my_aes")
    bench = folder / "tb" / "my_aes_tb.sv"
    text = bench.read_text(encoding="utf-8")
    assert text.count("endmodule") == 1
    flip = FLIP.replace("VALID", "m_axis_tvalid" if len(choices) == 2 else "out_valid_o")
    bench.write_text(text.replace("endmodule", flip), encoding="utf-8")
    done = with_icarus(folder, "my_aes")
    assert "ALARM" in done.stdout, done.stdout
    assert "result after the alarm" not in done.stdout, done.stdout


FLIP = """\
  initial begin
    wait (u_dut.u_lockstep.core_valid);
    @(negedge clk_i);
    force u_dut.u_lockstep.u_copy_result.valid_q = 1'b0;
    @(posedge fault_o);
    release u_dut.u_lockstep.u_copy_result.valid_q;
    // What the mode has already made leaves it.
    repeat (20) @(negedge clk_i);
    repeat (500) begin
      @(negedge clk_i);
      if (!fault_o) $fatal(1, "the alarm ends");
      if (VALID && out_ready_i) $fatal(1, "a result after the alarm");
    end
    $display("ALARM");
    $finish;
  end

endmodule"""


@slow
@pytest.mark.parametrize(
    "words", ["bulens-encrypt", "sklavos-arkl", "fan", "kakarlapudi-sbox", "hodjat-tower-3"]
)
def test_other_cores_do_what_one_does(words: str) -> None:
    name, *choices = words.split()
    found = verify(preset(name), lockstep(name, *choices), blocks=300)
    assert found["holds"], found


# A buffer of one result, and of two.
@pytest.mark.parametrize("name", ["aesforge-nano", pytest.param("aesforge-unrolled", marks=slow)])
def test_the_layer_is_proven_around_any_two_modules(name: str) -> None:
    found = prove(name, lockstep(name), only=["aes_lockstep"])
    assert found["holds"], found
    names = [claim["name"] for claim in found["claims"]]
    assert "aes_lockstep contract" in names


def contract(rtl: tuple[Path, ...], config: Config) -> layers.Claim:
    found = layers.claims(Sources(rtl, formal_root()), config, ["aes_lockstep"])
    return found["aes_lockstep contract"]()


@pytest.mark.parametrize(
    "fault",
    [pytest.param(fault, marks=slow if at else ()) for at, fault in enumerate(FAULTY)],
    ids=str,
)
def test_a_fault_of_the_layer_is_not_proven(fault: Fault, tmp_path: Path) -> None:
    given = faulty(fault, tmp_path)
    assert given is not None
    found = contract(given.rtl, lockstep("aesforge-nano"))
    assert not found.holds
    assert "broken rule" in found.counterexample["rule"]


# Bundles and netlists -----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lockstep") / "core"
    build(NANO, lockstep("aesforge-nano"), folder, "aesforge build", force=False, name="my_aes")
    return folder


@slow
def test_a_bundle_passes_its_testbench(bundle: Path) -> None:
    done = with_icarus(bundle, "my_aes")
    assert (done.returncode, done.stdout.count("PASS")) == (0, 1), done.stdout


@slow
def test_a_bundle_passes_in_verilator(bundle: Path) -> None:
    done = with_verilator(bundle, "my_aes")
    assert (done.returncode, done.stdout.count("PASS")) == (0, 1), done.stdout


@pytest.mark.parametrize(
    ("right", "wrong", "says"),
    [
        pytest.param(
            "assign raised = fault_o || differs;",
            "assign raised = 1'b0;",
            "no alarm that stays",
            marks=slow,
        ),
        ("assign raised = fault_o || differs;", "assign raised = differs;", "no alarm that stays"),
        pytest.param(
            "core_key_ready_i && copy_key_ready_i && !fault_o",
            "core_key_ready_i && copy_key_ready_i",
            "a handshake after the alarm",
            marks=slow,
        ),
    ],
)
def test_the_testbench_refuses_a_broken_layer(
    right: str, wrong: str, says: str, bundle: Path
) -> None:
    path = bundle / "rtl" / "my_aes_lockstep.sv"
    text = path.read_text(encoding="utf-8")
    assert text.count(right) == 1
    try:
        path.write_text(text.replace(right, wrong), encoding="utf-8")
        done = with_icarus(bundle, "my_aes")
    finally:
        path.write_text(text, encoding="utf-8")
    assert done.returncode != 0
    assert says in done.stdout


def test_synthesis_keeps_both_copies(bundle: Path) -> None:
    """A flow that flattens and merges what is equal leaves twice the flip-flops of one copy."""
    sources = sorted((bundle / "rtl").glob("*.sv"), key=lambda path: "_pkg" not in path.stem)
    passes = ["synth -flatten -top my_aes", "opt_merge -share_all", "opt -full"]
    yosys.run(
        [yosys.read(sources, "my_aes", hierarchy=True), *passes, "tee -o cells.json stat -json"],
        bundle,
    )
    found: Counter[str] = Counter()
    for at, cells in yosys.statistics(bundle / "cells.json"):
        part = next((name for name in ("u_cipher", "u_copy") if name in at), "layer")
        found[part] += sum(n for cell, n in cells.items() if "DFF" in cell)
    assert found["u_cipher"] == found["u_copy"] > 500
    # Two buffers of a result, and the alarm with both rails.
    assert found["layer"] >= 2 * 128 + 2 + 3


def test_measured_rows_have_both_copies() -> None:
    rows = [row for row in store.load(store.path()) if row["preset"] and not row.get("failed")]
    stored = {store.point(row): row for row in rows}
    checked = 0
    for row in rows:
        if row["config"]["protection"] == "fault":
            bare = {**row, "config": {**row["config"], "protection": "none"}}
            if alone := stored.get(store.point(bare)):
                assert row["ff"] > 2 * alone["ff"] + 2 * 128
                checked += 1
    assert checked >= 2
