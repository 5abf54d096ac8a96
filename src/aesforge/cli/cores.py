"""Verbs that say which cores there are and hand one over: list, choose, build, run."""

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from aesforge.cli import show
from aesforge.cli.options import AXES_HELP, TARGETS_HELP, Document, core, document, store_option
from aesforge.errors import UserError

# list ///////////////////////////////////////////////////////////////////////////////////////////


def _show_list(found: Document) -> None:
    from aesforge.space.axes import Config
    from aesforge.space.presets import presets

    show.table(
        "Presets; the first value of each free axis is the default",
        ("preset", "what it is", "source", "free axes", "cycles: latency, block, key setup"),
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
            for row in found["presets"]
        ],
    )
    for axis, layer in found["layers"].items():
        values = "|".join(layer["values"])
        click.echo(f"Every preset without protection also has {axis}={values}: {layer['doc']}.")
    if found["measured"]:
        show.table(
            "Measured cost of the smallest configuration; 'aesforge choose' finds others, and "
            "--json has all",
            ("preset", "axes", "target", "LUT", "GE", "FF", "BRAM", "MHz", "Mb/s"),
            [
                (
                    row["preset"] or row["core"],
                    presets()[row["preset"]].choices(Config(**row["config"]))
                    if row["preset"]
                    else show.axes(row["config"]),
                    row["target"],
                    *(show.text(row[name]) for name in ("lut", "ge", "ff", "bram")),
                    show.text(row["fmax_mhz"]),
                    show.text(row["throughput_mbps"]),
                )
                for row in _smallest(found["measured"])
            ],
        )


def _smallest(rows: Sequence[Document]) -> list[Document]:
    """The smallest row of each preset, on ecp5 if it was measured there, else osu018, else any."""
    order = {name: place for place, name in enumerate(("ecp5", "osu018"))}
    found: dict[str, tuple[tuple[int, float], Document]] = {}
    for row in rows:
        area = row["lut"] if row["ge"] is None else row["ge"]
        if area is None:
            continue
        name, rank = row["preset"] or row["core"], (order.get(row["target"], 9), area)
        if name not in found or rank < found[name][0]:
            found[name] = rank, row
    return [row for _, row in found.values()]


@click.command("list")
@click.argument("names", metavar="[PRESET]...", nargs=-1)
@document(_show_list)
def list_(names: tuple[str, ...]) -> Document:
    """List the presets, or those named: axes, promised cycles and measured cost.

    \b
    Examples:
      aesforge list
      aesforge list aesforge-iterative
      aesforge list --json
    """
    from dataclasses import asdict

    from aesforge.results import store
    from aesforge.space.axes import LAYERS, LOCKSTEP, LOCKSTEP_DOC
    from aesforge.space.presets import Preset, preset, presets
    from aesforge.space.promises import promised

    wanted = [preset(name) for name in names] or list(presets().values())

    def promise(one: Preset, bits: int) -> Document:
        found = promised(one.config, bits)
        return {**asdict(found), "cycles_per_block": found.cycles_per_block}

    return {
        "presets": [
            {
                "preset": one.name,
                "summary": one.summary,
                "source": one.source,
                "config": one.config.as_dict(),
                "fixed": dict(one.fixed),
                "free": {axis: list(one.legal(axis)) for axis in one.free},
                "promises": {str(bits): promise(one, bits) for bits in one.config.key_sizes},
            }
            for one in wanted
        ],
        "layers": {
            "protection": {"values": ["none", LOCKSTEP], "doc": LOCKSTEP_DOC},
            **{axis.name: {"values": [*axis.values], "doc": axis.doc} for axis in LAYERS.values()},
        },
        "measured": [
            {field: row.get(field) for field in ("core", *store.FIELDS)}
            for row in store.measured()
            if (row["preset"] in names if names else row["preset"] or store.is_foreign(row))
        ],
    }


# choose /////////////////////////////////////////////////////////////////////////////////////////


def _show_choice(found: Document) -> None:
    points = found["points"] or [found["closest"]]
    title = f"{found['fitting']} of {found['considered']} measured points fit"
    if not found["points"]:
        title = f"Nothing fits. The closest of {found['considered']} measured points"
    unit = points[0]["area_unit"]
    cores = "s" if found["axes"].get("lanes", "1") != "1" else ""
    show.table(
        f"{title} {show.axes(found['axes'])} on {found['device']}",
        ("why", "core", unit, "BRAM", "MHz", "Mb/s", "cycles: block, latency", "within budget by"),
        [
            (
                point["why"]
                + ("; stale: measured before a change" if point["stale"] else "")
                + (f"; area and MHz of the core{cores} alone" if point["core_alone"] else ""),
                point["command"].removeprefix("aesforge build ").partition(" -o ")[0],
                show.text(point["area"]),
                show.text(point["bram"]),
                show.text(point["fmax_mhz"]),
                show.text(point["throughput_mbps"]),
                f"{point['cycles_per_block']:g}, {point['latency_cycles']}",
                "\n".join(f"{what} {margin:+g}%" for what, margin in point["margins"].items())
                or "-",
            )
            for point in points
        ],
    )
    bare = [point["config"] for point in points if point["config"]["idle_output"] == "register"]
    if any(config["protection"] == "none" for config in bare):
        click.echo(
            "With idle_output=register the output may show an intermediate value while no result "
            "is valid;\nwith idle_output=zero it is 0, for 128 AND gates more ('aesforge choose "
            "idle_output=zero')."
        )
    click.echo("To build the first one:" if found["points"] else "To build it:")
    click.echo(f"  {points[0]['command']}")


@click.command()
@click.argument("axes", metavar="[AXIS=VALUE]...", nargs=-1)
@click.option("--target", required=True, metavar="NAME", help=TARGETS_HELP)
@click.option("--throughput", metavar="RATE", help="At least this, such as 500Mbps or 10Gbps.")
@click.option("--max-area", type=float, metavar="N", help="At most this many LUTs, or GE.")
@click.option("--max-bram", type=int, metavar="N", help="At most this many block RAMs.")
@click.option("--max-latency", metavar="TIME", help="At most this, in cycles (40) or time (120ns).")
@click.option("--minimize", default="area", show_default=True, help="area or latency.")
@click.option("--count", default=5, show_default=True, help="Largest number of points to show.")
@store_option("Choose among the rows of this JSON lines file.")
@document(_show_choice)
def choose(
    axes: Sequence[str],
    target: str,
    throughput: str | None,
    max_area: float | None,
    max_bram: int | None,
    max_latency: str | None,
    minimize: str,
    count: int,
    table: Path | None,
) -> Document:
    """Choose the best measured cores for a budget.

    A core that does more than asked also counts, such as keys=any for keys=128. Without a direction
    the cores encrypt; ask for direction=both or direction=decrypt. Without protection= they have
    none. sbox=shallow is offered only when asked for (docs/sboxes.md says why). With mode=, the
    throughput is that of one stream of packets: in CBC encryption each block waits for the previous
    one. The smallest core is that with the fewest LUTs, where a block RAM counts as many LUTs as
    the part has for each of its block RAMs. Margins are in per cent of the budget. The exit code is
    1 when nothing fits.

    \b
    Example:
      aesforge choose --target ecp5 --throughput 1Gbps keys=128 direction=both --max-bram 0
    """
    from aesforge.flows.choose import Budget, latency, mbps
    from aesforge.flows.choose import choose as flow
    from aesforge.results import store

    limit, unit = latency(max_latency) if max_latency is not None else (None, "cycles")
    rate = mbps(throughput) if throughput is not None else None
    budget = Budget(rate, max_area, max_bram, limit, unit)
    return flow(store.measured(table), target, budget, axes, minimize, count)


# build //////////////////////////////////////////////////////////////////////////////////////////


def _show_build(found: Document) -> None:
    top, folder = found["top"], found["folder"]
    rtl = [name for name in found["files"] if name.startswith("rtl/")]
    promises = found["promises"].values()
    latency = "/".join(str(p["latency"]) for p in promises)
    interval = "/".join(f"{p['cycles_per_block']:g}" for p in promises)
    bits = "/".join(found["promises"])
    click.echo(f"{top} in {folder}: {len(rtl)} source file{'s' * (len(rtl) != 1)}, in {top}.f")
    click.echo(f"  {bits}-bit keys; the core takes {interval} cycles a block, latency {latency}")
    click.echo(f"  datasheet with ports, timing and byte order: {folder}/{top}.md")
    bench = " ".join([f"-c {top}.f", *found["monitor"], f"tb/{top}_tb.sv"])
    click.echo("Next, simulate it with its own testbench, then instantiate it:")
    simulate = f"iverilog -g2012 -s {top}_tb -o sim.vvp {bench} && vvp sim.vvp"
    click.echo(f"  cd {shlex.quote(folder)} && {simulate}")
    if found["soc"]:
        click.echo("Run a program that uses the core on a RISC-V processor:")
        click.echo(f"  make -C {shlex.quote(folder)}/soc")
    if found["tinytapeout"]:
        click.echo("Send its bytes through the pins of a Tiny Tapeout project:")
        click.echo(f"  make -C {shlex.quote(folder)}/tinytapeout/test")
    for notice in found["notices"]:
        click.echo(f"Note: {notice}")


@click.command(epilog=AXES_HELP)
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), help="Folder.")
@click.option("--force", is_flag=True, help="Write into a folder that is not empty.")
@click.option("--name", help="Name of the top module; by default made from preset and axes.")
@click.option(
    "--prefix", help="Begins the names of all other modules and packages; by default NAME_."
)
@click.option("--single-file", "single", is_flag=True, help="All modules in one file.")
@click.option(
    "--verilog", is_flag=True, help="All modules in one file, in Verilog-2005, for older tools."
)
@click.option(
    "--soc", is_flag=True, help="With port=axi-lite or wishbone: a RISC-V system with the core."
)
@click.option(
    "--tinytapeout", is_flag=True, help="With keys=128: a Tiny Tapeout project of the core."
)
@document(_show_build)
@core
def build(
    preset: Any,
    config: Any,
    output: Path,
    force: bool,
    name: str | None,
    prefix: str | None,
    single: bool,
    verilog: bool,
    soc: bool,
    tinytapeout: bool,
) -> Document:
    """Write a core, with its port, as a self-contained bundle.

    Sources, file list, FuseSoC core file, constraints, self-checking testbench, VHDL component and
    datasheet. The sources are those that the core needs. All names begin with that of the top
    module, so any number of bundles can be in one design.

    \b
    Examples:
      aesforge build kakarlapudi-sbox keys=128 direction=encrypt -o my_core
      aesforge build aesforge-compact --name disk_aes --single-file -o disk_aes
      aesforge build aesforge-nano --name old_aes --verilog -o old_aes
      aesforge build aesforge-iterative-universal mode=gcm port=axi-lite --soc -o my_gcm
      aesforge build aesforge-nano --tinytapeout -o my_chip
    """
    from aesforge.flows.build import build as flow

    words = ["aesforge", "build", preset.name, preset.choices(config)]
    words += ["--name", name] if name else []
    words += ["--prefix", prefix] if prefix else []
    words += ["--single-file"] * single
    words += ["--verilog"] * verilog
    words += ["--soc"] * soc
    words += ["--tinytapeout"] * tinytapeout
    command = " ".join([*words, "-o", output.name or "."])
    return flow(
        *(preset, config, output, command, force, name, prefix, single, verilog, soc, tinytapeout)
    )


# run ////////////////////////////////////////////////////////////////////////////////////////////


def _show_run(found: Document) -> None:
    place = found["output"]
    if not found.get("holds", True):
        what = "integrity value" if found["mode"] in ("kw", "kwp") else "tag"
        click.echo(f"the {what} is wrong: nothing is written", err=True)
        return
    click.echo(
        f"{found['mode']} {found['direction']}, {found['key_bits']}-bit key: "
        f"{found['blocks']:,} blocks in {found['cycles']:,} cycles "
        f"({show.text(found['cycles_per_block'])} per block)" + (f", in {place}" if place else ""),
        err=place is None,
    )


@click.command(epilog=AXES_HELP)
@click.option(
    "--key", required=True, help="Key in hex: 32, 48 or 64 digits; for xts two keys, one string."
)
@click.option(
    "--iv",
    help="IV, first counter block, or number of a data unit, low byte first: in hex, or a file "
    "with its bytes.",
)
@click.option(
    "--data-unit",
    type=int,
    metavar="BYTES",
    help="xts: bytes of a data unit, such as 512; its number is that of the one before plus one. "
    "Without it the file is one data unit.",
)
@click.option("--aad", type=click.Path(path_type=Path), help="File with additional data.")
@click.option(
    "--tag-bits", type=int, metavar="N", help="Length of the tag, 8 to 128; 128 if absent."
)
@click.option("--decrypt", is_flag=True, help="Decrypt instead of encrypt.")
@click.option("-i", "--input", "source", type=click.Path(path_type=Path), help="File; else stdin.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="File; else stdout.")
@document(_show_run)
@core
def run(
    preset: Any, config: Any, source: Path | None, output: Path | None, **options: Any
) -> Document:
    """Encrypt or decrypt a file with a simulated core in a mode of operation, such as mode=ctr.

    The mode is simulated hardware too. mode=gcm, ccm and gcm-siv write the ciphertext followed by
    the tag, and mode=cmac or gmac the tag alone; with --decrypt they read what the tag follows and
    write it, or nothing and exit code 1 if the tag is wrong. So do mode=kw and kwp with --decrypt,
    if what was wrapped is not right. With --json, -o is required.

    \b
    Examples:
      aesforge run kakarlapudi-sbox mode=ctr --key 000102030405060708090a0b0c0d0e0f \\
        --iv f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff -i README.md -o README.enc
      aesforge run aesforge-compact mode=xts --iv 01000000000000000000000000000000 \\
        --key 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f \\
        --data-unit 512 -i disk.img -o disk.enc
      aesforge run aesforge-iterative mode=gcm --key 000102030405060708090a0b0c0d0e0f \\
        --iv 000102030405060708090a0b --aad LICENSE -i README.md -o README.gcm
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
