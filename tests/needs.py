"""What some tests need beside the lock file: Debian packages, which .ci/run installs.

Without them they are skipped, and say what is missing.
"""

import shutil
from functools import cache
from pathlib import Path

import pytest

from aesforge.space.targets import target

_CELLS = Path(target("osu018").liberty).is_file() and shutil.which("sta")
_NO_CELLS = "needs the Debian packages qflow-tech-osu018 and opensta"
cells = pytest.mark.skipif(not _CELLS, reason=_NO_CELLS)


def osu018() -> None:
    """As `cells`, for what tests share."""
    if not _CELLS:
        pytest.skip(_NO_CELLS)


@cache
def iverilog() -> str:
    """Icarus Verilog; skips the test that asks for it where there is none."""
    found = shutil.which("iverilog")
    if found is None:
        pytest.skip("needs the Debian package iverilog")
    return found


@cache
def tclsh() -> str:
    """A shell of Tcl; skips the test that asks for it where there is none."""
    found = shutil.which("tclsh")
    if found is None:
        pytest.skip("needs the Debian package tcl")
    return found


@cache
def chromium() -> tuple[str, str]:
    """The browser and its driver; skips the test that asks for them where one is missing."""
    found = shutil.which("chromium"), shutil.which("chromedriver")
    if not all(found):
        pytest.skip("needs the Debian packages chromium and chromium-driver")
    return str(found[0]), str(found[1])
