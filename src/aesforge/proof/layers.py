"""The proofs of what is stacked on a core: each layer for any module below it.

`formal/MODULE_contract.sv` has the layer, a model of it and what the layer may meet below; ready,
valid and data of the upper side are free. So what is shown holds around every core, and the claims
on the core hold behind the layer. docs/proofs.md says what that covers.
"""

import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from aesforge import cache
from aesforge.core.sources import digest
from aesforge.core.stack import Layer, layers
from aesforge.errors import UserError
from aesforge.proof.claims import TO_AIGER, Claim, Sources
from aesforge.space.axes import Config
from aesforge.space.modes import MODES
from aesforge.tools import aiger, yosys
from aesforge.tools.aiger import Aiger
from aesforge.tools.process import ToolTimeout

_TRIES = ((2, 20), (0, 300), (300, 3600))
"""Seconds in which a run that breaks a rule is looked for, and then in which each rule is proven.

A run of a few cycles is found at once; one as long as a packet takes minutes, and `pdr` may find
none in an hour. Rules that hold are not to wait for such a search, so it is the last one.
"""

_SIMULATED = "-F 200 -W 4 -R 10"
"""Cycles, words of random runs and rounds of them for `sim3`."""

_CONFLICTS = 10000
"""Conflicts for each pair of nodes that `scorr` compares: with 1000 GCM-SIV is not decided."""

_MORE_CONFLICTS = 100000
"""Those for rules that `pdr` does not prove at once: a FIFO of 75 entries needs them."""

_MERGE_SECONDS = 900
"""How long these may take. Then `pdr` goes on with what the fewer conflicts have left."""

_BOUNDED = re.compile(r"In the first (\d+) cycles: ")
"""How a rule begins that is shown for so many cycles after the reset, and not for longer runs."""

_CLEARING = 1000
"""Cycles in which a clear must have ended."""

_MODE, _FIFO, _HOLD, _AHEAD = "aes_mode", "aes_sideband_fifo", "aes_hold", "aes_xts_ahead"
_GCM_LANES, _GHASH_LANES = "aes_gcm_lanes", "aes_ghash_lanes"
_GHASH_BLOCKS, _GHASH_LANES_PIPELINED = "aes_ghash_blocks", "aes_ghash_lanes_pipelined"
_LANES = ("aes_ctr_lanes", "aes_xts_lanes", _GCM_LANES)
_SELF_TEST = "aes_self_test"
_RANDOM = "aes_masked_random"
_PUBLIC = (_SELF_TEST, "aes_core_registers")
"""Modules with registers that no secret reaches, and that a clear need not set to one value."""

_FIFO_PARAMETERS = {"Depth": "InFlight", "Registered": "Registered"}
"""The parameters of the FIFO of a mode, by those of the mode."""

_SEMIBLOCKS = "4"
"""The memory of KW and KWP for the contract of packets. Its size is a parameter of its control."""

_PAYLOAD_BYTES = "64"
"""The memory of GCM-SIV for the contract of packets, likewise."""

_HOLD_LINES, _HOLD_PACKETS = 4, "2"
"""Beats and headers in `aes_hold` for its claims, likewise."""

_CONTRACT_LINES = 4
"""Beats in it for its contract: `pdr` takes a minute for four."""

_WAIT_BITS = "2"
"""The time that a core has in its test, for its contract. It is a parameter of a counter."""

_SECRETS = ("key_i", "in_data_i", "pkt_iv_i", "core_out_data_i", "seed_i")
"""Inputs that no timing may depend on."""

_TAG, _COUNT = "aes_gcm_tag", "aes_byte_count"

_GHASH = ("aes_ghash_pipelined", "aes_ghash_single", "aes_ghash_serial")
_OVER_LANES = (_GHASH_BLOCKS, _GHASH_LANES, _GHASH_LANES_PIPELINED)
_EVERY_GHASH = (*_GHASH, *_OVER_LANES)

_PRODUCT = "aes_ghash_product"

_ABSTRACT = {
    _MODE: {_TAG: _TAG, _FIFO: _FIFO},
    _TAG: {_COUNT: _COUNT, _FIFO: _FIFO, **dict.fromkeys(_GHASH, "aes_ghash")},
    **{lanes: {_FIFO: _FIFO} for lanes in _LANES},
    _GCM_LANES: {_FIFO: _FIFO, _COUNT: _COUNT, **dict.fromkeys(_OVER_LANES, _GHASH_LANES)},
    _GHASH_BLOCKS: dict.fromkeys(_GHASH, "aes_ghash"),
    _GHASH_LANES: {_PRODUCT: "aes_ghash_any_product"},
    "aes_ghash_single": {_PRODUCT: "aes_ghash_any_product"},
    "aes_ghash_pipelined": {_PRODUCT: "aes_ghash_ring_product"},
    _GHASH_LANES_PIPELINED: {_PRODUCT: "aes_ghash_ring_product"},
}
"""What is abstract in the contract of a module, by files of `formal/abstract`: that of a mode with
GHASH, that of GHASH in it, and that of several lanes."""

_OF_ABSTRACT = {"HashDigit"}
"""Parameters that a harness does not have, since they are of what is abstract in it."""

_QUEUES = {_TAG: "2 * (2 + 4) + 1 + 4", _GCM_LANES: "2 * (2 + 4) + 2 + 4"}
"""Entries of the queue behind a pipelined GHASH, by its module, as its text has them."""

_PIPELINED = {"Levels": "3", "Registers": "32'b101011", "Hashes": "3"}
"""The parameters of GHASH with a pipelined product in `aes_gcm_tag`, as its text has them."""

_SHALLOW = {"Levels": "3", "Registers": "0", "Hashes": "1"}
"""Those for its contract: two sums in progress in place of six, and one hash in place of three."""

_LANES_HASHES = "5"
"""Hashes that may be due in `aes_gcm_lanes`, as its text has them."""

_LANES_SHOWN = "2"
"""Lanes of GHASH with pipelined products for its contract."""

_WIDE = "65"
"""Bits of an entry of which the last one is in the second part of a FIFO's memory."""

_COUNTED = {"contract": "61", "text": "36"}
"""Bits of the two counts of `aes_gcm_tag`: of an IV or AAD, and of text."""

_VERDICTS = ("right_q",)
"""Registers that hold the verdict on a packet, or on known answers, which everyone sees."""


def claims(
    given: Sources, config: Config, only: Iterable[str] = ("",)
) -> dict[str, Callable[[], Claim]]:
    """The claims on the layers of a configuration, by name; none for a core alone.

    `only` leaves out claims whose name does not start with one of these. UserError when the
    contract of packets is left and does not have a mode.
    """
    found: dict[str, Callable[[], Claim]] = {}

    def wanted(name: str) -> bool:
        return any(name.startswith(part) or part.startswith(name) for part in only)

    for layer in layers(config)[1:]:
        module = layer.contract.module
        if module == _HOLD:
            packets = {"Depth": layer.parameters["Packets"]}
            beat = 16 * int(layer.parameters["Lanes"])
            small = {"HoldBytes": str(beat * _HOLD_LINES), "Packets": _HOLD_PACKETS}
            layer = replace(layer, parameters={**layer.parameters, **small})
        if layer.clocked and (not layer.contract.signals or module == _SELF_TEST):
            # A bus has no key, and the contract of the registers says that nothing depends on one.
            # What two copies output depends on what they are compared for.
            # Every register of the generator is constant after a reset, or it has no contract.
            for what in ("timing", "clear")[: 1 if module == _RANDOM else 2]:
                if wanted(f"{module} {what}"):
                    found[f"{module} {what}"] = _structural(given, layer, what)
        if module in (_MODE, *_LANES):
            fifo = {name: layer.parameters[at] for name, at in _FIFO_PARAMETERS.items()}
            queues = _queue(given, fifo, f"{_FIFO} contract")
            found |= {name: make for name, make in queues if wanted(name)}
        if module == _MODE:
            found |= {name: make for name, make in _hash(given, config, layer) if wanted(name)}
        if module == _GCM_LANES:
            found |= {name: make for name, make in _hash_lanes(given, layer) if wanted(name)}
        if not any(wanted(f"{module} {what}") for what in ("contract", "headers")):
            continue
        _require(given, config, layer)
        size = {}
        if module == _HOLD:
            found[f"{module} headers"] = _contract(given, _FIFO, packets, f"{module} headers")
            size = {"HoldBytes": str(beat * _CONTRACT_LINES)}
        if module == _SELF_TEST:
            size = {"WaitBits": _WAIT_BITS}
        if module == _MODE and any(mode.wraps for mode in config.modes):
            size["Semiblocks"] = _SEMIBLOCKS
        if module == _MODE and any(mode.buffers for mode in config.modes):
            size["PayloadBytes"] = _PAYLOAD_BYTES
        if module == _AHEAD:
            depth = {"Depth": layer.parameters["Headers"]}
            found[f"{module} headers"] = _contract(given, _FIFO, depth, f"{module} headers")
        found[f"{module} contract"] = _contract(given, module, {**layer.parameters, **size})
    return found


def _hash(
    given: Sources, config: Config, layer: Layer
) -> Iterator[tuple[str, Callable[[], Claim]]]:
    """The claims on what hashes in a mode."""
    if not any(mode.hashes for mode in config.modes):
        return
    polyval = any(mode.buffers for mode in config.modes)
    parameters = {"HashDigit": layer.parameters["HashDigit"], "Polyval": f"1'b{polyval:d}"}
    yield f"{_TAG} contract", _contract(given, _TAG, parameters)
    yield from _ghash(given, layer)
    pipelined = parameters["HashDigit"] == "0"
    if pipelined:
        yield from _queue(given, {"Depth": _QUEUES[_TAG], "Registered": "1"}, f"{_TAG} queue")
    for what, bits in _COUNTED.items():
        counted = {"Bits": bits, "SliceBits": "12" if pipelined else "16"}
        yield f"{_COUNT} {what}", _contract(given, _COUNT, counted, f"{_COUNT} {what}")


def _queue(
    given: Sources, parameters: Mapping[str, str], name: str
) -> Iterator[tuple[str, Callable[[], Claim]]]:
    """The claim on a FIFO, and that on a part of its memory with registers of its own."""
    yield name, _contract(given, _FIFO, parameters, name)
    if parameters["Registered"] == "1":
        part = f"{name} of a part"
        yield part, _contract(given, _FIFO, {**parameters, "Width": _WIDE}, part)


def _ghash(given: Sources, layer: Layer) -> Iterator[tuple[str, Callable[[], Claim]]]:
    """The claims on the module of GHASH that a `HashDigit` chooses, with the parameters it has."""
    digit = layer.parameters["HashDigit"]
    if digit == "0":
        module, parameters = "aes_ghash_pipelined", _PIPELINED
    elif digit == "128":
        module, parameters = "aes_ghash_single", {"Levels": _PIPELINED["Levels"]}
    else:
        module, parameters = "aes_ghash_serial", {"Digit": digit}
    yield from _of_ghash(given, layer, module, parameters, _SHALLOW if digit == "0" else None)


def _hash_lanes(given: Sources, layer: Layer) -> Iterator[tuple[str, Callable[[], Claim]]]:
    """The claims on what hashes in `aes_gcm_lanes`."""
    lanes, digit = layer.parameters["Lanes"], layer.parameters["HashDigit"]
    if int(digit) == 128 * int(lanes):
        own = {"Lanes": lanes, "Levels": _PIPELINED["Levels"]}
        yield from _of_ghash(given, layer, _GHASH_LANES, own)
        return
    if digit != "0":
        yield from _of_ghash(given, layer, _GHASH_BLOCKS, {"Lanes": lanes, "Digit": digit})
        yield from _ghash(given, layer)
        return
    own = {"Lanes": lanes, **_PIPELINED, "Hashes": _LANES_HASHES}
    shown = {"Lanes": _LANES_SHOWN, **_SHALLOW}
    yield from _of_ghash(given, layer, _GHASH_LANES_PIPELINED, own, shown)
    queue = {"Depth": _QUEUES[_GCM_LANES], "Registered": "1"}
    yield from _queue(given, queue, f"{_GCM_LANES} queue")
    for what, bits in _COUNTED.items():
        counted = {"Bits": bits, "Most": str(16 * int(lanes))}
        yield f"{_COUNT} {what}", _contract(given, _COUNT, counted, f"{_COUNT} {what}")


def _of_ghash(
    given: Sources,
    layer: Layer,
    module: str,
    parameters: Mapping[str, str],
    shown: Mapping[str, str] | None = None,
) -> Iterator[tuple[str, Callable[[], Claim]]]:
    """The claims on a module of GHASH below a layer; its contract may be of a smaller one."""
    yield f"{module} contract", _contract(given, module, shown or parameters)
    own = replace(
        layer, contract=replace(layer.contract, module=module), parameters=dict(parameters)
    )
    for what in ("timing", "clear"):
        yield f"{module} {what}", _structural(given, own, what)


def covered(given: Sources) -> set[str]:
    """The modes whose recurrence `formal/aes_mode_contract.sv` has."""
    text = (given.formal / f"{_MODE}_contract.sv").read_text(encoding="utf-8")
    labels = re.findall(r"^ +((?:aes_pkg::MODE_\w+, )*aes_pkg::MODE_\w+):", text, re.M)
    found = {name for label in labels for name in re.findall(r"MODE_\w+", label)}
    return {mode.name for mode in MODES.values() if mode.constant in found}


def _require(given: Sources, config: Config, layer: Layer) -> None:
    module, known = layer.contract.module, covered(given)
    without = [mode.name for mode in config.modes if mode.name not in known]
    if module != _MODE or not without:
        return
    problem = (
        f"the contract of packets has no recurrence of mode={without[0]} yet; choose among "
        f"{', '.join(sorted(known))}, or prove the core alone without mode"
    )
    problem += ", or --claim aes_hold" * (config.hold == "on")
    problem += ", or --claim aes_registers" * config.registers
    raise UserError(f"{problem}, or --claim '{module} timing' or '{module} clear'")


def _files(
    given: Sources, module: str, harness: bool, parameters: Mapping[str, str], place: Path
) -> list[Path]:
    """The sources of a layer; or those of its harness, abstract parts written to `place`."""
    whole = [*given.closure("aes_pkg"), *given.closure(module)]
    if not harness:
        return whole
    abstract = _abstract(given, module, parameters)
    for part, path in abstract.items():
        text = path.read_text(encoding="utf-8")
        (place / f"{part}.sv").write_text(
            re.sub(rf"\bmodule {path.stem}\b", f"module {part}", text), encoding="utf-8"
        )
    parts = [place / f"{part}.sv" for part in abstract]
    kept = [path for path in whole if path.stem not in abstract]
    return [*kept, *parts, given.formal / f"{module}_contract.sv"]


def _abstract(given: Sources, module: str, parameters: Mapping[str, str]) -> dict[str, Path]:
    """The files of the abstract parts of a contract, by the modules that they stand for."""
    names = dict(_ABSTRACT.get(module, {}))
    if module == _MODE:
        constants = re.findall(r"MODE_\w+", parameters["Modes"])
        modes = [mode for mode in MODES.values() if mode.constant in constants]
        if not any(mode.hashes for mode in modes):
            names = {}
        elif parameters["Registered"] == "0" and any(m.buffers or not m.hashes for m in modes):
            # Results that chain or return are of blocks before: so the expectations are too.
            del names[_FIFO]
    return {part: given.formal / "abstract" / f"{name}.sv" for part, name in names.items()}


def _elaborated(
    given: Sources, module: str, harness: bool, parameters: Mapping[str, str], place: Path
) -> Aiger:
    """A layer, or its harness, as an AIGER file `layer.aig` in `place`."""
    files = _files(given, module, harness, parameters, place)
    source = files[-1]
    # The top module takes constants of `aes_pkg` too.
    top = place / "layer_top.sv"
    top.write_text(f"module layer_top {_wrapper(source, parameters)}", encoding="utf-8")
    read = yosys.read(list(dict.fromkeys([*files, top])), "layer_top")
    yosys.run([read, *TO_AIGER, "write_aiger -symbols layer.aig"], place)
    return aiger.read(place / "layer.aig")


def _wrapper(source: Path, parameters: Mapping[str, str]) -> str:
    """The ports and the body of a module that sets the parameters of a module."""
    text = re.sub(r"//.*", "", source.read_text(encoding="utf-8"))
    own = dict(re.findall(r"\bparameter \w+ (\w+) *= *([^,\n]+)", text))
    if missing := parameters.keys() - own.keys() - _OF_ABSTRACT:
        raise ValueError(f"{source.stem} has no parameter {', '.join(sorted(missing))}")
    parameters = {name: value for name, value in parameters.items() if name in own}
    (ports,) = re.findall(r"\bmodule \w+ (?:#\(.*?\n\) )?\((.*?)\);", text, re.DOTALL)
    pins = ", ".join(f".{name}({name})" for name in re.findall(r"(\w+)\s*(?:,|$)", ports.strip()))
    # Widths of ports name parameters, also those that are as the module has them.
    for name, value in (own | parameters).items():
        ports = re.sub(rf"\b{name}\b", f"({value})", ports)
    given = ", ".join(f".{name}({value})" for name, value in parameters.items())
    return f"({ports});\n  {source.stem} #({given}) u_layer ({pins});\nendmodule\n"


def _rules(harness: Path) -> dict[int, str]:
    """The rules of a harness by the bit of `bad_o`, as its header states them."""
    text = harness.read_text(encoding="utf-8").partition("\nmodule")[0]
    found = re.findall(r"^// {2,3}(\d+)  (.*(?:\n//      .*)*)", text, re.M)
    return {int(bit): re.sub(r"\s*\n//\s*", " ", rule) for bit, rule in found}


def _contract(
    given: Sources, module: str, parameters: Mapping[str, str], name: str = ""
) -> Callable[[], Claim]:
    """The claim that no rule of a harness is ever broken."""
    harness = given.formal / f"{module}_contract.sv"
    name = name or f"{module} contract"
    set_to = " ".join(f"{key}={value}" for key, value in parameters.items())
    covers = "all inputs, from reset, runs of any length: every output is the model's"
    covers += f"; {set_to}" * bool(set_to)
    for bit, rule in _rules(harness).items():
        if bound := _BOUNDED.match(rule):
            covers += f"; rule {bit} in the first {bound[1]} cycles of each"

    def make() -> dict[str, Any]:
        start = time.perf_counter()
        with TemporaryDirectory() as folder:
            machine = _elaborated(given, module, True, parameters, Path(folder))
            found = _decide(machine, _rules(harness), Path(folder))
        rule = {"rule": found} if found else {}
        return Claim(name, not found, time.perf_counter() - start, covers, rule).as_dict()

    files = [*given.closure("aes_pkg"), *given.closure(module), harness]
    files += _abstract(given, module, parameters).values()
    key = digest(name, covers, *files, *TO_AIGER, yosys.version(), Path(__file__))
    return lambda: Claim(**cache.value("proof", key, make))


def _decide(machine: Aiger, rules: Mapping[int, str], place: Path) -> str:
    """Why an output may be high in a run that starts with a reset; empty when none can be."""
    registers, missing = start(machine, rules)
    if missing:
        return missing
    aiger.write(_starting(machine, registers), place / "start.aig")
    rest = _merged(machine, _CONFLICTS, place)
    for name in tuple(rest):
        if bound := _BOUNDED.match(rules.get(_bit(name), "")):
            rest.remove(name)
            at = machine.output_names[name]
            said = yosys.abc(f"read left.aig; cone -O {at}; scleanup; bmc3 -F {bound[1]}", place)
            if found := re.search(r"asserted in frame (\d+)", said):
                return f"{_what(name, rules)} ({found[1]} cycles after the reset)"
            if f"No output asserted in {bound[1]} frames" not in said:
                return f"{_what(name, rules)} (not decided)"
    for turn, (hunt, seconds) in enumerate(_TRIES):
        if rest and turn == 1:
            with suppress(ToolTimeout):
                left = _merged(machine, _MORE_CONFLICTS, place, _MERGE_SECONDS)
                rest = [name for name in rest if name in left]
        if rest and hunt and (run := _hunted(place, hunt)):
            name = next(name for name in rest if machine.output_names[name] == run[0])
            return f"{_what(name, rules)} ({run[1]} cycles after the reset)"
        for name in tuple(rest):
            at = machine.output_names[name]
            said = yosys.abc(f"read left.aig; cone -O {at}; scleanup; pdr -T {seconds}", place)
            if "Property proved" in said or "Networks are equivalent" in said:
                rest.remove(name)
            elif found := re.search(r"asserted in frame (\d+)", said):
                return f"{_what(name, rules)} ({found[1]} cycles after the reset)"
    if rest:
        return f"{_what(rest[0], rules)} (not decided within {_TRIES[-1][1]} s)"
    return ""


def _merged(machine: Aiger, conflicts: int, place: Path, seconds: float | None = None) -> list[str]:
    """The outputs that are not constant when `scorr` has merged what is equal, in left.aig.

    ToolTimeout after `seconds`; left.aig is as it was then.
    """
    merge = f"read start.aig; zero; scorr -C {conflicts}; write_aiger merged.aig"
    yosys.abc(merge, place, seconds)
    (place / "merged.aig").replace(place / "left.aig")
    left = aiger.read(place / "left.aig")
    return [name for name, at in machine.output_names.items() if left.outputs[at] != 0]


def _hunted(place: Path, seconds: int) -> tuple[int, int] | None:
    """The output that is high in a run as short as possible, and its cycle; None when none was.

    What random inputs show may come after more cycles than `bmc3` has time for.
    """
    for command in (f"bmc3 -T {seconds}", f"sim3 {_SIMULATED} -T {seconds}"):
        said = yosys.abc(f"read left.aig; {command}", place)
        if found := re.search(r"Output (\d+) .* was asserted in frame (\d+)", said):
            return int(found[1]), int(found[2])
    return None


def _bit(name: str) -> int:
    """The number in the name of an output."""
    return int("0" + re.sub(r"\D", "", name))


def _what(name: str, rules: Mapping[int, str]) -> str:
    """The rule of an output, as text."""
    bit = _bit(name)
    return f"broken rule: {rules[bit]}" if bit in rules else "an output differs from the model"


# Three-valued simulation: a bit for "may be 0" and one for "may be 1".
_ZERO, _ONE, _UNKNOWN = 1, 2, 3


def _next(
    machine: Aiger, registers: list[int], driven: Mapping[str, int]
) -> tuple[list[int], dict[str, int]]:
    """The registers after a cycle and the outputs in it; inputs that are not driven are unknown."""
    may = [_ZERO, *[_UNKNOWN] * machine.inputs, *registers]
    for name, value in driven.items():
        if name in machine.input_names:
            may[1 + machine.input_names[name]] = value

    def of(literal: int) -> int:
        bits = may[literal >> 1]
        return (bits & 1) << 1 | bits >> 1 if literal & 1 else bits

    for left, right in machine.gates:
        a, b = of(left), of(right)
        may.append((a | b) & 1 | (a & b) & 2)
    outputs = {name: of(machine.outputs[at]) for name, at in machine.output_names.items()}
    return [of(literal) for literal in machine.next], outputs


_RESET = {"rst_ni": _ZERO}
_CLEAR = {"key_clear_i": _ONE, "clear_i": _ONE}
_RUNS = {"rst_ni": _ONE, "key_clear_i": _ZERO, "clear_i": _ZERO}
_WITH_CLEAR = ("aes_ghash_single", "aes_ghash_serial")
"""Modules whose reset clears no data: `aes_mode` gives them a clear with each reset."""


def start(machine: Aiger, rules: Mapping[int, str] | None = None) -> tuple[list[int], str]:
    """The registers when a reset has ended, and why they may have several values, if they may.

    From a reset on, whatever else the inputs are, either a reset or a clear begins anew, or the
    same constant state is reached after so many cycles; until then no output is high.
    """
    first, _ = _next(machine, [_UNKNOWN] * len(machine.next), _RESET)
    registers, seen = first, 0
    while _UNKNOWN in registers:
        for again in (_RESET, _CLEAR):
            back, _ = _next(machine, registers, again)
            for at, (one, other) in enumerate(zip(first, back, strict=True)):
                if one not in (_UNKNOWN, other):
                    name = machine.register_names.get(at, str(at))
                    return [], f"a reset and a clear leave different values in {name}"
        _, outputs = _next(machine, registers, {})
        for name, value in outputs.items():
            if value != _ZERO:
                return [], f"{_what(name, rules or {})} ({seen} cycles after a reset)"
        after, _ = _next(machine, registers, _RUNS)
        if after == registers or seen == _CLEARING:
            return [], f"a reset leaves {', '.join(_unknown(machine, registers))} as it is"
        registers, seen = after, seen + 1
    return registers, ""


def _unknown(machine: Aiger, registers: Iterable[int]) -> list[str]:
    names = machine.register_names
    found = [names.get(at, str(at)) for at, value in enumerate(registers) if value == _UNKNOWN]
    return found[:4]


def _starting(machine: Aiger, registers: list[int]) -> Aiger:
    """The machine that starts in a state: in AIGER each register starts with 0."""
    first = 1 + machine.inputs
    ones = {first + at for at, value in enumerate(registers) if value == _ONE}

    def of(literal: int) -> int:
        return literal ^ (literal >> 1 in ones)

    return Aiger(
        machine.inputs,
        [of(literal) ^ (first + at in ones) for at, literal in enumerate(machine.next)],
        [of(literal) for literal in machine.outputs],
        [(of(left), of(right)) for left, right in machine.gates],
        machine.input_names,
        machine.output_names,
        machine.register_names,
    )


def _structural(given: Sources, layer: Layer, what: str) -> Callable[[], Claim]:
    """The claim on timing, or on a clear, of the layer alone."""
    module = layer.contract.module
    name = f"{module} {what}"
    covers, rule = {
        "timing": ("valid and ready depend on no key, data, IV or result, in any cycle", _timing),
        "clear": (
            "when key_ready_o returns after a clear or a reset, every register "
            + ("that data reaches " if module in _PUBLIC else "")
            + "is a constant; the "
            + ("data input is 0" if module in _EVERY_GHASH else "core outputs nothing")
            + " meanwhile",
            _clear,
        ),
    }[what]

    def make() -> dict[str, Any]:
        begun = time.perf_counter()
        with TemporaryDirectory() as folder:
            machine = _elaborated(given, module, False, layer.parameters, Path(folder))
            found = rule(machine, module)
        broken = {"rule": found} if found else {}
        return Claim(name, not found, time.perf_counter() - begun, covers, broken).as_dict()

    files = [*given.closure("aes_pkg"), *given.closure(module)]
    key = digest(name, covers, layer.parameters, *files, *TO_AIGER, yosys.version(), Path(__file__))
    return lambda: Claim(**cache.value("proof", key, make))


def _timing(machine: Aiger, _: str) -> str:
    """Which handshake output depends on a secret input, through any number of cycles."""
    marked = machine.reached(_SECRETS, _VERDICTS)
    for name, at in machine.output_names.items():
        if name.endswith(("valid_o", "ready_o", "last_o")) and marked[machine.outputs[at] >> 1]:
            return f"{name} depends on one of {', '.join(_SECRETS)}"
    return ""


def _clear(machine: Aiger, module: str) -> str:
    """Which register may hold a secret when a key may be accepted after a clear or a reset."""
    reset = {**_RESET, **(_CLEAR if module in _WITH_CLEAR else {})}
    quiet = {"core_out_valid_i": _ZERO}
    if module in _EVERY_GHASH:
        quiet |= {name: _ZERO for name in machine.input_names if name.startswith("in_data_i")}
    # Registers that no secret reaches may have any value, in a module that has few others.
    public: set[int] = set()
    if module in _PUBLIC:
        marked = machine.reached(_SECRETS, _VERDICTS)[1 + machine.inputs :]
        public = {at for at in range(len(machine.next)) if not marked[at]}
    for begins, how in ((_CLEAR, "clear"), (reset, "reset")):
        registers, _ = _next(machine, [_UNKNOWN] * len(machine.next), begins)
        for _ in range(_CLEARING):
            after, outputs = _next(machine, registers, _RUNS | quiet)
            if outputs["key_ready_o"] != _ZERO:
                break
            registers = after
        else:
            return f"key_ready_o does not return within {_CLEARING} cycles after a {how}"
        held = [_ZERO if at in public else value for at, value in enumerate(registers)]
        if left := _unknown(machine, held):
            return f"a {how} leaves {', '.join(left)} when key_ready_o returns"
    return ""
