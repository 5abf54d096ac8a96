"""What is proven is not proven again, unless what it was proven of has changed."""

from pathlib import Path
from typing import Any

import pytest

from aesforge.proof import proofs
from aesforge.proof.faults import FAULTS, Fault
from aesforge.results import store
from aesforge.results.store import Row
from aesforge.space.presets import preset

NAME = "kakarlapudi-sbox"
CONFIG = preset(NAME).configure(["keys=128", "direction=encrypt"])
CORE = ["cipher 128 encrypt runs", "cipher 128 encrypt result"]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Each proof that is asked for, none of which is made: whether it was of the parts alone."""
    found: list[bool] = []

    def prove(name: str, config: Any, only: Any = None) -> dict[str, Any]:
        found.append(only is not None)
        claims = [*(only or proofs.leaves(proofs.sources())), *([] if only else CORE)]
        return {
            "preset": name,
            "config": config.as_dict(),
            "holds": True,
            "claims": [{"name": claim, "holds": True, "seconds": 1.0} for claim in claims],
            "versions": {},
        }

    monkeypatch.setattr(proofs, "prove", prove)
    return found


def _row() -> Row:
    return proofs.proven(NAME, CONFIG, None)


def test_a_row_of_these_sources_is_kept(asked: list[bool]) -> None:
    old = _row()
    assert proofs.proven(NAME, CONFIG, old) is old
    assert asked == [False]


def test_a_row_without_its_netlist_gets_it_from_the_same_sources(asked: list[bool]) -> None:
    old = _row()
    netlist = old.pop("netlist")
    assert proofs.proven(NAME, CONFIG, old)["netlist"] == netlist
    assert asked == [False]


def test_an_edit_that_leaves_the_netlist_has_its_parts_proven(asked: list[bool]) -> None:
    whole = _row()
    assert proofs.proven(NAME, CONFIG, {**whole, "source_hash": "", "claims": 0}) == whole
    assert asked == [False, True]


@pytest.mark.parametrize("what", ["netlist", "specification"])
def test_another_core_or_standard_has_all_proven(asked: list[bool], what: str) -> None:
    old = {**_row(), "source_hash": "", what: "another"}
    proofs.proven(NAME, CONFIG, old)
    assert asked == [False, False]


def test_what_does_not_hold_is_proven_again(asked: list[bool]) -> None:
    proofs.proven(NAME, CONFIG, {**_row(), "holds": False})
    assert asked == [False, False]


def test_every_configuration_of_every_preset_is_proven() -> None:
    """README says so; `make prove` proves a new one."""
    rows = store.load(store.path("proven"))
    held = [(row["preset"], row["config"]) for row in rows if row["holds"]]
    lacking = [
        f"{name} {preset(name).choices(config)}"
        for name, config in proofs.configurations(())
        if (name, config.as_dict()) not in held
        and (name, proofs.bare(config).as_dict()) not in held
    ]
    assert lacking == []


def test_a_fault_is_the_same_in_every_core_and_a_random_one_is_not() -> None:
    def tried(keys: str, **caught: bool) -> dict[str, Any]:
        """Of a core."""
        verdicts = [
            {"name": name, "caught": found, "by": "a claim" * found, "why": "a rule"}
            for name, found in caught.items()
        ]
        shares = {"mutants": len(caught), "caught": sum(caught.values()), "share": 0.5}
        config = preset(NAME).configure([f"keys={keys}"]).as_dict()
        place = {"preset": NAME, "config": config, "source_hash": "", "sources": []}
        return {**place, **shares, "verdicts": verdicts}

    rows = [tried("128", fault=False, random_0=True), tried("192", fault=True, random_0=False)]
    table = proofs.mutant_table(rows)
    assert "| all | | 4 | 2 | 50.0 % |" in table
    assert "Of 3 different mutants, some core shows 2, 66.7%." in table
    (one,) = (line for line in table.splitlines() if line.startswith("- fault:"))
    assert "not by kakarlapudi-sbox keys=128" in one
    assert "shown by kakarlapudi-sbox keys=192" in one


def test_mutants_are_tried_once(
    asked: list[bool], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A core's row of these sources and faults counts; of other faults it is made anew."""
    tried: list[int] = []

    def mutants(name: str, config: Any, count: int, faults: list[Fault]) -> dict[str, Any]:
        tried.append(len(faults) + count)
        return {
            "preset": name,
            "config": config.as_dict(),
            "mutants": len(faults) + count,
            "caught": len(faults),
            "share": len(faults) / (len(faults) + count),
            "verdicts": [
                {"name": str(fault), "caught": True, "by": "a claim", "why": "a rule"}
                for fault in faults
            ],
        }

    faults = list(FAULTS[:2])
    monkeypatch.setattr(proofs, "mutants", mutants)
    monkeypatch.setattr(proofs, "fitting", lambda _, given: [f for f in faults if f in given])
    monkeypatch.setattr(proofs.store, "path", lambda name: tmp_path / f"{name}.jsonl")
    choices = (NAME, "keys=128", "direction=encrypt", "sbox=table")
    (row,) = proofs.mutated(choices)
    assert proofs.mutated(choices) == [row]
    assert tried == [2 + proofs.RANDOM]
    table = proofs.mutant_table(store.load(tmp_path / "mutants.jsonl"))
    assert f"| {NAME} | keys=128 direction=encrypt sbox=table | 14 | 2 | 14.3 % |" in table
    assert "Of 2 different mutants, some core shows 2, 100.0%." in table
    faults.append(FAULTS[2])
    (row,) = proofs.mutated(choices)
    assert row["caught"] == 3
    assert tried == [2 + proofs.RANDOM, 3 + proofs.RANDOM]
