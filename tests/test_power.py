"""Power by component: what a toggle costs, whose toggles count, and what idle S-boxes take."""

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import needs
import pytest

from aesforge.core.contract import CIPHER
from aesforge.core.sources import files
from aesforge.errors import UserError
from aesforge.flows import power as flow
from aesforge.proof.claims import TO_AIGER
from aesforge.space.axes import Config
from aesforge.space.presets import preset
from aesforge.space.targets import target
from aesforge.tools import aiger, opensta, yosys
from aesforge.tools.process import ToolFailed

GATES = """module gates (input clk_i, input a, input b, output y, output q);
  wire n;
  AND2X2 c0 (.A(a), .B(b), .Y(n));
  INVX1 c1 (.A(n), .Y(y));
  DFFPOSX1 c2 (.CLK(clk_i), .D(n), .Q(q));
endmodule
"""


def test_nothing_that_toggles_leaves_leakage(tmp_path: Path) -> None:
    needs.osu018()
    (tmp_path / "gates.v").write_text(GATES, encoding="utf-8")
    library = target("osu018").liberty
    still, busy = (
        opensta.powers("gates.v", library, "gates", "clk_i", 100.0, toggles, tmp_path)
        for toggles in (0, 1)
    )
    assert set(still) == {"c0", "c1", "c2"}
    assert still["c2"][0] > 0, "a register without its clock"
    for name, (internal, switching, leakage) in still.items():
        assert internal == 0 or name == "c2"
        assert switching == 0 < leakage
        assert busy[name][0] > 0
        assert busy[name][2] == leakage
    # Half C V^2 at 100 MHz, for the pins of inverter and register alone: there are no wires.
    load = 0.00932 + 0.00883
    assert busy["c0"][1] == pytest.approx(0.5 * load * 1.8**2 * 0.1, rel=0.02)


def test_a_toggle_is_a_rise_or_a_fall_whatever_opensta_counts(tmp_path: Path) -> None:
    needs.osu018()
    (tmp_path / "gates.v").write_text(GATES, encoding="utf-8")
    library = Path(target("osu018").liberty)
    answers: list[Any] = []
    for units in (False, True):
        for toggles, inputs in ((0, True), (1, True), (1, False)):
            opensta.altered(library, tmp_path / "power.lib", inputs, units)
            asked = ("gates.v", "power.lib", "gates", "clk_i", 100.0, toggles, tmp_path)
            answers.append(opensta.powers(*asked))
    assert opensta.energy_unit(library) == pytest.approx(1e-12)
    gates = {
        "c0": flow._Cell("AND2X2", {"A": "a", "B": "b"}, {"Y": "n"}, "others", False),
        "c1": flow._Cell("INVX1", {"A": "n"}, {"Y": "y"}, "others", False),
        "c2": flow._Cell("DFFPOSX1", {"CLK": "clk_i", "D": "n"}, {"Q": "q"}, "others", True),
    }
    netlist = flow._Netlist(gates, [("clk_i", "input", ["clk_i"])], [], {"clk_i": ""})
    found = flow.costs(netlist, tuple(answers[:3]), tuple(answers[3:]), 0.1)
    # pJ at 100 MHz are 0.1 mW. The library's energies at sharp slopes: of a rise 0.0205, of a fall
    # 0.0115, so far as there is no load.
    assert found["c1"].output == pytest.approx(0.1 * (0.0205 + 0.0115) / 2, rel=0.2)
    assert found["c1"].clock == found["c1"].input == found["c0"].clock == 0
    # A clock rises and falls: 0.00684 and 0.1039. The register's data takes 0.045 and 0.088.
    assert found["c2"].clock == pytest.approx(0.1 * (0.00684 + 0.1039), rel=0.01)
    assert found["c2"].input == pytest.approx(0.1 * (0.045 + 0.088) / 2, rel=0.05)
    assert 0.1 * 0.02 < found["c2"].output < 0.1 * 0.09


def test_toggles_weigh_inputs_and_outputs_of_registers_apart() -> None:
    gate = flow._Cell("INVX1", {"A": "n1"}, {"Y": "n2"}, "others", False)
    register = flow._Cell("DFFPOSX1", {"CLK": "n0", "D": "n2"}, {"Q": "n1"}, "others", True)
    netlist = flow._Netlist(
        {"c0": gate, "c1": register},
        [("clk_i", "input", ["n0"])],
        ["n0", "n1", "n2"],
        {"n0": ""},
    )
    idle: opensta.Powers = {"c0": (0.0, 0.0, 0.5), "c1": (2.0, 0.0, 0.5)}
    busy: opensta.Powers = {"c0": (4.0, 8.0, 0.5), "c1": (12.0, 16.0, 0.5)}
    without: opensta.Powers = {"c0": (4.0, 8.0, 0.5), "c1": (3.0, 16.0, 0.5)}
    # Counts each toggle twice, the clock having two.
    units: flow.Answers = (
        {"c0": (0.0, 0.0, 0.0), "c1": (4.0, 0.0, 0.0)},
        {"c0": (2.0, 0.0, 0.0), "c1": (8.0, 0.0, 0.0)},
        {"c0": (2.0, 0.0, 0.0), "c1": (2.0, 0.0, 0.0)},
    )
    costs = flow.costs(netlist, (idle, busy, without), units, 1.0)
    assert costs["c0"] == flow.Cost(clock=0.0, output=2.0, input=0.0, load=8.0, leakage=0.5)
    assert costs["c1"] == flow.Cost(clock=1.0, output=1.5, input=3.5, load=16.0, leakage=0.5)
    found = flow.cell_powers(netlist, costs, {"n1": 0.25, "n2": 0.5}, 200.0)
    assert found["c0"] == (2 * 0.5 * 2.0, 2 * 0.5 * 8.0, 0.5)
    assert found["c1"] == (2 * (1.0 + 0.25 * 1.5 + 0.5 * 3.5), 2 * 0.25 * 16.0, 0.5)
    still = flow.cell_powers(netlist, costs, {}, 100.0)
    assert still == {"c0": (0.0, 0.0, 0.5), "c1": (1.0, 0.0, 0.5)}


@pytest.mark.parametrize(
    ("path", "name"),
    [
        (["aes_serial8_switchable_otf"], "controller"),
        (["aes_serial8_switchable_otf", "aes_serial8_switchable_sub_bytes"], "others"),
        (["aes_serial8_switchable_otf", "aes_serial8_switchable_sub_bytes", "aes_sbox"], "S-box"),
        (["aes_iterative", "aes_key_store", "aes_key_expansion", "aes_sbox"], "key expander"),
        (["aes_iterative", "aes_round", "aes_mix_columns"], "MixColumns"),
    ],
)
def test_the_outermost_module_names_the_component(path: list[str], name: str) -> None:
    assert flow.component(path).startswith(name)


def test_components_are_named_by_modules_that_exist() -> None:
    modules = [path.stem for path in files()]
    for start in flow._COMPONENTS:
        assert any(module.startswith(start) for module in modules), start


@cache
def _fan() -> dict[str, Any]:
    needs.osu018()
    core = preset("fan")
    return flow.power(core, core.configure([]), target("osu018", 0), blocks=2)


KEY, BLOCKS = bytes(range(16)), flow.data(None, 3, 1)


@pytest.fixture(scope="module")
def mapped(tmp_path_factory: pytest.TempPathFactory) -> tuple[Config, flow._Netlist, Path]:
    """The serial core in cells, and the folder that it was made in."""
    needs.osu018()
    cells = target("osu018", 0)
    config, folder = preset("fan").configure([]), tmp_path_factory.mktemp("mapped")
    flow._elaborate(config, folder)
    return config, flow._map(cells, folder), folder


def test_registers_of_the_netlist_toggle_as_those_of_the_rtl(
    mapped: tuple[Config, flow._Netlist, Path], tmp_path: Path
) -> None:
    config, netlist, folder = mapped
    flow._machine(netlist, folder)
    yosys.run(["read_rtlil elaborated.il", *TO_AIGER, "write_aiger -symbols rtl.aig"], folder)
    # The state register.
    port = CIPHER.channel("out").payload[0]
    counted = [
        flow.count(config, aiger.read(folder / name), port, BLOCKS, KEY, tmp_path)
        for name in ("core.aig", "rtl.aig")
    ]
    assert counted[0] == counted[1]
    clocks, numbers = counted[0]
    assert clocks == 3 * 64
    assert all(0 < number < clocks for number in numbers)


def test_wrong_results_of_the_netlist_are_noticed(
    mapped: tuple[Config, flow._Netlist, Path], tmp_path: Path
) -> None:
    config, netlist, folder = mapped
    name, cell = next(
        (name, cell)
        for name, cell in netlist.cells.items()
        if (cell.type, cell.component) == ("XOR2X1", "S-box 2")
    )
    wrong = replace(netlist, cells=netlist.cells | {name: replace(cell, type="XNOR2X1")})
    flow._machine(wrong, folder)
    machine, port = aiger.read(folder / "core.aig"), CIPHER.channel("out").payload[0]
    with pytest.raises(ToolFailed, match="not those of AES"):
        flow.count(config, machine, port, BLOCKS, KEY, tmp_path)


def test_sboxes_that_do_not_run_have_no_switching_power() -> None:
    for run in _fan()["runs"]:
        switching = [run["components"][f"S-box {k}"]["switching_mw"] for k in range(4)]
        assert all(switching[: run["sboxes_run"]])
        assert not any(switching[run["sboxes_run"] :])


def test_more_sboxes_take_more_power_and_less_energy() -> None:
    runs = {run["sboxes_run"]: run for run in _fan()["runs"]}
    assert [runs[n]["cycles_per_block"] for n in (1, 2, 4)] == [202, 104, 64]
    # The order of the paper's table III.
    assert runs[1]["mw"] < runs[2]["mw"] < runs[4]["mw"]
    assert runs[1]["nj_per_block"] > runs[2]["nj_per_block"] > runs[4]["nj_per_block"]
    for run in runs.values():
        parts = [part["mw"] for part in run["components"].values()]
        assert sum(parts) == pytest.approx(run["mw"], abs=0.001)
    json.dumps(_fan())


def test_bad_requests_are_refused(tmp_path: Path) -> None:
    core = preset("fan")
    config = core.configure([])
    with pytest.raises(UserError, match="no library"):
        flow.power(core, config, target("ecp5"))
    with pytest.raises(UserError, match="--blocks"):
        flow.power(core, config, target("osu018"), blocks=0)
    with pytest.raises(UserError, match="--mhz"):
        flow.power(core, config, target("osu018"), mhz=0)
    (tmp_path / "short").write_bytes(b"short")
    with pytest.raises(UserError, match="less than a block"):
        flow.data(tmp_path / "short", 1, 1)
    with pytest.raises(UserError, match="cannot read"):
        flow.data(tmp_path / "none", 1, 1)


def test_a_short_file_is_used_again(tmp_path: Path) -> None:
    (tmp_path / "two").write_bytes(bytes(range(40)))
    blocks = flow.data(tmp_path / "two", 3, 1)
    assert blocks == [bytes(range(16)), bytes(range(16, 32)), bytes(range(16))]
