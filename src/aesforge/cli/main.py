"""The command line: parsing and printing. What a verb does is in `aesforge.flows`.

Exit codes: 0 done, 1 a check failed, 2 bad input, 3 a needed tool is missing.
"""

import json
import sys
from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import Any

import click

from aesforge.errors import UserError
from aesforge.space.promises import promised

AXES_HELP = "AXIS=VALUE settles a free axis of the preset, such as keys=128; see 'aesforge list'."

Document = dict[str, Any]


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="aesforge", message="aesforge %(version)s")
def cli() -> None:
    """AES hardware cores to order: built, proven and measured.

    Choose a preset with 'aesforge list', then give it to the other commands.

    \b
    Examples:
      aesforge list
      aesforge build kakarlapudi-sbox keys=128 direction=encrypt -o my_core
      aesforge synth kakarlapudi-sbox keys=128 --target ecp5
    """


def _core(verb: Callable[..., Document]) -> Callable[..., Document]:
    """Give a verb its PRESET and AXIS=VALUE arguments as `preset` and `config`."""

    @click.argument("preset", metavar="PRESET")
    @click.argument("axes", metavar="[AXIS=VALUE]...", nargs=-1)
    @wraps(verb)
    def command(preset: str, axes: Sequence[str], **options: Any) -> Document:
        from aesforge.space.presets import preset as named

        chosen = named(preset)
        return verb(chosen, chosen.configure(axes), **options)

    return command


def _json(show: Callable[[Document], None]) -> Callable[..., Callable[..., None]]:
    """Give a verb its --json option; without it, `show` prints the document for people.

    A document whose `holds` is false, or of what is `too_large`, ends in exit code 1.
    """

    def decorate(verb: Callable[..., Document]) -> Callable[..., None]:
        @click.option("--json", "as_json", is_flag=True, help="Print one JSON document on stdout.")
        @wraps(verb)
        def command(*args: Any, as_json: bool, **options: Any) -> None:
            document = verb(*args, **options)
            if as_json:
                click.echo(json.dumps(document, indent=2))
            else:
                show(document)
            if not document.get("holds", True) or document.get("too_large"):
                sys.exit(1)

        return command

    return decorate


def _table(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table

    table = Table(title=title, box=box.SIMPLE, title_justify="left")
    for name in columns:
        table.add_column(name, overflow="fold")
    for row in rows:
        table.add_row(*row)
    # A pipe has no width of its own; wide enough that no row of ours folds.
    Console(width=None if sys.stdout.isatty() else 140, highlight=False, markup=False).print(table)


def _text(value: object, unit: str = "") -> str:
    return "-" if value is None else f"{value:,}{unit}" if isinstance(value, int) else f"{value}"


def _axes(config: dict[str, str]) -> str:
    return " ".join(f"{axis}={value}" for axis, value in config.items())


def _store_option(text: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    return click.option("--store", "table", type=click.Path(path_type=Path), help=text)


_TARGETS_HELP = (
    "ecp5, gatemate, gowin, ice40, nexus (placed); xc7, xc5v, xc4v, xc3s, xc3se, xcv "
    "(synthesized); osu018 (standard cells, timed), osu018_gated (the same, with clocks that stop)."
)


# list ///////////////////////////////////////////////////////////////////////////////////////////


def _show_list(document: Document) -> None:
    from aesforge.space.axes import Config
    from aesforge.space.presets import presets

    _table(
        "Presets; of each free axis the first value is the default",
        ("preset", "what it is", "source", "free axes", "clocks: latency, block, key setup"),
        [
            (
                row["preset"],
                row["summary"],
                row["source"],
                "\n".join(f"{axis}={'|'.join(v)}" for axis, v in row["free"].items()),
                "\n".join(
                    f"{bits}: {p['latency']}, {p['cycles_per_block']:g}, {p['key_setup']}"
                    for bits, p in row["promises"].items()
                ),
            )
            for row in document["presets"]
        ],
    )
    if document["measured"]:
        _table(
            "Measured cost: the smallest of each, 'aesforge choose' has more, --json has all",
            ("preset", "axes", "target", "LUT", "GE", "FF", "BRAM", "MHz", "Mb/s"),
            [
                (
                    row["preset"] or row["core"],
                    presets()[row["preset"]].choices(Config(**row["config"]))
                    if row["preset"]
                    else _axes(row["config"]),
                    row["target"],
                    *(_text(row[name]) for name in ("lut", "ge", "ff", "bram")),
                    _text(row["fmax_mhz"]),
                    _text(row["throughput_mbps"]),
                )
                for row in _smallest(document["measured"])
            ],
        )


def _smallest(rows: Sequence[Document]) -> list[Document]:
    """Of each preset the smallest row on the first target that is timed and has one."""
    order = {name: place for place, name in enumerate(("ecp5", "osu018"))}
    found: dict[str, Document] = {}
    for row in rows:
        area = row["lut"] if row["ge"] is None else row["ge"]
        if area is None:
            continue
        name, rank = row["preset"] or row["core"], (order.get(row["target"], 9), area)
        if name not in found or rank < found[name]["rank"]:
            found[name] = {**row, "rank": rank}
    return list(found.values())


@cli.command("list")
@_json(_show_list)
def list_() -> Document:
    """List the presets: axes, promised clocks and measured cost.

    \b
    Example:
      aesforge list --json
    """
    from dataclasses import asdict

    from aesforge.results import store
    from aesforge.space.presets import presets

    return {
        "presets": [
            {
                "preset": preset.name,
                "summary": preset.summary,
                "source": preset.source,
                "config": preset.config.as_dict(),
                "fixed": dict(preset.fixed),
                "free": {axis: list(preset.legal(axis)) for axis in preset.free},
                "promises": {
                    str(bits): {
                        **asdict(promised(preset.config, bits)),
                        "cycles_per_block": promised(preset.config, bits).cycles_per_block,
                    }
                    for bits in preset.config.key_sizes
                },
            }
            for preset in presets().values()
        ],
        "measured": [
            {field: row.get(field) for field in ("core", *store.FIELDS)}
            for row in store.measured()
            if row["preset"] is not None or store.is_foreign(row)
        ],
    }


# build //////////////////////////////////////////////////////////////////////////////////////////


def _show_build(document: Document) -> None:
    click.echo(f"{document['top']}: {len(document['files'])} files in {document['folder']}")
    for name in document["files"]:
        click.echo(f"  {name}")


@cli.command(epilog=AXES_HELP)
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), help="Folder.")
@click.option("--force", is_flag=True, help="Write into a folder that is not empty.")
@click.option("--name", help="Name of the top module; made from preset and axes otherwise.")
@_json(_show_build)
@_core
def build(preset: Any, config: Any, output: Path, force: bool, name: str | None) -> Document:
    """Write a core as a bundle that stands alone.

    Sources, file list, FuseSoC core file, constraints, self-checking testbench, VHDL component and
    datasheet.

    \b
    Example:
      aesforge build kakarlapudi-sbox keys=128 direction=encrypt -o my_core
    """
    from aesforge.flows.build import build as flow

    choices = [f"{axis}={getattr(config, axis)}" for axis in preset.free]
    named = ["--name", name] if name else []
    command = " ".join(
        ["aesforge", "build", preset.name, *choices, *named, "-o", output.name or "."]
    )
    return flow(preset, config, output, command, force, name)


# run ////////////////////////////////////////////////////////////////////////////////////////////


def _show_run(document: Document) -> None:
    place = document["output"]
    click.echo(
        f"{document['mode']} {document['direction']}, {document['key_bits']}-bit key: "
        f"{document['blocks']:,} blocks in {document['cycles']:,} clocks "
        f"({_text(document['cycles_per_block'])} per block)" + (f", in {place}" if place else ""),
        err=place is None,
    )


@cli.command(epilog=AXES_HELP)
@click.option("--mode", required=True, help="ecb, cbc or ctr.")
@click.option("--key", required=True, help="Key in hex: 32, 48 or 64 digits.")
@click.option("--iv", help="IV, or first counter block, in hex: 32 digits.")
@click.option("--decrypt", is_flag=True, help="Decrypt; encrypt otherwise.")
@click.option("-i", "--input", "source", type=click.Path(path_type=Path), help="File; else stdin.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="File; else stdout.")
@_json(_show_run)
@_core
def run(
    preset: Any, config: Any, source: Path | None, output: Path | None, **options: Any
) -> Document:
    """Encrypt or decrypt a file with a simulated core.

    The mode is hardware too. With --json an output file must be named.

    \b
    Example:
      aesforge run kakarlapudi-sbox --mode ctr --key 000102030405060708090a0b0c0d0e0f \\
        --iv f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff -i README.md -o README.enc
    """
    from aesforge.flows.run import run as flow

    as_json = click.get_current_context().params["as_json"]
    if as_json and output is None:
        raise UserError("--json and the result cannot share stdout; name a file with -o")
    target = output or sys.stdout.buffer
    if source is None:
        return flow(preset, config, source=sys.stdin.buffer, target=target, **options)
    try:
        stream = source.open("rb")
    except OSError as error:
        raise UserError(f"cannot read {source}: {error.strerror}; name a file with -i") from None
    with stream:
        return flow(preset, config, source=stream, target=target, **options)


# verify /////////////////////////////////////////////////////////////////////////////////////////


def _show_checks(document: Document) -> None:
    for check in document["checks"]:
        mark = "holds" if check["holds"] else "FAILS"
        click.echo(f"  {mark}  {check['name']:<26} {check['seconds']:>8.1f} s  {check['detail']}")
    verdict = "all hold" if document["holds"] else "some FAIL"
    click.echo(f"{document['preset']} {_axes(document['config'])}: {verdict}")


@cli.command(epilog=AXES_HELP)
@click.option("--blocks", default=10_000, show_default=True, help="Random blocks in each check.")
@click.option("--seed", default=1, show_default=True, help="Of all that is random.")
@click.option("--check", "only", multiple=True, help="Only this check; may be repeated.")
@_json(_show_checks)
@_core
def verify(preset: Any, config: Any, **options: Any) -> Document:
    """Simulate a core against NIST's vectors and OpenSSL.

    Known answers, Monte Carlo, random blocks under random stalls, key changes, clears and resets
    in flight, and every promised clock.

    \b
    Example:
      aesforge verify kakarlapudi-sbox keys=256 direction=decrypt
    """
    from aesforge.flows.verify import verify as flow

    return flow(preset, config, **options)


# prove //////////////////////////////////////////////////////////////////////////////////////////


def _show_claims(document: Document) -> None:
    for claim in document["claims"]:
        mark = "holds" if claim["holds"] else "FAILS"
        click.echo(f"  {mark}  {claim['name']:<30} {claim['seconds']:>8.1f} s  {claim['covers']}")
        for name, value in claim.get("counterexample", {}).items():
            click.echo(f"           {name}: {value}")
    verdict = "all proven" if document["holds"] else "some FAIL"
    click.echo(f"{document['preset']} {_axes(document['config'])}: {verdict}")


@cli.command(epilog=AXES_HELP)
@click.option("--jobs", default=2, show_default=True, help="Claims to work on side by side.")
@click.option("--claim", "only", multiple=True, help="Only claims that start so; may be repeated.")
@click.option(
    "--wave", type=click.Path(path_type=Path), help="Write a counterexample as a VCD file."
)
@_json(_show_claims)
@_core
def prove(
    preset: Any, config: Any, jobs: int, only: tuple[str, ...], wave: Path | None
) -> Document:
    """Prove a core for every key and every block.

    The parts against FIPS 197, the whole core from every reachable state of its control, its
    handshakes, its promised clocks, and that no timing depends on key or data.

    \b
    Example:
      aesforge prove kakarlapudi-sbox keys=128 direction=encrypt
    """
    from aesforge.flows.prove import prove as flow

    return flow(preset.name, config, jobs, wave, only or None)


# synth //////////////////////////////////////////////////////////////////////////////////////////


def _show_row(row: Document) -> None:
    columns = {
        "lut": "LUT",
        "lutram": "of them LUT RAM cells",
        "muxf": "wide multiplexers",
        "ge": "GE (NAND of two inputs)",
        "ff": "FF",
        "bram": "BRAM",
    }
    shown = [what for what in columns if row[what] is not None]
    name = row["preset"] or row["core"]
    aim = f", gates sized for {row['delay_ps']} ps" if row["delay_ps"] else ""
    parts = [(part, counts) for part, counts in row["parts"].items() if len(row["parts"]) > 1]
    _table(
        " ".join(filter(None, [name, _axes(row["config"]), "on", row["device"]])) + aim,
        ("part", *(columns[what] for what in shown)),
        [
            (part.replace("_", " "), *(_text(counts[what]) for what in shown))
            for part, counts in [*parts, ("whole core", row)]
        ],
    )
    if row["depth"] is not None:
        click.echo(f"{row['depth']} look-up tables from register to register; no open placer")
    if row["fmax_mhz"] is not None:
        seeds = row["fmax_by_seed"]
        placed = "one seed" if seeds and len(seeds) == 1 else f"median of {len(seeds or ())} seeds"
        source = placed if seeds else "delays of cells alone, no wires"
        click.echo(f"{row['fmax_mhz']} MHz ({source})" + _rate(row))
    if row["too_large"]:
        click.echo(f"{name} does not fit: {row['too_large']}; take a larger target or another core")


def _rate(row: Document) -> str:
    if row["throughput_mbps"] is None:
        return "; --cycles gives the throughput"
    ratio = f"{row['mbps_per_lut']} Mb/s per LUT"
    if row["ge"] is not None:
        ratio = f"{row['kbps_per_ge']} kb/s per GE"
    keys = f" with {row['key_bits']}-bit keys" if row["key_bits"] else ""
    return f", {row['throughput_mbps']:,} Mb/s{keys}, {ratio}"


def _show_rows(document: Document) -> None:
    for row in document.get("rows", [document]):
        _show_row(row)


def _targets(verb: Callable[..., Document]) -> Callable[..., Document]:
    """Give a verb a choice of target, as `targets`: one, or a library with several delays.

    The verb returns a row for each; they are recorded, and told as one document.
    """

    @click.option("--target", metavar="NAME", help=_TARGETS_HELP)
    @click.option(
        "--liberty",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="Standard cells of your own, instead of a target.",
    )
    @click.option(
        "--delay",
        metavar="PS,...",
        help="For cells: size gates for this delay; 0 maps for area alone. By default 1300. "
        "Several make a trade-off curve.",
    )
    @_store_option("Record the row in this JSON lines file; else in your own.")
    @wraps(verb)
    def command(
        *args: Any,
        target: str | None,
        liberty: Path | None,
        delay: str | None,
        table: Path | None,
        **options: Any,
    ) -> Document:
        from aesforge.results import store
        from aesforge.space.targets import library
        from aesforge.space.targets import target as named

        if (target is None) == (liberty is None):
            raise UserError("give either --target NAME or --liberty FILE; see 'aesforge synth -h'")
        try:
            delays = [int(word) for word in delay.split(",")] if delay else [None]
        except ValueError:
            raise UserError(f"'{delay}' is no list of delays in ps, such as 0,1500,3000") from None
        chosen = [
            named(target, ps) if target is not None else library(Path(liberty or ""), ps)
            for ps in delays
        ]
        rows = []
        for one in chosen:
            rows.append(verb(*args, target=one, **options))
            store.append(table or store.own(), rows[-1:])
        return rows[0] if len(rows) == 1 else {"rows": rows}

    typed: Callable[..., Document] = command
    return typed


@cli.command(epilog=AXES_HELP)
@_json(_show_rows)
@_core
@_targets
def synth(preset: Any, config: Any, target: Any) -> Document:
    """Measure a core on a device: LUTs or gates, flip-flops, memories, frequency, throughput.

    Exit code 1 when it is too large for the device. With several delays the document has `rows`.

    \b
    Examples:
      aesforge synth kakarlapudi-sbox keys=128 direction=encrypt --target ecp5
      aesforge synth sklavos-ake direction=encrypt sbox=tower --target osu018 --delay 0,1500,3000
      aesforge synth sklavos-ake --liberty my_cells.lib
    """
    from aesforge.flows.synth import synth as flow
    from aesforge.results import store

    point = {"preset": preset.name, "config": config.as_dict(), "target": target.name}
    return flow(preset, config, target, store.find({**point, "delay_ps": target.delay_ps}))


# power //////////////////////////////////////////////////////////////////////////////////////////


def _show_power(document: Document) -> None:
    runs = document["runs"]
    names = ["mW" if run["sboxes_run"] is None else _running(run["sboxes_run"]) for run in runs]
    shown = list(runs[0]["components"])
    numbered = [name for name in shown if name.startswith("S-box ")]

    def row(label: str, group: Sequence[str]) -> tuple[str, ...]:
        told = [
            [sum(run["components"][name][what] for name in group) for run in runs]
            for what in ("mw", "registers_mw")
        ]
        cells = sum(document["cells"][name] for name in group)
        return (label, f"{cells:,}", *(f"{a:.3f} ({b:.3f})" for a, b in zip(*told, strict=True)))

    rows = [row(name, [name]) for name in shown if len(numbered) <= 8 or name not in numbered]
    if len(numbered) > 8:
        rows.insert(0, row(f"{len(numbered)} S-boxes", numbered))
    rows.append(row("whole core", shown))
    rows.append(("clocks per block", "", *(f"{run['cycles_per_block']:g}" for run in runs)))
    rows.append(("nJ per block", "", *(f"{run['nj_per_block']:.3f}" for run in runs)))
    _table(
        f"{document['preset']} {_axes(document['config'])} on {document['target']}, "
        f"{document['mhz']:g} MHz, {document['blocks']} blocks ({document['data']}); "
        "in parentheses: of them registers",
        ("component", "cells", *names),
        rows,
    )
    click.echo(f"Without {', '.join(document['left_out'])}.")
    if document["mhz"] > document["fmax_mhz"]:
        click.echo(
            f"These cells reach {document['fmax_mhz']} MHz, less than the clock; "
            "give a lower --mhz, or --delay to size gates for it"
        )


def _running(number: int) -> str:
    return f"{number} S-box{'es' if number > 1 else ''}: mW"


@cli.command(epilog=AXES_HELP)
@click.option("--target", metavar="NAME", help="A library of cells: osu018.")
@click.option("--liberty", type=click.Path(path_type=Path), metavar="FILE", help="One of your own.")
@click.option(
    "--delay", type=int, metavar="PS", help="Size gates for this, 1300 by default; 0: area alone."
)
@click.option(
    "--data",
    default="random",
    show_default=True,
    metavar="FILE",
    help="Its blocks of 16 bytes, again from the start if it is short; or 'random'.",
)
@click.option("--blocks", default=10, show_default=True, help="Blocks to count toggles over.")
@click.option("--mhz", default=100.0, show_default=True, help="The clock.")
@click.option("--seed", default=1, show_default=True, help="Of the key and of random data.")
@_store_option("Record the result in this JSON lines file.")
@_json(_show_power)
@_core
def power(
    preset: Any,
    config: Any,
    target: str | None,
    liberty: Path | None,
    delay: int | None,
    data: str,
    table: Path | None,
    **options: Any,
) -> Document:
    """Tell the power of a core in standard cells by component, and the energy of a block.

    The mapped netlist is simulated with its clock and real data; what a toggle costs at each cell
    is OpenSTA's. Wires, the clock tree and glitches are left out, so compare, and take no figure
    for that of a chip. A core of both directions encrypts, with the smallest key that it takes. The
    serial core is told for each number of S-boxes that can run. Mapped for area alone, nets with
    many loads have slow slopes, which cost power.

    With --json, `runs` has a document for each of those: `sboxes_run` (null elsewhere),
    `cycles_per_block`, `mw` and its parts `internal_mw`, `switching_mw` and `leakage_mw`,
    `registers_mw` (of it what registers take, their clock included), `nj_per_block`, and the same
    powers for each of `components`. `cells` counts cells by component, and `fmax_mhz` is what the
    delays of the cells leave.

    \b
    Examples:
      aesforge power fan --target osu018 --mhz 182
      aesforge power sklavos-ake --target osu018 --data README.md --blocks 100
      aesforge power fan --liberty my_cells.lib --json
    """
    from aesforge.flows.power import power as flow
    from aesforge.results import store
    from aesforge.space.targets import library
    from aesforge.space.targets import target as named

    if (target is None) == (liberty is None):
        raise UserError("give either --target NAME or --liberty FILE; see 'aesforge power -h'")
    chosen = named(target, delay) if target is not None else library(Path(liberty or ""), delay)
    source = None if data == "random" else Path(data)
    document = flow(preset, config, chosen, source, **options)
    if table:
        store.record(table, [document])
    return document


# measure ////////////////////////////////////////////////////////////////////////////////////////


@cli.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILES")
@click.option("--top", required=True, metavar="NAME", help="The module to measure.")
@click.option("--cycles", type=float, metavar="N", help="Clocks per block, for the throughput.")
@click.option("--latency", type=int, metavar="N", help="Clocks from block to result.")
@click.option("--bits", default=128, show_default=True, help="Bits of a block.")
@click.option("--clock", metavar="PORT", help="The clock, or none; by default found by its name.")
@click.option("-I", "include", multiple=True, type=click.Path(path_type=Path), help="Include path.")
@click.option("-D", "define", multiple=True, metavar="NAME[=TEXT]", help="Macro.")
@click.option("-G", "parameters", multiple=True, metavar="NAME=VALUE", help="Parameter of the top.")
@_json(_show_rows)
@_targets
def measure(files: tuple[Path, ...], top: str, target: Any, **options: Any) -> Document:
    """Measure a core of your own, Verilog or SystemVerilog, in the same tables.

    The harness is that of 'aesforge synth', so the figures compare. All inputs but the clock come
    from registers, resets too.

    \b
    Example:
      aesforge measure core.v sbox.v --top my_aes --cycles 12 --target ecp5
    """
    from aesforge.flows.measure import measure as flow

    return flow(files, top, target, **options)


# sweep //////////////////////////////////////////////////////////////////////////////////////////


def _show_sweep(document: Document) -> None:
    click.echo(
        f"{document['points']:,} points: {document['measured']:,} measured in "
        f"{document['seconds']:,} s, {document['stored']:,} stored before, "
        f"{document['without_place']} too large for their device, {document['failed']} failed; "
        f"rows in {document['store']}"
    )
    for row in document["rows"]:
        if row["failed"]:
            name = row["preset"] or row["core"]
            click.echo(f"  {name} {_axes(row['config'])} on {row['target']}: {row['failed']}")


@cli.command()
@click.argument("space", type=click.Path(path_type=Path), metavar="SPACE.toml")
@click.option("--targets", metavar="NAME,...", help="Only on these targets.")
@click.option("--scheduler", metavar="ADDRESS", help="A dask scheduler; else a cluster of its own.")
@click.option("--jobs", type=int, metavar="N", help="Workers of that; one for each processor.")
@click.option("--timeout", type=float, metavar="S", help="Give up a point after so many seconds.")
@click.option("--retry", is_flag=True, help="Try those again that failed.")
@_store_option("The JSON lines file to fill up; else your own.")
@_json(_show_sweep)
def sweep(space: Path, targets: str | None, table: Path | None, **options: Any) -> Document:
    """Measure many points side by side; stored ones are not measured again.

    SPACE.toml lists points; each table is the product of its values, "*" being all legal ones:

    \b
      [[points]]
      preset = ["kakarlapudi-sbox", "sklavos-ake"]
      keys = "128"
      direction = "*"
      targets = ["ecp5", "osu018"]
      delay = [0, 2000]

    It may be interrupted at any time and goes on where it was. A point that crashes or takes too
    long becomes a row whose `failed` says so; then the exit code is 1.

    \b
    Examples:
      aesforge sweep space.toml --targets ecp5,osu018
      aesforge sweep space.toml --scheduler tcp://127.0.0.1:8786
    """
    from aesforge.flows.sweep import space as points
    from aesforge.flows.sweep import sweep as flow
    from aesforge.results import store

    only = [name.strip() for name in targets.split(",")] if targets is not None else []
    return flow(points(space, only), table or store.own(), **options)


# search /////////////////////////////////////////////////////////////////////////////////////////


def _show_search(document: Document) -> None:
    {"lean": _show_lean, "shallow": _show_shallow}[document["sbox"]](document)
    for file in document["files"]:
        click.echo(f"written: {file}")


def _show_lean(document: Document) -> None:
    mapped = document["target"]
    columns = ("w", "z", "y", "LAMBDA", "scale", "XORs", "multiplexers")
    for direction in document["winners"]:
        _table(
            f"S-boxes for {direction}: the best of each tower",
            (*columns, *(("GE", "LUT", "MHz") if mapped else ())),
            [
                (
                    *(row["config"][name] for name in ("w", "z", "y")),
                    *(str(row[name]) for name in ("lambda", "scale", "xors", "muxes")),
                    *(_text(row[name]) for name in ("ge", "lut", "fmax_mhz") if mapped),
                )
                for row in document["rows"]
                if row["config"]["direction"] == direction
            ],
        )


def _show_shallow(document: Document) -> None:
    mapped = ("ge", "lut", "fmax_mhz") if document["target"] else ()
    _table(
        "Bases by seed, the best first" + (f"; in {document['rows'][0]['in']}" if mapped else ""),
        (
            "seed",
            "sums",
            "of three in the norm",
            "functions",
            *(("GE", "LUT", "MHz") if mapped else ()),
        ),
        [
            (
                row["config"]["seed"],
                *(str(row[name]) for name in ("sums", "third_bits", "functions")),
                *(_text(row[name]) for name in mapped),
            )
            for row in document["rows"]
        ],
    )


@cli.command()
@click.argument("sbox", type=click.Choice(("lean", "shallow")), default="lean")
@click.option("--target", metavar="NAME", help=f"Map what is found, not placed: {_TARGETS_HELP}")
@click.option(
    "--delay", type=int, default=0, show_default=True, help="Standard cells: ps to size gates for."
)
@click.option("--write", type=click.Path(path_type=Path), help="Write the best as RTL here.")
@_store_option("Keep the rows in this JSON lines file, in place of what it has.")
@_json(_show_search)
def search(
    sbox: str, target: str | None, delay: int, write: Path | None, table: Path | None
) -> Document:
    """Search bases of the field of AES for a better S-box.

    lean: towers GF(((2^2)^2)^2), entered in every scale, for few gates; their linear layers are
    made of XORs that are shared as far as a search finds. About a minute, and as long again with
    a target, where those of the RTL's tower are mapped.

    shallow: quadratic forms and dual bases of GF(2^4), for few gates on a short path, annealed
    from 24 seeds. About two minutes; with a target each is mapped as part of aesforge-iterative,
    as long again or more, and the one with most throughput for its area is the best, or with
    the least area where no clock is told.

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
    found: Document = import_module(f"aesforge.flows.search_{sbox}").search(on, write, table)
    return found


# choose /////////////////////////////////////////////////////////////////////////////////////////


def _show_choice(document: Document) -> None:
    points = document["points"] or [document["closest"]]
    title = f"{document['fitting']} of {document['considered']} measured points fit"
    if not document["points"]:
        title = f"Nothing fits. Of {document['considered']} measured points the closest one"
    unit = points[0]["area_unit"]
    _table(
        f"{title} on {document['target']}",
        ("why", "core", unit, "BRAM", "MHz", "Mb/s", "clocks: block, latency", "to the budget"),
        [
            (
                point["why"] + ("; stale: measured before a change" if point["stale"] else ""),
                point["command"].removeprefix("aesforge build ").partition(" -o ")[0],
                _text(point["area"]),
                _text(point["bram"]),
                _text(point["fmax_mhz"]),
                _text(point["throughput_mbps"]),
                f"{point['cycles_per_block']:g}, {point['latency_cycles']}",
                "\n".join(f"{what} {margin:+g}%" for what, margin in point["margins"].items())
                or "-",
            )
            for point in points
        ],
    )
    click.echo("The first one is built by:" if document["points"] else "It is built by:")
    click.echo(f"  {points[0]['command']}")


@cli.command()
@click.argument("axes", metavar="[AXIS=VALUE]...", nargs=-1)
@click.option("--target", required=True, metavar="NAME", help=_TARGETS_HELP)
@click.option("--throughput", metavar="RATE", help="At least this, such as 500Mbps or 10Gbps.")
@click.option("--max-area", type=float, metavar="N", help="At most so many LUTs, or GE in cells.")
@click.option("--max-latency", metavar="TIME", help="At most this, in clocks (40) or time (120ns).")
@click.option("--minimize", default="area", show_default=True, help="area or latency.")
@click.option("--count", default=5, show_default=True, help="Points to show at most.")
@_store_option("Choose among the rows of this JSON lines file.")
@_json(_show_choice)
def choose(
    axes: Sequence[str],
    target: str,
    throughput: str | None,
    max_area: float | None,
    max_latency: str | None,
    minimize: str,
    count: int,
    table: Path | None,
) -> Document:
    """Choose the best measured cores for a budget.

    A core that can do more than asked, such as keys=any for keys=128, counts as one that can.
    mode=ecb, cbc or ctr tells what blocks are for: a block of CBC encryption waits for the one
    before. A margin is told in per cent of the budget. Exit code 1 when nothing fits.

    \b
    Example:
      aesforge choose --target ecp5 --throughput 1Gbps keys=128 direction=encrypt
    """
    from aesforge.flows.choose import Budget, latency, mbps
    from aesforge.flows.choose import choose as flow
    from aesforge.results import store

    if max_area is not None and max_area <= 0:
        raise UserError(f"an area of {max_area:g} has no core; give --max-area more than 0")
    if count < 1:
        raise UserError(f"{count} points cannot be shown; give --count 1 or more")
    limit, unit = latency(max_latency) if max_latency is not None else (None, "clocks")
    budget = Budget(mbps(throughput) if throughput is not None else None, max_area, limit, unit)
    return flow(store.measured(table), target, budget, axes, minimize, count)


# papers /////////////////////////////////////////////////////////////////////////////////////////


def _show_claims_of(paper: Document, only: tuple[bool | None, ...]) -> None:
    marks = {True: "holds", False: "DIFFERS", None: "open"}
    for claim in paper["claims"]:
        if claim["holds"] in only:
            click.echo(f"  {marks[claim['holds']]:<8} {claim['claim']}  [{claim['kind']}]")
            if claim["holds"] is not True:
                for detail in claim["details"]:
                    click.echo(f"             {detail}")


def _show_papers(document: Document) -> None:
    checking = "holds" in document
    for paper in document["papers"]:
        if not checking:
            for table in paper["tables"]:
                _show_paper_table(paper["paper"], table)
        click.echo(f"{paper['paper']}: claims")
        _show_claims_of(paper, (False, None) if checking else (True, False, None))
    if not checking:
        return
    claims = [claim for paper in document["papers"] for claim in paper["claims"]]
    held, other = (sum(c["holds"] is value for c in claims) for value in (True, False))
    verdict = "every one of structure" if document["holds"] else "NOT every one of structure"
    click.echo(
        f"{held} of {len(claims)} claims hold, {verdict}; {other} turn out differently, "
        f"{len(claims) - held - other} wait for measurements"
    )


def _show_paper_table(name: str, table: Document) -> None:
    quantities = [(v["quantity"], v["unit"]) for v in table["rows"][0]["values"]]
    _table(
        f"{name}, {table['title']}",
        ("", *(f"{unit}: paper, ours, ratio" for _, unit in quantities)),
        [
            (
                row["label"],
                *(
                    f"{_text(v['paper'])}, {_text(v['ours'])}, {_text(v['ratio'])}"
                    + (f" ({v['target']})" if v["target"] and v["ours"] is not None else "")
                    for v in row["values"]
                ),
            )
            for row in table["rows"]
        ],
    )
    click.echo(f"  {table['note']}\n")


@cli.command()
@click.option("--paper", metavar="NAME", help="Only the paper of these authors.")
@click.option("--check", is_flag=True, help="Check the claims; exit code 1 if structure fails.")
@_store_option("Compare with the rows of this JSON lines file.")
@_json(_show_papers)
def papers(paper: str | None, check: bool, table: Path | None) -> Document:
    """Set each table of the five papers beside what is measured here.

    Row by row with the ratio of ours to theirs, the target that stands in for their device, and
    what is not like with like. With --json also the papers' graphs, with our points; 'aesforge
    report' draws them. With --check, only claims: those of structure (clocks, counts, orderings)
    must hold here, and all that turn out differently are told.

    \b
    Examples:
      aesforge papers --paper bulens
      aesforge papers --check
    """
    from aesforge.flows.papers import compare
    from aesforge.flows.papers import papers as known
    from aesforge.results import store

    document = compare(store.measured(table), paper)
    if not document["papers"]:
        from aesforge.errors import unknown

        raise unknown("paper", paper or "", [one["paper"] for one in known()])
    return {**document, "holds": document["sound"]} if check else document


# report /////////////////////////////////////////////////////////////////////////////////////////


def _show_report(document: Document) -> None:
    size = document["bytes"] / 1e6
    click.echo(f"{document['output']}: {document['points']:,} points, {size:.1f} MB, one file")


@cli.command()
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), help="HTML file.")
@_store_option("Show the rows of this JSON lines file.")
@_json(_show_report)
def report(output: Path, table: Path | None) -> Document:
    """Write one page with everything measured; it stands alone and asks no network.

    Throughput against area on each target with its front, filters by axis, and the command,
    documents and evidence of each point; the papers' tables and graphs; other open cores.

    \b
    Example:
      aesforge report -o aes.html
    """
    from aesforge.flows.report import report as flow
    from aesforge.results import store

    return flow(store.measured(table), output)


def main() -> None:
    """Run the command line; turn what a user can mend into one line and an exit code."""
    from aesforge.tools.process import ToolFailed

    try:
        cli.main(standalone_mode=False)
    except click.ClickException as error:
        error.show()
        sys.exit(2)
    except click.Abort:
        click.echo("aesforge: interrupted", err=True)
        sys.exit(130)
    except UserError as error:
        click.echo(f"aesforge: {error}", err=True)
        sys.exit(error.exit_code)
    except ToolFailed as error:
        click.echo(f"aesforge: {error}", err=True)
        sys.exit(1)


if __name__ == "__main__":
    main()
