"""Arguments and options that several verbs share."""

import json
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import wraps
from pathlib import Path
from typing import Any

import click

from aesforge.errors import UserError

Document = dict[str, Any]

AXES_HELP = "AXIS=VALUE sets a free axis of the preset, such as keys=128; see 'aesforge list'."

TARGETS_HELP = (
    "ecp5, gatemate, ice40, nexus (placed); gowin, xc7, xc5v, xc4v, xc3s, xc3se, xcv "
    "(synthesized); osu018 (standard cells, timed), osu018_gated (the same with clock gating), "
    "osu018_pulsed (with latches that a pulse opens)."
)


def core(verb: Callable[..., Document]) -> Callable[..., Document]:
    """Add the PRESET and AXIS=VALUE arguments; the verb gets `preset` and `config`."""

    @click.argument("preset", metavar="PRESET")
    @click.argument("axes", metavar="[AXIS=VALUE]...", nargs=-1)
    @wraps(verb)
    def command(preset: str, axes: Sequence[str], **options: Any) -> Document:
        from aesforge.space.presets import preset as named

        chosen = named(preset)
        return verb(chosen, chosen.configure(axes), **options)

    return command


def document(show: Callable[[Document], None]) -> Callable[..., Callable[..., None]]:
    """Add the --json option to a verb; without it, `show` prints the document as text.

    The exit code is 1 when `holds` is false in the document, or `too_large` true.
    """

    def decorate(verb: Callable[..., Document]) -> Callable[..., None]:
        @click.option("--json", "as_json", is_flag=True, help="Print one JSON document on stdout.")
        @wraps(verb)
        def command(*args: Any, as_json: bool, **options: Any) -> None:
            found = verb(*args, **options)
            if as_json:
                click.echo(json.dumps(found, indent=2))
            else:
                show(found)
            if not found.get("holds", True) or found.get("too_large"):
                sys.exit(1)

        return command

    return decorate


def store_option(text: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add the --store option as `table`, with this help text."""
    return click.option("--store", "table", type=click.Path(path_type=Path), help=text)


seeds_option = click.option(
    "--seeds",
    default=3,
    show_default=True,
    help="Placed targets: placements, whose median frequency counts; at most five.",
)
"""The --seeds option as `seeds`."""


def targets(verb: Callable[..., Document]) -> Callable[..., Document]:
    """Add the choice of a target, or of a library with one or more delays.

    The verb is called with `target` for each of them, and returns a row, which is recorded. Several
    rows become one document with `rows`.
    """

    @click.option("--target", metavar="NAME", help=TARGETS_HELP)
    @click.option(
        "--liberty",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="A library of your own standard cells, instead of a target.",
    )
    @click.option(
        "--delay",
        metavar="PS,...",
        help="Standard cells: size gates for this delay, 1300 by default; 0 maps for area alone. "
        "Several delays make a trade-off curve.",
    )
    @click.option(
        "--wires",
        metavar="FF,PS,PS",
        help="Standard cells: wire load of each input that a net drives, uncertainty and slew of "
        "the clock, for the figures with wires and clock; 10,150,200 for osu018.",
    )
    @seeds_option
    @store_option("Record the row in this JSON lines file instead of your own store.")
    @wraps(verb)
    def command(
        *args: Any,
        target: str | None,
        liberty: Path | None,
        delay: str | None,
        wires: str | None,
        seeds: int,
        table: Path | None,
        **options: Any,
    ) -> Document:
        from aesforge.results import store

        if seeds < 1:
            raise UserError(f"nothing is placed with --seeds {seeds}; give 1 to 5")
        try:
            delays = [int(word) for word in delay.split(",")] if delay else [None]
        except ValueError:
            raise UserError(
                f"'{delay}' is not a list of delays in ps; write one such as 0,1500,3000"
            ) from None
        rows = []
        # All of them are checked before the first is measured.
        chosen = [_wired(chosen_target(target, liberty, ps), wires) for ps in delays]
        for one in chosen:
            rows.append(verb(*args, target=one.with_seeds(seeds), **options))
            # A check measures nothing, so it is no row of the user's measurements.
            if table or not options.get("check"):
                store.append(table or store.own(), rows[-1:])
        if len(rows) == 1:
            return rows[0]
        return {"holds": all(row.get("holds", True) for row in rows), "rows": rows}

    typed: Callable[..., Document] = command
    return typed


def _wired(found: Any, wires: str | None) -> Any:
    """The target with the wires of --wires."""
    from aesforge.tools.liberty import Wires

    if wires is None:
        return found
    if not found.liberty:
        raise UserError(f"--wires is for standard cells, which {found.name} is not; leave it out")
    numbers = re.fullmatch(",".join(3 * [r"(\d+(?:\.\d+)?)"]), wires)
    if numbers is None:
        raise UserError(
            f"'{wires}' is not a load in fF and two times in ps; write them such as 10,150,200"
        )
    return replace(found, wires=Wires(*map(float, numbers.groups())))


def chosen_target(name: str | None, liberty: Path | None, delay: int | None) -> Any:
    """The target named by --target or --liberty, exactly one of which must be given."""
    from aesforge.space.targets import library, target

    if name is not None and liberty is None:
        return target(name, delay)
    if liberty is not None and name is None:
        return library(liberty, delay)
    verb = click.get_current_context().info_name
    raise UserError(f"give either --target NAME or --liberty FILE; see 'aesforge {verb} -h'")
