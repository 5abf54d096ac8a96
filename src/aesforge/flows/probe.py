"""Check masked gadgets and S-boxes against glitch-extended probes: `aesforge probe`.

The negative controls are the substitutions of `formal/leaks/MODULE.toml`: a share recombined, a
register missing, randomness reused or zero. The check must find each of them.
"""

import json
import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from aesforge.core.sources import closure, rtl_root
from aesforge.errors import UserError, unknown
from aesforge.progress import track
from aesforge.proof.composition import Composition, inside_cores, inside_inversions
from aesforge.proof.faults import catalogue, substituted
from aesforge.proof.masked import Masked, Pipeline, read
from aesforge.proof.probing import Found, composable, probing
from aesforge.space.legality import PROTECTED
from aesforge.space.targets import CELLS, target
from aesforge.tools import netlist as netlists
from aesforge.tools import yosys

# The passes that leave simple gates.
_GATES = ("simplemap", "techmap", "opt_clean", "dffunmap", "simplemap", "opt_clean -purge")

NETLISTS = ("elaborated", "osu018")

TOP = "probed"


def gadgets() -> dict[str, int]:
    """The gadgets of `aes_masked_pkg` by name."""
    text = (rtl_root() / "masked" / "aes_masked_pkg.sv").read_text(encoding="utf-8")
    found = re.findall(r"localparam int GADGET_(\w+) = (\d+);", text)
    return {name.lower().replace("_", "-"): int(code) for name, code in found}


@dataclass(frozen=True)
class Subject:
    """A masked module with parameters, and the notion of composition that is claimed of it.

    `bits`: its fresh random bits in a cycle.
    """

    gadget: str
    masked: Masked
    parameters: dict[str, int]
    bits: str
    notion: str = ""

    @property
    def name(self) -> str:
        """The module with its gadget and its size."""
        width = self.parameters.get("Width")
        bits = f", {width} bits" if width else ""
        return f"{self.masked.module} {self.gadget}{bits}, {self.masked.shares} shares"

    def top(self) -> str:
        """A module with the data of this one alone; it advances in every cycle."""
        sizes = {name: str(width * self.masked.shares) for name, width in self._data().items()}
        sizes[self.masked.random] = self.bits
        directions = {
            name: "output" if name == self.masked.output[0] else "input" for name in sizes
        }
        ports = [f"{directions[name]} logic [{size}-1:0] {name}" for name, size in sizes.items()]
        pins = {name: name for name in ("clk_i", *sizes)} | {"advance_i": "1'b1"}
        given = ", ".join(f".{name}({value})" for name, value in self.parameters.items())
        wired = ", ".join(f".{pin}({net})" for pin, net in pins.items())
        return (
            f"module {TOP} (input logic clk_i, {', '.join(ports)});\n"
            f"  {self.masked.module} #({given}) u_masked ({wired});\nendmodule\n"
        )

    def _data(self) -> dict[str, int]:
        return {**self.masked.operands, self.masked.output[0]: self.masked.output[1]}


def subjects(gadget: str, shares: int) -> Iterator[Subject]:
    """The products of a gadget in both fields, the inversion's with the S-box around it."""
    code = gadgets()[gadget]
    parameters = {"Gadget": code, "Shares": shares}
    notion = "PINI" if gadget == "hpc3" else "SNI"
    for width in (2, 4):
        operands = dict.fromkeys(("a_i", "b_i", "sum_i"), width)
        ports = Masked("aes_masked_product", shares, operands, ("data_o", width))
        bits = f"aes_masked_pkg::product_bits({code}, {shares}, {width}, 1)"
        yield Subject(gadget, ports, {**parameters, "Width": width}, bits, notion)
    ports = Masked("aes_masked_sbox", shares, {"data_i": 8}, ("data_o", 8))
    bits = f"aes_masked_pkg::inversion_bits({code}, {shares})"
    yield Subject(gadget, ports, parameters, bits)


@dataclass(frozen=True)
class Leak:
    """A negative control: `old` in a module, which occurs once, replaced by `new`.

    `gadget`, `module` and `shares` say what is checked with it, against `shares` - 1 probes.
    """

    file: str
    name: str
    old: str
    new: str
    gadget: str
    module: str
    shares: int = 2

    @property
    def subject(self) -> Subject:
        """What is checked."""
        found = subjects(self.gadget, self.shares)
        return next(one for one in found if one.masked.module == self.module)


CORES = tuple(dict.fromkeys(core.module for core in PROTECTED["masked"]))
"""The masked cores."""


def leaks() -> tuple[Leak, ...]:
    """The negative controls of gadgets and S-boxes."""
    return tuple(leak for leak in catalogue(Leak, "leaks") if leak.module not in CORES)


def core_leaks() -> tuple[Leak, ...]:
    """The negative controls of the cores."""
    return tuple(leak for leak in catalogue(Leak, "leaks") if leak.module in CORES)


def _sources(module: str, folder: Path, leak: Leak | None) -> list[Path]:
    files = list(closure(module))
    if leak is None:
        return files
    at = next(at for at, path in enumerate(files) if path.stem == leak.file)
    changed = substituted(files[at], leak.old, leak.new, folder)
    if changed is None:
        raise UserError(f"the leak '{leak.name}' does not fit {leak.file}")
    files[at] = changed
    return files


def _elaborated(subject: Subject, folder: Path, leak: Leak | None) -> list[str]:
    """The passes that make simple gates of a module alone, as `TOP`; its top goes to `folder`."""
    files = [*_sources(subject.masked.module, folder, leak), folder / f"{TOP}.sv"]
    files[-1].write_text(subject.top(), encoding="utf-8")
    return [yosys.read(files, TOP), "proc", "flatten -noscopeinfo", "opt -full", *_GATES]


def pipeline(subject: Subject, netlist: str = "elaborated", leak: Leak | None = None) -> Pipeline:
    """The registers of a module, elaborated or mapped to the cells of `osu018`."""
    with TemporaryDirectory() as scratch:
        folder = Path(scratch)
        passes = _elaborated(subject, folder, leak)
        if netlist != "elaborated":
            cells = target(netlist, 0)
            cells.prepare(folder)
            passes += [
                *("opt -full", f"dfflibmap -liberty {CELLS}", f"abc -liberty {CELLS}"),
                *("opt_clean -purge", f"read_liberty {CELLS}", f"hierarchy -top {TOP}"),
                *("flatten -noscopeinfo", "proc", *_GATES),
            ]
        yosys.run([*passes, "write_json netlist.json"], folder)
        return read(folder / "netlist.json", TOP, subject.masked)


def _timed(name: str, search: Callable[[], Found]) -> dict[str, Any]:
    start = time.perf_counter()
    found = search()
    seconds = round(time.perf_counter() - start, 1)
    return _row(name, not found.leak, found.sets, seconds, found.leak)


def _row(name: str, holds: bool, sets: int, seconds: float, found: str) -> dict[str, Any]:
    """A check: `probes` are the sets of probes, or the cells of a structure."""
    return {"name": name, "holds": holds, "probes": sets, "seconds": seconds, "found": found}


def _checks(subject: Subject, order: int, netlist: str) -> Iterator[dict[str, Any]]:
    made = pipeline(subject, netlist)
    name = f"{subject.name}, {netlist}"
    yield _timed(f"{name}: {order} probes", partial(probing, made, order))
    if subject.notion:
        claim = f"{name}: {order}-{subject.notion}"
        yield _timed(claim, partial(composable, made, order, subject.notion))


def _controls() -> Iterator[dict[str, Any]]:
    for leak in leaks():
        made = pipeline(leak.subject, leak=leak)
        check = _timed(f"{leak.file}: {leak.name}", partial(probing, made, leak.shares - 1))
        yield {**check, "holds": not check["holds"]}


def _named(chosen: Sequence[str], shares: int) -> list[str]:
    for name in chosen:
        if name not in gadgets():
            raise unknown("gadget", name, gadgets())
    if shares != 2 and "dom-refreshed" in chosen:
        raise UserError("dom-refreshed masks with two shares only; leave it out or --shares 2")
    return [*chosen] or [name for name in gadgets() if shares == 2 or name != "dom-refreshed"]


# The cores ---------------------------------------------------------------------------------------

_UNIT = "aes_masked_inversion"


def read_core(
    core: str,
    folder: Path,
    parameters: dict[str, int],
    leak: Leak | None = None,
    hierarchy: bool = False,
) -> str:
    """The pass that reads a masked core; a changed source goes to `folder`."""
    return yosys.read(_sources(core, folder, leak), core, parameters, hierarchy=hierarchy)


def composed(core: str, gadget: str, shares: int, folder: Path, leak: Leak | None = None) -> None:
    """Write JSON netlists of a core to `folder`.

    In `core.json` inversions and products are modules. In `units.json` inversions are, and advance
    in every cycle.
    """
    parameters = {"Gadget": gadgets()[gadget], "Shares": shares}
    products, units = "aes_masked_product$*", f"{_UNIT}$*"
    passes = [
        read_core(core, folder, parameters, leak, hierarchy=True),
        f"setattr -mod -set keep_hierarchy 1 {units} {products}",
        *("proc", "flatten -noscopeinfo", "opt_expr", "opt_clean", *_GATES),
        "write_json core.json",
        f"setattr -mod -unset keep_hierarchy {products}",
        *("flatten -noscopeinfo", f"delete -input {units}/w:advance_i"),
        *(f"setundef -undriven -one {units}", "opt -full", *_GATES),
        "write_json units.json",
    ]
    yosys.run(passes, folder)


def compositions(
    core: str, gadget: str, shares: int, folder: Path
) -> Iterator[tuple[str, Composition]]:
    """The core of inversions, and each inversion of products."""
    modules = netlists.modules(folder / "core.json")
    whole = Composition(modules[core], inside_cores(shares))
    yield f"{core} {gadget}, {shares} shares, of {len(whole.units)} inversions", whole
    for name, cell in whole.units.items():
        inside = Composition(modules[cell["type"]], inside_inversions(shares))
        yield f"{name} of {len(inside.units)} products", inside


def _of_composition(
    core: str, gadget: str, shares: int, leak: Leak | None = None
) -> Iterator[dict[str, Any]]:
    """The checks of a core: its structure, and each of its inversions against one probe."""
    with TemporaryDirectory() as scratch:
        folder = Path(scratch)
        composed(core, gadget, shares, folder, leak)
        found = list(compositions(core, gadget, shares, folder))
        for name, one in found:
            yield _timed(name, partial(_structure, one))
        if leak:
            return
        ports = Masked(_UNIT, shares, {"data_i": 8}, ("data_o", 8))
        for name, cell in found[0][1].units.items():
            unit = read(folder / "units.json", cell["type"].removeprefix("\\"), ports)
            yield _timed(f"{name}: 1 probes", partial(probing, unit, 1))


def _structure(one: Composition) -> Found:
    findings = list(one.findings())
    more = f", and {len(findings) - 1} more" if len(findings) > 1 else ""
    return Found(one.size, findings[0] + more if findings else "")


def _core_controls() -> Iterator[dict[str, Any]]:
    for leak in core_leaks():
        checks = list(_of_composition(leak.module, leak.gadget, 2, leak))
        said = next((check["found"] for check in checks if check["found"]), "")
        total = round(sum(check["seconds"] for check in checks), 1)
        name = f"{leak.file}: {leak.name}"
        probes = sum(check["probes"] for check in checks)
        yield _row(name, bool(said), probes, total, said)


# For another checker ----------------------------------------------------------------------------

_CELLS = {
    **{f"$_{name}_": (name, "ABY", "ABY") for name in ("AND", "NAND", "OR", "NOR", "XOR", "XNOR")},
    "$_NOT_": ("NOT", "AY", "AY"),
    "$_MUX_": ("Mux2", "ABSY", "ABSQ"),
    "$_DFF_P_": ("DFF", "CDQ", "CDQ"),
}
"""Cells of Yosys, those of PROLEAD's library `custom`, and the pins of both, the output last."""

_SIMULATIONS, _STEP = 1_024_000, 64_000
"""The simulations of a check by PROLEAD, and of a step of it."""


def _techmap() -> str:
    modules = []
    for cell, (other, ports, pins) in _CELLS.items():
        given = ", ".join(f"input {port}" for port in ports[:-1])
        wired = ", ".join(f".{p}({port})" for p, port in zip(pins, ports, strict=True))
        head = f"module \\{cell} ({given}, output {ports[-1]});"
        modules.append(f"{head} {other} _TECHMAP_REPLACE_ ({wired}); endmodule\n")
    return "".join(modules)


def _settings(bits: int, shares: int, cycles: int) -> dict[str, Any]:
    """The settings of PROLEAD for an S-box: random bytes against zero, with transitions."""

    def each(port: str) -> list[str]:
        return [f"{port}[{8 * at + 7}:{8 * at}]" for at in range(shares)]

    given = [
        {"name": name, "value": f"group_in{at}[7:0]"} for at, name in enumerate(each("data_i"))
    ]
    return {
        "performance": {
            "max_number_of_threads": "all",
            "minimize_probing_sets": "aggressive",
            "compact_distributions": True,
        },
        "simulation": {
            "groups": ["8'h$$", "8'h00"],
            "number_of_clock_cycles": cycles,
            "always_random_inputs": [f"random_i[{bits - 1}:0]"],
            "output_shares": each("data_o"),
            "expected_output": ["8'h$$", "8'h63"],
            "input_sequence": [{"signals": given}],
            "number_of_simulations": _SIMULATIONS,
            "number_of_simulations_per_step": _STEP,
        },
        "hardware": {"clock_signal_name": "clk_i"},
        "side_channel_analysis": {"order": 1, "transitional_leakage": True},
    }


def export(
    folder: Path, chosen: Sequence[str] = (), shares: int = 2, leak: Leak | None = None
) -> dict[str, Any]:
    """Write the S-box of each gadget to `folder`, for the checker PROLEAD: netlist and settings.

    The netlist is the elaborated one, in gates and flip-flops of its library `custom`. UserError
    when the folder is not empty.
    """
    names = _named(chosen, shares)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UserError(f"{folder} is not empty; choose another folder")
    written = []
    for name in names:
        *_, subject = subjects(name, shares)
        place = folder / f"{subject.masked.module}_{name}_{shares}"
        with TemporaryDirectory() as scratch:
            work = Path(scratch)
            (work / "cells.v").write_text(_techmap(), encoding="utf-8")
            passes = [
                *(*_elaborated(subject, work, leak), "write_json netlist.json"),
                *("techmap -map cells.v", "splitnets", "opt_clean -purge"),
                *("rename -hide w:* i:* %d o:* %d", "rename -hide c:*"),
                "write_verilog -noattr -noexpr design.v",
            ]
            yosys.run(passes, work)
            made = read(work / "netlist.json", TOP, subject.masked)
            place.mkdir(parents=True)
            (place / "design.v").write_bytes((work / "design.v").read_bytes())
        # Some cycles more than a byte takes.
        settings = _settings(len(made.random), shares, made.depth() + 3)
        (place / "config.json").write_text(json.dumps(settings, indent=2) + "\n", encoding="utf-8")
        written.append(str(place))
    return {"written": written}


def probe(
    chosen: Sequence[str] = (),
    shares: int = 2,
    order: int = 0,
    netlist: str = "elaborated",
    controls: bool = False,
    core: bool = False,
) -> dict[str, Any]:
    """Check the gadgets and the S-box made of them; `order` 0 is the most for the shares.

    With `controls`, the negative controls instead: a check holds when its leak is found. With
    `core`, how the cores are composed of gadgets, instead of these.
    """
    if core and (netlist != "elaborated" or order > 1):
        raise UserError("--core takes the elaborated netlist and one probe; leave the others out")
    order = order or shares - 1
    if order >= shares:
        raise UserError(f"{order} probes see all of {shares} shares; choose --order {shares - 1}")
    names = _named(chosen, shares)
    checks: list[dict[str, Any]] = []
    steps: list[Iterator[dict[str, Any]]]
    if core:
        cores = [_of_composition(one, name, shares) for one in CORES for name in names]
        steps = [_core_controls()] if controls else cores
    elif controls:
        steps = [_controls()]
    else:
        found = (subject for name in names for subject in subjects(name, shares))
        steps = [_checks(subject, order, netlist) for subject in found]
    with track("probing", len(steps)) as advance:
        for step in steps:
            checks += step
            advance(1)
    return {"holds": all(check["holds"] for check in checks), "checks": checks}
