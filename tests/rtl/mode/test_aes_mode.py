"""aes_mode: standards' vectors and random packets above cores of each engine; what users report."""

import random
from collections.abc import Iterator

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms
from cryptography.hazmat.primitives.ciphers import modes as openssl
from cryptography.hazmat.primitives.cmac import CMAC
from packet_benches import KEY, bench, play
from suite import slow

from aesforge.core.sources import closure
from aesforge.flows.verify_modes import CHECKS
from aesforge.sim.packets import (
    Beat,
    Header,
    Packet,
    PacketScoreboard,
    authenticated,
    beats,
    cmac,
    opening,
    paired,
    process,
    wrap,
)
from aesforge.space.modes import MODES, mask
from aesforge.tools import verilator
from aesforge.tools.process import ToolFailed

EVERY = f"kakarlapudi-sbox mode={','.join(MODES)} semiblocks=8"
STREAMS = "aesforge-interleaved mode=cbc,cfb8,ctr,cmac streams=4 counter_bits=32"
# More engines and key schedules, one mode alone, and a counter of few bits.
MORE = (
    "hodjat-lut-1 keys=128 mode=ctr,ofb,cmac streams=2",
    "hodjat-tower-4 keys=128 direction=both key_schedule=stored mode=ecb,cbc,cfb128",
    "aesforge-unrolled stop_cycles=2 mode=ctr counter_bits=1",
    "kakarlapudi-tbox keys=192 direction=decrypt mode=cbc_cs3,ecb",
    "aesforge-iterative key_schedule=stored mode=cbc_cs1",
    "aesforge-iterative mode=cbc_cs2,cfb1",
    # A block in one cycle, and in two.
    "aesforge-iterative direction=both rounds_per_cycle=10 mode=cbc,xts,ccm,ofb",
    "aesforge-iterative direction=both rounds_per_cycle=5 mode=cbc,cfb8 streams=2",
    "bulens-encrypt mode=cfb128,cbc streams=4",
    "aesforge-compact mode=cbc,ctr",
    "fan sboxes=4 mode=ctr,cmac",
    "sklavos-ake keys=128 direction=encrypt mode=cmac",
    # Second cores of each kind: 8 bits wide, interleaved, iterative.
    "aesforge-compact keys=128 mode=xts",
    "fan keys=256 sboxes=2 sbox=lean mode=xts,ecb",
    "aesforge-unrolled keys=256 direction=decrypt stages=4 sbox_registers=1 mode=xts",
    "bulens-split keys=128 direction=both mode=xts,cmac",
    "sklavos-ake key_schedule=given direction=decrypt mode=xts",
    "hodjat-lut-1 mode=xts",
    "hodjat-lut-1 keys=256 mode=ccm,ctr",
    "aesforge-lowcost direction=encrypt mode=ccm,ctr,cmac",
    "aesforge-interleaved-universal mode=ccm",
    "aesforge-compact mode=kw,kwp semiblocks=4",
    "bulens-encrypt mode=kwp",
    "sklavos-ake direction=decrypt mode=kw,ecb",
    "hodjat-lut-1 keys=256 mode=kwp,gcm,ccm semiblocks=8",
    "aesforge-interleaved-universal mode=kw,kwp,cmac,xts",
    "fan keys=256 mode=kw semiblocks=2",
)


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize(
    "core", [EVERY, *(pytest.param(core, marks=slow) for core in (STREAMS, *MORE))]
)
def test_packets_agree_with_the_standards(core: str, check: str) -> None:
    problems, covered = CHECKS[check](bench(core))
    assert problems == [], covered


@pytest.mark.parametrize("core", [EVERY, STREAMS, *MORE])
@pytest.mark.full
def test_all_vectors_and_many_packets(core: str) -> None:
    for check in CHECKS.values():
        problems, covered = check(bench(core, 10_000))
        assert problems == [], covered


# The model ---------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore::cryptography.utils.CryptographyDeprecationWarning")
@pytest.mark.parametrize("mode", ["ecb", "cbc", "ctr", "ofb", "cfb128", "cfb8", "xts"])
def test_the_model_agrees_with_openssl(mode: str) -> None:
    rng = random.Random(mode)
    library = {"cfb128": "CFB", "cfb8": "CFB8"}.get(mode, mode.upper())
    for _ in range(50):
        key, iv = rng.randbytes(rng.choice((16, 24, 32))), rng.randbytes(16)
        data = rng.randbytes(16 * rng.randrange(5) if mode in ("ecb", "cbc") else rng.randrange(80))
        if mode == "xts":
            key, data = rng.randbytes(rng.choice((32, 64))), rng.randbytes(rng.randrange(16, 80))
        chosen = getattr(openssl, library)(*(() if mode == "ecb" else (iv,)))
        cipher = Cipher(algorithms.AES(key), chosen)
        for decrypt, context in ((False, cipher.encryptor()), (True, cipher.decryptor())):
            assert process(mode, key, iv, data, decrypt) == context.update(data)


def test_the_models_tags_are_those_of_openssl() -> None:
    rng = random.Random(1)
    for size in range(66):
        key, data = rng.randbytes(rng.choice((16, 24, 32))), rng.randbytes(size)
        authenticator = CMAC(algorithms.AES(key))
        authenticator.update(data)
        assert cmac(key, data) == authenticator.finalize()


# What users of other cores report ----------------------------------------------------------------


def result(mode: str, data: bytes, iv: bytes = bytes(range(16, 32)), key: bytes = KEY) -> bytes:
    """What a mode above EVERY, whose keys are pairs, makes of a payload."""
    pair = paired(bench(EVERY).config, key)
    if MODES[mode].wraps:
        return wrap(mode, key, data) or b""
    if MODES[mode].tag:
        return b"".join(authenticated(mode, key, iv[: MODES[mode].iv], b"", data))
    return process(mode, pair if MODES[mode].two_keys else key, iv, data, False)


def packet(mode: str, data: bytes, decrypt: bool = False, tag: bytes | None = None) -> Packet:
    header = opening(mode, decrypt, bytes(range(16, 32)), 16, 0, len(data))
    return header, beats(header, data, tag)


def output(board: PacketScoreboard, number: int) -> bytes:
    return b"".join(beat.data for beat in board.outputs[number])


@slow
def test_cfb8_encrypts_after_decrypted_beats_that_a_deep_pipeline_still_holds() -> None:
    """Two beats, 32 blocks, are in the core when the last result of the first one leaves it."""
    rng = random.Random(8)
    packets = []
    for number in range(8):
        header = opening("cfb8", number % 2 == 0, rng.randbytes(16), 0)
        packets.append((header, beats(header, rng.randbytes(48))))
    play("hodjat-lut-2 mode=cfb8", packets, stalls=0.0)


@pytest.mark.parametrize("mode", MODES)
def test_byte_counts_of_the_packet_before_have_no_effect(mode: str) -> None:
    sizes = [5, 16, 1, 32, 3]
    if MODES[mode].lengths == "block or more":
        sizes = [33, 16, 17, 48, 31, 16, 47, 32]
    if MODES[mode].lengths == "blocks":
        sizes = [16, 48, 16, 32]
    if MODES[mode].lengths == "semiblocks":
        sizes = [24, 48, 16, 40, 24]
    data = random.Random(mode).randbytes(48)
    board = play(EVERY, [packet(mode, data[:size]) for size in sizes])
    for number, size in enumerate(sizes):
        assert output(board, number) == result(mode, data[:size])


@pytest.mark.parametrize("mode", MODES)
def test_a_second_packet_equals_the_first(mode: str) -> None:
    data = random.Random(mode).randbytes(40)
    board = play(EVERY, [packet(mode, data, decrypt) for decrypt in (False, False, True, True)])
    assert board.outputs[0] == board.outputs[1]
    assert board.outputs[2] == board.outputs[3]


@pytest.mark.parametrize("mode", MODES)
def test_empty_packets_end_with_one_empty_beat(mode: str) -> None:
    board = play(EVERY, [packet(mode, b"", decrypt) for decrypt in (False, True)] * 2)
    wanted = [("payload", 0)] * 2
    if MODES[mode].tag:
        wanted = [("tag", 16), ("failed", 0)]
    elif MODES[mode].two_keys or MODES[mode].wraps:
        wanted = [("failed", 0)] * 2
    for number, given in enumerate(board.outputs):
        assert [(beat.kind, len(beat.data)) for beat in given] == [wanted[number % 2]]


def test_an_empty_message_has_a_tag() -> None:
    tag = cmac(KEY, b"")
    header = Header("cmac", True, bytes(16), 16)
    board = play(EVERY, [packet("cmac", b"", True, tag), (header, [Beat(tag, "tag", True)])])
    assert board.verdicts == {"verified": 2}


@pytest.mark.parametrize("core", [EVERY, pytest.param(STREAMS, marks=slow)])
def test_each_packet_may_have_another_key_mode_and_direction(core: str) -> None:
    test = bench(core)
    keys = [test.random_key() for _ in range(40)]
    board = play(core, [test.random_packet(key) for key in keys], keys, 0.1)
    assert board.packets == len(keys)


@pytest.mark.parametrize("mode", MODES)
def test_an_abort_at_any_beat_leaves_no_trace(mode: str) -> None:
    data = random.Random(mode).randbytes(48)
    for decrypt in (False, True):
        header = opening(mode, decrypt, bytes(16), 16, 0, 48)
        packets = [(header, beats(header, data[: 16 * size], abort=True)) for size in range(4)] + [
            packet(mode, data)
        ]
        board = play(EVERY, packets)
        assert [given[-1].kind for given in board.outputs[:4]] == ["failed"] * 4
        assert all(beat.kind != "tag" for given in board.outputs[:4] for beat in given)
        assert board.outputs[4][-1].kind == ("tag" if MODES[mode].tag else "payload")


@pytest.mark.parametrize(
    "mode",
    [
        *(pytest.param(mode, marks=slow) for mode in ("cbc", "cfb8", "cbc_cs1", "cmac", "ccm")),
        "xts",
    ],
)
def test_a_clear_in_any_cycle_of_a_packet_leaves_no_trace(mode: str) -> None:
    test, rng = bench(EVERY), random.Random(mode)

    def script() -> Iterator[bytes]:
        for cycle in range(1, 90):
            data = rng.randbytes(35)
            yield test.key(rng.randbytes(32)) + test.script.wait("key", 2 * cycle - 1)
            yield from test.packets([packet(mode, data), packet(mode, data, True)])
            yield test.script.tick(cycle) + test.script.level("key_clear_i", 1)
            yield test.script.tick(1) + test.withdraw() + test.script.level("key_clear_i", 0)
            yield test.key(rng.randbytes(32)) + test.script.wait("key", 2 * cycle)
            yield from test.packets([packet(mode, data)])
            yield test.script.drain(test.longest, 2_000_000)

    board = test.watch(script())
    assert board.problems == []
    assert board.cleared > 20


def test_forged_messages_and_tags_fail_and_show_nothing() -> None:
    data = random.Random(2).randbytes(40)
    tag = cmac(KEY, data)
    forged: list[Packet] = []
    for bit in range(0, 128, 3):
        wrong = (int.from_bytes(tag, "big") ^ 1 << bit).to_bytes(16, "big")
        forged.append(packet("cmac", data, True, wrong))
    for bit in range(0, 320, 7):
        changed = (int.from_bytes(data, "big") ^ 1 << bit).to_bytes(40, "big")
        forged.append(packet("cmac", changed, True, tag))
    # Truncated, reordered, with bytes added, with a short tag, without a tag.
    for changed in (data[:32], data[16:32] + data[:16] + data[32:], data + b"\0", b""):
        forged.append(packet("cmac", changed, True, tag))
    forged += [packet("cmac", data, True, tag[:15]), packet("cmac", data + tag, True)]
    board = play(EVERY, [*forged, packet("cmac", data, True, tag)])
    for given in board.outputs[:-1]:
        assert given == [Beat(b"", "failed", True)]
    assert board.outputs[-1] == [Beat(b"", "verified", True)]


def test_a_header_may_wait_for_its_key_at_any_time() -> None:
    """A header that is offered with a key uses it, whatever the packet before does."""
    test, rng = bench(EVERY), random.Random(3)
    keys = [rng.randbytes(16) for _ in range(30)]

    def script() -> Iterator[bytes]:
        for number, key in enumerate(keys):
            yield test.script.wait("pkt", number) + test.key(paired(test.config, key))
            yield from test.packets([packet("ctr", bytes(40))])
        yield test.script.drain(test.longest, 2_000_000)

    board = test.watch(script())
    assert board.problems == []
    for number, key in enumerate(keys):
        assert output(board, number) == result("ctr", bytes(40), key=key)


@slow
def test_a_number_that_is_not_in_the_list_selects_the_lowest_mode() -> None:
    test = bench(STREAMS)
    test_header = Header("ecb", False, bytes(range(16)), 0)
    board = play(STREAMS, [(test_header, beats(test_header, bytes(32)))])
    lowest = min(test.config.modes, key=lambda mode: mode.code)
    wanted = process(lowest.name, KEY, bytes(range(16)), bytes(32), False, 32)
    assert output(board, 0) == wanted


def test_equal_keys_of_xts_give_a_verdict_and_no_byte() -> None:
    test, data = bench(EVERY), bytes(range(40))
    equal = bytes(range(32))

    def script() -> Iterator[bytes]:
        # Equal keys of 256 bits, equal ones of 128 bits, ones that differ in the last bit.
        for number, key in enumerate(
            (equal * 2, equal[:16] * 2, equal[:16] + equal[:15] + b"\x0e")
        ):
            yield test.key(key) + test.script.wait("key", number + 1)
            yield from test.packets(
                [packet("xts", data, decrypt) for decrypt in (False, True)] + [packet("ecb", data)]
            )
            yield test.script.wait("pkt", 3 * number + 3)
        yield test.script.drain(test.longest, 2_000_000)

    board = test.watch(script())
    assert board.problems == []
    for number in (0, 1, 3, 4):
        assert board.outputs[number] == [Beat(b"", "failed", True)]
    # Other modes have one key, and so has each half that differs.
    assert [given[-1].kind for given in board.outputs[6:]] == ["payload"] * 3
    assert output(board, 2) == process("ecb", equal, bytes(16), data, False)


def test_a_data_unit_of_any_length_has_no_expansion() -> None:
    rng = random.Random(4)
    pair = paired(bench(EVERY).config, KEY)
    units = [rng.randbytes(size) for size in (*range(16, 66), 1, 15)]
    there = play(EVERY, [packet("xts", unit) for unit in units])
    for number, unit in enumerate(units[:-2]):
        cipher = Cipher(algorithms.AES(pair), openssl.XTS(bytes(range(16, 32)))).encryptor()
        assert output(there, number) == cipher.update(unit)
    back = play(EVERY, [packet("xts", output(there, n), True) for n in range(len(units) - 2)])
    assert [output(back, number) for number in range(len(units) - 2)] == units[:-2]
    assert [given[0].kind for given in there.outputs[-2:]] == ["failed"] * 2


def test_timing_does_not_depend_on_keys_data_or_verdicts() -> None:
    seen = set()
    for seed in range(3):
        rng = random.Random(seed)
        key, data = rng.randbytes(32), rng.randbytes(40)
        tag = cmac(key[:16], data) if seed else rng.randbytes(16)
        packets = [packet(mode, data, decrypt) for mode in MODES for decrypt in (False, True)]
        board = play(EVERY, [*packets, packet("cmac", data, True, tag)], [key], 0)
        assert board.outputs[-1][0].kind == ("verified" if seed else "failed")
        seen.add((tuple(board.accepted), tuple(board.offered), tuple(board.opened)))
    assert len(seen) == 1


# Illegal parameters -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"Modes": 0}, "Modes_must_be_a_sum_of_powers_of_two_of_MODE_codes"),
        ({"Modes": 1 << 18}, "Modes_must_be_a_sum_of_powers_of_two_of_MODE_codes"),
        (
            {"Modes": 5, "Direction": 1},
            "Modes_other_than_ECB_CBC_XTS_and_KW_need_a_core_that_encrypts",
        ),
        ({"Modes": 1 << 11, "Streams": 2}, "Modes_with_GHASH_take_one_stream"),
        ({"Modes": 1 << 14, "Streams": 2}, "MODE_CCM_takes_one_stream"),
        ({"Modes": 1 << 16, "Streams": 2}, "Modes_that_wrap_keys_take_one_stream"),
        ({"Modes": 1 << 15, "Semiblocks": 3}, "Semiblocks_must_be_a_power_of_two_from_2_on"),
        ({"Modes": 128, "Streams": 2}, "Modes_with_ciphertext_stealing_take_one_stream"),
        ({"Modes": 2, "Streams": 3}, "Streams_must_be_a_power_of_two"),
        ({"Modes": 4, "CounterBits": 0}, "CounterBits_must_be_1_to_128"),
        ({"Modes": 4, "CounterBits": 129}, "CounterBits_must_be_1_to_128"),
    ],
)
def test_illegal_parameters_are_named(parameters: dict[str, int], message: str) -> None:
    with pytest.raises(ToolFailed, match=message):
        verilator.lint(closure("aes_mode"), "aes_mode", parameters)


def test_modes_have_codes_of_their_own() -> None:
    assert mask(MODES.values()).bit_count() == len(MODES)
