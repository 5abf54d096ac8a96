"""Induction over all runs of a core: the steps of the standard, the control, and broken cores."""

import random
from dataclasses import replace
from pathlib import Path

import pytest
from suite import slow
from test_engines import changed

from aesforge.errors import UserError
from aesforge.flows import prove
from aesforge.proof import induction, steps
from aesforge.proof.claims import Sources, sources
from aesforge.proof.faults import FAULTS
from aesforge.proof.mutants import faulty, fitting
from aesforge.sim.oracle import ecb
from aesforge.space.axes import Config
from aesforge.space.presets import preset

LANES = 8
MASK = (1 << LANES) - 1

ITERATIVE = preset("aesforge-iterative").configure([])
COMPACT = preset("aesforge-compact").configure(
    ["key_schedule=on_the_fly", "keys=128", "direction=encrypt"]
)


# The steps --------------------------------------------------------------------------------------


def columns(rows: list[bytes], byte: int) -> list[int]:
    """A byte of each row as bits, bit 0 first, each with a lane for each row."""
    return [sum((row[byte] >> bit & 1) << at for at, row in enumerate(rows)) for bit in range(8)]


def row(values: list[list[int]], lane: int) -> bytes:
    """The bytes of a lane."""
    return bytes(sum((bits[bit] >> lane & 1) << bit for bit in range(8)) for bits in values)


@pytest.mark.parametrize("bits", [128, 192, 256])
@pytest.mark.parametrize("decrypt", [False, True])
def test_steps_are_those_of_the_standard_in_each_direction(bits: int, decrypt: bool) -> None:
    rng = random.Random(bits + decrypt)
    cones = steps.cones(sources())
    keys = [rng.randbytes(bits // 8) for _ in range(LANES)]
    blocks = [rng.randbytes(16) for _ in range(LANES)]
    ways = steps.key_steps(cones, "key", bits)
    for value, more in steps.run_steps(cones, "run", "key", bits, decrypt).items():
        ways[value] = ways.get(value, ()) + more
    known = {("word", "key", at // 4, at % 4): columns(keys, at) for at in range(bits // 8)}
    known |= {("block", "run", 0, at): columns(blocks, at) for at in range(16)}

    def of(value: steps.Value) -> list[int]:
        if value not in known:
            first = ways[value][0]
            known[value] = first.lanes([of(one) for one in first.sources], MASK)
        return known[value]

    last = [of(("state", "run", bits // 32 + 6, at)) for at in range(16)]
    for lane, (key, block) in enumerate(zip(keys, blocks, strict=True)):
        assert row(last, lane) == ecb(key, decrypt)(block)
    # Each other way, such as a step back in the key schedule, gives the same value.
    others = 0
    for value, found in ways.items():
        for step in found:
            assert step.lanes([of(one) for one in step.sources], MASK) == of(value)
            others += len(found) > 1
    assert others > 400


# Cores ------------------------------------------------------------------------------------------


def rule(config: Config, given: Sources) -> str:
    """Why a core is not proven; empty when it is."""
    (claim,) = induction.induction(given, config)()
    assert claim.holds == (not claim.counterexample)
    return str(claim.counterexample.get("rule", ""))


def test_cores_that_the_induction_is_for() -> None:
    for name in ("sklavos-ake", "aesforge-lowcost", "fan", "aesforge-nano", "aesforge-compact"):
        assert induction.reaches(preset(name).config)
    assert induction.reaches(preset("aesforge-iterative").configure(["key_schedule=stored"]))
    one = ["keys=192", "direction=decrypt"]
    assert induction.reaches(preset("kakarlapudi-tbox").configure(one))
    assert not induction.reaches(preset("kakarlapudi-tbox").config)
    assert not induction.reaches(preset("hodjat-lut-1").config)
    assert not induction.reaches(replace(COMPACT, block="192"))
    with pytest.raises(UserError, match="induction covers cores of one block at a time"):
        prove.prove("bulens-encrypt", preset("bulens-encrypt").config, engine="induction")


def test_core_is_proven_and_a_wrong_one_is_not(tmp_path: Path) -> None:
    document = prove.prove("aesforge-iterative", ITERATIVE, engine="induction")
    assert document["holds"]
    claim = document["claims"][-1]
    assert claim["name"] == "all runs by induction"
    assert claim["covers"].startswith("all runs after a reset, all keys and blocks: 28 states")
    second = WRONG["a fault in the second block"]
    assert second[1] in rule(ITERATIVE, changed(tmp_path, *second[0]))


CORE = "aes_iterative_overlap_otf.sv"
POWER_UP = "logic odd_q;\n  always_ff @(posedge clk_i) odd_q <= odd_q;\n  "
NOT_AES = "is not that of the standard"
WRONG = {
    "an entry of the table": (("aes_fips197.sv", "128'h637c777b", "128'h637c777a"), NOT_AES),
    "a round too few": (
        (CORE, "rcon(NEXT_TO_LAST);", "rcon(NEXT_TO_LAST - 1);"),
        "out_valid_o is 1 9 cycles after its block",
    ),
    "a result that depends on power-up": (
        (CORE, "  assign out_data_o = ", f"  {POWER_UP}assign out_data_o = odd_q ^ "),
        NOT_AES,
    ),
    "timing that depends on power-up": (
        (
            CORE,
            "  assign out_valid_o = last_q && !in_setup;",
            f"  {POWER_UP}assign out_valid_o = last_q && !in_setup && odd_q;",
        ),
        "out_valid_o depends on a register at power-up",
    ),
    "timing that depends on a block": (
        (CORE, "last_q <= next_to_last;", "last_q <= next_to_last && !(&in_data_i);"),
        "depends on a key or on data",
    ),
    "a fault in the second block": (
        (CORE, "start_q <= running_q ?", "start_q <= (last_q && accept) ? '0 : running_q ?"),
        NOT_AES,
    ),
    "a wrong result for one block in 2^128": (
        (CORE, "  assign out_data_o = ", "  assign out_data_o = {127'h0, &start_q} ^ "),
        "ABC does not show",
    ),
    "a key that waits for the end of a block": (
        (CORE, "else if (take_key) first_q", "else if (take_key && !running_q) first_q"),
        NOT_AES,
    ),
    "a result that does not wait": (
        (CORE, "assign advance = !last_q || out_ready_i", "assign advance = 1'b1"),
        "",
    ),
    "a block beside another": (
        (CORE, "loaded_q && !clearing && !running_q &&", "loaded_q && !clearing &&"),
        "in_ready_o is high beside a block in flight",
    ),
    "a block without a key": (
        (CORE, "in_ready_o = loaded_q && !clearing", "in_ready_o = !clearing"),
        "in_ready_o is high without a key",
    ),
    "the key of before a clear": (
        (CORE, "      loaded_q <= 1'b0;\n", ""),
        "in_ready_o depends on a register at power-up",
    ),
}


@pytest.mark.parametrize("fault", WRONG)
def test_fault_fits_its_file(fault: str, tmp_path: Path) -> None:
    """What the slow test below replaces, checked on every day."""
    changed(tmp_path, *WRONG[fault][0])


@slow
@pytest.mark.parametrize("fault", WRONG)
def test_wrong_core_is_not_proven(fault: str, tmp_path: Path) -> None:
    change, reason = WRONG[fault]
    found = rule(ITERATIVE, changed(tmp_path, *change))
    assert found
    assert reason in found


@slow
@pytest.mark.parametrize(
    ("name", "choices"),
    [
        ("aesforge-nano", []),
        ("aesforge-compact", ["key_schedule=on_the_fly", "keys=128"]),
        ("aesforge-iterative", ["direction=both"]),
    ],
)
def test_cores_are_proven(name: str, choices: list[str]) -> None:
    assert rule(preset(name).configure(choices), sources()) == ""


PASSED = {
    "a clear leaves the key": "no block is accepted until there is another key",
    "the key size of the previous block": "there is one key size",
}
"""Faults of the catalogue under which all runs are right, and why."""


@slow
def test_faults_of_the_catalogue_are_not_proven(tmp_path: Path) -> None:
    faults = [one for one in FAULTS if one.file in ("aes_serial32_core", "aes_serial32_otf")]
    tried = fitting(COMPACT, faults)
    assert len(tried) >= 8
    for number, fault in enumerate(tried):
        folder = tmp_path / str(number)
        folder.mkdir()
        given = faulty(fault, folder)
        assert given is not None
        assert bool(rule(COMPACT, given)) == (fault.name not in PASSED), fault
