"""A cache of results and compiled models, keyed by what they were made from.

The folder is AESFORGE_CACHE if set, else the user's cache folder. It may be deleted at any time.
"""

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

from aesforge.errors import UserError


def root() -> Path:
    """The cache folder."""
    if chosen := os.environ.get("AESFORGE_CACHE"):
        return Path(chosen)
    from platformdirs import user_cache_path

    return user_cache_path("aesforge")


def folder(kind: str, digest: str, make: Callable[[Path], None]) -> Path:
    """The folder that `make` fills, made once for each `digest`.

    It appears complete or not at all. Of two processes that need it, one waits for the other.
    """
    from filelock import FileLock

    place = root() / kind / digest
    if place.is_dir():
        return place
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(
            f"cannot write the cache folder {root()}: {error.strerror}; "
            "set AESFORGE_CACHE to a folder that can be written"
        ) from None
    with FileLock(place.with_suffix(".lock")):
        if not place.is_dir():
            # A short name: compilers meet limits on path lengths.
            work = place.with_name(f"{place.name}.{uuid4().hex[:6]}")
            work.mkdir()
            try:
                make(work)
                work.rename(place)
            except BaseException:
                shutil.rmtree(work, ignore_errors=True)
                raise
    return place


def value(kind: str, digest: str, make: Callable[[], Any]) -> Any:
    """What `make` returns (any JSON value), computed once for each `digest`."""

    def write(work: Path) -> None:
        (work / "value.json").write_text(json.dumps(make()), encoding="utf-8")

    return json.loads((folder(kind, digest, write) / "value.json").read_text(encoding="utf-8"))
