"""What MkDocs cannot do by itself: draw diagrams and waveforms, and add the report.

A fenced block `mermaid` or `wavejson` becomes an SVG file while the site is built, so that a page
needs neither a script nor the network. Drawings are kept in build/diagrams by their text.
"""

import hashlib
import json
import posixpath
import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import mermaidx
import wavedrom
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from aesforge.flows.report import report
from aesforge.results import store

KEPT = Path("build/diagrams")
FENCE = re.compile(r"^```(mermaid|wavejson)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
FRAME = "https://unpkg.com/iframe-worker/shim"
LINK = re.compile(r"\[([^\]]+)\]\((\.\./[^)]+)\)")


def _name(kind: str, text: str) -> str:
    return f"diagrams/{hashlib.sha256(f'{kind} {text}'.encode()).hexdigest()[:16]}.svg"


def _drawn(kind: str, text: str) -> str:
    """The SVG of a diagram or waveform, which has its foot below it as text."""
    kept = KEPT / Path(_name(kind, text)).name
    if not kept.is_file():
        if kind == "mermaid":
            svg = mermaidx.render(text).svg()
            width, height = re.findall(r'viewBox="\S+ \S+ (\S+) (\S+)"', svg)[0]
            svg = svg.replace('width="100%"', f'width="{width}" height="{height}"', 1)
        else:
            wave = {key: value for key, value in json.loads(text).items() if key != "foot"}
            svg = wavedrom.render(json.dumps(wave)).tostring()
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(svg, encoding="utf-8")
    return kept.read_text(encoding="utf-8")


def on_files(files: Files, config: Any) -> Files:
    """Add the drawings of all pages, and the report."""
    for page in list(files.documentation_pages()):
        for kind, text in FENCE.findall(page.content_string):
            name = _name(kind, text)
            if files.get_file_from_path(name) is None:
                files.append(File.generated(config, name, content=_drawn(kind, text)))
    with TemporaryDirectory() as folder:
        page = Path(folder) / "report.html"
        report(store.load(store.path()), page)
        files.append(File.generated(config, "report.html", content=page.read_text("utf-8")))
    return files


def on_page_markdown(markdown: str, page: Page, config: Any, files: Files) -> str:
    """Show the drawings in place of their text, and name files outside docs/ without a link."""
    folder = posixpath.dirname(page.file.src_uri)
    if page.is_homepage or folder == "tables":
        page.meta["hide"] = ["toc"]  # More room for wide tables.

    def image(fence: re.Match[str]) -> str:
        kind = "diagram" if fence[1] == "mermaid" else "waveform"
        path = posixpath.relpath(_name(fence[1], fence[2]), folder or ".")
        foot = json.loads(fence[2]).get("foot", {}).get("text", "") if kind == "waveform" else ""
        drawn = f"![{kind} of {page.title or page.file.name}]({path}){{ .{kind} }}"
        return f"{drawn}\n\n*{foot}.*" if foot else drawn

    def outside(link: re.Match[str]) -> str:
        inside = not posixpath.normpath(posixpath.join(folder, link[2])).startswith("..")
        return link[0] if inside else link[1]

    return LINK.sub(outside, FENCE.sub(image, markdown))


def on_post_page(output: str, page: Page, config: Any) -> str:
    """Load the frame that search needs without a server from the site, not from the network."""
    folder = posixpath.dirname(page.file.dest_uri)
    return output.replace(FRAME, posixpath.relpath("worker.js", folder or "."))


def on_post_template(output: str, template_name: str, config: Any) -> str:
    """The same for a page that is no Markdown file."""
    return output.replace(FRAME, "worker.js")
