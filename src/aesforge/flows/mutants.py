"""Break a core in many small ways and see that each break is caught.

Two sources of mutants: faults that a designer makes in the control, as named substitutions in the
text of the RTL, and random faults that Yosys `mutate` makes in the netlist. A mutant is caught by
a leaf claim or by the claims on the cipher. One that survives is equivalent as far as the contract
can tell: the same claims hold for it, for all runs, keys and blocks.
"""

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from aesforge.config import Config
from aesforge.flows import prove
from aesforge.progress import track
from aesforge.tools import yosys
from aesforge.tools.process import ToolFailed

RANDOM = 12
"""Random mutants of an architecture, unless told otherwise."""


@dataclass(frozen=True)
class Fault:
    """A named substitution in one file of the RTL; `old` stands there exactly once."""

    name: str
    file: str
    old: str
    new: str


FAULTS = (
    Fault("one round too few", "aes_iterative", ": rounds_now);", ": rounds_now - 4'd1);"),
    Fault("the last round without its key", "aes_iterative", "index_q == (", "index_q + 4'd1 == ("),
    Fault(
        "a round skipped at the start",
        "aes_iterative",
        "rounds - 4'd1 : 4'd1;",
        "rounds - 4'd2 : 4'd2;",
    ),
    Fault(
        "a stall is dropped",
        "aes_iterative",
        "(valid_q && !out_ready_i);",
        "1'b0;",
    ),
    Fault(
        "a result is overwritten",
        "aes_iterative",
        "!running_q && (!valid_q || out_ready_i);",
        "!running_q;",
    ),
    Fault(
        "a result is given twice",
        "aes_iterative",
        "(running_q && last) || (valid_q && !out_ready_i);",
        "(running_q && last) || valid_q;",
    ),
    Fault(
        "accepts while it runs",
        "aes_iterative",
        "!clearing && !running_q && (",
        "!clearing && (",
    ),
    Fault("accepts without a key", "aes_iterative", "= loaded && !clearing", "= !clearing"),
    Fault("accepts in a clear", "aes_iterative", "= loaded && !clearing && ", "= loaded && "),
    Fault(
        "the key in force now, not at acceptance",
        "aes_iterative",
        "(running_q ? bank_q : bank)",
        "(bank)",
    ),
    Fault(
        "the bank in use is ignored",
        "aes_iterative",
        "running_q && bank_q, running_q",
        "2'b00 == 2'b01, 1'b0 && running_q",
    ),
    Fault(
        "a clear leaves the block", "aes_iterative", "if (clearing) start_q <= '0;\n    else ", ""
    ),
    Fault(
        "ready depends on data",
        "aes_iterative",
        "= loaded && !clearing",
        "= loaded && !(&in_data_i) && !clearing",
    ),
    Fault("valid depends on the key", "aes_iterative", "= valid_q;", "= valid_q && !(&k_sch);"),
    Fault(
        "a clear does not stop a block",
        "aes_iterative",
        "if (!rst_ni || clearing) begin",
        "if (!rst_ni) begin",
    ),
    Fault(
        "the first AddRoundKey is missing", "aes_iterative", "in_data_i ^ k_sch :", "in_data_i :"
    ),
    Fault("Rcon stands still", "aes_key_window", "aes_gf_pkg::xtime(rcon_q)", "rcon_q"),
    Fault("Rcon starts at 02", "aes_key_window", "rcon_q <= 8'h01;", "rcon_q <= 8'h02;"),
    Fault("Rcon advances too often", "aes_key_window", "if (rotate) rcon_q", "rcon_q"),
    Fault("a phase too long", "aes_key_window", "= len + 2'd1;", "= len + 2'd2;"),
    Fault("phase is not restarted", "aes_key_window", "      phase_q <= 2'd0;\n", ""),
    Fault(
        "a clear leaves the window", "aes_key_window", "if (clear_i) window_q <= '0;\n    else ", ""
    ),
    Fault(
        "a key is written over the one in force",
        "aes_key_banks",
        "{count_q[4:1], !bank_q};",
        "{count_q[4:1], bank_q};",
    ),
    Fault("the bank never changes", "aes_key_banks", "bank_q <= !bank_q;", "bank_q <= bank_q;"),
    Fault("a bank in use is written", "aes_key_banks", " && !in_use_i[!bank_q] && ", " && "),
    Fault("the wrong bank is guarded", "aes_key_banks", "!in_use_i[!bank_q]", "!in_use_i[bank_q]"),
    Fault(
        "halves of a round key swapped",
        "aes_key_banks",
        "{!count_q[0], count_q[0]}",
        "{count_q[0], !count_q[0]}",
    ),
    Fault(
        "a clear forgets the last line",
        "aes_key_banks",
        "count_q == LAST_LINE)",
        "count_q == LAST_LINE - 5'd1)",
    ),
    Fault("a clear writes one half only", "aes_key_banks", "? 2'b11 :", "? 2'b10 :"),
    Fault(
        "a clear leaves a bank",
        "aes_key_banks",
        "(phase_q == CLEAR) ? count_q : {",
        "(phase_q == CLEAR) ? {count_q[4:1], 1'b0} : {",
    ),
    Fault(
        "a clear writes no zeros",
        "aes_key_banks",
        "(phase_q == CLEAR) ? 64'h0 : words_i",
        "words_i",
    ),
    Fault("a schedule ends early", "aes_key_banks", "{new_rounds, 1'b1}", "{new_rounds, 1'b0}"),
    Fault(
        "a withdrawn key comes into force",
        "aes_key_banks",
        "= loaded_q && !key_valid_i;",
        "= 1'b0;",
    ),
    Fault(
        "key_ready one schedule early",
        "aes_key_banks",
        "loaded_q ? last && !key_clear_i : free;",
        "free;",
    ),
    Fault(
        "key_ready in a clear",
        "aes_key_banks",
        "!in_use_i[!bank_q] && !key_clear_i;",
        "!in_use_i[!bank_q];",
    ),
    Fault(
        "a clear keeps the key in force",
        "aes_key_banks",
        "      count_q <= '0;\n      loaded_q <= 1'b0;",
        "      count_q <= '0;\n      if (!rst_ni) loaded_q <= 1'b0;",
    ),
    Fault(
        "the count is not restarted",
        "aes_key_banks",
        "if (phase_q == IDLE) count_q <= '0;\n      else if",
        "if",
    ),
    Fault("a word is not added", "aes_key_step", "words_i[31:0] ^ ", "words_i[31:0] | "),
    Fault(
        "RotWord the wrong way",
        "aes_key_step",
        "{temp_i[23:0], temp_i[31:24]}",
        "{temp_i[7:0], temp_i[31:8]}",
    ),
    Fault("ShiftRows off by a row", "aes_shift_rows", "Inverse ? 13 : 5;", "Inverse ? 9 : 9;"),
    Fault("ShiftRows the wrong way", "aes_shift_rows", "Inverse ? 13 : 5;", "Inverse ? 5 : 13;"),
    Fault(
        "MixColumns with a wrong coefficient", "aes_mix_column", "^ a1 ^ a2 ^ a3", "^ a0 ^ a2 ^ a3"
    ),
    Fault("MixColumns in the last round", "aes_round", "(last_i ? s_row : m_col)", "m_col"),
    Fault("reduction by another polynomial", "aes_gf_pkg", "8'h1b;", "8'h1d;"),
    Fault(
        "the affine constant",
        "aes_gf_pkg",
        "affine_linear(a) ^ 8'h63;",
        "affine_linear(a) ^ 8'h62;",
    ),
)


@dataclass
class Verdict:
    """How a mutant fared: `caught` by the claim `by`, for the reason `why`."""

    name: str
    caught: bool
    by: str
    why: str
    seconds: float


def _check(name: str, given: prove.Sources, config: Config, netlist: Path | None) -> Verdict | None:
    """The verdict on a mutant; None when the fault is in no part of this core."""
    start = time.perf_counter()

    def verdict(caught: bool, by: str, why: str) -> Verdict:
        return Verdict(name, caught, by, why, round(time.perf_counter() - start, 1))

    try:
        if netlist is None:
            for leaf, claim_of in prove.leaves(given).items():
                if not claim_of().holds:
                    return verdict(True, leaf, "differs from the standard")
            sound = prove.core(prove.sources(), config).read_bytes()
            if prove.core(given, config).read_bytes() == sound:
                return None
        for bits in config.key_sizes:
            for direction in config.directions:
                claims = prove.cipher(given, config, bits, direction, netlist=netlist, replay=False)
                for claim in claims():
                    if claim.counterexample:
                        return verdict(True, claim.name, claim.counterexample["rule"])
                    if not claim.holds:
                        return verdict(False, claim.name, claim.covers)
    except ToolFailed as failure:
        return verdict(True, "elaboration", str(failure).splitlines()[-1])
    return verdict(False, "", "every claim holds: equivalent under the contract")


def faulty(fault: Fault, folder: Path) -> prove.Sources | None:
    """The sources with the fault in them; None when they have no such text."""
    whole = prove.sources()
    for number, path in enumerate(whole.rtl):
        if path.stem == fault.file:
            text = path.read_text(encoding="utf-8")
            if text.count(fault.old) != 1:
                return None
            broken = folder / path.name
            broken.write_text(text.replace(fault.old, fault.new), encoding="utf-8")
            return replace(whole, rtl=(*whole.rtl[:number], broken, *whole.rtl[number + 1 :]))
    return None


def _random(config: Config, count: int, folder: Path) -> list[tuple[str, Path]]:
    """Netlists of the core with one random fault each."""
    whole = prove.sources()
    yosys.run(
        [
            *prove.read_core(whole, config, folder),
            *("proc", "flatten", "opt", "write_rtlil core.il"),
            f"mutate -list {count} -seed 1 -o mutations",
        ],
        folder,
    )
    found = []
    lines = (folder / "mutations").read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(line for line in lines if line.startswith("mutate")):
        place = folder / f"random{number}"
        place.mkdir()
        yosys.run(
            ["read_rtlil ../core.il", line, *prove.TO_AIGER, "write_aiger -symbols core.aig"],
            place,
        )
        words = line.split()
        where = words[words.index("-cell") + 1] if "-cell" in words else ""
        mode = words[words.index("-mode") + 1]
        found.append((f"random {number}: {mode} at {where[-48:]}", place / "core.aig"))
    return found


def mutants(
    preset: str,
    config: Config,
    jobs: int = 1,
    count: int = RANDOM,
    faults: Sequence[Fault] = FAULTS,
) -> dict[str, Any]:
    """Check every mutant of a configuration; says which were caught, by what, and the share."""
    verdicts = []
    with TemporaryDirectory() as folder:
        place = Path(folder)
        tasks: list[tuple[str, prove.Sources, Path | None]] = []
        for number, fault in enumerate(faults):
            home = place / f"fault{number}"
            home.mkdir()
            given = faulty(fault, home)
            if given is not None:
                tasks.append((fault.name, given, None))
        if count:
            tasks += [(name, prove.sources(), core) for name, core in _random(config, count, place)]
        with track(f"mutants of {preset}", len(tasks)) as advance, ThreadPoolExecutor(jobs) as pool:
            for verdict in pool.map(lambda task: _check(task[0], task[1], config, task[2]), tasks):
                if verdict is not None:
                    verdicts.append(verdict)
                advance(1)
    caught = sum(verdict.caught for verdict in verdicts)
    return {
        "preset": preset,
        "config": config.as_dict(),
        "mutants": len(verdicts),
        "caught": caught,
        "share": caught / len(verdicts) if verdicts else None,
        "verdicts": [asdict(verdict) for verdict in verdicts],
    }
