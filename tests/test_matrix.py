"""Each mode around a core of each engine, through every command that a user gives."""

import json
import re
from pathlib import Path

import needs
import pytest
from command import within
from suite import slow
from test_build import run

from aesforge.proof import layers
from aesforge.proof.claims import sources
from aesforge.space.modes import MODES, NONE, Mode
from aesforge.space.presets import Preset, preset, presets

CORES = {
    "serial": ("aesforge-compact", "keys=128"),
    "iterative": ("sklavos-ake",),
    "interleaved": (
        "aesforge-interleaved-universal",
        "stages=2",
        "sbox_registers=0",
        "keys=128",
        "direction=both",
    ),
    "unrolled": ("hodjat-lut-1", "keys=128", "direction=both", "key_schedule=stored"),
}
"""A core of each engine, for both directions, so that it has every mode."""

CELLS = [(mode, engine) for mode in MODES for engine in CORES]
EVERYDAY = ("ctr", "iterative")

PAYLOAD = bytes(range(64))
KEY = bytes(range(16)).hex()
SECOND_KEY = bytes(range(16, 32)).hex()


def document(*words: object) -> dict[str, object]:
    """What a command says in JSON; it must end with exit code 0."""
    done = within(*words, "--json")
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(done.stdout)
    assert isinstance(found, dict)
    return found


def chosen(mode: str, engine: str) -> tuple[Preset, tuple[str, ...]]:
    name, *axes = CORES[engine]
    return preset(name), (name, *axes, f"mode={mode}")


def test_every_engine_has_a_core_here() -> None:
    assert CORES.keys() == {one.config.engine for one in presets().values()}
    assert all(preset(name).config.engine == engine for engine, (name, *_) in CORES.items())


def test_every_mode_is_listed() -> None:
    layers_of_all = document("list", "sklavos-ake")["layers"]
    assert layers_of_all["mode"]["values"] == [NONE, *MODES]  # type: ignore[index]


# The commands -----------------------------------------------------------------------------------


def builds(core: tuple[str, ...], place: Path) -> None:
    """The testbench of a bundle passes, by the command that `build` prints."""
    needs.iverilog()
    done = within("build", *core, "-o", place)
    assert done.returncode == 0, done.stderr
    (line,) = re.findall(r"cd \S+ && (iverilog .*)", done.stdout)
    simulated = run("sh", "-c", line, cwd=place)
    assert simulated.returncode == 0, simulated.stdout
    assert re.search(r"^PASS", simulated.stdout, re.M), simulated.stdout


def runs(core: tuple[str, ...], mode: Mode, place: Path) -> bytes:
    """A file is encrypted and decrypted again; if a bit is wrong, nothing is written."""
    key = KEY + SECOND_KEY * mode.two_keys
    words = ["run", *core, "--key", key]
    if mode.iv:
        words += ["--iv", bytes(range(mode.iv)).hex()]
    clear, secret, again = (place / name for name in ("clear", "secret", "again"))
    clear.write_bytes(PAYLOAD)
    if mode.aad:
        words += ["--aad", str(clear)]
    document(*words, "-i", clear, "-o", secret)
    made = secret.read_bytes()
    longer = 16 if mode.tag else 8 if mode.wraps else 0
    assert len(made) == longer + (0 if mode.mac else len(PAYLOAD))
    if mode.mac:
        secret.write_bytes(PAYLOAD + made)
    document(*words, "--decrypt", "-i", secret, "-o", again)
    assert again.read_bytes() == PAYLOAD
    if mode.verifies:
        again.unlink()
        sent = secret.read_bytes()
        secret.write_bytes(sent[:-1] + bytes([sent[-1] ^ 1]))
        done = within(*words, "--decrypt", "-i", secret, "-o", again)
        assert (done.returncode, again.exists()) == (1, False), done.stderr
    return made


def measured(core: tuple[str, ...], found: Preset, place: Path) -> None:
    """`choose` finds the row that `synth` made."""
    table = place / "rows.jsonl"
    row = document("synth", *core, "--target", "xc7", "--fresh", "--store", table)
    assert row["lut"]
    said = document("choose", "--target", "xc7", *core[1:], "--store", table)
    (first, *_) = said["points"]  # type: ignore[misc]
    assert (first["preset"], first["config"]) == (
        found.name,
        found.configure(core[1:]).as_dict(),
    )


EACH_CELL = pytest.mark.parametrize(
    ("mode", "engine"),
    [pytest.param(*cell, marks=() if cell == EVERYDAY else slow) for cell in CELLS],
)


@EACH_CELL
def test_mode_through_every_command(mode: str, engine: str, tmp_path: Path) -> None:
    found, core = chosen(mode, engine)
    builds(core, tmp_path / "core")
    runs(core, MODES[mode], tmp_path)
    assert document("verify", *core, "--blocks", "100")["holds"]
    measured(core, found, tmp_path)


@EACH_CELL
def test_what_is_around_a_core_is_proven(mode: str, engine: str) -> None:
    """Every claim on the layers holds; those on the core are the same with any mode."""
    found, core = chosen(mode, engine)
    names = layers.claims(sources(), found.configure(core[1:]))
    said = document("prove", *core, *(word for name in names for word in ("--claim", name)))
    assert said["holds"]
    assert names.keys() <= {claim["name"] for claim in said["claims"]}  # type: ignore[attr-defined]


@slow
@pytest.mark.parametrize("mode", MODES)
def test_engines_write_the_same(mode: str, tmp_path: Path) -> None:
    assert len({runs(chosen(mode, engine)[1], MODES[mode], tmp_path) for engine in CORES}) == 1


@slow
@pytest.mark.parametrize("engine", CORES)
def test_core_is_proven_with_all_that_is_around_it(engine: str) -> None:
    assert document("prove", *chosen("ctr", engine)[1])["holds"]
