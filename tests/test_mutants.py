"""Mutants that Yosys makes: each module test can fail; proof and simulation see the same one."""

import importlib
import re
from pathlib import Path
from typing import Any

import pytest
import runner
from suite import slow

from aesforge import cache
from aesforge.core.sources import files, include
from aesforge.flows import mutants as flow
from aesforge.flows.mutants import failing_check
from aesforge.proof import equivalence, mutate
from aesforge.proof.claims import TO_AIGER, sources
from aesforge.proof.mutants import failing_claim
from aesforge.results.mutants import mutant_table
from aesforge.space.presets import preset
from aesforge.tools import yosys

COUNT = 4
"""Mutants of a bench; up to half may be equivalent, or in what the module leaves open."""

EVERYDAY = ("test_aes_mix_columns",)
BENCHES = {
    path.stem: (path, found[1])
    for path in sorted(Path(__file__).parent.glob("rtl/*/test_*.py"))
    if (found := re.search(r"simulate\(__file__, ([A-Z]+)\)", path.read_text(encoding="utf-8")))
}


def broken(test_file: Path, instances: list[runner.Instance]) -> tuple[Path, list[str]]:
    """A bench with all mutants of a module test, and their names; `+mutant=N` chooses one."""
    made = runner.bench(str(test_file), instances)
    ports = made.text[: made.text.index(");\n") + 3]
    inner = made.text.replace("module bench", "module mutated", 1)

    def make(folder: Path) -> None:
        (folder / "mutated.sv").write_text(inner, encoding="utf-8")
        (folder / "bench.sv").write_text(f"{ports}mutated u (.*);\nendmodule\n", encoding="utf-8")
        mutate.write_selector(folder)
        rtl = " ".join(map(str, made.files))
        yosys.run(
            [
                f"read_slang -I{include()} --top mutated {rtl} mutated.sv",
                *("proc", "flatten -noscopeinfo", "opt -full", "wreduce", "opt -full"),
                *("write_rtlil start.il", f"mutate -list {4 * COUNT} -seed 1 -o list mutated/t:$*"),
            ],
            folder,
        )
        text = (folder / "start.il").read_text(encoding="utf-8")
        (folder / "start.il").write_text(mutate.with_selector(text, ["mutated"]), encoding="utf-8")
        changes = mutate.listed(folder / "list", COUNT, 1)
        (folder / "names").write_text("\n".join(map(str, changes)), encoding="utf-8")
        yosys.run(
            [
                *("read_verilog -lib ports.v", "read_rtlil start.il", "hierarchy -top mutated"),
                *(change.selected(number) for number, change in enumerate(changes, 1)),
                *("opt_clean", "write_verilog -noattr mutated.v"),
            ],
            folder,
        )
        # The widths of ports name constants of packages, which the netlist has no more.
        packages = [path for path in made.files if path.stem.endswith("_pkg")]
        runner.compile_bench(
            [*packages, *(folder / name for name in ("select.v", "mutated.v", "bench.sv"))],
            folder,
            ["-Wno-fatal"],
        )

    key = runner.kept((made.text, *made.files, COUNT, Path(mutate.__file__), Path(__file__)))
    folder = cache.folder("cocotb-mutants", key, make)
    return folder, (folder / "names").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if name in EVERYDAY else pytest.mark.full) for name in BENCHES],
)
def test_a_module_test_catches_mutants(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    test_file, instances = BENCHES[name]
    monkeypatch.syspath_prepend(str(test_file.parent))
    module = importlib.import_module(test_file.stem)
    folder, names = broken(test_file, getattr(module, instances))
    # The sound netlist passes, or a mutant that fails would say nothing.
    runner.run_bench(str(test_file), folder, ["+mutant=0"])
    missed = []
    for number, mutant in enumerate(names, 1):
        try:
            runner.run_bench(str(test_file), folder, [f"+mutant={number}"])
            missed.append(mutant)
        except SystemExit:
            pass
    assert len(names) == COUNT
    assert len(missed) <= COUNT // 2, missed


# Mutants of cores -------------------------------------------------------------------------------


def test_the_same_seed_gives_the_same_mutants_of_a_core() -> None:
    config = preset("aesforge-nano").config
    found = mutate.sample(config, 6, 1)
    assert found == mutate.sample(config, 6, 1) != mutate.sample(config, 6, 2)
    assert len({change.command for change in found}) == 6
    assert all(change.file in {path.stem for path in files()} for change in found)
    assert not any(" \\CLK " in change.command for change in found)


@slow
@pytest.mark.parametrize(
    "core",
    [
        "aesforge-iterative",
        "sklavos-ake",
        "kakarlapudi-sbox block=256 keys=256 direction=encrypt",
    ],
)
def test_prove_and_verify_see_the_same_mutant(core: str, tmp_path: Path) -> None:
    name, *axes = core.split()
    config = preset(name).configure(axes)
    changes = mutate.sample(config, 3, 1)
    model = mutate.model(config, changes)
    assert failing_check(mutate.chosen(model, 0, tmp_path), config, 100) == ""
    for number, change in enumerate(changes, 1):
        assert failing_check(mutate.chosen(model, number, tmp_path), config, 100), str(change)
        assert failing_claim(config, sources(), mutate.machine(config, change)), str(change)


def machine(text: str, folder: Path) -> Path:
    """An AIGER file of a module with the outputs of a core that the comparison names."""
    folder.mkdir(exist_ok=True)
    (folder / "core.v").write_text(text, encoding="utf-8")
    passes = ("read_verilog core.v", "hierarchy -top core", *TO_AIGER)
    yosys.run([*passes, "write_aiger -symbols core.aig"], folder)
    return folder / "core.aig"


CORE = """
module core(input clk_i, input rst_ni, input d, output out_valid_o, output out_data_o);
  reg v_q, s_q;
  wire undefined;
  assign out_valid_o = v_q, out_data_o = {data};
  always @(posedge clk_i) begin v_q <= rst_ni & d; s_q <= {next}; end
endmodule
"""


@pytest.mark.parametrize(
    ("data", "following", "verdict"),
    [
        ("s_q", "d & d & rst_ni", equivalence.EVERY_STATE),
        ("s_q", "rst_ni & (d | (d & s_q & !v_q))", equivalence.EVERY_STATE),
        ("v_q", "d & rst_ni", equivalence.AFTER_RESET),
        ("s_q | !v_q", "d & rst_ni", equivalence.WHILE_VALID),
        ("s_q", "d", equivalence.WHILE_VALID),
        ("v_q ? s_q : undefined", "d & rst_ni", equivalence.WHILE_VALID),
        ("s_q ^ undefined", "d & rst_ni", ""),
        ("s_q", "!d", ""),
        ("!s_q", "d & rst_ni", ""),
    ],
)
def test_abc_says_how_a_mutant_is_equivalent(
    data: str, following: str, verdict: str, tmp_path: Path
) -> None:
    sound = machine(CORE.format(data="s_q", next="d & rst_ni"), tmp_path / "sound")
    mutant = machine(CORE.format(data=data, next=following), tmp_path / "mutant")
    assert equivalence.equivalent(sound, mutant, 5) == verdict


def test_a_comparison_that_does_not_end_shows_nothing(tmp_path: Path) -> None:
    text = CORE.format(data="s_q", next="d & rst_ni")
    same = [machine(text, tmp_path / name) for name in ("sound", "mutant")]
    assert equivalence.equivalent(same[0], same[1], 0) == ""


def test_a_machine_with_undefined_values_is_equivalent_to_itself(tmp_path: Path) -> None:
    text = CORE.format(data="s_q ^ undefined", next="d & rst_ni")
    same = [machine(text, tmp_path / name) for name in ("sound", "mutant")]
    assert equivalence.equivalent(same[0], same[1], 5) == equivalence.EVERY_STATE


@slow
def test_mutants_of_the_same_netlist_are_tried_once(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A row of these mutants counts; with another seed they are others."""
    tried: list[str] = []

    def verdict(mutant: Any, *_: Any) -> dict[str, Any]:
        tried.append(mutant.name)
        caught = {"prove": "a rule" * (len(tried) % 2), "verify": "a check"}
        return {
            "name": mutant.name,
            "kind": mutant.kind,
            **caught,
            "undecided": "",
            "equivalent": "",
        }

    monkeypatch.setattr(flow, "_verdict", verdict)
    monkeypatch.setattr(flow.mutate, "model", lambda *_: Path())
    monkeypatch.setattr(flow.store, "path", lambda name: tmp_path / f"{name}.jsonl")
    for seed, runs in ((1, 2), (1, 2), (2, 4)):
        found = flow.mutants(("aesforge-nano",), count=2, seed=seed, catalogue=False)
        assert len(tried) == runs
        assert (found["by_prove"], found["by_verify"], found["by_both"]) == (1, 2, 1)
        assert found["unexplained"] == [v["name"] for v in found["rows"][0]["verdicts"][1:]]
    table = mutant_table(found["rows"])
    assert "| all | 2 | 1 | 0 | 1 | 0 | 0 | 50.0 % | 100.0 % |" in table
    assert f"{tried[-1]}: every claim holds; `a check` of verify fails" in table
