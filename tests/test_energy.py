"""Energy per block: which rows of power are compared, and what table and graph say of them."""

from copy import deepcopy
from typing import Any

import pytest

from aesforge.core.sources import fingerprint
from aesforge.flows import report
from aesforge.results import energy, store
from aesforge.space.presets import preset, presets
from aesforge.space.promises import promised
from aesforge.space.targets import target

STORED = store.load(store.path("power"))


def run(clock: float, glitches: float, used: int | None = None) -> dict[str, Any]:
    parts = {"clock": clock, "registers": 0.5, "logic": 1.0, "glitches": glitches, "leakage": 9.0}
    return {
        "sboxes_run": used,
        "cycles_per_block": 11.0,
        "nj": parts,
        "components": {
            "S-box 0": {"mw": 20.0, "glitches_mw": 5.0},
            "S-box 1": {"mw": 10.0, "glitches_mw": 5.0},
            "key expander and key registers": {"mw": 3.0, "glitches_mw": 0.0},
            "others": {"mw": 1.0, "glitches_mw": 1.0},
            "controller": {"mw": 6.0, "glitches_mw": 1.0},
        },
        "leakage_mw": 0.002,
        "settles_ns": 3.25,
    }


def row(name: str, *runs: dict[str, Any], on: str = energy.TARGET) -> store.Row:
    config = preset(name).config
    promise = promised(config, config.key_sizes[0])
    return {
        "preset": name,
        "config": config.as_dict(),
        "target": on,
        "delay_ps": 1300,
        "data": "random",
        "volt": 1.8,
        "mhz": 100.0,
        "ge": {"controller": 400, "others": 600},
        "runs": list(runs),
        "cycles_per_block": promise.cycles_per_block,
        "latency_cycles": promise.latency,
        "sources": ["aes_pkg"],
        "source_hash": fingerprint(["aes_pkg"]),
        "target_hash": target(on, 1300).fingerprint,
    }


ROWS = [
    row("aesforge-iterative", run(1.0, 3.5)),
    row("aesforge-iterative", run(0.25, 3.5), on=energy.GATED),
    row("fan", run(9.0, 2.0, 1), run(5.0, 2.0, 2), run(0.5, 1.0, 4)),
]


def test_the_least_energy_is_first_and_leakage_is_no_part_of_it() -> None:
    found = energy.points(ROWS)
    names = ["fan, 4 S-boxes", "aesforge-iterative", "fan, 2 S-boxes", "fan, 1 S-box"]
    assert [point.name for point in found] == names
    assert [point.nj for point in found] == [3.0, 6.0, 8.5, 12.5]
    assert [point.gated for point in found] == [None, 5.25, None, None]
    assert found[0].leakage_uw == 2.0
    assert energy.missing(ROWS) == [
        name for name in presets() if name not in ("fan", "aesforge-iterative")
    ]


@pytest.mark.parametrize(
    "change",
    [
        {"delay_ps": 1500},
        {"data": "README.md"},
        {"target": "osu018_gated"},
        {"config": preset("fan").configure(["sbox=lean"]).as_dict()},
        {"runs": [{name: value for name, value in run(1, 1, 4).items() if name != "nj"}]},
    ],
)
def test_rows_of_other_conditions_are_not_compared(change: dict[str, Any]) -> None:
    assert len(energy.points([ROWS[2]])) == 3
    assert energy.points([{**ROWS[2], **change}]) == []


def test_the_table_has_shares_the_goal_and_what_is_stale() -> None:
    assert energy.goal() == 1.5
    lines = energy.table(ROWS).splitlines()
    first = "| `fan`, 4 S-boxes | 11 | 1,000 | **3** | 2.0 | 17 | 17 | 33 | 33 | 2 | 3.2 |  |"
    assert lines[2] == first
    assert lines[3].endswith("| 5.25 |")
    assert lines[-1].startswith("Not measured: `kakarlapudi-sbox`, ")
    old = deepcopy(ROWS)
    old[0]["source_hash"] = "0" * 12
    assert "`aesforge-iterative`, earlier sources |" in energy.table(old)
    assert "earlier" not in energy.table(ROWS)


def test_places_add_the_components_of_a_kind() -> None:
    lines = energy.places(ROWS[:1]).splitlines()
    # 11 cycles at 100 MHz are 0.11 nJ for a mW.
    assert lines[2] == (
        "| aesforge-iterative | `table` | 3.30 | 1.10 |  |  | 0.33 | 0.00 | 0.77 | 0.22 |"
    )


def test_bars_of_the_graph_add_up_to_the_energy() -> None:
    graph = energy.graph(ROWS)
    found = energy.points(ROWS)
    assert [one["name"] for one in graph["series"]] == list(energy.PARTS.values())
    for at, point in enumerate(found):
        assert {one["x"][at] for one in graph["series"]} == {point.name}
        assert sum(one["y"][at] for one in graph["series"]) == pytest.approx(point.nj)
    assert "at 1.8 V; the goal is 1.5 nJ" in graph["title"]


def test_the_page_draws_the_stored_energies() -> None:
    graph = report.data(store.load(store.path())[:20])["graphs"][0]
    assert graph == energy.graph(STORED)
    assert (graph["place"], graph["stacked"]) == ("energy", True)
    page = report._TEMPLATE.read_text(encoding="utf-8")
    assert '<div id="energy"></div>' in page
    assert "graph.place" in page
    assert "graph.stacked" in page


def test_stored_energies_are_of_the_same_blocks_with_glitches() -> None:
    found = energy.points(STORED)
    assert len(found) > 10
    for point in found:
        assert point.row["seed"] == 1
        assert 10 <= point.row["blocks"] < 20
        assert point.row["left_out"] == ["wires", "clock tree"]
        assert all(value > 0 for value in point.parts.values())
        starts = tuple(start for group in energy._PLACES.values() for start in group)
        assert all(name.startswith(starts) for name in point.run["components"])
        # It had settled long before the end of a cycle at the clock of the row.
        assert point.run["settles_ns"] < 1000 / point.row["mhz"]
        assert point.run["nj_per_block"] == pytest.approx(sum(point.run["nj"].values()), rel=2e-3)
