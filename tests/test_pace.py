"""The claim on the cycles in which a core accepts blocks, and cores that break it."""

from dataclasses import replace
from pathlib import Path

import pytest
from suite import slow

from aesforge.proof import mutants, pace
from aesforge.proof.claims import Claim, sources
from aesforge.proof.drive import Unproven
from aesforge.proof.faults import FAULTS, Fault
from aesforge.proof.pace import Control, Loop
from aesforge.proof.walk import kinds
from aesforge.space.axes import Config
from aesforge.space.presets import ciphers, preset
from aesforge.space.promises import Promise, promised
from aesforge.tools.aiger import Aiger

LATE = "blocks are accepted one cycle late"


def shown(config: Config, folder: Path | None = None, fault: Fault | None = None) -> list[Claim]:
    given = sources()
    if fault is not None and folder is not None:
        broken = mutants.faulty(fault, folder)
        assert broken is not None
        given = broken
    return [
        pace.pace(given, config, bits, kind)()
        for bits in config.key_sizes
        for kind in kinds(config)
    ]


def named(words: str) -> Config:
    name, *axes = words.split()
    return preset(name).configure(axes)


# Small machines -----------------------------------------------------------------------------------
#
# Input 1 is in_valid_i, input 2 is data. Register 3 is control, register 4 is data. `in_ready_o` is
# control, which is inverted in every cycle.

MACHINE = Aiger(
    2,
    [7, 4],
    [6, 8],
    [],
    input_names={"in_valid_i": 0, "in_data_i[0]": 1},
    output_names={"in_ready_o": 0, "out_data_o[0]": 1},
)


def test_control_is_what_valid_and_ready_depend_on() -> None:
    assert Control(MACHINE).registers == [0]
    # The next value of control is data, which makes the register of data control too.
    assert Control(replace(MACHINE, next=[8, 4])).registers == [0, 1]


def test_a_step_is_of_many_runs() -> None:
    control = Control(MACHINE)
    outputs, state = control.step({}, {0: 0b0011}, 0b1111)
    assert (outputs, state) == ({"in_ready_o": 0b0011}, {0: 0b1100})


def test_a_step_refuses_data() -> None:
    with pytest.raises(Unproven, match=r"valid or ready depends on in_data_i\[0\]"):
        Control(replace(MACHINE, next=[4, 4])).step({}, {0: 1}, 1)


def test_the_blocks_of_a_loop() -> None:
    loop = Loop([(0,), (1,), (2,)], [False, True, True])
    assert [loop.taken(cycles) for cycles in range(8)] == [0, 0, 1, 2, 2, 3, 4, 4]
    assert loop.whole(Promise(latency=9, interval=3, key_setup=0, per=2)) == loop
    for other in (Promise(9, interval=3, key_setup=0), Promise(9, 6, key_setup=0, per=3)):
        with pytest.raises(Unproven, match="2 blocks are accepted in 3 cycles, promised"):
            loop.whole(other)


def test_a_part_of_an_interval_may_repeat() -> None:
    loop = Loop([(0,), (1,), (2,)], [False, True, True])
    twice = loop.whole(Promise(latency=9, interval=6, key_setup=0, per=4))
    assert (twice.period, sum(twice.takes)) == (6, 4)
    assert [twice.taken(cycles) for cycles in range(8)] == [0, 0, 1, 2, 2, 3, 4, 4]


# Cores --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "core",
    [
        "aesforge-iterative",
        "fan",
        "bulens-encrypt",
        pytest.param("aesforge-iterative rounds_per_cycle=5 direction=both", marks=slow),
        pytest.param("hodjat-lut-1", marks=slow),
    ],
)
def test_core_keeps_its_pace(core: str) -> None:
    config = named(core)
    found = shown(config)
    assert len(found) == len(config.key_sizes) * len(kinds(config))
    assert all(claim.holds and not claim.counterexample for claim in found)
    promise = promised(config, 128)
    assert f"{promise.interval} cycle" in found[0].covers


@slow
@pytest.mark.parametrize("name", ciphers())
def test_every_preset_keeps_its_pace(name: str) -> None:
    assert [claim for claim in shown(preset(name).config) if not claim.holds] == []


@pytest.mark.parametrize("what", ["latency", "interval", "key_setup", "per"])
def test_no_other_promise_is_shown(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    right = promised(named("bulens-encrypt"), 128)
    for wrong in (-1, 1):
        monkeypatch.setattr(
            pace,
            "promised",
            lambda *_, by=wrong: replace(right, **{what: getattr(right, what) + by}),
        )
        (claim,) = shown(named("bulens-encrypt"))
        assert not claim.holds
        assert claim.counterexample["rule"]


def test_a_key_change_that_costs_more_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    right = promised(named("bulens-encrypt"), 128)
    monkeypatch.setattr(pace, "promised", lambda *_: replace(right, key_change_blocks=0))
    (claim,) = shown(named("bulens-encrypt"))
    assert claim.counterexample["rule"] == "blocks lost by a key change: 1, promised 0"


@pytest.mark.parametrize("fault", [f for f in FAULTS if f.name == LATE], ids=str)
def test_a_core_that_accepts_late_is_not_shown(fault: Fault, tmp_path: Path) -> None:
    """What the walk cannot see: every block is accepted, and one cycle later than promised."""
    (claim,) = shown(replace(named(fault.core), idle_output="register"), tmp_path, fault)
    assert not claim.holds
    assert "no block is accepted in cycle" in claim.counterexample["rule"]


def test_a_core_whose_timing_depends_on_data_is_not_shown(tmp_path: Path) -> None:
    (fault,) = [
        f
        for f in FAULTS
        if (f.file, f.name) == ("aes_iterative_overlap_otf", "valid depends on the key")
    ]
    (claim,) = shown(named("aesforge-iterative"), tmp_path, fault)
    assert "out_valid_o is no constant in cycle" in claim.counterexample["rule"]
