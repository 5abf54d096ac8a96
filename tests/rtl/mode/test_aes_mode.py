"""aes_mode: the vectors of SP 800-38A, and random packets with stalls, key changes and clears."""

import random
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from benches import CBC, CTR, ECB, MODE
from modes import Bench
from runner import DECRYPT, View, for_each, simulate

from aesforge.core.sources import codes
from aesforge.space.axes import Config
from aesforge.space.promises import promised


def test_aes_mode() -> None:
    simulate(__file__, MODE)


# In the simulator -------------------------------------------------------------------------------

# SP 800-38A, appendix F: one plaintext and one key of each size for all modes.
KEYS = [
    bytes.fromhex(key)
    for key in (
        "2b7e151628aed2a6abf7158809cf4f3c",
        "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b",
        "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
    )
]
PLAIN = bytes.fromhex(
    "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
    "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710"
)
IVS = {
    ECB: 0,
    CBC: 0x000102030405060708090A0B0C0D0E0F,
    CTR: 0xF0F1F2F3F4F5F6F7F8F9FAFBFCFDFEFF,
}
CIPHERS = {
    (ECB, 128): "3ad77bb40d7a3660a89ecaf32466ef97f5d3d58503b9699de785895a96fdbaaf"
    "43b1cd7f598ece23881b00e3ed0306887b0c785e27e8ad3f8223207104725dd4",
    (ECB, 192): "bd334f1d6e45f25ff712a214571fa5cc974104846d0ad3ad7734ecb3ecee4eef"
    "ef7afd2270e2e60adce0ba2face6444e9a4b41ba738d6c72fb16691603c18e0e",
    (ECB, 256): "f3eed1bdb5d2a03c064b5a7e3db181f8591ccb10d410ed26dc5ba74a31362870"
    "b6ed21b99ca6f4f9f153e7b1beafed1d23304b7a39f9f3ff067d8d8f9e24ecc7",
    (CBC, 128): "7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2"
    "73bed6b8e3c1743b7116e69e222295163ff1caa1681fac09120eca307586e1a7",
    (CBC, 192): "4f021db243bc633d7178183a9fa071e8b4d9ada9ad7dedf4e5e738763f69145a"
    "571b242012fb7ae07fa9baac3df102e008b0e27988598881d920a9e64f5615cd",
    (CBC, 256): "f58c4c04d6e5f1ba779eabfb5f7bfbd69cfc4e967edb808d679f777bc6702c7d"
    "39f23369a9d9bacfa530e26304231461b2eb05e2c39be9fcda6c19078c6a9d1b",
    (CTR, 128): "874d6191b620e3261bef6864990db6ce9806f66b7970fdff8617187bb9fffdff"
    "5ae4df3edbd5d35e5b4f09020db03eab1e031dda2fbe03d1792170a0f3009cee",
    (CTR, 192): "1abc932417521ca24f2b0459fe7e6e0b090339ec0aa6faefd5ccc2c6f4ce8e94"
    "1e36b26bd1ebc670d1bd1d665620abf74f78a7f6d29809585a97daec58c6b050",
    (CTR, 256): "601ec313775789a5b7a7f504bbf3d228f443e3ca4d62b59aca84e990cacaf5c5"
    "2b0930daa23de94ce87017ba2d84988ddfc9c58db67aada613c2dd08457941a6",
}


@for_each(MODE, "aes_mode")
async def modes_agree_with_the_vectors_of_sp_800_38a(view: View) -> None:
    bench = Bench(view)
    await bench.view.reset()
    for key in KEYS:
        bits = 8 * len(key)
        if bits not in bench.key_sizes:
            continue
        cipher = bytes.fromhex(CIPHERS[bench.mode, bits])
        bench.send_key(key)
        await bench.drain()
        for decrypt in bench.decrypts:
            taken, given = (cipher, PLAIN) if decrypt else (PLAIN, cipher)
            results: list[int] = []
            bench.results.taken = lambda value, results=results: results.append(value[0])
            bench.blocks.queue.extend(bench.packet(taken, IVS[bench.mode], decrypt, 0))
            await bench.view.until(lambda results=results: len(results) == 4)
            assert b"".join(result.to_bytes(16, "big") for result in results) == given
            bench.model.expected.clear()


def rfc_3686(bits: int) -> list[tuple[bytes, int, bytes, bytes]]:
    """Key, first counter, plaintext and ciphertext; some end in a partial block."""
    import cryptography_vectors

    folder = Path(cryptography_vectors.__file__).parent / "ciphers" / "AES" / "CTR"
    found = []
    for case in (folder / f"aes-{bits}-ctr.txt").read_text().split("COUNT")[1:]:
        lines = dict(line.split(" = ") for line in case.splitlines() if " = " in line)
        key, iv, plain, cipher = (
            bytes.fromhex(lines[name]) for name in ("KEY", "IV", "PLAINTEXT", "CIPHERTEXT")
        )
        found.append((key, int.from_bytes(iv, "big"), plain, cipher))
    return found


@for_each(MODE, "aes_mode")
async def ctr_agrees_with_rfc_3686_including_partial_blocks(view: View) -> None:
    bench = Bench(view)
    if bench.mode != CTR:
        return
    await bench.view.reset()
    for key, iv, plain, cipher in (case for bits in bench.key_sizes for case in rfc_3686(bits)):
        results: list[bytes] = []
        bench.results.taken = lambda value, results=results: results.append(
            value[0].to_bytes(16, "big")[: value[2]]
        )
        bench.send_key(key)
        await bench.view.until(lambda: not bench.key.queue)
        bench.blocks.queue.extend(bench.packet(plain, iv, 0, 0))
        count = (len(plain) + 15) // 16
        await bench.view.until(lambda results=results, count=count: len(results) == count)
        assert b"".join(results) == cipher


@for_each(MODE, "aes_mode")
async def packets_survive_stalls_and_key_changes(view: View) -> None:
    bench = Bench(view)
    await bench.view.reset()
    bench.send_random_key()
    for stalls in ((0, 0, 0), (0.9, 0.5, 0), (0.9, 0, 0.7), (0.95, 0.6, 0.8), (0.97, 0.9, 0)):
        bench.stall(*stalls)
        bench.send_random_packets(12)
        for _ in range(6):
            bench.send_random_key()
        await bench.drain()


@for_each(MODE, "aes_mode")
async def clear_discards_packets_keys_and_blocks(view: View) -> None:
    bench = Bench(view)
    await bench.view.reset()
    for _ in range(12):
        bench.stall(0, random.choice((0, 0.5)), random.choice((0, 0.5)))
        bench.send_random_key()
        bench.send_random_packets(8)
        await bench.view.tick(random.randint(1, 100))
        await bench.clear()
        await bench.view.settle()
        assert not bench.view.get("out_valid_o")
        # No key is valid, so no block is accepted; then every packet starts anew.
        bench.blocks.queue.extend(bench.random_packet(0))
        await bench.view.tick(random.randint(1, 60))
        assert not bench.view.get("in_ready_o")
        bench.send_random_key()
        await bench.drain()


@for_each(MODE, "aes_mode")
async def reset_in_mid_packet_starts_anew(view: View) -> None:
    bench = Bench(view)
    await bench.view.reset()
    bench.send_random_key()
    bench.send_random_packets(4)
    await bench.view.tick(70)
    for channel in (bench.key, bench.blocks, bench.results):
        channel.drop()
    bench.view.set(key_valid_i=0, in_valid_i=0)
    bench.model.clear()
    await bench.view.reset(1)
    bench.send_random_key()
    bench.send_random_packets(4)
    await bench.drain()


@for_each(MODE, "aes_mode")
async def every_mode_runs_at_the_rate_of_the_core(view: View) -> None:
    """Except CBC encryption, which has one block of a stream in the core at a time."""
    bench = Bench(view)
    await bench.view.reset()
    for bits in bench.key_sizes:
        promise = promised(Config(engine=bench.engine, keys=bench.keys, stages=bench.stages), bits)
        for decrypt, streams in product(bench.decrypts, {1, bench.streams}):
            bench.send_key(random.randbytes(bits // 8))
            await bench.drain()
            await bench.view.until(lambda: bool(bench.view.get("in_ready_o")))
            cycles: list[int] = []
            taken: list[int] = []

            def note(item: Any, bench: Bench = bench, cycles: list[int] = cycles) -> None:
                cycles.append(bench.view.clocks)
                bench.model.on_block(item)

            def take(value: Any, bench: Bench = bench, taken: list[int] = taken) -> None:
                taken.append(bench.view.clocks)
                bench.model.on_result(value)

            bench.blocks.sent, bench.results.taken = note, take
            packets = [
                bench.packet(random.randbytes(160), 7, decrypt, stream) for stream in range(streams)
            ]
            for blocks in zip(*packets, strict=True):
                bench.blocks.queue.extend(blocks)
            await bench.drain()
            # Blocks in the core at the same time, and cycles until as many more may enter.
            serial = bench.mode == CBC and not decrypt
            together = min(streams, promise.per) if serial else promise.per
            turn = promise.interval if together == promise.per else promise.latency
            assert [cycle - cycles[0] for cycle in cycles] == [
                turn * (n // together) + n % together for n in range(10 * streams)
            ], bench.view.item.name
            latencies = {b - a for a, b in zip(cycles, taken, strict=True)}
            assert latencies == {promise.latency}


# Illegal parameters -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"Mode": 3}, "Mode_must_be_an_aes_pkg_MODE_code"),
        ({"Mode": CTR, "Direction": DECRYPT}, "MODE_CTR_needs_a_core_that_encrypts"),
        ({"Streams": 3}, "Streams_must_be_a_power_of_two"),
        ({"CounterBits": 0}, "CounterBits_must_be_1_to_128"),
        ({"CounterBits": 129}, "CounterBits_must_be_1_to_128"),
    ],
)
def test_illegal_parameters_are_named(parameters: dict[str, int], message: str) -> None:
    from aesforge.core import sources
    from aesforge.tools import verilator
    from aesforge.tools.process import ToolFailed

    with pytest.raises(ToolFailed, match=message):
        verilator.lint(sources.closure("aes_mode"), "aes_mode", parameters)


def test_modes_have_codes_of_their_own() -> None:
    values = [code for name, code in codes().items() if name.startswith("MODE_")]
    assert len(set(values)) == len(values) == 3
