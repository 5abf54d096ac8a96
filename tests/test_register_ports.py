"""The register ports: their buses are proven, and every fault of the catalogue is caught."""

from pathlib import Path

import pytest
from register_bench import config_of, played
from suite import slow

from aesforge.core import sources, stack
from aesforge.core.contract import REGISTER_PORTS
from aesforge.proof import layers
from aesforge.proof.claims import Claim, Sources, formal_root
from aesforge.proof.faults import FAULTS, Fault

BUSES = {stack.layers(config_of(port))[-1].contract.module: port for port in REGISTER_PORTS}


def broken(fault: Fault, folder: Path) -> Path:
    """The source with a fault in it."""
    path = next(path for path in sources.files() if path.stem == fault.file)
    text = path.read_text(encoding="utf-8")
    assert text.count(fault.old) == 1
    made = folder / path.name
    made.write_text(text.replace(fault.old, fault.new), encoding="utf-8")
    return made


def contract(bus: str, instead: dict[str, Path]) -> Claim:
    """The claim on a bus."""
    rtl = tuple(instead.get(path.stem, path) for path in sources.files())
    config = config_of(BUSES[bus])
    found = layers.claims(Sources(rtl, formal_root()), config, [bus])
    return found[f"{bus} contract"]()


@pytest.mark.parametrize("bus", BUSES)
def test_a_bus_keeps_its_protocol(bus: str) -> None:
    assert contract(bus, {}).holds


@pytest.mark.parametrize("fault", [f for f in FAULTS if f.file in BUSES], ids=str)
def test_a_fault_of_a_bus_is_not_proven(fault: Fault, tmp_path: Path) -> None:
    found = contract(fault.file, {fault.file: broken(fault, tmp_path)})
    assert not found.holds
    assert "broken rule" in found.counterexample["rule"]


@slow
@pytest.mark.parametrize("fault", [f for f in FAULTS if f.file == "aes_registers"], ids=str)
def test_a_fault_of_the_registers_fails_their_tests(fault: Fault, tmp_path: Path) -> None:
    with pytest.raises(SystemExit):
        played("axi-lite", {fault.file: broken(fault, tmp_path)})
