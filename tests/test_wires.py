"""Figures with wires and clock: what the estimate adds to those of cells alone."""

from pathlib import Path

import needs
import pytest
from suite import slow

from aesforge.flows.synth import synth
from aesforge.space.presets import preset
from aesforge.space.targets import target
from aesforge.tools import liberty, opensta, yosys
from aesforge.tools.liberty import Wires

CELLS = target("osu018")
NO_WIRES = Wires(load_ff=0, uncertainty_ps=0, slew_ps=0)


def period(folder: Path, cells: str, wires: Wires | None, clock: str = "clk_i") -> float:
    """The period of these cells between two registers, in ns; `clock` is that of the last one."""
    text = Path(CELLS.liberty).read_text()
    (folder / "wired.lib").write_text(liberty.with_wires(text, wires.load_ff if wires else 0))
    (folder / "cells.v").write_text(
        f"""module chain (input clk_i, d_i, output q_o); wire a, b, c, d, e, f;
        DFFPOSX1 u_first (.CLK(clk_i), .D(d_i), .Q(a)); {cells}
        DFFPOSX1 u_last (.CLK({clock}), .D(b), .Q(q_o)); endmodule"""
    )
    found, _ = opensta.period("cells.v", "wired.lib", "chain", "clk_i", folder, wires)
    return found


CHAIN = "INVX1 u_c (.A(a), .Y(c)); INVX1 u_d (.A(c), .Y(d)); INVX1 u_b (.A(d), .Y(b));"
# The enable is late enough for the latch to be open when it arrives.
GATE = """wire g, h; BUFX2 u_g (.A(a), .Y(g)); BUFX2 u_h (.A(g), .Y(h)); INVX1 u_b (.A(a), .Y(b));
INVX1 u_low (.A(clk_i), .Y(c)); LATCH u_held (.CLK(c), .D(h), .Q(d));
NAND2X1 u_shut (.A(clk_i), .B(d), .Y(e)); INVX8 u_clk (.A(e), .Y(f));"""


@needs.cells
def test_an_estimate_of_nothing_changes_nothing(tmp_path: Path) -> None:
    assert period(tmp_path, CHAIN, NO_WIRES) == pytest.approx(period(tmp_path, CHAIN, None))


@needs.cells
def test_wires_uncertainty_and_slew_each_cost_time(tmp_path: Path) -> None:
    ideal = period(tmp_path, CHAIN, NO_WIRES)
    assert period(tmp_path, CHAIN, Wires(0, 150, 0)) == pytest.approx(ideal + 0.15, abs=1e-3)
    assert period(tmp_path, CHAIN, Wires(10, 0, 0)) > ideal + 0.05
    assert period(tmp_path, CHAIN, Wires(20, 0, 0)) > period(tmp_path, CHAIN, Wires(10, 0, 0))
    # Slew makes the first flip-flop slower, and the last one wait less for its data.
    assert period(tmp_path, CHAIN, Wires(0, 0, 200)) != pytest.approx(ideal, abs=1e-4)


@needs.cells
def test_flip_flops_without_a_clock_gate_wait_for_those_with_one(tmp_path: Path) -> None:
    """The enable leaves a flip-flop after the delay of the gate, and reaches the gate before it."""
    ideal = period(tmp_path, GATE, None, "f")
    gated = period(tmp_path, GATE, NO_WIRES, "f")
    _, insertion = opensta.period("cells.v", "wired.lib", "chain", "clk_i", tmp_path, NO_WIRES)
    assert insertion > 0.1
    assert gated == pytest.approx(ideal + insertion, abs=0.02)


@needs.cells
def test_abc_and_opensta_count_the_same_wires(tmp_path: Path) -> None:
    """A NAND that drives four inverters, each input with 10 fF of wire and its own capacitance."""
    text = liberty.with_wires(Path(CELLS.liberty).read_text(), 10)
    (tmp_path / "wired.lib").write_text(text)
    loads = range(4)
    gates = [f".gate INVX1 A=n Y=y{k}" for k in loads]
    outputs = " ".join(f"y{k}" for k in loads)
    blif = [".model m", ".inputs a b", f".outputs {outputs}", ".gate NAND2X1 A=a B=b Y=n", *gates]
    (tmp_path / "m.blif").write_text("\n".join([*blif, ".end\n"]))
    log = yosys.abc("read_lib wired.lib; read_blif m.blif; topo; stime -c -p", tmp_path)
    nand = next(line for line in log.splitlines() if " NAND2X1 " in line)
    assert "Cout =  77.3 ff" in nand


def test_a_wire_load_is_in_the_units_of_the_library() -> None:
    text = "library (small) { capacitive_load_unit (1,ff); default_wire_load : other; }"
    found = liberty.with_wires(text, 10)
    assert "fanout_length (1, 10);" in found
    assert found.count("default_wire_load") == 1
    assert "fanout_length (1, 0.01);" in liberty.with_wires(text.replace("1,ff", "1,pf"), 10)


@slow
@needs.cells
def test_a_row_has_both_figures() -> None:
    core = preset("aesforge-lowcost")
    small, fast = (synth(core, core.config, target("osu018", delay)) for delay in (0, None))
    for row in (small, fast):
        wired = row["with_wires"]
        assert wired["load_ff"] == 10
        assert wired["clock_gate_ns"] == 0
        assert wired["fmax_mhz"] < row["fmax_mhz"]
        per_cycle = 128 / row["cycles_per_block"]
        assert wired["throughput_mbps"] == round(per_cycle * wired["fmax_mhz"], 1)
    # Mapping for area alone does not depend on loads; gates are larger where wires load them.
    assert small["with_wires"]["ge"] == small["ge"]
    assert fast["with_wires"]["ge"] > fast["ge"]
    # Mapping again pays: the same netlist is slower than one mapped for its wires.
    assert fast["with_wires"]["fmax_mhz"] > small["with_wires"]["fmax_mhz"]
