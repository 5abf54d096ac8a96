"""Verbs for those who maintain aesforge: search, proofs, mutants, tables."""

from pathlib import Path

import click

from aesforge.cli import show
from aesforge.cli.options import TARGETS_HELP, Document, document, seeds_option, store_option

# search /////////////////////////////////////////////////////////////////////////////////////////


def _show_search(found: Document) -> None:
    {"lean": _show_lean, "shallow": _show_shallow, "gates": _show_gates}[found["sbox"]](found)
    for file in found["files"]:
        click.echo(f"written: {file}")


def _show_lean(found: Document) -> None:
    mapped = found["target"]
    columns = ("w", "z", "y", "LAMBDA", "scale", "XORs", "multiplexers")
    for direction in found["winners"]:
        show.table(
            f"S-boxes for {direction}: the best of each tower",
            (*columns, *(("GE", "LUT", "MHz") if mapped else ())),
            [
                (
                    *(row["config"][name] for name in ("w", "z", "y")),
                    *(str(row[name]) for name in ("lambda", "scale", "xors", "muxes")),
                    *(show.text(row[name]) for name in ("ge", "lut", "fmax_mhz") if mapped),
                )
                for row in found["rows"]
                if row["config"]["direction"] == direction
            ],
        )


def _show_shallow(found: Document) -> None:
    mapped = ("ge", "lut", "fmax_mhz") if found["target"] else ()
    show.table(
        "Bases by seed, best first" + (f"; in {found['rows'][0]['in']}" if mapped else ""),
        (
            "seed",
            "sums",
            "norm bits with three terms",
            "functions",
            *(("GE", "LUT", "MHz") if mapped else ()),
        ),
        [
            (
                row["config"]["seed"],
                *(str(row[name]) for name in ("sums", "third_bits", "functions")),
                *(show.text(row[name]) for name in mapped),
            )
            for row in found["rows"]
        ],
    )


def _show_gates(found: Document) -> None:
    show.table(
        "S-boxes in gates of two inputs and multiplexers",
        ("S-box", "direction", "gates", "inverters", "levels"),
        [
            (
                row["core"],
                row["config"]["direction"],
                *(str(row[name]) for name in ("gates", "inverters", "levels")),
            )
            for row in found["rows"]
        ],
    )


@click.command()
@click.argument("sbox", type=click.Choice(("lean", "shallow", "gates")), default="lean")
@click.option("--target", metavar="NAME", help=f"Map the results on this target: {TARGETS_HELP}")
@click.option(
    "--delay", type=int, default=0, show_default=True, help="Standard cells: ps to size gates for."
)
@click.option("--write", type=click.Path(path_type=Path), help="Write the best as RTL here.")
@store_option("Replace the rows of this JSON lines file.")
@document(_show_search)
def search(
    sbox: str, target: str | None, delay: int, write: Path | None, table: Path | None
) -> Document:
    """Search bases of GF(2^8) for a better S-box.

    lean: towers GF(((2^2)^2)^2) with every scale factor, for few gates; a search shares the XORs
    of their linear layers. It takes about a minute, and twice as long with a target, on which it
    maps the S-boxes of the RTL's tower.

    shallow: quadratic forms and dual bases of GF(2^4), for few gates on a short path, annealed
    from 24 seeds. It takes about two minutes, and twice as long with a target, on which it maps
    each result as part of aesforge-iterative. The best has the highest throughput per area, or
    the smallest area on a target without timing.

    gates: no search; the S-boxes of the RTL are counted in gates of two inputs, to compare them
    with published circuits.

    \b
    Examples:
      aesforge search --target osu018
      aesforge search shallow --target osu018 --delay 6400
    """
    from importlib import import_module

    from aesforge.space.targets import target as named

    on = named(target) if target else None
    if target and on and on.liberty:
        on = named(target, delay)
    found: Document = import_module(f"aesforge.search.{sbox}_search").search(on, write, table)
    return found


# proofs, mutants ////////////////////////////////////////////////////////////////////////////////

_choices = click.argument("choices", metavar="[PRESET] [AXIS=VALUE]...", nargs=-1)


def _show_proofs(found: Document) -> None:
    verdict = "all hold" if found["holds"] else "some FAIL"
    click.echo(
        f"{found['claims']:,} claims on {found['configurations']:,} configurations: {verdict}"
    )


@click.command()
@_choices
@click.option("--again", is_flag=True, help="Prove again what an earlier explorer has proven.")
@click.option(
    "--minutes", type=click.FloatRange(min=0), help="Begin no further proof after this time."
)
@click.option(
    "--engine",
    type=click.Choice(("walk", "cec", "scorr", "induction")),
    default="walk",
    show_default=True,
    help="What proves; without PRESET, all but the walk prove the default of each preset.",
)
@click.option(
    "--restate",
    is_flag=True,
    help="Walk no core; stale rows of unchanged netlists become rows of these sources, and rows "
    "without the claims on pace get them.",
)
@document(_show_proofs)
def proofs(
    choices: tuple[str, ...], again: bool, minutes: float | None, engine: str, restate: bool
) -> Document:
    """Prove every configuration and store the results.

    PRESET and AXIS=VALUE restrict the configurations. Proofs of unchanged sources are skipped. The
    default of each preset is first, then netlists that took least time before for each of their
    configurations. Configurations of one netlist are proven once. The exit code is 1 when a
    claim fails; 'aesforge tables' writes the results into the documents.

    \b
    Examples:
      aesforge proofs
      aesforge proofs fan keys=128
      aesforge proofs --again --minutes 60
      aesforge proofs --restate
      aesforge proofs --engine cec aesforge-iterative keys=128
    """
    from aesforge.flows.proofs import proofs as flow

    return flow(choices, again, minutes, engine, restate)


def _show_mutants(found: Document) -> None:
    counts = [found[f"by_{which}"] for which in ("prove", "verify", "both", "none")]
    click.echo(
        "{:,} mutants of {} cores: {:,} caught by prove, {:,} by verify, {:,} by both, "
        "{:,} by none".format(found["mutants"], found["cores"], *counts)
    )
    for row in found["rows"]:
        for verdict in row["verdicts"]:
            if not verdict["prove"]:
                why = verdict["equivalent"] or verdict["undecided"] or "every claim holds"
                also = f"; verify: {verdict['verify']} fails" * bool(verdict["verify"])
                click.echo(f"  {row['preset']}: {verdict['name']}: {why}{also}")


@click.command()
@click.argument("choices", metavar="[PRESET [AXIS=VALUE]...]", nargs=-1)
@click.option(
    "--count", type=int, default=12, show_default=True, help="Systematic mutants of a core."
)
@click.option("--seed", type=int, default=1, show_default=True, help="Seed of their choice.")
@click.option("--jobs", type=int, default=1, show_default=True, help="Mutants tried at a time.")
@click.option(
    "--blocks",
    type=int,
    default=2_000,
    show_default=True,
    help="Random blocks of a check; a test of a core in make test-full has 2,000.",
)
@click.option(
    "--catalogue/--no-catalogue",
    default=True,
    show_default=True,
    help="Try the faults of formal/faults too.",
)
@document(_show_mutants)
def mutants(
    choices: tuple[str, ...], count: int, seed: int, jobs: int, blocks: int, catalogue: bool
) -> Document:
    """Break cores in many ways and count the faults that are caught.

    Systematic mutants change one bit at one cell of the netlist (Yosys 'mutate'); the faults of
    formal/faults are substitutions in the RTL. 'prove' and 'verify' try each mutant. One that
    passes both is compared with the core by ABC. Without PRESET, every preset is broken.

    Results are stored in results/mutants.jsonl, and 'aesforge tables' writes them into the
    documents. The exit code is 1 when a mutant passes every claim and is not shown to be
    equivalent.

    \b
    Examples:
      aesforge mutants
      aesforge mutants aesforge-iterative --count 40 --seed 2 --no-catalogue
    """
    from aesforge.flows.mutants import mutants as flow

    return flow(choices, count, seed, jobs, blocks, catalogue)


# peers //////////////////////////////////////////////////////////////////////////////////////////


def _show_peers(found: Document) -> None:
    click.echo(
        f"{found['cores']} cores: {found['measured']} mappings measured, {found['stored']} already "
        f"stored, {len(found['failed'])} failed; rows in {found['store']}"
    )
    for one in found["failed"]:
        click.echo(f"  {one['what']}: {one['why']}")


@click.command()
@click.argument(
    "clones", type=click.Path(path_type=Path, exists=True, file_okay=False), metavar="FOLDER"
)
@click.argument("names", metavar="[CORE]...", nargs=-1)
@click.option("--targets", metavar="NAME,...", help="Instead of ecp5, xc7 and osu018.")
@seeds_option
@store_option("The JSON lines file to complete; by default results/peers.jsonl.")
@document(_show_peers)
def peers(
    clones: Path, names: tuple[str, ...], targets: str | None, seeds: int, table: Path | None
) -> Document:
    """Measure other open cores with the flow of our own.

    results/peers.toml names each core with its repository, commit and files. FOLDER has a clone of
    each repository at OWNER/NAME; the commit is read from it, whatever is checked out. Each core is
    mapped whole, and with its tables mapped on their own, as ours are; standard cells for three
    delays. 'aesforge tables' sets the best of each beside a core of ours. Where a core has
    'prepare', these commands are run, scripts of its repository and programs such as GHDL among
    them.

    What is stored is not measured again. The exit code is 1 when a mapping fails.

    \b
    Examples:
      git clone https://github.com/secworks/aes clones/secworks/aes
      aesforge peers clones secworks
      aesforge peers clones --targets osu018
    """
    from aesforge.flows.peers import TARGETS
    from aesforge.flows.peers import peers as flow

    only = [one.strip() for one in targets.split(",")] if targets is not None else TARGETS
    return flow(clones, names, only, seeds, table)


# tables /////////////////////////////////////////////////////////////////////////////////////////


def _show_tables(found: Document) -> None:
    for page in found["pages"]:
        click.echo(f"written: {page}")
    if not found["pages"]:
        click.echo("every generated table is up to date")


@click.command()
@store_option("Take the figures from this JSON lines file.")
@document(_show_tables)
def tables(table: Path | None) -> Document:
    """Write the generated tables in README.md and docs/.

    \b
    Example:
      aesforge tables
    """
    from aesforge.flows.tables import tables as flow

    return flow(table)
