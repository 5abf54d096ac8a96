"""Power by component: what is left when nothing toggles, and what S-boxes that do not run take."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from aesforge.config import preset
from aesforge.errors import ToolMissing, UserError
from aesforge.flows import power as flow
from aesforge.targets import target
from aesforge.tools import opensta


def _needed() -> None:
    try:
        opensta.version()
        target("osu018").library()
    except ToolMissing as error:
        pytest.skip(str(error))


GATES = """module gates (input clk_i, input a, input b, output y);
  wire n;
  AND2X2 c0 (.A(a), .B(b), .Y(n));
  INVX1 c1 (.A(n), .Y(y));
endmodule
"""


def test_nothing_that_toggles_leaves_leakage(tmp_path: Path) -> None:
    _needed()
    (tmp_path / "gates.v").write_text(GATES, encoding="utf-8")
    library = target("osu018").liberty
    still, busy = (
        opensta.powers("gates.v", library, "gates", "clk_i", 100.0, toggles, tmp_path)
        for toggles in (0, 1)
    )
    assert set(still) == {"c0", "c1"}
    for name, (internal, switching, leakage) in still.items():
        assert internal == switching == 0 < leakage
        assert busy[name][0] > 0
        assert busy[name][2] == leakage
    # Half C V^2 at 100 MHz, for the pin of the inverter alone: there are no wires.
    assert busy["c0"][1] == pytest.approx(0.5 * 0.00932 * 1.8**2 * 0.1, rel=0.02)


def test_toggles_weigh_inputs_and_outputs_of_registers_apart() -> None:
    gate = flow._Cell("INVX1", {"A": "n1"}, {"Y": "n2"}, "others", False)
    register = flow._Cell("DFFPOSX1", {"CLK": "n0", "D": "n2"}, {"Q": "n1"}, "others", True)
    netlist = flow._Netlist(
        {"c0": gate, "c1": register}, [("clk_i", "input", ["n0"])], ["n0", "n1", "n2"]
    )
    idle = {"c0": (0.0, 0.0, 0.5), "c1": (2.0, 0.0, 0.5)}
    busy = {"c0": (4.0, 8.0, 0.5), "c1": (12.0, 16.0, 0.5)}
    cut = {"c0": (4.0, 8.0, 0.5), "c1": (5.0, 16.0, 0.5)}
    rate = {"n1": 0.25, "n2": 0.5}
    found = flow.cell_powers(netlist, idle, busy, cut, rate)
    assert found["c0"] == (2.0, 4.0, 0.5)
    assert found["c1"] == (2.0 + 0.25 * 3.0 + 0.5 * 7.0, 4.0, 0.5)
    still = flow.cell_powers(netlist, idle, busy, cut, {})
    assert still == {"c0": (0.0, 0.0, 0.5), "c1": (2.0, 0.0, 0.5)}


@pytest.mark.parametrize(
    ("path", "name"),
    [
        (["aes_serial"], "controller"),
        (["aes_serial", "aes_sub_lanes"], "others"),
        (["aes_serial", "aes_sub_lanes", "aes_sbox"], "S-box"),
        (["aes_iterative", "aes_key_store", "aes_key_expand", "aes_sbox"], "key expander"),
        (["aes_iterative", "aes_round", "aes_mix_columns"], "MixColumns"),
    ],
)
def test_the_outermost_module_tells_the_component(path: list[str], name: str) -> None:
    assert flow.component(path).startswith(name)


@cache
def _fan() -> dict[str, Any]:
    _needed()
    core = preset("fan")
    return flow.power(core, core.configure([]), target("osu018", 0), blocks=2)


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


def test_what_cannot_be_asked_is_told(tmp_path: Path) -> None:
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
