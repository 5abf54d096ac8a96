"""The command line: the groups of verbs, loaded when they are asked for, and the exit codes.

Exit codes: 0 done, 1 a check failed, 2 bad input, 3 a needed tool is missing.
"""

import errno
import os
import sys
from importlib import import_module

import click

from aesforge.errors import UserError

GROUPS = {
    "Choose and build": ("cores", ("list", "choose", "build", "run")),
    "Check": ("checks", ("verify", "prove", "probe", "leakage", "inject")),
    "Measure": ("figures", ("synth", "power", "measure", "sweep")),
    "Compare": ("comparisons", ("papers", "report")),
    "Maintaining aesforge": ("maintaining", ("search", "proofs", "mutants", "peers", "tables")),
}
"""The verbs under the heading they have in the help, each with its module in `aesforge.cli`."""


class Verbs(click.Group):
    """The verbs; a verb's module is imported when the verb is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All verbs, in the order of the help."""
        return [verb for _, verbs in GROUPS.values() for verb in verbs]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The verb of that name."""
        for module, verbs in GROUPS.values():
            if cmd_name in verbs:
                names = {"list": "list_"}
                loaded = import_module(f"aesforge.cli.{module}")
                command: click.Command = getattr(loaded, names.get(cmd_name, cmd_name))
                return command
        return None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The verb that the arguments start with; an unknown one is answered with the nearest."""
        from aesforge.errors import unknown

        if args and not args[0].startswith("-") and args[0] not in self.list_commands(ctx):
            raise unknown("command", args[0], self.list_commands(ctx))
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The verbs by group, each with the first sentence of its help."""
        for title, (_, verbs) in GROUPS.items():
            rows = []
            for verb in verbs:
                command = self.get_command(ctx, verb)
                rows.append((verb, command.get_short_help_str(80) if command else ""))
            with formatter.section(title):
                formatter.write_dl(rows)


@click.group(
    cls=Verbs, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
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


_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_NO_ACCESS = (errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR)


def _cannot_write(error: OSError) -> str:
    """What a user can do about a file that the system refuses; re-raises any other error."""
    place = error.filename or "the output"
    if error.errno in _NO_ROOM:
        return f"cannot write {place}: {error.strerror}; free some space or choose another place"
    if error.errno in _NO_ACCESS:
        return f"cannot access {place}: {error.strerror}; change its permissions or its place"
    raise error


def _discard_stdout() -> None:
    """Point stdout at nothing, so that the interpreter's last flush cannot fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def main() -> None:
    """Run the command line; errors that a user can correct become one line and an exit code."""
    from aesforge.tools.process import ToolFailed

    code = 1
    try:
        try:
            cli.main(standalone_mode=False)
        finally:
            # A full disk is reported here rather than by the interpreter at its exit.
            sys.stdout.flush()
        return
    except click.ClickException as error:
        error.show()
        code = 2
    except click.Abort:
        click.echo("aesforge: interrupted", err=True)
        code = 130
    except UserError as error:
        click.echo(f"aesforge: {error}", err=True)
        code = error.exit_code
    except ToolFailed as error:
        click.echo(f"aesforge: {error}", err=True)
    except BrokenPipeError:
        # The reader of a pipe, such as head, has enough.
        _discard_stdout()
    except OSError as error:
        click.echo(f"aesforge: {_cannot_write(error)}", err=True)
        _discard_stdout()
        code = 2
    sys.exit(code)


if __name__ == "__main__":
    main()
