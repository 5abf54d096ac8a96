"""Projects of Tiny Tapeout: their form, and bytes through their pins."""

import json
import re
import subprocess
from pathlib import Path

import needs
import pytest
import yaml
from suite import slow

from aesforge.errors import UserError
from aesforge.flows.build import build
from aesforge.space.presets import preset
from aesforge.tools import verilator, yosys

TILES = ("1x1", "1x2", "2x2", "3x2", "4x2", "6x2", "8x2")
PORTS = {
    **{"ui_in": ("input", 8), "uo_out": ("output", 8), "uio_in": ("input", 8)},
    **{"uio_out": ("output", 8), "uio_oe": ("output", 8)},
    **{name: ("input", 1) for name in ("ena", "clk", "rst_n")},
}
"""What Tiny Tapeout connects."""


def made(folder: Path, core: str, single: bool = False) -> Path:
    """The project of a core."""
    name, *choices = core.split()
    chosen = preset(name)
    command = "aesforge build --tinytapeout"
    build(
        *(chosen, chosen.configure(choices), folder, command, False, "my_aes"),
        single=single,
        pins=True,
    )
    return folder / "tinytapeout"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project of the smallest core."""
    return made(tmp_path_factory.mktemp("tinytapeout") / "core", "aesforge-nano")


def sources(project: Path) -> list[Path]:
    """The sources of a project in its order."""
    found = yaml.safe_load((project / "info.yaml").read_text(encoding="utf-8"))
    return [project / "src" / name for name in found["project"]["source_files"]]


def played(project: Path, folder: Path, instead: dict[str, str] | None = None) -> str:
    """What the testbench of a project prints; `instead` are other texts of some of its sources."""
    files = []
    for path in sources(project):
        if path.name in (instead or {}):
            path = folder / path.name
            path.write_text((instead or {})[path.name], encoding="utf-8")
        files.append(path)
    bench, program = project / "test" / "tb.sv", folder / "tb.vvp"
    compiled = [needs.program("iverilog"), "-g2012", "-s", "tb", "-o", program, *files, bench]
    subprocess.run(compiled, check=True)
    done = subprocess.run(["vvp", "-n", program], capture_output=True, text=True, check=False)
    assert (done.returncode == 0) == done.stdout.startswith("PASS"), done.stdout + done.stderr
    return done.stdout


def test_its_description_has_the_form(project: Path) -> None:
    found = yaml.safe_load((project / "info.yaml").read_text(encoding="utf-8"))
    assert found["yaml_version"] == 6
    described = found["project"]
    for name in ("title", "author", "description", "language"):
        assert described[name], name
    assert "discord" in described
    assert described["clock_hz"] > 0
    assert described["tiles"] in TILES
    assert described["top_module"] == "tt_um_my_aes"
    names = [f"{side}[{k}]" for side in ("ui", "uo", "uio") for k in range(8)]
    assert list(found["pinout"]) == names
    listed = {path.name for path in sources(project)}
    assert listed == {path.name for path in (project / "src").glob("*.sv")}
    page = (project / "docs" / "info.md").read_text(encoding="utf-8")
    assert re.findall("^## (.*)", page, re.M) == [
        *("How it works", "How to test", "External hardware")
    ]


def test_its_configuration_is_that_of_its_clock(project: Path) -> None:
    config = json.loads((project / "src" / "config.json").read_text(encoding="utf-8"))
    found = yaml.safe_load((project / "info.yaml").read_text(encoding="utf-8"))
    assert 1e9 / config["CLOCK_PERIOD"] == found["project"]["clock_hz"]
    assert 0 < config["PL_TARGET_DENSITY_PCT"] < 100


def test_its_top_has_the_ports_of_a_tile(project: Path) -> None:
    text = (project / "src" / "tt_um_my_aes.sv").read_text(encoding="utf-8")
    header = text[text.index("module tt_um_my_aes (") : text.index(");")]
    ports = re.findall(r"(input|output) +wire (?:\[7:0\])? *(\w+)", header)
    wide = re.findall(r"wire \[7:0\] (\w+)", header)
    found = {name: (direction, 8 if name in wide else 1) for direction, name in ports}
    assert found == PORTS


@slow
def test_its_sources_read_without_a_warning(project: Path, tmp_path: Path) -> None:
    verilator.lint(sources(project), "tt_um_my_aes", {})
    files = " ".join(map(str, sources(project)))
    script = [f"read_verilog -sv {files}", "hierarchy -check -top tt_um_my_aes", "proc", "check"]
    yosys.run(script, tmp_path)


def test_the_makefile_plays_the_testbench(project: Path) -> None:
    needs.program("iverilog")
    command = ["make", "-s", "-C", project / "test"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "PASS: 6 blocks" in done.stdout


BROKEN = {
    "bytes enter at the other end": ("{register_q[119:0], ui_in}", "{ui_in, register_q[127:8]}"),
    "the key stays": ("else if (key_q && key_ready) register_q <= '0;", ""),
    "a block starts without a key": ("!busy && keyed_q && !load", "!busy && !load"),
    "a block starts while one is in progress": ("!third_q[2] && !busy", "!third_q[2]"),
    "a strobe acts in each cycle": ("second_q[0] && !third_q[0]", "second_q[0]"),
    "a reset leaves the register": ("      register_q <= '0;\n    end", "    end"),
    "the result is lost": ("if (wait_q && result_valid) register_q <= result;\n      else ", ""),
    "DONE stays low": ("wait_q && result_valid) done_q <= 1'b1", "wait_q && !wait_q) done_q <= 0"),
}


@slow
@pytest.mark.parametrize("fault", BROKEN)
def test_the_testbench_finds_a_fault(fault: str, project: Path, tmp_path: Path) -> None:
    old, new = BROKEN[fault]
    name = "tt_um_my_aes.sv"
    text = (project / "src" / name).read_text(encoding="utf-8")
    assert text.count(old) == 1
    assert "FAIL" in played(project, tmp_path, {name: text.replace(old, new)})


@slow
@pytest.mark.parametrize(
    ("core", "single"),
    [
        ("fan", True),
        ("kakarlapudi-sbox keys=128 direction=decrypt", False),
        ("aesforge-lowcost direction=both", False),
    ],
)
def test_other_cores_fit_the_pins(core: str, single: bool, tmp_path: Path) -> None:
    project = made(tmp_path / "core", core, single)
    assert "PASS" in played(project, tmp_path)


@pytest.mark.parametrize(
    ("core", "words"),
    [
        ("aesforge-nano mode=ctr", "leave out mode=ctr"),
        ("aesforge-nano port=word32", "leave out port=word32"),
        ("kakarlapudi-sbox keys=256", "choose keys=128, not keys=256"),
        ("sklavos-arkl keys=128 key_schedule=loaded", "leave out key_schedule=loaded"),
        ("aesforge-masked", "choose protection=none"),
    ],
)
def test_what_does_not_fit_is_refused(core: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=words):
        made(tmp_path / "core", core)
    assert not (tmp_path / "core").exists()
