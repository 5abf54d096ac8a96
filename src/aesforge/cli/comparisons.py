"""Verbs that compare: papers with their tables and claims, report with everything on one page."""

import textwrap
from collections import Counter
from pathlib import Path

import click

from aesforge.cli import show
from aesforge.cli.options import Document, document, store_option

# papers /////////////////////////////////////////////////////////////////////////////////////////

_WIDTH = 100


def _wrapped(text: str, indent: int = 0, first: str = "") -> None:
    lead = first.ljust(indent)
    for line in textwrap.wrap(text, _WIDTH - indent) or [""]:
        click.echo(f"{lead}{line}".rstrip())
        lead = " " * indent


def _show_claims(paper: Document) -> None:
    click.echo(f"{paper['paper']}: claims")
    given: set[str] = set()
    for claim in paper["claims"]:
        # What has to hold is marked; the rest may depend on tools and devices.
        must = "*" if claim["kind"] == "structure" else ""
        _wrapped(f"{claim['where']}: {claim['claim']}", 11, f"  {claim['verdict']}{must}")
        if claim["found"]:
            _wrapped(f"here: {claim['found']}", 11)
        if claim["reason"]:
            _wrapped("(reason as above)" if claim["reason"] in given else claim["reason"], 11)
            given.add(claim["reason"])


def _show_summary(papers: list[Document]) -> None:
    names = ("complete", "systems", "reproduced", "tables", "hold", "differ", "open", "others")
    rows = []
    for paper in papers:
        has = paper["summary"]
        pairs = [f"{has[a]} of {has[b]}" for a, b in zip(names[:4:2], names[1:4:2], strict=True)]
        rows.append(
            (f"{paper['paper']} ({paper['name']})", *pairs, *(str(has[n]) for n in names[4:]))
        )
    show.table(
        "",
        ("paper", "systems", "tables", "claims hold", "differ", "open", "n/a"),
        rows,
        width=_WIDTH,
        numbers=True,
    )


def _show_differing(papers: list[Document]) -> None:
    for paper in papers:
        differing = [claim for claim in paper["claims"] if claim["verdict"] == "differs"]
        if differing:
            click.echo(f"{paper['paper']}: claims that differ")
        for claim in differing:
            _wrapped(f"{claim['where']}: {claim['claim']}", 4, "  -")
            _wrapped(f"here: {claim['found']}", 4)


def _show_table(table: Document, paper: Document) -> None:
    from aesforge.results.comparison import layout

    made = layout(table)
    show.table(
        f"{paper['paper']}, {table['title']}", made.head, made.lines, width=_WIDTH, numbers=True
    )
    if made.ours:
        _wrapped(f"Ours: {made.ours}")
    for note in filter(None, (table["note"], paper["note"])):
        _wrapped(note)


def _show_paper(paper: Document) -> None:
    _wrapped(f"{paper['paper']}: {paper['title']}")
    click.echo()
    _wrapped(paper["built"])
    click.echo("\nSystems, each with the command that shows ours")
    for system in paper["systems"]:
        _wrapped(f"{system['figure']}: {system['system']}", 4, "  -")
        _wrapped(system["command"], 4)
        if system["missing"]:
            _wrapped(f"not complete: {system['missing']}", 4)
    click.echo(f"\nTables, for 'aesforge papers {paper['name']} NAME'")
    width = max(len(table["name"]) for table in paper["tables"]) + 4
    for table in paper["tables"]:
        _wrapped(table["title"], width, f"  {table['name']}")
    click.echo()
    _show_claims(paper)


def _show_papers(found: Document) -> None:
    papers = found["papers"]
    if "holds" in found:
        for paper in papers:
            _show_claims(paper)
            click.echo()
        verdict = "hold" if found["holds"] else "do NOT all hold"
        total = Counter(claim["verdict"] for paper in papers for claim in paper["claims"])
        counts = ", ".join(f"{total[name]} {name}" for name in ("holds", "differs", "open", "n/a"))
        click.echo(f"{counts}; claims of structure (*) {verdict}")
    elif "table" in found:
        _show_table(found["table"], papers[0])
    elif len(papers) == 1:
        _show_paper(papers[0])
    else:
        _show_summary(papers)
        _show_differing(papers)
        click.echo(
            "\n'aesforge papers NAME' shows one paper, 'aesforge papers NAME TABLE' a table of it,"
            "\n'aesforge papers --check' every claim; docs/papers.md has all of it."
        )


@click.command()
@click.argument("paper", required=False)
@click.argument("table_name", required=False, metavar="[TABLE]")
@click.option("--check", is_flag=True, help="Check the claims; exit code 1 if structure fails.")
@store_option("Compare with the rows of this JSON lines file.")
@document(_show_papers)
def papers(paper: str | None, table_name: str | None, check: bool, table: Path | None) -> Document:
    """Compare the systems, tables and claims of the five papers with our measurements.

    PAPER is bulens, fan, hodjat, kakarlapudi or sklavos. Without it a summary of all papers is
    shown: systems built, tables reproduced, claims that hold and claims that differ. With it, one
    paper: its systems with the commands that show ours, its tables and its claims. TABLE is a name
    of that list: below each row of the paper is ours, and their ratio.

    --check has a line for each claim with what is found here. Claims marked * are of structure
    (cycles, counts, orderings) and must hold; others may differ with tools and devices; 'open' is
    not measured, and 'n/a' is about designs without sources or devices without an open placer.
    --json adds the papers' graphs with our points, which 'aesforge report' draws.

    \b
    Examples:
      aesforge papers
      aesforge papers fan
      aesforge papers fan table-iv
      aesforge papers --check
    """
    from aesforge.flows.papers import papers as flow
    from aesforge.results import store

    return flow(store.measured(table), paper, table_name, check)


# report /////////////////////////////////////////////////////////////////////////////////////////


def _show_report(found: Document) -> None:
    points = f"{found['points']:,} measured points and {found['peers']:,} of other open cores"
    click.echo(f"{found['output']}: {points}, {found['bytes'] / 1e6:.1f} MB, one file")


@click.command()
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), help="HTML file.")
@store_option("Show the rows of this JSON lines file.")
@document(_show_report)
def report(output: Path, table: Path | None) -> Document:
    """Write one self-contained page with every measured point.

    It shows throughput against area on each target with the Pareto front, filters by axis, the
    command, documents and evidence of each point, the papers' tables and graphs, and other open
    cores. It works offline.

    \b
    Example:
      aesforge report -o aes.html
    """
    from aesforge.flows.report import report as flow
    from aesforge.results import store

    return flow(store.measured(table), output)
