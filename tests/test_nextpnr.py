"""What a run of nextpnr is taken to have said, also when it did not end well."""

import json
import re
from pathlib import Path

import pytest

from aesforge.tools import nextpnr
from aesforge.tools.process import ToolFailed

WARNED = "Warning: Max frequency for clock '$iopadmap$clk': 40.21 MHz (FAIL at 500.00 MHz)"
ELSE = "Warning: Max frequency for clock             'b': 55.13 MHz (FAIL at 500.00 MHz)"


def placed(folder: Path) -> float:
    return nextpnr.place_and_route("ecp5", (), Path("harness.json"), 1, folder)


def fails(monkeypatch: pytest.MonkeyPatch, *output: str) -> None:
    def call(name: str, *_command: object, **_how: object) -> str:
        raise ToolFailed(name, "\n".join(output))

    monkeypatch.setattr(nextpnr, "call", call)


def test_the_slowest_clock_of_the_report_counts(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    report = {"fmax": {"a": {"achieved": 150.0}, "b": {"achieved": 97.5}}}
    (tmp_path / "report1.json").write_text(json.dumps(report), encoding="utf-8")
    monkeypatch.setattr(nextpnr, "call", lambda *_, **__: "")
    assert placed(tmp_path) == 97.5


def test_output_before_a_memory_fault_counts(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    fails(monkeypatch, ELSE, WARNED, "wasm trap: out of bounds memory access")
    assert placed(tmp_path) == 40.21


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
    (tmp_path / "report1.json").write_text('{"fmax": {"a": {"achieved": 1.0}}}')
    placed(tmp_path)
    assert called[0][0] == str(program)
