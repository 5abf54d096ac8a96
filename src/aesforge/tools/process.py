"""How tools are called: a list of arguments, their output kept, a failure told."""

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path


class ToolFailed(Exception):
    """A tool ended with an error; carries its whole output."""

    def __init__(self, name: str, output: str) -> None:
        self.output = output
        tail = "\n".join(output.strip().splitlines()[-12:])
        super().__init__(f"{name} failed:\n{tail}")


def call(
    name: str,
    command: Sequence[str | Path],
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
) -> str:
    """Run `command` to its end and return what it printed; ToolFailed if it did not exit with 0."""
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode:
        raise ToolFailed(name, done.stdout)
    return done.stdout
