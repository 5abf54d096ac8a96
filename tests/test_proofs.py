"""What is proven is not proven again, unless what it was proven of has changed."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from aesforge.proof import claims, engines, proofs
from aesforge.proof.claims import Claim
from aesforge.results import store
from aesforge.results.store import Row
from aesforge.space.axes import Config
from aesforge.space.presets import preset
from aesforge.space.promises import promised

NAME = "kakarlapudi-sbox"
CONFIG = preset(NAME).configure(["keys=128", "direction=encrypt"])
CORE = [f"cipher 128 encrypt {claim}" for claim in ("runs", "result", "pace")]


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


def test_a_row_without_the_claims_on_pace_gets_them(asked: list[bool]) -> None:
    whole = _row()
    old = {what: value for what, value in whole.items() if what != "paced"}
    assert proofs.proven(NAME, CONFIG, {**old, "claims": whole["claims"] - 1}) == whole
    assert asked == [False, True]


def test_an_edit_that_leaves_the_netlist_has_its_parts_proven(asked: list[bool]) -> None:
    whole = _row()
    assert proofs.proven(NAME, CONFIG, {**whole, "source_hash": "", "claims": 0}) == whole
    assert asked == [False, True]


def test_a_core_of_a_known_text_is_not_mapped(
    asked: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pace is proven again only for another text, though its netlist is the same."""
    whole, made = _row(), list[str]()
    prove = proofs.prove

    def proves(name: str, config: Config, only: Any = None) -> dict[str, Any]:
        made.extend(claim for claim in only or () if claim.endswith("pace"))
        return prove(name, config, only)

    monkeypatch.setattr(proofs, "prove", proves)
    old = {**whole, "source_hash": ""}
    assert proofs.proven(NAME, CONFIG, {**old, "text": "another"}) == whole
    assert made == ["cipher 128 encrypt pace"]
    monkeypatch.setattr(claims, "netlist", lambda *_: pytest.fail("a core of a known text"))
    assert proofs.proven(NAME, CONFIG, {**old, "claims": 0}) == whole
    assert made == ["cipher 128 encrypt pace"]


def test_a_gate_of_the_same_text_is_proven(asked: list[bool]) -> None:
    """A row without the gate does not show it, even if its core had the same text."""
    gated = replace(CONFIG, idle_output="zero")
    bare = {**_row(), "text": claims.text(claims.sources(), gated)}
    made = proofs.proven(NAME, gated, None, [bare])
    assert asked == [False, True]
    assert made["claims"] == bare["claims"] + 1


@pytest.mark.parametrize("what", ["netlist", "specification", "asked"])
def test_another_core_standard_or_promise_has_all_proven(asked: list[bool], what: str) -> None:
    old = {**_row(), "source_hash": "", "text": "another", what: "another"}
    proofs.proven(NAME, CONFIG, old)
    assert asked == [False, False]


def test_a_row_of_another_promise_is_not_current(asked: list[bool]) -> None:
    """Even if no source has changed: promises are not among them."""
    old = {**_row(), "asked": "another"}
    assert "earlier sources" in proofs.proof_table([old], [])
    assert "earlier sources" not in proofs.proof_table([_row()], [])
    proofs.proven(NAME, CONFIG, old)
    assert asked == [False, False, False]


def test_what_a_core_is_asked_has_its_promises(monkeypatch: pytest.MonkeyPatch) -> None:
    """The interval too, of which the walk knows nothing."""
    before = proofs.asked(CONFIG)
    slower = replace(promised(CONFIG, 128), interval=12)
    monkeypatch.setattr(proofs, "promised", lambda *_: slower)
    assert proofs.asked(CONFIG) != before


def test_a_restated_row_is_of_the_same_netlist(asked: list[bool]) -> None:
    old = {**_row(), "source_hash": ""}
    assert proofs.proven(NAME, CONFIG, old, restate=True) is not None
    assert asked == [False, True]
    another = {**old, "text": "another", "netlist": "another"}
    assert proofs.proven(NAME, CONFIG, another, restate=True) is None
    assert asked == [False, True]


def test_what_does_not_hold_is_proven_again(asked: list[bool]) -> None:
    proofs.proven(NAME, CONFIG, {**_row(), "holds": False})
    assert asked == [False, False]


NOT_YET = {("fan", "sbox", "shallow"), ("sklavos-arkl", "key_schedule", "loaded")}
"""Of these values some configurations are proven; docs/tables/proofs.md says which are not."""


def test_every_configuration_of_every_preset_is_proven() -> None:
    """All but those of NOT_YET; `make prove` proves a new one."""
    rows = store.load(store.path("proven"))
    held = [(row["preset"], row["config"]) for row in rows if row["holds"]]
    lacking = [
        f"{name} {preset(name).choices(config)}"
        for name, config in proofs.configurations(())
        if (name, config.as_dict()) not in held
        and (name, proofs.bare(config).as_dict()) not in held
        and not NOT_YET & {(name, axis, value) for axis, value in config.as_dict().items()}
    ]
    assert lacking == []
    for name, axis, value in NOT_YET:
        assert any(preset == name and config[axis] == value for preset, config in held)


def test_a_row_of_an_earlier_explorer_is_proven_again_when_asked_for(
    asked: list[bool], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(proofs.store, "path", lambda name: tmp_path / f"{name}.jsonl")
    choices = (NAME, "keys=128", "direction=encrypt", "sbox=table", "idle_output=register")
    (first,) = proofs.prove_all(choices)
    assert "all, with an earlier explorer" in proofs.proof_table([first], [])
    assert proofs.proof_table([first], []).startswith("0 of ")
    assert list(proofs.prove_all(choices)) == [first]
    assert asked == [False]
    list(proofs.prove_all(choices, again=True))
    assert asked == [False, False]
    monkeypatch.setattr(proofs, "is_current", lambda found: found == first["versions"])
    list(proofs.prove_all(choices, again=True))
    assert asked == [False, False]
    assert proofs.proof_table([first], []).startswith("1 of ")
    assert "pace" not in proofs.proof_table([first], [])
    del first["paced"]
    assert "0 of these have the claims on pace too." in proofs.proof_table([first], [])


def test_the_same_explorer_is_current_however_it_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    now = claims.versions()
    assert claims.is_current(now)
    assert not claims.is_current({**now, "pyosys": "0.1"})
    proper = claims.digest(*claims.explore.sources())[:7]
    monkeypatch.setattr(claims, "_SAME_WALK", {proper: ("1234567",)})
    assert claims.is_current({**now, "explorer": "1234567"})
    assert not claims.is_current({**now, "explorer": "7654321"})
    # Another explorer proper.
    monkeypatch.setattr(claims, "_SAME_WALK", {"0000000": ("1234567",)})
    assert not claims.is_current({**now, "explorer": "1234567"})


def test_the_defaults_of_presets_are_proven_first(
    asked: list[bool], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(proofs.store, "path", lambda name: tmp_path / f"{name}.jsonl")
    order: list[str] = []

    def proven(name: str, config: Any, *_: Any) -> Row:
        order.append(preset(name).choices(config))
        return {"preset": name, "config": config.as_dict(), "seconds": len(order)}

    monkeypatch.setattr(proofs, "proven", proven)
    list(proofs.prove_all(("aesforge-iterative",)))
    default = preset("aesforge-iterative").configure([])
    assert order[0] in {
        preset("aesforge-iterative").choices(c) for c in (default, proofs.bare(default))
    }
    assert list(proofs.prove_all((NAME,), minutes=0)) == []


def test_what_another_engine_has_shown_is_in_the_table(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(engines.store, "path", lambda name: tmp_path / f"{name}.jsonl")
    asked: list[str] = []

    def claims(engine: str, config: Any) -> list[Claim]:
        asked.append(engine)
        return [Claim(f"cipher 128 encrypt by {engine}", True, 1.0, "")]

    monkeypatch.setattr(engines, "claims", claims)
    wanted = [(NAME, CONFIG)]
    (row,) = engines.prove_by("cec", wanted)
    assert engines.shown(row) == "cec"
    assert list(engines.prove_by("cec", wanted)) == []
    assert list(engines.prove_by("scorr", wanted)) == []
    assert asked == ["cec"]
    assert "| cec |" in proofs.proof_table([], [row])
    row["engines"]["cec"]["source_hash"] = "another"
    assert engines.shown(row) == "cec (earlier)"
    # Other text of the same netlist is not proven again; another netlist is.
    engines.store.record(tmp_path / "engines.jsonl", [row])
    (row,) = engines.prove_by("cec", wanted)
    assert (engines.shown(row), asked) == ("cec", ["cec"])
    row["engines"]["cec"] |= dict.fromkeys(("source_hash", "text", "netlist"), "another")
    engines.store.record(tmp_path / "engines.jsonl", [row])
    (row,) = engines.prove_by("cec", wanted)
    assert (engines.shown(row), asked) == ("cec", ["cec", "cec"])
    row["engines"]["cec"]["holds"] = False
    assert engines.shown(row) == "not cec"
