"""Faults in registers: two copies detect what one core does not, and the campaign can fail."""

from collections import Counter

import pytest
from click.testing import CliRunner
from suite import slow

from aesforge.cli.main import cli
from aesforge.core.contract import Channel, Contract, Port
from aesforge.errors import UserError
from aesforge.flows.inject import (
    BAD,
    COPY,
    CORE,
    Control,
    Subject,
    campaign,
    checked,
    controls,
    inject_controls,
)
from aesforge.results import store
from aesforge.sim.inject import Injector, Outcome, Run, Stimulus, control
from aesforge.space.axes import Config
from aesforge.space.presets import preset
from aesforge.tools.aiger import Aiger

SMALL = "aesforge-iterative", "keys=128", "direction=encrypt"
PROTECTED = *SMALL, "protection=fault"


def config(name: str, *choices: str) -> Config:
    return preset(name).configure(choices)


def flips(subject: Subject, every: int, where: str = "") -> tuple[Run, list[Outcome]]:
    """The outcomes of flips of the registers whose names start so, in one of so many cycles."""
    names = subject.machine.register_names
    chosen = [at for at, name in names.items() if name.startswith(where)]
    run, _ = subject.inject([])
    faults = [((clock, at),) for clock in range(0, run.first + 1, every) for at in chosen]
    return run, subject.inject(faults)[1]


def counted(outcomes: list[Outcome]) -> Counter[str]:
    return Counter(outcome.kind for outcome in outcomes)


@pytest.fixture(scope="module")
def protected() -> Subject:
    return Subject.of(config(*PROTECTED))


@pytest.fixture(scope="module")
def alone() -> Subject:
    return Subject.of(config(*SMALL))


# What holds ---------------------------------------------------------------------------------------


def test_no_flip_of_two_copies_corrupts(protected: Subject) -> None:
    found = counted(flips(protected, every=8)[1])
    assert found.keys() == {"detected", "harmless"}
    assert found["detected"] > 500


@slow
def test_flips_of_one_core_corrupt(alone: Subject) -> None:
    found = counted(flips(alone, every=8)[1])
    assert found["silent"] > 300
    assert found["missing"] > 2
    assert found["detected"] == 0


@slow
@pytest.mark.parametrize(
    "words",
    [
        "aesforge-nano protection=fault",
        "kakarlapudi-sbox keys=128 direction=decrypt protection=fault",
        "bulens-encrypt protection=fault",
        "fan direction=encrypt protection=fault",
    ],
)
def test_no_flip_of_other_cores_corrupts(words: str) -> None:
    found = counted(flips(Subject.of(config(*words.split())), every=29)[1])
    assert found.keys() == {"detected", "harmless"}


def test_each_register_of_the_layer_is_covered(protected: Subject) -> None:
    _, outcomes = flips(protected, 1, "u_lockstep.")
    assert counted(outcomes).keys() == {"detected", "harmless"}
    # A flip of either rail is an alarm, in every cycle.
    for rail in ("alarm_q", "calm_q"):
        run, outcomes = flips(protected, 1, f"u_lockstep.{rail}")
        assert counted(outcomes) == {"detected": run.first + 1}


def _gates(subject: Subject, of: str, every: int) -> Counter[str]:
    run, _ = subject.inject([])
    faults = [((at % run.first, number),) for at, number in enumerate(subject.gates()[of])]
    return counted(subject.inject(faults[::every])[1])


def test_no_gate_of_a_copy_corrupts(protected: Subject) -> None:
    found = _gates(protected, "gate_of_copy", 7)
    assert found.keys() == {"detected", "harmless"}
    assert found["detected"] > 500


def test_gates_behind_the_comparison_corrupt(protected: Subject) -> None:
    """What the documentation says of them: they have no copy."""
    found = _gates(protected, "gate_of_layer", 1)
    assert found["silent"] > 10
    assert found["silent"] + found["missing"] + found["late"] < found.total() / 20


@slow
def test_gates_of_one_core_corrupt(alone: Subject) -> None:
    assert _gates(alone, "gate", 7)["silent"] > 300


def test_the_same_flip_in_both_copies_is_not_detected(protected: Subject) -> None:
    run, _ = protected.inject([])
    pairs = [((run.first - 8, a), (run.first - 8, b)) for a, b in protected.twins()]
    found = counted(protected.inject(pairs)[1])
    assert found["detected"] == 0
    assert found["silent"] > 100


@slow
def test_an_alarm_leaves_nothing_of_key_and_blocks() -> None:
    """After an alarm the registers do not depend on what was computed: two keys leave the same."""
    here, there = (Subject.of(config(*PROTECTED), seed=seed) for seed in (1, 2))
    one, other = (flips(subject, 8)[1] for subject in (here, there))
    both = [(a, b) for a, b in zip(one, other, strict=True) if {a.kind, b.kind} == {"detected"}]
    assert len(both) > 500
    assert len({a.digest for a, _ in both} | {b.digest for _, b in both}) == 1
    # Without the clear they do, so the comparison can fail.
    kept = Control(
        *("aes_lockstep", "no clear", "key_clear_i || (fault_o && !cleared_q);", "key_clear_i;"),
        "detected",
    )
    one, other = (flips(Subject.of(config(*PROTECTED), kept, seed), 8)[1] for seed in (1, 2))
    same = [a.digest == b.digest for a, b in zip(one, other, strict=True) if a.kind == "detected"]
    assert len(same) > 500
    assert sum(same) < len(same) / 2


def test_both_copies_are_in_the_netlist(protected: Subject, alone: Subject) -> None:
    names = protected.machine.register_names.values()
    assert sum(name.startswith(CORE) for name in names) == len(alone.machine.next)
    assert sum(name.startswith(COPY) for name in names) == len(alone.machine.next)
    assert len(protected.twins()) == len(alone.machine.next)


# What must be found -------------------------------------------------------------------------------


@slow
@pytest.mark.parametrize("one", controls(), ids=lambda one: one.name)
def test_a_control_is_found(one: Control) -> None:
    check = checked(config(*PROTECTED), one, every=4)
    assert check["holds"], check


def test_the_controls_break_two_copies() -> None:
    with pytest.raises(UserError, match="choose protection=fault too"):
        inject_controls(preset(SMALL[0]), config(*SMALL), 1)


# A machine by hand --------------------------------------------------------------------------------

_CONTRACT = Contract(
    "by_hand",
    (
        Channel("key", "in", (Port("key_i", 1, "input", ""),), ""),
        Channel("in", "in", (Port("in_data_i", 1, "input", ""),), ""),
        Channel("out", "out", (Port("out_data_o", 1, "output", ""),), ""),
    ),
)


def by_hand(alarm: bool) -> Aiger:
    """A register of a bit and whether it is full; an alarm register that nothing but a flip sets.

    Inputs: 1 reset, 2 key valid, 3 key, 4 block valid, 5 block, 6 result ready. Registers: 7 full,
    8 the bit, 9 the alarm.
    """
    names = ("rst_ni", "key_valid_i", "key_i", "in_valid_i", "in_data_i", "out_ready_i")
    inputs = {name: at for at, name in enumerate(names)}
    full, bit, raised = 2 * 7, 2 * 8, 2 * 9
    gates: list[tuple[int, int]] = []

    def both(a: int, b: int) -> int:
        gates.append((a, b))
        return 2 * (9 + len(gates))

    def either(a: int, b: int) -> int:
        return both(a ^ 1, b ^ 1) ^ 1

    taken = both(2 * 4, full ^ 1)
    stays = both(full, 2 * 6 ^ 1)
    is_full = both(2, either(taken, stays))
    next_bit = either(both(taken, 2 * 5), both(taken ^ 1, bit))
    outputs = {"key_ready_o": 0, "in_ready_o": 1, "out_valid_o": 2, "out_data_o": 3}
    literals = [1, full ^ 1, full, bit]
    if alarm:
        outputs["fault_o"] = 4
        literals.append(raised)
    return Aiger(
        6,
        [is_full, next_bit, both(2, raised)],
        literals,
        gates,
        inputs,
        outputs,
        {0: "full_q", 1: "bit_q", 2: "alarm_q"},
    )


def outcomes(machine: Aiger, faults: list[tuple[tuple[int, int], ...]], path: object) -> list[str]:
    stimulus = Stimulus([0], [(1,), (0,)], [1, 0])
    _, found = Injector(machine, _CONTRACT, stimulus).run(faults, path)
    return [outcome.kind for outcome in found]


def test_outcomes_are_those_of_a_machine_by_hand(tmp_path: object) -> None:
    plain = by_hand(alarm=False)
    # The key is taken in cycle 0, the first block in cycle 1; its result in cycle 4.
    # Without its first result, the second one is offered in its place.
    faults = [((2, 1),), ((2, 0),), ((6, 0),), ((0, 1),), ((2, 1), (2, 1))]
    assert outcomes(plain, faults, tmp_path) == [
        *("silent", "silent", "missing"),
        *("harmless", "harmless"),
    ]
    alarmed = by_hand(alarm=True)
    assert outcomes(alarmed, [((3, 2),), ((2, 1), (3, 2)), ((4, 2), (5, 2))], tmp_path) == [
        "detected",
        "late",
        "unstable",
    ]


def test_control_is_what_no_payload_reaches() -> None:
    assert control(by_hand(alarm=True), _CONTRACT) == [True, False, True]


# Rows ---------------------------------------------------------------------------------------------

ROWS = store.load(store.path("injected"))


@pytest.mark.parametrize(
    "row", ROWS, ids=lambda row: preset(row["preset"]).choices(Config(**row["config"]))
)
def test_rows_reach_the_goals(row: store.Row) -> None:
    faults = row["faults"]
    assert row["every"] == 1
    assert faults["double"]["faults"] >= 10_000
    bad = {name: sum(found[kind] for kind in BAD) for name, found in faults.items()}
    if row["config"]["protection"] == "fault":
        assert bad["single_control"] == 0
        assert 1000 * bad["single_data"] < faults["single_data"]["faults"]
    else:
        assert bad["single_control"] > 0
        assert bad["single_data"] > 0


def test_a_protected_core_and_the_same_without_have_rows() -> None:
    found = {(row["preset"], row["config"]["protection"]) for row in ROWS}
    for name in ("aesforge-nano", "aesforge-iterative"):
        assert {(name, "none"), (name, "fault")} <= found


@pytest.mark.parametrize(
    "row", ROWS, ids=lambda row: preset(row["preset"]).choices(Config(**row["config"]))
)
def test_rows_are_of_the_present_sources(row: store.Row) -> None:
    from aesforge.core.sources import fingerprint

    assert fingerprint(row["sources"]) == row["source_hash"]


# The verb -----------------------------------------------------------------------------------------


def test_a_campaign_counts_every_fault() -> None:
    found = campaign(config(*PROTECTED), doubles=100, every=16)
    registers = sum(found["registers"].values())
    clocks = len(range(0, found["cycles"], 16))
    singles = [found["faults"][f"single_{kind}"]["faults"] for kind in ("control", "data")]
    assert sum(singles) == registers * clocks
    assert found["holds"]
    for row in found["faults"].values():
        assert sum(row.values()) == 2 * row["faults"]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("aesforge-nano mode=cbc", "leave out mode=cbc"),
        ("aesforge-nano port=word32", "leave out port=word32"),
        ("aesforge-masked", "protection=masked has its own"),
        ("aesforge-nano --every 0", "--every of 1 or more"),
    ],
)
def test_what_cannot_be_injected_is_refused(words: str, says: str) -> None:
    found = CliRunner().invoke(cli, ["inject", *words.split()])
    assert isinstance(found.exception, UserError)
    assert says in str(found.exception)
