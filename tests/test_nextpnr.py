"""What a run of nextpnr is taken to have said, also when it did not end well."""

import json
import re
from pathlib import Path

import pytest

from aesforge.tools import nextpnr
from aesforge.tools.process import ToolFailed

WARNED = "Warning: Max frequency for clock '$iopadmap$clk': 40.21 MHz (FAIL at 500.00 MHz)"
ELSE = "Warning: Max frequency for clock             'b': 55.13 MHz (FAIL at 500.00 MHz)"


def placed(folder: Path) -> nextpnr.Placed:
    return nextpnr.place_and_route("ecp5", (), Path("harness.json"), 1, folder)


def step(kind: str, delay: float, net: str = "", cell: str = "") -> dict[str, object]:
    return {"type": kind, "delay": delay, "net": net, "to": {"cell": cell}}


def path(start: str, end: str, *steps: dict[str, object]) -> dict[str, object]:
    return {"from": start, "to": end, "path": steps}


def fails(monkeypatch: pytest.MonkeyPatch, *output: str) -> None:
    def call(name: str, *_command: object, **_how: object) -> str:
        raise ToolFailed(name, "\n".join(output))

    monkeypatch.setattr(nextpnr, "call", call)


def test_the_slowest_clock_of_the_report_counts(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    report = {"fmax": {"a": {"achieved": 150.0}, "b": {"achieved": 97.5}}, "critical_paths": []}
    (tmp_path / "report1.json").write_text(json.dumps(report), encoding="utf-8")
    monkeypatch.setattr(nextpnr, "call", lambda *_, **__: "")
    assert placed(tmp_path) == nextpnr.Placed(97.5)


def test_the_longest_path_between_registers_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    paths = [
        path("<async>", "posedge clk", step("routing", 9.0, "serial", "in_q")),
        path("posedge clk", "posedge clk", step("clk-to-q", 0.5), step("setup", 0.2, cell="x")),
        path(
            *("posedge clk", "posedge clk"),
            *(step("clk-to-q", 0.5), step("routing", 2.0, "start"), step("logic", 0.5)),
            *(step("routing", 1.0, "sum"), step("setup", 1.0, cell="end_q")),
        ),
    ]
    report = {"fmax": {"clk": {"achieved": 200.0}}, "critical_paths": paths}
    (tmp_path / "report1.json").write_text(json.dumps(report), encoding="utf-8")
    monkeypatch.setattr(nextpnr, "call", lambda *_, **__: "")
    assert placed(tmp_path) == nextpnr.Placed(200.0, ("start", "sum", "end_q"), 0.6)


def test_output_before_a_memory_fault_counts(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    fails(monkeypatch, ELSE, WARNED, "wasm trap: out of bounds memory access")
    assert placed(tmp_path) == nextpnr.Placed(40.21)


def test_a_frequency_before_routing_does_not_count(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    fails(monkeypatch, WARNED.replace("Warning", "Info"), "wasm trap: unreachable")
    with pytest.raises(ToolFailed, match="unreachable"):
        placed(tmp_path)


def test_an_error_behind_routing_is_a_failure(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    fails(monkeypatch, WARNED, "ERROR: the bitstream cannot be written")
    with pytest.raises(ToolFailed, match="cannot be written"):
        placed(tmp_path)


@pytest.mark.parametrize(
    "said",
    [
        "Unable to find legal placement for all cells",
        "Failed to expand region (0, 0) |_> (165, 133) of 45943 CPE_LTs",
    ],
)
def test_a_full_device_is_not_a_failure(
    said: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    fails(monkeypatch, f"ERROR: {said}")
    with pytest.raises(nextpnr.TooLarge, match=f"^{re.escape(said)}$"):
        placed(tmp_path)


FAKE = """#!/bin/sh
echo '"nextpnr-ecp5" -- Next Generation Place and Route (Version nextpnr-0.7-1-gabc)' >&2
"""


def test_a_native_build_on_the_path_is_used_and_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    wheel = nextpnr.version("ecp5")
    assert nextpnr.current("ecp5", wheel)
    # A row of a native build cannot be compared where there is none.
    assert nextpnr.current("ecp5", "native nextpnr-0.6")
    program = tmp_path / "nextpnr-ecp5"
    program.write_text(FAKE)
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin")
    assert nextpnr.version("ecp5") == "native nextpnr-0.7-1-gabc"
    assert not nextpnr.current("ecp5", "native nextpnr-0.6")
    assert nextpnr.current("ecp5", "native nextpnr-0.7-1-gabc")
    assert nextpnr.current("ecp5", wheel)
    called: list[list[object]] = []
    monkeypatch.setattr(nextpnr, "call", lambda _name, command, **_how: called.append(command))
    (tmp_path / "report1.json").write_text(
        '{"fmax": {"a": {"achieved": 1.0}}, "critical_paths": []}'
    )
    placed(tmp_path)
    assert called[0][0] == str(program)
