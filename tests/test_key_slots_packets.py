"""Key slots: packets of several keys in turn, keys that are replaced, clears."""

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from packet_benches import bench
from suite import slow

from aesforge.flows.verify_modes import CHECKS
from aesforge.sim.packets import Packet, beats, opening

CORE = "kakarlapudi-sbox keys=128 mode=ctr,gcm key_slots=4"
MORE = (
    "aesforge-compact mode=cmac,gcm,ccm,ctr key_slots=16",
    "aesforge-iterative mode=gcm-siv,gcm,kw key_slots=2 payload_bytes=64 semiblocks=8",
    "hodjat-lut-1 keys=256 mode=gcm,ctr key_slots=8 hold=on hold_bytes=64 port=axi-stream",
)


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("core", [CORE, *(pytest.param(c, marks=slow) for c in MORE)])
def test_packets_agree_with_the_standards(core: str, check: str) -> None:
    problems, covered = CHECKS[check](bench(core))
    assert problems == [], covered


def packet(slot: int, iv: bytes, data: bytes) -> Packet:
    header = replace(opening("gcm", False, iv, 16), slot=slot)
    return header, beats(header, data)


def test_packets_of_all_slots_in_any_order_use_their_keys() -> None:
    test, rng = bench(CORE), random.Random(1)
    keys = [rng.randbytes(16) for _ in range(4)]
    order = [0, 1, 2, 3, 3, 2, 2, 0, *(rng.randrange(4) for _ in range(24))]
    packets = [packet(slot, rng.randbytes(12), rng.randbytes(rng.randrange(40))) for slot in order]

    def script() -> Iterator[bytes]:
        for slot, key in enumerate(keys):
            yield test.key(key, slot)
        yield test.script.wait("key", 4)
        yield from test.packets(packets)
        yield test.script.drain(test.longest, 2_000_000)

    board = test.watch(script())
    assert board.problems == []
    for (header, given), found in zip(packets, board.outputs, strict=True):
        data = b"".join(beat.data for beat in given)
        wanted = AESGCM(keys[header.slot]).encrypt(header.iv[:12], data, None)
        assert b"".join(beat.data for beat in found) == wanted


def test_an_open_packet_keeps_its_key_when_its_slot_gets_another_one() -> None:
    test, data = bench(CORE), bytes(range(48))
    old, new = bytes(16), bytes(range(16))
    header, given = packet(2, bytes(12), data)

    def script() -> Iterator[bytes]:
        yield test.key(old, 2) + test.script.wait("key", 1)
        first, one, *rest = test.packets([(header, given)])
        yield first + one + test.script.wait("in", 1)
        yield test.key(new, 2) + test.script.wait("key", 2)
        yield b"".join(rest)
        yield from test.packets([(header, given)])
        yield test.script.drain(test.longest, 2_000_000)

    board = test.watch(script())
    assert board.problems == []
    for key, found in zip((old, new), board.outputs, strict=True):
        wanted = AESGCM(key).encrypt(bytes(12), data, None)
        assert b"".join(beat.data for beat in found) == wanted


def test_the_same_slot_costs_nothing_and_another_one_a_key_setup() -> None:
    test, data = bench(CORE), bytes(16)

    def cycles(slots: tuple[int, int]) -> int:
        def script() -> Iterator[bytes]:
            yield test.key(bytes(16), 0) + test.key(bytes(range(16)), 1)
            yield test.script.wait("key", 2)
            headers = [replace(opening("ctr", False, bytes(16), 0), slot=slot) for slot in slots]
            yield from test.packets([(header, beats(header, data)) for header in headers])
            yield test.script.drain(test.longest, 2_000_000)

        board = test.watch(script())
        assert board.problems == []
        return board.accepted[1] - board.accepted[0]

    same, other = cycles((0, 0)), cycles((0, 1))
    promise = test.promise(test.config.modes[0], False, 128)
    assert same == promise.interval
    # Two cycles to read the slot; the zero block of GCM is sent before the packet.
    setup = promise.key_setup + 2 + promise.interval
    assert promise.key_setup < other - same <= setup
