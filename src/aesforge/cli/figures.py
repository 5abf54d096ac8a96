"""Verbs that measure: synth, measure, power and sweep."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from aesforge.cli import show
from aesforge.cli.options import (
    AXES_HELP,
    Document,
    chosen_target,
    core,
    document,
    store_option,
    targets,
)

# synth, measure /////////////////////////////////////////////////////////////////////////////////

_COLUMNS = {
    "lut": "LUT",
    "lutram": "LUT RAM cells among them",
    "muxf": "wide multiplexers",
    "ge": "GE (two-input NANDs)",
    "ff": "FF",
    "bram": "BRAM",
}


def _show_row(row: Document) -> None:
    shown = [what for what in _COLUMNS if row[what] is not None]
    name = row["preset"] or row["core"]
    aim = f", gates sized for {row['delay_ps']} ps" if row["delay_ps"] else ""
    parts = [(part, counts) for part, counts in row["parts"].items() if len(row["parts"]) > 1]
    show.table(
        " ".join(filter(None, [name, show.axes(row["config"]), "on", row["device"]])) + aim,
        ("part", *(_COLUMNS[what] for what in shown)),
        [
            (part.replace("_", " "), *(show.text(counts[what]) for what in shown))
            for part, counts in [*parts, ("whole core", row)]
        ],
    )
    if row["depth"] is not None:
        click.echo(f"{row['depth']} look-up tables from register to register; no open placer")
    if row["fmax_mhz"] is not None:
        seeds = row["fmax_by_seed"]
        placed = "one seed" if seeds and len(seeds) == 1 else f"median of {len(seeds or ())} seeds"
        source = placed if seeds else "delays of cells alone, ideal clock"
        click.echo(f"{row['fmax_mhz']} MHz ({source})" + _rate(row))
    if wired := row["with_wires"]:
        click.echo(
            f"With wires ({wired['load_ff']:g} fF for each input) and clock "
            f"({wired['uncertainty_ps']:g} ps uncertain, {wired['slew_ps']:g} ps of slew"
            + (
                f", {wired['clock_gate_ns']:g} ns through clock gates"
                * bool(wired["clock_gate_ns"])
            )
            + f"): {wired['ge']:,} GE, {wired['fmax_mhz']} MHz"
            + _rate(row | {"lut": None} | wired)
        )
        for where, pulse in (("without wires", row.get("pulse")), ("with", wired.get("pulse"))):
            if pulse:
                narrow, wide = pulse["ns"]
                click.echo(
                    f"Latches, {where}: open for {narrow} to {wide} ns; {pulse['buffers']:,} "
                    "buffers delay early data"
                )
    if row.get("unplaced") and row["fmax_mhz"] is None:
        click.echo(f"Not placed: {row['unplaced']}")
    if row["too_large"]:
        click.echo(f"{name} does not fit: {row['too_large']}; take a larger target or another core")
    if row.get("stored"):
        click.echo("Stored figures: netlist, target and tools are unchanged; --fresh measures anew")


def _rate(row: Document) -> str:
    if row["throughput_mbps"] is None:
        return "; --cycles gives the throughput"
    ratio = f"{row['mbps_per_lut']} Mb/s per LUT"
    if row["ge"] is not None:
        ratio = f"{row['kbps_per_ge']} kb/s per GE"
    keys = f" with {row['key_bits']}-bit keys" if row["key_bits"] else ""
    return f", {row['throughput_mbps']:,} Mb/s{keys}, {ratio}"


def _show_check(row: Document) -> None:
    mark = "holds" if row["holds"] else "FAILS"
    click.echo(f"{row['preset']} {show.axes(row['config'])} on {row['target']}")
    click.echo(f"  {mark}  the mapped netlist is the design, by {row['method']}")
    click.echo(f"         {row['why'] or row['covers']}")


def _show_rows(found: Document) -> None:
    for row in found.get("rows", [found]):
        (_show_check if "method" in row else _show_row)(row)


@click.command(epilog=AXES_HELP)
@click.option("--fresh", is_flag=True, help="Measure even if the figures are stored.")
@click.option(
    "--check", is_flag=True, help="Show that the mapped netlist is the design; no figures."
)
@document(_show_rows)
@core
@targets
def synth(preset: Any, config: Any, target: Any, fresh: bool, check: bool) -> Document:
    """Measure a core on a device: area, frequency, throughput.

    Area is in LUTs or gates, with flip-flops and memories.

    Stored figures of the same netlist, target and tools are returned at once, with `stored` true;
    --fresh measures anew. The exit code is 1 when the core is too large for the device. With
    several delays the document has `rows`.

    --check maps the core as for the figures and compares the netlist with the design: register by
    register with ABC for all inputs and states, or, where registers do not match (a memory in block
    RAM), by simulation with the functional models of the cells. `method` says which; the exit code
    is 1 when they differ. It is for osu018, osu018_gated, osu018_pulsed, a library of your own,
    ecp5 and devices of Xilinx.

    \b
    Examples:
      aesforge synth aesforge-nano --target osu018 --check
      aesforge synth kakarlapudi-sbox keys=128 direction=encrypt --target ecp5
      aesforge synth sklavos-ake direction=encrypt sbox=tower --target osu018 --delay 0,1500,3000
      aesforge synth sklavos-ake --liberty my_cells.lib
    """
    from aesforge.flows.mapped import check as compare
    from aesforge.flows.synth import synth as flow
    from aesforge.results import store

    if check:
        return compare(preset, config, target)
    point = {"preset": preset.name, "config": config.as_dict(), "target": target.name}
    known = None if fresh else store.find({**point, "delay_ps": target.delay_ps})
    return flow(preset, config, target, known, fresh=fresh)


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILES")
@click.option("--top", required=True, metavar="NAME", help="The module to measure.")
@click.option("--cycles", type=float, metavar="N", help="Cycles per block, for the throughput.")
@click.option("--latency", type=int, metavar="N", help="Cycles from block to result.")
@click.option("--bits", default=128, show_default=True, help="Bits of a block.")
@click.option("--clock", metavar="PORT", help="The clock, or none; by default found by its name.")
@click.option("-I", "include", multiple=True, type=click.Path(path_type=Path), help="Include path.")
@click.option("-D", "define", multiple=True, metavar="NAME[=TEXT]", help="Macro.")
@click.option("-G", "parameters", multiple=True, metavar="NAME=VALUE", help="Parameter of the top.")
@click.option("--keep", multiple=True, metavar="NAME", help="Map this module on its own.")
@document(_show_rows)
@targets
def measure(files: tuple[Path, ...], top: str, target: Any, **options: Any) -> Document:
    """Measure a core of your own, in Verilog or SystemVerilog.

    It sits in the harness of 'aesforge synth', so the figures are comparable. Registers drive all
    inputs except the clock, including resets. Tables of our cores are mapped on their own; --keep
    does the same for a module of yours, which may make it smaller.

    \b
    Example:
      aesforge measure core.v sbox.v --top my_aes --cycles 12 --keep sbox --target ecp5
    """
    from aesforge.flows.measure import measure as flow

    return flow(files, top, target, **options)


# power //////////////////////////////////////////////////////////////////////////////////////////


def _show_power(found: Document) -> None:
    runs = found["runs"]
    names = ["mW" if run["sboxes_run"] is None else _in_use(run["sboxes_run"]) for run in runs]
    shown = list(runs[0]["components"])
    numbered = [name for name in shown if name.startswith("S-box ")]

    def row(label: str, group: Sequence[str]) -> tuple[str, ...]:
        whole, registers = (
            [sum(run["components"][name][what] for name in group) for run in runs]
            for what in ("mw", "registers_mw")
        )
        cells = sum(found["cells"][name] for name in group)
        powers = (f"{a:.3f} ({b:.3f})" for a, b in zip(whole, registers, strict=True))
        return (label, f"{cells:,}", *powers)

    rows = [row(name, [name]) for name in shown if len(numbered) <= 8 or name not in numbered]
    if len(numbered) > 8:
        rows.insert(0, row(f"{len(numbered)} S-boxes", numbered))
    rows.append(row("whole core", shown))
    rows.append(("cycles per block", "", *(f"{run['cycles_per_block']:g}" for run in runs)))
    rows.append(("nJ per block", "", *(f"{run['nj_per_block']:.3f}" for run in runs)))
    rows += [
        (f"  {part}", "", *(f"{run['nj'][part]:.3g}" for run in runs)) for part in runs[0]["nj"]
    ]
    rows.append(("settles within, ns", "", *(f"{run['settles_ns']:.2f}" for run in runs)))
    show.table(
        f"{found['preset']} {show.axes(found['config'])} on {found['target']}, "
        f"{found['mhz']:g} MHz, {found['blocks']} blocks ({found['data']}); "
        "registers alone in parentheses",
        ("component", "cells", *names),
        rows,
    )
    click.echo(f"Without {', '.join(found['left_out'])}.")
    if found["mhz"] > found["fmax_mhz"]:
        click.echo(
            f"These cells reach {found['fmax_mhz']} MHz, less than the clock; "
            "give a lower --mhz, or size gates for it with --delay"
        )


def _in_use(number: int) -> str:
    return f"{number} S-box{'es' if number > 1 else ''}: mW"


@click.command(epilog=AXES_HELP)
@click.option("--target", metavar="NAME", help="A library of cells: osu018.")
@click.option(
    "--liberty", type=click.Path(path_type=Path), metavar="FILE", help="A library of your own."
)
@click.option(
    "--delay", type=int, metavar="PS", help="Size gates for this, 1300 by default; 0: area alone."
)
@click.option(
    "--data",
    default="random",
    show_default=True,
    metavar="FILE",
    help="A file whose 16-byte blocks are the data, repeated if it is short; or 'random'.",
)
@click.option("--blocks", default=10, show_default=True, help="Blocks to count toggles over.")
@click.option("--mhz", default=100.0, show_default=True, help="Clock frequency.")
@click.option("--seed", default=1, show_default=True, help="Seed of the key and of random data.")
@store_option("Record the result in this JSON lines file.")
@document(_show_power)
@core
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
    """Estimate power by component, and energy per block.

    The netlist in standard cells is simulated with its clock and real data, blocks back to back,
    and with the delays of its cells; OpenSTA gives these delays and the energy of a toggle at each
    cell. Glitches, all toggles beyond those of the settled values, are counted: a pulse shorter
    than the delay of a gate does not pass it, a longer one is a full swing. The cycle is taken to
    be long enough for all to settle, so the energy of a block does not depend on the clock, except
    for leakage. Wires and the clock tree are left out: use the figures to compare cores, not as the
    power of a chip.

    A core for both directions encrypts, with the smallest key that it takes. A core with selectable
    S-boxes is reported for each number in use. With --target osu018_gated the clocks of registers
    stop where their enables are low, and the energy of the clock gates is counted. Gates mapped for
    area alone have slow slopes on nets with many loads, which cost power.

    With --json, `runs` has one document for each number of S-boxes in use: `sboxes_run` (null in
    other cores), `cycles_per_block`, `mw` and its parts `internal_mw`, `switching_mw` and
    `leakage_mw`, `registers_mw` (the share of registers with their clock), `clock_gates_mw`,
    `glitches_mw`, `nj_per_block`, `nj` with its parts (`clock`, with clock gates; `registers`,
    their data; `logic`, gates between settled values; `glitches`; `leakage`), `settles_ns` after
    the clock, and the same powers for each of `components`. `cells` counts cells by component;
    `fmax_mhz` is the frequency that the delays of the cells allow; `volt` is that of the library.

    \b
    Examples:
      aesforge power fan --target osu018 --mhz 182
      aesforge power sklavos-ake --target osu018 --data README.md --blocks 100
      aesforge power fan --liberty my_cells.lib --json
    """
    from aesforge.flows.power import power as flow
    from aesforge.results import store

    chosen = chosen_target(target, liberty, delay)
    source = None if data == "random" else Path(data)
    found = flow(preset, config, chosen, source, **options)
    if table:
        store.record(table, [found])
    return found


# sweep //////////////////////////////////////////////////////////////////////////////////////////


def _show_sweep(found: Document) -> None:
    click.echo(
        f"{found['points']:,} points: {found['measured']:,} measured in "
        f"{found['seconds']:,} s, {found['stored']:,} already stored, "
        f"{found['without_place']} too large for their device, {found['failed']} failed; "
        f"rows in {found['store']}"
    )
    for row in found["rows"]:
        if row["failed"]:
            name = row["preset"] or row["core"]
            click.echo(f"  {name} {show.axes(row['config'])} on {row['target']}: {row['failed']}")


@click.command()
@click.argument("space", type=click.Path(path_type=Path), metavar="SPACE.toml")
@click.option("--targets", metavar="NAME,...", help="Only on these targets.")
@click.option("--scheduler", metavar="ADDRESS", help="A dask scheduler, instead of local workers.")
@click.option("--jobs", type=int, metavar="N", help="Local workers; one per processor by default.")
@click.option("--timeout", type=float, metavar="S", help="Give up a point after this many seconds.")
@click.option("--retry", is_flag=True, help="Measure failed points again.")
@click.option(
    "--seeds",
    default=5,
    show_default=True,
    help="Placements of points whose frequency counts, as on a front; other points have one.",
)
@click.option(
    "--restate",
    is_flag=True,
    help="Measure nothing; stale rows of unchanged netlists become rows of these sources.",
)
@store_option("The JSON lines file to complete; by default your own store.")
@document(_show_sweep)
def sweep(space: Path, targets: str | None, table: Path | None, **options: Any) -> Document:
    """Measure many points in parallel; stored points are skipped.

    SPACE.toml lists points; each table is the product of its values, and "*" is all legal values:

    \b
      [[points]]
      preset = ["kakarlapudi-sbox", "sklavos-ake"]
      keys = "128"
      direction = "*"
      targets = ["ecp5", "osu018"]
      delay = [0, 2000]

    An interrupted sweep continues where it stopped. A point that crashes or takes too long becomes
    a row whose `failed` gives the reason; the exit code is then 1.

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
