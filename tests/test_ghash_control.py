"""Claims on the control of the modules of GHASH, and faults that they refuse."""

import re
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from suite import slow

from aesforge.core import sources
from aesforge.proof import layers
from aesforge.proof.claims import Claim, Sources, formal_root
from aesforge.proof.faults import FAULTS, Fault, substituted
from aesforge.space.presets import preset

CORES = {
    "aes_ghash_serial": "aesforge-compact keys=128 mode=gcm",
    "aes_ghash_single": "aesforge-interleaved keys=128 mode=gcm",
    "aes_ghash_pipelined": "hodjat-lut-1 keys=128 mode=gcm",
}
"""A core for each module of GHASH, of which the claims take the parameters."""


def claims(given: Sources, module: str) -> dict[str, Callable[[], Claim]]:
    """The claims on a module of GHASH, as a configuration has it."""
    name, *axes = CORES[module].split()
    found = layers.claims(given, preset(name).configure(axes), [module])
    return {name: found[name] for name in (f"{module} {what}" for what in WHAT)}


WHAT = ("contract", "timing", "clear")


PIPELINED = "aes_ghash_pipelined"
PARTS = {"aes_ghash_sums": PIPELINED}
"""The modules whose claims are on these parts too."""

MODULES = [pytest.param(one, marks=slow if one == PIPELINED else ()) for one in CORES]


@pytest.mark.parametrize("module", MODULES)
def test_a_hash_is_that_of_the_standard_whatever_stalls(module: str) -> None:
    for claim in claims(Sources(sources.files(), formal_root()), module).values():
        assert claim().holds, claim()


@pytest.mark.parametrize(
    "digit", ["1", *(pytest.param(d, marks=slow) for d in ("2", "8", "16", "32", "64"))]
)
def test_any_digit_makes_the_product_of_the_standard(digit: str) -> None:
    given = Sources(sources.files(), formal_root())
    assert layers._contract(given, "aes_ghash_serial", {"Digit": digit})().holds


def faulty(tmp_path: Path, fault: Fault) -> Sources:
    """The sources with a fault."""
    files = [path for path in sources.files() if path.stem == fault.file]
    changed = substituted(files[0], fault.old, fault.new, tmp_path)
    assert changed is not None
    return Sources(
        tuple(changed if path.stem == fault.file else path for path in sources.files()),
        formal_root(),
    )


@pytest.fixture
def small_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search for a run that breaks a rule, and a proof, with limits that are sufficient."""
    for name, value in (("_TRIES", ((20, 4),)), ("_CONFLICTS", 100)):
        monkeypatch.setattr(layers, name, value)


@pytest.mark.usefixtures("small_limits")
@pytest.mark.parametrize("module", [one for one in CORES if one != PIPELINED])
def test_small_limits_suffice_without_a_fault(module: str, tmp_path: Path) -> None:
    # A comment makes the files others, whose claims are not in the cache.
    fault = Fault(module, "none", "  // Control.", f"  // {tmp_path.name}.")
    given = faulty(tmp_path, fault)
    assert claims(given, module)[f"{module} contract"]().holds


@pytest.mark.usefixtures("small_limits")
@pytest.mark.parametrize(
    "fault",
    [
        pytest.param(fault, id=str(fault), marks=() if fault.file == "aes_ghash_single" else slow)
        for fault in FAULTS
        if fault.file in CORES or fault.file in PARTS
    ],
)
def test_a_fault_of_ghash_is_not_proven(fault: Fault, tmp_path: Path) -> None:
    module = PARTS.get(fault.file, fault.file)
    found = claims(faulty(tmp_path, fault), module).values()
    wrong = next(claim().counterexample["rule"] for claim in found if not claim().holds)
    # A run of two blocks of a serial product is longer than a search reaches.
    data = fault.file == "aes_ghash_serial" and "added to" in fault.name
    pattern = "It is Y of the standard.*not decided" if data else "cycles after|depends on|leaves"
    assert re.search(pattern, wrong), wrong


def test_the_parameters_of_ghash_are_those_of_its_text() -> None:
    (path,) = (path for path in sources.files() if path.stem == "aes_gcm_tag")
    text = path.read_text(encoding="utf-8")
    set_to: Mapping[str, str] = layers._PIPELINED
    assert f"localparam int LEVELS = {set_to['Levels']};" in text
    assert f"localparam int REGISTERS = {set_to['Registers']};" in text
    assert re.search(rf"\.Hashes +\({set_to['Hashes']}\)", text)
