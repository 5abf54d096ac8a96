"""Simulated leakage assessment of the masked core: `aesforge leakage`."""

import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from aesforge.core.sources import closure
from aesforge.errors import UserError
from aesforge.power.leakage import LANES, THRESHOLD, Machine, Stimulus, assess
from aesforge.progress import track
from aesforge.proof.claims import TO_AIGER
from aesforge.tools import aiger, yosys

MODULE = "aes_masked_serial32"
CYCLES = 86
KEY, BLOCK = 0x000102030405060708090A0B0C0D0E0F, 0x00112233445566778899AABBCCDDEEFF


def machine() -> aiger.Aiger:
    """The core with two shares as an and-inverter graph."""
    with TemporaryDirectory() as scratch:
        folder = Path(scratch)
        read = yosys.read(closure(MODULE), MODULE)
        yosys.run([read, *TO_AIGER, "write_aiger -symbols core.aig"], folder)
        return aiger.read(folder / "core.aig")


def leakage(traces: int, seed: int, masked: bool = True) -> dict[str, Any]:
    """A t-test of so many traces; it holds when no cycle has |t| of `THRESHOLD` or more."""
    if traces < 100:
        raise UserError(f"{traces} traces show nothing; give 100 or more")
    start = time.perf_counter()
    found = machine()
    random = sum(name.startswith("random_i[") for name in found.input_names)
    stimulus = Stimulus(2, random, masked, KEY, BLOCK)
    largest, cycle, above = 0.0, 0, 0
    with track("simulating traces", -(-traces // LANES)) as advance:
        for _, t in assess(Machine(found), stimulus, CYCLES, traces, seed):
            cycle = int(np.argmax(np.abs(t)))
            largest = float(abs(t[cycle]))
            above = int((np.abs(t) >= THRESHOLD).sum())
            advance(1)
    return {
        "core": MODULE,
        "masks": "random" if masked else "zero",
        "traces": traces,
        "cycles": CYCLES,
        "nodes": len(found.next) + len(found.gates),
        "largest_t": round(largest, 2),
        "at_cycle": cycle,
        "threshold": THRESHOLD,
        "cycles_above": above,
        "holds": largest < THRESHOLD,
        "seconds": round(time.perf_counter() - start, 1),
    }
