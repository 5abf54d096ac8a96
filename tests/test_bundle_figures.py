"""What a bundle gives is what is published: `synth` of a preset and `measure` of its bundle."""

import re
from pathlib import Path

import pytest
import suite

from aesforge.flows.build import build
from aesforge.flows.measure import subject
from aesforge.flows.synth import core, measure
from aesforge.space.presets import preset, presets
from aesforge.space.targets import target

# The smallest; its tables and its narrow core are mapped apart.
SAMPLE = ("aesforge-nano",)
ALLOWED = 0.02
# Of a core that selects its S-boxes the order of the ports differs, and so what ABC makes of it.
ALLOWED_SELECTABLE = 0.03


def areas(name: str, on: str, folder: Path) -> dict[str, tuple[int, int]]:
    """LUTs or GE, and flip-flops, by `synth` and by `measure` on the bundle; nothing is placed."""
    chosen, where = preset(name), target(on, 0 if on == "osu018" else None)
    out = folder / "bundle"
    top = build(chosen, chosen.config, out, "aesforge build", force=False, name=None)["top"]
    text = re.sub(r"//.*", "", (out / f"{top}.f").read_text())
    listed = text.split()
    files = [out / line for line in listed if not line.startswith("+")]
    include = [out / line.removeprefix("+incdir+") for line in listed if line.startswith("+")]
    found = {}
    for how, measured in {
        "synth": core(chosen.config),
        "bundle": subject(files, top, include=include),
    }.items():
        row = measure(measured, where, unplaced="only areas are compared")
        found[how] = (row["lut"] if row["ge"] is None else row["ge"], row["ff"])
    return found


def compare(name: str, on: str, folder: Path) -> None:
    found = areas(name, on, folder)
    assert found["synth"][0] > 100
    selectable = preset(name).config.selectable_sboxes
    allowed = ALLOWED_SELECTABLE if selectable else ALLOWED
    for ours, bundle in zip(found["synth"], found["bundle"], strict=True):
        assert bundle == pytest.approx(ours, rel=allowed)


@pytest.mark.parametrize("name", SAMPLE)
def test_a_bundle_gives_the_published_area(name: str, tmp_path: Path) -> None:
    compare(name, "ecp5", tmp_path)


@suite.slow
@pytest.mark.parametrize("on", ["ecp5", "xc7", "osu018"])
@pytest.mark.parametrize("name", list(presets()))
def test_every_bundle_gives_the_published_area(name: str, on: str, tmp_path: Path) -> None:
    compare(name, on, tmp_path)
