"""Map a core to a device: its area, its frequency, and the area of its parts.

The core sits in a harness with three pins: a shift register drives every input, and every output
drives a register and then a chain of XORs, so each path of the core starts and ends at a register.
The harness is placed with the core but not counted.
"""

import re
import statistics
import tempfile
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from importlib.metadata import version as package_version
from pathlib import Path
from types import MappingProxyType
from typing import Any

from aesforge import cache
from aesforge.core import stack
from aesforge.core.contract import CIPHER, Port, delete_unused_ports
from aesforge.core.sources import digest, fingerprint, used
from aesforge.errors import ToolMissing
from aesforge.flows import pulsed
from aesforge.progress import track
from aesforge.results import store
from aesforge.space.axes import LOCKSTEP, Config
from aesforge.space.presets import Preset
from aesforge.space.promises import promised
from aesforge.space.targets import CELLS, WIRED, Target
from aesforge.tools import canonical, netlist, nextpnr, opensta, yosys
from aesforge.tools.liberty import PULSED
from aesforge.tools.process import ToolFailed

# Parts that a row counts separately from the rounds and the control: instance u_PART of a module
# that the RTL marks (* keep_hierarchy *).
_PARTS = ("key_store", "byte_core", "column_core", "word_core")
# The module of look-up tables, of which a core has many, also in a bundle with names of its own.
_TABLE = r"\w*lookup"


@dataclass(frozen=True)
class Subject:
    """What is measured: a module of some files with its parameters.

    `clock` is an input among its `ports`, or empty when it has none. `read` are the Yosys passes
    that read the files, with the harness, whose top module is `harness`. A module that its source
    marks (* keep_hierarchy *) is mapped on its own, one marked (* keep_hierarchy_for_area *) only
    where ABC maps for area alone. Modules named in `kept` are mapped on their own, too.
    """

    module: str
    ports: Sequence[Port]
    clock: str
    parameters: Mapping[str, int | str]
    read: Sequence[str]
    kept: Sequence[str] = ()


def core(config: Config, instead: Mapping[str, Path] = MappingProxyType({})) -> Subject:
    """A configuration with its layers; `instead` replaces the files of some modules."""
    own = [instead.get(path.stem, path) for path in stack.sources(config)]
    read = [yosys.read([*own, Path("harness.sv")], "harness", hierarchy=True)]
    if not config.stacked:
        read += delete_unused_ports(config, "$*")
    contract = stack.contract(config)
    # Two copies of a core are mapped each on its own, since ABC would merge what they share.
    kept = [CIPHER.module] if config.protection == LOCKSTEP else []
    return Subject(
        contract.module, contract.ports, contract.CLOCK.name, stack.parameters(config), read, kept
    )


def harness(subject: Subject, clock: str = "") -> str:
    """SystemVerilog of the harness around a module; `clock` is the text of `clock_source`."""
    inputs = [p for p in subject.ports if p.direction == "input" and p.name != subject.clock]
    outputs = [port for port in subject.ports if port.direction == "output"]

    def slices(ports: list[Port], name: str) -> list[str]:
        low, wired = 0, []
        for port in ports:
            wired.append(f"    .{port.name} ({name}[{low} +: {port.width}])")
            low += port.width
        return wired

    width_in = max(1, sum(port.width for port in inputs))
    width_out = sum(port.width for port in outputs)
    given = ", ".join(f".{name}({value})" for name, value in subject.parameters.items())
    ports = [f"    .{subject.clock} (clk)"] if subject.clock else []
    ports += [*slices(inputs, "in_q"), *slices(outputs, "out")]
    return f"""{clock}module harness (
  {"" if clock else "input logic clk, "}input logic serial_i, output logic serial_o
);
{"  logic clk;" + chr(10) + "  clock_source u_clock (.clk (clk));" if clock else ""}
  logic [{width_in - 1}:0] in_q;
  logic [{width_out - 1}:0] out, out_q, chain_q;
  always_ff @(posedge clk) begin
    in_q <= {width_in}'({{in_q, serial_i}});
    out_q <= out;
    chain_q <= (chain_q << 1) ^ out_q;
  end
  assign serial_o = chain_q[{width_out - 1}];
  {subject.module} #({given}) u_dut (
{("," + chr(10)).join(ports)}
  );
endmodule
"""


@dataclass(frozen=True)
class _Elaborated:
    """`netlist`: a digest of the core that is mapped. `modules`: the modules before that."""

    netlist: str
    modules: tuple[str, ...]


def _elaborate(subject: Subject, target: Target, folder: Path) -> _Elaborated:
    """Leave the core in its harness in `folder` as RTLIL, as it is mapped: without hierarchy.

    The netlist of the core identifies a measurement, so a change elsewhere in the sources, of a
    name or of the hierarchy does not make it stale.
    """
    (folder / "harness.sv").write_text(harness(subject, target.clock), encoding="utf-8")
    yosys.run(
        [
            *subject.read,
            "setattr -unset src */*",
            "setattr -mod -unset src *",
            "write_rtlil elaborated.il",
        ],
        folder,
    )
    elaborated = folder / "elaborated.il"
    # Equal instances are mapped once.
    tables = "|".join((_TABLE, *subject.kept))
    text = yosys.share(elaborated.read_text(encoding="utf-8"), f"(?:{tables})")
    elaborated.write_text(text, encoding="utf-8")
    modules = set(re.findall(r"^module \\([^\s$]+)", text, re.M))
    # A module has its own name, or one with its place: "aes_key_store$harness.u_dut. ...".
    # Yosys' own reader calls one with parameters "$paramod$hash\\name" or "$paramod\\name\\...".
    apart = (subject.module, *subject.kept)
    own = [form for name in apart for form in (name, f"{name}$*", f"$paramod*{name}*")]
    for_area = bool(target.liberty) and not target.delay_ps
    kept = [*own, "A:keep_hierarchy_for_area"] if for_area else own
    yosys.run(
        [
            "read_rtlil elaborated.il",
            f"setattr -mod -set keep_hierarchy 1 {' '.join(kept)}",
            # Constant and unused signals at the border of a part are removed first.
            *("hierarchy -top harness", "flatten", "proc", "opt", "opt_hier", "opt"),
            *("write_rtlil flat.il", "write_json flat.json"),
        ],
        folder,
    )
    netlist = canonical.netlist(
        folder / "flat.json",
        lambda name: _module(name) == subject.module,
        lambda name: _part(name) or "",
    )
    return _Elaborated(netlist, tuple(sorted(modules)))


def _script(target: Target) -> yosys.Script:
    """The passes that map the harness and write its netlist.

    A library with wires and a delay is mapped twice, without and with wires.
    """
    script = ["read_rtlil flat.il", *target.logic("harness")]
    again = _mapped_again(target)
    if again:
        script.append("write_rtlil logic.il")
    script += [*target.cells(CELLS), *_written(target, "harness")]
    if again:
        script += ["design -reset", "read_rtlil logic.il"]
        script += [*target.cells(WIRED), *_written(target, "wired")]
    return script


def _mapped_again(target: Target) -> bool:
    """Whether gates are chosen again with wires; mapping for area alone sees no load."""
    return bool(target.wires and target.delay_ps)


def _written(target: Target, name: str) -> list[str]:
    """The passes that write a mapped netlist, and the cells of each module, to files of a name."""
    return [
        f"tee -q -o {name}_cells.json stat -json{f' -liberty {CELLS}' if target.liberty else ''}",
        "setattr -mod -unset keep_hierarchy *",
        "flatten",
        "opt_clean -purge",
        *(line.format(top="harness") for line in target.pads),
        f"write_json {name}.json",
        # OpenSTA does not read assignments to several nets at once.
        *(["splitnets", "opt_clean -purge"] if target.liberty else []),
        f"write_verilog -noattr {name}.v",
    ]


def _module(name: str) -> str:
    """The name of a Yosys module in the sources."""
    return re.split(r"[$\\]", re.sub(r"^\$paramod(\$\w+)?\\", "", name))[0]


def _part(name: str) -> str | None:
    """The part that a module belongs to, by the place in its name."""
    return next((part for part in _PARTS if f".u_{part}" in name), None)


def _gates(cells: Path, subject: Subject, gate: float) -> int:
    """The area of a core in units of `gate`, from a file of `_written`."""
    # The area of a module includes the modules in it.
    areas = yosys.areas(cells).items()
    return round(sum(a for name, a in areas if _module(name) == subject.module) / gate)


def _timed(target: Target, subject: Subject, folder: Path) -> dict[str, Any]:
    """The period in standard cells, without and with wires; `with_wires` is None without them.

    `critical_path` is that of cells alone.
    """

    def timed(name: str, liberty: str, wired: bool) -> tuple[str, str, dict[str, Any]]:
        """The netlist and the library to time, and what is said of pulses."""
        if not target.pulsed:
            return f"{name}.v", liberty, {}
        pulse = pulsed.prepared(name, liberty, target, folder, wired)
        return f"{name}_timed.v", pulsed.TIMED, {"pulse": pulse}

    netlist, liberty, pulse = timed("harness", CELLS, False)
    period, _ = opensta.period(netlist, liberty, "harness", "clk", folder)
    path = opensta.critical_path(netlist, liberty, "harness", "clk", folder)
    ideal = {"period_ns": period, "critical_path": path, **pulse}
    if target.wires is None:
        return {**ideal, "with_wires": None}
    name = "wired" if _mapped_again(target) else "harness"
    netlist, liberty, pulse = timed(name, WIRED, True)
    wired, insertion = opensta.period(netlist, liberty, "harness", "clk", folder, target.wires)
    gates = _gates(folder / f"{name}_cells.json", subject, target.library().nand_area)
    return {
        **ideal,
        "with_wires": {
            "ge": gates + (pulse["pulse"]["ge"] if pulse else 0),
            "fmax_mhz": round(1000 / wired, 2),
            "clock_gate_ns": round(insertion, 3),
            **asdict(target.wires),
            **pulse,
        },
    }


def _map(target: Target, subject: Subject, folder: Path) -> dict[str, Any]:
    """Cells of the core and of its parts; writes the netlist of the harness to `folder`."""
    library = target.prepare(folder)
    yosys.run(_script(target), folder)
    parts: dict[str, dict[str, int]] = {"rounds_and_control": {}, "key_store": {}}
    whole_harness: dict[str, int] = {}
    for instance, cells in yosys.statistics(folder / "harness_cells.json"):
        inside = [whole_harness]
        if instance != "harness":
            inside.append(parts.setdefault(_part(instance) or "rounds_and_control", {}))
        for part in inside:
            for cell, number in cells.items():
                part[cell] = part.get(cell, 0) + number
    if library:
        registers = {*library.flip_flops, PULSED}
        target = replace(target, ff={re.escape(name): 1 for name in registers})
    counts: dict[str, dict[str, Any]] = {name: target.count(cells) for name, cells in parts.items()}
    whole: dict[str, Any] = {
        what: sum(part[what] for part in counts.values()) for what in counts["key_store"]
    }
    if library:
        # Standard cells: memories are flip-flops, and there are no look-up tables.
        nothing = {"lut": None, "muxf": None, "lutram": None, "bram": None}
        gate, areas = library.nand_area, yosys.areas(folder / "harness_cells.json").items()
        whole |= nothing | {"ge": _gates(folder / "harness_cells.json", subject, gate)}
        rest = whole["ge"]
        for named_part in _PARTS:
            if named_part in counts:
                parts_area = sum(a for name, a in areas if name.endswith(f".u_{named_part}"))
                ge = round(parts_area / gate)
                counts[named_part] |= nothing | {"ge": ge}
                rest -= ge
        counts["rounds_and_control"] |= nothing | {"ge": rest}
    elif not target.family:
        try:
            whole["depth"] = netlist.depth(
                netlist.module(folder / "harness.json", "harness"),
                levels=lambda cell: target.count({cell: 1})["lut"] > 0,
                registers=lambda cell: (
                    any(target.count({cell: 1})[what] for what in ("ff", "bram"))
                    or cell.startswith("SRL")
                ),
                memories=lambda cell: target.count({cell: 1})["lutram"] > 0,
                read=target.read,
            )
        except ValueError as error:
            reason = f"{error}; the design has it, or the mapping for {target.name} made it"
            raise ToolFailed("yosys", reason) from None
    return {**whole, "parts": counts, "too_large": target.lacks(target.count(whole_harness))}


def tools_of(target: Target) -> dict[str, str]:
    """The versions of the tools that measure on a target; ToolMissing when one is missing."""
    versions = {"pyosys": yosys.version()}
    if target.family:
        versions[f"nextpnr-{target.family}"] = nextpnr.version(target.family)
    if target.liberty:
        target.library()
        versions["opensta"] = opensta.version()
    return versions


def current(versions: Mapping[str, str]) -> bool:
    """Whether these versions of tools, as far as they can be compared, are installed.

    A missing tool does not make a row stale, as nothing could replace the row. A row of a native
    nextpnr is compared with that alone, one of a wheel with the wheel.
    """
    for tool, version in versions.items():
        try:
            if tool == "pyosys" and yosys.version() != version:
                return False
            family = tool.removeprefix("nextpnr-")
            if family != tool and not nextpnr.current(family, version):
                return False
        except ToolMissing:
            continue
    return True


def _place(target: Target, folder: Path, parallel: int) -> dict[str, Any]:
    for name, text in target.files.items():
        (folder / name).write_text(text, encoding="utf-8")

    def place(seed: int) -> nextpnr.Placed:
        return nextpnr.place_and_route(
            target.family, target.arguments, folder / "harness.json", seed, folder
        )

    try:
        with ThreadPoolExecutor(parallel) as pool:
            found = list(pool.map(place, target.seeds))
    except nextpnr.TooLarge as error:
        return {"too_large": f"too large for {target.part}: nextpnr: {error}"}
    fastest = max(found, key=lambda one: one.fmax_mhz)
    frequencies = [one.fmax_mhz for one in found]
    return {
        "fmax_by_seed": dict(zip(map(str, target.seeds), frequencies, strict=True)),
        "critical_path": list(fastest.critical_path) or None,
        "routing": fastest.routing,
    }


def _made_from(
    elaborated: _Elaborated, target: Target, versions: Mapping[str, str]
) -> dict[str, Any]:
    """The fields of a row that identify what was measured."""
    return {
        "sources": list(used(elaborated.modules)),
        "source_hash": fingerprint(used(elaborated.modules)),
        "netlist": elaborated.netlist,
        "target_hash": target.fingerprint,
        "versions": {**versions, "aesforge": package_version("aesforge")},
    }


def same_netlist(known: Mapping[str, Any], made_from: Mapping[str, Any]) -> bool:
    """Whether a row is of the same netlist, target and tools."""

    def tools(row: Mapping[str, Any]) -> dict[str, str]:
        return {k: v for k, v in row["versions"].items() if k != "aesforge"}

    same = ("netlist", "target_hash")
    return all(known.get(name) == made_from[name] for name in same) and tools(known) == tools(
        made_from
    )


def has_seeds(known: Mapping[str, Any], target: Target) -> bool:
    """Whether a row of a placed target has a placement from each seed, or needs none."""
    placed = known.get("fmax_by_seed") or {}
    return (
        not target.family
        or bool(known.get("too_large"))
        or {str(seed) for seed in target.seeds} <= placed.keys()
    )


def identity(subject: Subject, target: Target) -> dict[str, Any]:
    """The identifying fields of a subject on a target, by elaboration alone."""
    versions = tools_of(target)
    with tempfile.TemporaryDirectory(prefix="aesforge-") as scratch:
        return _made_from(_elaborate(subject, target, Path(scratch)), target, versions)


def _same_cells(known: Mapping[str, Any] | None, found: Mapping[str, Any]) -> bool:
    """Whether the placements of a row are of this mapping: names and order may change a mapping."""
    return known is not None and all(known.get(cells) == found[cells] for cells in ("lut", "ff"))


def still_fails(known: Mapping[str, Any], made_from: Mapping[str, Any]) -> bool:
    """Whether a row records a failure of the same netlist, target and tools."""
    return bool(known.get("failed") and known.get("netlist")) and same_netlist(known, made_from)


def measure(
    subject: Subject,
    target: Target,
    known: Mapping[str, Any] | None = None,
    parallel: int = 2,
    fresh: bool = False,
    unplaced: str = "",
) -> dict[str, Any]:
    """Counts and speed of a subject on a target: the fields of a row that come from tools.

    One mapping and, where there is a placer, one placement per seed, `parallel` at a time. The
    figures are stored ones if `known`, an older row of the same point, is of the same netlist,
    target and tools, or if the cache has them; `stored` says so. Its placements are kept, and only
    seeds that it lacks are placed. `fresh` measures in any case. `unplaced` says why nothing is
    placed; the row repeats it.
    """
    versions = tools_of(target)
    with tempfile.TemporaryDirectory(prefix="aesforge-") as scratch:
        folder = Path(scratch)
        elaborated = _elaborate(subject, target, folder)
        script = _script(target)
        made_from = _made_from(elaborated, target, versions)
        placed: dict[str, float] = {}
        if known and not fresh and not known.get("failed") and same_netlist(known, made_from):
            if has_seeds(known, target) or (unplaced and known.get("unplaced")):
                return {**{name: known.get(name) for name in MEASURED}, **made_from, "stored": True}
            placed = known.get("fmax_by_seed") or {}
        missing = tuple(seed for seed in target.seeds if str(seed) not in placed)
        ran = []

        def make() -> dict[str, Any]:
            start = time.monotonic()
            ran.append(subject)
            found = _map(target, subject, folder)
            if target.family and not found["too_large"] and not unplaced:
                seeds = missing if _same_cells(known, found) else target.seeds
                found |= _place(replace(target, seeds=seeds), folder, parallel)
            if target.liberty:
                found |= _timed(target, subject, folder)
            if pulse := found.get("pulse"):
                for part in (found, found["parts"]["rounds_and_control"]):
                    part["ge"] += pulse["ge"]
            return {**found, "seconds": round(time.monotonic() - start, 1)}

        name = digest(elaborated.netlist, target.fingerprint, script, missing, unplaced, versions)
        found = make() if fresh else cache.value("synth", name, make)
    seeds, period = found.get("fmax_by_seed"), found.get("period_ns")
    seconds = found["seconds"]
    path = found
    if placed and seeds and _same_cells(known, found):
        if known and max(placed.values()) > max(seeds.values()):
            path = {name: known.get(name) for name in ("critical_path", "routing")}
        seeds, seconds = placed | seeds, round(seconds + ((known or {}).get("seconds") or 0), 1)
    fmax = round(statistics.median(seeds.values()), 2) if seeds else None
    if period is not None:
        fmax = round(1000 / period, 2)
    figures = {
        "lut": found["lut"],
        "ff": found["ff"],
        "bram": found["bram"],
        "ge": found.get("ge"),
        "depth": found.get("depth"),
        "fmax_mhz": fmax,
        "muxf": found["muxf"],
        "lutram": found["lutram"],
        "parts": found["parts"],
        "with_wires": found.get("with_wires"),
        "pulse": found.get("pulse"),
        "critical_path": path.get("critical_path"),
        "routing": path.get("routing"),
        "fmax_by_seed": seeds,
        "too_large": found["too_large"],
        "unplaced": unplaced if target.family and not found["too_large"] else "",
        "seeds": [int(seed) for seed in seeds] if seeds else None,
        "seconds": seconds,
    }
    assert tuple(figures) == MEASURED
    return {**figures, **made_from, "stored": not ran}


MEASURED = (
    "lut",
    "ff",
    "bram",
    "ge",
    "depth",
    "fmax_mhz",
    "muxf",
    "lutram",
    "parts",
    "with_wires",
    "pulse",
    "critical_path",
    "routing",
    "fmax_by_seed",
    "too_large",
    "unplaced",
    "seeds",
    "seconds",
)
"""The fields of a row that tools measure."""


def row(
    what: Mapping[str, Any],
    target: Target,
    found: Mapping[str, Any],
    cycles_per_block: float | None,
    latency: int | None,
    bits: int = 128,
) -> dict[str, Any]:
    """A result row: `what` was measured, the figures `found` on `target`, and the cycles.

    `mbps_per_lut` is throughput over LUTs, `kbps_per_ge` over gate equivalents, and
    `throughput_mbps` counts blocks of `bits`.
    """

    def mbps(fmax: float | None) -> float | None:
        return round(bits * fmax / cycles_per_block, 1) if fmax and cycles_per_block else None

    def per_gate(throughput: float | None, ge: int) -> float | None:
        return round(1000 * throughput / ge, 1) if throughput and ge else None

    throughput = mbps(found["fmax_mhz"])
    ratio = {"mbps_per_lut": None, "kbps_per_ge": per_gate(throughput, found["ge"])}
    if throughput and found["lut"]:
        ratio["mbps_per_lut"] = round(throughput / found["lut"], 4)
    if wired := found["with_wires"]:
        reached = mbps(wired["fmax_mhz"])
        rates = {"throughput_mbps": reached, "kbps_per_ge": per_gate(reached, wired["ge"])}
        found = {**found, "with_wires": wired | rates}
    return {
        **what,
        "target": target.name,
        **{name: found[name] for name in ("lut", "ff", "bram", "ge", "depth", "fmax_mhz")},
        "cycles_per_block": cycles_per_block,
        "latency_cycles": latency,
        "throughput_mbps": throughput,
        **ratio,
        "delay_ps": target.delay_ps,
        "device": target.part or target.name,
        **{name: value for name, value in found.items() if name not in what},
        "failed": None,
    }


def synth(
    preset: Preset,
    config: Config,
    target: Target,
    known: Mapping[str, Any] | None = None,
    parallel: int = 2,
    fresh: bool = False,
    unplaced: str = "",
) -> dict[str, Any]:
    """The cost of a configuration on a target, as one result row.

    Cycles and throughput are those of the smallest key that the core takes. `fmax_mhz` is the
    median of the seeds, or the frequency that the delays of a library's cells allow. `too_large`
    says what the part lacks, and is empty when the core fits. The other arguments are those of
    `measure`.
    """
    usable = known and not fresh and not known.get("failed") and has_seeds(known, target)
    if known and usable and not store.stale(dict(known)) and current(known["versions"]):
        return {**known, "stored": True}
    with track(f"synth {preset.name} {target.name}"):
        found = measure(core(config), target, known, parallel, fresh, unplaced)
    promise = promised(config, config.key_sizes[0])
    what = {"preset": preset.name, "config": config.as_dict(), "key_bits": config.key_sizes[0]}
    return row(what, target, found, promise.cycles_per_block, promise.latency, int(config.block))
