"""PicoRV32, a processor for RISC-V, from its package (https://github.com/YosysHQ/picorv32)."""

from pathlib import Path

from aesforge.errors import ToolMissing


def source() -> Path:
    """The Verilog of the processor; ToolMissing without its package."""
    try:
        from pythondata_cpu_picorv32 import data_file
    except ImportError:
        raise ToolMissing(
            "the processor is missing; install it with 'pip install pythondata-cpu-picorv32'"
        ) from None
    return Path(data_file("picorv32.v"))
