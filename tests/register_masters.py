"""Masters of the register buses, for cocotb: the bus model where there is one, else our own."""

import itertools
import random
from collections.abc import Iterator
from typing import Any

from register_driver import BusError


def pauses(probability: float) -> Iterator[int]:
    """A random pattern of stalls."""
    return (int(random.random() < probability) for _ in itertools.count())


class AxiLite:
    """The master of cocotbext-axi."""

    def __init__(self, dut: Any, stall: float) -> None:
        from cocotbext.axi import AxiLiteBus, AxiLiteMaster, AxiResp

        bus = AxiLiteBus.from_prefix(dut, "s_axil")
        self.master = AxiLiteMaster(bus, dut.clk_i, dut.rst_ni, reset_active_level=False)
        self.okay = AxiResp.OKAY
        for side in (self.master.write_if, self.master.read_if):
            for name in ("aw", "w", "b", "ar", "r"):
                channel = getattr(side, f"{name}_channel", None)
                if channel is not None:
                    channel.set_pause_generator(pauses(stall))

    async def load(self, address: int) -> int:
        """Read a word."""
        found = await self.master.read(address, 4)
        if found.resp != self.okay:
            raise BusError(address)
        return int.from_bytes(found.data, "little")

    async def store(self, address: int, value: int) -> None:
        """Write a word."""
        await self.narrow(address, value.to_bytes(4, "little"))

    async def narrow(self, address: int, data: bytes) -> None:
        """Write bytes."""
        if (await self.master.write(address, data)).resp != self.okay:
            raise BusError(address)


def master(dut: Any, stall: float = 0.0) -> Any:
    """The master of the bus that a bench has."""
    return AxiLite(dut, stall)
