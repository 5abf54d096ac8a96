"""A processor runs the driver against a core: each result is OpenSSL's (examples/soc)."""

import re
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path

import needs
import pytest
from suite import slow

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "examples" / "soc"))

import soc  # noqa: E402


@cache
def player(folder: Path, bus: str = "axi-lite") -> Path:
    """The model of the SoC; skips the test that asks for it where there is no compiler."""
    needs.riscv_gcc()
    return soc.model(folder, bus)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("soc")


@slow
def test_every_path_gives_the_results_of_openssl(folder: Path) -> None:
    model = player(folder)
    sent = soc.packets([40], soc.paths_of("axi-lite"))
    got = soc.run(model, soc.program(folder), sent, folder)
    assert soc.differences(sent, got) == []


@slow
def test_a_difference_is_found(folder: Path) -> None:
    model = player(folder)
    sent = [replace(one, output=bytes(24)) for one in soc.packets([24], ["registers"])]
    got = soc.run(model, soc.program(folder), sent, folder)
    assert len(soc.differences(sent, got)) == len(sent)


@slow
def test_data_may_pass_a_stream_port(folder: Path) -> None:
    model = player(folder, "stream")
    sent = soc.packets([16, 40, 127], soc.paths_of("stream", software=False))
    got = soc.run(model, soc.program(folder), sent, folder)
    assert soc.differences(sent, got) == []


@slow
@pytest.mark.parametrize("optimization", ["-O0", "-O1", "-Os", "-O3"])
def test_however_the_program_is_compiled(folder: Path, optimization: str) -> None:
    model = player(folder)
    sent = soc.packets([33], soc.paths_of("axi-lite"))
    got = soc.run(model, soc.program(folder, optimization), sent, folder)
    assert soc.differences(sent, got) == []


def documented() -> str:
    """The version of the compiler that the table of clocks names."""
    (version,) = re.findall(r", GCC (\S+) -O2:\n", soc.PAGE.read_text(encoding="utf-8"))
    return str(version)


def test_the_documented_clocks_are_of_this_core() -> None:
    assert soc.caption(documented()) in soc.PAGE.read_text(encoding="utf-8")


@slow
def test_the_documented_clocks_on_each_bus(folder: Path) -> None:
    for bus in soc.BUSES:
        player(folder, bus)
    text, here = soc.PAGE.read_text(encoding="utf-8"), soc.compiler_version()
    if here != documented():
        pytest.skip(f"docs/software.md has the clocks of GCC {documented()}; GCC {here} is here")
    _, rows = soc.measure(soc.SIZES, soc.BUSES, folder)
    assert soc.markdown(rows) in text
