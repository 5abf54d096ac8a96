"""GCM-SIV on packets: every length, what is not right, repeated nonces, keys after a packet."""

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCMSIV
from packet_benches import KEY, bench, play
from suite import slow

from aesforge.flows.verify_modes import CHECKS
from aesforge.sim.mode_vectors import mode_vectors
from aesforge.sim.packets import Beat, Packet, PacketScoreboard, beats, gcm_siv, opening

CORE = "kakarlapudi-sbox keys=128 mode=gcm-siv payload_bytes=128"
LIST = "aesforge-iterative mode=ctr,cmac,gcm,gcm-siv payload_bytes=64"
ANY = "kakarlapudi-sbox keys=any mode=ctr,gcm-siv payload_bytes=64"
PIPELINED = "hodjat-lut-1 keys=256 mode=gcm-siv,gcm payload_bytes=256"
# More engines, key schedules and digits of GHASH.
MORE = (
    PIPELINED,
    "aesforge-interleaved mode=gcm-siv,ccm,kw payload_bytes=64 semiblocks=8",
    "aesforge-compact mode=gcm-siv,xts,gmac payload_bytes=256",
    "fan keys=256 mode=gcm-siv payload_bytes=64",
    "aesforge-iterative-universal mode=gcm,gcm-siv hold=on hold_bytes=64 payload_bytes=64",
    "aesforge-iterative mode=gcm-siv port=axi-stream payload_bytes=64",
)
FAILED, VERIFIED = Beat(b"", "failed", True), Beat(b"", "verified", True)
NONCE = bytes(range(12))


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize(
    "core", [CORE, pytest.param(LIST, marks=slow), *(pytest.param(c, marks=slow) for c in MORE)]
)
def test_packets_agree_with_the_standard(core: str, check: str) -> None:
    problems, covered = CHECKS[check](bench(core))
    assert problems == [], covered


def test_the_model_agrees_with_openssl() -> None:
    rng = random.Random(1)
    for _ in range(60):
        key, nonce = rng.randbytes(rng.choice((16, 32))), rng.randbytes(12)
        aad, data = rng.randbytes(rng.randrange(40)), rng.randbytes(rng.randrange(80))
        secret, tag = gcm_siv(key, nonce, aad, data)
        assert secret + tag == AESGCMSIV(key).encrypt(nonce, data, aad)
        assert gcm_siv(key, nonce, aad, secret, tag) == (data, tag)
        wrong = bytes([tag[0] ^ 1]) + tag[1:]
        assert gcm_siv(key, nonce, aad, secret, wrong)[1] != wrong
        with pytest.raises(InvalidTag):
            AESGCMSIV(key).decrypt(nonce, secret + wrong, aad)


def test_every_vector_of_the_standard_is_there() -> None:
    found = [vector for vector in mode_vectors("gcm-siv") if vector.name.startswith("RFC 8452 ")]
    assert {len(vector.key) for vector in found} == {16, 32}
    assert {vector.decrypt for vector in found} == {False, True}
    # Among them the counters that wrap (C.3).
    assert len({(vector.key, vector.iv, vector.aad, vector.result) for vector in found}) >= 80


# What users of other cores report ----------------------------------------------------------------


def packet(data: bytes, aad: bytes = b"", tag: bytes | None = None) -> Packet:
    header = opening("gcm-siv", tag is not None, NONCE, 16)
    return header, beats(header, data, tag, aad=aad)


def sealed(data: bytes, aad: bytes = b"", key: bytes = KEY) -> tuple[bytes, bytes]:
    whole = AESGCMSIV(key).encrypt(NONCE, data, aad)
    return whole[:-16], whole[-16:]


def output(board: PacketScoreboard, number: int) -> bytes:
    return b"".join(beat.data for beat in board.outputs[number])


def test_all_lengths_of_payload_and_aad() -> None:
    rng = random.Random(3)
    sizes = [(size, rng.choice((0, 5, 16))) for size in range(50)]
    sizes += [(rng.choice((0, 1, 16)), size) for size in range(50)]
    texts = [(rng.randbytes(size), rng.randbytes(aad)) for size, aad in sizes]
    there = play(CORE, [packet(*text) for text in texts], stalls=0.1)
    for number, text in enumerate(texts):
        assert output(there, number) == b"".join(sealed(*text))
        assert there.outputs[number][-1].kind == "tag"
    back = [packet(secret, aad, tag) for data, aad in texts for secret, tag in [sealed(data, aad)]]
    board = play(CORE, back, stalls=0.1)
    for number, (data, _) in enumerate(texts):
        assert output(board, number) == data
        assert board.outputs[number][-1] == VERIFIED


def test_a_payload_that_does_not_fit_in_the_memory_fails() -> None:
    data = random.Random(4).randbytes(161)
    sizes = (127, 128, 129, 144, 161)
    packets = []
    for size in sizes:
        secret, tag = sealed(data[:size])
        packets += [packet(data[:size]), packet(secret, b"", tag)]
    # AAD has no limit.
    packets.append(packet(data[:20], 3 * data))
    board = play(CORE, packets, stalls=0.1)
    for number, size in enumerate(sizes):
        if size > 128:
            assert board.outputs[2 * number : 2 * number + 2] == [[FAILED]] * 2
        else:
            assert output(board, 2 * number) == b"".join(sealed(data[:size]))
            assert output(board, 2 * number + 1) == data[:size]
    assert output(board, 10) == b"".join(sealed(data[:20], 3 * data))


def test_what_is_forged_gives_one_verdict_and_no_byte() -> None:
    data, aad = random.Random(5).randbytes(40), b"additional"
    secret, tag = sealed(data, aad)

    def flipped(text: bytes, bit: int) -> bytes:
        return (int.from_bytes(text, "big") ^ 1 << bit).to_bytes(len(text), "big")

    forged = [packet(secret, aad, flipped(tag, bit)) for bit in range(0, 128, 3)]
    forged += [packet(flipped(secret, bit), aad, tag) for bit in range(0, 320, 11)]
    forged += [packet(secret, flipped(aad, bit), tag) for bit in range(0, 80, 7)]
    forged += [packet(secret[:-1], aad, tag), packet(secret + b"\0", aad, tag)]
    forged += [packet(secret, aad + b"\0", tag), packet(secret, b"", tag), packet(b"", aad, tag)]
    forged += [packet(secret, aad, tag[:size]) for size in (0, 4, 12, 15)]
    forged += [packet(secret[16:32] + secret[:16] + secret[32:], aad, tag)]
    header, rest = packet(secret, aad, tag)
    # The right bytes, but no tag; another nonce; another length of the tag.
    forged += [(header, [*rest[:-1], replace(rest[-1], kind="payload")])]
    forged += [(replace(header, iv=bytes(16)), rest), (replace(header, tag_bytes=12), rest)]
    board = play(CORE, [*forged, (header, rest)], stalls=0.1)
    assert board.outputs[:-1] == [[FAILED]] * len(forged)
    assert output(board, len(forged)) == data


@pytest.mark.parametrize("decrypt", [False, True])
def test_beats_in_another_order_fail_and_empty_ones_have_no_meaning(decrypt: bool) -> None:
    data, aad = bytes(range(40)), bytes(range(20))
    secret, tag = sealed(data, aad)
    header, given = packet(secret if decrypt else data, aad, tag if decrypt else None)
    a1, a2, p1, p2, p3, *end = given
    empty, iv = replace(a1, data=b""), replace(a1, kind="iv")
    orders = (
        [a2, a1, p1, p2, p3, *end],
        [a1, p1, a2, p2, p3, *end],
        [a1, a2, p3, p1, p2, *end],
        [p1, p2, p3, a1, a2, *end],
        [iv, a1, a2, p1, p2, p3, *end],
        [a1, a2, replace(p1, kind="tag"), p2, p3, *end],
        [a1, a2, empty, p1, replace(empty, kind="iv"), p2, p3, *end],
        [*given[:-1], replace(given[-1], last=False), replace(empty, last=True)],
    )
    packets = [
        (header, [replace(beat, last=at == len(order)) for at, beat in enumerate(order, 1)])
        for order in orders
    ]
    board = play(CORE, packets, stalls=0.1)
    good = output(play(CORE, [(header, given)]), 0)
    for number, found in enumerate(board.outputs):
        # A tag to verify is the last beat.
        right = number == 6 or (number == 7 and not decrypt)
        assert (output(board, number) == good) if right else found == [FAILED]


@pytest.mark.parametrize("decrypt", [False, True])
def test_a_second_packet_equals_the_first_after_an_abort_at_any_beat(decrypt: bool) -> None:
    data, aad = bytes(range(56)), b"aad"
    secret, tag = sealed(data, aad)
    whole = packet(secret, aad, tag) if decrypt else packet(data, aad)
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
    test, rng, data = bench(CORE), random.Random(decrypt), bytes(range(40))
    secret, tag = sealed(data)

    def script() -> Iterator[bytes]:
        for number in range(1, 80):
            yield test.key(KEY) + test.script.wait("key", 2 * number - 1)
            yield from test.packets([packet(secret, b"", tag) if decrypt else packet(data)])
            yield test.script.tick(rng.randrange(220))
            yield test.script.level("key_clear_i", 1) + test.script.tick(1)
            yield test.withdraw() + test.script.level("key_clear_i", 0)
            yield test.key(bytes(16)) + test.script.wait("key", 2 * number)
            yield from test.packets([packet(data[:3], b"aad")])
            yield test.script.drain(test.longest, 2_000_000)

    board = test.watch(script())
    assert board.problems == []
    assert board.cleared > 40


def test_a_repeated_nonce_shows_equal_packets_only() -> None:
    data = bytes(range(40))
    other = data[:-1] + b"\0"
    board = play(CORE, [packet(data), packet(data), packet(other), packet(data, b"a")])
    first, again, *others = (output(board, number) for number in range(4))
    assert first == again
    for found in others:
        # Not even equal blocks are seen.
        assert all(found[at : at + 16] != first[at : at + 16] for at in (0, 16, 40))


@slow
@pytest.mark.parametrize("core", [LIST, PIPELINED])
def test_other_modes_have_their_key_again_after_a_packet(core: str) -> None:
    test, rng = bench(core), random.Random(core)
    keys = [test.random_key() for _ in range(60)]
    packets = [test.random_packet(key) for key in keys for _ in range(4)]

    def script() -> Iterator[bytes]:
        yield test.stalls(0.1)
        for number, key in enumerate(keys):
            yield test.key(key) + test.script.wait("key", number + 1)
            yield from test.packets(packets[4 * number : 4 * number + 4])
            yield test.script.wait("pkt", 4 * number + 4, 2_000_000)
            yield test.script.tick(rng.randrange(3))
        yield test.script.drain(test.longest, 2_000_000)

    board = test.watch(script())
    assert board.problems == []
    assert board.packets == len(packets)


@slow
def test_keys_of_192_bits_are_refused_and_others_are_not() -> None:
    data, keys = bytes(range(20)), [bytes(range(size)) for size in (24, 16, 24, 32, 24)]
    board = play(ANY, [packet(data) for _ in keys], keys)
    for number, key in enumerate(keys):
        if len(key) == 24:
            assert board.outputs[number] == [FAILED]
        else:
            assert output(board, number) == b"".join(sealed(data, b"", key))


def test_timing_does_not_depend_on_keys_or_data_and_a_wrong_packet_takes_as_long() -> None:
    seen, ends = set(), []
    for seed in range(4):
        data = random.Random(seed).randbytes(40)
        secret, tag = sealed(data, data[:9])
        if seed == 3:
            tag = tag[:-1] + bytes([tag[-1] ^ 128])
        packets = [packet(data, data[:9]), packet(secret, data[:9], tag), packet(data[:1])]
        board = play(CORE, packets, stalls=0)
        payload = sum(len(beat.data) > 0 for beat in board.outputs[1])
        # All but the cycles in which payload to verify is output.
        offered = board.offered[:4] + board.offered[4 + payload :]
        seen.add((tuple(board.accepted), tuple(offered)))
        ends.append(board.outputs[1][-1])
    assert len(seen) == 1
    assert ends == [VERIFIED] * 3 + [FAILED]
