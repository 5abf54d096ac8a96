"""Documents say what is true: generated parts are fresh, and examples run."""

import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import needs
import pytest
from click import Context
from suite import slow
from test_house import BELOW

from aesforge.cli.main import cli
from aesforge.core import sources
from aesforge.flows import sweep
from aesforge.results import documents, store
from aesforge.space.presets import presets

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])


def test_no_generated_part_is_stale() -> None:
    for page, text in documents.documents(store.path()).items():
        assert page.read_text(encoding="utf-8") == text, f"'aesforge tables' would change {page}"


def test_make_measure_makes_every_shipped_row() -> None:
    """One of a point that is not in the space would stay as it is when its sources change."""
    points = {store.point(point.row) for point in sweep.space(ROOT / "results" / "space.toml")}
    rows = store.load(store.path())
    assert [store.point(row) for row in rows if store.point(row) not in points] == []


def test_every_proof_that_was_run_holds() -> None:
    for row in store.load(store.path("proven")):
        assert row["holds"], row


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_links_lead_somewhere(page: Path) -> None:
    # The site adds the report when it is built; a host adds the runs of a workflow and their badge.
    for target in re.findall(r"\]\((?!http)([^)#]+)", page.read_text(encoding="utf-8")):
        workflow = re.fullmatch(r"\.\./\.\./actions/(workflows/\w+\.yml)(/badge\.svg)?", target)
        place = ROOT / ".github" / workflow[1] if workflow else page.parent / target
        assert target == "report.html" or place.exists(), target


def test_the_comment_of_a_port_has_all_its_lines() -> None:
    """One of two lines stands above the register accesses; its pages once had the second alone."""
    meanings = {name: said for _direction, _width, name, said in sources.ports("aes_registers")}
    said = meanings["reg_valid_i"]
    assert said.startswith("Register access: address in bytes")
    assert said.endswith("next one")
    assert said == meanings["reg_error_o"]


def test_every_verb_has_help_with_an_example() -> None:
    context = Context(cli)
    for name in cli.list_commands(context):
        command = cli.get_command(context, name)
        assert command
        assert f"aesforge {name}" in (command.help or ""), name


def test_the_readme_is_short_enough_for_a_newcomer() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) < 120


def test_the_readme_builds_configurations_that_exist() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    cores = re.findall(r"^\| [^|]+ \| `([^`]+)` \| \w+(?:: [\w-]+)? \|", text, re.MULTILINE)
    cores += re.findall(r"aesforge build ([a-z]\S*(?: \w+=\w+)+)", text)
    assert len(cores) > 8
    for name, *choices in map(str.split, cores):
        presets()[name].configure(choices)


def test_the_readme_names_only_verbs_and_presets_that_exist() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for verb, preset in re.findall(r"^aesforge (\w+)(?: ([a-z]+-[a-z-]+))?", text, re.MULTILINE):
        assert verb in cli.list_commands(Context(cli))
        assert not preset or preset in presets()


@pytest.mark.parametrize("name", ["my_aes", pytest.param("my_gcm", marks=slow)])
def test_the_bundles_of_the_readme_pass_their_testbench(name: str, tmp_path: Path) -> None:
    needs.iverilog()
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    (build,) = re.findall(rf"^aesforge (build .*--name {name} .*)$", text, re.MULTILINE)
    (simulate,) = re.findall(rf"^(cd .*{name}_tb.*vvp sim)", text, re.MULTILINE)
    for command in (f"{sys.executable} -m aesforge.cli.main {build}", simulate):
        done = subprocess.run(
            command, shell=True, cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("PASS")


FOREIGN = "told|tells|heeded|heeds"
WORDS = rf"\b({FOREIGN}|forget|forgets|party|parties|c-slowed)\b"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_pages_use_the_words_of_a_datasheet(page: Path) -> None:
    found = re.findall(WORDS, page.read_text(encoding="utf-8"), re.IGNORECASE)
    assert found == [], f"{page}: write 'selected', 'reported', 'used only when', 'clears', 'batch'"


def test_sources_and_tests_use_these_words_too() -> None:
    """Comments and names."""
    kinds = (
        "src/**/*.py",
        "src/**/*.cpp",
        "src/**/*.h",
        "tests/**/*.py",
        "rtl/**/*.sv*",
        "formal/**/*.sv",
        "formal/**/*.toml",
    )
    for path in {path for kind in kinds for path in ROOT.glob(kind)} - {Path(__file__)}:
        text = path.read_text(encoding="utf-8")
        found = re.findall(rf"(?<![a-z])(?:{FOREIGN})(?![a-z])", text, re.IGNORECASE)
        assert found == [], path


def test_pages_name_only_modules_that_exist() -> None:
    known = {path.stem for path in [*ROOT.glob("rtl/*/*.sv"), *ROOT.glob("formal/*.sv")]}
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        found = set(re.findall(r"`(aes_[a-z0-9_]+)`", text)) - {"aes_key_"}
        assert found <= known, page


# The diagrams of docs/architecture.md ------------------------------------------------------------

# Modules that import from a package that the diagram does not show below theirs.
AGAINST = {
    ("core.bundle", "sim"),
    ("core.packet_bundle", "sim"),
    ("core.shares_bundle", "sim"),
    ("core.tinytapeout", "sim"),
    ("core.software", "sim"),
    ("proof.proofs", "flows"),
    ("results.documents", "proof"),
    ("results.mutants", "proof"),
    ("results.tables", "flows"),
    ("results.tables", "search"),
}
BASE = {"errors", "cache", "progress"}


def diagram(heading: str) -> dict[str, set[str]]:
    """The arrows of the diagram under a heading: what each node points to."""
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    drawn = text.split(f"## {heading}", 1)[1].split("```mermaid\n", 1)[1].split("```", 1)[0]
    arrows: dict[str, set[str]] = {}
    for line in re.sub(r'\["[^"]*"\]', "", drawn).splitlines():
        groups = [re.findall(r"\w+", part) for part in line.split("-->")]
        for above, below in pairwise(groups):
            for node in above:
                arrows.setdefault(node, set()).update(below)
    return arrows


def below(arrows: dict[str, set[str]], node: str) -> set[str]:
    found, todo = set[str](), [node]
    while todo:
        new = arrows.get(todo.pop(), set()) - found
        found |= new
        todo += new
    return found


def test_diagram_of_the_rtl_shows_the_layers() -> None:
    arrows = diagram("Layers of the RTL")
    assert {*arrows, *arrows["field"]} == set(BELOW)
    for layer, allowed in BELOW.items():
        assert set(allowed) <= below(arrows, layer), layer
        assert arrows.get(layer, set()) <= set(allowed), layer


def test_packages_import_what_their_diagram_shows() -> None:
    arrows = diagram("Python packages")
    package = ROOT / "src" / "aesforge"
    against = set()
    for path in package.glob("*/*.py"):
        name = path.parent.name
        text = path.read_text(encoding="utf-8")
        for module in re.findall(r"^ *(?:from|import) aesforge\.([\w.]+)", text, re.MULTILINE):
            used = "sources" if module == "core.sources" else module.partition(".")[0]
            if used not in below(arrows, name) | {name} | BASE:
                against.add((f"{name}.{path.stem}", used))
    assert against == AGAINST
