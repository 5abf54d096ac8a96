"""Compare the papers' systems, tables and claims with what is measured here."""

from collections.abc import Sequence
from typing import Any

from aesforge.errors import UserError, unknown
from aesforge.results import store
from aesforge.results.comparison import compare
from aesforge.results.comparison import papers as known


def papers(
    rows: Sequence[store.Row], paper: str | None, name: str | None, check: bool
) -> dict[str, Any]:
    """All papers, or those whose name or authors include `paper`.

    `table` is the one named `name`; with `check`, `holds` is whether claims of structure do.
    """
    document = compare(rows, paper)
    found = document["papers"]
    if not found:
        raise unknown("paper", paper or "", [one["name"] for one in known()])
    if check:
        return {**document, "holds": document["sound"]}
    if name is None:
        return document
    if len(found) > 1:
        names = ", ".join(one["name"] for one in found)
        raise UserError(f"'{paper}' is {names}; name one of them before the table")
    tables = {table["name"]: table for table in found[0]["tables"]}
    if name not in tables:
        raise unknown(f"table of {found[0]['name']}", name, list(tables))
    return {**document, "table": tables[name]}
