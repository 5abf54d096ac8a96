"""The unrolled core: keys and directions per block, its netlist."""

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from netlists import Parts, flip_flops, module, parts
from suite import slow

from aesforge.core import stack
from aesforge.core.contract import CIPHER
from aesforge.flows.run import run as encrypt
from aesforge.sim.oracle import key_payload
from aesforge.sim.player import Script, play
from aesforge.sim.register_player import model
from aesforge.sim.scoreboard import Scoreboard
from aesforge.space.axes import Config
from aesforge.space.presets import preset, presets
from aesforge.space.promises import promised

STORED = ("key_schedule=stored",)

# Cycles -----------------------------------------------------------------------------------------


def run(config: Config, script: Iterator[bytes]) -> Scoreboard:
    return Scoreboard(config).watch(play(model(config), stack.contract(config), script))


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


@slow
def test_the_offline_key_schedule_takes_20_cycles() -> None:
    """Hodjat & Verbauwhede, section 6: from keysch_start to keysch_done, whatever is on offer."""
    config, script = preset("hodjat-lut-1").configure(STORED), Script(CIPHER)
    rng = random.Random(1)

    def whole(early: bool) -> Iterator[bytes]:
        yield script.reset() + script.tick(20)
        yield script.send("key", *key_payload(rng.randbytes(16)))
        if not early:
            yield script.wait("key", 1) + script.tick(5)
        for _ in range(20):
            yield script.send("in", rng.randbytes(16), 0)
        yield script.wait("out", 20)

    for early in (True, False):
        board = run(config, whole(early))
        assert board.problems == []
        # 20 cycles lie between the handshake of the key and the first block.
        assert board.accepted == [board.keyed[0] + 21 + at for at in range(20)]


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(found.name, marks=slow if found.name == "hodjat-lut-1" else pytest.mark.full)
        for found in presets().values()
        if found.config.engine == "unrolled"
    ],
)
def test_a_mebibyte_takes_one_cycle_per_block(name: str, tmp_path: Path) -> None:
    clear, secret = tmp_path / "clear", tmp_path / "secret"
    clear.write_bytes(random.Random(1).randbytes(1 << 20))
    config = preset(name).configure(["keys=128", "direction=encrypt", "mode=ecb"])
    with clear.open("rb") as source:
        found = encrypt(preset(name), config, "00" * 16, None, None, None, False, source, secret)
    assert found["blocks"] == 1 << 16
    assert found["cycles"] <= 66_000
    encryptor = Cipher(algorithms.AES(bytes(16)), modes.ECB()).encryptor()
    assert secret.read_bytes() == encryptor.update(clear.read_bytes())


@slow
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
    pytest.param("hodjat-tower-3", (), 12, marks=slow),
    pytest.param("hodjat-tower-4", ("key_schedule=stored",), 24, marks=slow),
    pytest.param("aesforge-unrolled", ("key_schedule=stored",), 54, marks=slow),
]


@slow
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
        if module(at) in ("aes_lookup", "aes_sbox_tower_pipelined")
    )
    kind = "aes_sbox_tower_pipelined" if tower else "aes_lookup"
    # Sixteen per round; four per round key on the fly, or four for all stored round keys.
    folded = "aes_sbox_tower_pipelined" if int(config.sbox_registers) > 2 else "aes_lookup"
    schedule = {("key_source", folded): 4} if stored else {("key_source", kind): 40}
    assert sboxes == {("round_pipelined", kind): 160, **schedule}

    below = Counter[str]()
    registers = Counter[str]()
    for at, cells in found:
        if "/aes_round_pipelined" in at:
            below += flip_flops(cells)
        registers += flip_flops(cells) if "/aes_sbox_tower_pipelined" in at else Counter()
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
    # The last round has no use for its own, so synthesis removes it.
    assert modules["rounds", "aes_mix_column_shared"] == 10 * 4
    assert modules["rounds", "aes_mix_columns"] == 0
    # SubWord needs only plain tables.
    assert modules["keys", "aes_lookup"] == modules["keys", "aes_sbox_lut"] == 4
    assert modules["keys", "aes_mix_columns"] == 1
    assert memories == 11


def test_each_round_starts_with_a_register_without_reset() -> None:
    """A clear drives zeros into the first round instead."""
    found = netlist("hodjat-lut-1")
    for at, cells in found:
        counted = flip_flops(cells)
        if module(at) == "aes_key_pipeline":
            # A key of 128 bits fills half of the key window of each round.
            assert set(counted) == {"$_DFFE_PP_"}
            assert counted.total() >= 10 * 128
        elif module(at) == "aes_unrolled":
            assert counted["$_DFFE_PP_"] == 9 * 128
            # Zeros enter the first round only while it advances.
            assert counted["$_SDFFCE_PP0P_"] == 128
