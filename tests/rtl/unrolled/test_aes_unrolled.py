"""The unrolled core: keys and directions per block, its netlist, and faults."""

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from broken import is_caught, sampled
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from netlists import Parts, flip_flops, module, parts

from aesforge.core.contract import CIPHER
from aesforge.flows.run import run as encrypt
from aesforge.sim.oracle import key_payload
from aesforge.sim.player import Script, compiled, play
from aesforge.sim.scoreboard import Scoreboard
from aesforge.space.axes import Config
from aesforge.space.presets import preset, presets
from aesforge.space.promises import promised

STORED = ("key_schedule=stored",)

# Cycles -----------------------------------------------------------------------------------------


def run(config: Config, script: Iterator[bytes]) -> Scoreboard:
    return Scoreboard(config).watch(play(compiled(CIPHER, config.parameters), CIPHER, script))


def test_the_key_may_change_with_every_block() -> None:
    """Each cycle accepts a new key, and a block under the key before."""
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
        if found.config.engine == "unrolled"
    ],
)
def test_a_mebibyte_takes_one_cycle_per_block(name: str, tmp_path: Path) -> None:
    clear, secret = tmp_path / "clear", tmp_path / "secret"
    clear.write_bytes(random.Random(1).randbytes(1 << 20))
    config = preset(name).configure(["keys=128", "direction=encrypt"])
    with clear.open("rb") as source:
        found = encrypt(preset(name), config, "ecb", "00" * 16, None, False, source, secret)
    assert found["blocks"] == 1 << 16
    assert found["cycles"] <= 66_000
    encryptor = Cipher(algorithms.AES(bytes(16)), modes.ECB()).encryptor()
    assert secret.read_bytes() == encryptor.update(clear.read_bytes())


@pytest.mark.parametrize(
    ("name", "axes"), [("sklavos-arkl", ()), ("hodjat-tower-4", ("direction=both", *STORED))]
)
def test_directions_change_from_block_to_block(name: str, axes: tuple[str, ...]) -> None:
    """One block per cycle: alternating directions first, then random ones."""
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
def test_each_round_has_its_own_s_boxes_and_stages(
    name: str, axes: tuple[str, ...], inside: int
) -> None:
    """S-boxes and registers are those of fig. 3, 4, 6 and 8; `inside`: bits within an S-box."""
    found = netlist(name, *axes)
    stored, tower = "key_schedule=stored" in axes, inside > 0
    config = preset(name).configure(axes)
    sboxes = Counter(
        # The client of the S-box and its kind.
        (at.split("/aes_")[2].partition("$")[0], module(at))
        for at, _ in found
        if module(at) in ("aes_lookup", "aes_tower_sbox_pipelined")
    )
    kind = "aes_tower_sbox_pipelined" if tower else "aes_lookup"
    # Sixteen per round; four per round key on the fly, or four for all stored round keys.
    folded = "aes_tower_sbox_pipelined" if int(config.sbox_registers) > 2 else "aes_lookup"
    schedule = {("key_source", folded): 4} if stored else {("key_source", kind): 40}
    assert sboxes == {("round_unrolled", kind): 160, **schedule}

    below = Counter[str]()
    registers = Counter[str]()
    for at, cells in found:
        if "/aes_round_unrolled" in at:
            below += flip_flops(cells)
        registers += flip_flops(cells) if "/aes_tower_sbox_pipelined" in at else Counter()
    # Registers within each S-box, after SubBytes and, with more stages, around MixColumns.
    cut = 160 + tower * sum(n for (_, module), n in schedule.items() if module == kind)
    assert registers.total() == inside * cut
    assert below.total() == 160 * (
        inside + 8 * (int(config.stages) - 1 - int(config.sbox_registers))
    )
    # None of them has a reset.
    assert set(below) <= {"$_DFFE_PP_"}


def test_one_circuit_serves_both_directions() -> None:
    """Per byte one table of inverses, per round one MixColumns and a memory of two round keys.

    One InvMixColumns serves the round keys for decryption.
    """
    modules = Counter[tuple[str, str]]()
    memories = 0
    for at, cells in netlist("sklavos-arkl"):
        name = module(at)
        modules["keys" if "/aes_key_registers" in at else "rounds", name] += 1
        if name == "aes_key_registers":
            # Each memory has one write port and one read port.
            memories += cells["$memwr_v2"]
            assert cells["$memwr_v2"] == cells["$memrd_v2"]
    assert modules["rounds", "aes_lookup"] == 160
    assert modules["rounds", "aes_sbox_inverse_table"] == 160
    assert modules["rounds", "aes_mix_column_shared"] == 9 * 4
    assert modules["rounds", "aes_mix_column"] == 0
    # SubWord needs only plain tables.
    assert modules["keys", "aes_lookup"] == modules["keys", "aes_sbox_lut"] == 4
    assert modules["keys", "aes_mix_column"] == 4
    assert memories == 11


def test_each_round_starts_with_a_register_without_reset() -> None:
    """A clear drives zeros into the pipeline instead."""
    found = netlist("hodjat-lut-1")
    for at, cells in found:
        counted = flip_flops(cells)
        if "aes_key_pipeline" in at and counted:
            # The key window of each round.
            assert set(counted) == {"$_DFFE_PP_"}
            assert counted.total() >= 10 * 256
        elif module(at) == "aes_unrolled":
            plain = {cell: n for cell, n in counted.items() if cell.startswith("$_DFFE")}
            assert sum(plain.values()) == 10 * 128


# Faults -----------------------------------------------------------------------------------------

CORE, SOURCE, STALL, PIPELINE, REGISTERS, ROUND = (
    f"unrolled/aes_{part}.sv"
    for part in (
        "unrolled",
        "key_source",
        "unrolled_stall",
        "key_pipeline",
        "key_registers",
        "round_unrolled",
    )
)
FLY, ARKL = ("hodjat-lut-1",), ("sklavos-arkl",)
KEPT = ("hodjat-lut-1", *STORED)
TWO_STAGES = ("hodjat-lut-2", "direction=both", *STORED)
MUTANTS = {
    "the rounds advance during a stall": (
        STALL,
        "advance_o = {Enables{!stop_q}};",
        "advance_o = '1;",
        FLY,
    ),
    "a stall is ignored": (STALL, "out_valid_q && !out_ready_i;", "1'b0;", FLY),
    "a block enters a stalled pipeline": (CORE, "!clear && advance[0] &&", "!clear &&", FLY),
    "the overflow stage is skipped": (
        STALL,
        "reached = stop_q;",
        "reached = 1'b0;",
        FLY,
    ),
    "an empty overflow stage counts": (
        STALL,
        "= {valid_i, overflow_valid_q};",
        "= {valid_i, {StopCycles{1'b1}}};",
        FLY,
    ),
    "blocks survive a clear": (
        CORE,
        "if (!rst_ni || clear_stages) valid_q",
        "if (!rst_ni) valid_q",
        FLY,
    ),
    "the key survives a clear": (
        SOURCE,
        "if (!rst_ni || clear) loaded_q",
        "if (!rst_ni) loaded_q",
        FLY,
    ),
    "MixColumns in the last round": (CORE, "(r == NR)", "(1'b0)", FLY),
    "a key advances without its block": (PIPELINE, "if (advance_i) begin", "begin", FLY),
    "a key is taken with blocks in the rounds": (SOURCE, "take || accept_i)", "take)", KEPT),
    "blocks enter during the key setup": (
        SOURCE,
        "busy_q <= 1'b1;\n        loaded_q <= 1'b0;",
        "busy_q <= 1'b1;",
        KEPT,
    ),
    "the last round key is missing": (
        REGISTERS,
        "(round_q == rounds) ?",
        "(round_q == rounds - 4'd1) ?",
        KEPT,
    ),
    "one round too few is bypassed": (
        PIPELINE,
        "= ROUND <= skipped_last",
        "= ROUND < skipped_last",
        (*FLY, "keys=any"),
    ),
    "directions advance without their blocks": (
        CORE,
        "else if (advance[ENABLE_SIDEBAND]) decrypt_q",
        "else decrypt_q",
        ARKL,
    ),
    "all stages of a round have one direction": (
        CORE,
        "decrypts[Stages*(r-1) +: Stages]",
        "{Stages{decrypts[Stages*(r-1)]}}",
        TWO_STAGES,
    ),
    "the round key of the next block": (
        SOURCE,
        "= decrypt_i[Stages*r];",
        "= decrypt_i[(r == 0) ? 0 : Stages*(r-1)+1];",
        TWO_STAGES,
    ),
    "one round key for both directions": (REGISTERS, "= words[decrypt_i[r]];", "= words[0];", ARKL),
    "round keys for decryption in encryption order": (
        REGISTERS,
        "4'(NR) - index_q",
        "index_q",
        ARKL,
    ),
    "round keys for decryption without InvMixColumns": (
        REGISTERS,
        ": inverse;",
        ": window_q[255:128];",
        ARKL,
    ),
    "blocks enter before the last round key for decryption": (
        REGISTERS,
        ": made_q && index_q == rounds;",
        ": advance_q && round_q == rounds;",
        ARKL,
    ),
    "a shorter key leaves the last round key in its place": (
        REGISTERS,
        "(index_q == rounds) ? '0 : 4'(NR)",
        "4'(NR)",
        (*ARKL, "keys=any", "direction=decrypt", "sbox=table"),
    ),
    "MixColumns in one direction only": (
        ROUND,
        ".inverse_i (decrypt),\n          .data_o",
        ".inverse_i (1'b0),\n          .data_o",
        ARKL,
    ),
}


@pytest.mark.parametrize("name", sampled(MUTANTS))
def test_a_fault_is_caught(name: str, tmp_path: Path) -> None:
    file, good, bad, chosen = MUTANTS[name]
    is_caught(tmp_path, file, good, bad, *chosen, "--blocks", "200")
