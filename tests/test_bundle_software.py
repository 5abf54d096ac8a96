"""The software in bundles of register ports."""

import subprocess
from pathlib import Path

import needs
import pytest
from suite import slow
from test_driver import DRIVER, STRICT

from aesforge.errors import UserError
from aesforge.flows.build import build
from aesforge.space.presets import preset

PRESET = preset("aesforge-iterative-universal")


def make(folder: Path, *choices: str, soc: bool = False) -> dict[str, object]:
    config = PRESET.configure(choices)
    return build(PRESET, config, folder, "aesforge build", False, "my_aes", soc=soc)


@pytest.mark.parametrize(
    "choices",
    [
        pytest.param(("mode=gcm", "keys=128", "port=axi-lite"), marks=slow),
        pytest.param(("mode=xts,ecb", "keys=256", "port=wishbone"), marks=slow),
        pytest.param(("mode=ccm", "port=apb", "stream_port=on"), marks=slow),
        pytest.param(("mode=cmac,ccm", "port=tl-ul"), marks=slow),
        pytest.param(("mode=kwp", "direction=decrypt", "port=apb"), marks=slow),
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
    assert not [
        name for name in make(tmp_path / "core", "keys=128", "mode=ecb")["files"] if "sw/" in name
    ]


def test_a_port_without_an_adapter_has_no_system(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="use port=axi-lite or port=wishbone"):
        make(tmp_path / "core", "mode=gcm", "keys=128", "port=apb", soc=True)
    with pytest.raises(UserError, match="leave out stream_port=on"):
        make(tmp_path / "core", "mode=gcm", "port=wishbone", "stream_port=on", soc=True)
    assert not (tmp_path / "core").exists()


@pytest.mark.parametrize(
    "choices",
    [
        pytest.param(("mode=gcm", "keys=128", "port=axi-lite"), marks=slow),
        pytest.param(("mode=xts", "keys=256", "port=wishbone"), marks=slow),
        pytest.param(("mode=cmac", "port=wishbone"), marks=slow),
        pytest.param(("mode=kw", "direction=decrypt", "port=axi-lite"), marks=slow),
    ],
    ids=" ".join,
)
def test_the_program_of_a_system_passes(choices: tuple[str, ...], tmp_path: Path) -> None:
    needs.riscv_gcc()
    needs.iverilog()
    make(tmp_path / "core", *choices, soc=True)
    run = ["make", "-s", "-C", tmp_path / "core" / "soc"]
    done = subprocess.run(run, capture_output=True, text=True)
    assert (done.returncode, "PASS" in done.stdout) == (0, True), done.stdout + done.stderr
    # A wrong expectation is found.
    example = tmp_path / "core" / "sw" / "example.c"
    head, found, tail = example.read_text(encoding="utf-8").partition("expected")
    name, brace, rest = tail.partition("{\n    0x")
    text = f"{head}{found}{name}{brace}{int(rest[:2], 16) ^ 1:02x}{rest[2:]}"
    example.write_text(text, encoding="utf-8")
    done = subprocess.run(run, capture_output=True, text=True)
    assert done.returncode != 0
    assert "FAIL: error -8" in done.stdout + done.stderr
