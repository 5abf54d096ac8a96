"""Counts of the S-boxes in gates: those of the RTL, beside published ones that say who counted."""

import tomllib
from pathlib import Path

import pytest

from aesforge.core.sources import closure, codes, files, fingerprint, is_sbox
from aesforge.errors import UserError
from aesforge.results import store
from aesforge.results.tables import circuits
from aesforge.search import lean_search
from aesforge.search.gates_search import count, search
from aesforge.search.lean import DIRECTIONS
from aesforge.space.targets import target

ROWS = store.load(store.path("gates"))


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_kept_gates_are_those_of_the_rtl(direction: str) -> None:
    module = lean_search.SBOX
    (row,) = (r for r in ROWS if (r["core"], r["config"]["direction"]) == (module, direction))
    of = {"Direction": codes()[f"DIRECTION_{direction.upper()}"]}
    found = count(module, closure(module), of)
    assert found == {name: row[name] for name in ("gates", "inverters", "levels")}
    # Its programs of XORs, with their multiplexers, and 18 products are among the gates.
    circuit = lean_search.winners(store.load(store.path("sboxes")))[direction]
    assert found["gates"] > circuit.xors + circuit.muxes + 18


def test_every_sbox_is_counted_of_the_present_sources() -> None:
    modules = {path.stem for path in files() if is_sbox(path.stem)}
    assert {(row["core"], row["config"]["direction"]) for row in ROWS} == {
        (module, direction) for module in modules for direction in DIRECTIONS
    }
    for row in ROWS:
        assert fingerprint(row["sources"]) == row["source_hash"], row["core"]


def test_gates_and_levels_of_a_circuit_counted_by_hand(tmp_path: Path) -> None:
    """Two products and another bit in one sum, and a multiplexer beside it."""
    module = tmp_path / "by_hand.sv"
    module.write_text(
        "module by_hand (input logic [4:0] a, output logic y, z);\n"
        "  assign y = (a[0] & a[1]) ^ (a[2] & a[3]) ^ a[4];\n"
        "  assign z = a[4] ? a[0] : a[3];\n"
        "endmodule\n",
        encoding="utf-8",
    )
    assert count("by_hand", [module], {}) == {"gates": 5, "inverters": 0, "levels": 3}


def test_the_table_has_published_circuits_and_ours() -> None:
    text = circuits(ROWS)
    said = tomllib.loads(store.path().with_name("circuits.toml").read_text(encoding="utf-8"))
    for one in said["circuits"]:
        assert f"| {one['direction']} | {one['source']} | {one['gates']} |" in text
    for direction in DIRECTIONS:
        assert f"| {direction} | **here: `sbox=lean`** |" in text
        lines = [line for line in text.splitlines() if line.startswith(f"| {direction} |")]
        numbers = [int(line.split(" | ")[2].strip("*").split("*")[0].split()[0]) for line in lines]
        assert numbers == sorted(numbers)
    assert "earlier sources" not in text
    assert "earlier sources" in circuits([{**ROWS[0], "source_hash": "0"}])


def test_what_is_not_searched_is_not_mapped_or_written(tmp_path: Path) -> None:
    for given in ({"target": target("osu018")}, {"write": tmp_path}):
        with pytest.raises(UserError, match="leave out --target and --write"):
            search(**given)
