"""The unrolled rounds: their netlist, a key and a direction for each block, and broken ones."""

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from broken import is_caught, sampled
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from netlists import Parts, flip_flops, module, parts

from aesforge.core.contract import CIPHER
from aesforge.core.sources import closure
from aesforge.flows.run import run as encrypt
from aesforge.sim.oracle import key_payload
from aesforge.sim.player import Script, compiled, play
from aesforge.sim.scoreboard import Scoreboard
from aesforge.space.axes import Config
from aesforge.space.presets import preset, presets
from aesforge.space.promises import promised
from aesforge.tools import yosys

STORED = ("key_schedule=stored",)

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


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(found.name, marks=() if found.name == "hodjat-lut-1" else pytest.mark.full)
        for found in presets().values()
        if found.config.architecture == "pipelined"
    ],
)
def test_a_file_of_a_mebibyte_takes_a_clock_for_each_block(name: str, tmp_path: Path) -> None:
    clear, secret = tmp_path / "clear", tmp_path / "secret"
    clear.write_bytes(random.Random(1).randbytes(1 << 20))
    config = preset(name).configure(["keys=128", "direction=encrypt"])
    with clear.open("rb") as source:
        found = encrypt(preset(name), config, "ecb", "00" * 16, None, False, source, secret)
    assert found["blocks"] == 1 << 16
    assert found["cycles"] <= 66_000
    encryptor = Cipher(algorithms.AES(bytes(16)), modes.ECB()).encryptor()
    assert secret.read_bytes() == encryptor.update(clear.read_bytes())


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


@pytest.mark.parametrize(
    ("name", "axes"), [("sklavos-arkl", ()), ("hodjat-tower-4", ("direction=both", *STORED))]
)
def test_directions_change_from_block_to_block(name: str, axes: tuple[str, ...]) -> None:
    """A block in every clock: in turns first, then each in a direction of its own."""
    config, script, count = preset(name).configure(axes), Script(CIPHER), 300
    promise, rng = promised(config, 128), random.Random(1)

    def whole() -> Iterator[bytes]:
        yield script.reset() + script.tick(100)
        yield script.send("key", *key_payload(rng.randbytes(16))) + script.wait("key", 1)
        yield script.tick(promise.key_setup)
        for number in range(count):
            decrypt = number % 2 if number < 100 else rng.getrandbits(1)
            yield script.send("in", rng.randbytes(16), decrypt)
        yield script.wait("out", count) + script.tick(20)

    board = run(config, whole())
    assert board.problems == []
    first = board.accepted[0]
    assert board.accepted == list(range(first, first + count))
    assert board.offered == [clock + promise.latency for clock in board.accepted]


# Netlist ----------------------------------------------------------------------------------------


def netlist(name: str, *axes: str) -> Parts:
    return parts(CIPHER.module, preset(name).configure(axes).parameters, registers=True)


NETLISTS = [
    ("hodjat-lut-1", (), 0),
    ("hodjat-lut-2", ("key_schedule=stored",), 0),
    ("hodjat-tower-3", (), 12),
    ("hodjat-tower-4", ("key_schedule=stored",), 24),
    ("aesforge-unrolled", ("key_schedule=stored",), 54),
]


@pytest.mark.parametrize(("name", "axes", "inside"), NETLISTS)
def test_rounds_are_unrolled_and_cut(name: str, axes: tuple[str, ...], inside: int) -> None:
    """S-boxes and registers are those of fig. 3, 4, 6 and 8; `inside`: of an S-box, in bits."""
    found = netlist(name, *axes)
    stored, tower = "key_schedule=stored" in axes, inside > 0
    config = preset(name).configure(axes)
    sboxes = Counter(
        # The module that asks for them, and their own.
        (at.split("/aes_")[2].partition("$")[0], module(at))
        for at, _ in found
        if module(at) in ("aes_lookup", "aes_sub_bytes_tower_pipelined")
    )
    kind = "aes_sub_bytes_tower_pipelined" if tower else "aes_lookup"
    # Sixteen a round; four for each round key, or for all of them, cut with more than two cuts.
    folded = "aes_sub_bytes_tower_pipelined" if int(config.sbox_registers) > 2 else "aes_lookup"
    schedule = {("key_fold", folded): 4} if stored else {("key_line", kind): 40}
    assert sboxes == {("round_line", kind): 160, **schedule}

    below = Counter[str]()
    registers = Counter[str]()
    for at, cells in found:
        if "/aes_round_unrolled" in at:
            below += flip_flops(cells)
        registers += flip_flops(cells) if "/aes_sub_bytes_tower_pipelined" in at else Counter()
    # Every S-box is cut, and SubBytes ends with a register, as MixColumns may.
    cut = 160 + tower * sum(n for (_, module), n in schedule.items() if module == kind)
    assert registers.total() == inside * cut
    assert below.total() == 160 * (
        inside + 8 * (int(config.stages) - 1 - int(config.sbox_registers))
    )
    # None of them has a reset.
    assert set(below) <= {"$_DFFE_PP_"}


def test_one_circuit_serves_both_directions() -> None:
    """One table of inverses a byte, one MixColumns a round, and a memory for each round key.

    Round keys for decryption pass one InvMixColumns on their way into the memories.
    """
    modules = Counter[tuple[str, str]]()
    memories = 0
    for at, cells in netlist("sklavos-arkl"):
        name = module(at)
        modules["key_fold" if "/aes_key_registers" in at else "rounds", name] += 1
        if name == "aes_key_slot":
            # One port writes, another reads, and there is no register.
            memories += 1
            assert cells["$memwr_v2"] == cells["$memrd_v2"] == 1
            assert not flip_flops(cells)
    assert modules["rounds", "aes_lookup"] == 160
    assert modules["rounds", "aes_sbox_inverse_table"] == 160
    assert modules["rounds", "aes_mix_column_shared"] == 9 * 4
    assert modules["rounds", "aes_mix_column"] == 0
    # SubWord goes one way and has plain tables.
    assert modules["key_fold", "aes_lookup"] == modules["key_fold", "aes_sbox_lut"] == 4
    assert modules["key_fold", "aes_mix_column"] == 4
    assert memories == 11


def test_a_round_begins_with_a_register() -> None:
    """None of them has a reset: zeros come in, for a pipeline that runs empty."""
    found = netlist("hodjat-lut-1")
    for at, cells in found:
        counted = flip_flops(cells)
        if "aes_key_pipeline" in at and counted:
            # The key so far, beside each round.
            assert set(counted) == {"$_DFFE_PP_"}
            assert counted.total() >= 10 * 256
        elif module(at) == "aes_unrolled":
            plain = {cell: n for cell, n in counted.items() if cell.startswith("$_DFFE")}
            assert sum(plain.values()) == 10 * 128


def test_no_path_leads_from_the_results_taker_into_the_rounds(tmp_path: Path) -> None:
    """`out_ready_i` reaches three registers and no output."""
    config = preset("hodjat-lut-1").config
    kinds = ",".join(f"-${kind}" for kind in ("dff", "dffe", "sdff", "sdffe", "sdffce"))
    yosys.run(
        [
            yosys.read(closure(CIPHER.module), CIPHER.module, config.parameters, hierarchy=True),
            "proc",
            "opt",
            f"select -set reached aes_unrolled*/i:out_ready_i %coe*:{kinds}",
            "tee -q -o outputs select -list @reached o:* %i",
            "tee -q -o registers select -list @reached %co1 t:$*dff* %i %co1:+[Q] w:* %i",
        ],
        tmp_path,
    )
    assert (tmp_path / "outputs").read_text(encoding="utf-8").split() == []
    found = (tmp_path / "registers").read_text(encoding="utf-8").split()
    assert {name.rpartition("/")[2] for name in found} == {"out_valid_q", "result_q", "beside_q"}


# Broken cores -----------------------------------------------------------------------------------

CORE, LINE, FOLD, SLOT, ROUND = (
    "unrolled/aes_unrolled.sv",
    "unrolled/aes_key_pipeline.sv",
    "unrolled/aes_key_registers.sv",
    "unrolled/aes_key_slot.sv",
    "unrolled/aes_round_unrolled.sv",
)
FLY, ARKL = ("hodjat-lut-1",), ("sklavos-arkl",)
KEPT = ("hodjat-lut-1", *STORED)
TWO_STAGES = ("hodjat-lut-2", "direction=both", *STORED)
MUTANTS = {
    "the rounds go on over a result": (CORE, "move = !beside_q;", "move = 1'b1;", FLY),
    "a stall is dropped": (CORE, "out_valid_q && !out_ready_i;", "1'b0;", FLY),
    "blocks come into a pipeline that stands": (CORE, "!clearing && move &&", "!clearing &&", FLY),
    "the result beside is left out": (CORE, "beside_q ? beside_data_q : next", "next", FLY),
    "an empty place beside counts": (CORE, "beside_q ? beside_valid_q :", "beside_q ? 1'b1 :", FLY),
    "blocks outlive a clear": (
        CORE,
        "if (!rst_ni || clearing) begin\n      valid_q",
        "if (!rst_ni) begin\n      valid_q",
        FLY,
    ),
    "the key outlives a clear": (
        CORE,
        "if (!rst_ni || clearing) begin\n        loaded_q",
        "if (!rst_ni) begin\n        loaded_q",
        FLY,
    ),
    "MixColumns in the last round": (CORE, "(r == NR)", "(1'b0)", FLY),
    "a key goes on when its block does not": (LINE, "if (move_i) begin", "begin", FLY),
    "a key under blocks in the rounds": (CORE, "take_key || accept)", "take_key)", KEPT),
    "blocks under half a key": (
        CORE,
        "busy_q <= 1'b1;\n        loaded_q <= 1'b0;",
        "busy_q <= 1'b1;",
        KEPT,
    ),
    "the last round key is not made": (
        FOLD,
        "round_q == rounds :",
        "round_q == rounds - 4'd1 :",
        KEPT,
    ),
    "a round too few is passed by": (
        LINE,
        "= ROUND <= skipped_late",
        "= ROUND < skipped_late",
        (*FLY, "keys=any"),
    ),
    "directions go on when blocks do not": (
        CORE,
        "else if (move) decrypt_q",
        "else decrypt_q",
        ARKL,
    ),
    "a round has one direction in all stages": (
        CORE,
        "decrypts[Stages*(r-1) +: Stages]",
        "{Stages{decrypts[Stages*(r-1)]}}",
        TWO_STAGES,
    ),
    "the round key of the block behind": (
        CORE,
        "= decrypts[Stages*r-1];",
        "= decrypts[Stages*(r-1)];",
        TWO_STAGES,
    ),
    "one round key for both directions": (SLOT, "= words[decrypt_i];", "= words[0];", ARKL),
    "round keys for decryption as they are made": (FOLD, "4'(NR) - index_q", "index_q", ARKL),
    "round keys for decryption are not mixed": (FOLD, ": inverse;", ": window_q[255:128];", ARKL),
    "blocks before the last round key for decryption": (
        FOLD,
        "made_q && index_q == rounds;",
        "answered_q && round_q == rounds;",
        ARKL,
    ),
    "a shorter key leaves the last round key in its place": (
        FOLD,
        "(index_q == rounds) ? '0 : 4'(NR)",
        "4'(NR)",
        (*ARKL, "keys=any", "direction=decrypt", "sbox=table"),
    ),
    "MixColumns one way only": (
        ROUND,
        ".inverse_i (decrypt),\n          .data_o",
        ".inverse_i (1'b0),\n          .data_o",
        ARKL,
    ),
}


@pytest.mark.parametrize("name", sampled(MUTANTS))
def test_a_broken_core_is_caught(name: str, tmp_path: Path) -> None:
    file, good, bad, chosen = MUTANTS[name]
    is_caught(tmp_path, file, good, bad, *chosen, "--blocks", "200")
