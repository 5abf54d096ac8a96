"""Verbs that compare: papers with their tables and claims, report with everything on one page."""

from pathlib import Path

import click

from aesforge.cli import show
from aesforge.cli.options import Document, document, store_option

# papers /////////////////////////////////////////////////////////////////////////////////////////


def _show_claims_of(paper: Document, only: tuple[bool | None, ...]) -> None:
    marks = {True: "holds", False: "DIFFERS", None: "open"}
    for claim in paper["claims"]:
        if claim["holds"] in only:
            click.echo(f"  {marks[claim['holds']]:<8} {claim['claim']}  [{claim['kind']}]")
            if claim["holds"] is not True:
                for detail in claim["details"]:
                    click.echo(f"             {detail}")


def _show_papers(found: Document) -> None:
    checking = "holds" in found
    for paper in found["papers"]:
        if not checking:
            for table in paper["tables"]:
                _show_paper_table(paper["paper"], table)
        click.echo(f"{paper['paper']}: claims")
        _show_claims_of(paper, (False, None) if checking else (True, False, None))
    if not checking:
        return
    claims = [claim for paper in found["papers"] for claim in paper["claims"]]
    held, differ = (sum(c["holds"] is value for c in claims) for value in (True, False))
    verdict = "all claims of structure hold" if found["holds"] else "claims of structure FAIL"
    click.echo(
        f"{held} of {len(claims)} claims hold; {verdict}; {differ} outcomes differ, "
        f"{len(claims) - held - differ} are not measured"
    )


def _show_paper_table(name: str, table: Document) -> None:
    quantities = [(v["quantity"], v["unit"]) for v in table["rows"][0]["values"]]
    show.table(
        f"{name}, {table['title']}",
        ("", *(f"{unit}: paper, ours, ratio" for _, unit in quantities)),
        [
            (
                row["label"],
                *(
                    f"{show.text(v['paper'])}, {show.text(v['ours'])}, {show.text(v['ratio'])}"
                    + (f" ({v['target']})" if v["target"] and v["ours"] is not None else "")
                    for v in row["values"]
                ),
            )
            for row in table["rows"]
        ],
    )
    click.echo(f"  {table['note']}\n")


@click.command()
@click.option("--paper", metavar="NAME", help="Only the paper of this author.")
@click.option("--check", is_flag=True, help="Check the claims; exit code 1 if structure fails.")
@store_option("Compare with the rows of this JSON lines file.")
@document(_show_papers)
def papers(paper: str | None, check: bool, table: Path | None) -> Document:
    """Compare the tables of the five papers with our measurements.

    Each row shows the ratio of ours to theirs, the target that replaces their device, and what is
    not comparable. --json adds the papers' graphs with our points, which 'aesforge report' draws.
    With --check only claims are shown: claims of structure (cycles, counts, orderings) must hold,
    and outcomes that differ are listed.

    \b
    Examples:
      aesforge papers --paper bulens
      aesforge papers --check
    """
    from aesforge.flows.papers import papers as flow
    from aesforge.results import store

    return flow(store.measured(table), paper, check)


# report /////////////////////////////////////////////////////////////////////////////////////////


def _show_report(found: Document) -> None:
    size = found["bytes"] / 1e6
    click.echo(f"{found['output']}: {found['points']:,} points, {size:.1f} MB, one file")


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
