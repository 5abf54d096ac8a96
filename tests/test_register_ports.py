"""The register ports: their buses are proven, faults are caught, `run` and `verify` take them."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from register_bench import config_of, played
from suite import slow

from aesforge.core import sources, stack
from aesforge.core.contract import REGISTER_PORTS
from aesforge.flows.run import run
from aesforge.flows.verify import checks_of, verify
from aesforge.proof import layers
from aesforge.proof.claims import Claim, Sources, formal_root
from aesforge.proof.faults import FAULTS, Fault
from aesforge.sim import register_player
from aesforge.sim.oracle import mode
from aesforge.space.axes import Config
from aesforge.space.presets import preset
from aesforge.tools.process import ToolFailed

EACH_PORT = [
    port if port == "axi-lite" else pytest.param(port, marks=slow) for port in REGISTER_PORTS
]

UNSPOKEN = (
    "errors are not sticky",
    "clearing an event clears all",
    "DMA is asked for a beat again",
    "DMA is asked to take a tag",
    "a changed bit of CTRL is only reported",
    "the copy of CTRL is not inverted again after a fault",
    "a stream ends with its first beat",
)
"""Faults of what the contract of the registers does not speak of; simulation reports them."""

STREAMS = {
    "a stream passes outside a packet": "",
    "an abort withdraws a beat of the stream": "",
    "a packet stays open after the last beat of a stream": "random_packets",
    "an abort follows the last beat of a stream": "",
    "a stream ends with its first beat": "c_driver",
}
"""Faults of a core with a stream port, each with a check of `verify` that must report it.

Those without one are seen by the proof alone: a mode waits for its header too, and an abort by
register meets a beat in no check.
"""

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


def registers_contract(instead: dict[str, Path], *choices: str) -> Claim:
    """The claim on the registers, by default of a small core."""
    rtl = tuple(instead.get(path.stem, path) for path in sources.files())
    given = choices or ("mode=ecb", "keys=128", "sideload=on")
    config = preset("kakarlapudi-sbox").configure([*given, "port=axi-lite"])
    found = layers.claims(Sources(rtl, formal_root()), config, ["aes_registers"])
    return found["aes_registers contract"]()


@pytest.mark.parametrize("bus", BUSES)
def test_a_bus_keeps_its_protocol(bus: str) -> None:
    assert contract(bus, {}).holds


@pytest.mark.parametrize("fault", [f for f in FAULTS if f.file in BUSES], ids=str)
def test_a_fault_of_a_bus_is_not_proven(fault: Fault, tmp_path: Path) -> None:
    found = contract(fault.file, {fault.file: broken(fault, tmp_path)})
    assert not found.holds
    assert "broken rule" in found.counterexample["rule"]


@slow
def test_the_registers_keep_their_contract() -> None:
    assert registers_contract({}).holds


@slow
@pytest.mark.parametrize(
    "choices",
    [("mode=xts,ccm,gcm", "sideload=on"), ("mode=ecb", "keys=any"), ("mode=ccm", "stream_port=on")],
)
def test_the_registers_of_other_cores_keep_their_contract(choices: tuple[str, ...]) -> None:
    assert registers_contract({}, *choices).holds


@slow
@pytest.mark.parametrize("fault", [f for f in FAULTS if f.file == "aes_registers"], ids=str)
def test_a_fault_of_the_registers_is_not_proven(fault: Fault, tmp_path: Path) -> None:
    """Unless it is in what the contract does not speak of."""
    choices = ("mode=ecb", "stream_port=on") if fault.name in STREAMS else ()
    found = registers_contract({fault.file: broken(fault, tmp_path)}, *choices)
    assert found.holds == (fault.name in UNSPOKEN)
    assert found.holds or "broken rule" in found.counterexample["rule"]


@slow
@pytest.mark.parametrize(
    "fault", [f for f in FAULTS if f.file == "aes_registers" and f.name not in STREAMS], ids=str
)
def test_a_fault_of_the_registers_fails_their_tests(fault: Fault, tmp_path: Path) -> None:
    # AXI4-Lite keeps what waits itself.
    port = "tl-ul" if fault.name == "what was read vanishes" else "axi-lite"
    with pytest.raises(SystemExit):
        played(port, {fault.file: broken(fault, tmp_path)})


# Verify and run -----------------------------------------------------------------------------------

SMALL = "kakarlapudi-sbox keys=128 direction=encrypt mode=ctr"
"""A core that is compiled for each port."""

WRONG = {
    "a wipe does not reach the core": "clears_in_packets",
    "byte 0 of a message is in the high byte": "c_driver",
    "narrow writes are done": "errors_in_packets",
    "errors are not sticky": "registers",
    "a packet starts without a key": "registers",
    "an abort is no last beat": "random_packets",
}
"""Faults of aes_registers, each with a check of `verify` that must report it."""


def _small(port: str, *others: str) -> Config:
    name, *choices = SMALL.split()
    return preset(name).configure([*choices, f"port={port}", *others])


@pytest.mark.parametrize("port", EACH_PORT)
def test_verify_holds_over_each_bus(port: str) -> None:
    found = verify(preset(SMALL.split()[0]), _small(port), 400)
    assert [check for check in found["checks"] if not check["holds"]] == []
    names = {check["name"] for check in found["checks"]}
    assert {"registers", "errors_in_packets", "c_driver", "promised_clocks"} < names


@pytest.mark.parametrize(
    "choices",
    [
        pytest.param("axi-lite keys=128 direction=encrypt mode=ctr", marks=slow),
        pytest.param("apb keys=any direction=both mode=xts,ccm,kw sideload=on", marks=slow),
        pytest.param("tl-ul keys=128 direction=encrypt mode=gcm hold=on", marks=slow),
        pytest.param("wishbone keys=256 direction=both mode=cmac,cbc_cs3,gcm-siv", marks=slow),
    ],
)
def test_verify_holds_with_a_stream_port(choices: str) -> None:
    port, *others = choices.split()
    core = preset(SMALL.split()[0])
    found = verify(core, core.configure([f"port={port}", *others, "stream_port=on"]), 400)
    assert [check for check in found["checks"] if not check["holds"]] == []


def _failing(config: Config, check: str, instead: dict[str, Path]) -> bool:
    """Whether a check reports a core with other sources."""
    files = [instead.get(path.stem, path) for path in stack.sources(config)]
    bench, checks = checks_of(config)
    try:
        problems, _ = checks[check](bench(config, register_player.compiled(config, files), 400, 1))
    except ToolFailed:
        return True
    return bool(problems)


def _faults() -> Iterator[Any]:
    for fault in FAULTS:
        if fault.file == "aes_registers" and fault.name in WRONG:
            everyday = fault.name == "errors are not sticky"
            yield pytest.param(fault, id=fault.name, marks=() if everyday else slow)


@pytest.mark.parametrize("fault", list(_faults()))
def test_verify_reports_a_fault_of_the_registers(fault: Fault, tmp_path: Path) -> None:
    instead = {fault.file: broken(fault, tmp_path)}
    assert _failing(_small("apb"), WRONG[fault.name], instead)


@slow
@pytest.mark.parametrize("fault", [f for f in FAULTS if STREAMS.get(f.name)], ids=str)
def test_verify_reports_a_fault_of_the_stream_port(fault: Fault, tmp_path: Path) -> None:
    instead = {fault.file: broken(fault, tmp_path)}
    assert _failing(_small("apb", "stream_port=on"), STREAMS[fault.name], instead)


def test_the_faults_of_these_tests_are_in_the_catalogue() -> None:
    assert {f.name for f in FAULTS if f.file == "aes_registers"} >= {*WRONG, *STREAMS, *UNSPOKEN}


@slow
@pytest.mark.parametrize("bus", BUSES)
def test_verify_reports_an_error_response_that_is_lost(bus: str, tmp_path: Path) -> None:
    path = next(path for path in sources.files() if path.stem == bus)
    text = path.read_text(encoding="utf-8")
    made = tmp_path / path.name
    made.write_text(text.replace("core_reg_error_i;", "core_reg_error_i && 1'b0;"), "utf-8")
    if bus == "aes_wishbone":
        lost = text.replace("&& !core_reg_error_i", "").replace("&& core_reg_error_i", "&& 1'b0")
        made.write_text(lost, "utf-8")
    assert _failing(_small(BUSES[bus]), "registers", {bus: made})


@slow
def test_verify_reports_a_capability_that_the_core_lacks(tmp_path: Path) -> None:
    config = _small("wishbone")
    top = stack.sources(config)[-1]
    text = top.read_text(encoding="utf-8")
    key = "(1 << aes_registers_pkg::CAP_CORE_KEY_128)"
    assert text.count(key) == 1
    made = tmp_path / top.name
    made.write_text(text.replace(key, f"{key} | {key.replace('128', '256')}"), encoding="utf-8")
    assert _failing(config, "registers", {top.stem: made})


@pytest.mark.parametrize("port", EACH_PORT)
def test_run_makes_what_openssl_makes(port: str, tmp_path: Path) -> None:
    source, target = tmp_path / "in", tmp_path / "out"
    key, iv, data = bytes(range(16)), bytes(range(15)) + b"\xff", random.Random(1).randbytes(1001)
    source.write_bytes(data)
    with source.open("rb") as stream:
        found = run(
            preset("kakarlapudi-sbox"),
            *(_small(port), key.hex(), iv.hex(), None, None, False, stream, target),
        )
    assert target.read_bytes() == mode("ctr", key, iv, False)(data)
    # The bus takes an access in two cycles, and a block takes nine.
    assert found["blocks"] == 63
    assert found["cycles_per_block"] > 18
