"""The unrolled pipeline in a stall: what it holds, what it costs, its netlist."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from netlists import flip_flops, module, parts
from suite import slow

from aesforge.core.contract import CIPHER
from aesforge.core.sources import closure
from aesforge.sim.oracle import key_payload
from aesforge.sim.player import Script, compiled, play
from aesforge.sim.scoreboard import Scoreboard
from aesforge.space.axes import Config
from aesforge.space.presets import preset
from aesforge.space.promises import promised
from aesforge.tools import yosys
from aesforge.tools.verilator import UNOPTIMIZED

LATE = "stop_cycles=2"
SMALL = ("stages=3", "sbox_registers=1")

# Cycles -----------------------------------------------------------------------------------------


def small(stop_cycles: int, *axes: str) -> Config:
    chosen = [f"stop_cycles={stop_cycles}", "keys=128", "direction=encrypt", *SMALL, *axes]
    return preset("aesforge-unrolled").configure(chosen)


def run(config: Config, script: Iterator[bytes]) -> Scoreboard:
    model = compiled(CIPHER, config.parameters, flags=UNOPTIMIZED)
    return Scoreboard(config).watch(play(model, CIPHER, script))


def begun(script: Script, config: Config) -> bytes:
    """A key is loaded and the pipeline is empty."""
    return (
        script.reset()
        + script.tick(200)
        + script.send("key", *key_payload(bytes(16)))
        + script.wait("key", 1)
        + script.tick(promised(config, 128).key_setup)
    )


# Each core takes half a minute to compile.
each_stop = pytest.mark.parametrize("stop_cycles", [1, 2])


@slow
@each_stop
def test_a_stalled_pipeline_holds_a_block_in_each_stage(stop_cycles: int) -> None:
    """While no result is taken: one in each stage and overflow stage, and one at the output."""
    config, script, count = small(stop_cycles), Script(CIPHER), 60

    def whole() -> Iterator[bytes]:
        yield begun(script, config) + script.stall("out", 1)
        for number in range(count):
            yield script.send("in", bytes([number] * 16), 0)
        yield script.tick(45) + script.stall("out", 0) + script.wait("out", count)

    board = run(config, whole())
    assert board.problems == []
    first = board.offered[0]
    assert len([cycle for cycle in board.accepted if cycle < first]) == 30 + stop_cycles + 1
    # Afterwards each cycle delivers a result.
    assert board.offered == list(range(first, first + count))


@slow
@each_stop
@pytest.mark.parametrize("waits", range(1, 7))
def test_a_stall_costs_as_many_cycles_as_it_lasts(waits: int, stop_cycles: int) -> None:
    """All results after a stall are late by its length, and none by more."""
    config, script, before, after = small(stop_cycles), Script(CIPHER), 50, 80
    latency = promised(config, 128).latency

    def whole() -> Iterator[bytes]:
        yield begun(script, config)
        for number in range(before + after):
            yield script.send("in", bytes([number] * 16), 0)
        yield script.wait("out", before - latency)
        yield script.stall("out", 1) + script.tick(waits) + script.stall("out", 0)
        yield script.wait("out", before + after) + script.tick(20)

    board = run(config, whole())
    assert board.problems == []
    start, end = board.offered[0], board.offered[-1]
    waited = end - start - (before + after - 1)
    assert waited > 0
    # One gap between results, as long as the stall.
    gaps = [b - a for a, b in zip(board.offered, board.offered[1:], strict=False)]
    assert sorted(gaps)[-2:] == [1, 1 + waited]
    # As many cycles without an accepted block, `stop_cycles` later.
    pauses = [b - a for a, b in zip(board.accepted, board.accepted[1:], strict=False)]
    assert sorted(pauses)[-2:] == [1, 1 + waited]
    stalled = board.offered[gaps.index(1 + waited)] + 1
    assert board.accepted[pauses.index(1 + waited)] + 1 == stalled + stop_cycles


# Netlist ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("axes", "inside"),
    [
        pytest.param((), 54, marks=slow),
        pytest.param(("key_schedule=on_the_fly", *SMALL), 12, marks=slow),
        pytest.param(SMALL, 12, marks=slow),
    ],
)
def test_late_stop_has_enable_and_clear_registers(axes: tuple[str, ...], inside: int) -> None:
    """S-boxes and registers; `inside`: bits within an S-box."""
    config = preset("aesforge-unrolled").configure([LATE, *axes])
    stored = config.key_schedule == "stored"
    found = parts(CIPHER.module, config.parameters, registers=True)
    sboxes = Counter(
        at.split("/aes_")[2].partition("$")[0]
        for at, _ in found
        if module(at) == "aes_sbox_tower_pipelined"
    )
    # Sixteen per round; four per round key on the fly, or four for all stored round keys: tables,
    # unless the S-boxes of the rounds have more than two registers.
    assert sboxes["round_pipelined"] == 160
    assert sboxes.total() == 160 + (4 * (int(config.sbox_registers) > 2) if stored else 40)
    registers, below = Counter[str](), Counter[str]()
    for at, cells in found:
        registers += flip_flops(cells) if "/aes_sbox_tower_pipelined" in at else Counter()
        below += flip_flops(cells) if "/aes_round_pipelined" in at else Counter()
    assert registers.total() == inside * sboxes.total()
    assert below.total() == 160 * (
        inside + 8 * (int(config.stages) - 1 - int(config.sbox_registers))
    )
    # No stage has a reset.
    assert set(below) == {"$_DFFE_PP_"}
    # Equal registers stay apart: five enables for each round, one for each round of keys on the
    # fly, one each for the control, the sideband and the overflow stages; one for eight of these.
    stall = sum(
        (flip_flops(cells) for at, cells in found if module(at) == "aes_unrolled_stall"), Counter()
    )
    enables = 50 + (0 if stored else 10) + 3
    stalled, reached = (enables + 7) // 8, 2
    assert stall.total() == enables + stalled + reached + 3 * (128 + 1)
    # Flush, three clears, the drain counter, `empty_q`, the restart, validity and first registers.
    own = sum((flip_flops(cells) for at, cells in found if module(at) == "aes_unrolled"), Counter())
    stages = 10 * int(config.stages)
    counter = (stages + 2 + int(config.sbox_registers) + 8).bit_length()
    assert own.total() == 1 + 3 + counter + 1 + stored + stages + 128 * 10


@slow
@each_stop
def test_no_path_leads_from_out_ready_into_the_rounds(stop_cycles: int, tmp_path: Path) -> None:
    """`out_ready_i` reaches the result, the stall registers, and no output."""
    config = small(stop_cycles)
    kinds = ",".join(f"-${kind}" for kind in ("dff", "dffe", "sdff", "sdffe", "sdffce"))
    yosys.run(
        [
            yosys.read(closure(CIPHER.module), CIPHER.module, config.parameters, hierarchy=True),
            *("proc", "opt"),
            f"select -set reached aes_unrolled_stall*/i:out_ready_i %coe*:{kinds}",
            "tee -q -o outputs select -list @reached o:* %i",
            "tee -q -o registers select -list @reached %co1 t:$*dff* %i %co1:+[Q] w:* %i",
        ],
        tmp_path,
    )
    assert (tmp_path / "outputs").read_text(encoding="utf-8").split() == []
    found = (tmp_path / "registers").read_text(encoding="utf-8").split()
    stall = {1: {"stop_q"}, 2: {"stalled_q", "reached_q"}}[stop_cycles]
    names = {name.rpartition("/")[2].rpartition(".")[2] for name in found}
    assert names == {"out_valid_q", "result_q"} | stall
