"""Verbs that check a core: verify simulates it, prove proves it, others attack it."""

from pathlib import Path
from typing import Any

import click

from aesforge.cli import show
from aesforge.cli.options import AXES_HELP, Document, core, document, store_option
from aesforge.errors import UserError

_MARKS = {True: "holds", False: "FAILS"}

# verify /////////////////////////////////////////////////////////////////////////////////////////


def _show_checks(found: Document) -> None:
    for check in found["checks"]:
        mark = _MARKS[check["holds"]]
        click.echo(f"  {mark}  {check['name']:<26} {check['seconds']:>8.1f} s  {check['detail']}")
    verdict = "all hold" if found["holds"] else "some FAIL"
    click.echo(f"{found['preset']} {show.axes(found['config'])}: {verdict}")


@click.command(epilog=AXES_HELP)
@click.option(
    "--blocks",
    default=10_000,
    show_default=True,
    help="Random blocks in each check; below 10,000 Monte Carlo is as much shorter.",
)
@click.option("--seed", default=1, show_default=True, help="Seed of all random choices.")
@click.option("--check", "only", multiple=True, help="Run only this check; may be repeated.")
@click.option(
    "--cycles", default=0, metavar="N", help="Also run under random stalls for so many cycles."
)
@document(_show_checks)
@core
def verify(preset: Any, config: Any, **options: Any) -> Document:
    """Simulate a core against NIST's vectors and OpenSSL.

    Known answers, Monte Carlo, random blocks under random stalls, key changes, clears and resets
    in flight, and every promised number of cycles. Then what appears late or seldom: stalls of
    thousands of cycles, long streams under one key, random registers and memories at power-up,
    inputs that change while the core is idle, and resets in a clear. Results that are not valid are
    0 where idle_output=zero. With a mode: packets, in each mode and direction. With a bus of
    registers (port=axi-lite and others): packets as accesses on the bus, each register, each access
    in error, and the C driver.

    \b
    Examples:
      aesforge verify kakarlapudi-sbox keys=256 direction=decrypt
      aesforge verify aesforge-nano --check long_stalls --blocks 100000
      aesforge verify aesforge-nano --check soak --cycles 100000000
      aesforge verify aesforge-iterative mode=gcm port=axi-lite --blocks 1000
    """
    from aesforge.flows.verify import verify as flow

    return flow(preset, config, **options)


# prove //////////////////////////////////////////////////////////////////////////////////////////


def _show_claims(found: Document) -> None:
    for claim in found["claims"]:
        mark = _MARKS[claim["holds"]]
        click.echo(f"  {mark}  {claim['name']:<32} {claim['seconds']:>8.1f} s  {claim['covers']}")
        for name, value in claim.get("counterexample", {}).items():
            click.echo(f"           {name}: {value}")
    verdict = "all proven" if found["holds"] else "some FAIL"
    click.echo(f"{found['preset']} {show.axes(found['config'])}: {verdict}")


@click.command(epilog=AXES_HELP)
@click.option("--jobs", default=2, show_default=True, help="Claims to prove in parallel.")
@click.option(
    "--claim", "only", multiple=True, help="Only claims whose name starts so; may be repeated."
)
@click.option(
    "--engine",
    type=click.Choice(("walk", "cec", "scorr", "induction", "all")),
    default="walk",
    show_default=True,
    help="What shows the claims on the core.",
)
@click.option(
    "--wave", type=click.Path(path_type=Path), help="Write a counterexample as a VCD file."
)
@click.option(
    "--certificate",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Also write the control states that the walks found, and check them independently.",
)
@click.option(
    "--check-certificate",
    "check",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Only check such a file, without a walk.",
)
@document(_show_claims)
@core
def prove(
    preset: Any,
    config: Any,
    jobs: int,
    only: tuple[str, ...],
    engine: str,
    wave: Path | None,
    certificate: Path | None,
    check: Path | None,
) -> Document:
    """Prove a core for every key and every block.

    The parts against FIPS 197, the whole core from every reachable state of its control, its
    handshakes, its promised cycles, and that no timing depends on key or data.

    A certificate holds the control states that the walks found, without data.
    formal/check_certificate.cpp, which shares no code with the walk, shows that they are closed
    under every input and keep the rules on handshakes and cycles; it does not check results.

    Three more engines use neither the walk nor its specification, and replace no part. cec proves
    one run, from reset to a result, against AES with the literal tables of FIPS 197. induction
    proves all runs of a core of one block at a time, and scorr those of some that encrypt.

    A masked core is proven for all shares and random bits, by claims of its own.

    \b
    Examples:
      aesforge prove kakarlapudi-sbox keys=128 direction=encrypt
      aesforge prove kakarlapudi-sbox keys=128 mode=cbc --claim aes_mode
      aesforge prove kakarlapudi-sbox mode=gcm hold=on --claim aes_hold
      aesforge prove aesforge-iterative --engine all
      aesforge prove aesforge-masked-nano shares=3 gadget=hpc3
      aesforge prove aesforge-iterative keys=128 --certificate iterative.zip
      aesforge prove aesforge-iterative keys=128 --check-certificate iterative.zip
    """
    from aesforge.flows.prove import prove as flow

    return flow(
        preset.name,
        config,
        jobs,
        wave,
        only or None,
        certificate=certificate,
        check=check,
        engine=engine,
    )


# probe //////////////////////////////////////////////////////////////////////////////////////////


def _show_probes(found: Document) -> None:
    for place in found.get("written", ()):
        click.echo(f"written: {place}")
    if "checks" not in found:
        return
    for check in found["checks"]:
        mark = _MARKS[check["holds"]]
        said = f" {check['found']}" if check["found"] else ""
        click.echo(f"  {mark}  {check['seconds']:>8.1f} s  {check['name']}{said}")
    click.echo("all hold" if found["holds"] else "some FAIL")


@click.command()
@click.option(
    "--gadget", "chosen", multiple=True, help="Only this gadget: dom, dom-refreshed or hpc3."
)
@click.option(
    "--shares", type=click.IntRange(2, 3), default=2, show_default=True, help="Shares of a value."
)
@click.option(
    "--order", type=click.IntRange(0, 2), default=0, help="Most probes; by default shares less 1."
)
@click.option(
    "--netlist",
    type=click.Choice(("elaborated", "osu018")),
    default="elaborated",
    show_default=True,
    help="The netlist: elaborated, or mapped to standard cells.",
)
@click.option(
    "--controls", is_flag=True, help="Break the gadgets in known ways; each leak must be found."
)
@click.option(
    "--core", is_flag=True, help="How the masked cores are composed of gadgets, instead of these."
)
@click.option(
    "--export",
    "folder",
    metavar="FOLDER",
    type=click.Path(path_type=Path),
    help="Write S-boxes to this folder, as netlists and settings of the checker PROLEAD, instead.",
)
@document(_show_probes)
def probe(
    chosen: tuple[str, ...],
    shares: int,
    order: int,
    netlist: str,
    controls: bool,
    core: bool,
    folder: Path | None,
) -> Document:
    """Check masked gadgets and S-boxes against probes that see glitches.

    For every set of probes, the joint distribution of all registers and inputs that they may see
    is the same for every value of the masked inputs. Products are also checked for the notion by
    which they compose: SNI for domain-oriented masking, PINI for HPC3. The check is exact for the
    model; it says nothing of a device.

    With --core, each whole core: outside its products no net depends on two shares and control on
    none, each random bit goes to one product in a cycle, registers separate inversions and hold
    each bit of their operands, and each inversion of the netlist is checked against one probe.

    \b
    Examples:
      aesforge probe
      aesforge probe --gadget dom-refreshed --netlist osu018
      aesforge probe --shares 3 --gadget hpc3
      aesforge probe --controls
      aesforge probe --core
      aesforge probe --export checks --gadget hpc3
    """
    from aesforge.flows.probe import export
    from aesforge.flows.probe import probe as flow

    if folder is not None:
        if order or netlist != "elaborated" or controls or core:
            raise UserError("--export takes --gadget and --shares only; leave the others out")
        return export(folder, chosen, shares)
    return flow(chosen, shares, order, netlist, controls, core)


# leakage ////////////////////////////////////////////////////////////////////////////////////////


def _show_leakage(found: Document) -> None:
    click.echo(
        f"{found['core']}, masks {found['masks']}: {found['traces']:,} traces of {found['cycles']} "
        f"cycles, transitions of {found['nodes']:,} registers and gates"
    )
    verdict = "below" if found["holds"] else "NOT below"
    click.echo(
        f"largest |t| {found['largest_t']} at cycle {found['at_cycle']}, {verdict} "
        f"{found['threshold']}; {found['cycles_above']} cycles at or above it"
    )


@click.command(epilog=AXES_HELP)
@click.option("--traces", default=4096, show_default=True, help="Simulated traces of a block.")
@click.option("--seed", default=1, show_default=True, help="Seed of all random choices.")
@click.option(
    "--masks",
    type=click.Choice(("random", "zero")),
    default="random",
    show_default=True,
    help="Zero: the core without masking, which must fail.",
)
@document(_show_leakage)
@core
def leakage(preset: Any, config: Any, traces: int, seed: int, masks: str) -> Document:
    """Compare simulated traces of a masked core with fixed and with random blocks.

    The sample of a cycle is the number of transitions of registers and gates, with the glitches of
    gates that all have the same delay. Welch's t of each cycle must stay below 4.5. The test says
    nothing of a device, nor of glitches under other delays (aesforge probe covers all of them).

    \b
    Examples:
      aesforge leakage aesforge-masked --traces 100000
      aesforge leakage aesforge-masked --traces 300 --masks zero
      aesforge leakage aesforge-masked-nano gadget=dom
    """
    from aesforge.flows.leakage import leakage as flow

    return flow(preset, config, traces, seed, masks == "random")


# inject /////////////////////////////////////////////////////////////////////////////////////////


def _show_inject(found: Document) -> None:
    from aesforge.results.documents import SERIES
    from aesforge.sim.inject import CLASSES

    click.echo(f"{found['preset']} {show.axes(found['config'])}")
    for check in found.get("controls", ()):
        mark = "found " if check["holds"] else "MISSED"
        said = f"{check['found']:,} {check['find']}"
        click.echo(f"  {mark}  {check['seconds']:>8.1f} s  {check['name']}: {said}")
    if "faults" in found:
        kinds = CLASSES.values()
        show.table(
            f"Flips in {found['cycles']} cycles of {sum(found['registers'].values()):,} registers",
            ("faults", "", *kinds),
            [
                (SERIES[name], f"{row['faults']:,}", *(f"{row[kind]:,}" for kind in kinds))
                for name, row in found["faults"].items()
            ],
        )


@click.command(epilog=AXES_HELP)
@click.option("--doubles", default=1000, show_default=True, help="Pairs of flips, drawn at random.")
@click.option(
    "--every", default=1, show_default=True, help="Flip in one of so many cycles; 1: in all."
)
@click.option(
    "--gates", default=1000, show_default=True, help="Flips of a gate in a cycle, drawn at random."
)
@click.option("--seed", default=1, show_default=True, help="Seed of pairs and gates.")
@click.option(
    "--controls", is_flag=True, help="Break the comparison in known ways; each must be found."
)
@store_option("Record the campaign in this JSON lines file.")
@document(_show_inject)
@core
def inject(
    preset: Any,
    config: Any,
    doubles: int,
    every: int,
    gates: int,
    seed: int,
    controls: bool,
    table: Path | None,
) -> Document:
    """Flip every register of a core in every cycle of a block.

    A key and two blocks are processed, and each bit of each register and memory is flipped in each
    cycle from the reset to the first result. A flip is detected (the alarm is raised and stays, and
    no wrong result was on offer), harmless (all results are right), or it corrupts: a wrong result
    without an alarm is silent, one that does not arrive is missing, one before the alarm is late.
    With protection=fault no flip of control may corrupt, and less than 0.1 % of those of data. A
    core without protection has no alarm; its campaign shows what flips do.

    Then pairs of flips, and flips of a gate for one cycle, are drawn at random. A gate is a
    conjunction of the elaborated netlist, not a cell of a target. No glitch of the clock or the
    supply is simulated.

    \b
    Examples:
      aesforge inject aesforge-nano protection=fault
      aesforge inject aesforge-nano --gates 100000
      aesforge inject aesforge-iterative keys=128 protection=fault --controls
    """
    from aesforge.flows import inject as flow

    if controls:
        return flow.inject_controls(preset, config, every)
    return flow.inject(preset, config, doubles, every, seed, table, gates)
