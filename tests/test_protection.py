"""Protected cores in the design space: ports as in the RTL, and no verb takes them for others."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from aesforge.cli.main import cli
from aesforge.core import stack
from aesforge.core.sources import closure, text
from aesforge.errors import UserError
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
    with pytest.raises(UserError, match="protection=none, not masked"):
        preset("aesforge-nano").configure(["protection=masked"])


@pytest.mark.parametrize(
    "words",
    [
        "build {} -o {}",
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
