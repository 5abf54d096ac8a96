"""A project of Tiny Tapeout around a small core: byte-wide pins, description, configuration, test.

Tiny Tapeout takes a folder with `info.yaml`, `docs/info.md` and the sources in `src/`. What its
form demands is in `templates/tinytapeout`; the sources are copies of those of the bundle.
"""

import random
from collections.abc import Mapping
from pathlib import PurePosixPath

from aesforge.core import stack
from aesforge.core.contract import sboxes_code
from aesforge.core.stack import connected
from aesforge.errors import UserError
from aesforge.sim.oracle import ecb
from aesforge.sim.vectors import APPENDIX_C
from aesforge.space.axes import Config
from aesforge.space.promises import promised

FILES = {
    "info.yaml": "info.yaml",
    "docs/info.md": "info.md",
    "src/config.json": "config.json",
    "test/tb.sv": "tb.sv",
    "test/Makefile": "Makefile",
}
"""The files of a project that follow from templates, and their templates."""

_PINS = (
    *((f"ui[{k}]", f"bit {k} of a byte to shift in") for k in range(8)),
    *((f"uo[{k}]", f"bit {k} of the first byte of the register") for k in range(8)),
    ("uio[0]", "SHIFT (input)"),
    ("uio[1]", "LOAD the register as key (input)"),
    ("uio[2]", "START with the register as block (input)"),
    ("uio[3]", "decrypt instead of encrypt (input)"),
    ("uio[4]", "BUSY (output)"),
    ("uio[5]", "DONE: the register is a result (output)"),
    ("uio[6]", ""),
    ("uio[7]", ""),
)


def require(config: Config) -> None:
    """UserError when a core does not fit the pins: keys and blocks of 16 bytes, no layers."""
    for axis, value in config.stacked.items():
        raise UserError(f"--tinytapeout takes a core without layers: leave out {axis}={value}")
    for axis, value in (("protection", "none"), ("keys", "128"), ("block", "128")):
        if getattr(config, axis) != value:
            raise UserError(
                f"--tinytapeout has one register of 16 bytes for key and block: choose "
                f"{axis}={value}, not {axis}={getattr(config, axis)}"
            )
    if config.key_schedule in ("given", "loaded"):
        raise UserError(
            "--tinytapeout gives a core its key alone: leave out "
            f"key_schedule={config.key_schedule}"
        )


def _pins(config: Config) -> list[str]:
    """The connections of the core in the project."""
    wires = {
        "clk_i": "clk",
        "rst_ni": "reset_n",
        "key_valid_i": "key_q",
        "key_ready_o": "key_ready",
        "key_i": "{register_q, 128'd0}",
        "key_len_i": "2'd0",
        "in_valid_i": "block_q",
        "in_ready_o": "block_ready",
        "in_data_i": "register_q",
        "in_decrypt_i": "uio_in[3]",
        "out_valid_o": "result_valid",
        "out_ready_i": "wait_q",
        "out_data_o": "result",
        "key_clear_i": "1'b0",
    }
    if config.selectable_sboxes:
        wires["in_sboxes_i"] = f"2'd{sboxes_code(config.selectable_sboxes[0])}"
    return connected((port.name, wires[port.name]) for port in stack.contract(config).ports)


def _steps(config: Config, seed: int = 1) -> list[str]:
    """The calls of the testbench: the example of FIPS 197, and random keys and blocks."""
    rng, lines = random.Random(seed), []
    keys = [bytes(range(16)), *(rng.randbytes(16) for _ in range(2))]
    for number, key in enumerate(keys):
        lines.append(f"key(128'h{key.hex()});")
        for direction in config.directions:
            decrypt = direction == "decrypt"
            first = APPENDIX_C if number == 0 else rng.randbytes(16)
            for data in (first, rng.randbytes(16)):
                result = ecb(key, decrypt)(data)
                lines.append(f"block(1'b{int(decrypt)}, 128'h{data.hex()}, 128'h{result.hex()});")
    return lines


def names(config: Config, top: str, parts: Mapping[str, str]) -> dict[str, str]:
    """What the templates have of a configuration.

    `parts` are the sources of its bundle.
    """
    project = f"tt_um_{top}"
    files = [*(PurePosixPath(path).name for path in parts), f"{project}.sv"]
    key, block = bytes(range(16)), APPENDIX_C
    decrypt = config.directions[0] == "decrypt"
    return {
        "project": project,
        "directions": " and ".join(config.directions),
        "sources": "\n".join(f'    - "{name}"' for name in files),
        "files": " ".join(files),
        "pinout": "\n".join(f'  {pin}: "{text}"' for pin, text in _PINS),
        "pins": "\n".join(f"    {line}" for line in _pins(config)),
        "steps": "\n".join(f"    {line}" for line in _steps(config)),
        "latency": str(promised(config, 128).latency),
        "key": key.hex(),
        "input": block.hex(),
        "output": ecb(key, decrypt)(block).hex(),
    }
