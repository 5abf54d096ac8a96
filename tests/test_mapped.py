"""The netlist after synthesis is the design, and one with a changed cell is not."""

import re
from pathlib import Path

import needs
import pytest
from suite import slow

from aesforge.cli import figures
from aesforge.errors import UserError
from aesforge.flows import mapped
from aesforge.proof.mapped import Pairs, equal, pairs
from aesforge.space.presets import preset
from aesforge.space.targets import target
from aesforge.tools.aiger import Aiger

CORE = preset("aesforge-nano")
CORE_WITH_MEMORY = preset("aesforge-compact")
AREA = target("osu018", 0)


def changed(text: str) -> str:
    """The netlist with the last of its NAND gates as a NOR gate."""
    before, gate, after = text.rpartition("cell \\NAND2X1 ")
    assert gate
    return before + gate.replace("NAND", "NOR") + after


@needs.cells
def test_a_netlist_is_the_design_register_by_register() -> None:
    found = mapped.check(CORE, CORE.config, AREA)
    assert found["holds"], found["why"]
    assert found["method"] == mapped.REGISTERS
    assert "554 registers and 131 outputs" in found["covers"]


@needs.cells
def test_a_changed_cell_is_found() -> None:
    found = mapped.check(CORE, CORE.config, AREA, edit=changed)
    assert not found["holds"]
    assert found["why"].endswith("differs")


@needs.cells
def test_a_cell_without_a_model_is_refused() -> None:
    def unknown(text: str) -> str:
        return changed(text).replace("cell \\NOR2X1 ", "cell \\RAM ")

    with pytest.raises(UserError, match="cells without a functional model, such as block RAM"):
        mapped.check(CORE, CORE.config, AREA, edit=unknown)


@slow
@needs.cells
@pytest.mark.parametrize("on", ["osu018", "osu018_gated"])
def test_a_netlist_is_simulated(on: str) -> None:
    where = target(on, 0)
    assert mapped.check(CORE, CORE.config, where, mapped.SIMULATION)["holds"]
    found = mapped.check(CORE, CORE.config, where, mapped.SIMULATION, changed)
    assert not found["holds"]
    assert found["why"].startswith(mapped.SIMULATED)


def transparent(text: str) -> str:
    """The netlist with a clock gate whose latch is open while the clock is high."""
    before, latch, after = text.rpartition("cell \\LATCH ")
    assert latch
    return before + latch + re.sub(r"connect \\CLK \S+", r"connect \\CLK \\clk_i", after, count=1)


def open_always(text: str) -> str:
    """The netlist with a clock gate that is open in every cycle but a reset."""
    before, latch, after = text.rpartition("cell \\LATCH ")
    assert latch
    return before + latch + re.sub(r"connect \\D \S+", r"connect \\D \\rst_ni", after, count=1)


@slow
@needs.cells
@pytest.mark.parametrize("on", ["osu018_gated", "osu018_pulsed"])
def test_gated_clocks_are_the_design_register_by_register(on: str) -> None:
    where = target(on, 0)
    found = mapped.check(CORE, CORE.config, where)
    assert found["holds"], found["why"]
    assert found["method"] == mapped.REGISTERS
    for edit in (changed, open_always):
        found = mapped.check(CORE, CORE.config, where, mapped.REGISTERS, edit)
        assert not found["holds"]
        assert found["why"].endswith("differs")


@slow
@needs.cells
def test_a_gate_whose_latch_is_open_at_the_wrong_time_is_none() -> None:
    found = mapped.check(
        CORE, CORE.config, target("osu018_gated", 0), mapped.REGISTERS, transparent
    )
    assert not found["holds"]
    assert "no counterpart" in found["why"]


def moved(text: str) -> str:
    """The netlist with a shift register in a LUT that has another length."""
    *_, found = re.finditer(r"cell \\SRL16E .*?connect \\A0 1'([01])\n", text, re.S)
    return f"{text[: found.start(1)]}{1 - int(found[1])}{text[found.end(1) :]}"


@slow
def test_shift_registers_in_luts_are_the_design() -> None:
    where = target("xc7")
    found = mapped.check(CORE, CORE.config, where)
    assert found["holds"], found["why"]
    assert found["method"] == mapped.REGISTERS
    assert not mapped.check(CORE, CORE.config, where, mapped.REGISTERS, moved)["holds"]


def written_always(text: str) -> str:
    """The netlist with a memory of LUTs that is written in every cycle."""
    *_, found = re.finditer(r"cell \\TRELLIS_DPR16X4 .*?connect \\WRE ([^\n]*)\n", text, re.S)
    return f"{text[: found.start(1)]}1'1{text[found.end(1) :]}"


@slow
def test_memories_of_luts_are_the_design() -> None:
    stored = CORE_WITH_MEMORY.configure(["key_schedule=stored", "keys=128", "direction=encrypt"])
    for edit, holds in ((None, True), (written_always, False)):
        found = mapped.check(CORE_WITH_MEMORY, stored, target("ecp5"), mapped.REGISTERS, edit)
        assert found["holds"] is holds, found["why"]


def test_a_check_that_fails_says_why(capsys: pytest.CaptureFixture[str]) -> None:
    found = {"holds": False, "method": mapped.REGISTERS, "covers": "all", "why": "out differs"}
    figures._show_check({"preset": "fan", "config": {}, "target": "ecp5", **found})
    assert "out differs" in capsys.readouterr().out


def test_a_device_without_models_is_refused() -> None:
    with pytest.raises(UserError, match="no functional models"):
        mapped.check(CORE, CORE.config, target("gowin"))


def toggle(step: int, output: int, name: str = "q", gates: int = 0) -> Aiger:
    """One input, one register, a gate of both, and the register's next state."""
    return Aiger(
        1,
        [step],
        [output],
        [(4, 2)] * (1 + gates),
        {"rst_ni": 0},
        {"out": 0},
        {0: name},
        {0: (name,)},
    )


def test_registers_are_matched_by_any_of_their_names() -> None:
    design, netlist = toggle(6, 4), toggle(6, 4)
    netlist.register_aliases[0] = ("another", "q")
    assert pairs(design, netlist) == Pairs({0: 0}, {})


def test_registers_without_a_name_are_matched_by_their_values(tmp_path: Path) -> None:
    # In every cycle both registers have the value that the input had one cycle before.
    design, netlist = toggle(2, 4), toggle(2, 4)
    netlist.register_aliases[0] = ()
    found = pairs(design, netlist)
    assert found == Pairs({0: 0}, {})
    assert equal(design, netlist, found, tmp_path) == ""
    assert equal(design, toggle(3, 4), found, tmp_path) == "the next q differs"


def test_a_register_that_mapping_doubled_is_a_copy(tmp_path: Path) -> None:
    # Two registers with the same next state; the output is that of the second one.
    names = {"rst_ni": 0}, {"out": 0}, {0: "q"}, {0: ("q",)}
    design, double = toggle(2, 4), Aiger(1, [2, 2], [6], [], *names)
    found = pairs(design, double)
    assert found == Pairs({0: 0}, {}, {1: 0})
    assert equal(design, double, found, tmp_path) == ""
    other = Aiger(1, [2, 3], [6], [], *names)
    assert equal(design, other, found, tmp_path) == "a copy of q differs"


def test_a_register_without_a_counterpart_has_any_value(tmp_path: Path) -> None:
    # The second register of the netlist is that of the design in no run.
    names = {"rst_ni": 0}, {"out": 0}, {0: "q"}, {0: ("q",)}
    design = toggle(2, 4)
    idle, seen = Aiger(1, [2, 7], [4], [], *names), Aiger(1, [2, 7], [6], [], *names)
    found = pairs(design, idle)
    assert found.free == (frozenset(), {1})
    assert equal(design, idle, found, tmp_path) == ""
    assert equal(design, seen, pairs(design, seen), tmp_path) == "out differs"


def test_what_differs_is_named(tmp_path: Path) -> None:
    same = Pairs({0: 0}, {})
    assert equal(toggle(6, 4), toggle(6, 4), same, tmp_path) == ""
    assert equal(toggle(6, 4), toggle(7, 4), same, tmp_path) == "the next q differs"
    assert equal(toggle(6, 4), toggle(6, 5), same, tmp_path) == "out differs"


def test_what_an_undefined_value_decides_is_left_to_the_mapping(tmp_path: Path) -> None:
    same, names = Pairs({0: 0}, {}), ({"rst_ni": 0}, {"out": 0}, {0: "q"}, {0: ("q",)})
    # Input 1 has no name: the output is its conjunction with the register.
    design = Aiger(2, [8], [10], [(6, 2), (6, 4)], *names)
    assert equal(design, toggle(6, 4), same, tmp_path) == ""
    assert equal(design, toggle(6, 0), same, tmp_path) == ""
    assert equal(design, toggle(6, 5), same, tmp_path) == "out differs"
    assert equal(design, toggle(7, 4), same, tmp_path) == "the next q differs"


def test_a_removed_register_must_stay_what_it_was_taken_for(tmp_path: Path) -> None:
    # The register is 0 once it is reset: it is ANDed with the reset.
    design, netlist = toggle(6, 4), Aiger(1, [], [0], [], {"rst_ni": 0}, {"out": 0})
    assert pairs(design, netlist) == Pairs({}, {0: 0})
    assert equal(design, netlist, Pairs({}, {0: 0}), tmp_path) == ""
    # It is not 1.
    assert "mapping removed" in equal(
        design, Aiger(1, [], [1], [], {"rst_ni": 0}, {"out": 0}), Pairs({}, {0: 1}), tmp_path
    )
