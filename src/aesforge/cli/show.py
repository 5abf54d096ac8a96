"""How documents are printed for people."""

import sys
from collections.abc import Mapping, Sequence
from typing import Literal


def _widths(columns: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> list[int | None]:
    """The widths of the columns of a table of numbers: labels get what the others leave."""
    cells = list(zip(columns, *rows, strict=True))
    others = [max(map(len, [*name.split(), *below])) for name, *below in cells[1:]]
    room = width - sum(others) - 3 * len(others) - 2
    return [max(1, min(max(map(len, cells[0])), room)), *others]


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
    widths = _widths(columns, rows, width) if numbers else [None] * len(columns)
    for at, (name, most) in enumerate(zip(columns, widths, strict=True)):
        justify: Literal["left", "right"] = "right" if numbers and at else "left"
        shown.add_column(name, overflow="fold", justify=justify, max_width=most)
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
