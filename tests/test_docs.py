"""Documents say what is true: generated parts are fresh, and examples run."""

import re
from pathlib import Path

import pytest
from click import Context

from aesforge.cli.main import cli
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
    # The site adds the report when it is built.
    for target in re.findall(r"\]\((?!http)([^)#]+)", page.read_text(encoding="utf-8")):
        assert target == "report.html" or (page.parent / target).exists(), target


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


WORDS = r"\b(told|tells|heeded|heeds|forget|forgets|party|parties|c-slowed)\b"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_pages_use_the_words_of_a_datasheet(page: Path) -> None:
    found = re.findall(WORDS, page.read_text(encoding="utf-8"), re.IGNORECASE)
    assert found == [], f"{page}: write 'selected', 'reported', 'used only when', 'clears', 'batch'"


def test_pages_name_only_modules_that_exist() -> None:
    known = {path.stem for path in [*ROOT.glob("rtl/*/*.sv"), *ROOT.glob("formal/*.sv")]}
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        found = set(re.findall(r"`(aes_[a-z0-9_]+)`", text)) - {"aes_key_"}
        assert found <= known, page
