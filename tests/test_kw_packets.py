"""KW and KWP on packets: every length, what is not right, and what other cores get wrong."""

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest
from cryptography.hazmat.primitives import keywrap
from packet_benches import KEY, bench, play
from suite import slow

from aesforge.flows.verify_modes import CHECKS
from aesforge.sim.mode_vectors import mode_vectors
from aesforge.sim.oracle import ecb
from aesforge.sim.packets import (
    ICV2,
    Beat,
    Packet,
    PacketScoreboard,
    beats,
    opening,
    unwrap,
    wrap,
    wrapping,
)

CORE = "kakarlapudi-sbox keys=128 mode=kw,kwp semiblocks=8"
FAILED, VERIFIED = Beat(b"", "failed", True), Beat(b"", "verified", True)
WRAP = {"kw": keywrap.aes_key_wrap, "kwp": keywrap.aes_key_wrap_with_padding}
UNWRAP = {"kw": keywrap.aes_key_unwrap, "kwp": keywrap.aes_key_unwrap_with_padding}


@pytest.mark.parametrize("check", CHECKS)
def test_packets_agree_with_the_standard(check: str) -> None:
    problems, covered = CHECKS[check](bench(CORE))
    assert problems == [], covered


@slow
def test_all_vectors_of_all_key_sizes() -> None:
    problems, covered = CHECKS["mode_vectors"](bench("kakarlapudi-sbox mode=kw,kwp", 10_000))
    assert problems == [], covered


@pytest.mark.parametrize("mode", WRAP)
def test_the_model_agrees_with_openssl(mode: str) -> None:
    rng = random.Random(mode)
    for _ in range(100):
        key = rng.randbytes(rng.choice((16, 24, 32)))
        data = rng.randbytes(8 * rng.randrange(2, 20) if mode == "kw" else rng.randrange(1, 80))
        secret = wrap(mode, key, data)
        assert secret == WRAP[mode](key, data)
        assert unwrap(mode, key, secret) == data
        wrong = bytes([secret[0] ^ 1]) + secret[1:]
        assert unwrap(mode, key, wrong) is None
        with pytest.raises(keywrap.InvalidUnwrap):
            UNWRAP[mode](key, wrong)


@pytest.mark.parametrize("mode", WRAP)
def test_every_vector_of_nist_is_there(mode: str) -> None:
    found = [vector for vector in mode_vectors(mode) if vector.name.startswith(mode.upper())]
    # 500 of each key size, direction; a fifth of those to unwrap fails.
    assert len(found) == 2 * 3 * 500
    assert sum(vector.fails for vector in found) == 300
    assert len(mode_vectors(mode)) > len(found)


# What users of other cores report ----------------------------------------------------------------


def packet(mode: str, data: bytes, decrypt: bool = False) -> Packet:
    header = opening(mode, decrypt, bytes(16), 0)
    return header, beats(header, data)


def wrapped(mode: str, data: bytes) -> bytes:
    found = wrap(mode, KEY, data)
    assert found is not None
    return found


def output(board: PacketScoreboard, number: int) -> bytes:
    return b"".join(beat.data for beat in board.outputs[number])


@pytest.mark.parametrize("mode", WRAP)
def test_all_lengths(mode: str) -> None:
    rng = random.Random(mode)
    sizes = range(16, 65, 8) if mode == "kw" else range(1, 65)
    texts = [rng.randbytes(size) for size in sizes]
    there = play(CORE, [packet(mode, text) for text in texts], stalls=0.1)
    for number, text in enumerate(texts):
        assert output(there, number) == WRAP[mode](KEY, text)
        assert [beat.kind for beat in there.outputs[number]][-1] == "payload"
    back = play(CORE, [packet(mode, output(there, n), True) for n in range(len(texts))], stalls=0.1)
    for number, text in enumerate(texts):
        assert output(back, number) == text
        assert back.outputs[number][-1] == VERIFIED


@pytest.mark.parametrize("mode", WRAP)
def test_a_length_that_the_mode_or_the_memory_does_not_have_fails(mode: str) -> None:
    wrong = [packet(mode, bytes(size)) for size in (0, 65, 72, 80, 200)]
    wrong += [packet(mode, bytes(size), True) for size in (0, 1, 8, 15, 17, 23, 80, 88, 200)]
    if mode == "kw":
        wrong += [packet(mode, bytes(size)) for size in (1, 8, 15, 17, 31, 33, 63)]
        wrong += [packet(mode, wrapped("kwp", b"key"), True)]
    right = packet(mode, bytes(range(64)))
    board = play(CORE, [item for pair in wrong for item in (pair, right)], stalls=0.1)
    for number, given in enumerate(board.outputs):
        if number % 2:
            assert output(board, number) == wrapped(mode, bytes(range(64)))
        else:
            assert given == [FAILED]


@pytest.mark.parametrize("mode", WRAP)
def test_what_is_forged_gives_one_verdict_and_no_byte(mode: str) -> None:
    data = random.Random(mode).randbytes(24)
    secret = wrapped(mode, data)

    def flipped(text: bytes, bit: int) -> bytes:
        return (int.from_bytes(text, "big") ^ 1 << bit).to_bytes(len(text), "big")

    forged = [flipped(secret, bit) for bit in range(0, 256, 5)]
    forged += [secret[:-8], secret[8:], secret + bytes(8), secret[:-1], secret[::-1]]
    forged += [secret[8:16] + secret[:8] + secret[16:]]
    forged += [wrapped("kwp" if mode == "kw" else "kw", data)]
    forged += [wrapping(KEY, bytes(8) + data, False), wrapping(KEY, data, False)]
    board = play(
        CORE,
        [*(packet(mode, text, True) for text in forged), packet(mode, secret, True)],
        stalls=0.1,
    )
    for given in board.outputs[:-1]:
        assert given == [FAILED]
    assert output(board, len(forged)) == data


def test_the_length_and_the_padding_of_kwp_are_verified() -> None:
    right, packets = [], []
    for count in (1, 2, 3):
        for length in range(8 * count - 10, 8 * count + 3):
            for zeros in (0, 1, 3, 7, 8):
                text = (bytes([1]) * (8 * count - zeros)).ljust(8 * count, b"\0")
                whole = ICV2 + max(0, length).to_bytes(4, "big") + text
                secret = wrapping(KEY, whole, False)
                if count == 1:
                    # One semiblock is a single block, and no case of W.
                    secret = ecb(KEY, False)(whole)
                packets.append(packet("kwp", secret, True))
                right.append(0 <= 8 * count - length <= min(7, zeros))
    board = play(CORE, packets, stalls=0)
    assert [given[-1] == VERIFIED for given in board.outputs] == right
    assert all(len(given) == 1 for given in board.outputs if given[-1] == FAILED)
    assert 0 < sum(right) < len(right)


def test_beats_within_a_packet_must_be_whole() -> None:
    for mode in WRAP:
        header, (first, second) = packet(mode, bytes(range(32)))
        cut = replace(first, data=first.data[:8])
        empty = replace(first, data=b"")
        board = play(
            CORE,
            [
                (header, [cut, second]),
                (header, [empty, first, second]),
                (header, [first, cut, second]),
                (header, [first, replace(second, last=False), replace(empty, last=True)]),
            ],
        )
        assert board.outputs[:3] == [[FAILED]] * 3
        assert output(board, 3) == wrapped(mode, bytes(range(32)))


@pytest.mark.parametrize("decrypt", [False, True])
def test_a_second_packet_equals_the_first_after_an_abort_at_any_beat(decrypt: bool) -> None:
    text = wrapped("kw", bytes(range(56))) if decrypt else bytes(range(64))
    whole = packet("kw", text, decrypt)
    header, given = whole
    packets: list[Packet] = [whole]
    for at in range(len(given)):
        packets += [(header, [*given[:at], replace(given[at], last=True, abort=True)]), whole]
    board = play(CORE, packets)
    for number in range(0, len(packets), 2):
        assert board.outputs[number] == board.outputs[0]
    for number in range(1, len(packets), 2):
        assert board.outputs[number] == [FAILED]


@pytest.mark.parametrize("decrypt", [False, True])
def test_a_clear_at_any_time_leaves_no_trace(decrypt: bool) -> None:
    test, rng, data = bench(CORE), random.Random(decrypt), bytes(range(32))
    text = wrapped("kw", data) if decrypt else data

    def script() -> Iterator[bytes]:
        for number in range(1, 60):
            yield test.key(KEY) + test.script.wait("key", 2 * number - 1)
            yield from test.packets([packet("kw", text, decrypt)])
            # Loading, 24 blocks of 11 cycles, and the output.
            yield test.script.tick(rng.choice((rng.randrange(300), rng.randrange(260, 290))))
            yield test.script.level("key_clear_i", 1) + test.script.tick(1)
            yield test.withdraw() + test.script.level("key_clear_i", 0)
            yield test.key(bytes(16)) + test.script.wait("key", 2 * number)
            yield from test.packets([packet("kwp", bytes(3))])
            yield test.script.drain(test.longest, 2_000_000)

    board = test.watch(script())
    assert board.problems == []
    assert board.cleared > 30


def test_timing_does_not_depend_on_keys_or_data() -> None:
    seen = set()
    for seed in range(3):
        rng = random.Random(seed)
        data = rng.randbytes(40)
        packets = [packet("kw", data), packet("kwp", data[:37])]
        packets += [packet("kw", wrapped("kw", data), True)]
        packets += [packet("kwp", wrapped("kwp", data[: 33 + seed]), True)]
        board = play(CORE, packets, stalls=0)
        seen.add((tuple(board.accepted), tuple(board.offered)))
    assert len(seen) == 1


def test_a_wrong_packet_takes_as_long_as_a_right_one() -> None:
    secret, seen = wrapped("kw", bytes(40)), []
    for text in (secret, secret[:-1] + bytes([secret[-1] ^ 1])):
        board = play(CORE, [packet("kw", text, True)], stalls=0)
        seen.append((board.accepted, board.offered[-1], board.outputs[0][-1]))
    assert seen[0][:2] == seen[1][:2]
    assert [end for *_, end in seen] == [VERIFIED, FAILED]
