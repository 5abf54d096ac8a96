"""The proof of a whole core: every reachable state of its control, all keys and all blocks.

`explorer/` visits all states of the core's control with one symbolic key and block and everything
else unknown, and compares the formula of the result with that of `formal/aes_spec.sv`.
docs/proofs.md says what that covers. Stored walks are valid for the text of this file.
"""

import random
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from aesforge import cache
from aesforge.core.sources import digest
from aesforge.proof.claims import Claim, Sources, core
from aesforge.proof.explore import explore
from aesforge.proof.explore import sources as explorer
from aesforge.proof.formulas import same
from aesforge.proof.specification import specification
from aesforge.space.axes import DIRECTIONS, KEY_BITS, SBOXES, Config
from aesforge.space.promises import promised
from aesforge.tools import aiger, yosys

STATES = 20_000_000
"""Control states after which a walk stops, and its claim does not hold."""

_SHORTEST = 30_000
"""Control states in which to look for a shorter run than a random run that failed."""

_COUNTED = 8
"""Blocks in flight up to which they are counted; with more, empty places are watched."""

_REPLAYS = 64
"""Random keys, blocks and registers at power-up that a failing run is replayed with."""


def job(config: Config, bits: int, kind: Config, states: int, shortest: int) -> str:
    """What the explorer is asked to do; `explorer/contract.h` says what each line means."""
    # A core of a fixed size does not read the code. 1x: both codes of 256 bits, or of four S-boxes.
    lens = ["00", "01", "1x"] if config.keys == "any" else ["xx"]
    directions = dict(zip(DIRECTIONS, "01" if config.direction == "both" else "xx", strict=True))
    sboxes = ["00", "01", "1x"] if len(config.selectable_sboxes) > 1 else ["xx"]
    kinds = [directions[name] + run for name in config.directions for run in sboxes]
    # In a core of two S-boxes, the codes of two and of four have the same meaning.
    run = sboxes[SBOXES.index(int(kind.sboxes))] if len(sboxes) > 1 else "xx"
    promise = promised(replace(config, sboxes=kind.sboxes), bits)
    # A core of several blocks accepts one only when a free place is at its input.
    eager = int(promise.per == 1)
    places = promise.latency * promise.per > _COUNTED * promise.interval
    length = KEY_BITS.index(bits) if config.keys == "any" else 0
    return "\n".join(
        (
            f"lens {' '.join(lens)}",
            f"kinds {' '.join(kinds)}",
            f"watched {bits} {length} {kinds.index(directions[kind.direction] + run)}",
            f"promise {promise.latency} {promise.key_setup} {eager}",
            f"places {int(places)} {promise.stop_cycles}",
            f"limit {states} {shortest}",
        )
    )


def kinds(config: Config) -> list[Config]:
    """The kinds of blocks that a core accepts, each as a core of that kind alone."""
    return [replace(run, direction=name) for name in config.directions for run in config.selections]


def named(config: Config, bits: int, kind: Config) -> str:
    """The name of the claims on keys of `bits` and blocks of `kind`."""
    run = f" {kind.sboxes} S-box{'es' * (kind.sboxes != '1')}"
    return f"cipher {bits} {kind.direction}{run * (len(config.selectable_sboxes) > 1)}"


def cipher(
    given: Sources,
    config: Config,
    bits: int,
    kind: Config,
    states: int = STATES,
    netlist: Path | None = None,
    replay: bool = True,
    like: Path | None = None,
) -> Callable[[], list[Claim]]:
    """The claims on the core with keys of `bits` and blocks of one kind watched.

    `kind` is one of `kinds`. `netlist` is an AIGER file that replaces the core. Without `replay` a
    failing claim names the rule without values. `like` is a similar core that was walked before.
    """
    decrypt = kind.direction == "decrypt"
    name = named(config, bits, kind)

    def make(machine: Path, spec: Path, asked: str, replay: bool) -> list[dict[str, Any]]:
        start = time.perf_counter()
        with TemporaryDirectory() as folder:
            report = explore(machine, spec, asked, Path(folder), like)
            explored = time.perf_counter() - start
            size = (
                f"{report['states']} states, {report['transitions']} transitions of "
                f"{report['control_registers']} control registers"
            )
            runs = {
                "complete": f"all runs: {size}",
                "bounded": f"not all runs: stopped after {size}",
                "failed": f"failed after {size}",
            }[report["status"]]
            found: dict[str, Any] = {}
            if report["status"] == "failed":
                if replay:
                    found = _replay(machine, spec, report["trace"], bits, decrypt)
                found["rule"] = report["rule"]
            claims = [Claim(f"{name} runs", report["status"] == "complete", explored, runs, found)]
            start = time.perf_counter()
            holds = bool(report["same"])
            covers = f"all keys, all blocks: {len(report['same'])} formula, that of the standard"
            found = {}
            for number, same in enumerate(report["same"]):
                if not same and holds:
                    trace = report["results"][number]
                    holds = _equal(Path(folder) / "result.aig", spec, number, Path(folder))
                    found = {} if holds else {"rule": "not proven equal to the standard"}
                    if not holds and replay:
                        found |= _replay(machine, spec, trace, bits, decrypt)
            if not report["same"]:
                covers = "no result was reached"
            seconds = time.perf_counter() - start
            claims.append(Claim(f"{name} result", holds, seconds, covers, found))
        return [claim.as_dict() for claim in claims]

    def kept(machine: Path, spec: Path, replay: bool) -> list[Claim]:
        asked = job(config, bits, kind, states, _SHORTEST if replay else 0)
        # Stored by netlist, not by RTL: many edits do not change a netlist.
        key = digest(asked, replay, machine, spec, *explorer(), Path(__file__), yosys.version())
        made = cache.value("proof", key, lambda: make(machine, spec, asked, replay))
        return [Claim(**claim) for claim in made]

    def claims() -> list[Claim]:
        machine = netlist or core(given, config)
        spec = specification(given, bits, decrypt, int(config.block))
        found = kept(machine, spec, replay=False)
        if replay and not all(claim.holds for claim in found):
            found = kept(machine, spec, replay=True)
        return found

    return claims


def _equal(results: Path, spec: Path, number: int, folder: Path) -> bool:
    """Whether formula `number` of the core is that of the specification, if need be by ABC."""
    mine, theirs = aiger.read(results), aiger.read(spec)
    mask, block = (1 << 256) - 1, len(theirs.outputs)
    mine = replace(mine, outputs=mine.outputs[block * number : block * number + block])
    inputs = [random.getrandbits(256) for _ in range(theirs.inputs)]
    own = mine.values(inputs, [], mask)
    other = theirs.values(inputs, [], mask)
    for left, right in zip(mine.outputs, theirs.outputs, strict=True):
        if mine.literal(own, left, mask) != theirs.literal(other, right, mask):
            return False
    # They agree on 256 random pairs, so a proof is likely.
    if same(theirs, mine):
        return True
    aiger.write(mine, folder / "one.aig")
    return "Networks are equivalent" in yosys.abc(f"&read one.aig; &cec {spec}", folder)


def _replay(
    core: Path, spec: Path, trace: list[dict[str, Any]], bits: int, decrypt: bool
) -> dict[str, Any]:
    """Run a failing sequence of handshakes on random keys and blocks, clock by clock."""
    machine, formula = aiger.read(core), aiger.read(spec)
    rng = random.Random(1)
    mask = (1 << _REPLAYS) - 1

    def word(width: int) -> list[int]:
        return [rng.getrandbits(_REPLAYS) for _ in range(width)]

    size = len(formula.outputs)
    key, block = word(256), word(size)
    expected = formula.values(key + block, [], mask)
    want = [formula.literal(expected, lit, mask) for lit in formula.outputs]
    registers = word(len(machine.next))
    waves: list[dict[str, list[int]]] = []
    other_key, pending = word(256), 0
    actual: list[int] | None = None
    for step in trace:
        if step["key"] == 1 and pending != 1:
            other_key = word(256)
        pending = step["key"]
        driven = {
            "rst_ni": [0 if step["reset"] else mask],
            "key_valid_i": [mask if step["key"] else 0],
            "key_i": key if step["key"] == 2 else other_key if step["key"] else word(256),
            "key_len_i": [mask if c == "1" else 0 for c in reversed(step["len"])],
            "in_valid_i": [mask if step["in"] else 0],
            "in_data_i": block if step["in"] == 2 else word(size),
            "in_decrypt_i": [mask if step["decrypt"] == "1" else 0],
            "in_sboxes_i": [mask if c == "1" else 0 for c in reversed(step["sboxes"])],
            "out_ready_i": [mask if step["out_ready"] else 0],
            "key_clear_i": [mask if step["clear"] else 0],
        }
        inputs = word(machine.inputs)
        for port, lanes in driven.items():
            for bit, lane in enumerate(lanes):
                names = (port, f"{port}[{bit}]") if len(lanes) == 1 else (f"{port}[{bit}]",)
                for name in names:
                    if name in machine.input_names:
                        inputs[machine.input_names[name]] = lane
        values = machine.values(inputs, registers, mask)
        wave = dict(driven)
        for name, number in machine.output_names.items():
            port, _, index = name.partition("[")
            lanes = wave.setdefault(port, [0] * (size if index else 1))
            at = int(index[:-1]) if index else 0
            lanes[at] = machine.literal(values, machine.outputs[number], mask)
        for number, name in machine.register_names.items():
            port, _, index = name.rpartition("[")
            if not port or not index[:-1].isdigit():
                port, index = name, "0]"
            register = wave.setdefault(port, [])
            at = int(index[:-1])
            register.extend([0] * (at + 1 - len(register)))
            register[at] = registers[number]
        waves.append(wave)
        actual = wave["out_data_o"]
        registers = [machine.literal(values, lit, mask) for lit in machine.next]
    valid = bool(waves) and bool(waves[-1]["out_valid_o"][0] & 1)
    wrong = 0
    if actual is not None and valid:
        for got, right in zip(actual, want, strict=True):
            wrong |= got ^ right
    lane = (wrong & -wrong).bit_length() - 1 if wrong else 0

    def hexadecimal(lanes: list[int]) -> str:
        number = sum((value >> lane & 1) << place for place, value in enumerate(lanes))
        return f"{number:0{len(lanes) // 4}x}"

    found: dict[str, Any] = {
        "key": hexadecimal(key)[: bits // 4],
        "block": hexadecimal(block),
        "direction": "decrypt" if decrypt else "encrypt",
        "expected": hexadecimal(want),
        "clocks": len(trace),
        "wave": [
            {
                name: sum((value >> lane & 1) << place for place, value in enumerate(lanes))
                for name, lanes in wave.items()
            }
            for wave in waves
        ],
        "widths": {name: len(lanes) for name, lanes in (waves[-1] if waves else {}).items()},
    }
    if valid and actual is not None:
        found["actual"] = hexadecimal(actual)
    return found
