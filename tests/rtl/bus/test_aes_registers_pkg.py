"""aes_registers_pkg and the C header: generated from the map, which keeps its own rules."""

import re
import subprocess
from pathlib import Path

import pytest

from aesforge.results import registers
from aesforge.results.registers import registers as registers_of


@pytest.mark.parametrize("path", registers.files(), ids=lambda path: path.name)
def test_file_is_that_of_the_map(path: Path) -> None:
    assert path.read_text(encoding="utf-8") == registers.files()[path], "run 'aesforge tables'"


def test_no_key_is_readable() -> None:
    keys = [one for one in registers_of() if one.name.startswith("KEY")]
    assert len(keys) == 2
    assert not any(one.readable for one in keys)


def test_registers_are_words_apart() -> None:
    words = [address for one in registers_of() for address in one.addresses]
    assert len(words) == len({*words})
    assert all(address % registers.WORD == 0 and address < 2**12 for address in words)


def test_header_compiles_as_c99_and_has_every_offset(tmp_path: Path) -> None:
    checks = "\n".join(
        f"typedef char at_{one.name}[offsetof(aes_registers_t, {one.name}) == "
        f"AES_REGISTERS__{one.name}_offset && AES_REGISTERS__{one.name}_offset == "
        f"{one.address} ? 1 : -1];"
        for one in registers_of()
    )
    unit = tmp_path / "unit.c"
    unit.write_text(f'#include <stddef.h>\n#include "aes_registers.h"\n{checks}\n')
    (header,) = (path for path in registers.files() if path.suffix == ".h")
    command = ["g++", "-x", "c", "-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
    subprocess.run([*command, "-fsyntax-only", f"-I{header.parent}", unit], check=True)


def test_package_reads_whole_words_of_the_map() -> None:
    text = registers.package()
    for what in ("readable", "writable"):
        function = re.search(rf"bit {what}\(.*?endfunction", text, re.DOTALL)
        assert function
        found = {int(number) for number in re.findall(r"12'd(\d+)", function[0])}
        wanted = {a for one in registers_of() if getattr(one, what) for a in one.addresses}
        assert found == wanted
