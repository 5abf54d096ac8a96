"""The wheel works outside the tree: nothing that a verb reads is left behind."""

import os
import shutil
import subprocess
import sys
import sysconfig
import time
from pathlib import Path

import needs
import pytest
from suite import slow

TREE = Path(__file__).parents[1]
PLACES = {
    "src/aesforge": "aesforge",
    "rtl": "aesforge/rtl",
    "formal": "aesforge/formal",
    "results": "aesforge/results/rows",
    "sw": "aesforge/sw",
    "examples/soc": "aesforge/soc",
}
"""Folders of the tree, and where the wheel has them."""

LEFT = ("sw/test/", "sw/.clang-tidy", "examples/soc/soc.py", "examples/soc/soc.cpp")
"""What no verb reads."""


PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check", "-q")
OFFLINE = ("--no-deps", "--no-index")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, alone in its folder."""
    base = tmp_path_factory.mktemp("wheel")
    # A copy, so that what setuptools leaves behind is not in the tree.
    for folder in PLACES:
        unwanted = shutil.ignore_patterns("__pycache__", "*.egg-info")
        shutil.copytree(TREE / folder, base / "tree" / folder, ignore=unwanted)
    for file in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(TREE / file, base / "tree")
    made = [*PIP, "wheel", *OFFLINE, "--no-build-isolation", "-w", base, base / "tree"]
    subprocess.run(made, check=True)
    shutil.rmtree(base / "tree")
    (found,) = base.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def site(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder into which the wheel is installed."""
    folder = tmp_path_factory.mktemp("site")
    subprocess.run([*PIP, "install", *OFFLINE, "--target", folder, wheel], check=True)
    return folder


def run(site: Path, empty: Path, *words: str) -> str:
    """What a verb prints in an empty folder."""
    done = subprocess.run(
        [sys.executable, "-m", "aesforge.cli.main", *words],
        cwd=empty,
        env={**os.environ, "PYTHONPATH": str(site)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_file_is_in_it(site: Path) -> None:
    listed = subprocess.run(
        ["git", "ls-files", *PLACES], cwd=TREE, capture_output=True, text=True, check=True
    )
    missing = []
    for name in listed.stdout.split():
        if name.startswith(LEFT):
            continue
        (folder,) = (f for f in PLACES if name.startswith(f"{f}/"))
        if not (site / PLACES[folder] / name.removeprefix(f"{folder}/")).exists():
            missing.append(name)
    assert missing == []


def test_its_version_is_that_of_readme_and_changelog(wheel: Path) -> None:
    version = wheel.name.split("-")[1]
    assert f"Version {version} (" in (TREE / "README.md").read_text(encoding="utf-8")
    assert f"\n## {version} - " in (TREE / "CHANGELOG.md").read_text(encoding="utf-8")


@slow
def test_it_chooses_and_builds(site: Path, tmp_path: Path) -> None:
    asked = ("choose", "--target", "ecp5", "--throughput", "1Gbps", "keys=128")
    assert "aesforge build aesforge-" in run(site, tmp_path, *asked)
    core = ("aesforge-iterative-universal", "mode=gcm", "keys=256", "direction=encrypt")
    run(site, tmp_path, "build", *core, "--name", "my_gcm", "-o", "gcm")
    assert (tmp_path / "gcm" / "my_gcm.f").exists()
    run(site, tmp_path, "build", "aesforge-iterative", "mode=ctr", "port=apb", "-o", "ctr")
    assert (tmp_path / "ctr" / "sw" / "aesforge.c").exists()


def test_it_reads_its_own_sources(site: Path, tmp_path: Path) -> None:
    script = "from aesforge.core.sources import rtl_root; print(rtl_root())"
    found = subprocess.run(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(site)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout.strip() == str(site / "aesforge" / "rtl")


def dependencies(folder: Path) -> Path:
    """The packages of this environment without aesforge: what pip finds, it need not fetch."""
    for path in Path(sysconfig.get_path("purelib")).iterdir():
        if "aesforge" not in path.name:
            (folder / path.name).symlink_to(path)
    return folder


@slow
def test_a_newcomer_encrypts_with_gcm_in_fifteen_minutes(wheel: Path, tmp_path: Path) -> None:
    needs.riscv_gcc()
    needs.iverilog()
    page = (TREE / "docs" / "attach.md").read_text(encoding="utf-8")
    part = page.split("<!-- newcomer -->", 1)[1].split("<!-- /newcomer -->", 1)[0]
    commands = part.split("```sh\n", 1)[1].split("```", 1)[0]
    (tmp_path / "known").mkdir()
    (tmp_path / "empty").mkdir()
    shutil.copy(wheel, tmp_path / "empty")
    known = dependencies(tmp_path / "known")
    own = {"PYTHONPATH": str(known), "PIP_NO_INDEX": "1", "XDG_CACHE_HOME": str(tmp_path / "cache")}
    start = time.monotonic()
    done = subprocess.run(
        ["sh", "-ec", commands],
        cwd=tmp_path / "empty",
        env={**os.environ, **own},
        capture_output=True,
        text=True,
        timeout=15 * 60,
    )
    assert done.returncode == 0, done.stderr
    assert "PASS" in done.stdout
    assert time.monotonic() - start < 15 * 60
