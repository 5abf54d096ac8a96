"""Projects of a bundle. The tools are not here: Tcl runs the scripts and records the commands."""

import json
import re
import shutil
import sys
from pathlib import Path

import needs
import pytest
from suite import slow
from test_build import run
from test_bundles import bundle, listed

from aesforge.core.bundle import PROJECTS

TOP = "my_aes"

# Every command that Tcl does not have is one of the tool: it is printed, a word in each line.
STUBS = """
rename package {}
proc package args {}
proc wait_on_run args {}
proc unknown args {
  puts "> [lindex $args 0]"
  foreach word [lrange $args 1 end] { puts "  $word" }
}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("projects") / "core"
    bundle("aesforge-nano", made, TOP)
    return made


def commands(folder: Path, tool: str, *arguments: str) -> list[list[str]]:
    """What a script asks the tool for: the words of each command."""
    (folder / "stubs.tcl").write_text(STUBS, encoding="utf-8")
    script = f"projects/{tool}.tcl"
    given = " ".join(f"{{{word}}}" for word in arguments)
    started = f"source stubs.tcl; set argv {{{given}}}; set argc {len(arguments)}; "
    if tool == "quartus":
        started += f"set quartus(args) {{{given}}}; "
    (folder / "start.tcl").write_text(f"{started}source {script}\n", encoding="utf-8")
    done = run(needs.tclsh(), "start.tcl", cwd=folder)
    assert done.returncode == 0, done.stdout
    return [found.split("\n  ") for found in done.stdout.rstrip().removeprefix("> ").split("\n> ")]


ADDS = {
    "vivado": ("add_files", r"\.sv$"),
    "quartus": ("set_global_assignment", r"\.sv$"),
    "radiant": ("prj_add_source", r"\.sv$"),
    "gowin": ("add_file", r"\.sv$"),
}


@pytest.mark.parametrize("tool", PROJECTS)
def test_a_project_reads_all_sources_in_order(tool: str, folder: Path) -> None:
    asked = commands(folder, tool)
    adds, kind = ADDS[tool]
    added = [Path(words[-1]) for words in asked if words[0] == adds and re.search(kind, words[-1])]
    assert added == listed(folder, TOP)
    assert any(TOP in words for words in asked if adds not in words)
    for words in asked:
        for word in words:
            if re.search(r"\.(sv|sdc|xdc)$", word):
                assert Path(word).is_file(), word
    assert any(re.search(r"constraints/.*dc$", word) for words in asked for word in words)


def test_a_device_is_an_argument(folder: Path) -> None:
    (made,) = (w for w in commands(folder, "vivado", "xc7k70t") if w[0] == "create_project")
    assert made[made.index("-part") + 1] == "xc7k70t"
    asked = commands(folder, "quartus", "Arria 10", "10AX")
    assert ["set_global_assignment", "-name", "FAMILY", "Arria 10"] in asked
    assert ["set_global_assignment", "-name", "DEVICE", "10AX"] in asked


def test_openlane_has_all_sources_in_order(folder: Path) -> None:
    found = json.loads((folder / "projects" / "openlane.json").read_text(encoding="utf-8"))
    assert (found["DESIGN_NAME"], found["CLOCK_PORT"], found["CLOCK_PERIOD"]) == (TOP, "clk_i", 10)
    place = folder / "projects"
    named = [place / name.removeprefix("dir::") for name in found["VERILOG_FILES"]]
    assert [path.resolve() for path in named] == [path.resolve() for path in listed(folder, TOP)]


def test_a_missing_brace_is_found(folder: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    shutil.copytree(folder, broken)
    script = broken / "projects" / "gowin.tcl"
    script.write_text(script.read_text(encoding="utf-8").replace("} {", "{", 1), encoding="utf-8")
    with pytest.raises(AssertionError):
        commands(broken, "gowin")


@slow
def test_fusesoc_synthesizes_a_bundle(folder: Path, tmp_path: Path) -> None:
    needs.program("yosys")
    fusesoc = (sys.executable, "-m", "fusesoc.main", "--cores-root", str(folder), "run")
    vlnv = re.search(r"name: (\S+)", (folder / f"{TOP}.core").read_text(encoding="utf-8"))
    assert vlnv is not None
    done = run(*fusesoc, "--target=synth", vlnv[1], cwd=tmp_path, XDG_DATA_HOME=str(tmp_path))
    assert done.returncode == 0, done.stdout[-2000:]
    assert next(tmp_path.rglob("*.json"), None) or next(tmp_path.rglob("*.blif"), None)
