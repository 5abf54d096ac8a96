"""A result that is not valid is 0 where `idle_output=zero`: what checks it, and how that fails."""

from dataclasses import replace
from pathlib import Path

import pytest
from suite import slow

from aesforge.core.bundle import Naming, texts
from aesforge.core.sources import closure, codes
from aesforge.flows.build import elaborated
from aesforge.flows.verify import verify
from aesforge.proof import claims
from aesforge.proof.faults import FAULTS, Fault
from aesforge.proof.idle import gated, idle
from aesforge.proof.mutants import faulty
from aesforge.space.axes import Config
from aesforge.space.presets import ciphers, preset
from aesforge.tools import aiger, yosys

NANO = preset("aesforge-nano")
BARE = replace(NANO.config, idle_output="register")


def test_the_library_shows_no_intermediate_value_by_default_and_a_paper_does() -> None:
    for name, found in ciphers().items():
        wanted = "zero" if name.startswith("aesforge-") else "register"
        assert found.config.idle_output == wanted
        assert set(found.legal("idle_output")) == {"zero", "register"}


def test_the_gate_is_proven_and_a_core_without_it_is_not() -> None:
    assert idle(claims.sources(), NANO.config).holds
    shown = idle(claims.sources(), BARE)
    assert not shown.holds
    assert "can be 1 while out_valid_o is low" in shown.counterexample["rule"]


def test_a_core_is_one_netlist_with_and_without_the_gate() -> None:
    given = claims.sources()
    assert claims.netlist(given, NANO.config) == claims.netlist(given, BARE)


def fault(name: str) -> Fault:
    return next(found for found in FAULTS if str(found) == f"aes_cipher: {name}")


def test_a_wrong_gate_is_not_taken_off(tmp_path: Path) -> None:
    """What hides a result that is valid is part of the netlist that is walked."""
    wrong = faulty(fault("a result is hidden while it stalls"), tmp_path)
    assert wrong is not None
    assert idle(wrong, NANO.config).holds
    assert claims.netlist(wrong, NANO.config) != claims.netlist(claims.sources(), BARE)


def test_one_bit_that_is_shown_fails_the_claim(tmp_path: Path) -> None:
    wrong = faulty(fault("one bit of an idle output is the bare register"), tmp_path)
    assert wrong is not None
    rule = idle(wrong, NANO.config).counterexample["rule"]
    assert rule == "out_data_o[0] can be 1 while out_valid_o is low"


def test_a_machine_is_written_as_it_was_read(tmp_path: Path) -> None:
    path = claims.whole(claims.sources(), NANO.config)
    machine = aiger.read(path)
    aiger.write(machine, tmp_path / "again.aig")
    again = aiger.read(tmp_path / "again.aig")
    assert aiger.structure(again) == aiger.structure(machine)
    assert again.register_names == machine.register_names
    assert len(aiger.ungated(machine, "out_valid_o", "out_data_o").gates) == len(machine.gates)


@pytest.mark.parametrize(
    "config",
    [NANO.config, pytest.param(BARE, marks=slow)],
    ids=["zero", "register"],
)
def test_verify_looks_at_an_idle_output_only_where_it_is_zero(config: Config) -> None:
    found = verify(NANO, config, blocks=20, only=("random_stalls_and_keys",))
    assert found["holds"]


@pytest.mark.parametrize("config", [NANO.config, BARE], ids=["zero", "register"])
def test_a_bundle_says_what_an_idle_output_shows(config: Config) -> None:
    made = texts(NANO, config, Naming.of("my_aes"), "aesforge build", elaborated(config))
    gated = config.idle_output == "zero"
    assert ("out_data_o is not 0 while it is not valid" in made["tb/my_aes_tb.sv"]) == gated
    assert ("whoever knows the block then reads" in made["my_aes.md"]) != gated
    assert ("cipher_state & {128{out_valid_o}}" in made["rtl/my_aes.sv"]) == gated


@pytest.mark.parametrize(
    "mode", [pytest.param("ecb", marks=slow), pytest.param("cbc", marks=slow), "ctr"]
)
def test_a_mode_shows_no_plaintext_while_its_output_is_idle(mode: str, tmp_path: Path) -> None:
    def holds(config: Config) -> bool:
        parameters = {**config.parameters, "Mode": codes()[f"MODE_{mode.upper()}"]}
        read = yosys.read(closure("aes_mode"), "aes_mode", parameters)
        yosys.run([read, *claims.TO_AIGER, "write_aiger -symbols mode.aig"], tmp_path)
        return gated(tmp_path / "mode.aig").holds

    assert holds(NANO.config)
    assert not holds(BARE)
