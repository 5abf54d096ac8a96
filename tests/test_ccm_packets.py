"""CCM on packets: every length, and what does not agree with its header, its tag or its key."""

import random
from dataclasses import replace

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESCCM
from packet_benches import KEY, bench, play
from suite import slow

from aesforge.flows.verify_modes import CHECKS
from aesforge.sim.mode_vectors import mode_vectors
from aesforge.sim.packets import (
    CCM_TAGS,
    Beat,
    Header,
    Packet,
    PacketScoreboard,
    beats,
    ccm,
    opening,
)

CORE = "kakarlapudi-sbox keys=128 direction=encrypt mode=ccm"
FAILED, VERIFIED = Beat(b"", "failed", True), Beat(b"", "verified", True)


@pytest.mark.parametrize("check", CHECKS)
def test_packets_agree_with_the_standard(check: str) -> None:
    problems, covered = CHECKS[check](bench(CORE))
    assert problems == [], covered


@slow
def test_all_vectors_of_all_key_sizes() -> None:
    problems, covered = CHECKS["mode_vectors"](bench("kakarlapudi-sbox mode=ccm", 10_000))
    assert problems == [], covered


def test_the_model_agrees_with_openssl() -> None:
    rng = random.Random(1)
    for _ in range(100):
        key, iv = rng.randbytes(rng.choice((16, 24, 32))), rng.randbytes(rng.randrange(7, 14))
        size = rng.choice(CCM_TAGS)
        aad, data = rng.randbytes(rng.randrange(40)), rng.randbytes(rng.randrange(60))
        secret, tag = ccm(key, iv, aad, data, False, size)
        assert secret + tag == AESCCM(key, size).encrypt(iv, data, aad)
        assert ccm(key, iv, aad, secret, True, size) == (data, tag)


def test_every_vector_of_nist_is_there() -> None:
    # 2,160 of encryption, each in both directions, and 720 of decryption; three examples.
    found = mode_vectors("ccm")
    assert len(found) == 2 * 2160 + 720 + 2 * 3
    assert {len(vector.iv) for vector in found} == set(range(7, 14))
    assert {len(vector.tag) for vector in found} == set(CCM_TAGS)
    assert sum(vector.fails for vector in found) == 480


# What users of other cores report ----------------------------------------------------------------


def packet(
    data: bytes, aad: bytes = b"", tag: bytes | None = None, iv: bytes = bytes(13), size: int = 16
) -> Packet:
    """A packet that is encrypted, or, with a tag, verified."""
    header = opening("ccm", tag is not None, iv, size, len(aad), len(data))
    return header, beats(header, data, tag, aad=aad)


def output(board: PacketScoreboard, number: int) -> bytes:
    return b"".join(beat.data for beat in board.outputs[number])


def test_all_lengths_of_nonce_tag_aad_and_payload() -> None:
    rng = random.Random(2)
    corners = (0, 1, 13, 14, 15, 16, 17, 30, 31, 32)
    cases = [(n, t, 20, 20) for n in range(7, 14) for t in CCM_TAGS]
    cases += [(13, 8, a, p) for a in corners for p in corners]
    # The second and third encoding of the length of AAD; a payload that the nonce still allows.
    cases += [(7, 4, a, 1) for a in (65279, 65280, 65281)] + [(13, 4, 0, 65535)]
    texts = [(rng.randbytes(n), t, rng.randbytes(a), rng.randbytes(p)) for n, t, a, p in cases]
    there = play(CORE, [packet(data, aad, None, iv, t) for iv, t, aad, data in texts], stalls=0.1)
    for number, (iv, t, aad, data) in enumerate(texts):
        assert output(there, number) == AESCCM(KEY, t).encrypt(iv, data, aad)
    secrets = [
        (output(there, n)[: -text[1]], output(there, n)[-text[1] :]) for n, text in enumerate(texts)
    ]
    back = play(
        CORE,
        [
            packet(secret, aad, tag, iv, t)
            for (iv, t, aad, _), (secret, tag) in zip(texts, secrets, strict=True)
        ],
        stalls=0.1,
    )
    for number, (_, _, _, data) in enumerate(texts):
        assert output(back, number) == data
        assert back.outputs[number][-1] == VERIFIED


def test_forged_packets_have_one_verdict_and_no_tag() -> None:
    rng = random.Random(3)
    aad, data = rng.randbytes(20), rng.randbytes(40)
    secret, tag = ccm(KEY, bytes(13), aad, data, False, 16)

    def flipped(text: bytes, bit: int) -> bytes:
        return (int.from_bytes(text, "big") ^ 1 << bit).to_bytes(len(text), "big")

    forged = [packet(secret, aad, flipped(tag, bit)) for bit in range(0, 128, 5)]
    forged += [packet(flipped(secret, bit), aad, tag) for bit in range(0, 320, 11)]
    forged += [packet(secret, flipped(aad, bit), tag) for bit in range(0, 160, 9)]
    forged += [
        packet(secret[:32], aad, tag),
        packet(secret[16:32] + secret[:16] + secret[32:], aad, tag),
        packet(secret, aad[:16], tag),
        packet(secret, b"", tag),
        packet(aad, secret, tag),
        packet(secret, aad, tag, bytes(12)),
        packet(secret, aad, tag[:8], size=8),
    ]
    board = play(CORE, [*forged, packet(secret, aad, tag)], stalls=0.1)
    for given in board.outputs[:-1]:
        assert given[-1] == FAILED
        assert [beat.kind for beat in given[:-1]] == ["payload"] * (len(given) - 1)
    assert board.outputs[-1][-1] == VERIFIED


def test_beats_that_do_not_agree_with_the_header_fail() -> None:
    """And output no keystream beyond the length of the header."""
    aad, data = bytes(20), bytes(40)
    secret, tag = ccm(KEY, bytes(13), aad, data, False, 16)
    header, whole = packet(secret, aad, tag)
    encrypt, open_beats = packet(data, aad)
    for given, found in ((header, whole), (encrypt, open_beats)):
        wrong = [
            (replace(given, **{name: getattr(given, name) + change}), found)
            for name in ("aad_bytes", "payload_bytes")
            for change in (-16, -1, 1, 16, 2**31)
        ]
        wrong += [
            (given, [*found[2:-1], *found[:2], found[-1]]),
            (given, [replace(found[0], kind="iv"), *found[1:]]),
            (given, [replace(found[0], data=b""), *found[1:]]),
            (given, [*found[:-1], replace(found[-1], kind="payload", data=bytes(16))]),
        ]
        board = play(CORE, [*wrong, (given, found)], stalls=0.1)
        for (asked, _), outputs in zip(wrong, board.outputs, strict=False):
            assert outputs[-1] == FAILED
            assert sum(len(beat.data) for beat in outputs) <= asked.payload_bytes
        assert board.outputs[-1][-1].kind != "failed"


def test_headers_that_no_packet_can_have_are_refused() -> None:
    header, given = packet(bytes(20))
    refused = [replace(header, iv_bytes=n) for n in (0, 6, 14, 15)]
    refused += [replace(header, tag_bytes=t) for t in (0, 2, 5, 15, 17, 18, 31)]
    refused += [replace(header, payload_bytes=65536)]
    refused += [replace(header, iv_bytes=12, payload_bytes=2**24)]
    board = play(CORE, [*((one, given) for one in refused), (header, given)])
    assert board.outputs[:-1] == [[FAILED]] * len(refused)
    assert output(board, len(refused)) == AESCCM(KEY, 16).encrypt(bytes(13), bytes(20), b"")


def test_a_second_packet_equals_the_first_after_an_abort_at_any_beat() -> None:
    aad, data = bytes(range(20)), bytes(range(40))
    whole = packet(data, aad)
    header, given = whole
    packets: list[tuple[Header, list[Beat]]] = [whole]
    for at in range(len(given)):
        packets += [(header, [*given[:at], replace(given[at], last=True, abort=True)]), whole]
    board = play(CORE, packets)
    for number in range(0, len(packets), 2):
        assert board.outputs[number] == board.outputs[0]
    for number in range(1, len(packets), 2):
        assert board.outputs[number][-1] == FAILED


def test_timing_does_not_depend_on_keys_data_or_verdicts() -> None:
    seen = set()
    for seed in range(3):
        rng = random.Random(seed)
        aad, data, tag = rng.randbytes(20), rng.randbytes(40), rng.randbytes(16)
        if seed:
            data, tag = ccm(KEY, bytes(13), aad, data, False, 16)
        board = play(CORE, [packet(data, aad), packet(data, aad, tag)], stalls=0)
        assert board.outputs[1][-1] == (VERIFIED if seed else FAILED)
        seen.add((tuple(board.accepted), tuple(board.offered)))
    assert len(seen) == 1
