"""A whole core behind a register port, with a bus model as master: what drivers rely on."""

import random
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, FallingEdge
from register_driver import MAP, BusError, Driver, at, get, put
from register_masters import master
from runner import compile_bench, kept, run_bench

from aesforge import cache
from aesforge.core import stack
from aesforge.sim.mode_vectors import examples, vector_packet
from aesforge.sim.oracle import LEN_CODE
from aesforge.sim.packets import Beat, beats, opening, outputs, random_packet, used
from aesforge.space.axes import Config
from aesforge.space.presets import preset

CORE = "kakarlapudi-sbox"
MODES = "mode=ecb,ctr,gcm"
BLOCK = bytes(range(16))


def config_of(port: str) -> Config:
    """The core of this bench behind a port."""
    return preset(CORE).configure([MODES, f"port={port}", "sideload=on"])


def played(port: str, instead: Mapping[str, Path] = MappingProxyType({})) -> None:
    """Run the tests of this file on a core behind a port; `instead` replaces some sources."""
    config = config_of(port)
    ports = stack.contract(config).ports
    declared = ", ".join(
        f"{port.direction} logic [{port.width - 1}:0] {port.name} /*verilator public_flat_rw*/"
        for port in ports
    )
    pins = ", ".join(f".{port.name} ({port.name})" for port in ports)
    text = f"module bench ({declared}); {stack.MODULE} u_dut ({pins}); endmodule\n"
    files = [instead.get(path.stem, path) for path in stack.sources(config)]

    def build(folder: Path) -> None:
        (folder / "bench.sv").write_text(text, encoding="utf-8")
        compile_bench([*(_open(path, folder) for path in files), folder / "bench.sv"], folder)

    run_bench(__file__, cache.folder("cocotb", kept((text, *files)), build))


def _open(path: Path, folder: Path) -> Path:
    """The file, of `aes_registers` a copy whose control registers a test may change."""
    text = path.read_text(encoding="utf-8")
    if not path.stem.startswith("aes_registers") or "control_q;" not in text:
        return path
    for name in ("control_q", "inverted_q"):
        declared = f"logic [CONTROL_BITS-1:0] {name}"
        assert text.count(f"{declared};") == 1
        text = text.replace(f"{declared};", f"{declared} /*verilator public_flat_rw*/;")
    (folder / path.name).write_text(text, encoding="utf-8")
    return folder / path.name


async def started(dut: Any, stall: float = 0.0) -> Driver:
    """A driver of a core after a reset, whose bus pauses at random."""
    cocotb.start_soon(Clock(dut.clk_i, 10, "ns").start())
    bus = master(dut, stall)
    dut.dma_in_ack_i.value = 0
    dut.dma_out_ack_i.value = 0
    dut.side_key_valid_i.value = 0
    dut.rst_ni.value = 0
    await ClockCycles(dut.clk_i, 3)
    dut.rst_ni.value = 1
    await ClockCycles(dut.clk_i, 2)
    return Driver(bus.load, bus.store, bus.narrow)


def ecb(blocks: bytes, decrypt: bool = False) -> tuple[Any, list[Beat]]:
    """A packet of ECB."""
    header = opening("ecb", decrypt, bytes(16), 0)
    return header, beats(header, blocks)


async def checked(driver: Driver, config: Config, packet: Any, key: bytes) -> None:
    """A packet outputs what it should."""
    header, given = packet
    wanted = outputs(config, header, used(config, header.mode, key), given)
    assert await driver.packet(header, given) == wanted, header


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def the_map_is_that_of_the_rdl(dut: Any) -> None:
    """Reset values, unmapped addresses, and accesses that a register does not have."""
    driver = await started(dut)
    for register in MAP.values():
        for address in register.addresses:
            if not register.readable:
                await driver.refused(driver.load(address), "ACCESS")
            elif register.name == "DATA_OUT":
                await driver.refused(driver.load(address), "UNDERRUN")
            else:
                found = get(register.name, await driver.load(address))
                for field in register.fields:
                    if field.reset is not None:
                        assert found[field.name] == field.reset, (register.name, field.name)
            if not register.writable or register.name == "KEY_TWEAK":
                await driver.refused(driver.store(address, 0), "ACCESS")
    mapped = {address for register in MAP.values() for address in register.addresses}
    for address in [*range(0, 0x120, 4), 0x400, 0xFFC]:
        if address not in mapped:
            await driver.refused(driver.load(address), "ACCESS")
            await driver.refused(driver.store(address, 0), "ACCESS")
    core = await driver.read("CAP_CORE")
    assert core["KEY_128"]
    assert core["KEY_192"]
    assert core["KEY_256"]
    assert not core["TWO_KEYS"]
    assert core["DMA"]
    assert core["SIDELOAD"]
    assert (core["KEY_SLOTS"], core["BLOCK_BYTES"]) == (1, 16)
    modes = sum(1 << mode.code for mode in config_of("axi-lite").modes)
    for name in ("CAP_ENCRYPT", "CAP_DECRYPT"):
        assert (await driver.read(name))["MODES"] == modes
    for register in ("CTRL", "INTR_ENABLE", "DMA"):
        whole = sum(((1 << f.bits) - 1) << f.low for f in MAP[register].fields)
        await driver.store(at(register), 0xFFFFFFFF)
        assert await driver.load(at(register)) == whole
        for size in (1, 2, 3):
            await driver.refused(driver.narrow(at(register), bytes(size)), "ACCESS")
        assert await driver.load(at(register)) == whole
        await driver.store(at(register), 0)
        assert await driver.load(at(register)) == 0


@cocotb.test(timeout_time=10, timeout_unit="ms")
async def examples_of_the_standards(dut: Any) -> None:
    """Each example, forth and back, the tag right and wrong."""
    driver, config = await started(dut), config_of("axi-lite")
    for mode in config.modes:
        for vector in examples(mode.name):
            await driver.key(vector.key)
            header, given = vector_packet(vector, vector.decrypt)
            found = await driver.packet(header, given)
            wanted = outputs(config, header, vector.key, given)
            assert found == wanted, vector.name
            data = b"".join(beat.data for beat in found if beat.kind == "payload")
            assert data == vector.result, vector.name
            if mode.tag and header.decrypt:
                assert found[-1].kind == "verified"
                tag = given[-1].data
                wrong = replace(given[-1], data=bytes([tag[0] ^ 1]) + tag[1:])
                found = await driver.packet(header, [*given[:-1], wrong])
                assert found[-1].kind == "failed", vector.name
    assert await driver.errors() == set()


@cocotb.test(timeout_time=50, timeout_unit="ms")
async def random_packets_under_stalls(dut: Any) -> None:
    """Keys of all sizes, aborts and wrong tags, and a wipe now and then."""
    driver, config = await started(dut, 0.3), config_of("axi-lite")
    rng = random.Random(7)
    for number in range(12):
        key = rng.randbytes(rng.choice((16, 24, 32)))
        await driver.key(key)
        for _ in range(3):
            await checked(driver, config, random_packet(rng, config, key), key)
        if number % 4 == 3:
            await driver.wipe()
    assert await driver.errors() == set()


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def keys_are_locked_cleared_and_wiped(dut: Any) -> None:
    """A key waits for the end of a packet, and leaves nothing in its registers."""
    driver, config = await started(dut), config_of("axi-lite")
    first, second = bytes(range(16)), bytes(range(32, 64))
    await driver.refused(driver.command("START"), "COMMAND")
    await driver.key(first)
    assert (await driver.read("STATUS"))["KEYED"]
    # The key registers are zero now: loading them again gives a key of zeros.
    await driver.command("LOAD_KEY")
    await driver.wait("KEY_BUSY", 0)
    await checked(driver, config, ecb(BLOCK), bytes(16))
    await driver.key(first)
    header, given = ecb(BLOCK + BLOCK)
    await driver.open(header)
    await driver.send(given[0])
    await driver.wait("START_BUSY", 0)
    # A key that is loaded within a packet is for the next one.
    await driver.write("CTRL", KEY_LEN=2)
    await driver.fill("KEY", second)
    await driver.command("LOAD_KEY")
    assert (await driver.read("STATUS"))["KEY_BUSY"]
    for number in range(8):
        await driver.refused(driver.store(at("KEY", number), 0), "LOCKED")
    await driver.refused(driver.command("LOAD_KEY"), "COMMAND")
    # Neither does a length that does not exist touch the key that waits.
    await driver.write("CTRL", KEY_LEN=3)
    await driver.refused(driver.command("LOAD_KEY"), "COMMAND")
    await driver.send(given[1])
    assert await driver.rest() == outputs(config, header, first, given)
    await driver.wait("KEY_BUSY", 0)
    await checked(driver, config, ecb(BLOCK), second)
    # A key of a length that does not exist is wiped.
    await driver.write("CTRL", KEY_LEN=3)
    await driver.fill("KEY", first)
    await driver.refused(driver.command("LOAD_KEY"), "COMMAND")
    await driver.write("CTRL", KEY_LEN=0)
    await driver.command("LOAD_KEY")
    await checked(driver, config, ecb(BLOCK), bytes(16))
    await driver.fill("KEY", first)
    await driver.wipe()
    assert not (await driver.read("STATUS"))["KEYED"]
    await driver.refused(driver.command("START"), "COMMAND")
    await driver.command("LOAD_KEY")
    await checked(driver, config, ecb(BLOCK), bytes(16))


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def headers_are_locked_and_commands_checked(dut: Any) -> None:
    """A header that waits for a key; modes and commands that cannot be."""
    driver, config = await started(dut), config_of("axi-lite")
    await driver.key(bytes(16))
    header, given = ecb(BLOCK)
    await driver.open(header)
    await driver.refused(driver.command("START"), "COMMAND")
    await driver.send(given[0])
    await driver.refused(driver.command("ABORT"), "COMMAND")
    # The result of the first packet holds the key of the second, and so its header.
    await driver.wait("OUT_VALID")
    longer = ecb(BLOCK + BLOCK)
    await driver.open(longer[0])
    await driver.send(longer[1][0])
    await driver.fill("KEY", BLOCK)
    await driver.command("LOAD_KEY")
    assert await driver.rest() == outputs(config, header, bytes(16), given)
    await driver.send(longer[1][1])
    # Its mode and its IV are not those that are written while it waits.
    header = opening("ctr", False, BLOCK, 0)
    given = beats(header, BLOCK)
    await driver.open(header)
    status = await driver.read("STATUS")
    assert status["START_BUSY"]
    assert status["KEY_BUSY"]
    for register in ("IV", "AAD_BYTES", "PAYLOAD_BYTES", "CTRL"):
        await driver.refused(driver.store(at(register), 0), "LOCKED")
    assert await driver.rest() == outputs(config, longer[0], bytes(16), longer[1])
    await driver.send(given[0])
    assert await driver.rest() == outputs(config, header, BLOCK, given)
    for mode in (1, 3, 31):
        await driver.write("CTRL", MODE=mode)
        await driver.refused(driver.command("START"), "COMMAND")
    assert not (await driver.read("STATUS"))["OPEN"]


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def no_beat_is_lost_or_read_twice(dut: Any) -> None:
    """Writes without IN_READY and reads without OUT_VALID are errors, and change nothing."""
    driver, config = await started(dut), config_of("axi-lite")
    key = BLOCK[::-1]
    await driver.key(key)
    for register in ("DATA_IN", "BEAT"):
        await driver.refused(driver.store(at(register), 0), "OVERRUN")
    await driver.refused(driver.load(at("DATA_OUT", 3)), "UNDERRUN")
    header, given = ecb(bytes(range(48)))
    await driver.open(header)
    await driver.send(given[0])
    await driver.wait("OUT_VALID")
    await driver.send(given[1])
    # The first result is not read: the second beat waits, and a third one has no place.
    status = await driver.read("STATUS")
    assert status["OUT_VALID"]
    assert status["OPEN"]
    while (await driver.read("STATUS"))["IN_READY"]:
        await driver.send(given[2])
    for number in range(4):
        await driver.refused(driver.store(at("DATA_IN", number), 0), "OVERRUN")
    await driver.refused(driver.write("BEAT"), "OVERRUN")
    if (await driver.read("STATUS"))["OPEN"]:
        await driver.send(given[2])
    assert await driver.rest() == outputs(config, header, key, given)
    await driver.refused(driver.load(at("DATA_OUT", 3)), "UNDERRUN")
    assert (await driver.read("BEAT"))["LAST"] == 0


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def aborts_and_wipes_in_flight(dut: Any) -> None:
    """After each number of beats and clocks."""
    driver, config = await started(dut), config_of("axi-lite")
    rng = random.Random(3)
    for number in range(24):
        key = rng.randbytes(16)
        await driver.key(key)
        mode = rng.choice(("ecb", "gcm"))
        header = opening(mode, False, rng.randbytes(16), 16)
        given = beats(header, rng.randbytes(16 * (1 + number % 4)))
        await driver.open(header)
        for beat in given[: number % 3]:
            if not beat.last:
                await driver.send(beat)
        await ClockCycles(dut.clk_i, rng.randrange(30))
        if number % 2:
            await driver.command("ABORT")
            found = await driver.rest()
            assert found[-1].kind == "failed"
            assert found[:-1] == outputs(config, header, key, given)[: len(found) - 1]
        else:
            await driver.wipe()
            status = await driver.read("STATUS")
            assert not any(status.values()), status
            await driver.refused(driver.load(at("DATA_OUT", 3)), "UNDERRUN")
            await driver.key(key)
        await checked(driver, config, (header, given), key)
    assert await driver.errors() == set()


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def the_interrupt_follows_its_enables(dut: Any) -> None:
    """Levels and events, each alone."""
    driver, config = await started(dut), config_of("axi-lite")

    async def seen(name: str) -> int:
        await driver.write("INTR_ENABLE", **{name: 1})
        await ClockCycles(dut.clk_i, 2)
        assert (await driver.read("INTR_STATE"))[name] == int(dut.irq_o.value), name
        await driver.write("INTR_ENABLE")
        return int((await driver.read("INTR_STATE"))[name])

    names = [field.name for field in MAP["INTR_STATE"].fields]

    async def state() -> set[str]:
        return {name for name in names if await seen(name)}

    assert await state() == set()
    await driver.key(BLOCK)
    assert await state() == {"KEY_LOADED"}
    await driver.write("INTR_STATE", KEY_LOADED=1)
    header, given = ecb(BLOCK)
    await driver.open(header)
    await driver.wait("START_BUSY", 0)
    assert await state() == {"IN_READY"}
    await driver.send(given[0])
    await driver.wait("OUT_VALID")
    assert await state() == {"OUT_VALID"}
    await driver.write("INTR_STATE", DONE=1, FAILED=1)
    assert await driver.rest() == outputs(config, header, BLOCK, given)
    assert await state() == {"DONE"}
    await driver.write("INTR_STATE", KEY_LOADED=1, FAILED=1)
    assert await state() == {"DONE"}
    await driver.write("INTR_STATE", DONE=1)
    await driver.open(header)
    await driver.command("ABORT")
    await driver.rest()
    assert await state() == {"DONE", "FAILED"}
    await driver.write("INTR_STATE", DONE=1, FAILED=1)
    await driver.refused(driver.load(0xFC), "ACCESS")
    assert await state() == set()
    try:
        await driver.load(0xFC)
    except BusError:
        assert await state() == {"ERROR"}
    await driver.errors()
    assert await state() == set()


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def dma_is_asked_for_each_beat_once(dut: Any) -> None:
    """All beats but the last of a packet, and its payload out, at the requests of the core."""
    driver, config = await started(dut, 0.2), config_of("axi-lite")
    await driver.key(BLOCK)
    header = opening("gcm", False, BLOCK, 16)
    given = beats(header, random.Random(5).randbytes(16 * 7))
    await driver.open(header)
    await driver.wait("START_BUSY", 0)
    await ClockCycles(dut.clk_i, 5)
    assert not dut.dma_in_req_o.value, "DMA is off after a reset"
    await driver.write("BEAT", BYTES=16, KIND=2, LAST=0)
    await driver.write("DMA", IN=1, OUT=1)
    sent, taken = 0, []
    while len(taken) < len(given) - 1:
        await ClockCycles(dut.clk_i, 1)
        if sent < len(given) - 1 and dut.dma_in_req_o.value:
            await acknowledged(dut, "in")
            await driver.fill("DATA_IN", given[sent].data)
            sent += 1
        if dut.dma_out_req_o.value:
            await acknowledged(dut, "out")
            words = [await driver.load(at("DATA_OUT", number)) for number in range(4)]
            taken.append(b"".join(word.to_bytes(4, "little") for word in words))
    driver.beat = (16, "payload", False)
    await driver.send(given[-1])
    wanted = outputs(config, header, BLOCK, given)
    payload = [beat for beat in wanted if beat.kind == "payload"]
    assert taken == [beat.data for beat in payload[:-1]]
    # The tag is left to software: no request while it waits.
    for _ in range(400):
        await ClockCycles(dut.clk_i, 1)
        if dut.dma_out_req_o.value:
            await acknowledged(dut, "out")
            words = [await driver.load(at("DATA_OUT", number)) for number in range(4)]
            taken.append(b"".join(word.to_bytes(4, "little") for word in words))
    assert taken[len(payload) - 1 :] == [payload[-1].data]
    assert (await driver.rest())[0] == wanted[-1]
    assert not dut.dma_in_req_o.value, "no packet is open"
    assert await driver.errors() == set()


async def acknowledged(dut: Any, channel: str) -> None:
    """Acknowledge a request: it falls, and does not rise again before the beat is moved."""
    request, acknowledge = (
        getattr(dut, f"dma_{channel}_req_o"),
        getattr(dut, f"dma_{channel}_ack_i"),
    )
    assert request.value
    acknowledge.value = 1
    await ClockCycles(dut.clk_i, 1)
    acknowledge.value = 0
    for _ in range(3):
        await ClockCycles(dut.clk_i, 1)
        assert not request.value


def offered(dut: Any, key: bytes, length: int | None = None) -> None:
    """A key at the sideload port."""
    dut.side_key_valid_i.value = 1
    dut.side_key_i.value = int.from_bytes(key.ljust(32, b"\0"), "big")
    dut.side_key_len_i.value = LEN_CODE[8 * len(key)] if length is None else length


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def software_does_not_see_a_key_of_the_sideload_port(dut: Any) -> None:
    """Its length comes with it; it is taken once, and no key registers are used."""
    driver, config = await started(dut), config_of("axi-lite")
    own = bytes(range(16, 32))

    async def load(**fields: int) -> None:
        await driver.write("CTRL", SIDELOAD=1, **fields)
        await driver.command("LOAD_KEY")

    async def taken() -> None:
        for _ in range(200):
            await ClockCycles(dut.clk_i, 1)
            if dut.side_key_ready_o.value:
                await ClockCycles(dut.clk_i, 1)
                dut.side_key_valid_i.value = 0
                return
        raise AssertionError("the key is not taken")

    for bits in (128, 192, 256):
        key = bytes(range(100, 100 + bits // 8))
        await driver.fill("KEY", own)
        await load(KEY_LEN=0)
        await ClockCycles(dut.clk_i, 20)
        status = await driver.read("STATUS")
        assert status["KEY_BUSY"], "LOAD_KEY waits for the key"
        assert not status["SIDE_VALID"]
        offered(dut, key)
        await taken()
        assert not (await driver.read("STATUS"))["KEY_BUSY"]
        assert await driver.load(at("CTRL")) == put("CTRL", SIDELOAD=1)
        for number in range(8):
            await driver.refused(driver.load(at("KEY", number)), "ACCESS")
        await checked(driver, config, ecb(BLOCK), key)
    # Without SIDELOAD the port is not used, whatever waits there.
    offered(dut, BLOCK)
    await ClockCycles(dut.clk_i, 3)
    assert (await driver.read("STATUS"))["SIDE_VALID"]
    await driver.key(own)
    await checked(driver, config, ecb(BLOCK), own)
    assert not dut.side_key_ready_o.value
    # A length that does not exist ends LOAD_KEY; the key stays at the port.
    offered(dut, BLOCK, 3)
    handshakes: list[None] = []

    async def watch() -> None:
        while True:
            await ClockCycles(dut.clk_i, 1)
            handshakes.extend([None] * int(dut.side_key_ready_o.value))

    watching = cocotb.start_soon(watch())
    await load()
    await ClockCycles(dut.clk_i, 10)
    watching.cancel()
    assert not handshakes
    assert not (await driver.read("STATUS"))["KEY_BUSY"]
    assert await driver.errors() == {"COMMAND"}
    await checked(driver, config, ecb(BLOCK), own)
    # A wipe ends LOAD_KEY too.
    dut.side_key_valid_i.value = 0
    await load()
    await driver.wipe()
    offered(dut, BLOCK)
    await ClockCycles(dut.clk_i, 20)
    assert not dut.side_key_ready_o.value
    assert not (await driver.read("STATUS"))["KEYED"]


@cocotb.test(timeout_time=10, timeout_unit="ms")
async def a_changed_bit_of_the_control_clears_everything(dut: Any) -> None:
    """Each bit of CTRL and of its copy, at rest and while a packet is open."""
    driver, config = await started(dut), config_of("axi-lite")
    registers = dut.u_dut.u_registers
    header, given = ecb(BLOCK + BLOCK)
    for number in range(46):
        await driver.key(BLOCK)
        await driver.open(header)
        await driver.send(given[0])
        if number % 2:
            await driver.wait("OUT_VALID")
        await FallingEdge(dut.clk_i)
        one = (registers.control_q, registers.inverted_q)[number % 2]
        one.value = int(one.value) ^ (1 << (number // 2))
        await ClockCycles(dut.clk_i, 4)
        status = await driver.read("STATUS")
        assert not any(status.values()), (number, status)
        assert await driver.load(at("CTRL")) == 0
        assert await driver.errors() == {"INTEGRITY"}, number
        driver.taken.clear()
    await driver.key(BLOCK)
    await checked(driver, config, ecb(BLOCK), BLOCK)
