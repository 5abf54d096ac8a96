"""The documentation site builds, has its drawings, and needs no network to be read."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from suite import slow

# The drawings of a fresh clone take most of the time.
pytestmark = slow

ROOT = Path(__file__).resolve().parents[1]
DRAWING = re.compile(r"^```(?:mermaid|wavejson)$", re.MULTILINE)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built strictly: a broken link or anchor is an error."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet"]
    done = subprocess.run(
        [*command, "--site-dir", str(folder)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_every_page_is_in_the_menu(site: Path) -> None:
    menu = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    pages = [path.relative_to(ROOT / "docs") for path in (ROOT / "docs").rglob("*.md")]
    assert [page for page in pages if f": {page}" not in menu] == []


def test_every_drawing_is_an_image(site: Path) -> None:
    for page in (ROOT / "docs").rglob("*.md"):
        made = (site / page.relative_to(ROOT / "docs")).with_suffix(".html")
        shown = re.findall(r'<img[^>]* src="([^"]*diagrams/[^"]*)"', made.read_text("utf-8"))
        assert len(shown) == len(DRAWING.findall(page.read_text(encoding="utf-8"))), page
        for source in shown:
            # One that failed is as good as empty.
            assert (made.parent / source).read_text(encoding="utf-8").count("<path") > 5, page


def test_it_loads_nothing_from_the_network(site: Path) -> None:
    loaded = re.compile(r'<(?:script|link|img|iframe)[^>]* (?:src|href)="(?:https?:)?//[^"]*"')
    for page in site.rglob("*.html"):
        found = loaded.findall(page.read_text(encoding="utf-8"))
        assert [tag for tag in found if 'rel="canonical"' not in tag] == [], page


def test_the_report_is_part_of_it(site: Path) -> None:
    assert "plotly" in (site / "report.html").read_text(encoding="utf-8")
    assert 'href="report.html"' in (site / "index.html").read_text(encoding="utf-8")
