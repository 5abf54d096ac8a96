"""Calls of external tools: their arguments, their output, and their failures."""

import os
import re
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

# The call stack of a failed tool, in Python or WebAssembly. The reason follows it.
_TRACE = re.compile(r"^Traceback .*\n(?: .*\n)*|^ *\d+: +0x[0-9a-f]+ - .*<wasm function.*\n", re.M)


class ToolFailed(Exception):
    """A tool ended with an error; carries its whole output."""

    def __init__(self, name: str, output: str) -> None:
        self.output = output
        tail = "\n".join(_TRACE.sub("", output).strip().splitlines()[-12:])
        super().__init__(f"{name} failed:\n{tail}")


class ToolTimeout(Exception):
    """A time limit passed while a tool ran."""


_deadline: list[float] = []


@contextmanager
def within(seconds: float | None) -> Iterator[None]:
    """Limit the time of all tools that are called within; None for no limit.

    ToolTimeout when `seconds` have passed.
    """
    if seconds is None:
        yield
        return
    _deadline.append(time.monotonic() + seconds)
    try:
        yield
    finally:
        _deadline.pop()


def call(
    name: str,
    command: Sequence[str | Path],
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    seconds: float | None = None,
) -> str:
    """Run `command` to its end and return what it printed; ToolFailed if it did not exit with 0.

    After `seconds`, or at the limit of `within`, ToolTimeout. If this call ends early, the tool and
    all its processes are killed.
    """
    limits = [] if seconds is None else [seconds]
    if _deadline:
        limits.append(max(0.0, _deadline[-1] - time.monotonic()))
    left = min(limits, default=None)
    with subprocess.Popen(
        [str(part) for part in command],
        cwd=cwd,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
    ) as tool:
        try:
            output, _ = tool.communicate(timeout=left)
        except BaseException as error:
            os.killpg(tool.pid, signal.SIGKILL)
            tool.wait()
            if isinstance(error, subprocess.TimeoutExpired):
                raise ToolTimeout(f"{name} did not end in time") from None
            raise
    if tool.returncode:
        raise ToolFailed(name, output)
    return output
