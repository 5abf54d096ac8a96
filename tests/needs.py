"""What some tests need beside the lock file: Debian packages, which .ci/run installs.

Without them they are skipped, and say what is missing.
"""

import ctypes
import shutil
from ctypes.util import find_library
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
    return program("iverilog")


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


@cache
def _libmcrypt() -> ctypes.CDLL:
    found = find_library("mcrypt")
    if found is None:
        pytest.skip("needs the Debian package libmcrypt4")
    library = ctypes.CDLL(found)
    library.mcrypt_module_open.restype = ctypes.c_void_p
    return library


def mcrypt(data: bytes, key: bytes, decrypt: bool) -> bytes:
    """A block of Rijndael by libmcrypt; skips the test that asks for it where there is none."""
    library = _libmcrypt()
    name = f"rijndael-{8 * len(data)}".encode()
    cipher = ctypes.c_void_p(library.mcrypt_module_open(name, None, b"ecb", None))
    assert library.mcrypt_generic_init(cipher, key, len(key), None) == 0
    block = ctypes.create_string_buffer(data, len(data))
    step = library.mdecrypt_generic if decrypt else library.mcrypt_generic
    assert step(cipher, block, len(data)) == 0
    library.mcrypt_generic_end(cipher)
    return block.raw


@cache
def program(package: str, path: str | None = None) -> str:
    """A program that has the name of its Debian package; skips the test where there is none.

    `path` is where it must be, if there may be others of its name.
    """
    found = shutil.which(package, path=path)
    if found is None:
        pytest.skip(f"needs the Debian package {package}")
    return found


@cache
def riscv_gcc() -> str:
    """GCC for RISC-V without an operating system; skips the test where there is none."""
    found = shutil.which("riscv64-unknown-elf-gcc")
    if found is None:
        pytest.skip("needs the Debian package gcc-riscv64-unknown-elf")
    return found


_HEADERS = {
    "json-c/json.h": "libjson-c-dev",
    "event2/event.h": "libevent-dev",
    "zlib.h": "zlib1g-dev",
}


def header(name: str) -> None:
    """Skips the test that asks for a C header where there is none."""
    if not (Path("/usr/include") / name).is_file():
        pytest.skip(f"needs the Debian package {_HEADERS[name]}")
