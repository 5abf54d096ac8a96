"""The second engine: one run by SAT sweeping, all runs by `scorr`, and what neither may prove."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from suite import slow

from aesforge.core import model
from aesforge.errors import UserError
from aesforge.flows import prove
from aesforge.proof import bounded
from aesforge.proof.claims import Sources, formal_root, sources
from aesforge.proof.graph import Cycles, Graph
from aesforge.space.presets import preset
from aesforge.tools.aiger import Aiger

ITERATIVE = preset("aesforge-iterative").config
CORE = "aes_iterative_overlap_otf.sv"

# Formulas ---------------------------------------------------------------------------------------


def test_gates_are_shared_and_constants_folded() -> None:
    graph = Graph()
    a, b = graph.free("a"), graph.free("b")
    assert graph.both(a, b) == graph.both(b, a)
    assert graph.both(a, a ^ 1) == 0
    assert (graph.both(a, 1), graph.both(a, a), graph.both(a, 0)) == (a, a, 0)
    assert graph.choose(1, a, b) == a
    assert graph.choose(0, a, b) == b


def test_netlist_of_a_formula_computes_it() -> None:
    graph = Graph()
    a, b, c = (graph.free(name) for name in "abc")
    graph.both(a ^ 1, c)  # not part of the formula
    made = graph.netlist([graph.choose(a, b, c) ^ 1], [literal >> 1 for literal in (a, b, c)])
    for pattern in range(8):
        bits = [pattern >> bit & 1 for bit in range(3)]
        values = made.values(bits, [])
        assert made.literal(values, made.outputs[0]) == 1 - (bits[1] if bits[0] else bits[2])


def test_cycles_of_a_register_that_is_free_at_power_up() -> None:
    # q <= reset ? 0 : q ^ a; the output is q. Input 1 is a, input 2 is reset, register 3 is q.
    machine = Aiger(2, [12], [6], [(7, 3), (6, 2), (11, 9), (12, 5)])
    machine = replace(machine, next=[14], input_names={"a": 0, "reset": 1}, output_names={"q": 0})
    cycles = Cycles(machine, Graph())
    for driven in ({"reset": 1}, {"reset": 0, "a": 0}, {"reset": 0, "a": 1}):
        cycles.advance(driven)
    assert cycles.output("q") < 2
    other = Cycles(machine, Graph())
    other.advance({"reset": 0, "a": 0})
    assert other.output("q") > 1
    assert list(other.graph.names.values()) == ["0 at power-up"]


# The specification ------------------------------------------------------------------------------


def test_literal_tables_are_those_of_the_standard() -> None:
    text = (formal_root() / "aes_fips197.sv").read_text(encoding="utf-8")
    for name, table in (("SBOX", model.SBOX), ("INV_SBOX", model.INV_SBOX)):
        found = re.search(rf" {name} = {{(.*?)}};", text, re.S)
        assert found is not None
        assert bytes.fromhex("".join(re.findall(r"128'h(\w{32})", found[1]))) == bytes(table)


def test_specification_shares_nothing() -> None:
    for name in ("aes_fips197", "aes_reference", "aes_reference_steps"):
        text = (formal_root() / f"{name}.sv").read_text(encoding="utf-8")
        code = re.sub(r"//.*", "", text)
        assert set(re.findall(r"\baes_\w+", code)) <= {
            *("aes_fips197", "aes_fips197_pkg", "aes_fips197_sbox", "aes_fips197_sub_bytes"),
            *("aes_reference", "aes_reference_steps", "aes_reference_round", "aes_reference_word"),
        }


# SAT sweeping -----------------------------------------------------------------------------------


def test_functions_that_differ_in_one_value_of_128_bits_are_not_equal(tmp_path: Path) -> None:
    """No random pattern shows it."""
    graph = Graph()
    block = [graph.free(f"a[{bit}]") for bit in range(384)]
    every = 1
    for literal in block[:128]:
        every = graph.both(every, literal)
    other = graph.choose(block[0], block[1], block[2])
    same = graph.choose(block[0] ^ 1, block[2], block[1])
    inputs = [literal >> 1 for literal in block]
    found = bounded._compare(graph, [other, block[3]], [same, block[3]], inputs, tmp_path)
    assert found == ({}, "sums and small functions")
    wrong = graph.choose(every, other ^ 1, other)
    found = bounded._compare(graph, [wrong, block[3]], [same, block[3]], inputs, tmp_path)
    assert "not proven equal" in found[0]["rule"]
    # What random patterns show has a counterexample.
    found = bounded._compare(graph, [1, block[3]], [0, block[3]], inputs, tmp_path)
    assert found[0]["rule"] == "the result is not that of the standard"


def test_what_sums_and_small_functions_leave_is_swept(tmp_path: Path) -> None:
    """A product with a disjunction, and the disjunction of the products, of too many nodes."""
    graph = Graph()
    block = [graph.free(f"a[{bit}]") for bit in range(384)]
    inputs = [literal >> 1 for literal in block]
    none = nowhere = 1
    for literal in block[1:31]:
        none = graph.both(none, literal ^ 1)
        nowhere = graph.both(nowhere, graph.both(block[0], literal) ^ 1)
    one, other = graph.both(block[0], none ^ 1), nowhere ^ 1
    assert bounded._compare(graph, [one], [other], inputs, tmp_path) == ({}, "SAT sweeping")


# Options ----------------------------------------------------------------------------------------


def test_engine_that_does_not_reach_a_core_says_which_it_reaches() -> None:
    with pytest.raises(UserError, match="scorr covers cores of engine=iterative"):
        prove.prove("fan", preset("fan").config, engine="scorr")
    with pytest.raises(UserError, match="unknown engine"):
        prove.prove("fan", preset("fan").config, engine="score")
    with pytest.raises(UserError, match="a certificate is of the walk"):
        prove.prove("a core", ITERATIVE, engine="cec", certificate=Path("a.zip"))


# Cores ------------------------------------------------------------------------------------------


def changed(folder: Path, name: str, old: str, new: str) -> Sources:
    """The sources with one change in a file of `rtl/` or `formal/`."""
    given = sources()
    formal = folder / "formal"
    formal.mkdir()
    for path in (*given.rtl, *given.formal.glob("*.sv")):
        if path.name == name:
            text = path.read_text(encoding="utf-8")
            assert text.count(old) == 1
            (folder / name).write_text(text.replace(old, new), encoding="utf-8")
    for path in given.formal.glob("*.sv"):
        (formal / path.name).symlink_to(folder / name if path.name == name else path)
    rtl = tuple(folder / name if path.name == name else path for path in given.rtl)
    return Sources(rtl, formal)


@slow
@pytest.mark.parametrize("engine", ["cec", "scorr"])
def test_core_is_proven(engine: str) -> None:
    document = prove.prove("aesforge-iterative", ITERATIVE, engine=engine)
    assert document["holds"]
    assert document["claims"][-1]["name"] == f"cipher 128 encrypt by {engine}"


@slow
def test_core_with_longer_blocks_is_proven_and_a_wrong_one_is_not(tmp_path: Path) -> None:
    name = "kakarlapudi-sbox"
    config = preset(name).configure(["block=192", "keys=128", "direction=encrypt"])
    assert prove.prove(name, config, engine="cec")["holds"]
    given = changed(
        *(tmp_path, "aes_shift_rows.sv"),
        *("aes_pkg::row_offset(Columns, k % 4)", "aes_pkg::row_offset(8, k % 4)"),
    )
    document = prove.prove(name, config, engine="cec", given=given)
    assert document["claims"][-1]["counterexample"]["rule"] == (
        "the result is not that of the standard"
    )
    with pytest.raises(UserError, match="with key_schedule=on_the_fly, block=128"):
        prove.prove(name, config, engine="scorr")


# What is wrong, and why each engine does not prove it.
POWER_UP = "logic odd_q;\n  always_ff @(posedge clk_i) odd_q <= odd_q;\n  "
WRONG = {
    "an entry of the table": (
        ("aes_fips197.sv", "128'h637c777b", "128'h637c777a"),
        "the result is not that of the standard",
    ),
    "a round too few": (
        (CORE, "rcon(NEXT_TO_LAST);", "rcon(NEXT_TO_LAST - 1);"),
        "the result of block 0 is offered after 9 cycles, promised 10",
    ),
    "a result that depends on power-up": (
        (CORE, "  assign out_data_o = ", f"  {POWER_UP}assign out_data_o = odd_q ^ "),
        "the result is not that of the standard",
    ),
    "timing that depends on power-up": (
        (
            CORE,
            "  assign out_valid_o = last_q && !in_setup;",
            f"  {POWER_UP}assign out_valid_o = last_q && !in_setup && odd_q;",
        ),
        "out_valid_o is no constant in cycle 14",
    ),
    "a fault in the second block": (
        (CORE, "start_q <= running_q ?", "start_q <= (last_q && accept) ? '0 : running_q ?"),
        "",  # beyond the one run that cec covers
    ),
}


@pytest.mark.parametrize("fault", WRONG)
def test_fault_fits_its_file(fault: str, tmp_path: Path) -> None:
    """What the slow test below replaces, checked on every day."""
    changed(tmp_path, *WRONG[fault][0])


@slow
@pytest.mark.parametrize("engine", ["cec", "scorr"])
@pytest.mark.parametrize("fault", WRONG)
def test_wrong_core_is_not_proven(fault: str, engine: str, tmp_path: Path) -> None:
    change, reason = WRONG[fault]
    given = changed(tmp_path, *change)
    document = prove.prove("a core", ITERATIVE, engine=engine, given=given)
    claim = document["claims"][-1]
    if engine == "cec":
        assert claim["holds"] == (not reason)
        assert claim["holds"] or reason in claim["counterexample"]["rule"]
    else:
        assert not claim["holds"]
        assert "not proven equal to the reference" in claim["counterexample"]["rule"]


@slow
@pytest.mark.parametrize("name", ["aesforge-iterative-universal", "sklavos-ake"])
def test_core_with_a_result_register_is_proven_by_scorr(name: str) -> None:
    config = preset(name).configure(["keys=128", "direction=encrypt", "sbox=tower"])
    assert prove.prove(name, config, engine="scorr")["holds"]
