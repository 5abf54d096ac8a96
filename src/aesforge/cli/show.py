"""How documents are printed for people."""

import sys
from collections.abc import Mapping, Sequence


def table(
    title: str,
    columns: Sequence[str],
    rows: Sequence[Sequence[str]],
    width: int = 140,
    numbers: bool = False,
) -> None:
    """Print a table; `width` is for a pipe, which has none of its own.

    With `numbers`, all columns but the first are aligned to the right.
    """
    from rich import box
    from rich.console import Console
    from rich.table import Table

    shown = Table(title=title, box=box.SIMPLE, title_justify="left")
    for at, name in enumerate(columns):
        shown.add_column(name, overflow="fold", justify="right" if at and numbers else "left")
    for row in rows:
        shown.add_row(*row)
    Console(width=None if sys.stdout.isatty() else width, highlight=False, markup=False).print(
        shown
    )


def text(value: object, unit: str = "") -> str:
    """A value in a table; a dash for None."""
    return "-" if value is None else f"{value:,}{unit}" if isinstance(value, int) else f"{value}"


def axes(config: Mapping[str, str]) -> str:
    """A configuration as written on the command line."""
    return " ".join(f"{axis}={value}" for axis, value in config.items())
