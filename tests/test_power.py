"""Power by component: what a toggle costs, whose toggles count, and what idle S-boxes take."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise
from math import ceil
from pathlib import Path
from typing import Any

import needs
import pytest
from suite import slow

from aesforge.core.contract import CIPHER, Channel, Contract, Port, sboxes_code, specialized
from aesforge.core.sources import files
from aesforge.errors import UserError
from aesforge.flows import power as flow
from aesforge.power import timing, toggles
from aesforge.proof.claims import TO_AIGER
from aesforge.sim.oracle import key_payload
from aesforge.space.axes import Config
from aesforge.space.presets import preset
from aesforge.space.promises import promised
from aesforge.space.targets import CELLS, target
from aesforge.tools import aiger, opensta, yosys
from aesforge.tools.process import ToolFailed, call

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
        opensta.powers("gates.v", library, "gates", "clk_i", 100.0, activity, tmp_path)
        for activity in (0, 1)
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
        for activity, inputs in ((0, True), (1, True), (1, False)):
            opensta.altered(library, tmp_path / "power.lib", inputs, units)
            asked = ("gates.v", "power.lib", "gates", "clk_i", 100.0, activity, tmp_path)
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


@slow
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
    assert counted[0].clocks == 3 * 64
    assert all(0 < number < counted[0].clocks for number in counted[0].settled)
    assert not counted[0].every


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
    with pytest.raises(ToolFailed, match="not those of the cipher"):
        flow.count(config, machine, port, BLOCKS, KEY, tmp_path)


# A register whose bit 0 goes to an XOR twice, once through two inverters. The XOR is always 0 when
# all has settled.
TOY = """module toy (
  input clk_i, rst_ni, key_valid_i, key_i, in_valid_i, out_ready_i, input [7:0] in_data_i,
  output key_ready_o, in_ready_o, out_valid_o, output [7:0] out_data_o, output [3:0] watched_o);
  reg [7:0] data; reg valid;
  always @(posedge clk_i) begin valid <= rst_ni & in_valid_i; data <= in_data_i; end
  assign key_ready_o = 1'b1, in_ready_o = 1'b1, out_valid_o = valid, out_data_o = data;
  wire one = !data[0], two = !one, sum = data[0] ^ two;
  assign watched_o = {sum, two, one, data[0]};
endmodule
"""
NETS = ["n0", "n1", "n2", "n3"]
TOY_BLOCKS = (0, 0, 1, 1, 0, 1, 1, 0)
"""Bit 0 toggles three times in the five cycles that are counted, from the third block on."""


def toy(folder: Path, inverter: int, gate: int) -> toggles.Counts:
    """What is counted in `TOY` with these delays, in ps."""

    def port(name: str, width: int = 1) -> Port:
        return Port(name, width, "input", "")

    contract = Contract(
        "toy",
        (
            Channel("key", "in", (port("key_i"),), ""),
            Channel("in", "in", (port("in_data_i", 8),), ""),
            Channel("out", "out", (port("out_data_o", 8),), ""),
        ),
    )
    (folder / "toy.v").write_text(TOY, encoding="utf-8")
    yosys.run(
        ["read_verilog toy.v", "prep -top toy", *TO_AIGER, "write_aiger -symbols toy.aig"], folder
    )
    slow = (inverter, inverter)
    delays = toggles.Timing(
        [
            toggles.Gate([0], 1, 0b01, [slow]),
            toggles.Gate([1], 2, 0b01, [slow]),
            toggles.Gate([0, 2], 3, 0b0110, [(gate, gate)] * 2),
        ],
        [toggles.Source(0, (10, 20))],
    )
    stimulus = toggles.Stimulus([0], [(block,) for block in TOY_BLOCKS], 2, 5)
    machine = aiger.read(folder / "toy.aig")
    watched = port("watched_o", 4)
    return toggles.count(machine, contract, watched, stimulus, folder, delays)


def test_a_pulse_is_counted_when_it_is_longer_than_the_delay_of_its_gate(tmp_path: Path) -> None:
    assert sum(a != b for a, b in pairwise(TOY_BLOCKS[2:])) == 3
    found = toy(tmp_path, 100, 50)
    assert found.clocks == 5
    assert found.settled == [3, 3, 3, 0]
    # The XOR rises 50 ps after the register, and falls 50 ps after the second inverter.
    assert found.every == [3, 3, 3, 6]
    assert found.settles_ps == 20 + 100 + 100 + 50
    # Two inverters of 100 ps make a pulse of 200 ps, which a gate of 300 ps swallows.
    found = toy(tmp_path, 100, 300)
    assert found.settled == found.every == [3, 3, 3, 0]


def test_a_netlist_that_does_not_settle_to_the_graph_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = TOY.replace("two = !one", "two = one")
    assert wrong != TOY
    monkeypatch.setitem(globals(), "TOY", wrong)
    with pytest.raises(ToolFailed, match="does not settle"):
        toy(tmp_path, 100, 50)


def test_energy_of_a_small_netlist_is_that_counted_by_hand(tmp_path: Path) -> None:
    counts = toy(tmp_path, 100, 50)

    def gate(kind: str, output: str, **inputs: str) -> flow._Cell:
        return flow._Cell(kind, inputs, {"Y": output}, "others", False)

    cells = {
        "register": flow._Cell("DFF", {"CLK": "clk", "D": "d"}, {"Q": "n0"}, "others", True),
        "one": gate("INV", "n1", A="n0"),
        "two": gate("INV", "n2", A="n1"),
        "sum": gate("XOR", "n3", A="n0", B="n2"),
    }
    netlist = flow._Netlist(cells, [("clk_i", "input", ["clk"])], NETS, {"clk": ""})
    register = flow.Cost(clock=7.0, output=1.0, input=0.0, load=3.0, leakage=0.25)
    cost = flow.Cost(clock=0.0, output=2.0, input=1.0, load=4.0, leakage=0.5)
    costs = {name: register if cell.register else cost for name, cell in cells.items()}
    core = flow._Core(netlist, costs, 100.0, toggles.Timing())
    calm, every = (
        {net: one / counts.clocks for net, one in zip(NETS, numbers, strict=True)}
        for numbers in (counts.settled, counts.every)
    )
    powers = flow._powers(core, calm, every, flow.ASKED_MHZ)
    found = flow.split(netlist, powers, list(cells))
    # Three toggles in five cycles of the register, of each inverter, and of an input of the XOR,
    # whose two inputs count by half each; and six of the XOR, none of which is of a settled value.
    assert found == pytest.approx(
        {
            "clock": 7.0,
            "registers": 0.6 * (1 + 3),
            "logic": 2 * 0.6 * (2 + 1 + 4) + 0.6 * 1,
            "glitches": 1.2 * (2 + 4),
            "leakage": 0.25 + 3 * 0.5,
        }
    )
    gates = ["one", "two", "sum"]
    still = flow.split(netlist, flow._powers(core, {}, {}, flow.ASKED_MHZ), gates)
    assert still == {"clock": 0, "registers": 0, "logic": 0, "glitches": 0, "leakage": 1.5}


def test_delays_are_those_of_the_library(tmp_path: Path) -> None:
    needs.osu018()
    (tmp_path / "gates.v").write_text(GATES, encoding="utf-8")
    (tmp_path / "cells.lib").write_bytes(Path(target("osu018").liberty).read_bytes())
    found = opensta.delays("gates.v", "cells.lib", "gates", "clk_i", tmp_path)
    assert {name: set(arcs) for name, arcs in found.items()} == {
        "c0": {("A", "Y"), ("B", "Y")},
        "c1": {("A", "Y")},
        "c2": {("CLK", "Q")},
    }
    # The shortest delays in the library's tables, with sharp slopes and little load, in ns.
    rise, fall = found["c1"]["A", "Y"]
    assert 0.005 < fall < rise < 0.05
    assert all(
        0.05 < one < 0.3 for arc in (*found["c0"].values(), *found["c2"].values()) for one in arc
    )


def test_functions_are_those_of_the_cells(tmp_path: Path) -> None:
    needs.osu018()
    (tmp_path / "cells.lib").write_bytes(Path(target("osu018").liberty).read_bytes())

    def cell(kind: str, inputs: str, outputs: str = "Y") -> flow._Cell:
        pins = ({pin: pin for pin in names.split()} for names in (inputs, outputs))
        return flow._Cell(kind, *pins, "others", False)

    expected: dict[str, tuple[flow._Cell, dict[str, Callable[..., int]]]] = {
        "INVX1": (cell("INVX1", "A"), {"Y": lambda a: 1 - a}),
        "MUX2X1": (cell("MUX2X1", "A B S"), {"Y": lambda a, b, s: 1 - (a if s else b)}),
        "OAI21X1": (cell("OAI21X1", "A B C"), {"Y": lambda a, b, c: 1 - ((a | b) & c)}),
        "AOI22X1": (cell("AOI22X1", "A B C D"), {"Y": lambda a, b, c, d: 1 - (a & b | c & d)}),
        "FAX1": (
            cell("FAX1", "A B C", "YC YS"),
            {"YC": lambda *abc: sum(abc) >> 1, "YS": lambda *abc: sum(abc) & 1},
        ),
    }
    found = timing.functions([one for one, _ in expected.values()], "cells.lib", tmp_path)
    for kind, (one, outputs) in expected.items():
        width = len(one.inputs)
        for pin, function in outputs.items():
            table = sum(
                function(*(row >> at & 1 for at in range(width))) << row
                for row in range(1 << width)
            )
            assert found[kind][pin] == table, (kind, pin)


def test_a_constant_input_leaves_a_function_of_the_others() -> None:
    # (a & b) | c of inputs a, b, c, with b at 1, and with c at 0.
    table = sum((row & 1 & row >> 1 | row >> 2) << row for row in range(8))
    assert timing._without(table, 1, True, 3) == 0b1110
    assert timing._without(table, 2, False, 3) == 0b1000


def bench(config: Config, blocks: Sequence[bytes], lead: int, nets: Sequence[str]) -> str:
    """A testbench in Verilog that drives a core as `toggles.cpp` does, and prints its toggles."""
    contract = specialized(CIPHER, config)
    key, block, out = (contract.channel(name) for name in ("key", "in", "out"))
    stream = [blocks[at % len(blocks)] for at in range(-lead, len(blocks) + lead)]
    selected = tuple(sboxes_code(number) for number in config.selectable_sboxes[:1])

    def payload(channel: Channel, values: Sequence[int]) -> str:
        parts = zip(channel.payload, values, strict=True)
        return f"{{{', '.join(f'{port.width}{chr(39)}h{value:x}' for port, value in parts)}}}"

    def names(channel: Channel) -> str:
        return f"{{{', '.join(port.name for port in channel.payload)}}}"

    data, code = key_payload(KEY, config)
    ports = [port for port in contract.ports if port != CIPHER.CLOCK]
    kinds = {"input": "reg", "output": "wire"}
    lines = [
        "`timescale 1ps/1ps",
        "module bench;",
        "reg clk = 0, counting = 0; always #50000 clk = ~clk;",
        *(f"{kinds[p.direction]} [{p.width - 1}:0] {p.name};" for p in ports),
        f"{CIPHER.module} core (.clk_i(clk), {', '.join(f'.{p.name}({p.name})' for p in ports)});",
        "integer clock = 0, taken = 0, known = 0, at = 0, i;",
        f"integer toggles [0:{len(nets) - 1}];",
        f"reg [{sum(port.width for port in block.payload) - 1}:0] blocks [0:{len(stream) - 1}];",
        "initial begin",
        f"for (i = 0; i < {len(nets)}; i = i + 1) toggles[i] = 0;",
    ]
    for at, text in enumerate(stream):
        words = (int.from_bytes(text, "big"), 0, *selected)
        lines.append(f"blocks[{at}] = {payload(block, words)};")
    lines += ['$sdf_annotate("delays.sdf", core);', "end"]
    for at, net in enumerate(nets):
        lines.append(f"always @(core.{net}) if (counting) toggles[{at}] = toggles[{at}] + 1;")
    return "\n".join(
        [
            *lines,
            "always @(posedge clk) begin",
            f"if (taken == {lead + len(blocks)}) begin",
            f'for (i = 0; i < {len(nets)}; i = i + 1) $display("%0d", toggles[i]);',
            "$finish; end",
            f"counting = taken >= {lead};",
            "if (clock >= 2) begin",
            f"if ({out.valid.name} === 1) taken = taken + 1;",
            f"if (known && {block.valid.name} && {block.ready.name} === 1) at = at + 1;",
            f"if ({key.valid.name} && {key.ready.name} === 1) known = 1;",
            "end",
            "clock = clock + 1;",
            f"{contract.RESET.name} <= clock >= 2; {out.ready.name} <= clock >= 2;",
            *(f"{port.name} <= 0;" for port in contract.levels),
            f"{key.valid.name} <= clock >= 2 && !known;",
            f"{block.valid.name} <= clock >= 2 && known && at < {len(stream)};",
            f"{names(key)} <= {payload(key, (int.from_bytes(data, 'big'), code))};",
            f"if (known && at < {len(stream)}) {names(block)} <= blocks[at];",
            "end",
            "endmodule",
        ]
    )


@slow
def test_icarus_counts_as_many_toggles_with_the_same_delays(
    mapped: tuple[Config, flow._Netlist, Path],
) -> None:
    """Icarus has the library's own models, and the delays as OpenSTA writes them.

    It chooses a delay by other rules when several inputs of a cell change at nearly one time, so
    that the numbers differ a little.
    """
    config, netlist, folder = mapped
    top, clock = CIPHER.module, CIPHER.CLOCK.name
    (folder / "cells.v").write_text(netlist.verilog(), encoding="utf-8")
    delays = opensta.delays("cells.v", CELLS, top, clock, folder)
    flow._machine(netlist, folder)
    nets = [net for net in netlist.nets if net != netlist.clock]
    counted = flow._counted(netlist)
    watched = Port(flow._WATCHED, len(counted), "output", "")
    machine, timed = aiger.read(folder / "core.aig"), flow._timing(netlist, delays, folder)
    ours = flow.count(config, machine, watched, BLOCKS[:2], KEY, folder, timed)
    every = dict(zip(counted, ours.every, strict=True))

    promise = promised(config, 128)
    lead = ceil(promise.latency / promise.cycles_per_block) + flow._RESERVE
    (folder / "bench.v").write_text(bench(config, BLOCKS[:2], lead, nets), encoding="utf-8")
    models = Path(target("osu018").liberty).with_suffix(".v")
    sources = ["bench.v", "cells.v", str(models)]
    options = ["-g2009", "-gspecify", "-Tmax", "-o", "bench.vvp"]
    call("iverilog", [needs.iverilog(), *options, *sources], cwd=folder)
    said = call("vvp", ["vvp", "-n", "bench.vvp"], cwd=folder).split()[-len(nets) :]
    theirs = dict(zip(nets, map(int, said), strict=True))
    assert sum(theirs.values()) == pytest.approx(sum(every[net] for net in nets), rel=0.05)
    assert sum(ours.settled) < 0.6 * sum(theirs.values())
    # What settles does so in both: a net toggles an even number of times more in one of them.
    assert all((theirs[net] - every[net]) % 2 == 0 for net in nets)


@slow
def test_glitches_cost_energy_and_leave_settled_values_alone() -> None:
    for run in _fan()["runs"]:
        assert run["nj"]["glitches"] > 0.1 * run["nj"]["logic"] > 0
        assert sum(run["nj"].values()) == pytest.approx(run["nj_per_block"], rel=2e-3)
        parts = [part["glitches_mw"] for part in run["components"].values()]
        assert sum(parts) == pytest.approx(run["glitches_mw"], rel=1e-2)
        # No longer than the longest path, whose end the register's setup follows.
        assert 0.5 < run["settles_ns"] * _fan()["fmax_mhz"] / 1000 < 1.05
    # An S-box that is not in use has no glitches either.
    idle = _fan()["runs"][0]["components"]
    assert [idle[f"S-box {k}"]["glitches_mw"] > 0 for k in range(4)] == [True, False, False, False]


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
