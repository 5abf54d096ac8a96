"""The wheel works outside the tree: nothing that a verb reads is left behind."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

TREE = Path(__file__).parents[1]
PLACES = {
    "src/aesforge": "aesforge",
    "rtl": "aesforge/rtl",
    "formal": "aesforge/formal",
    "results": "aesforge/results/rows",
    "sw": "aesforge/sw",
}
"""Folders of the tree, and where the wheel has them."""

LEFT = ("sw/test/", "sw/.clang-tidy")
"""What no verb reads."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder into which the wheel is installed."""
    base = tmp_path_factory.mktemp("wheel")
    # A copy, so that what setuptools leaves behind is not in the tree.
    for folder in PLACES:
        unwanted = shutil.ignore_patterns("__pycache__", "*.egg-info")
        shutil.copytree(TREE / folder, base / "tree" / folder, ignore=unwanted)
    for file in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(TREE / file, base / "tree")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "-q"]
    offline = ["--no-deps", "--no-index"]
    wheel = [*pip, "wheel", *offline, "--no-build-isolation", "-w", base, base / "tree"]
    subprocess.run(wheel, check=True)
    (found,) = base.glob("*.whl")
    subprocess.run([*pip, "install", *offline, "--target", base / "site", found], check=True)
    shutil.rmtree(base / "tree")
    return base / "site"


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
