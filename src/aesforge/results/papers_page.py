"""The page docs/papers.md: systems, tables and claims of each paper, from the stored rows."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from aesforge.results import store
from aesforge.results.comparison import compare, layout


def lines(head: Sequence[str], body: Sequence[Sequence[object]], numbers: bool = True) -> list[str]:
    """A Markdown table; with `numbers`, all columns but the first are aligned to the right."""
    rows = [f"| {' | '.join(map(str, cells))} |" for cells in (head, *body)]
    rule = "--:" if numbers else "---"
    return [rows[0], f"|---{f'|{rule}' * (len(head) - 1)}|", *rows[1:]]


def table(found: Mapping[str, Any]) -> list[str]:
    """A table of a paper: each row of the paper, ours below it, and the ratio."""
    made = layout(found)
    if not made.lines:
        return ["Not measured."]
    text = lines(made.head, made.lines)
    if made.ours:
        text += ["", f"Ours: `{made.ours.replace(' on ', '` on ', 1)}".rstrip("`") + "."]
        if " on " not in made.ours:
            text[-1] = f"Ours: `{made.ours}`."
    return [*text, *(["", found["note"]] if found["note"] else [])]


def _paper(found: Mapping[str, Any]) -> Iterator[str]:
    yield f"## {found['paper']}: {found['title']}"
    yield found["built"]
    systems = [
        [
            system["figure"],
            system["system"],
            system["ours"].strip()
            + (f" **Not complete:** {system['missing']}." if system["missing"] else ""),
            f"`{system['command']}`",
        ]
        for system in found["systems"]
    ]
    head = ["figure", "system", "ours", "shown by"]
    yield "\n".join(lines(head, systems, numbers=False))
    yield found["note"]
    for one in found["tables"]:
        yield f"### {found['paper']}, {one['title'][0].lower()}{one['title'][1:]}"
        yield "\n".join(table(one))
    yield f"### {found['paper']}, claims"
    claims = [
        [
            claim["where"],
            claim["claim"],
            claim["kind"],
            claim["verdict"] if claim["holds"] is not False else f"**{claim['verdict']}**",
            " ".join(
                filter(None, [f"{claim['found']}." if claim["found"] else "", claim["reason"]])
            ),
        ]
        for claim in found["claims"]
    ]
    yield "\n".join(lines(["place", "claim", "kind", "verdict", "here"], claims, numbers=False))


def page(rows: Sequence[store.Row]) -> str:
    """The summary of all papers, and a section for each."""
    papers = compare(rows)["papers"]
    head = [
        "paper",
        "systems complete",
        "tables reproduced",
        "claims hold",
        "differ",
        "open",
        "n/a",
    ]
    body = []
    for paper in papers:
        has = paper["summary"]
        body.append(
            [
                paper["paper"],
                f"{has['complete']} of {has['systems']}",
                f"{has['reproduced']} of {has['tables']}",
                *(has[name] for name in ("hold", "differ", "open", "others")),
            ]
        )
    return "\n\n".join(
        ["\n".join(lines(head, body)), *(part for paper in papers for part in _paper(paper))]
    )
