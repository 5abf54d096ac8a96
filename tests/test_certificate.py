"""The checker accepts the certificates of sound cores, and refuses all others with the reason."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
import test_explorer
from suite import slow
from test_explorer import COUNT, JOB, core, specification

from aesforge.errors import UserError
from aesforge.flows.prove import prove
from aesforge.proof import certificate, explore
from aesforge.space.axes import Config

CONFIG = Config(keys="128", direction="encrypt", sbox="tower")
IS_STATE = re.compile(r"[01-]+")

Check = Callable[..., tuple[bool, str]]


def job(**changed: str) -> str:
    return "\n".join(f"{word} {value}" for word, value in {**JOB, **changed}.items())


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The certificate of the small core of test_explorer."""
    folder = tmp_path_factory.mktemp("certificate")
    machine, spec = core(folder / "core.aig"), specification(folder / "spec.aig")
    explore.explore(machine, spec, job() + "\ncertificate states", folder)
    return (folder / "states").read_text(encoding="utf-8")


@pytest.fixture
def lines(written: str) -> list[str]:
    """That certificate by lines."""
    return written.splitlines()


@pytest.fixture
def check(tmp_path: Path) -> Check:
    """Checks a certificate of a core with this fault."""

    def checked(lines: list[str], fault: str = "", asked: str = "") -> tuple[bool, str]:
        states = tmp_path / "changed"
        states.write_text("\n".join([*lines, ""]), encoding="utf-8")
        machine = core(tmp_path / "checked.aig", fault)
        return certificate.checked(machine, asked or job(), states)

    return checked


def test_the_certificate_of_a_sound_core_is_accepted(lines: list[str], check: Check) -> None:
    states = sum(bool(IS_STATE.fullmatch(line)) for line in lines)
    holds, said = check(lines)
    assert holds, said
    assert said.startswith(f"{states} states, ")
    assert states > 2 ** (COUNT + 1)


def test_a_core_of_another_number_of_cycles_has_a_certificate_of_its_own(
    written: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(test_explorer, "COUNT", COUNT - 1)
    machine, asked = core(tmp_path / "short.aig"), job(promise=f"{2 ** (COUNT - 1)} 0 0")
    spec, states = specification(tmp_path / "spec.aig"), tmp_path / "states"
    of_the_longer = tmp_path / "longer"
    of_the_longer.write_text(written, encoding="utf-8")
    explore.explore(machine, spec, asked + "\ncertificate states", tmp_path)
    assert certificate.checked(machine, asked, states)[0]
    assert certificate.checked(machine, asked, of_the_longer) == (
        False,
        "the certificate is of another netlist",
    )


def test_a_fault_in_data_alone_is_not_covered(lines: list[str], check: Check) -> None:
    # docs/proofs.md says so: the walk finds these, by its formulas.
    for fault in ("wrong", "old block", "keeps the key"):
        assert check(lines[1:], fault)[0]


def test_no_state_can_be_left_out(lines: list[str], check: Check) -> None:
    places = [at for at, line in enumerate(lines) if IS_STATE.fullmatch(line)]
    for at in (places[0], places[len(places) // 3], places[len(places) // 2], places[-1]):
        holds, said = check(lines[:at] + lines[at + 1 :])
        assert not holds
        assert said.startswith("not closed: what follows is not in the set"), said


def test_the_empty_set_lacks_the_state_after_reset(lines: list[str], check: Check) -> None:
    holds, said = check([*lines[:2], "end"])
    assert not holds
    assert "not closed" in said
    assert "with reset 1" in said


@pytest.mark.parametrize(
    ("monitor", "state", "why"),
    [
        # Registers: has_key, full, clearing, three of the count, one that is constant.
        ("0 0 0 1 1 0 0 0 0 0 0 1 0 0", "1000000", "a result is withdrawn before it is taken"),
        ("0 0 0 1 1 0 0 0 0 0 0 0 0 0", "1101110", "a result without a block"),
        ("0 0 0 2 1 0 0 1 0 3 1 0 0 0", "1101110", "a result too early"),
        ("0 0 0 2 1 0 0 1 0 8 1 0 0 0", "1100000", "no result after the promised cycles"),
        ("0 0 0 0 0 0 0 0 0 0 0 0 0 0", "1000000", "in_ready_o is high without a key"),
        ("1 0 0 0 0 0 0 0 0 0 0 0 0 0", "1000000", "a block or a result during a clear"),
        ("0 0 0 1 1 0 0 0 0 0 1 0 0 0", "1110000", "not closed"),
    ],
)
def test_a_state_that_breaks_a_rule_is_refused(
    lines: list[str], check: Check, monitor: str, state: str, why: str
) -> None:
    holds, said = check([*lines[:-1], f"monitor {monitor}", state, "end"])
    assert not holds
    assert said.startswith(why), said


def test_the_certificate_of_another_netlist_is_refused(lines: list[str], check: Check) -> None:
    assert check(lines, "wrong") == (False, "the certificate is of another netlist")


@pytest.mark.parametrize(
    ("fault", "why"),
    [
        ("drops", "not closed"),
        ("leaks", "valid or ready depends on unknown data"),
        ("no key", "in_ready_o is high without a key"),
        ("no reset", "not closed"),
        ("starves", "not closed"),
    ],
)
def test_the_states_of_a_sound_core_are_none_of_a_faulty_one(
    lines: list[str], check: Check, fault: str, why: str
) -> None:
    # The digest says nothing here: what is checked is the netlist.
    holds, said = check(lines[1:], fault)
    assert not holds
    assert said.startswith(why), said


@pytest.mark.parametrize(
    ("promise", "why"),
    [
        (f"{2**COUNT + 1} 0 0", "a result too early"),
        (f"{2**COUNT - 1} 0 0", "no result after the promised cycles"),
        (f"{2**COUNT} 1 0", "a key is ready too early"),
        (f"{2**COUNT} 0 1", "an empty core with a key is not ready"),
    ],
)
def test_another_promise_is_refused(lines: list[str], check: Check, promise: str, why: str) -> None:
    holds, said = check(lines, asked=job(promise=promise))
    assert not holds
    assert said.startswith((why, "not closed")), said


def test_a_damaged_certificate_is_refused(lines: list[str], check: Check) -> None:
    assert check(lines[:-1]) == (False, "the certificate is not complete")
    assert check([*lines[:3], "0101", "end"])[1].startswith("no state of the registers: 0101")


@slow
def test_the_certificate_of_a_core_is_written_and_accepted(tmp_path: Path) -> None:
    path = tmp_path / "core.zip"
    made = prove("a core", CONFIG, only=["cipher"], certificate=path)
    assert made["holds"], made
    assert made["claims"][-1]["name"] == "cipher 128 encrypt certificate"
    again = prove("a core", CONFIG, check=path)
    assert [claim["holds"] for claim in again["claims"]] == [True, True]
    other = prove("another core", Config(keys="192", direction="encrypt", sbox="tower"), check=path)
    assert other["claims"][-1]["counterexample"]["rule"].startswith("there are no states for")


def test_a_file_that_is_no_certificate_is_a_clear_error(tmp_path: Path) -> None:
    bad = tmp_path / "bad.zip"
    bad.write_text("no", encoding="utf-8")
    with pytest.raises(UserError, match="is no certificate"):
        prove("a core", CONFIG, check=bad)
