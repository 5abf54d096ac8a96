"""The errors that a user can correct, and their exit codes."""

from collections.abc import Iterable
from difflib import get_close_matches


class UserError(Exception):
    """Bad input: says what is wrong, why, and how to correct it. Exit code 2."""

    exit_code = 2


class ToolMissing(UserError):
    """A tool that the command needs is missing. Exit code 3."""

    exit_code = 3


def unknown(what: str, given: str, legal: Iterable[str]) -> UserError:
    """An error for a name that is not in `legal`; it lists the nearest name and all names."""
    names = list(legal)
    near = get_close_matches(given, names, 1, 0.5)
    hint = f"; did you mean '{near[0]}'?" if near else ";"
    return UserError(f"unknown {what} '{given}'{hint} choose from: {', '.join(names)}")
