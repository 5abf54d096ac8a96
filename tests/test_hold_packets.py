"""`hold=on` around whole cores: no payload of a packet is output before it is verified."""

import io
import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from packet_benches import KEY, bench, play
from suite import slow

from aesforge.core.sources import rtl_root
from aesforge.errors import UserError
from aesforge.flows.run import run
from aesforge.flows.verify_modes import CHECKS
from aesforge.sim.packets import (
    Beat,
    Packet,
    authenticated,
    beats,
    opening,
)
from aesforge.space.modes import MODES
from aesforge.space.presets import preset

CORE = "kakarlapudi-sbox keys=128 mode=ecb,gcm hold=on hold_bytes=64 idle_output=zero"
MORE = (
    f"{CORE} port=axi-stream",
    "hodjat-lut-1 keys=128 mode=gcm,gmac hold=on hold_bytes=128",
    "aesforge-unrolled stop_cycles=2 mode=ecb,gcm hold=on",
    "aesforge-interleaved mode=ctr,gcm hold=on hold_bytes=256",
    "aesforge-compact mode=ccm,cmac hold=on hold_bytes=64",
    "aesforge-iterative mode=gcm,ccm hold=on hold_bytes=64",
    "fan sboxes=4 mode=gcm hold=on hold_bytes=64 port=axi-stream",
    "kakarlapudi-sbox keys=128 mode=xts,gcm hold=on hold_bytes=64",
    "aesforge-iterative mode=gcm lanes=2 hold=on hold_bytes=64 port=axi-stream",
    "hodjat-lut-1 keys=128 mode=gcm lanes=4 hold=on hold_bytes=256 key_slots=4",
)
CORES = [CORE, *(pytest.param(core, marks=slow) for core in MORE)]
AUTHENTICATED = [
    pytest.param(core, mode, marks=() if core == CORE else slow)
    for core, mode in (
        (CORE, "gcm"),
        (MORE[1], "gcm"),
        (MORE[4], "ccm"),
        (MORE[5], "ccm"),
    )
]

IV = bytes(range(16, 28))
SIZE = 64


def test_the_layer_holds_the_modes_that_python_says() -> None:
    text = (rtl_root() / "mode" / "aes_hold.sv").read_text(encoding="utf-8")
    (line,) = re.findall(r"localparam int HELD = (.*);", text)
    assert {name.lower() for name in re.findall(r"MODE_(\w+)", line)} == {
        mode.name for mode in MODES.values() if mode.held
    }


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("core", CORES)
def test_packets_agree_with_the_standard(core: str, check: str) -> None:
    problems, covered = CHECKS[check](bench(core))
    assert problems == [], covered


def packet(
    mode: str, data: bytes, aad: bytes = b"", tag: bytes | None = None, key: bytes = KEY
) -> Packet:
    """A packet to encrypt, or with a tag to decrypt; `b"right"` stands for the right tag."""
    header = opening(mode, tag is not None, IV, 16, len(aad), len(data))
    if tag == b"right":
        _, tag = authenticated(mode, key, header.iv[: header.iv_bytes or 12], aad, data, True)
    return header, beats(header, data, tag, aad=aad)


def flipped(text: bytes, bit: int) -> bytes:
    return (int.from_bytes(text, "big") ^ 1 << bit).to_bytes(len(text), "big")


FAILED = [Beat(b"", "failed", True)]


@pytest.mark.parametrize(("core", "mode"), AUTHENTICATED)
def test_a_forged_packet_shows_no_byte(core: str, mode: str) -> None:
    rng = random.Random(1)
    data, aad = rng.randbytes(40), rng.randbytes(20)
    right = packet(mode, data, aad, b"right")
    tag = right[1][-1].data
    forged = [packet(mode, data, aad, flipped(tag, bit)) for bit in range(0, 128, 13)]
    forged += [packet(mode, flipped(data, bit), aad, tag) for bit in range(0, 320, 41)]
    forged += [packet(mode, data, flipped(aad, bit), tag) for bit in range(0, 160, 41)]
    # Truncated, reordered, extended; a short tag; no tag.
    moved = data[16:32] + data[:16] + data[32:]
    forged += [packet(mode, changed, aad, tag) for changed in (data[:32], moved, data + b"\0", b"")]
    forged += [packet(mode, data, changed, tag) for changed in (aad[:16], b"", aad + b"\0")]
    forged += [packet(mode, data, aad, tag[:15]), packet(mode, data, aad, b"")]
    forged += [(right[0], beats(right[0], data, aad=aad))]
    board = play(core, [one for bad in forged for one in (bad, right)])
    assert board.outputs[0::2] == [FAILED] * len(forged)
    plain, _ = authenticated(mode, KEY, right[0].iv[: right[0].iv_bytes or 12], aad, data, True)
    for given in board.outputs[1::2]:
        assert b"".join(beat.data for beat in given) == plain
        assert given[-1] == Beat(b"", "verified", True)


@pytest.mark.parametrize(("core", "mode"), AUTHENTICATED)
def test_a_packet_that_just_fits_is_output_and_a_longer_one_fails(core: str, mode: str) -> None:
    size = int(bench(core).config.hold_bytes)
    rng = random.Random(2)
    sizes = (size, size + 1, 3 * size, size - 1, size + 16, size)
    packets = [packet(mode, rng.randbytes(n), b"aad", b"right") for n in sizes]
    for stalls in (0, 0.5):
        board = play(core, packets, stalls=stalls)
        for n, given in zip(sizes, board.outputs, strict=True):
            if n > size:
                assert given == FAILED
            else:
                assert sum(len(beat.data) for beat in given) == n
                assert given[-1].kind == "verified"


@pytest.mark.parametrize(("core", "mode"), AUTHENTICATED)
def test_packets_without_payload_have_a_verdict(core: str, mode: str) -> None:
    packets = [packet(mode, b"", aad, b"right") for aad in (b"", b"a", bytes(33))]
    packets += [packet(mode, b"", aad, bytes(16)) for aad in (b"", bytes(33))]
    packets += [packet(mode, b"", aad) for aad in (b"", bytes(33))]
    board = play(core, packets)
    kinds = [[beat.kind for beat in given] for given in board.outputs]
    assert kinds == [["verified"]] * 3 + [["failed"]] * 2 + [["tag"]] * 2


@pytest.mark.parametrize("core", CORES)
def test_each_packet_may_have_another_key_mode_and_direction(core: str) -> None:
    rng, test = random.Random(core), bench(core)
    keys = [test.random_key() for _ in range(25)]
    board = play(core, [test.random_packet(key) for key in keys], keys, rng.choice((0.1, 0.4)))
    assert board.packets == len(keys)


@pytest.mark.parametrize(("core", "mode"), AUTHENTICATED)
def test_an_abort_at_any_beat_shows_nothing(core: str, mode: str) -> None:
    data = random.Random(3).randbytes(48)
    packets: list[Packet] = []
    header = opening(mode, True, IV, 16, 20, len(data))
    whole = beats(header, data, None, True, data[:20])
    packets += [(header, [*whole[:count], whole[-1]]) for count in range(len(whole))]
    board = play(core, [one for bad in packets for one in (bad, packet(mode, data, b"", b"right"))])
    assert board.outputs[0::2] == [FAILED] * len(packets)


def test_a_clear_in_any_cycle_of_a_packet_leaves_no_trace() -> None:
    test, rng = bench(CORE), random.Random(4)

    def script() -> Iterator[bytes]:
        for count, cycle in enumerate(range(1, 140, 3), 1):
            keys = [rng.randbytes(16) for _ in range(2)]
            data = rng.randbytes(35)
            yield test.key(keys[0]) + test.script.wait("key", 2 * count - 1)
            yield from test.packets(
                [packet("gcm", data, data[:9], b"right", keys[0]), packet("gcm", data)]
            )
            yield test.script.tick(cycle) + test.script.level("key_clear_i", 1)
            yield test.script.tick(1) + test.withdraw() + test.script.level("key_clear_i", 0)
            yield test.key(keys[1]) + test.script.wait("key", 2 * count)
            yield from test.packets([packet("gcm", data, b"", b"right", keys[1])])
            yield test.script.drain(test.longest, 200_000)

    board = test.watch(script())
    assert board.problems == []
    assert board.cleared > 20


def test_timing_depends_on_verdicts_alone() -> None:
    seen: dict[str, set[tuple[tuple[int, ...], ...]]] = {"verified": set(), "failed": set()}
    for seed in range(4):
        rng = random.Random(seed)
        key, data = rng.randbytes(16), rng.randbytes(40)
        kind = "failed" if seed % 2 else "verified"
        tag = rng.randbytes(16) if seed % 2 else b"right"
        packets = [packet("gcm", data, data, tag, key), packet("gcm", data)]
        board = play(CORE, packets, [key], 0)
        assert board.outputs[0][-1].kind == kind
        times = tuple(map(tuple, (board.accepted, board.offered, board.opened)))
        seen[kind].add(times)
    assert all(len(times) == 1 for times in seen.values())


@slow
def test_encryption_takes_two_cycles_more() -> None:
    data = random.Random(5).randbytes(50)
    off = CORE.replace("hold=on hold_bytes=64", "hold=off")
    plain, held = (play(core, [packet("gcm", data)] * 3, stalls=0) for core in (off, CORE))
    # A reset overwrites the buffer first.
    ahead = held.accepted[0] - plain.accepted[0]
    assert [cycle - ahead for cycle in held.accepted] == plain.accepted
    assert [cycle - ahead - 2 for cycle in held.offered] == plain.offered


def test_run_says_which_message_does_not_fit(tmp_path: Path) -> None:
    one = preset("kakarlapudi-sbox")
    config = one.configure(["keys=128", "mode=gcm", "hold=on", "hold_bytes=64"])
    with pytest.raises(UserError, match="the payload has 65 bytes, and hold=on"):
        run(
            *(one, config, KEY.hex(), IV.hex(), None, None, True),
            io.BytesIO(bytes(65 + 16)),
            tmp_path / "out",
        )
    assert not list(tmp_path.iterdir())


@slow
def test_run_encrypts_what_run_verifies(tmp_path: Path) -> None:
    one = preset("kakarlapudi-sbox")
    config = one.configure(["keys=128", "mode=gcm", "hold=on", "hold_bytes=64"])
    plain, secret, back = (tmp_path / name for name in ("plain", "secret", "back"))
    plain.write_bytes(bytes(range(64)))
    for source, target, decrypt in ((plain, secret, False), (secret, back, True)):
        with source.open("rb") as stream:
            run(one, config, KEY.hex(), IV.hex(), None, None, decrypt, stream, target)
    assert back.read_bytes() == plain.read_bytes()
    secret.write_bytes(flipped(secret.read_bytes(), 3))
    with secret.open("rb") as stream:
        found = run(one, config, KEY.hex(), IV.hex(), None, None, True, stream, tmp_path / "no")
    assert found["holds"] is False
    assert not (tmp_path / "no").exists()
