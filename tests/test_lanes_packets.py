"""Lanes: packets over parallel cores, against OpenSSL's counter mode and one lane."""

import random
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from packet_benches import KEY, bench, play
from suite import slow
from test_choose import row
from test_layers import attacked

from aesforge.core import sources
from aesforge.errors import UserError
from aesforge.flows.choose import Budget, choose
from aesforge.flows.verify_modes import CHECKS
from aesforge.proof import layers
from aesforge.proof.claims import Claim, Sources, formal_root
from aesforge.proof.faults import FAULTS, Fault
from aesforge.results.store import Row
from aesforge.sim.packets import Beat, Packet, PacketScoreboard, beats, opening, widened
from aesforge.space.presets import preset
from aesforge.space.promises import promised

CORE = "aesforge-iterative mode=ctr lanes=4"
# An engine each: registers at a pipeline and at a loop, and S-boxes that each block selects.
MORE = (
    "hodjat-lut-1 mode=ctr lanes=2",
    "kakarlapudi-sbox keys=any direction=both mode=ctr lanes=8 key_slots=4",
    "aesforge-interleaved mode=ctr lanes=2 counter_bits=32",
    "aesforge-compact keys=256 direction=encrypt mode=ctr lanes=2 counter_bits=1",
    "fan sboxes=4 mode=ctr lanes=4 counter_bits=9",
    # Masks of 128 bits, and layers with different ports below the stream.
    "aesforge-iterative mode=ctr lanes=8 port=axi-stream",
    "aesforge-iterative mode=xts lanes=4 port=axi-stream",
    "aesforge-iterative mode=gcm lanes=2 port=axi-stream",
)


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("core", [CORE, *(pytest.param(c, marks=slow) for c in MORE)])
def test_packets_agree_with_the_standard(core: str, check: str) -> None:
    problems, covered = CHECKS[check](bench(core))
    assert problems == [], covered


@pytest.mark.parametrize("core", [CORE, *MORE])
@pytest.mark.full
def test_many_packets(core: str) -> None:
    for check in CHECKS.values():
        problems, covered = check(bench(core, 10_000))
        assert problems == [], covered


def packet(iv: bytes, data: bytes) -> Packet:
    header = opening("ctr", False, iv, 0)
    return header, beats(header, data)


def joined(board: PacketScoreboard) -> list[bytes]:
    return [b"".join(beat.data for beat in found) for found in board.outputs]


def test_packets_of_each_length_are_those_of_openssl() -> None:
    rng, most = random.Random(1), 64
    sizes = [0, 1, 15, 16, 17, 31, 32, 33, 47, 48, 49]
    sizes += [n * most + d for n in (1, 2, 3) for d in (-16, -1, 0, 1, 16)]
    packets = [packet(rng.randbytes(16), rng.randbytes(size)) for size in sizes]
    keys = [rng.randbytes(16) for _ in sizes]
    board = play(CORE, packets, keys)
    for key, (header, given), found in zip(keys, packets, joined(board), strict=True):
        cipher = Cipher(algorithms.AES(key), modes.CTR(header.iv)).encryptor()
        assert found == cipher.update(b"".join(beat.data for beat in given))
    shapes = [[len(beat.data) for beat in found] for found in board.outputs]
    assert shapes == [
        [most] * (size // most) + ([size % most] if size % most or not size else [])
        for size in sizes
    ]


@pytest.mark.parametrize("first", [2**128 - 1, 2**128 - 200, (1 << 64) - 3, 2**32 - 258, 0xFF00])
def test_a_long_packet_carries_as_openssl_does(first: int) -> None:
    data, iv = bytes(16 * 600), first.to_bytes(16, "big")
    (found,) = joined(play(CORE, [packet(iv, data)], stalls=0.1))
    assert found == Cipher(algorithms.AES(KEY), modes.CTR(iv)).encryptor().update(data)


@slow
def test_a_short_counter_repeats_its_blocks() -> None:
    core = "aesforge-iterative mode=ctr lanes=4 counter_bits=3"
    (found,) = joined(play(core, [packet(bytes(range(16)), bytes(16 * 19))]))
    blocks = [found[at : at + 16] for at in range(0, len(found), 16)]
    assert len(set(blocks)) == 8
    assert blocks[8:] == blocks[: len(blocks) - 8]


def test_wide_beats_are_whole_but_for_the_last_one() -> None:
    given = [Beat(bytes([k]) * 16, "payload", False) for k in range(5)]
    given.append(Beat(b"123", "payload", True))
    assert [len(beat.data) for beat in widened(given, 4)] == [64, 19]
    assert [beat.last for beat in widened(given, 4)] == [False, True]
    assert widened(given, 1) == given
    abort = Beat(bytes(7), "payload", True, abort=True)
    assert widened([*given[:2], abort], 4)[1] == abort


@slow
def test_packets_follow_without_a_cycle_and_a_beat_in_each() -> None:
    """Around a pipeline: as many cycles as beats, also for packets of one beat."""
    test = bench("hodjat-lut-1 mode=ctr lanes=2")
    packets = [packet(bytes(16), bytes(size)) for size in (320, 32, 5, 33, 320, 32, 1)]

    def script() -> Iterator[bytes]:
        yield test.key(KEY) + test.script.wait("key", 1)
        yield from test.packets(packets)
        yield test.script.drain(test.longest, 2_000_000)

    board = test.watch(script())
    assert board.problems == []
    assert len(board.outputs) == len(packets)
    # The first beats wait for the key in the registers at the core.
    gaps = [after - before for before, after in pairwise(board.accepted[4:])]
    assert set(gaps) == {1}
    assert {after - before for before, after in pairwise(board.offered)} == {1}


def test_the_promise_is_that_of_one_lane_as_many_times() -> None:
    one, four = (
        promised(preset("hodjat-lut-1").configure(["mode=ctr", *lanes]), 128)
        for lanes in ([], ["lanes=4"])
    )
    assert (four.latency, four.interval) == (one.latency, one.interval)
    assert four.cycles_per_block == one.cycles_per_block / 4


def proven(given: Sources, core: str) -> dict[str, Claim]:
    """The claims on the layer of a core."""
    name, *axes = core.split()
    found = layers.claims(given, preset(name).configure(axes), ["aes_ctr_lanes"])
    return {what: claim() for what, claim in found.items()}


PROVEN = [
    "aesforge-iterative mode=ctr lanes=2 counter_bits=20",
    "aesforge-iterative mode=ctr lanes=4",
    "aesforge-iterative mode=ctr lanes=8 counter_bits=1 idle_output=register",
    "aesforge-iterative mode=ctr lanes=8 counter_bits=12",
    "aesforge-iterative mode=ctr lanes=4 counter_bits=9",
    "aesforge-iterative mode=ctr lanes=2 counter_bits=8",
    "hodjat-lut-1 mode=ctr lanes=8 counter_bits=32",
]


@pytest.mark.parametrize(
    "core", [pytest.param(core, marks=slow if at else ()) for at, core in enumerate(PROVEN)]
)
def test_the_lanes_are_counter_mode_around_any_cores(core: str) -> None:
    """Blocks and beats of the contract; no data in the timing; a clear leaves none."""
    found = proven(Sources(sources.files(), formal_root()), core)
    assert found.keys() == {f"aes_ctr_lanes {what}" for what in ("contract", "timing", "clear")}
    assert all(claim.holds for claim in found.values()), found


FAULTY = [fault for fault in FAULTS if fault.file == "aes_ctr_lanes"]


@pytest.mark.parametrize(
    "fault",
    [pytest.param(fault, marks=slow if at else ()) for at, fault in enumerate(FAULTY)],
    ids=str,
)
def test_a_fault_of_the_lanes_breaks_their_contract(fault: Fault, tmp_path: Path) -> None:
    bits = 3 if "beyond the bits" in fault.name else 20
    given = attacked(tmp_path, fault.file, fault.old, fault.new)
    found = proven(given, f"aesforge-iterative mode=ctr lanes=2 counter_bits={bits}")
    contract = found["aes_ctr_lanes contract"]
    assert not contract.holds
    assert re.match("broken rule|a reset leaves", contract.counterexample["rule"])


ATTACKS = {
    "the lanes are in the other order": (
        "128*(Lanes-1-k) +: 128] =",
        "128*k +: 128] =",
        "Lane k encrypts",
    ),
    "an entry of every beat that is offered": (
        ".push_i     (step)",
        ".push_i     (in_valid_i)",
        "With each beat",
    ),
    "a beat is accepted by the layer alone": (
        "assign in_ready_o = may_step && core_in_ready_i;",
        "assign in_ready_o = may_step;",
        "A beat of an open packet",
    ),
    "the last lane is not counted": (
        "SLICE'(plus(low, SLICE'(Lanes))) & LOW);",
        "SLICE'(plus(low, SLICE'(Lanes - 1))) & LOW);",
        "Lane k encrypts",
    ),
    "an entry leaves with a result that waits": (
        "(core_out_valid_i && core_out_ready_o)",
        "(core_out_valid_i)",
        "With each beat",
    ),
}


@pytest.mark.parametrize("attack", [pytest.param(name, marks=slow) for name in ATTACKS])
def test_an_attack_on_the_lanes_is_not_proven(attack: str, tmp_path: Path) -> None:
    old, new, rule = ATTACKS[attack]
    given = attacked(tmp_path, "aes_ctr_lanes", old, new)
    found = proven(given, "aesforge-iterative mode=ctr lanes=2 counter_bits=20")
    contract = found["aes_ctr_lanes contract"]
    assert not contract.holds
    assert rule in contract.counterexample["rule"]


@slow
def test_a_clear_that_goes_on_reaches_the_counter(tmp_path: Path) -> None:
    """Around a pipeline, whose FIFO takes a cycle for each of its lines."""
    whole, asked = "if (!rst_ni || clearing) begin", "if (!rst_ni || key_clear_i) begin"
    given = attacked(tmp_path, "aes_ctr_lanes", whole, asked)
    found = proven(given, "hodjat-lut-1 mode=ctr lanes=2")["aes_ctr_lanes clear"]
    assert not found.holds
    assert "a clear leaves" in found.counterexample["rule"]


def test_choose_counts_a_core_for_each_lane() -> None:
    rows = [row("hodjat-lut-1", "", 100, 50.0)]
    (one,), (four,) = (
        choose(rows, "ecp5", Budget(), ["mode=ctr", f"lanes={lanes}"])["points"] for lanes in (1, 4)
    )
    assert four["core_alone"]
    assert (one["lut"], four["lut"], four["area"]) == (100, 400, 400)
    assert four["throughput_mbps"] == 4 * one["throughput_mbps"]


@pytest.mark.parametrize(
    ("choices", "reason"),
    [
        (["lanes=2"], "lanes belongs to a mode"),
        (["mode=gmac", "lanes=2"], "gmac has one lane yet, and mode=ctr, mode=gcm and mode=xts"),
        (
            ["mode=gcm", "lanes=8", "hold=on", "hold_bytes=128"],
            "two beats of 128 bytes: take hold_bytes=256",
        ),
        (["mode=gcm", "lanes=2", "port=axi-lite"], "port=axi-lite has beats of 16 bytes"),
        (["mode=ctr,xts", "lanes=8"], "lanes=8 takes one mode: leave out lanes=8, or take mode="),
        (["mode=xts", "lanes=2", "port=axi-lite"], "port=axi-lite has beats of 16 bytes"),
        (["mode=xts", "lanes=2", "key_slots=4"], "mode=xts has one pair of keys"),
        (["mode=ctr", "lanes=2", "streams=2"], "leave out lanes=2, or streams="),
        (["mode=ctr", "lanes=2", "port=apb"], "port=apb has beats of 16 bytes"),
        (["mode=ctr", "lanes=3"], "lanes"),
    ],
)
def test_what_has_no_lanes_is_refused(choices: list[str], reason: str) -> None:
    with pytest.raises(UserError, match=reason):
        preset("aesforge-iterative-universal").configure(choices)


def test_more_cores_than_the_part_holds_are_left_out() -> None:
    rows = [row("hodjat-tower-3", "keys=128 direction=encrypt", lut, 100.0) for lut in (9, 40_000)]

    def found(rows: list[Row], lanes: int) -> list[int]:
        points = choose(rows, "ecp5", Budget(), ["mode=ctr", f"lanes={lanes}"], count=9)["points"]
        return [point["lut"] for point in points]

    assert found(rows[1:], 2) == [80_000]
    assert found(rows, 4) == [36]
    with pytest.raises(UserError, match="160,000 LUT where it has 83,640: take fewer lanes"):
        found(rows[1:], 4)
