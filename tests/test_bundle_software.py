"""The software in bundles of register ports."""

import subprocess
from pathlib import Path

import pytest
from test_driver import DRIVER, STRICT

from aesforge.flows.build import build
from aesforge.space.presets import preset

PRESET = preset("aesforge-iterative-universal")


def make(folder: Path, *choices: str) -> dict[str, object]:
    return build(PRESET, PRESET.configure(choices), folder, "aesforge build", False, "my_aes")


@pytest.mark.parametrize(
    "choices",
    [
        ("mode=gcm", "keys=128", "port=axi-lite"),
        ("mode=xts,ecb", "keys=256", "port=wishbone"),
        ("mode=cmac,ccm", "port=tl-ul"),
        ("mode=kwp", "direction=decrypt", "port=apb"),
    ],
    ids=" ".join,
)
def test_the_driver_and_its_example_compile(choices: tuple[str, ...], tmp_path: Path) -> None:
    make(tmp_path / "core", *choices)
    folder = tmp_path / "core" / "sw"
    for path in DRIVER.glob("*.[ch]"):
        assert (folder / path.name).read_bytes() == path.read_bytes()
    for name in ("aesforge.c", "example.c"):
        command = ["gcc", *STRICT, "-O2", "-c", folder / name, "-o", tmp_path / "made.o"]
        subprocess.run(command, check=True)
    text = (tmp_path / "core" / "my_aes.md").read_text(encoding="utf-8")
    assert "sw/example.c" in text


def test_a_core_without_registers_has_no_software(tmp_path: Path) -> None:
    assert not [name for name in make(tmp_path / "core", "mode=gcm")["files"] if "sw/" in name]
