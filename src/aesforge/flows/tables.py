"""Write the generated parts of README.md and docs/."""

from pathlib import Path
from typing import Any

from aesforge.results import store
from aesforge.results.documents import ROOT, documents


def tables(table: Path | None) -> dict[str, Any]:
    """Write every page whose generated part changed, with figures of `table` or the shipped rows.

    All pages are made before the first is written.
    """
    changed = [
        (page, text)
        for page, text in documents(table or store.path()).items()
        if page.read_text(encoding="utf-8") != text
    ]
    for page, text in changed:
        page.write_text(text, encoding="utf-8")
    return {"pages": [str(page.relative_to(ROOT)) for page, _ in changed]}
