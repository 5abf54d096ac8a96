"""Masters of the register buses, for cocotb: the bus model where there is one, else our own."""

import itertools
import random
from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any

from cocotb.triggers import RisingEdge
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


class _Own(ABC):
    """A master of our own: one access at a time, after random pauses; the signals start at 0."""

    inputs: tuple[str, ...] = ()
    prefix = ""

    def __init__(self, dut: Any, stall: float) -> None:
        self.dut, self.stall = dut, stall
        self.set(**dict.fromkeys(self.inputs, 0))

    def set(self, **values: int) -> None:
        """Drive signals of the bus."""
        for name, value in values.items():
            getattr(self.dut, f"{self.prefix}{name}").value = value

    def get(self, name: str) -> int:
        """A signal of the bus."""
        return int(getattr(self.dut, f"{self.prefix}{name}").value)

    async def edge(self) -> None:
        """The next rising edge."""
        await RisingEdge(self.dut.clk_i)

    async def pause(self) -> None:
        """Wait at random."""
        while random.random() < self.stall:
            await self.edge()

    @abstractmethod
    async def access(self, address: int, strobe: int, value: int, write: bool) -> int:
        """One access of the bus; BusError if it is in error."""

    async def load(self, address: int) -> int:
        """Read a word."""
        return await self.access(address, 15, 0, False)

    async def store(self, address: int, value: int) -> None:
        """Write a word."""
        await self.access(address, 15, value, True)

    async def narrow(self, address: int, data: bytes) -> None:
        """Write bytes at the low end of a word."""
        value = int.from_bytes(data, "little")
        await self.access(address, (1 << len(data)) - 1, value, True)


class Apb(_Own):
    """APB4: setup phase, access phase."""

    prefix = "s_apb_"
    inputs = ("psel", "penable", "pwrite", "paddr", "pwdata", "pstrb", "pprot")

    async def access(self, address: int, strobe: int, value: int, write: bool) -> int:
        """One transfer."""
        await self.pause()
        self.set(psel=1, penable=0, pwrite=write, paddr=address, pwdata=value)
        self.set(pstrb=strobe if write else 0)
        await self.edge()
        self.set(penable=1)
        await self.edge()
        while not self.get("pready"):
            await self.edge()
        found, error = self.get("prdata"), self.get("pslverr")
        self.set(psel=0, penable=0)
        if error:
            raise BusError(address)
        return found


class Wishbone(_Own):
    """Wishbone B4 classic."""

    prefix = "s_wb_"
    inputs = ("cyc", "stb", "we", "adr", "dat_w", "sel")

    async def access(self, address: int, strobe: int, value: int, write: bool) -> int:
        """One cycle; it may stay open for the next one."""
        self.set(cyc=1, stb=0)
        await self.pause()
        self.set(cyc=1, stb=1, we=write, adr=address, dat_w=value, sel=strobe if write else 0)
        await self.edge()
        while not (self.get("ack") or self.get("err")):
            await self.edge()
        found, error = self.get("dat_r"), self.get("err")
        assert not (error and self.get("ack"))
        self.set(stb=0, cyc=random.getrandbits(1))
        if error:
            raise BusError(address)
        return found


class TlUl(_Own):
    """TileLink UL."""

    prefix = "tl_"
    inputs = (
        *(f"a_{name}" for name in ("valid", "opcode", "param", "size", "source", "address")),
        *("a_mask", "a_data", "a_corrupt", "d_ready"),
    )

    async def access(self, address: int, strobe: int, value: int, write: bool) -> int:
        """A request and its response."""
        await self.pause()
        source = random.getrandbits(8)
        self.set(a_valid=1, a_opcode=(0 if strobe == 15 else 1) if write else 4, a_size=2)
        self.set(a_source=source, a_address=address, a_mask=strobe, a_data=value)
        await self.edge()
        while not self.get("a_ready"):
            await self.edge()
        self.set(a_valid=0)
        await self.pause()
        self.set(d_ready=1)
        await self.edge()
        while not self.get("d_valid"):
            await self.edge()
        self.set(d_ready=0)
        assert (self.get("d_opcode"), self.get("d_source")) == (int(not write), source)
        if self.get("d_denied"):
            raise BusError(address)
        return self.get("d_data")


_MASTERS = {"s_axil_awvalid": AxiLite, "s_apb_psel": Apb, "s_wb_cyc": Wishbone, "tl_a_valid": TlUl}


def master(dut: Any, stall: float = 0.0) -> Any:
    """The master of the bus that a bench has."""
    return next(made for port, made in _MASTERS.items() if hasattr(dut, port))(dut, stall)
