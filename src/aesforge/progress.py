"""Progress on standard error: a live bar on a terminal, nothing in a pipe."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_hidden = False


@contextmanager
def hidden() -> Iterator[None]:
    """Show no bars within: the caller reports the progress."""
    global _hidden
    before, _hidden = _hidden, True
    try:
        yield
    finally:
        _hidden = before


@contextmanager
def track(description: str, total: float | None = None) -> Iterator[Callable[[float], None]]:
    """A bar named `description`; yields a function that advances it by a number of units.

    Without `total` the bar only shows activity.
    """
    if _hidden or not sys.stderr.isatty():
        yield lambda _units: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(description, total=total)
        yield lambda units: bar.advance(task, units)
