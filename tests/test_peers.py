"""Other open cores, measured from clones of their repositories."""

import subprocess
from pathlib import Path
from typing import Any

import pytest

from aesforge.errors import ToolMissing, UserError
from aesforge.flows import peers as flow
from aesforge.results import peers, store
from aesforge.tools import process

CORE = """
module other(input clk, input [7:0] a, output reg [7:0] y);
  // A name that is a keyword of SystemVerilog alone.
  wire [7:0] do = table_of(a);
  function [7:0] table_of(input [7:0] x);
    table_of = x ^ {x[6:0], x[7]};
  endfunction
  always @(posedge clk) y <= do;
endmodule
"""


def git(folder: Path, *args: str) -> str:
    names = ["-c", "user.name=a", "-c", "user.email=a@b.c"]
    done = subprocess.run(
        ["git", *names, *args], cwd=folder, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


@pytest.fixture
def clones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A clone whose newest commit has another core than the one that is listed."""
    clone = tmp_path / "clones" / "someone" / "core"
    clone.mkdir(parents=True)
    git(clone, "init", "--quiet")
    (clone / "core.v").write_text(CORE)
    git(clone, "add", "core.v")
    git(clone, "commit", "--quiet", "--message", "one")
    core = {
        "name": "other",
        "source": "someone/core",
        "commit": git(clone, "rev-parse", "HEAD"),
        "cycles_per_block": 4,
        "top": "other",
        "files": ["core.v"],
    }
    (clone / "core.v").write_text("module other; endmodule\n")
    git(clone, "commit", "--quiet", "--all", "--message", "two")
    monkeypatch.setattr(flow, "listed", lambda: {"cores": [core], "adapters": {}})
    return tmp_path / "clones"


def measured(clones: Path, *names: str) -> tuple[dict[str, Any], list[store.Row]]:
    table = clones.parent / "peers.jsonl"
    return flow.peers(clones, names, ["xc7"], table=table), store.load(table)


def test_the_listed_commit_is_measured_once(clones: Path) -> None:
    found, (row,) = measured(clones)
    assert (found["measured"], found["holds"]) == (1, True)
    assert (row["lut"], row["ff"], row["cycles_per_block"]) == (8, 8, 4)
    assert row["config"] == {"peer": "other", "keep": ""}
    assert row["commit"] == flow.listed()["cores"][0]["commit"]
    again, rows = measured(clones, "other")
    assert (again["measured"], again["stored"], rows) == (0, 1, [row])


def test_what_is_missing_is_named(clones: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UserError, match="unknown core 'othe'; did you mean 'other'"):
        measured(clones, "othe")
    with pytest.raises(UserError, match="clone the repository someone/core there"):
        measured(clones / "someone")
    (core,) = flow.listed()["cores"]
    absent = {**core, "commit": 40 * "1"}
    monkeypatch.setattr(flow, "listed", lambda: {"cores": [absent], "adapters": {}})
    with pytest.raises(UserError, match=r"cannot read core\.v of commit 111111111111"):
        measured(clones)
    assert not (clones.parent / "peers.jsonl").exists()


def test_a_mapping_that_fails_has_no_row(clones: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> store.Row:
        raise process.ToolFailed("yosys", "ERROR: no")

    monkeypatch.setattr(flow, "_measured", fails)
    found, rows = measured(clones)
    assert (found["holds"], rows) == (False, [])
    assert found["failed"] == [{"what": "other on xc7", "why": "yosys failed:\nERROR: no"}]


def test_a_core_that_cannot_be_read_does_not_stop_the_others(
    clones: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (core,) = flow.listed()["cores"]
    wrong = {**core, "name": "wrong", "top": "absent"}
    monkeypatch.setattr(flow, "listed", lambda: {"cores": [wrong, core], "adapters": {}})
    found, rows = measured(clones)
    assert [one["what"] for one in found["failed"]] == ["wrong on xc7"]
    assert [row["config"]["peer"] for row in rows] == ["other"]


def test_another_adapter_is_measured_again(clones: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (core,) = flow.listed()["cores"]
    ports = "input clk, input [7:0] a, output [7:0] y"
    for made, inner in ((1, "a"), (1, "a ^ {a[3:0], a[7:4]}"), (0, "a ^ {a[3:0], a[7:4]}")):
        text = f"module around({ports}); other u_core (.clk, .a({inner}), .y); endmodule\n"
        listed = {"cores": [{**core, "top": "around", "adapter": "around"}]}
        monkeypatch.setattr(flow, "listed", lambda: {**listed, "adapters": {"around": text}})  # noqa: B023
        assert measured(clones)[0]["measured"] == made


def test_files_are_made_from_others(clones: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (core,) = flow.listed()["cores"]
    made = {
        **{**core, "files": ["made.v"], "also": ["core.v"], "needs": ["sed"]},
        "prepare": "sed 's/x\\[7\\]/1/' core.v > made.v",
    }

    def listed(**changed: object) -> None:
        monkeypatch.setattr(
            flow, "listed", lambda: {"cores": [{**made, **changed}], "adapters": {}}
        )

    monkeypatch.setattr(flow, "listed", lambda: {"cores": [made], "adapters": {}})
    found, (row,) = measured(clones)
    assert (found["measured"], found["holds"], row["ff"]) == (1, True, 8)
    assert measured(clones)[0]["stored"] == 1
    listed(needs=["no_such_program"])
    with pytest.raises(ToolMissing, match="no_such_program is missing; install it to prepare"):
        measured(clones)
    listed(prepare="false")
    with pytest.raises(process.ToolFailed, match="what prepares other"):
        measured(clones)


def test_an_unknown_target_is_named_whatever_the_core(clones: Path) -> None:
    with pytest.raises(UserError, match="unknown target 'xc8'"):
        flow.peers(clones, (), ["xc8"])


def test_each_listed_core_has_a_row_of_its_commit_on_each_target() -> None:
    rows = store.load(store.path(peers.ROWS))
    of = {(row["config"]["peer"], row["target"]): row for row in rows}
    cores = peers.listed()["cores"]
    for core in cores:
        for target in core.get("targets", flow.TARGETS):
            assert of[core["name"], target]["commit"] == core["commit"], (core["name"], target)
    assert {row["config"]["peer"] for row in rows} == {core["name"] for core in cores}


def test_only_mappings_that_no_other_beats_are_compared() -> None:
    for core in peers.peers()["cores"]:
        for one in core["figures"]:
            for other in core["figures"]:
                if one is not other and one["target"] == other["target"]:
                    speeds = [row["throughput_mbps"] or 0 for row in (one, other)]
                    sizes = [peers.area(row) for row in (one, other)]
                    assert (sizes[0] < sizes[1]) == (speeds[0] < speeds[1])
