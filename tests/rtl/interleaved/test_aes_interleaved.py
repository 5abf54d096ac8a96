"""The core with four stages and stored keys: cycles and netlist."""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from suite import slow

from aesforge.core import stack
from aesforge.core.contract import CIPHER
from aesforge.flows import synth
from aesforge.sim.oracle import key_payload
from aesforge.sim.player import Script, play
from aesforge.sim.register_player import model
from aesforge.sim.scoreboard import Scoreboard
from aesforge.space.axes import Config
from aesforge.space.presets import preset
from aesforge.space.targets import target
from aesforge.tools import yosys

DIRECTIONS = ("encrypt", "decrypt")


# Cycles -----------------------------------------------------------------------------------------


def burst(config: Config, key: bytes, blocks: int) -> Scoreboard:
    """Send `blocks` blocks back to back into an empty loop."""
    script = Script(CIPHER)

    def whole() -> Iterator[bytes]:
        yield script.reset() + script.send("key", *key_payload(key)) + script.wait("key", 1)
        # The key schedule is complete before the first block is sent.
        yield script.tick(100)
        for number in range(blocks):
            yield script.send("in", bytes([number] * 16), int("decrypt" in config.directions))
        yield script.wait("out", blocks) + script.tick(100)

    return Scoreboard(config).watch(play(model(config), stack.contract(config), whole()))


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_the_loop_fills_and_drains(direction: str) -> None:
    """Four blocks in four cycles, four more 44 cycles later; each with a latency of 41 cycles."""
    config = preset(f"bulens-{direction}").config
    for blocks in range(1, 14):
        board = burst(config, bytes(range(16)), blocks)
        assert board.problems == []
        first = board.accepted[0]
        into = [clock - first for clock in board.accepted]
        assert into == [44 * (n // 4) + n % 4 for n in range(blocks)]
        assert [clock - first for clock in board.offered] == [clock + 41 for clock in into]


# Netlist ----------------------------------------------------------------------------------------


def tables(folder: Path) -> list[dict[str, int]]:
    """The cells of each look-up table of the netlist in `folder`."""
    return [
        cells
        for instance, cells in yosys.statistics(folder / "harness_cells.json")
        if instance.rpartition("/")[2].startswith("aes_lookup")
    ]


def mapped(config: Config, device: str) -> tuple[dict[str, Any], list[dict[str, int]]]:
    """Counts of the whole core, and the cells of each of its look-up tables."""
    on, core = target(device), synth.core(config)
    with TemporaryDirectory() as scratch:
        folder = Path(scratch)
        synth._elaborate(core, on, folder)
        return synth._map(on, core, folder), tables(folder)


@cache
def netlist(direction: str) -> tuple[dict[str, Any], list[dict[str, int]]]:
    """On a Virtex-5."""
    return mapped(preset(f"bulens-{direction}").config, "xc5v")


@slow
@pytest.mark.parametrize(("direction", "sboxes"), [("encrypt", 16), ("decrypt", 16 + 4)])
def test_s_boxes_are_shared_where_they_can_be(direction: str, sboxes: int) -> None:
    """The key schedule uses the S-boxes of the round; inverse S-boxes cannot serve it."""
    # A bit of an S-box is four look-up tables of six inputs, which fill a slice.
    assert netlist(direction)[1] == [{"LUT6": 32, "MUXF7": 16, "MUXF8": 8}] * sboxes


# Slices of four look-up tables (table 1 of the paper), for the whole core: the paper subtracts the
# round-key memory from its own figure to compare with another core.
@slow
@pytest.mark.parametrize(("direction", "slices"), [("encrypt", 400), ("decrypt", 550)])
def test_the_whole_core_is_no_larger_than_the_papers(direction: str, slices: int) -> None:
    counted, _ = netlist(direction)
    assert counted["lut"] <= 4 * slices
    assert counted["bram"] == 0
    assert counted["parts"]["key_store"]["lutram"] > 0


@slow
@pytest.mark.parametrize("direction", DIRECTIONS)
def test_sixteen_s_boxes_take_eight_block_rams(direction: str) -> None:
    """Two per block RAM, one on each port, as in the paper's Virtex-4 (table 1)."""
    core = preset("bulens-bram")
    row = synth.synth(core, core.configure([f"direction={direction}"]), target("xc5v"))
    assert row["bram"] == 8
    # Only the key schedule of decryption still uses look-up tables.
    assert (row["muxf"] == 0) == (direction == "encrypt")


# Slices of two look-up tables of four inputs (table 1 of the paper).
SPARTAN3_SLICES = {"encrypt": 1800, "decrypt": 2150}


@cache
def split(direction: str) -> tuple[dict[str, Any], list[dict[str, int]]]:
    """The split core on a Spartan-3E."""
    return mapped(preset("bulens-split").configure([f"direction={direction}"]), "xc3se")


@slow
@pytest.mark.parametrize(("direction", "own"), [("encrypt", 0), ("decrypt", 4)])
def test_split_s_boxes_are_four_tables_each(direction: str, own: int) -> None:
    """Sixteen in the round; decryption has four whole ones more for its key schedule."""
    found = Counter(
        tuple(target("xc3se").count(cells)[what] for what in ("lut", "muxf", "ff"))
        for cells in split(direction)[1]
    )
    # An S-box of the paper has 144 look-up tables: these, and two per bit for the selection.
    quarter, whole = ((144 - 8 * 2) // 4, 8 * (2 + 1), 0), (144 - 8 * 2, 8 * 15, 0)
    assert found == Counter({quarter: 16 * 4, whole: own})


@slow
def test_registers_split_the_s_boxes() -> None:
    """Per byte: the byte, four tables with two select bits, the selection, and MixColumns."""
    counted, _ = split("encrypt")
    state = 16 * (8 + (4 * 8 + 2) + 8 + 8)
    # The control bits of each of the four slots.
    control = counted["parts"]["rounds_and_control"]["ff"] - state
    assert 0 < control < 32


@slow
@pytest.mark.parametrize("direction", DIRECTIONS)
def test_the_split_core_is_no_larger_than_the_papers(direction: str) -> None:
    """Without its second bank of round keys."""
    counted, _ = split(direction)
    # Half of the memory, in dual-port cells of two look-up tables, and a selection per bit.
    bank = counted["lutram"] // 2 * 2 + 128
    assert counted["lut"] - bank <= 2 * SPARTAN3_SLICES[direction]
    assert counted["bram"] == 0
