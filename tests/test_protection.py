"""Protected cores in the design space: ports as in the RTL, and no verb takes them for others."""

from pathlib import Path

import pytest
from click.testing import CliRunner
from suite import slow
from test_build import with_icarus, with_verilator

from aesforge.cli.main import cli
from aesforge.core import stack
from aesforge.core.sources import closure, text
from aesforge.errors import UserError
from aesforge.flows.build import build
from aesforge.flows.choose import Budget, choose
from aesforge.flows.probe import gadgets
from aesforge.results import store
from aesforge.space.axes import AXES, Config
from aesforge.space.presets import preset

MASKED = preset("aesforge-masked")


def test_gadgets_have_the_codes_of_the_package() -> None:
    assert AXES["gadget"].values == gadgets()


@pytest.mark.parametrize("config", MASKED.configurations(), ids=MASKED.choices)
def test_ports_are_those_of_the_module(config: Config) -> None:
    import pyslang

    contract = stack.contract(config)
    given = ", ".join(f".{name}({value})" for name, value in config.parameters.items())
    texts = (text(path) for path in closure(contract.module))
    instance = f"module all; {contract.module} #({given}) u_core (); endmodule"
    compilation = pyslang.ast.Compilation()
    compilation.addSyntaxTree(pyslang.syntax.SyntaxTree.fromText("\n".join([*texts, instance])))
    (top,) = (one for one in compilation.getRoot().topInstances if one.name == "all")
    (core,) = (one for one in top.body if one.name == "u_core")
    found = {port.name: port.type.bitWidth for port in core.body.portList}
    assert found == {port.name: port.width for port in contract.ports}


def test_three_shares_need_a_gadget_for_them() -> None:
    with pytest.raises(UserError, match="choose gadget=dom or hpc3 with shares=3"):
        MASKED.configure(["shares=3"])
    assert MASKED.configure(["shares=3", "gadget=hpc3"]).module == "aes_masked_serial32"


def test_layers_and_other_cores_are_refused() -> None:
    with pytest.raises(UserError, match="its own: leave out mode=cbc"):
        MASKED.configure(["mode=cbc"])
    with pytest.raises(UserError, match="protection=none or fault, not masked"):
        preset("aesforge-nano").configure(["protection=masked"])


@pytest.mark.parametrize(
    "words",
    [
        "verify {}",
        "run {} --key 00 -i {}",
        "prove {}",
        "proofs {}",
        "mutants {}",
        "power {} --target osu018",
    ],
)
def test_verbs_that_know_one_contract_refuse_another(words: str, tmp_path: Path) -> None:
    place = tmp_path / "out"
    place.touch()
    found = CliRunner().invoke(cli, words.format(MASKED.name, place).split())
    assert isinstance(found.exception, UserError)
    assert "protection=masked has its own: choose another preset" in str(found.exception)


def test_a_protected_core_is_chosen_only_by_name() -> None:
    masked = [row for row in store.measured(store.path()) if row["preset"] == MASKED.name]
    assert masked
    with pytest.raises(UserError, match="nothing is measured"):
        choose(masked, "xc7", Budget(area=10_000))
    found = choose(masked, "xc7", Budget(area=10_000), ["protection=masked"])
    assert found["points"][0]["config"]["shares"] == "2"
    three = choose(masked, "xc7", Budget(area=10_000), ["protection=masked", "shares=3"])
    assert three["points"][0]["area"] > found["points"][0]["area"]


def bundle(folder: Path, *choices: str) -> str:
    config = MASKED.configure(choices)
    build(MASKED, config, folder, "aesforge build", force=False, name="my_aes")
    return "my_aes"


SLOW = (("gadget=dom",), ("gadget=hpc3",), ("shares=3", "gadget=dom"), ("shares=3", "gadget=hpc3"))


@pytest.mark.parametrize("choices", [(), *(pytest.param(one, marks=slow) for one in SLOW)])
def test_a_bundle_passes_its_testbench(choices: tuple[str, ...], tmp_path: Path) -> None:
    done = with_icarus(tmp_path / "core", bundle(tmp_path / "core", *choices))
    assert (done.returncode, done.stdout.count("PASS")) == (0, 1), done.stdout


@slow
def test_a_bundle_passes_in_verilator(tmp_path: Path) -> None:
    done = with_verilator(tmp_path / "core", bundle(tmp_path / "core"))
    assert (done.returncode, done.stdout.count("PASS")) == (0, 1), done.stdout


BROKEN = {
    "a share of the round constant is lost": (
        "{(i == 0) ? rcon_q : 8'h00, 24'h0}",
        "{8'h00, 24'h0}",
        "not the result",
    ),
    "a block does not wait for random bits": (
        "assign advance = busy_q && random_valid_i;",
        "assign advance = busy_q;",
        "not the promised random bits",
    ),
    "a clear leaves the state": (
        "if (clear) state_q[128*i +: 128] <= '0;",
        "if (1'b0) state_q[128*i +: 128] <= '0;",
        "a clear leaves a block",
    ),
    "a result is not held": (
        "valid_q <= done || (valid_q && !out_ready_i);",
        "valid_q <= done;",
        "the result did not hold",
    ),
}


@pytest.mark.parametrize(
    "fault", [one if at == 0 else pytest.param(one, marks=slow) for at, one in enumerate(BROKEN)]
)
def test_the_testbench_refuses_a_broken_core(fault: str, tmp_path: Path) -> None:
    right, wrong, says = BROKEN[fault]
    top = bundle(tmp_path / "core")
    path = tmp_path / "core" / "rtl" / f"{top}_masked_serial32.sv"
    text = path.read_text(encoding="utf-8")
    assert text.count(right) == 1
    path.write_text(text.replace(right, wrong), encoding="utf-8")
    done = with_icarus(tmp_path / "core", top)
    assert done.returncode != 0
    assert f": {says}" in done.stdout, done.stdout
