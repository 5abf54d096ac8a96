"""The deep pipeline: how it stops, what it holds, its netlist, and broken ones."""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from broken import is_caught, sampled
from netlists import flip_flops, module, parts

from aesforge.core.contract import CIPHER
from aesforge.core.sources import closure, codes
from aesforge.sim.oracle import key_payload
from aesforge.sim.player import Script, compiled, play
from aesforge.sim.scoreboard import Scoreboard
from aesforge.space.axes import Config
from aesforge.space.presets import preset
from aesforge.space.promises import promised
from aesforge.tools import yosys

LATE = codes()["STOP_CYCLES"]
DEEP = "stop_cycles=2"
SMALL = ("stages=3", "sbox_registers=1")

# Clocks -----------------------------------------------------------------------------------------


def small(*axes: str) -> Config:
    return preset("aesforge-unrolled").configure([DEEP, *SMALL, *axes])


def run(config: Config, script: Iterator[bytes]) -> Scoreboard:
    return Scoreboard(config).watch(play(compiled(CIPHER, config.parameters), CIPHER, script))


def begun(script: Script, config: Config) -> bytes:
    """A key in force, and the pipeline empty."""
    return (
        script.reset()
        + script.tick(200)
        + script.send("key", *key_payload(bytes(16)))
        + script.wait("key", 1)
        + script.tick(promised(config, 128).key_setup)
    )


def test_it_holds_as_many_blocks_as_it_has_places() -> None:
    """While no result is taken: one in each stage, also beyond the rounds, and one on offer."""
    config, script, count = small(), Script(CIPHER), 60

    def whole() -> Iterator[bytes]:
        yield begun(script, config) + script.stall("out", 1)
        for number in range(count):
            yield script.send("in", bytes([number] * 16), 0)
        yield script.tick(45) + script.stall("out", 0) + script.wait("out", count)

    board = run(config, whole())
    assert board.problems == []
    # When the first result is taken.
    first = board.offered[0]
    assert len([clock for clock in board.accepted if clock < first]) == 30 + LATE + 1
    # Then no clock is lost.
    assert board.offered == list(range(first, first + count))


@pytest.mark.parametrize("waits", range(1, 7))
def test_a_stall_costs_as_many_clocks_as_it_is_long(waits: int) -> None:
    """Of a stream of blocks all those behind a stall are later by its length, and none by more."""
    config, script, before, after = small(), Script(CIPHER), 50, 80
    latency = promised(config, 128).latency

    def whole() -> Iterator[bytes]:
        yield begun(script, config)
        for number in range(before + after):
            yield script.send("in", bytes([number] * 16), 0)
        # Results come, are not taken for a while, and are taken again.
        yield script.wait("out", before - latency)
        yield script.stall("out", 1) + script.tick(waits) + script.stall("out", 0)
        yield script.wait("out", before + after) + script.tick(20)

    board = run(config, whole())
    assert board.problems == []
    start, end = board.offered[0], board.offered[-1]
    waited = end - start - (before + after - 1)
    assert waited > 0
    gaps = [b - a for a, b in zip(board.offered, board.offered[1:], strict=False)]
    # One gap, as long as the result was not taken: none before it is early, none behind it late.
    assert sorted(gaps)[-2:] == [1, 1 + waited]
    # As many clocks without a block, two clocks behind those in which it waited.
    pauses = [b - a for a, b in zip(board.accepted, board.accepted[1:], strict=False)]
    assert sorted(pauses)[-2:] == [1, 1 + waited]
    stalled = board.offered[gaps.index(1 + waited)] + 1
    assert board.accepted[pauses.index(1 + waited)] + 1 == stalled + LATE


def test_directions_change_from_block_to_block() -> None:
    """A block in every clock, each in a direction of its own."""
    # Not offered, for want of a proof.
    config, script, count = replace(small(), direction="both"), Script(CIPHER), 300
    promise, rng = promised(config, 128), random.Random(1)

    def whole() -> Iterator[bytes]:
        yield begun(script, config)
        for _ in range(count):
            yield script.send("in", rng.randbytes(16), rng.getrandbits(1))
        yield script.wait("out", count) + script.tick(20)

    board = run(config, whole())
    assert board.problems == []
    first = board.accepted[0]
    assert board.accepted == list(range(first, first + count))
    assert board.offered == [clock + promise.latency for clock in board.accepted]


# Netlist ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("axes", "inside"), [((), 54), (("key_schedule=on_the_fly", *SMALL), 12), (SMALL, 12)]
)
def test_rounds_are_unrolled_and_cut(axes: tuple[str, ...], inside: int) -> None:
    """S-boxes and registers; `inside`: of an S-box, in bits."""
    config = preset("aesforge-unrolled").configure([DEEP, *axes])
    stored = config.key_schedule == "stored"
    found = parts(CIPHER.module, config.parameters, registers=True)
    sboxes = Counter(
        at.split("/aes_")[2].partition("$")[0]
        for at, _ in found
        if module(at) == "aes_sub_bytes_tower_pipelined"
    )
    # Sixteen a round; four for each round key, or for all of them.
    assert sboxes["round_line"] == 160
    assert sboxes.total() == 160 + (4 if stored else 40)
    registers, below = Counter[str](), Counter[str]()
    for at, cells in found:
        registers += flip_flops(cells) if "/aes_sub_bytes_tower_pipelined" in at else Counter()
        below += flip_flops(cells) if "/aes_round_unrolled" in at else Counter()
    assert registers.total() == inside * sboxes.total()
    assert below.total() == 160 * (
        inside + 8 * (int(config.stages) - 1 - int(config.sbox_registers))
    )
    # No stage has a reset.
    assert set(below) == {"$_DFFE_PP_"}
    # Equal registers, for each round one that stops it, are still there after a merge.
    own = sum(
        (flip_flops(cells) for at, cells in found if module(at) == "aes_unrolled_deep"), Counter()
    )
    stages = 10 * int(config.stages) + LATE
    stops, tells, zeros, counts = (
        10 + 3,
        1 + LATE + 1,
        1 + 2,
        (stages + 10).bit_length() + 1 + stored,
    )
    blocks = 128 * (10 + LATE + 1) + stages + 1
    assert own.total() == stops + tells + zeros + counts + blocks


def test_no_path_leads_from_the_results_taker_into_the_rounds(tmp_path: Path) -> None:
    """`out_ready_i` reaches the result, what tells that it waits, and no output."""
    config = small()
    kinds = ",".join(f"-${kind}" for kind in ("dff", "dffe", "sdff", "sdffe", "sdffce"))
    yosys.run(
        [
            yosys.read(closure(CIPHER.module), CIPHER.module, config.parameters, hierarchy=True),
            *("proc", "opt"),
            f"select -set reached aes_unrolled_deep*/i:out_ready_i %coe*:{kinds}",
            "tee -q -o outputs select -list @reached o:* %i",
            "tee -q -o registers select -list @reached %co1 t:$*dff* %i %co1:+[Q] w:* %i",
        ],
        tmp_path,
    )
    assert (tmp_path / "outputs").read_text(encoding="utf-8").split() == []
    found = (tmp_path / "registers").read_text(encoding="utf-8").split()
    assert {name.rpartition("/")[2] for name in found} == {
        "out_valid_q",
        "result_q",
        "told_q",
        "at_q",
    }


# Broken cores -----------------------------------------------------------------------------------

CORE, SOURCE, DEAL = (
    "unrolled/aes_unrolled_deep.sv",
    "unrolled/aes_key_source.sv",
    "unrolled/aes_key_registers_deep.sv",
)
KEPT, DECRYPT, FLY = SMALL, (*SMALL, "direction=decrypt"), (*SMALL, "key_schedule=on_the_fly")
MUTANTS = {
    "the rounds go on over a result": (
        CORE,
        "stop_q[r] <= rst_ni && told_q",
        "stop_q[r] <= 1'b0",
        KEPT,
    ),
    "a round goes on alone": (
        CORE,
        "if (!stop_q[r]) start_q",
        "if (r == 3 || !stop_q[r]) start_q",
        KEPT,
    ),
    "the rounds stop too soon": (CORE, "rst_ni && told_q;", "rst_ni && held;", KEPT),
    "blocks come into a pipeline that stands": (CORE, "&& move && !(STORED", "&& !(STORED", KEPT),
    "the next result is not looked for beyond": (
        CORE,
        "held ^ told_q, !held && !told_q}",
        "1'b0, 1'b1}",
        KEPT,
    ),
    "what is beyond does not stop": (CORE, "if (!stop_q[NR+2]) beyond_q", "beyond_q", KEPT),
    "a stall is dropped": (CORE, "out_valid_q && !out_ready_i;", "1'b0;", KEPT),
    "blocks outlive a clear": (
        CORE,
        "|| key_clear_i || flush_q) out_valid_q",
        ") out_valid_q",
        KEPT,
    ),
    "the key outlives a clear": (SOURCE, "|| key_clear_i || clear_i || take)", "|| take)", KEPT),
    "a key under blocks in the rounds": (
        SOURCE,
        "|| key_clear_i || accept_i)",
        "|| key_clear_i)",
        KEPT,
    ),
    "blocks under the old key": (
        SOURCE,
        "|| clear_i || take) loaded_q",
        "|| clear_i) loaded_q",
        KEPT,
    ),
    "the key goes on when its block does not": (CORE, "(!stop_q[NR+1]),", "(1'b1),", FLY),
    "a round key too early": (
        DEAL,
        "assign goes = step_q[Cuts+1];",
        "assign goes = step_q[Cuts];",
        KEPT,
    ),
    "a round key too few": (
        DEAL,
        "last_q <= round_q == rounds;",
        "last_q <= round_q == rounds - 4'd1;",
        DECRYPT,
    ),
    "round keys for decryption are not mixed": (
        DEAL,
        "window_q[255:128] : inverse;",
        "window_q[255:128] : window_q[255:128];",
        DECRYPT,
    ),
}


# A pipeline takes a minute to compile.
@pytest.mark.parametrize("name", sampled(MUTANTS, every=12))
def test_a_broken_core_is_caught(name: str, tmp_path: Path) -> None:
    file, good, bad, chosen = MUTANTS[name]
    is_caught(tmp_path, file, good, bad, "aesforge-unrolled", DEEP, *chosen, "--blocks", "200")
