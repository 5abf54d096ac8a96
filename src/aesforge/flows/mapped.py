"""Show that the mapped netlist of a core is the design: `aesforge synth --check`.

The netlist is that of `aesforge synth`, up to placement, with the core as the top module. Each of
its cells is replaced by a functional model: from the Liberty file of a library, or from the
simulation models that Yosys has of the cells of a device. A register behind a clock gate becomes
one with an enable. Where the registers of the netlist are those of the design, by name or by their
values in random runs, ABC shows all outputs and all next states equal. Elsewhere (a memory in block
RAM, of which there is no model) the netlist is simulated as `aesforge verify` simulates the design.
"""

import re
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from aesforge.core import stack
from aesforge.core.sources import fingerprint, used
from aesforge.errors import UserError
from aesforge.flows.synth import Subject, _elaborate, _script, core
from aesforge.flows.verify import CHECKS
from aesforge.progress import track
from aesforge.proof.mapped import equal, pairs
from aesforge.sim.bench import Bench
from aesforge.sim.player import compiled
from aesforge.space.axes import Config
from aesforge.space.presets import Preset
from aesforge.space.targets import CELLS, GATE, Target
from aesforge.tools import aiger, yosys
from aesforge.tools.process import ToolFailed

REGISTERS, SIMULATION = "registers", "simulation"
"""The methods."""

BLOCKS = 1_000
"""Random blocks of each check of a simulation."""

SIMULATED = ("known_answer", "random_stalls_and_keys", "clears_in_flight", "promised_clocks")
"""The checks of `aesforge verify` that the netlist is simulated with."""

# The cells of a device by the name of its folder in Yosys.
_MODELS = {"synth_xilinx": "xilinx", "synth_ecp5": "ecp5"}

_FLAT = ("setattr -mod -unset keep_hierarchy *", "hierarchy -top {top}", "flatten -noscopeinfo")
_TO_AIGER = (
    *("proc", "memory -nomap", "memory_map", "opt_clean", "setattr -unset init w:*"),
    # A table is one shift of all its entries: whole entries are shifted, not bits.
    *("wreduce", "peepopt", "opt_expr"),
    *("setundef -undriven {undefined}", "dffunmap", "simplemap", "techmap"),
    *("opt_expr", "opt_clean", "setundef {undefined}"),
)
# The latch and the gates of a clock gate, in the one form that is recognized.
_CLOCKS = (
    "t:$_DFF_P_ %ci1:+$_DFF_P_[C] t:$_DLATCH_N_ %ci1:+$_DLATCH_N_[E] %u "
    "%ci*:+$_NOT_,$_AND_ t:$_NOT_ t:$_AND_ %u %i"
)
_UNGATED = (
    *("dfflegalize -cell $_DFF_P_ x -cell $_DLATCH_N_ x", "aigmap", "opt_merge"),
    *(f"select -set clocks {_CLOCKS}", "abc -g AND @clocks"),
    *("formalff -declockgate", "dffunmap", "simplemap", "opt_clean"),
)
_AIGER = (
    *("aigmap", "opt_clean"),
    # Whatever is not a flip-flop on the rising edge of the clock has no place in AIGER.
    "select -assert-none t:$*ff* t:$*latch* t:$_*LATCH* t:$mem* t:$_DFF_N_",
    "select -assert-none t:$_DFF_P_ w:clk_i %co1:+$_DFF_P_[C] %d",
)

_MODELLED = "select -assert-none t:* t:$* %d"
"""Fails where a cell has no functional model."""

Edit = Callable[[str], str]
"""A change of the mapped netlist, as RTLIL; tests break it so."""


def models(target: Target) -> list[str] | None:
    """The passes that put functional models in place of cells; None when there are none."""
    if target.liberty:
        return [f"read_liberty {CELLS}"]
    for command, folder in _MODELS.items():
        if any(line.startswith(command) for line in target.synthesis):
            return [f"techmap -wb -D EQUIV -autoproc -map +/{folder}/cells_sim.v"]
    return None


def _top(text: str, subject: Subject) -> str:
    found = re.search(rf"^module \\({subject.module}(\$\S+)?)$", text, re.M)
    assert found is not None, subject.module
    return found[1]


def _netlist(subject: Subject, target: Target, folder: Path, edit: Edit) -> dict[str, Any]:
    """Leave `elaborated.il` and `mapped.il` in a folder, the latter changed by `edit`.

    Returns the fields of a row that identify the design.
    """
    design = _elaborate(subject, target, folder)
    target.prepare(folder)
    (folder / GATE).write_text(target.ungated, encoding="utf-8")
    script = list(_script(target))
    # Up to where the hierarchy, and so the core as a module, ends.
    script = script[: script.index("setattr -mod -unset keep_hierarchy *")]
    yosys.run([*script, "write_rtlil mapped.il"], folder)
    mapped = folder / "mapped.il"
    mapped.write_text(edit(mapped.read_text(encoding="utf-8")), encoding="utf-8")
    sources = used(design.modules)
    return {
        "netlist": design.netlist,
        "sources": list(sources),
        "source_hash": fingerprint(sources),
    }


def _passes(name: str, folder: Path, subject: Subject, cells: list[str]) -> list[str]:
    """The passes that read a netlist and leave one flat module, named as the design's."""
    top = _top((folder / name).read_text(encoding="utf-8"), subject)
    flat = [line.format(top=top) for line in _FLAT]
    again = [*flat[1:], _MODELLED] if cells else []
    renamed = [] if top == subject.module else [f"rename {top} {subject.module}"]
    return [f"read_rtlil {name}", *flat, *cells, *again, *renamed]


def _by_registers(
    subject: Subject, folder: Path, cells: list[str], gated: bool
) -> tuple[str, str] | None:
    """What was shown, and why it fails; None when registers do not match."""
    try:
        for name, its_cells, undefined in (
            ("elaborated", [], "-anyseq"),
            ("mapped", cells, "-zero"),
        ):
            passes = _passes(f"{name}.il", folder, subject, its_cells)
            made = [line.format(undefined=undefined) for line in _TO_AIGER]
            made += [*(_UNGATED if gated and its_cells else ()), *_AIGER]
            yosys.run([*passes, *made, f"write_aiger -symbols {name}.aig"], folder)
    except ToolFailed as failure:
        if "Assertion failed" in failure.output:
            return None
        raise
    design, netlist = (aiger.read(folder / f"{name}.aig") for name in ("elaborated", "mapped"))
    found = pairs(design, netlist)
    why = equal(design, netlist, found, folder)
    if why and any(found.free):
        return None
    same = len(found.removed) + len(found.copies)
    covers = (
        f"all inputs and states: {len(found.kept):,} registers and {len(design.output_names)} "
        f"outputs, by ABC; {same} registers more are constants or copies"
    )
    return covers, why


def _by_simulation(
    subject: Subject, config: Config, folder: Path, cells: list[str], seed: int
) -> tuple[str, str]:
    passes = _passes("mapped.il", folder, subject, cells)
    written = ["proc", "opt_clean -purge", "write_verilog -noattr -noparallelcase netlist.v"]
    try:
        yosys.run([*passes, *written], folder)
    except ToolFailed as failure:
        if "Assertion failed" not in failure.output:
            raise
        raise UserError(
            "the netlist has cells without a functional model, such as block RAM, so it cannot be "
            "checked on this target; check on a library of standard cells such as osu018"
        ) from failure
    model = compiled(stack.contract(config), {}, [folder / "netlist.v"], ["-Wno-fatal"])
    bench = Bench(config, model, BLOCKS, seed)
    covered: list[str] = []
    for name in SIMULATED:
        problems, what = CHECKS[name](bench)
        if problems:
            return "", f"{name}: {'; '.join(problems[:3])}"
        covered.append(what)
    return f"{', '.join(SIMULATED)}: {'; '.join(covered[:-1])}", ""


def check(
    preset: Preset,
    config: Config,
    target: Target,
    method: str = "",
    edit: Edit | None = None,
    seed: int = 1,
) -> dict[str, Any]:
    """Whether the netlist of a configuration on a target is the design, and by which method.

    `method` is one of REGISTERS and SIMULATION, by default the first that applies. `edit` changes
    the netlist. The document is a row of `results/mapped.jsonl`.
    """
    cells = models(target)
    if cells is None:
        raise UserError(
            f"Yosys has no functional models of the cells of {target.name} that are tried here; "
            "check on ecp5, xc7 or another Xilinx device, or on a library such as osu018"
        )
    subject = core(config)

    start = time.monotonic()
    with (
        track(f"check {preset.name} {target.name}"),
        TemporaryDirectory(prefix="aesforge-") as scratch,
    ):
        folder = Path(scratch)
        made_from = _netlist(subject, target, folder, edit or (lambda text: text))
        way, found = REGISTERS, None
        if method != SIMULATION:
            found = _by_registers(subject, folder, cells, bool(target.clock_gate))
        if found is None and method != REGISTERS:
            way, found = SIMULATION, _by_simulation(subject, config, folder, cells, seed)
        covers, why = found or ("", "a register of the netlist has no counterpart in the design")
        return {
            "preset": preset.name,
            "config": config.as_dict(),
            "target": target.name,
            "delay_ps": target.delay_ps,
            "holds": not why,
            "method": way,
            "covers": covers,
            "why": why,
            "seconds": round(time.monotonic() - start, 1),
            **made_from,
            "versions": {"pyosys": yosys.version()},
        }
