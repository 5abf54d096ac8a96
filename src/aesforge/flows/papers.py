"""Compare the papers' tables and claims with what is measured here."""

from collections.abc import Sequence
from typing import Any

from aesforge.errors import unknown
from aesforge.results import store
from aesforge.results.comparison import compare
from aesforge.results.comparison import papers as known


def papers(rows: Sequence[store.Row], paper: str | None, check: bool) -> dict[str, Any]:
    """All papers, or those whose authors include `paper`; with `check`, whether claims hold."""
    document = compare(rows, paper)
    if not document["papers"]:
        raise unknown("paper", paper or "", [one["paper"] for one in known()])
    return {**document, "holds": document["sound"]} if check else document
