"""How much of the suite a run has: the everyday tests, or all of them.

AESFORGE_TESTS says it: unset for the everyday tests, `full` for all, or a number such as 2 for all
everyday tests and every second slow one. `make test` and `make test-full` set it.
"""

import os
import zlib

import pytest

WANTED = os.environ.get("AESFORGE_TESTS", "")
EVERYDAY = not WANTED

slow = pytest.mark.slow


def selected(test: str) -> bool:
    """Whether a run has this slow test."""
    if EVERYDAY or WANTED == "full":
        return not EVERYDAY
    return zlib.crc32(test.encode()) % int(WANTED) == 0
