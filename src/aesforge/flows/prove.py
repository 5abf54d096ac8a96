"""Prove a core: every S-box, every reachable state of its control, all keys and all blocks.

The leaves are small equivalences for Yosys. For the cipher, `sim/explore.cpp` walks all states of
the core's control with one key and one block as symbols and everything else unknown, and compares
the results' formula with that of `formal/aes_spec.sv`; docs/proofs.md says what that covers.
"""

import random
import re
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from functools import cache as memo
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from aesforge import cache
from aesforge.config import KEY_BITS, Config
from aesforge.contract import CIPHER, without_unheeded
from aesforge.errors import UserError, unknown
from aesforge.progress import track
from aesforge.sources import closure, codes, digest, files, rtl_root
from aesforge.tools import aiger, yosys
from aesforge.tools.explore import explore
from aesforge.tools.explore import sources as explorer
from aesforge.tools.vcd import write_vcd

STATES = 20_000_000
"""Control states after which an exploration stops and says so."""

_SHORTEST = 30_000
"""Control states in which a shorter run than the random one that failed is looked for."""

_REPLAYS = 64
"""Random keys, blocks and pasts that a failing run is tried on at once."""


@dataclass
class Claim:
    """What was proven. `covers` says for what; a counterexample has values in hex."""

    name: str
    holds: bool
    seconds: float
    covers: str
    counterexample: dict[str, Any] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """For JSON; without an empty counterexample."""
        return {name: value for name, value in asdict(self).items() if value != {}}


@dataclass(frozen=True)
class Sources:
    """What is proven: the RTL files in order, and the harnesses. Mutants replace some."""

    rtl: tuple[Path, ...]
    formal: Path

    def closure(self, top: str) -> tuple[Path, ...]:
        """The files that module `top` needs, replacements in their places."""
        wanted = {path.name for path in closure(top)}
        return tuple(path for path in self.rtl if path.name in wanted)

    def sboxes(self) -> tuple[Path, ...]:
        """The S-boxes, found by their names."""
        return tuple(path for path in self.rtl if path.stem.startswith("aes_sbox_"))

    def specification(self) -> tuple[Path, ...]:
        """The cipher of the standard, and the tables that stand for parts."""
        return (self.formal / "aes_spec.sv", *sorted(self.formal.glob("*_table.sv")))

    def table(self, part: Path) -> Path | None:
        """The table that stands for a part in the proofs of the cipher, if it has one."""
        path = self.formal / f"{part.stem}_table.sv"
        if part.stem.startswith("aes_sbox"):  # one for all, and none for their chooser
            return self.formal / "aes_sbox_table.sv" if part in self.sboxes() else None
        return path if path.is_file() else None


@memo
def formal_root() -> Path:
    """The folder of the specification and the harnesses, beside the RTL."""
    root = rtl_root().with_name("formal")
    if not (root / "aes_spec.sv").is_file():
        raise UserError(f"the proof harnesses are missing beside {rtl_root()}")
    return root


def sources() -> Sources:
    """The sources as they come."""
    return Sources(files(), formal_root())


def versions() -> dict[str, str]:
    """Of the tools that the proofs rest on."""
    return {"pyosys": yosys.version()}


# No initial values are assumed, and what is undefined stays free.
TO_AIGER = (
    *("proc", "flatten", "opt", "wreduce", "peepopt", "opt", "memory_map", "opt", "simplemap"),
    *("techmap", "opt", "async2sync", "dffunmap", "setundef -undriven -anyseq", "opt_clean"),
    *("aigmap", "opt_clean"),
)


# Leaves ///////////////////////////////////////////////////////////////////////////////////////

_CLOCKS = 8
"""Clocks that a leaf with registers is run for on random patterns."""

# A constant in ABC's statistics, after `collapse` has made decision diagrams.
_CONSTANT = re.compile(r"nd =\s+1\s+edge =\s+0\s+bdd\s+=\s+0")


def _word(machine: aiger.Aiger, values: list[int], port: str, mask: int, lane: int) -> str:
    """The value of a port in one pattern, in hex."""
    total = width = 0
    for names, number in ((machine.input_names, False), (machine.output_names, True)):
        for name, at in names.items():
            stem, _, index = name.partition("[")
            if stem == port:
                literal = machine.outputs[at] if number else 2 * (at + 1)
                place = int(index[:-1]) if index else 0
                total |= (machine.literal(values, literal, mask) >> lane & 1) << place
                width = max(width, place + 1)
    return f"{total:0{(width + 3) // 4}x}"


def _simulate(machine: aiger.Aiger, output: int) -> dict[str, Any]:
    """What stands at the ports when random patterns raise an output; empty when none does."""
    mask = (1 << 4096) - 1
    rng = random.Random(1)
    registers = [0] * len(machine.next)
    for _ in range(_CLOCKS if registers else 1):
        inputs = [rng.getrandbits(4096) for _ in range(machine.inputs)]
        values = machine.values(inputs, registers, mask)
        bad = machine.literal(values, machine.outputs[output], mask)
        if bad:
            lane = (bad & -bad).bit_length() - 1
            ports = {port.partition("[")[0] for port in machine.input_names}
            return {
                port.removesuffix("_o"): _word(machine, values, port, mask, lane)
                for port in (*sorted(ports), "expected_o", "actual_o")
            }
        registers = [machine.literal(values, literal, mask) for literal in machine.next]
    return {}


def _leaf(
    name: str, top: str, covers: str, files: Sequence[Path], reads: Sequence[str]
) -> Callable[[], Claim]:
    """A claim that output `bad_o` of a combinational harness is never high."""
    passes = (*TO_AIGER, "write_aiger -symbols leaf.aig")

    def make() -> dict[str, Any]:
        start = time.perf_counter()
        with TemporaryDirectory() as folder:
            place = Path(folder)
            read = f"read_slang --top {top} {' '.join(reads)} {' '.join(map(str, files))}"
            yosys.run([read, *passes], place)
            machine = aiger.read(place / "leaf.aig")
            output = machine.output_names["bad_o"]
            found = _simulate(machine, output)
            holds = not found
            if holds:
                # 0 on random patterns and constant: 0 on all. With registers, ABC proves by
                # induction which are equal when they were.
                reach = "scorr; " if machine.next else ""
                commands = f"read leaf.aig; cone -O {output}; strash; {reach}collapse; print_stats"
                holds = bool(_CONSTANT.search(yosys.abc(commands, place)))
                if not holds:
                    found["rule"] = "not constant, though no random pattern shows it"
        return Claim(name, holds, time.perf_counter() - start, covers, found).as_dict()

    key = digest(name, top, covers, *reads, *files, *passes, yosys.version(), "leaf")
    return lambda: Claim(**cache.value("proof", key, make))


def leaves(given: Sources) -> dict[str, Callable[[], Claim]]:
    """The claims on the parts, by name."""
    claims = {}
    directions = {
        name.removeprefix("DIRECTION_").lower(): code
        for name, code in codes().items()
        if name.startswith("DIRECTION_")
    }

    def add(name: str, harness: str, covers: str, module: str, *reads: str) -> None:
        rtl = given.closure(module)
        used = (*given.specification(), *rtl, given.formal / f"{harness}.sv")
        if module != "aes_pkg" and not any(path.stem == "aes_pkg" for path in rtl):
            used = (*given.closure("aes_pkg"), *used)
        claims[name] = _leaf(name, harness, covers, used, reads)

    for path in given.sboxes():
        for direction, code in directions.items():
            add(
                f"{path.stem} equiv {direction}",
                "aes_sbox_equiv",
                "all bytes: the table of the standard",
                path.stem,
                f"-DSBOX={path.stem}",
                f"-GDirection={code}",
            )
        add(
            f"{path.stem} inverse",
            "aes_sbox_inverse",
            "all bytes, both ways round: the inverse undoes the forward S-box",
            path.stem,
            f"-DSBOX={path.stem}",
        )
    for part, covers in (
        ("aes_tbox", "all bytes: MixColumns of the standard's S-box"),
        ("aes_sub_rom", "all bytes, in any run from equal registers: the standard's S-box"),
        ("aes_sub_split", "all bytes, in any run from equal registers: the standard's S-box"),
    ):
        for inverse, direction in enumerate(("encrypt", "decrypt")):
            add(f"{part} equiv {direction}", f"{part}_equiv", covers, part, f"-GInverse={inverse}")
    for direction, code in directions.items():
        add(
            f"aes_tbox_rom equiv {direction}",
            "aes_tbox_rom_equiv",
            "all bytes, in any run from equal registers: the words of aes_tbox",
            "aes_tbox_rom",
            f"-GDirection={code}",
        )
    for part in ("aes_shift_rows", "aes_mix_columns"):
        add(f"{part} inverse", f"{part}_inverse", "all states: the inverse undoes it", part)
    for inverse, direction in enumerate(("encrypt", "decrypt")):
        add(
            f"aes_round equiv {direction}",
            "aes_round_equiv",
            "all states and round keys: the standard's round",
            "aes_round",
            f"-GInverse={inverse}",
        )
    add(
        "aes_key_step equiv",
        "aes_key_step_equiv",
        "all words, for every i mod Nk and Rcon: the recurrence of the key expansion",
        "aes_key_step",
    )
    return claims


# The cipher ///////////////////////////////////////////////////////////////////////////////////


def specification(given: Sources, bits: int, decrypt: bool) -> Path:
    """The specification as a formula: 256 inputs of the key, 128 of the block, 128 outputs."""
    text = given.formal / "aes_spec.sv"

    def make(work: Path) -> None:
        yosys.run(
            [
                f"read_verilog -sv {text}",
                f"hierarchy -check -top aes_spec -chparam KeyBits {bits} "
                f"-chparam Decrypt {int(decrypt)}",
                *("proc", "wreduce", "peepopt", "opt", "simplemap", "techmap", "opt", "aigmap"),
                *("opt_clean", "write_blif spec.blif"),
            ],
            work,
        )
        yosys.abc("read_blif spec.blif; strash; write_aiger -s spec.aig", work)

    key = digest(text, bits, decrypt, yosys.version(), "spec")
    return cache.folder("proof-spec", key, make) / "spec.aig"


def read_core(given: Sources, config: Config, work: Path) -> list[str]:
    """The pass that elaborates the core, tables of the standard in place of some parts.

    Each is proven equal to its part by a leaf claim. The replacements go to `work`.
    """
    used = list(given.specification())
    for path in given.closure(CIPHER.module):
        table = given.table(path)
        if table is None:
            used.append(path)
        else:
            twin = work / path.name
            text = table.read_text(encoding="utf-8").replace(table.stem, path.stem)
            twin.write_text(text, encoding="utf-8")
            used.append(twin)
    return [yosys.read(used, CIPHER.module, config.parameters)]


def _parts(given: Sources) -> list[Path]:
    """The files that the core is made of in the proofs."""
    kept = [path for path in given.closure(CIPHER.module) if given.table(path) is None]
    return [*given.specification(), *kept]


def core(given: Sources, config: Config) -> Path:
    """The core as an AIGER file."""

    def make(work: Path) -> None:
        top = read_core(given, config, work)
        yosys.run([*top, *to_aiger, "write_aiger -symbols core.aig"], work)

    # Ports go last, so that the passes before find everything in its order.
    to_aiger = [*TO_AIGER, *without_unheeded(config)]
    key = digest(config.parameters, *_parts(given), *to_aiger, yosys.version())
    return cache.folder("proof-core", key, make) / "core.aig"


def _job(config: Config, bits: int, decrypt: bool, states: int, shortest: int) -> str:
    # The port takes any code when the size is fixed; 1x: both codes of 256.
    lens = ["00", "01", "1x"] if config.keys == "any" else ["xx"]
    dirs = ["0", "1"] if config.direction == "both" else ["x"]
    promise = config.promise(bits)
    # A core of several blocks takes one when a place of its loop comes by, no sooner.
    eager = int(promise.per == 1)
    length = KEY_BITS.index(bits) if config.keys == "any" else 0
    return "\n".join(
        (
            f"lens {' '.join(lens)}",
            f"dirs {' '.join(dirs)}",
            f"watched {bits} {length} {int(decrypt) if config.direction == 'both' else 0}",
            f"promise {promise.latency} {promise.key_setup} {eager}",
            f"limit {states} {shortest}",
        )
    )


def cipher(
    given: Sources,
    config: Config,
    bits: int,
    direction: str,
    states: int = STATES,
    netlist: Path | None = None,
    replay: bool = True,
) -> Callable[[], list[Claim]]:
    """The claims on the core with keys of `bits` and blocks of `direction` watched.

    `netlist` is an AIGER file to take in place of the core. Without `replay` a failing claim says
    why and gives no values.
    """
    decrypt = direction == "decrypt"
    name = f"cipher {bits} {direction}"
    job = _job(config, bits, decrypt, states, _SHORTEST if replay else 0)

    def make(machine: Path, spec: Path) -> list[dict[str, Any]]:
        start = time.perf_counter()
        with TemporaryDirectory() as folder:
            report = explore(machine, spec, job, Path(folder))
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

    def claims() -> list[Claim]:
        machine, spec = netlist or core(given, config), specification(given, bits, decrypt)
        # By what is proven, not by its text: many edits leave a netlist as it was.
        key = digest(job, replay, machine, spec, *explorer(), Path(__file__), yosys.version())
        return [Claim(**claim) for claim in cache.value("proof", key, lambda: make(machine, spec))]

    return claims


def _equal(results: Path, spec: Path, number: int, folder: Path) -> bool:
    """Whether formula `number` of the core is that of the specification, by ABC."""
    mine, theirs = aiger.read(results), aiger.read(spec)
    mask = (1 << 256) - 1
    inputs = [random.getrandbits(256) for _ in range(384)]
    own = mine.values(inputs, [], mask)
    other = theirs.values(inputs, [], mask)
    for bit in range(128):
        if mine.literal(own, mine.outputs[128 * number + bit], mask) != theirs.literal(
            other, theirs.outputs[bit], mask
        ):
            return False
    # They agree on 256 random pairs: worth a proof.
    head, _, rest = results.read_bytes().partition(b"\n")
    counts = head.split()
    lines = rest.split(b"\n", int(counts[4]))
    counts[4] = b"128"
    chosen = lines[128 * number : 128 * number + 128]
    (folder / "one.aig").write_bytes(b"\n".join([b" ".join(counts), *chosen, lines[-1]]))
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

    key, block = word(256), word(128)
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
            "in_data_i": block if step["in"] == 2 else word(128),
            "in_decrypt_i": [mask if step["decrypt"] == "1" else 0],
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
            lanes = wave.setdefault(port, [0] * (128 if index else 1))
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


def _listed(claim: Callable[[], Claim]) -> Callable[[], list[Claim]]:
    return lambda: [claim()]


# All of it ////////////////////////////////////////////////////////////////////////////////////


def prove(
    preset: str,
    config: Config,
    jobs: int = 1,
    wave: Path | None = None,
    only: Iterable[str] | None = None,
    given: Sources | None = None,
    states: int = STATES,
) -> dict[str, Any]:
    """Prove every claim on a configuration; `only` keeps those that start with one of its names."""
    given = given or sources()
    tasks: dict[str, Callable[[], list[Claim]]] = {
        name: _listed(claim) for name, claim in leaves(given).items()
    }
    for bits in config.key_sizes:
        for direction in config.directions:
            name = f"cipher {bits} {direction}"
            tasks[name] = cipher(given, config, bits, direction, states)
    if only is not None:
        wanted = tuple(only)
        for name in wanted:
            if not any(task.startswith(name) for task in tasks):
                raise unknown("claim", name, tasks)
        tasks = {name: task for name, task in tasks.items() if name.startswith(wanted)}

    claims: list[Claim] = []
    with track(f"proving {preset}", len(tasks)) as advance, ThreadPoolExecutor(jobs) as pool:
        for done in pool.map(lambda task: task(), tasks.values()):
            claims.extend(done)
            advance(1)
    for claim in claims:
        clocks = claim.counterexample.pop("wave", None)
        widths = claim.counterexample.pop("widths", None)
        if wave is not None and clocks:
            write_vcd(wave, CIPHER.module, clocks, widths)
            wave = None
    return {
        "preset": preset,
        "config": config.as_dict(),
        "holds": all(claim.holds for claim in claims),
        "claims": [claim.as_dict() for claim in claims],
        "versions": versions(),
    }
