"""A whole core behind AXI4-Stream, with the bus models of cocotbext-axi on both streams."""

import itertools
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import RisingEdge
from runner import compile_bench, kept, run_bench

from aesforge import cache
from aesforge.core import stack
from aesforge.sim import packets
from aesforge.space.presets import preset

PAYLOAD = 2
PACKETS = 60


def played(name: str, *choices: str) -> None:
    """Run the tests of this file on a configuration with 128-bit keys, mode=ctr and two streams."""
    config = preset(name).configure(choices)
    ports = stack.contract(config).ports
    declared = ", ".join(
        f"{port.direction} logic [{port.width - 1}:0] {port.name} /*verilator public_flat_rw*/"
        for port in ports
    )
    pins = ", ".join(f".{port.name} ({port.name})" for port in ports)
    text = f"module bench ({declared}); {stack.MODULE} u_dut ({pins}); endmodule\n"
    files = stack.sources(config)

    def build(folder: Path) -> None:
        (folder / "bench.sv").write_text(text, encoding="utf-8")
        compile_bench([*files, folder / "bench.sv"], folder)

    run_bench(__file__, cache.folder("cocotb", kept((text, *files)), build))


def pauses(probability: float) -> Iterator[int]:
    """A random pattern of stalls."""
    return (int(random.random() < probability) for _ in itertools.count())


async def handshake(dut: Any, channel: str, **values: int) -> None:
    """One transfer on a valid/ready channel."""
    for port, value in values.items():
        getattr(dut, f"{channel}_{port}").value = value
    getattr(dut, f"{channel}_valid_i").value = 1
    while True:
        await RisingEdge(dut.clk_i)
        if int(getattr(dut, f"{channel}_ready_o").value):
            break
    getattr(dut, f"{channel}_valid_i").value = 0


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def packets_of_two_streams_are_those_of_openssl(dut: Any) -> None:
    """Frames of 1 to 100 bytes on both streams, with stalls of the source and the sink."""
    from cocotbext.axi import AxiStreamBus, AxiStreamFrame, AxiStreamSink, AxiStreamSource

    cocotb.start_soon(Clock(dut.clk_i, 10, "ns").start())
    bus = {side: AxiStreamBus.from_prefix(dut, side) for side in ("s_axis", "m_axis")}
    options = {"reset_active_level": False}
    source = AxiStreamSource(bus["s_axis"], dut.clk_i, dut.rst_ni, **options)
    sink = AxiStreamSink(bus["m_axis"], dut.clk_i, dut.rst_ni, **options)
    for port in ("key_valid_i", "pkt_valid_i", "key_clear_i", "key_len_i"):
        getattr(dut, port).value = 0
    dut.rst_ni.value = 0
    for _ in range(3):
        await RisingEdge(dut.clk_i)
    dut.rst_ni.value = 1
    key = random.randbytes(16)
    await handshake(dut, "key", i=int.from_bytes(key + bytes(16)))

    for number in range(PACKETS):
        source.set_pause_generator(pauses(number % 4 / 4))
        sink.set_pause_generator(pauses(number % 3 / 3))
        stream, iv = number % 2, random.randbytes(16)
        data = random.randbytes(random.randrange(1, 100))
        await handshake(dut, "pkt", decrypt_i=number & 1, iv_i=int.from_bytes(iv), stream_i=stream)
        await source.send(AxiStreamFrame(data, tid=stream, tuser=PAYLOAD))
        result = await sink.recv()
        assert bytes(result.tdata) == packets.ctr(key, iv, data, 128), number
        assert {result.tid, result.tuser} == {stream, PAYLOAD}
    assert sink.empty()
