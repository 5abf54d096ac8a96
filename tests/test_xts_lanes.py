"""XTS over lanes: packets over parallel cores, against OpenSSL's XTS and one lane."""

import random
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from packet_benches import bench, play
from suite import slow
from test_lanes_packets import joined
from test_layers import attacked

from aesforge.core import sources
from aesforge.flows.verify_modes import CHECKS
from aesforge.proof import layers
from aesforge.proof.claims import Claim, Sources, formal_root
from aesforge.proof.faults import FAULTS, Fault
from aesforge.sim.packets import Packet, PacketScoreboard, beats, opening
from aesforge.space.presets import preset
from aesforge.space.promises import promised, tweak_latency

CORE = "aesforge-iterative mode=xts lanes=2"
BOTH = "kakarlapudi-sbox keys=128 mode=xts lanes=2"
# An engine each: registers at a pipeline and at a loop, and S-boxes that each block selects.
MORE = (
    "hodjat-lut-1 mode=xts lanes=8",
    "kakarlapudi-sbox keys=any direction=both mode=xts lanes=8",
    "sklavos-arkl keys=128 direction=decrypt mode=xts lanes=2",
    "aesforge-interleaved mode=xts lanes=2",
    "aesforge-compact keys=256 mode=xts lanes=2",
    "fan sboxes=4 mode=xts lanes=4",
    "aesforge-iterative mode=xts lanes=4",
)
PAIR = bytes(range(32))


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("core", [CORE, *(pytest.param(c, marks=slow) for c in MORE)])
def test_packets_agree_with_the_standard(core: str, check: str) -> None:
    problems, covered = CHECKS[check](bench(core, 1_000))
    assert problems == [], covered


@pytest.mark.parametrize("core", [CORE, *MORE])
@pytest.mark.full
def test_many_packets(core: str) -> None:
    for check in CHECKS.values():
        problems, covered = check(bench(core, 10_000))
        assert problems == [], covered


def packet(number: bytes, data: bytes, decrypt: bool = False) -> Packet:
    header = opening("xts", decrypt, number, 0)
    return header, beats(header, data)


def openssl(pair: bytes, number: bytes, data: bytes, decrypt: bool) -> bytes:
    cipher = Cipher(algorithms.AES(pair), modes.XTS(number))
    made = cipher.decryptor() if decrypt else cipher.encryptor()
    return made.update(data) + made.finalize()


@pytest.mark.parametrize("core", [BOTH, pytest.param(BOTH.replace("=2", "=8"), marks=slow)])
def test_data_units_of_each_length_are_those_of_openssl(core: str) -> None:
    """From 16 bytes to more than two beats, encrypted and decrypted, and a long one."""
    rng, most = random.Random(1), bench(core).config.beat_bytes
    sizes = [*range(16, 2 * most + 20), 4096, 4096 + 17, 20 * most + 5]
    packets = [
        packet(rng.randbytes(16), rng.randbytes(size), decrypt)
        for size in sizes
        for decrypt in (False, True)
    ]
    board = play(core, packets, [PAIR])
    for (header, given), found in zip(packets, joined(board), strict=True):
        data = b"".join(beat.data for beat in given)
        assert found == openssl(PAIR, header.iv, data, header.decrypt), len(data)
    shapes = [[len(beat.data) for beat in found] for found in board.outputs]
    assert shapes == [
        [most] * (size // most) + ([size % most] if size % most else [])
        for size in sizes
        for _ in range(2)
    ]


@pytest.mark.full
def test_the_longest_data_unit_is_that_of_openssl() -> None:
    """2^20 blocks, the last one partial (SP 800-38E)."""
    data = random.Random(2).randbytes(16 * 2**20 - 3)
    core = "hodjat-lut-1 mode=xts lanes=8"
    (found,) = joined(play(core, [packet(PAIR[:16], data)], [PAIR], stalls=0))
    assert found == openssl(PAIR, PAIR[:16], data, False)


def test_equal_keys_and_less_than_a_block_fail() -> None:
    number = bytes(16)
    sizes = [0, 1, 15, 16, 100, 300]
    packets = [packet(number, bytes(size)) for size in sizes]
    for pair, fails in ((PAIR, sizes[:3]), (PAIR[:16] * 2, sizes)):
        board = play(CORE, packets, [pair])
        for size, found in zip(sizes, board.outputs, strict=True):
            kinds = {beat.kind for beat in found}
            assert kinds == ({"failed"} if size in fails else {"payload"})
            assert sum(len(beat.data) for beat in found) == (0 if size in fails else size)


def board(core: str, sizes: list[int]) -> PacketScoreboard:
    """Packets of these sizes without a stall."""
    test = bench(core)

    def script() -> Iterator[bytes]:
        yield test.key(PAIR) + test.script.wait("key", 1)
        given = [packet(bytes(16), bytes(size)) for size in sizes]
        yield from test.packets(given, fastest=True)
        yield test.script.drain(test.longest, 2_000_000)

    found = test.watch(script())
    assert found.problems == []
    return found


@pytest.mark.parametrize("core", [CORE, pytest.param("hodjat-lut-1 mode=xts lanes=2", marks=slow)])
def test_a_beat_takes_a_block_and_a_partial_block_one_more_and_the_latency(core: str) -> None:
    """Data units that take longer than their tweaks: no cycle is lost between whole ones."""
    config = bench(core).config
    one, most = promised(config.core, 128), config.beat_bytes
    latency = one.latency + 2 * config.registered
    # The tweak is encrypted while the packet before it runs.
    count = 4 + -(-(tweak_latency(config, 128) + latency) // one.interval)
    whole, behind = count * most, count * most + most + 21
    # The first beats wait for tweak and key.
    start = 4
    took = [b - a for a, b in pairwise(board(core, [whole] * 4).accepted[start:])]
    assert set(took) == {one.interval}
    took = [b - a for a, b in pairwise(board(core, [behind, whole]).offered[start:])]
    # The last beat of the first packet takes two steps, and the second one waits for the first.
    at = count - start
    assert took.pop(at) == one.interval + latency + 1
    assert set(took) == {one.interval}


def test_the_promise_is_that_of_one_lane_as_many_times() -> None:
    one, four = (
        promised(preset("hodjat-lut-1").configure(["mode=xts", *lanes]), 128)
        for lanes in ([], ["lanes=4"])
    )
    assert (four.latency, four.interval) == (one.latency, one.interval)
    assert four.cycles_per_block == one.cycles_per_block / 4


# Proofs -------------------------------------------------------------------------------------------


def proven(given: Sources, core: str, what: str = "aes_xts_lanes") -> dict[str, Claim]:
    """The claims on the layer of a core."""
    name, *axes = core.split()
    found = layers.claims(given, preset(name).configure(axes), [what])
    return {what: claim() for what, claim in found.items()}


PROVEN = [
    "aesforge-iterative mode=xts lanes=2",
    "kakarlapudi-sbox direction=both mode=xts lanes=4",
    "sklavos-arkl keys=128 direction=decrypt mode=xts lanes=2 idle_output=register",
]


# Each takes half a minute.
@slow
@pytest.mark.parametrize("core", PROVEN)
def test_the_lanes_are_xts_around_any_cores(core: str) -> None:
    """Blocks and beats of the contract; no data in the timing; a clear leaves none."""
    found = proven(Sources(sources.files(), formal_root()), core)
    assert found.keys() == {f"aes_xts_lanes {what}" for what in ("contract", "timing", "clear")}
    assert all(claim.holds for claim in found.values()), found


@slow
def test_what_is_said_of_the_next_wide_beat_is_true() -> None:
    found = proven(Sources(sources.files(), formal_root()), CORE, "aes_xts_ahead")
    assert len(found) == 4
    assert all(claim.holds for claim in found.values()), found


PARTS = ("aes_xts_lanes", "aes_xts_tweaks", "aes_one_packet")
FAULTY = [fault for fault in FAULTS if fault.file in PARTS]


@slow
@pytest.mark.parametrize("fault", FAULTY, ids=str)
def test_a_fault_of_the_lanes_breaks_their_contract(fault: Fault, tmp_path: Path) -> None:
    given = attacked(tmp_path, fault.file, fault.old, fault.new)
    contract = proven(given, BOTH, "aes_xts_lanes contract")["aes_xts_lanes contract"]
    assert not contract.holds
    assert re.match("broken rule|a reset", contract.counterexample["rule"])


@slow
def test_a_clear_reaches_the_results_that_are_held(tmp_path: Path) -> None:
    """They are at no port after a clear, so only a proof sees them."""
    old = "    if (!rst_ni || clearing) hold_q <= '0;\n    else if (holds)"
    given = attacked(tmp_path, "aes_xts_lanes", old, "    if (holds)")
    found = proven(given, BOTH, "aes_xts_lanes clear")["aes_xts_lanes clear"]
    assert not found.holds
    assert "hold_q" in found.counterexample["rule"]
