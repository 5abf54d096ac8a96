"""The proofs of what is stacked on a core: each layer for any module below it.

`formal/MODULE_contract.sv` has the layer and a model of it, which says in every cycle what each
output must be; ready, valid and data of both sides are free. So what is shown holds around every
core, and the claims on the core hold behind the layer.
"""

import re
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from aesforge import cache
from aesforge.core.sources import digest
from aesforge.core.stack import Layer, layers
from aesforge.proof.claims import TO_AIGER, Claim, Sources
from aesforge.space.axes import Config
from aesforge.tools import aiger, yosys

_SECONDS = 3600
"""Time after which ABC gives up."""


def claims(given: Sources, config: Config) -> dict[str, Callable[[], Claim]]:
    """The claims on the layers of a configuration, by name; none for a core alone."""
    return {
        f"{layer.contract.module} contract": _claim(given, layer) for layer in layers(config)[1:]
    }


def _claim(given: Sources, layer: Layer) -> Callable[[], Claim]:
    module = layer.contract.module
    top = f"{module}_contract"
    files = [*given.closure(module), given.formal / f"{top}.sv"]
    parameters = " ".join(f"{name}={value}" for name, value in layer.parameters.items())
    name = f"{module} contract"
    covers = f"all inputs of both sides, from reset: every output is the model's; {parameters}"
    passes = (*TO_AIGER, "write_aiger -symbols layer.aig")

    def make() -> dict[str, Any]:
        start = time.perf_counter()
        with TemporaryDirectory() as folder:
            place = Path(folder)
            # The top module takes constants of `aes_pkg` too.
            text = f"module layer_top {_wrapper(given.formal / f'{top}.sv', layer)}"
            (place / "layer_top.sv").write_text(text, encoding="utf-8")
            yosys.run([yosys.read([*files, place / "layer_top.sv"], "layer_top"), *passes], place)
            found = _decide(place / "layer.aig")
        rule = {"rule": found} if found else {}
        return Claim(name, not found, time.perf_counter() - start, covers, rule).as_dict()

    key = digest(name, covers, *files, *passes, yosys.version(), Path(__file__))
    return lambda: Claim(**cache.value("proof", key, make))


def _wrapper(harness: Path, layer: Layer) -> str:
    """The ports and the body of a module that sets the parameters of a harness."""
    text = re.sub(r"//.*", "", harness.read_text(encoding="utf-8"))
    ports = text.partition(") (")[2].partition(");")[0]
    pins = ", ".join(f".{name}({name})" for name in re.findall(r"(\w+)\s*(?:,|$)", ports.strip()))
    given = ", ".join(f".{name}({value})" for name, value in layer.parameters.items())
    return f"({ports});\n  {harness.stem} #({given}) u_harness ({pins});\nendmodule\n"


def _decide(path: Path) -> str:
    """Why output `bad_o` may be high in a run that starts with a reset; empty when it cannot."""
    machine = aiger.read(path)
    if missing := after_reset(machine):
        return f"a reset leaves {', '.join(missing[:4])} as it is, or sets it"
    commands = f"read {path.name}; zero; scorr; pdr -T {_SECONDS}"
    said = yosys.abc(commands, path.parent)
    if "Property proved" in said or "Networks are equivalent" in said:
        return ""
    if found := re.search(r"asserted in frame (\d+)", said):
        return f"an output differs from the model {found[1]} cycles after the reset"
    return f"not decided within {_SECONDS} s"


def after_reset(machine: aiger.Aiger) -> list[str]:
    """The registers that need not be 0 after a cycle of reset, whatever all else was."""
    # Each node may be 0, may be 1: two bits; unknown is both.
    unknown, zero = 3, 1
    inputs = [unknown] * machine.inputs
    inputs[machine.input_names["rst_ni"]] = zero
    may = [zero, *inputs, *[unknown] * len(machine.next)]

    def value(literal: int) -> int:
        bits = may[literal >> 1]
        return (bits & 1) << 1 | bits >> 1 if literal & 1 else bits

    for left, right in machine.gates:
        a, b = value(left), value(right)
        may.append((a | b) & 1 | (a & b) & 2)
    return [
        machine.register_names.get(number, str(number))
        for number, literal in enumerate(machine.next)
        if value(literal) != zero
    ]
