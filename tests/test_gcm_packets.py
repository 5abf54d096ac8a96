"""GCM and GMAC on packets: what users of other cores report, and the cycles of packets."""

import random

import pytest
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from gcm_packets import IV, SIZES, clears_leave_no_trace, latencies, lost, packet, said, timings
from packet_benches import KEY, bench, play
from suite import slow

from aesforge.flows.verify_modes import CHECKS
from aesforge.sim.packets import (
    Beat,
    Header,
    Packet,
    PacketScoreboard,
    beats,
    gcm,
    iv_for_counter,
)

PIPELINED = "hodjat-lut-1 keys=128 mode=gcm,gmac"
# One of each kind of GHASH: serial, in one cycle, and pipelined beside a late stop.
MORE = (
    "aesforge-iterative mode=gcm",
    "aesforge-compact mode=gcm,gmac,cmac",
    "aesforge-interleaved mode=gcm",
    "fan sboxes=4 mode=gcm",
    "aesforge-unrolled stop_cycles=2 mode=gcm",
    "kakarlapudi-sbox mode=ecb,cbc_cs1,ctr,cmac,gcm,gmac",
    "aesforge-iterative rounds_per_cycle=10 mode=gcm",
    "aesforge-iterative rounds_per_cycle=5 mode=gcm,gmac",
)
CORES = [PIPELINED, *(pytest.param(core, marks=slow) for core in MORE)]


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("core", CORES)
def test_packets_agree_with_the_standard(core: str, check: str) -> None:
    problems, covered = CHECKS[check](bench(core))
    assert problems == [], covered


@pytest.mark.parametrize("core", [PIPELINED, *MORE])
@pytest.mark.full
def test_all_vectors_and_many_packets(core: str) -> None:
    for check in CHECKS.values():
        problems, covered = check(bench(core, 10_000))
        assert problems == [], covered


# The model ---------------------------------------------------------------------------------------


def test_the_model_agrees_with_openssl() -> None:
    rng = random.Random(1)
    for _ in range(60):
        key, iv = rng.randbytes(rng.choice((16, 24, 32))), rng.randbytes(rng.randrange(8, 65))
        aad, data = rng.randbytes(rng.randrange(50)), rng.randbytes(rng.randrange(80))
        result, tag = gcm(key, iv, aad, data)
        assert result + tag == AESGCM(key).encrypt(iv, data, aad)
        assert gcm(key, iv, aad, result, True) == (data, tag)


def test_an_iv_is_found_for_a_counter_that_wraps() -> None:
    key, data = bytes(range(16)), bytes(48)
    counter = bytes(12) + b"\xff" * 4
    iv = iv_for_counter(key, counter)
    result, tag = gcm(key, iv, b"", data)
    assert result + tag == AESGCM(key).encrypt(iv, data, b"")
    stream = Cipher(algorithms.AES(key), modes.CTR(bytes(16))).encryptor().update(bytes(48))
    assert result == stream


# What users of other cores report ----------------------------------------------------------------


def output(board: PacketScoreboard, number: int) -> bytes:
    return b"".join(beat.data for beat in board.outputs[number])


def test_zero_lengths_everywhere_do_not_hang() -> None:
    aad, data = bytes(range(20)), bytes(range(40, 57))
    cases = [(a, d, iv) for a in (b"", aad) for d in (b"", data) for iv in (b"", b"i", bytes(17))]
    packets = [packet(d, a, iv=iv) for a, d, iv in cases]
    packets += [packet(b"", mode="gmac"), packet(aad, mode="gmac")]
    # AAD ends the packet: no beat of payload follows it.
    header = Header("gcm", False, IV.ljust(16, b"\0"), 16)
    packets += [(header, [Beat(aad[:16], "aad", False), Beat(aad[16:], "aad", True)])]
    packets += [(header, [Beat(bytes(9), "iv", True)]), (header, [Beat(bytes(12), "iv", True)])]
    board = play(PIPELINED, packets)
    for number, (a, d, iv) in enumerate(cases):
        result, tag = gcm(KEY, iv or IV, a, d)
        assert output(board, number) == result + tag
    rest = [gcm(KEY, IV, a, b"")[1] for a in (b"", aad, aad)]
    rest += [gcm(KEY, bytes(size), b"", b"")[1] for size in (9, 12)]
    assert [output(board, len(cases) + number) for number in range(5)] == rest


def test_the_counter_carries_within_32_bits() -> None:
    data = random.Random(1).randbytes(80)
    counters = [b"\xff" * 12 + (2**32 - 1 - back).to_bytes(4, "big") for back in range(5)]
    ivs = [iv_for_counter(KEY, counter) for counter in counters]
    board = play(PIPELINED, [packet(data, iv=iv) for iv in ivs])
    for number, iv in enumerate(ivs):
        assert output(board, number) == AESGCM(KEY).encrypt(iv, data, b"")


def test_byte_counts_of_the_packet_before_have_no_effect() -> None:
    data = random.Random(2).randbytes(48)
    sizes = [5, 16, 1, 32, 3, 15, 48]
    board = play(PIPELINED, [packet(data[:d], data[:a]) for a in sizes for d in sizes])
    for number, (a, d) in enumerate((a, d) for a in sizes for d in sizes):
        assert output(board, number) == AESGCM(KEY).encrypt(IV, data[:d], data[:a])


def test_a_second_tag_equals_the_first() -> None:
    data = random.Random(3).randbytes(40)
    board = play(PIPELINED, [packet(data, data)] * 4 + [packet(data, mode="gmac")] * 2)
    assert len({output(board, number) for number in range(4)}) == 1
    assert output(board, 4) == output(board, 5)


def test_each_failed_packet_has_one_verdict_and_no_tag() -> None:
    rng = random.Random(4)
    data, aad = rng.randbytes(40), rng.randbytes(20)
    secret, tag = gcm(KEY, IV, aad, data)

    def flipped(text: bytes, bit: int) -> bytes:
        return (int.from_bytes(text, "big") ^ 1 << bit).to_bytes(len(text), "big")

    forged = [packet(secret, aad, flipped(tag, bit)) for bit in range(0, 128, 5)]
    forged += [packet(flipped(secret, bit), aad, tag) for bit in range(0, 320, 17)]
    forged += [packet(secret, flipped(aad, bit), tag) for bit in range(0, 160, 17)]
    # Truncated, reordered, extended, with AAD as payload, with another IV, without a whole tag.
    moved = secret[16:32] + secret[:16] + secret[32:]
    forged += [packet(changed, aad, tag) for changed in (secret[:32], moved, secret + b"\0", b"")]
    forged += [packet(secret, changed, tag) for changed in (aad[:16], b"", aad + b"\0")]
    forged += [packet(aad + secret, b"", tag), packet(b"", aad + secret, tag)]
    forged += [packet(secret, aad, tag, iv=bytes(12)), packet(secret, aad, tag, iv=IV[:11])]
    forged += [packet(secret, aad, tag[:15]), packet(secret, aad, b"")]
    forged += [packet(aad, b"", tag, mode="gmac")]
    board = play(PIPELINED, [*forged, packet(secret, aad, tag)])
    for given in board.outputs[:-1]:
        assert [beat.kind for beat in given if beat.kind != "payload"] == ["failed"]
        assert (given[-1].data, given[-1].last) == (b"", True)
    assert board.outputs[-1][-1] == Beat(b"", "verified", True)
    assert output(board, -1) == data
    with pytest.raises(InvalidTag):
        AESGCM(KEY).decrypt(IV, moved + tag, aad)


@pytest.mark.parametrize("core", CORES)
def test_each_packet_may_have_another_key_mode_and_direction(core: str) -> None:
    rng, test = random.Random(core), bench(core)
    sizes = test.config.key_sizes
    keys = [rng.randbytes(rng.choice(sizes) // 8) for _ in range(25)]
    board = play(core, [test.random_packet(key) for key in keys], keys, 0.1)
    assert board.packets == len(keys)


@pytest.mark.parametrize("core", CORES)
def test_an_abort_at_any_beat_leaves_no_trace(core: str) -> None:
    data = random.Random(5).randbytes(48)
    packets: list[Packet] = []
    for decrypt in (False, True):
        header = Header("gcm", decrypt, IV.ljust(16, b"\0"), 16)
        whole = beats(header, data, None, True, data[:20], data[:17])
        packets += [(header, [*whole[:count], whole[-1]]) for count in range(len(whole))]
        packets += [packet(data, data[:20])]
    board = play(core, packets)
    for number, (_, given) in enumerate(packets):
        kinds = [beat.kind for beat in board.outputs[number] if beat.kind != "payload"]
        assert kinds == ["failed" if given[-1].abort else "tag"]


def test_a_clear_in_any_cycle_of_a_packet_leaves_no_trace() -> None:
    clears_leave_no_trace(PIPELINED, 35)


def test_timing_does_not_depend_on_keys_data_or_verdicts() -> None:
    assert timings(PIPELINED, 40) == 1


# Cycles ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("core", CORES)
def test_a_result_comes_after_the_promised_cycles(core: str) -> None:
    found, promise = latencies(core)
    assert found == promise


@slow
@pytest.mark.parametrize("mode", ["ctr", "cbc"])
def test_a_result_of_another_mode_comes_after_the_promised_cycles(mode: str) -> None:
    """Results of CBC are not registered beside the core, those of CTR are; both pass the queue."""
    found, promise = latencies(f"hodjat-lut-1 keys=128 mode={mode},gcm", mode)
    assert found == promise


@pytest.mark.parametrize("core", CORES[:3])
def test_a_packet_loses_the_cycles_that_the_page_says(core: str) -> None:
    for size, cycles in zip(SIZES, said("gcm.md")[core.split()[0]], strict=True):
        # Long packets fill every buffer: few of them are enough.
        for decrypt in (False, True):
            if size < 1500 or core == PIPELINED:
                more = decrypt and core != PIPELINED
                assert lost(core, size, decrypt, 24 if size < 1500 else 7) == cycles + more


@slow
def test_the_carry_of_a_length_takes_up_to_two_cycles() -> None:
    """Those in which the length would be hashed while its carry is still to be added."""
    usual = lost(PIPELINED, 4_080, False, 7)
    sizes = (4_095, 4_096, 4_097, 4_112, 4_113)
    assert [lost(PIPELINED, size, False, 7) - usual for size in sizes] == [0, 2, 1, 1, 0]
