"""The unrolled rounds: what their netlist holds, a key for each block, and broken ones."""

import json
import os
import random
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from aesforge.config import Config, preset
from aesforge.contract import CIPHER
from aesforge.sim.oracle import key_payload
from aesforge.sim.player import Script, compiled, play
from aesforge.sim.scoreboard import Scoreboard
from aesforge.sources import closure
from aesforge.tools import yosys

ROOT = Path(__file__).resolve().parents[3]

# Clocks -----------------------------------------------------------------------------------------


def run(config: Config, script: Iterator[bytes]) -> Scoreboard:
    return Scoreboard(config).watch(play(compiled(CIPHER, config.parameters), CIPHER, script))


def test_each_block_has_a_key_of_its_own() -> None:
    """A new key and a block under the last one in every clock."""
    config, script, count = preset("hodjat-lut-1").config, Script(CIPHER), 100
    rng = random.Random(1)

    def whole() -> Iterator[bytes]:
        yield script.reset() + script.tick(20)
        for _ in range(count):
            yield script.send("key", *key_payload(rng.randbytes(16)))
            yield script.send("in", rng.randbytes(16), 0)
        yield script.wait("out", count) + script.tick(20)

    board = run(config, whole())
    assert board.problems == []
    first = board.keyed[0]
    assert board.keyed == list(range(first, first + count))
    assert board.accepted == [clock + 1 for clock in board.keyed]
    assert board.offered == [clock + 11 for clock in board.accepted]


def test_it_holds_as_many_blocks_as_it_has_places() -> None:
    """While no result is taken: one in each stage, one on offer and one beside it."""
    config, script, count = preset("hodjat-lut-1").config, Script(CIPHER), 40

    def whole() -> Iterator[bytes]:
        yield script.reset() + script.stall("out", 1) + script.tick(20)
        yield script.send("key", *key_payload(bytes(16))) + script.wait("key", 1)
        for number in range(count):
            yield script.send("in", bytes([number] * 16), 0)
        yield script.tick(100) + script.stall("out", 0) + script.wait("out", count)

    board = run(config, whole())
    assert board.problems == []
    first = board.offered[0]
    held = [clock for clock in board.accepted if clock < first]
    assert len(held) == 10 + 2
    # Then no clock is lost.
    assert board.offered == list(range(first, first + count))


# Netlist ----------------------------------------------------------------------------------------


def netlist(name: str, axes: tuple[str, ...], folder: Path) -> list[tuple[str, Counter[str]]]:
    """For each module instance: the modules down to it, and its cells, flip-flops bit by bit."""
    config = preset(name).configure(axes)
    yosys.run(
        [
            yosys.read(closure(CIPHER.module), CIPHER.module, config.parameters, hierarchy=True),
            "hierarchy -check",
            "proc",
            "opt",
            "simplemap t:*dff*",
            "tee -q -o cells.json stat -json",
        ],
        folder,
    )
    return [(at, Counter(cells)) for at, cells in yosys.statistics(folder / "cells.json")]


def flip_flops(cells: Counter[str]) -> Counter[str]:
    return Counter({cell: n for cell, n in cells.items() if cell.startswith(("$_DFF", "$_SDFF"))})


NETLISTS = [
    ("hodjat-lut-1", (), 0),
    ("hodjat-lut-2", ("key_schedule=stored",), 0),
    ("hodjat-tower-3", (), 12),
    ("hodjat-tower-4", ("key_schedule=stored",), 24),
]


@pytest.mark.parametrize(("name", "axes", "inside"), NETLISTS)
def test_rounds_are_unrolled_and_cut(
    name: str, axes: tuple[str, ...], inside: int, tmp_path: Path
) -> None:
    """S-boxes and registers are those of fig. 3, 4, 6 and 8; `inside`: of an S-box, in bits."""
    found = netlist(name, axes, tmp_path)
    stored, tower = "key_schedule=stored" in axes, "tower" in name
    stages = int(name[-1])
    sboxes = Counter(
        # The module that asks for them, and their own.
        (at.split("/aes_")[2].partition("$")[0], at.rpartition("/")[2].partition("$")[0])
        for at, _ in found
        if at.rpartition("/")[2].startswith(("aes_lookup", "aes_sub_tower"))
    )
    kind = "aes_sub_tower" if tower else "aes_lookup"
    # Sixteen a round; four for each round key, or for all of them.
    schedule = {("key_fold", "aes_lookup"): 4} if stored else {("key_line", kind): 40}
    assert sboxes == {("round_line", kind): 160, **schedule}

    below = Counter[str]()
    registers = Counter[str]()
    for at, cells in found:
        if "/aes_round_line" in at:
            below += flip_flops(cells)
        registers += flip_flops(cells) if "/aes_sub_tower" in at else Counter()
    # Every S-box is cut, the second time and the first, and SubBytes ends with a register.
    assert registers.total() == inside * (160 if stored else 200)
    assert below.total() == 160 * (inside + 8 * (stages > 1))
    # None of them has a reset.
    assert set(below) <= {"$_DFFE_PP_"}


def test_a_round_begins_with_a_register(tmp_path: Path) -> None:
    """Only that of the first round is zeroed, for a pipeline that runs empty."""
    found = netlist("hodjat-lut-1", (), tmp_path)
    for at, cells in found:
        counted = flip_flops(cells)
        if "aes_key_line" in at and counted:
            # The key so far, beside each round.
            assert set(counted) == {"$_DFFE_PP_"}
            assert counted.total() >= 10 * 256
        elif at.rpartition("/")[2].startswith("aes_pipelined"):
            plain = {cell: n for cell, n in counted.items() if cell.startswith("$_DFFE")}
            assert sum(plain.values()) == 9 * 128


def test_no_path_leads_from_the_results_taker_into_the_rounds(tmp_path: Path) -> None:
    """`out_ready_i` reaches three registers and no output."""
    config = preset("hodjat-lut-1").config
    kinds = ",".join(f"-${kind}" for kind in ("dff", "dffe", "sdff", "sdffe", "sdffce"))
    yosys.run(
        [
            yosys.read(closure(CIPHER.module), CIPHER.module, config.parameters, hierarchy=True),
            "proc",
            "opt",
            f"select -set reached aes_pipelined*/i:out_ready_i %coe*:{kinds}",
            "tee -q -o outputs select -list @reached o:* %i",
            "tee -q -o registers select -list @reached %co1 t:$*dff* %i %co1:+[Q] w:* %i",
        ],
        tmp_path,
    )
    assert (tmp_path / "outputs").read_text(encoding="utf-8").split() == []
    found = (tmp_path / "registers").read_text(encoding="utf-8").split()
    assert {name.rpartition("/")[2] for name in found} == {"out_valid_q", "result_q", "beside_q"}


# Broken cores -----------------------------------------------------------------------------------

CORE, LINE, FOLD = "cipher/aes_pipelined.sv", "key/aes_key_line.sv", "key/aes_key_fold.sv"
STORED = ("key_schedule=stored",)
MUTANTS = {
    "the rounds go on over a result": (CORE, "move = !beside_q;", "move = 1'b1;", ()),
    "a stall is dropped": (CORE, "out_valid_q && !out_ready_i;", "1'b0;", ()),
    "blocks come into a pipeline that stands": (CORE, "!clearing && move &&", "!clearing &&", ()),
    "the result beside is left out": (CORE, "beside_q ? beside_data_q : last", "last", ()),
    "an empty place beside counts": (CORE, "beside_q ? beside_valid_q :", "beside_q ? 1'b1 :", ()),
    "blocks outlive a clear": (
        CORE,
        "if (!rst_ni || clearing) begin\n      valid_q",
        "if (!rst_ni) begin\n      valid_q",
        (),
    ),
    "the key outlives a clear": (
        CORE,
        "if (!rst_ni || clearing) begin\n        loaded_q",
        "if (!rst_ni) begin\n        loaded_q",
        (),
    ),
    "MixColumns in the last round": (CORE, "(r == NR)", "(1'b0)", ()),
    "a key goes on when its block does not": (LINE, "if (move_i) begin", "begin", ()),
    "a key under blocks in the rounds": (CORE, "!busy && left_q == '0", "!busy", STORED),
    "blocks under half a key": (
        CORE,
        "busy_q <= 1'b1;\n        loaded_q <= 1'b0;",
        "busy_q <= 1'b1;",
        STORED,
    ),
    "the last round key is not made": (
        FOLD,
        "round_q == rounds;",
        "round_q == rounds - 4'd1;",
        STORED,
    ),
    "a round too few is passed by": (
        LINE,
        "= ROUND <= skipped_late",
        "= ROUND < skipped_late",
        ("keys=any",),
    ),
}


@pytest.mark.parametrize("name", list(MUTANTS))
def test_a_broken_core_is_caught(name: str, tmp_path: Path) -> None:
    file, good, bad, axes = MUTANTS[name]
    for part in ("src", "rtl"):
        shutil.copytree(ROOT / part, tmp_path / part)
    source = tmp_path / "rtl" / file
    text = source.read_text(encoding="utf-8")
    assert text.count(good) == 1
    source.write_text(text.replace(good, bad), encoding="utf-8")
    words = ("verify", "hodjat-lut-1", *axes, "--blocks", "200", "--json")
    done = subprocess.run(
        [sys.executable, "-m", "aesforge.cli", *words],
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(tmp_path / "src")},
    )
    assert done.returncode == 1, done.stderr.decode()
    assert not json.loads(done.stdout)["holds"]
