"""GCM over lanes: packets over parallel cores, against OpenSSL's GCM and the model of one lane."""

import random
import re
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from gcm_packets import IV, SIZES, clears_leave_no_trace, latencies, lost, packet, said, timings
from packet_benches import KEY, bench, play
from suite import slow
from test_lanes_packets import joined
from test_layers import attacked

from aesforge.core import sources
from aesforge.flows.verify_modes import CHECKS
from aesforge.proof import layers
from aesforge.proof.claims import Claim, Sources, formal_root
from aesforge.proof.faults import FAULTS, Fault
from aesforge.sim.packets import (
    Beat,
    Header,
    gcm,
    iv_for_counter,
)
from aesforge.space.presets import preset
from aesforge.space.promises import beat_digit, promised

CORE = "aesforge-iterative mode=gcm lanes=4"
PIPELINE = "hodjat-lut-1 mode=gcm lanes=2"
LANES = "aes_gcm_lanes"
# An engine each: GHASH of a block or a beat per cycle, registers, and S-boxes that blocks select.
MORE = (
    "kakarlapudi-sbox keys=any direction=both mode=gcm lanes=8 key_slots=4",
    "aesforge-interleaved mode=gcm lanes=2",
    "aesforge-compact keys=256 direction=encrypt mode=gcm lanes=8 idle_output=zero",
    "fan sboxes=4 mode=gcm lanes=2",
    "aesforge-unrolled stop_cycles=2 mode=gcm lanes=4",
)
CORES = [CORE, *(pytest.param(core, marks=slow) for core in (PIPELINE, *MORE))]


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("core", CORES)
def test_packets_agree_with_the_standard(core: str, check: str) -> None:
    problems, covered = CHECKS[check](bench(core))
    assert problems == [], covered


@pytest.mark.parametrize("core", [CORE, PIPELINE, *MORE])
@pytest.mark.full
def test_all_vectors_and_many_packets(core: str) -> None:
    for check in CHECKS.values():
        problems, covered = check(bench(core, 10_000))
        assert problems == [], covered


def test_packets_of_each_length_are_those_of_openssl() -> None:
    """Around each number of blocks of a beat, of AAD and payload, encrypted and decrypted."""
    rng, most = random.Random(1), bench(CORE).config.beat_bytes
    around = [16 * n + d for n in range(5) for d in (-1, 0, 1) if 16 * n + d >= 0]
    sizes = [*around, 2 * most - 16, 2 * most + 5, 1500]
    cases = [(rng.randbytes(size), rng.randbytes(rng.choice(sizes))) for size in sizes]
    cases += [(data, aad) for aad, data in cases]
    sealed = [AESGCM(KEY).encrypt(IV, data, aad) for data, aad in cases]
    packets = [packet(data, aad) for data, aad in cases]
    packets += [packet(s[:-16], aad, s[-16:]) for (_, aad), s in zip(cases, sealed, strict=True)]
    board = play(CORE, packets)
    assert joined(board) == [*sealed, *(data for data, _ in cases)]
    assert all(given[-1].kind == "verified" for given in board.outputs[len(cases) :])
    shapes = [[len(beat.data) for beat in found[:-1]] for found in board.outputs[: len(cases)]]
    wanted = [
        [most] * (len(data) // most) + ([len(data) % most] if len(data) % most else [])
        for data, _ in cases
    ]
    assert shapes == wanted


@pytest.mark.parametrize("size", [1, 8, 13, 16, 60, 64, 65, 200])
def test_an_iv_of_any_length_is_hashed(size: int) -> None:
    rng = random.Random(size)
    iv, data, aad = rng.randbytes(size), rng.randbytes(150), rng.randbytes(70)
    board = play(CORE, [packet(data, aad, iv=iv)])
    result, tag = gcm(KEY, iv, aad, data)
    assert joined(board) == [result + tag]
    if 8 <= size <= 128:
        assert result + tag == AESGCM(KEY).encrypt(iv, data, aad)


def test_the_counter_carries_within_32_bits() -> None:
    data = random.Random(1).randbytes(16 * 20)
    counters = [b"\xff" * 12 + (2**32 - 1 - back).to_bytes(4, "big") for back in range(9)]
    ivs = [iv_for_counter(KEY, counter) for counter in counters]
    board = play(CORE, [packet(data, iv=iv) for iv in ivs])
    assert joined(board) == [AESGCM(KEY).encrypt(iv, data, b"") for iv in ivs]


def test_zero_lengths_everywhere_do_not_hang() -> None:
    aad, data = bytes(range(20)), bytes(range(40, 157))
    cases = [(a, d, iv) for a in (b"", aad) for d in (b"", data) for iv in (b"", b"i", bytes(70))]
    packets = [packet(d, a, iv=iv) for a, d, iv in cases]
    # AAD, or an IV, ends the packet: no beat of payload follows it.
    header = Header("gcm", False, IV.ljust(16, b"\0"), 16)
    packets += [(header, [Beat(aad[:16], "aad", False), Beat(aad[16:], "aad", True)])]
    packets += [(header, [Beat(bytes(9), "iv", True)]), (header, [Beat(bytes(12), "iv", True)])]
    board = play(CORE, packets)
    wanted = [b"".join(gcm(KEY, iv or IV, a, d)) for a, d, iv in cases]
    wanted += [gcm(KEY, IV, aad, b"")[1]]
    wanted += [gcm(KEY, bytes(size), b"", b"")[1] for size in (9, 12)]
    assert joined(board) == wanted


def test_each_failed_packet_has_one_verdict_and_no_tag() -> None:
    rng = random.Random(4)
    data, aad = rng.randbytes(140), rng.randbytes(90)
    secret, tag = gcm(KEY, IV, aad, data)

    def flipped(text: bytes, bit: int) -> bytes:
        return (int.from_bytes(text, "big") ^ 1 << bit).to_bytes(len(text), "big")

    forged = [packet(secret, aad, flipped(tag, bit)) for bit in range(0, 128, 5)]
    forged += [packet(flipped(secret, bit), aad, tag) for bit in range(0, 1120, 71)]
    forged += [packet(secret, flipped(aad, bit), tag) for bit in range(0, 720, 71)]
    # Truncated, extended, lanes exchanged, with AAD as payload, with another IV, half a tag.
    moved = secret[16:32] + secret[:16] + secret[32:]
    swapped = secret[64:128] + secret[:64] + secret[128:]
    for changed in (secret[:64], secret[:128], moved, swapped, secret + b"\0", b""):
        forged.append(packet(changed, aad, tag))
    forged += [packet(secret, changed, tag) for changed in (aad[:64], b"", aad + b"\0")]
    forged += [packet(aad + secret, b"", tag), packet(b"", aad + secret, tag)]
    forged += [packet(secret, aad, tag, iv=bytes(12)), packet(secret, aad, tag, iv=IV[:11])]
    forged += [packet(secret, aad, tag[:15]), packet(secret, aad, b"")]
    forged += [packet(secret, aad, tag + bytes(16))]
    board = play(CORE, [*forged, packet(secret, aad, tag)])
    for given in board.outputs[:-1]:
        assert [beat.kind for beat in given if beat.kind != "payload"] == ["failed"]
        assert (given[-1].data, given[-1].last) == (b"", True)
    assert board.outputs[-1][-1] == Beat(b"", "verified", True)
    assert joined(board)[-1] == data


@pytest.mark.parametrize("core", CORES)
def test_each_packet_may_have_another_key_and_direction(core: str) -> None:
    rng, test = random.Random(core), bench(core)
    sizes = test.config.key_sizes
    keys = [rng.randbytes(rng.choice(sizes) // 8) for _ in range(25)]
    board = play(core, [test.random_packet(key) for key in keys], keys, 0.1)
    assert board.packets == len(keys)


@pytest.mark.parametrize("core", [pytest.param(PIPELINE, marks=slow), CORE])
def test_a_clear_in_any_cycle_of_a_packet_leaves_no_trace(core: str) -> None:
    clears_leave_no_trace(core, 135)


@pytest.mark.parametrize("core", [pytest.param(PIPELINE, marks=slow), CORE])
def test_timing_does_not_depend_on_keys_data_or_verdicts(core: str) -> None:
    assert timings(core, 140) == 1


# Cycles ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("core", CORES)
def test_a_result_comes_after_the_promised_cycles(core: str) -> None:
    found, promise = latencies(core)
    assert found == promise


@pytest.mark.parametrize("core", [CORE, pytest.param(PIPELINE, marks=slow)])
def test_a_packet_loses_the_cycles_that_the_page_says(core: str) -> None:
    for size, cycles in zip(SIZES, said("gcm-lanes.md")[core], strict=True):
        for decrypt in (False, True):
            count = 24 if size < 1500 else 7
            assert lost(core, size, decrypt, count) == cycles


def test_the_promise_is_that_of_one_lane_as_many_times() -> None:
    one, four = (
        promised(preset("hodjat-lut-1").configure(["mode=gcm", *lanes]), 128)
        for lanes in ([], ["lanes=4"])
    )
    assert four.interval == one.interval
    assert four.cycles_per_block == one.cycles_per_block / 4


@pytest.mark.parametrize(
    ("core", "digit"),
    [
        # Products are pipelined around pipelines.
        ("hodjat-lut-1 mode=gcm lanes=2", 0),
        # A product for each block of a beat.
        ("aesforge-interleaved mode=gcm lanes=2", 256),
        ("aesforge-iterative rounds_per_cycle=5 mode=gcm lanes=4", 512),
        # Blocks one after another, within the ten or 44 cycles of the next one.
        ("aesforge-iterative mode=gcm lanes=8", 128),
        ("aesforge-iterative mode=gcm lanes=4", 64),
        ("aesforge-iterative mode=gcm lanes=2", 32),
        ("aesforge-compact keys=128 direction=encrypt mode=gcm lanes=2", 8),
    ],
)
def test_ghash_takes_as_much_per_cycle_as_the_cores_need(core: str, digit: int) -> None:
    name, *choices = core.split()
    config = preset(name).configure(choices)
    assert beat_digit(config) == digit
    one = promised(config.core, 128)
    if 0 < digit <= 128:
        steps = int(config.lanes) * 128 // digit
        assert steps < one.interval <= 2 * steps or digit == 128


# Proofs -------------------------------------------------------------------------------------------


def proven(given: Sources, core: str, what: str = "aes_gcm_lanes") -> dict[str, Claim]:
    """The claims on the layer of a core."""
    name, *axes = core.split()
    found = layers.claims(given, preset(name).configure(axes), [what])
    return {what: claim() for what, claim in found.items()}


# The everyday one, and one of each kind of GHASH, with more lanes and around a pipeline.
PROVEN = [
    "aesforge-iterative mode=gcm lanes=2",
    "aesforge-iterative mode=gcm lanes=4 idle_output=zero",
    "hodjat-lut-1 mode=gcm lanes=2",
]


# Each takes a minute or two.
@slow
@pytest.mark.parametrize("core", PROVEN)
def test_the_lanes_are_gcm_around_any_cores(core: str) -> None:
    """Blocks and beats of the contract; no data in the timing; a clear leaves none."""
    found = proven(Sources(sources.files(), formal_root()), core)
    queue = ["queue"] if core.startswith("hodjat") else []
    wanted = {f"aes_gcm_lanes {what}" for what in ("contract", "timing", "clear", *queue)}
    assert found.keys() == wanted
    assert all(claim.holds for claim in found.values()), found


HASHED = [
    ("aesforge-iterative mode=gcm lanes=4", "blocks"),
    pytest.param("aesforge-iterative mode=gcm lanes=8", "blocks", marks=slow),
    pytest.param("aesforge-interleaved mode=gcm lanes=2", "lanes", marks=slow),
]


@pytest.mark.parametrize(("core", "module"), HASHED)
def test_a_hash_is_that_of_the_standard_whatever_stalls(core: str, module: str) -> None:
    name = f"aes_ghash_{module}"
    found = proven(Sources(sources.files(), formal_root()), core, name)
    assert found.keys() == {f"{name} {what}" for what in ("contract", "timing", "clear")}
    assert all(claim.holds for claim in found.values()), found


@slow
def test_what_is_hashed_in_a_pipeline_is_counted_and_queued() -> None:
    given = Sources(sources.files(), formal_root())
    found = proven(given, PIPELINE, "aes_byte_count") | proven(given, PIPELINE, f"{LANES} queue")
    assert found.keys() == {"aes_byte_count contract", "aes_byte_count text", f"{LANES} queue"}
    assert all(claim.holds for claim in found.values()), found


@slow
@pytest.mark.parametrize("what", ["timing", "clear"])
def test_pipelined_products_of_beats_leak_nothing(what: str) -> None:
    claim = f"aes_ghash_lanes_pipelined {what}"
    found = proven(Sources(sources.files(), formal_root()), PIPELINE, claim)
    assert found[claim].holds, found


@slow
@pytest.mark.parametrize(
    "fault",
    [f for f in FAULTS if f.file == "aes_ghash_lanes_pipelined" and "a clear leaves" in f.name],
    ids=str,
)
def test_a_clear_that_leaves_data_is_not_proven(fault: Fault, tmp_path: Path) -> None:
    given = attacked(tmp_path, fault.file, fault.old, fault.new)
    claim = "aes_ghash_lanes_pipelined clear"
    found = proven(given, PIPELINE, claim)[claim]
    assert not found.holds
    assert "leaves" in found.counterexample["rule"]


def test_the_parameters_of_ghash_are_those_of_its_text() -> None:
    text = next(path for path in sources.files() if path.stem == LANES).read_text(encoding="utf-8")
    assert f"localparam int LEVELS = {layers._PIPELINED['Levels']};" in text
    assert f"localparam int REGISTERS = {layers._PIPELINED['Registers']};" in text
    assert f"localparam int HASHES = {layers._LANES_HASHES};" in text


@slow
@pytest.mark.parametrize("fault", [f for f in FAULTS if f.file == "aes_gcm_lanes"], ids=str)
def test_a_fault_of_the_lanes_breaks_their_contract(fault: Fault, tmp_path: Path) -> None:
    given = attacked(tmp_path, fault.file, fault.old, fault.new)
    idle = "register" if "half of a tag" in fault.name else "zero"
    pipelined = "of a pipeline" in fault.name
    core = PIPELINE if pipelined else f"aesforge-iterative mode=gcm lanes=2 idle_output={idle}"
    contract = proven(given, core, "aes_gcm_lanes contract")["aes_gcm_lanes contract"]
    assert not contract.holds
    assert re.match("broken rule|a reset", contract.counterexample["rule"])


HASHES = {"aes_ghash_blocks": "aesforge-iterative", "aes_ghash_lanes": "aesforge-interleaved"}


@pytest.mark.parametrize(
    "fault",
    [
        pytest.param(fault, id=str(fault), marks=slow if at else ())
        for at, fault in enumerate(f for f in FAULTS if f.file in HASHES)
    ],
)
def test_a_fault_of_ghash_is_not_proven(fault: Fault, tmp_path: Path) -> None:
    """With a product for each lane, and where the blocks of a beat follow each other."""
    given = attacked(tmp_path, fault.file, fault.old, fault.new)
    claim = f"{fault.file} {'clear' if 'clear' in fault.name else 'contract'}"
    found = proven(given, f"{HASHES[fault.file]} mode=gcm lanes=2", claim)[claim]
    assert not found.holds
    assert re.search("broken rule|leave", found.counterexample["rule"])
