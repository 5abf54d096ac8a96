"""Cores that are broken on purpose: `aesforge verify` must report that each does not hold."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Collection
from pathlib import Path
from typing import Any

import pytest
from suite import slow

ROOT = Path(__file__).resolve().parents[1]
_EVERY = 3
"""One of this many broken cores is tried by `make test-full`; `make verify` tries all of them."""


def sampled(names: Collection[str], every: int = _EVERY, everyday: bool = False) -> list[Any]:
    """Parameters of a test that takes the names of broken cores, each of which is compiled anew.

    `everyday` tries the first one in every run.
    """
    return [
        pytest.param(
            name,
            marks=pytest.mark.full if number % every else () if everyday and not number else slow,
        )
        for number, name in enumerate(names)
    ]


def is_caught(folder: Path, file: str, good: str, bad: str, *words: str) -> None:
    """`verify` with these words fails on a copy in `folder` with `bad` for `good` in `rtl/file`."""
    for part in ("src", "rtl"):
        shutil.copytree(ROOT / part, folder / part)
    source = folder / "rtl" / file
    text = source.read_text(encoding="utf-8")
    assert text.count(good) == 1
    source.write_text(text.replace(good, bad), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "aesforge.cli.main", "verify", *words, "--json"],
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(folder / "src")},
    )
    assert done.returncode == 1, done.stderr.decode()
    assert not json.loads(done.stdout)["holds"]
