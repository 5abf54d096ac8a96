"""The second engine, bounded: one run of the whole core, and AES from a literal table.

The netlist is unrolled from reset through a key and a block to the result, for all keys, all blocks
and all registers at power-up. The result is compared with `formal/aes_fips197.sv`, by sums and
small functions and else by SAT sweeping. No part is replaced, and nothing of the explorer is used.
docs/proofs.md says what that covers.
"""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from aesforge import cache
from aesforge.core.sources import digest
from aesforge.proof import formulas, sweep
from aesforge.proof.claims import Claim, Sources, whole
from aesforge.proof.drive import Answers, Offers, Unproven, bits_of
from aesforge.proof.graph import Cycles, Graph
from aesforge.proof.walk import named
from aesforge.space.axes import Config
from aesforge.space.promises import promised
from aesforge.tools import aiger, yosys

TEXT = ("bounded.py", "drive.py", "formulas.py", "graph.py", "sweep.py")
"""The files that decide a claim, with the Yosys and ABC that they call."""

_PATTERNS = 256
"""Random keys, blocks and power-up values that are tried before a proof."""


@dataclass(frozen=True)
class Unreplaced(Sources):
    """Sources of which no part is replaced in the proofs of the cipher."""

    def table(self, part: Path) -> Path | None:
        """No table takes the place of a part."""
        return None


def standard(given: Sources, bits: int, decrypt: bool, block: int = 128) -> Path:
    """AES or Rijndael as a formula: 256 inputs of the key, those of a block, as many outputs."""
    text = given.formal / "aes_fips197.sv"

    def make(work: Path) -> None:
        yosys.run(
            [
                f"read_verilog -sv {text}",
                f"hierarchy -check -top aes_fips197 -chparam KeyBits {bits} "
                f"-chparam BlockBits {block} -chparam Decrypt {int(decrypt)}",
                *("proc", "wreduce", "peepopt", "opt", "simplemap", "techmap", "opt", "aigmap"),
                *("opt_clean", "flatten", "opt_clean", "write_aiger -symbols standard.aig"),
            ],
            work,
        )

    key = digest(text, bits, decrypt, block, yosys.version(), "standard")
    return cache.folder("proof-standard", key, make) / "standard.aig"


def netlist(given: Sources, config: Config) -> Path:
    """The core as an AIGER file, every part as it is."""
    return whole(Unreplaced(given.rtl, given.formal), config)


def run(
    cycles: Cycles, config: Config, bits: int, kind: Config, key: list[int], block: list[int]
) -> tuple[Answers, list[int]]:
    """Run the core once: when it answered, and its result. Unproven when it breaks its promise.

    Cycle 0 is the reset, in which every other input is free. From cycle 1 the key and the block are
    on offer, and results are taken. A payload without its valid is free in every cycle.
    """
    promise = promised(replace(config, sboxes=kind.sboxes), bits)
    offers, answers = Offers(config, bits, kind), Answers(promise)
    result: list[int] = []
    cycles.advance(offers.reset)
    # No other result follows for as long again.
    while not result or len(cycles.driven) <= answers.offered[0] + promise.latency:
        key_on, block_on = not answers.keyed, not answers.accepted
        cycles.advance(offers.levels | offers.key(key_on, key) | offers.block(block_on, block))
        answers.see(cycles, block_on)
        if answers.offered and not result:
            result = cycles.outputs("out_data_o", len(block))
    return answers, result


def _compare(
    graph: Graph, mine: list[int], theirs: list[int], inputs: list[int], folder: Path
) -> tuple[dict[str, Any], str]:
    """Show that two lists of literals are equal functions.

    What differs, {} when nothing does, and what has shown that.
    """
    pair = graph.netlist([*mine, *theirs], inputs)
    mask = (1 << _PATTERNS) - 1
    rng = random.Random(1)
    lanes = [rng.getrandbits(_PATTERNS) for _ in inputs]
    values = pair.values(lanes, [], mask)
    got, want = (
        [pair.literal(values, literal, mask) for literal in half]
        for half in (pair.outputs[: len(mine)], pair.outputs[len(mine) :])
    )
    wrong = 0
    for one, other in zip(got, want, strict=True):
        wrong |= one ^ other
    if wrong:
        lane = (wrong & -wrong).bit_length() - 1

        def value(bits: list[int]) -> str:
            found = sum((word >> lane & 1) << place for place, word in enumerate(bits))
            return f"{found:0{len(bits) // 4}x}"

        return {
            "key": value(lanes[:256]),
            "block": value(lanes[256 : 256 + len(mine)]),
            "expected": value(want),
            "actual": value(got),
            "rule": "the result is not that of the standard",
        }, "one of 256 random runs"
    core, standard = graph.netlist(mine, inputs), graph.netlist(theirs, inputs)
    if formulas.same(standard, core):
        return {}, "sums and small functions"
    if sweep.equal(core, standard, folder):
        return {}, "SAT sweeping"
    return {"rule": "not proven equal to the standard by SAT sweeping"}, "neither"


def bounded(given: Sources, config: Config, bits: int, kind: Config) -> Callable[[], list[Claim]]:
    """The claim on one run of the core with keys of `bits` and a block of one kind.

    `kind` is one of `walk.kinds`.
    """
    name = f"{named(config, bits, kind)} by cec"
    decrypt = kind.direction == "decrypt"
    size = int(config.block)

    def make(machine: Path, spec: Path) -> dict[str, Any]:
        start = time.perf_counter()
        graph = Graph()
        key = [graph.free(f"key[{bit}]") for bit in range(256)]
        block = [graph.free(f"block[{bit}]") for bit in range(size)]
        cycles = Cycles(aiger.read(machine), graph)
        covers, found = "", dict[str, Any]()
        try:
            ran, result = run(cycles, config, bits, kind, key, block)
            covers = (
                f"one run of {len(cycles.driven)} cycles: key in cycle {ran.keyed}, block in "
                f"{ran.accepted[0]}, result in {ran.offered[0]}; all keys and blocks"
            )
            theirs = standard_of(graph, spec, key, block)
            others = [
                number
                for number in graph.cone([*result, *theirs])
                if number in graph.names and number > 256 + size
            ]
            inputs = [*(literal >> 1 for literal in (*key, *block)), *others]
            with TemporaryDirectory() as folder:
                found, by = _compare(graph, result, theirs, inputs, Path(folder))
            covers += f"; decided by {by}"
            if found and others:
                found["depends on"] = ", ".join(graph.names[number] for number in others[:4])
        except Unproven as reason:
            covers, found = "no run with its promised cycles", {"rule": str(reason)}
        seconds = time.perf_counter() - start
        return Claim(name, not found, seconds, covers, found).as_dict()

    def claims() -> list[Claim]:
        machine, spec = netlist(given, config), standard(given, bits, decrypt, size)
        own = [Path(__file__).with_name(name) for name in TEXT]
        promise = promised(replace(config, sboxes=kind.sboxes), bits)
        key = digest(name, config, promise, machine, spec, *own, yosys.version())
        return [Claim(**cache.value("proof-bounded", key, lambda: make(machine, spec)))]

    return claims


def standard_of(graph: Graph, spec: Path, key: list[int], block: list[int]) -> list[int]:
    """The literals of the standard's result, bit 0 first."""
    formula = aiger.read(spec)
    inputs = [0] * formula.inputs
    for port, literals in (("key_i", key), ("block_i", block)):
        for name, literal in bits_of(port, literals).items():
            if name in formula.input_names:
                inputs[formula.input_names[name]] = literal
    made = graph.formula(formula, inputs)
    return [made[formula.output_names[f"block_o[{bit}]"]] for bit in range(len(block))]
