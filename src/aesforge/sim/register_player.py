"""Compile a core behind registers with the program that drives it: a player, and the C driver.

The player takes the scripts of `player.py` on the channels of the packets behind the registers, and
gives the same events. `register_player.cpp` defines what an item of a channel is on the bus.
"""

import subprocess
from collections.abc import Sequence
from pathlib import Path

from aesforge import cache
from aesforge.core import stack
from aesforge.core.contract import TWEAKS, Contract
from aesforge.core.sources import digest, rtl_root
from aesforge.sim.player import compiled as channels_compiled
from aesforge.space.axes import Config
from aesforge.tools import verilator
from aesforge.tools.process import ToolFailed, call

_SIM = Path(__file__).parent
_MAIN = _SIM / "register_player.cpp"
_OWN_BUS = "-DAESFORGE_OWN_BUS"


def _driver() -> Path:
    """The folder of the C driver: in the installed package, or in the source tree."""
    return rtl_root().parent / "sw"


def _constant(name: str) -> str:
    """The name of a port in the player: its channel comes first."""
    stem = name[:-2].upper()
    return "KEY_KEY" if stem == "KEY" else stem


def _packets(config: Config, contract: Contract) -> str:
    """The C++ that says where each port is in the items of the channels."""
    every = [port.name for channel in TWEAKS.channels for port in channel.payload]
    found = dict.fromkeys((*map(_constant, every), "IN_SBOXES"), (0, 0))
    sizes = []
    for channel in contract.channels:
        at = 0
        for port in channel.payload:
            size = (port.width + 7) // 8
            found[_constant(port.name)] = at, size
            at += size
        sizes.append(str(at))
    lines = [
        f"#define BUS_{config.port.replace('-', '_').upper()}",
        "struct Field { int at; int bytes; };",
        f"constexpr int CHANNEL_BYTES[] = {{{', '.join(sizes)}}};",
        f"constexpr uint32_t ONLY_MODE = {config.modes[0].code};",
        *(["#define SIDELOAD"] if config.sideload == "on" else []),
        *(["#define TWO_KEYS"] if config.two_keys else []),
        *(["#define STREAM"] if config.stream_port == "on" else []),
        f"constexpr bool STREAMS = {str(config.stream_port == 'on').lower()};",
    ]
    lines += [
        f"[[maybe_unused]] constexpr Field {k} = {{{a}, {b}}};" for k, (a, b) in found.items()
    ]
    return "\n".join(lines) + "\n"


def compiled(config: Config, files: Sequence[Path] = (), flags: Sequence[str] = ()) -> Path:
    """The program of a core behind registers, compiled once for each content.

    `files` are the sources, if they are not those of the configuration.
    """
    files = files or stack.sources(config)
    text = _packets(config, stack.channels(config))
    folder = _driver()
    software = (*sorted(folder.glob("*.[ch]")), _MAIN, *sorted(_SIM.glob("*.h")))

    def make(made: Path) -> None:
        (made / "packets.inc").write_text(text, encoding="utf-8")
        driver = made / "driver.o"
        strict = ("-std=c99", "-O2", "-Wall", "-Wextra", "-Werror", _OWN_BUS, f"-I{folder}")
        call("gcc", ["gcc", *strict, "-c", folder / "aesforge.c", "-o", driver])
        own = ("-CFLAGS", f"-I{made} -I{folder} -I{_SIM}", "-LDFLAGS", str(driver))
        module = stack.contract(config).module
        verilator.compile_model(files, module, {}, _MAIN, made, (*own, *flags))

    name = digest(*files, *software, text, *flags, verilator.version(), Path(__file__))
    return cache.folder("models", name, make) / "model" / "player"


def model(config: Config) -> Path:
    """The program that plays scripts on a configuration, whatever its port."""
    if config.registers:
        return compiled(config)
    return channels_compiled(
        stack.contract(config), stack.parameters(config), stack.sources(config)
    )


def driven(program: Path, lines: Sequence[str], seed: int = 1) -> list[list[str]]:
    """The words that the C driver in a program of `compiled` answers to each line.

    ToolFailed when it ends before its last line, as it does when the core does not answer.
    """
    text = "\n".join(lines) + "\n"
    done = subprocess.run(
        [program, "driver", str(seed)], input=text, capture_output=True, text=True, check=False
    )
    found = [line.split() for line in done.stdout.splitlines()]
    if done.returncode or len(found) != len(lines):
        raise ToolFailed("the driver on the simulated core", done.stderr or "it ended early")
    return found
