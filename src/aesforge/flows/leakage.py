"""Simulated leakage assessment of a masked core: `aesforge leakage`."""

import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from aesforge.core.contract import random_bits
from aesforge.core.stack import require_core
from aesforge.errors import UserError
from aesforge.flows.probe import Leak, read_core
from aesforge.power.leakage import LANES, THRESHOLD, Machine, Stimulus, Transitions, assess
from aesforge.progress import track
from aesforge.proof.claims import TO_AIGER
from aesforge.space.axes import Config
from aesforge.space.presets import Preset
from aesforge.space.promises import promised
from aesforge.tools import aiger, yosys

KEY, BLOCK = 0x000102030405060708090A0B0C0D0E0F, 0x00112233445566778899AABBCCDDEEFF


def cycles(config: Config) -> int:
    """From valid input to the cycle in which the result is valid."""
    return promised(config, 128).latency + 1


def machine(config: Config, leak: Leak | None = None) -> aiger.Aiger:
    """A masked core as an and-inverter graph; with a leak of a source, to see that it is found."""
    with TemporaryDirectory() as scratch:
        folder = Path(scratch)
        read = read_core(config.module, folder, config.parameters, leak)
        yosys.run([read, *TO_AIGER, "write_aiger -symbols core.aig"], folder)
        return aiger.read(folder / "core.aig")


def leakage(
    preset: Preset,
    config: Config,
    traces: int,
    seed: int,
    masked: bool = True,
    leak: Leak | None = None,
) -> dict[str, Any]:
    """A t-test of so many traces; it holds when no cycle has |t| of `THRESHOLD` or more."""
    if config.protection != "masked":
        raise UserError(
            f"{preset.name} has no shares to draw: choose a preset with protection=masked; see "
            "'aesforge list'"
        )
    require_core(config, "leakage")
    if traces < 100:
        raise UserError(f"{traces} traces show nothing; give 100 or more")
    start = time.perf_counter()
    found = machine(config, leak)
    stimulus = Stimulus(int(config.shares), random_bits(config), masked, KEY, BLOCK)
    largest, cycle, above = 0.0, 0, 0
    batches = -(-traces // LANES)
    with Transitions(found) as transitions, track("simulating traces", batches) as advance:
        for _, t in assess(Machine(found), stimulus, cycles(config), traces, seed, transitions):
            cycle = int(np.argmax(np.abs(t)))
            largest = float(abs(t[cycle]))
            above = int((np.abs(t) >= THRESHOLD).sum())
            advance(1)
    return {
        "core": config.module,
        "config": config.as_dict(),
        "masks": "random" if masked else "zero",
        "traces": traces,
        "cycles": cycles(config),
        "nodes": len(found.next) + len(found.gates),
        "largest_t": round(largest, 2),
        "at_cycle": cycle,
        "threshold": THRESHOLD,
        "cycles_above": above,
        "holds": largest < THRESHOLD,
        "seconds": round(time.perf_counter() - start, 1),
    }
