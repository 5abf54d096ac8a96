"""Progress on standard error: a live bar on a terminal, nothing in a pipe."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def track(description: str, total: float | None = None) -> Iterator[Callable[[float], None]]:
    """A bar named `description`; yields a function that advances it by a number of units.

    Without `total` the bar only shows that work goes on.
    """
    if not sys.stderr.isatty():
        yield lambda _units: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(description, total=total)
        yield lambda units: bar.advance(task, units)
