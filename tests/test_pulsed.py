"""Latches that a pulse opens in place of flip-flops: how they are mapped, timed and checked."""

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import needs
import pytest
from suite import slow
from test_clock_gates import KINDS, mapped, simulated
from test_mapped import CORE

from aesforge.errors import UserError
from aesforge.flows import power, pulsed, synth
from aesforge.space.presets import preset
from aesforge.space.targets import CELLS, Target, target
from aesforge.tools import liberty, opensta, yosys
from aesforge.tools.process import ToolFailed

ON = target("osu018_pulsed")
GATED = target("osu018_gated")


def netlist(folder: Path, on: Target = ON, text: str = KINDS) -> str:
    """The netlist of the module `kinds`, which is there as `harness` with a clock `clk`, too."""
    found = mapped(on.clock_gate, folder, text, on)
    harness = re.sub(r"\bmapped\b", "harness", re.sub(r"\bclk_i\b", "clk", found))
    (folder / "harness.v").write_text(harness)
    return found


@pytest.fixture(scope="module")
def mapped_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the netlist of the module `kinds`."""
    folder = tmp_path_factory.mktemp("kinds")
    netlist(folder)
    return folder


def latched(folder: Path) -> None:
    """The netlist with the latches that its registers are."""
    text = (folder / "mapped.v").read_text()
    assert liberty.PULSED in text
    (folder / "mapped.v").write_text(text.replace(liberty.PULSED, "LATCH"))


@needs.cells
def test_registers_are_latches(mapped_once: Path) -> None:
    text = (mapped_once / "mapped.v").read_text()
    assert Counter(re.findall(r"^  (PULSED_LATCH|DFFPOSX1|LATCH) ", text, re.M)) == {
        liberty.PULSED: 70 + 40 + 8 + 3 + 1,
        # Each gate has one. Three registers are too few for one, and one has no enable.
        "LATCH": 5 + 3 + 1,
    }
    clocks = Counter(re.findall(r"PULSED_LATCH \S+ \(\s*\.CLK\((\S+)\)", text))
    assert sorted(clocks.values()) == sorted([16, 16, 16, 16, 6, 16, 16, 8, 8, 3 + 1])


def test_registers_of_the_harness_stay_flip_flops() -> None:
    """What surrounds a core that is measured is no part of it."""
    ports = "".join(
        f"    connect \\{port} \\{net}\n" for port, net in zip("CDQ", "cdq", strict=True)
    )
    cell = f"  cell $_DFF_P_ $r\n{ports}  end\n"
    text = f"module \\core\n{cell}end\nmodule \\harness\n{cell}end\n"
    passes = [one for one in ON.logic("core") if isinstance(one, yosys.Clocked)]
    core, harness = passes[0](text).split("module \\harness")
    assert harness == f"\n{cell}end\n"
    assert "cell \\PULSED_LATCH $r\n    connect \\CLK $clock_pulse_0\n    connect \\D \\d" in core
    assert "connect \\clk_i \\c\n    connect \\clk_o $clock_pulse_0\n  end\nend\n" in core
    assert passes[0](passes[0](text)) == passes[0](text)


@needs.cells
def test_the_latches_do_what_the_source_does(mapped_once: Path, tmp_path: Path) -> None:
    """Simulated with the delays of the cells, which make the pulse."""
    for name in ("kinds.sv", "mapped.v"):
        (tmp_path / name).write_text((mapped_once / name).read_text())
    latched(tmp_path)
    wrong, moved = simulated(tmp_path)
    assert wrong == 0
    assert moved > 1000
    # Without its end the pulse is as long as the clock is high, and data come meanwhile.
    netlist(tmp_path, replace(ON, clock_gate=ON.ungated))
    latched(tmp_path)
    assert simulated(tmp_path)[0] > 100


@needs.cells
def test_a_pulse_takes_as_long_as_what_ends_it(mapped_once: Path) -> None:
    found = pulsed.prepared("harness", CELLS, ON, mapped_once, wired=False)
    narrow, wide = found["ns"]
    # Three inverters of about 0.05 ns, and what a NAND rises slower than it falls.
    assert 0.15 < narrow < wide < 0.3
    assert narrow > liberty.least_pulse((mapped_once / CELLS).read_text(), "LATCH") == 0.149322
    # OpenSTA is given a clock that is high for half a period: no pulse has an end.
    assert (mapped_once / "harness_timed.v").read_text().count("(1'b1)") == 9 + 1
    wired = pulsed.prepared("harness", "wired.lib", ON, mapped_once, wired=True)
    assert wired["ns"][0] > wide


@needs.cells
def test_a_pulse_that_is_too_short_is_refused(tmp_path: Path) -> None:
    short = re.sub(r"(?<!Y)\(late\)", "(low)", ON.clock_gate)
    netlist(tmp_path, replace(ON, clock_gate=short))
    with pytest.raises(ToolFailed, match=r"a pulse of 0\.\d+ ns, where LATCH needs 0\.149 ns"):
        pulsed.prepared("harness", CELLS, ON, tmp_path, wired=False)


@slow
@needs.cells
@pytest.mark.parametrize("end", ["high", "1'b1"])
def test_what_is_no_pulse_is_refused(end: str, tmp_path: Path) -> None:
    gate = re.sub(r"(?<!Y)\(late\)", f"({end})", ON.clock_gate)
    netlist(tmp_path, replace(ON, clock_gate=gate))
    with pytest.raises(ToolFailed, match="no pulse that the clock begins and ends"):
        pulsed.prepared("harness", CELLS, ON, tmp_path, wired=False)


SHIFT = KINDS.replace("held_o <= data_i;", "held_o <= {held_o[68:0], data_i[0]};")


@needs.cells
def test_data_that_come_too_early_are_delayed(tmp_path: Path) -> None:
    """From register to register through nothing, with wires and skew: by as many as it takes."""
    assert SHIFT != KINDS
    netlist(tmp_path, text=SHIFT)
    found = pulsed.prepared("harness", "wired.lib", ON, tmp_path, wired=True)
    text = (tmp_path / "harness_timed.v").read_text()
    assert found["buffers"] == text.count("BUFX2 buffer_early") >= 69
    assert found["ge"] == found["buffers"]  # a BUFX2 is as large as a NAND2X1
    again = ("harness_timed.v", pulsed.TIMED, "harness", "clk", tmp_path, ON.wires)
    registers = pulsed.Gates(text, "clk").registers
    assert not {pin.removesuffix("/D") for pin in opensta.early(*again, ON.skew_ps)} & registers
    # Without them these are early.
    tied = re.findall(r"BUFX2 buffer_(early\d+_\d+) \(\n    \.A\((\S+) ?\)", text)
    for name, net in reversed(tied):
        text = text.replace(f".D({name})", f".D({net})").replace(f".A({name} )", f".A({net} )")
    (tmp_path / "harness_timed.v").write_text(text)
    early = {pin.removesuffix("/D") for pin in opensta.early(*again, ON.skew_ps)} & registers
    assert len(early) >= 69
    assert len(opensta.early(*again, 0)) < len(opensta.early(*again, 300))


def test_a_latch_is_a_flip_flop_whose_data_come_when_the_pulse_has_ended() -> None:
    cells = TABLES
    made = liberty.with_pulsed(cells, "LAT", narrow=0.1, wide=0.25)
    (own,) = re.findall(r"cell \(PULSED_LATCH\) \{.*?(?=cell \(LAT\))", made, re.S)
    assert 'ff (IQ,IQN) { next_state : "D"; clocked_on : "CLK"; }' in own
    assert "latch" not in own
    assert 'related_pin : "D"' not in own
    setup, hold = (own.index(f"{name}_rising") for name in ("setup", "hold"))
    both = [
        re.findall(r'"(\d\.\d{6}), (\d\.\d{6})"', part.split("timing()")[0])
        for part in (own[setup:], own[hold:])
    ]
    # The set-up time of the latch, less the shortest pulse; or as much as Q is later from D than
    # from CLK. The hold time of the latch, after the longest pulse.
    assert both == [[("0.050000", "0.300000")] * 4, [("0.350000", "0.450000")] * 4]
    again = liberty.with_pulsed(made, "LAT", narrow=0.1, wide=0.25)
    assert again.count("cell (PULSED_LATCH)") == 1
    with pytest.raises(UserError, match="no cell LATER"):
        liberty.with_pulsed(cells, "LATER", 0.1, 0.2)
    with pytest.raises(UserError, match="LAT has no table of setup_falling"):
        liberty.with_pulsed(cells.replace("setup_falling", "setup_rising"), "LAT", 0.1, 0.2)


def _timing(said: str, values: dict[str, str]) -> str:
    tables = "".join(
        f'{name} (t) {{ index_1 ("0, 1"); index_2 ("0, 1"); values ({rows}); }}\n'
        for name, rows in values.items()
    )
    return f"timing() {{ {said}\n{tables} }}\n"


_BOTH = ("rise_constraint", "fall_constraint")
TABLES = (
    "library (small) {\ncell (LAT) {\narea : 5;\n"
    'latch (IQ,IQN) { data_in : "D"; enable : "CLK"; }\n'
    "pin(CLK) { clock : true; min_pulse_width_high : 0.2; }\npin(D) {\n"
    + _timing(
        'related_pin : "CLK"; timing_type : hold_falling;',
        dict.fromkeys(_BOTH, '"0.1, 0.2", "0.1, 0.2"'),
    )
    + _timing(
        'related_pin : "CLK"; timing_type : setup_falling;',
        dict.fromkeys(_BOTH, '"0.15, 0.2", "0.15, 0.2"'),
    )
    + '}\npin(Q) { function : "IQ";\n'
    + _timing(
        'related_pin : "CLK"; timing_type : rising_edge;',
        dict.fromkeys(("cell_rise", "cell_fall"), '"0.2, 0.2", "0.4, 0.4"'),
    )
    + _timing(
        'related_pin : "D"; timing_sense : positive_unate;',
        dict.fromkeys(("cell_rise", "cell_fall"), '"0.2, 0.5", "0.4, 0.7"'),
    )
    + "}\n}\n}\n"
)


@needs.cells
def test_there_is_no_power_of_pulsed_latches() -> None:
    with pytest.raises(UserError, match="power of osu018_pulsed"):
        power.power(CORE, CORE.config, ON)


@slow
@needs.cells
def test_pulsed_latches_cost_fewer_gates_and_are_faster() -> None:
    core = synth.core(preset("aesforge-iterative").config)
    gated, pulses = (synth.measure(core, replace(on, delay_ps=1300)) for on in (GATED, ON))
    assert pulses["ff"] == gated["ff"]
    assert pulses["ge"] < gated["ge"]
    assert pulses["fmax_mhz"] > gated["fmax_mhz"]
    assert gated["pulse"] is None
    assert set(pulses["pulse"]) == {"ns", "buffers", "ge"}
    # Latches are of 56 square micrometers, flip-flops of 96, a NAND of 24.
    assert gated["ge"] - pulses["ge"] + pulses["pulse"]["ge"] < (96 - 56) / 24 * gated["ff"]
