"""The faults of `formal/faults`: their text fits; `verify` or a module test reports them."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import runner
from benches import GHASH, MASKED, MODE, PROTECT
from suite import slow

from aesforge.core.sources import files
from aesforge.flows.mutants import compile_faulty, failing_check
from aesforge.proof.faults import FAULTS, Fault
from aesforge.proof.mutants import faulty
from aesforge.space.presets import preset

RTL = {path.stem: path for path in files()}
EVERYDAY = {"aesforge-nano", "kakarlapudi-sbox keys=128 direction=encrypt"}


def simulated() -> Iterator[Any]:
    """The faults that name a core, which is compiled for each of them.

    The first one of each core is slow, of a core in EVERYDAY not even that; `make verify` tries
    all.
    """
    seen: set[str] = set()
    for fault in FAULTS:
        if fault.core:
            first = fault.core not in seen
            everyday = first and fault.core in EVERYDAY
            marks = () if everyday else slow if first else pytest.mark.full
            seen.add(fault.core)
            yield pytest.param(fault, id=str(fault), marks=marks)


def broken(fault: Fault) -> str:
    """The text of its file with the fault."""
    return RTL[fault.file].read_text(encoding="utf-8").replace(fault.old, fault.new)


@pytest.mark.parametrize("fault", list(simulated()))
def test_verify_reports_a_fault(fault: Fault, tmp_path: Path) -> None:
    name, *choices = fault.core.split()
    config = preset(name).configure(choices)
    given = faulty(fault, tmp_path)
    assert given is not None
    assert failing_check(compile_faulty(given, config), config, 1_000)


# No proof of a core tries the faults of a layer.
BENCHES = {"mode": MODE, "protect": PROTECT, "ghash": GHASH, "masked": MASKED}
# Contracts of other modules of GHASH refuse their faults; a proof of a clear refuses those of one.
PROVEN = {
    f"aes_ghash_{kind}" for kind in ("blocks", "lanes", "pipelined", "serial", "single", "sums")
}
MODULES = [
    f
    for f in FAULTS
    if not f.core
    and RTL[f.file].parent.name in BENCHES
    and f.file not in PROVEN
    and not (f.file == "aes_ghash_lanes_pipelined" and "a clear leaves" in f.name)
]


@slow
@pytest.mark.parametrize("fault", MODULES, ids=str)
def test_a_module_test_reports_a_fault(
    fault: Fault, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = RTL[fault.file].parent.name
    test_file = Path(__file__).parent / "rtl" / folder / f"test_{fault.file}.py"
    monkeypatch.syspath_prepend(str(test_file.parent))
    made = runner.bench(str(test_file), BENCHES[folder])
    faulty_file, top = tmp_path / f"{fault.file}.sv", tmp_path / "bench.sv"
    faulty_file.write_text(broken(fault), encoding="utf-8")
    top.write_text(made.text, encoding="utf-8")
    files = [faulty_file if path.stem == fault.file else path for path in made.files]
    runner.compile_bench([*files, top], tmp_path)
    with pytest.raises(SystemExit):
        runner.run_bench(str(test_file), tmp_path)


def test_what_a_fault_replaces_occurs_once() -> None:
    for fault in FAULTS:
        text = RTL[fault.file].read_text(encoding="utf-8")
        assert text.count(fault.old) == 1, f"{fault}: {text.count(fault.old)} times"


def test_each_fault_is_another_one() -> None:
    assert len({str(fault) for fault in FAULTS}) == len(FAULTS)
    texts: dict[tuple[str, str], Fault] = {}
    for fault in FAULTS:
        text = re.sub(r"\s+", "", broken(fault))
        other = texts.setdefault((fault.file, text), fault)
        assert other is fault, f"{fault} is {other}"


def test_a_fault_names_a_core_that_can_be_built() -> None:
    for core in {fault.core for fault in FAULTS} - {""}:
        name, *choices = core.split()
        assert preset(name).configure(choices)
