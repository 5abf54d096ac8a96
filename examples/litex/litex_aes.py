"""An AES core of aesforge as a LiteX module, and an example SoC with it.

Usage: litex_aes.py FOLDER [PRESET AXIS=VALUE ...]. It writes the Verilog of a SoC with a PicoRV32,
a memory, a UART and the core into FOLDER, and elaborates it. The driver in `sw/` works with the
core at the address `AES_BASE` of `mem.h`.
"""

import contextlib
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from litex.build.generic_platform import Pins, Subsignal
from litex.build.sim import SimPlatform
from litex.gen import LiteXModule
from litex.soc.integration.export import get_mem_header
from litex.soc.integration.soc import SoCRegion
from litex.soc.integration.soc_core import SoCCore
from litex.soc.interconnect.axi import AXILiteInterface
from litex.soc.interconnect.csr_eventmanager import EventManager, EventSourceLevel
from migen import ClockDomain, ClockSignal, Instance, ResetSignal, Signal

from aesforge.core import stack
from aesforge.core.sources import include
from aesforge.space.presets import preset
from aesforge.tools import verilator
from aesforge.tools.process import call

TOP = "litex_aes"
CORE = ("aesforge-iterative-universal", "mode=ctr,gcm", "keys=128")
BASE, SIZE = 0x9000_0000, 0x1000

CHANNELS = {
    "aw": ("addr", "prot"),
    "w": ("data", "strb"),
    "b": ("resp",),
    "ar": ("addr", "prot"),
    "r": ("data", "resp"),
}
"""The channels of AXI4-Lite and their payload, as LiteX has them; `prot` is 0."""

SLAVE_DRIVES = ("b", "r")


class AES(LiteXModule):
    """The core: `bus` is its AXI4-Lite port, `ev` its interrupt, a level."""

    def __init__(self, platform: SimPlatform, sources: Iterable[Path], top: str = TOP) -> None:
        self.bus = AXILiteInterface(data_width=32, address_width=32)
        self.ev = EventManager()
        self.ev.done = EventSourceLevel()
        self.ev.finalize()
        # The core is used without DMA.
        acks = {"i_dma_in_ack_i": 0, "i_dma_out_ack_i": 0}
        pins: dict[str, Signal | int] = {"o_irq_o": self.ev.done.trigger, **acks}
        for channel, payload in CHANNELS.items():
            signals = getattr(self.bus, channel)
            to_core, from_core = ("o", "i") if channel in SLAVE_DRIVES else ("i", "o")
            pins[f"{to_core}_s_axil_{channel}valid"] = signals.valid
            pins[f"{from_core}_s_axil_{channel}ready"] = signals.ready
            for name in payload:
                value = 0 if name == "prot" else getattr(signals, name)
                value = value[:12] if name == "addr" else value
                pins[f"{to_core}_s_axil_{channel}{name}"] = value
        clock = {"i_clk_i": ClockSignal("sys"), "i_rst_ni": ~ResetSignal("sys")}
        self.specials += Instance(top, **clock, **pins)
        for source in sources:
            platform.add_source(str(source))


def core(folder: Path, words: Sequence[str], top: str = TOP) -> list[Path]:
    """The sources of a core in order; the last one, in `folder`, is its top module."""
    name, *choices = words
    config = preset(name).configure([*choices, "port=axi-lite"])
    *sources, _ = stack.sources(config)
    made = folder / f"{top}.sv"
    made.write_text("\n".join(stack.top(config, top)) + "\n", encoding="utf-8")
    return [*sources, made]


class _Reset(LiteXModule):
    """The clock of the simulation, and a reset in its first cycle."""

    def __init__(self, clock: Signal) -> None:
        self.cd_sys = ClockDomain()
        self.comb += self.cd_sys.clk.eq(clock)
        started = Signal()
        self.sync += started.eq(1)
        self.comb += self.cd_sys.rst.eq(~started)


class SoC(SoCCore):
    """A PicoRV32 with an AES core."""

    def __init__(self, sources: Iterable[Path]) -> None:
        serial = Subsignal("tx", Pins(1)), Subsignal("rx", Pins(1))
        platform = SimPlatform("SIM", [("sys_clk", 0, Pins(1)), ("serial", 0, *serial)])
        platform.add_verilog_include_path(str(include()))
        self.crg = _Reset(platform.request("sys_clk"))
        memory = {"integrated_rom_size": 0x8000, "integrated_sram_size": 0x2000}
        super().__init__(platform, int(1e6), cpu_type="picorv32", ident="aesforge", **memory)
        self.aes = AES(platform, sources)
        self.bus.add_slave("aes", self.aes.bus, SoCRegion(BASE, SIZE, cached=False))
        self.irq.add("aes")


def lint(sources: Sequence[Path], folder: Path) -> None:
    """Elaborate a whole design in Verilator, without warnings on what is not ours."""
    command = ["perl", "-S", "verilator", "--lint-only", "-Wno-lint", "-Wno-style", "-Wno-fatal"]
    files = [str(path) for path in sources]
    top = ["--top-module", sources[-1].stem, f"-I{include()}"]
    call("Verilator", [*command, *top, *files], folder, verilator.environment())


def write(soc: SoC, folder: Path) -> list[Path]:
    """Write the SoC and the addresses of its memories; returns all sources in order."""
    soc.finalize()
    made = folder / "litex_soc.v"
    # LiteX writes the contents of memories into the current folder.
    with contextlib.chdir(folder):
        soc.platform.get_verilog(soc, name=made.stem).write(str(made))
    (folder / "mem.h").write_text(get_mem_header(soc.mem_regions), encoding="utf-8")
    return [*(Path(source) for source, *_ in soc.platform.sources), made]


def main() -> None:
    """Write the SoC, and lint it whole."""
    folder, words = Path(sys.argv[1]).resolve(), sys.argv[2:] or CORE
    folder.mkdir(parents=True, exist_ok=True)
    sources = write(SoC(core(folder, words)), folder)
    lint(sources, folder)
    print(f"{folder / 'litex_soc.v'} and {len(sources) - 1} sources beside it elaborate")


if __name__ == "__main__":
    main()
