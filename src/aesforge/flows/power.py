"""The power of a core in standard cells by component, from the toggles of real data.

The core is mapped component by component, and its netlist is simulated with the functions of the
Liberty file and with the delays of its cells, so that glitches are counted. OpenSTA gives these
delays, the energy of a toggle at each cell (with its load and input slopes), the energy of the
clock at each register, and the leakage; the counted toggles weight these energies. OpenSTA 2.0
keeps activities of pins only at registers and ports and estimates all others. Therefore it is run
twice, without toggles and with one toggle per cycle everywhere: the power of a cell is in
proportion to its toggles.

Where clocks are gated, the simulation has registers with an enable in place of gates, and counts
the cycles in which each clock runs. These weight the energy of the clock at the registers behind a
gate, and of the cells that drive it. The inverter and the latch of a gate run in each cycle.

A glitch is a toggle beyond that of the settled values. A pulse shorter than the delay of a gate is
not output (inertial delays), and a longer one counts as a full swing. Registers get the clock at
once, and inputs of the core toggle with it. The cycle is long enough for all to settle, so energy
per block does not depend on the clock, except for leakage.

Left out: wires, with their delays, and the clock tree.
"""

import json
import random
import re
import shutil
import tempfile
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property, partial
from math import ceil
from pathlib import Path
from typing import Any

from aesforge import cache
from aesforge.core.contract import CIPHER, Port, delete_unused_ports, sboxes_code, specialized
from aesforge.core.sources import closure, digest, fingerprint, used
from aesforge.core.stack import require_contract, require_core
from aesforge.errors import UserError
from aesforge.power import timing, toggles
from aesforge.progress import track
from aesforge.sim.oracle import ecb, key_payload
from aesforge.space.axes import Config
from aesforge.space.presets import Preset
from aesforge.space.promises import promised
from aesforge.space.targets import CELLS, Target
from aesforge.tools import aiger, opensta, yosys
from aesforge.tools.process import ToolFailed

CONTROL, OTHERS, SBOX = "controller", "others", "S-box"

# By the start of a module's name. The outermost module in this list decides, so the S-boxes of the
# key schedule count as key expander.
_COMPONENTS = {
    "aes_key_": "key expander and key registers",
    "aes_next_round_key": "key expander and key registers",
    "aes_serial8_switchable_key_schedule": "key expander and key registers",
    "aes_serial_state": "ShiftRows and data registers",
    "aes_serial_mix_": "MixColumns and AddRoundKey",
    "aes_mix_": "MixColumns and AddRoundKey",
    "aes_sbox": SBOX,
    "aes_sbox_tower_pipelined": SBOX,
    "aes_rom": SBOX,
    "aes_sub_bytes_bram": SBOX,
    "aes_sub_bytes_split": SBOX,
    "aes_tbox": "T-boxes",
}
_TABLE = "aes_lookup"
_MACHINE = "core.aig"
_WATCHED = "watched_o"
_RESERVE = 2


@dataclass(frozen=True)
class _Cell:
    """A cell of the mapped core: its nets by pin, and its component."""

    type: str
    inputs: Mapping[str, str]
    outputs: Mapping[str, str]
    component: str
    register: bool


@dataclass(frozen=True)
class _Netlist:
    """Cells by name, ports as (name, direction, nets from the lowest bit), and all nets.

    `clocks` has the net that enables each clock net; "" for one that always runs.
    """

    cells: Mapping[str, _Cell]
    ports: Sequence[tuple[str, str, Sequence[str]]]
    nets: Sequence[str]
    clocks: Mapping[str, str]

    @property
    def enables(self) -> list[str]:
        """The nets that enable clocks."""
        return sorted(set(self.clocks.values()) - {""})

    @property
    def clock(self) -> str:
        """The net of the clock."""
        return next(nets[0] for name, _, nets in self.ports if name == CIPHER.CLOCK.name)

    @cached_property
    def gates(self) -> frozenset[str]:
        """The names of the cells of clock gates."""
        drive = {
            name: cell
            for name, cell in self.cells.items()
            if any(net in self.clocks for net in cell.outputs.values())
        }
        inputs = {net for cell in drive.values() for net in cell.inputs.values()}
        held = (
            name
            for name, cell in self.cells.items()
            if cell.register and inputs & {*cell.outputs.values()}
        )
        return frozenset((*drive, *held))

    def held(self, rate: Mapping[str, float]) -> dict[str, float]:
        """The toggles of the enables that clock gates hold: those of the enables."""
        return {
            net: max(rate.get(one, 0.0) for one in self.cells[name].inputs.values())
            for name in self.gates
            if self.cells[name].register
            for net in self.cells[name].outputs.values()
        }

    def _enabled(self, name: str, cell: _Cell) -> tuple[str, str]:
        """A register of a gated clock as one that stores its own value without its enable."""
        (clock,) = (pin for pin, net in cell.inputs.items() if net in self.clocks)
        (data,) = cell.inputs.keys() - {clock}
        (own,) = cell.outputs.values()
        text = (
            f"  wire {name}_d = {self.clocks[cell.inputs[clock]]} ? {cell.inputs[data]} : {own};\n"
        )
        pins = f".{clock}({self.clock}), .{data}({name}_d), .{next(iter(cell.outputs))}({own})"
        return text, pins

    def verilog(self, watched: bool = False) -> str:
        """The netlist; `watched` makes all nets an output, the first its lowest bit.

        After them come registers that toggle in each cycle in which a gated clock runs. The netlist
        that is watched has enables in place of clock gates.
        """
        ports = [*self.ports]
        running = [f"{net}_runs" for net in self.enables]
        if watched:
            ports.append((_WATCHED, "output", [*self.nets, *running]))
        text = [f"module {CIPHER.module} ({', '.join(name for name, _, _ in ports)});"]
        for name, direction, nets in ports:
            text.append(f"  {direction} [{len(nets) - 1}:0] {name};".replace(" [0:0]", ""))
        text += [f"  wire {net};" for net in self.nets]
        for name, direction, nets in ports:
            for bit, net in enumerate(nets):
                one = f"{name}[{bit}]" if len(nets) > 1 else name
                left, right = (net, one) if direction == "input" else (one, net)
                text.append(f"  assign {left} = {right};")
        for name, cell in self.cells.items():
            if watched and name in self.gates:
                continue
            pins = ", ".join(
                f".{pin}({net})" for pin, net in {**cell.inputs, **cell.outputs}.items()
            )
            if watched and any(self.clocks.get(net) for net in cell.inputs.values()):
                stored, pins = self._enabled(name, cell)
                text.append(stored)
            text.append(f"  {cell.type} {name} ({pins});")
        if watched:
            for enable, runs in zip(self.enables, running, strict=True):
                toggled = f"always @(posedge {self.clock}) {runs} <= {runs} ^ {enable};"
                text.append(f"  reg {runs}; {toggled}")
        return "\n".join([*text, "endmodule", ""])


def _stem(module: str) -> str:
    return re.split(r"[$\\]", module)[0]


def component(path: Sequence[str]) -> str:
    """The component of a cell in modules of these names, outermost first."""
    for module in path:
        for start, name in _COMPONENTS.items():
            if module.startswith(start):
                return name
    # In the core itself, below the chooser, or in a module with several components.
    return CONTROL if len(path) <= 1 else OTHERS


def _places(modules: Mapping[str, Any], top: str) -> dict[str, list[str]]:
    """The module names from `top` down to each instance, by its hierarchical name."""
    found: dict[str, list[str]] = {}

    def below(module: str, place: str, path: list[str]) -> None:
        for name, cell in modules[module]["cells"].items():
            kind = cell["type"].removeprefix("\\")
            if kind in modules:
                inner = f"{place}{name}"
                found[inner] = [*path, _stem(kind)]
                below(kind, f"{inner}.", found[inner])

    below(top, "", [])
    return found


def _named(places: Mapping[str, list[str]]) -> dict[str, str]:
    """The component of each instance; S-boxes are numbered in the order of their names."""
    named: dict[str, str] = {}
    outermost: dict[str, str] = {}
    for place in sorted(places, key=lambda name: re.sub(r"\d+", lambda n: f"{n[0]:0>6}", name)):
        parent = next((one for one in outermost if place.startswith(f"{one}.")), None)
        if parent is not None:
            named[place] = outermost[parent]
            continue
        named[place] = component(places[place])
        if named[place] == SBOX:
            named[place] = outermost[place] = f"{SBOX} {len(outermost)}"
    return named


def _elaborate(config: Config, folder: Path) -> str:
    """Leave the core in `folder`, as JSON and RTLIL; returns the latter."""
    yosys.run(
        [
            yosys.read(closure(CIPHER.module), CIPHER.module, config.parameters, hierarchy=True),
            *delete_unused_ports(config),
            "setattr -unset src */*",
            "setattr -mod -unset src *",
            "write_json elaborated.json",
            "write_rtlil elaborated.il",
        ],
        folder,
    )
    elaborated = folder / "elaborated.il"
    text = yosys.share(elaborated.read_text(encoding="utf-8"), _TABLE)
    elaborated.write_text(text, encoding="utf-8")
    return text


def _modules(path: Path) -> dict[str, Any]:
    found = json.loads(path.read_text(encoding="utf-8"))["modules"]
    return {module.removeprefix("\\"): what for module, what in found.items()}


def _map(target: Target, folder: Path) -> _Netlist:
    """The elaborated core in the cells of a library, component by component; cached by content."""
    library = target.prepare(folder)
    assert library, f"{target.name} is no library"
    top = CIPHER.module
    # Modules within a component are mapped with it, except tables.
    paths = _places(_modules(folder / "elaborated.json"), top).values()
    kept = {path[-1] for path in paths if not _within(path)} | {_TABLE}
    script = [
        "read_rtlil elaborated.il",
        "setattr -mod -unset keep_hierarchy *",
        f"setattr -mod -set keep_hierarchy 1 {' '.join(f'{n} {n}$*' for n in sorted(kept))}",
        *(f"hierarchy -top {top}", "flatten", "proc", "opt", "opt_hier", "opt"),
        *target.passes(top),
        "opt_clean -purge",
        "write_json parts.json",
        "setattr -mod -unset keep_hierarchy *",
        "flatten",
        "opt_clean -purge",
        # Gives the directions of pins.
        f"read_liberty -lib -ignore_miss_func {CELLS}",
        "write_json flat.json",
    ]

    def make(place: Path) -> None:
        yosys.run(script, folder)
        for name in ("parts.json", "flat.json"):
            shutil.move(folder / name, place / name)

    made = digest(folder / "elaborated.il", target.fingerprint, script, yosys.version())
    mapped = cache.folder("mapped", made, make)
    named = _named(_places(_modules(mapped / "parts.json"), top))
    return _netlist(
        _modules(mapped / "flat.json")[top],
        named,
        library.flip_flops | library.latches,
        library.latches,
    )


def _within(path: Sequence[str]) -> bool:
    """Whether a module is inside a module that is a component."""
    return any(module.startswith(tuple(_COMPONENTS)) for module in path[:-1])


def _netlist(
    flat: Mapping[str, Any],
    named: Mapping[str, str],
    registers: frozenset[str],
    latches: frozenset[str] = frozenset(),
) -> _Netlist:
    """The flat netlist with plain names; the name of a cell gives its component."""

    def net(bit: int | str) -> str:
        return f"n{bit}" if isinstance(bit, int) else f"1'b{bit if bit in '01' else 0}"

    cells, nets = {}, set()
    for number, (name, cell) in enumerate(flat["cells"].items()):
        place = re.sub(r"\$flatten|\\", "", name)
        # The innermost instance that the name begins with.
        while place and place not in named:
            place = place.rpartition(".")[0]
        pins: dict[str, dict[str, str]] = {"input": {}, "output": {}}
        for pin, bits in cell["connections"].items():
            if bits:
                pins[cell["port_directions"][pin]][pin] = net(bits[0])
                nets |= {bit for bit in bits if isinstance(bit, int)}
        kind = cell["type"].removeprefix("\\")
        if kind.startswith("$"):
            raise UserError(f"the library has no cell for '{kind}'; give one with such a cell")
        cells[f"c{number}"] = _Cell(
            kind, pins["input"], pins["output"], named.get(place, CONTROL), kind in registers
        )
    ports = []
    for name, port in flat["ports"].items():
        nets |= {bit for bit in port["bits"] if isinstance(bit, int)}
        ports.append((name, port["direction"], [net(bit) for bit in port["bits"]]))
    (clock,) = (nets[0] for name, _, nets in ports if name == CIPHER.CLOCK.name)
    found = _clocks(cells, clock, latches)
    return _Netlist(cells, ports, [net(bit) for bit in sorted(nets)], found)


def _clocks(cells: Mapping[str, _Cell], clock: str, latches: frozenset[str]) -> dict[str, str]:
    """The clock and the nets that cells make of it, each with the net that enables it."""
    held = {
        net: cell
        for cell in cells.values()
        if cell.type in latches
        for net in cell.outputs.values()
    }
    # Each clock net, with the output of the latch that gates it.
    found, left = {clock: ""}, [cell for cell in cells.values() if not cell.register]
    while True:
        driving = [c for c in left if any(net in found for net in c.inputs.values())]
        if not driving:
            break
        left = [cell for cell in left if cell not in driving]
        for cell in driving:
            nets = [*cell.inputs.values()]
            gate = next((net for net in nets if net in held), "")
            gate = gate or next((found[net] for net in nets if found.get(net)), "")
            found |= dict.fromkeys(cell.outputs.values(), gate)
    for net, gate in found.items():
        if gate:
            (found[net],) = (one for one in held[gate].inputs.values() if one not in found)
    return found


def _machine(netlist: _Netlist, folder: Path) -> None:
    """Write the netlist to `folder` as and-inverter graph, with the functions of the library."""
    (folder / "watched.v").write_text(netlist.verilog(watched=True), encoding="utf-8")
    yosys.run(
        [
            f"read_liberty -ignore_miss_func {CELLS}",
            "read_verilog watched.v",
            f"hierarchy -check -top {CIPHER.module}",
            *(
                "proc",
                "flatten",
                "async2sync",
                "dffunmap",
                "setundef -undriven -zero",
                "simplemap",
                "aigmap",
            ),
            f"write_aiger -symbols {_MACHINE}",
        ],
        folder,
    )


def count(
    config: Config,
    machine: aiger.Aiger,
    watched: Port,
    blocks: Sequence[bytes],
    key: bytes,
    folder: Path,
    delays: toggles.Timing | None = None,
) -> toggles.Counts:
    """The toggles of an output while the results of `blocks` leave the core.

    ToolFailed when a result is not that of AES.
    """
    promise = promised(config, 8 * len(key))
    decrypt = "encrypt" not in config.directions
    # Enough blocks before and after them to keep the core full.
    lead = ceil(promise.latency / promise.cycles_per_block) + _RESERVE
    # A multiple of the blocks in flight, whose results are output in a group.
    lead = promise.per * ceil(lead / promise.per)
    stream = [blocks[at % len(blocks)] for at in range(-lead, len(blocks) + lead)]
    selected = tuple(sboxes_code(number) for number in config.selectable_sboxes[:1])
    data, code = key_payload(key, config)
    stimulus = toggles.Stimulus(
        (int.from_bytes(data, "big"), code),
        [(int.from_bytes(block, "big"), int(decrypt), *selected) for block in stream],
        lead,
        len(blocks),
    )
    contract = specialized(CIPHER, config)
    found = toggles.count(machine, contract, watched, stimulus, folder, delays)
    function = ecb(key, decrypt, int(config.block))
    if b"".join(found.results) != function(b"".join(stream[: len(found.results)])):
        raise ToolFailed("the simulated netlist", "its results are not those of the cipher")
    return found


@dataclass(frozen=True)
class Cost:
    """The power of a cell at `ASKED_MHZ`, in mW.

    `clock`: of its clock pin. `output` and `input`: within the cell, with one toggle per cycle at
    each of these pins. `load`: of the nets that it drives, with as many toggles. `leakage`.
    """

    clock: float
    output: float
    input: float
    load: float
    leakage: float


ASKED_MHZ = 100.0
"""The clock of the OpenSTA runs. Power except leakage is in proportion to it."""

Answers = tuple[opensta.Powers, opensta.Powers, opensta.Powers]


def costs(netlist: _Netlist, answers: Answers, unit: Answers, unit_mw: float) -> dict[str, Cost]:
    """The cost of each cell from three OpenSTA runs.

    The runs are without toggles, with one toggle per cycle at every pin, and the same with a
    library in which toggles of inputs take no energy. `unit` has the same runs with every other
    energy at one unit, `unit_mw` at one toggle per cycle: it shows how often OpenSTA counts a
    toggle. Version 2.0 adds one half of the energies of a rise and a fall, and of all inputs.
    """

    def internal(answers: Answers, name: str) -> tuple[float, ...]:
        idle, busy, without = (answer[name][0] for answer in answers)
        return idle, without, busy - idle - without

    found = {}
    for name, cell in netlist.cells.items():
        toggles = (2, len(cell.outputs), len(cell.inputs) - cell.register)
        clock, output, given = (
            # Without energy, only rounding errors remain.
            number * unit_mw * one / counted if counted > 0.01 * unit_mw else 0.0
            for number, one, counted in zip(
                toggles, internal(answers, name), internal(unit, name), strict=True
            )
        )
        found[name] = Cost(clock, output, given, answers[1][name][1], answers[0][name][2])
    return found


def cell_powers(
    netlist: _Netlist,
    costs: Mapping[str, Cost],
    rate: Mapping[str, float],
    mhz: float,
    running: Mapping[str, float] | None = None,
) -> dict[str, tuple[float, float, float]]:
    """Internal, switching and leakage power of each cell, in mW, at a clock of `mhz`.

    `rate`: toggles per cycle of each net that is no clock. `running`: the share of cycles in which
    each enabling net lets a clock run.
    """
    scale = mhz / ASKED_MHZ
    runs = {net: (running or {})[by] if by else 1.0 for net, by in netlist.clocks.items()}

    def mean(nets: list[str]) -> float:
        return sum(rate.get(net, 0.0) for net in nets) / max(1, len(nets))

    found = {}
    for name, cell in netlist.cells.items():
        cost, out = costs[name], mean([*cell.outputs.values()])
        given = mean([net for net in cell.inputs.values() if net not in runs])
        made = [runs[net] for net in cell.outputs.values() if net in runs]
        share = (
            made[0]
            if made
            else min((runs[n] for n in cell.inputs.values() if n in runs), default=1.0)
        )
        internal = share * cost.clock + out * cost.output + given * cost.input
        # OpenSTA has a clock at full rate, whatever toggles are asked for.
        driven = share if made else out
        found[name] = (scale * internal, scale * driven * cost.load, cost.leakage)
    return found


@dataclass(frozen=True)
class _Core:
    """A mapped core; `fmax_mhz` is the frequency that the delays of its cells allow."""

    netlist: _Netlist
    costs: Mapping[str, Cost]
    fmax_mhz: float
    timing: toggles.Timing


def _prepare(name: str, target: Target, folder: Path, place: Path) -> None:
    """Write the files of `_load` and the machine to `place`; `folder` has the elaborated core."""
    top, clock = CIPHER.module, CIPHER.CLOCK.name
    with track(f"{name}: map"):
        netlist = _map(target, folder)
        _machine(netlist, folder)
    (folder / "cells.v").write_text(netlist.verilog(), encoding="utf-8")
    unit_mw = ASKED_MHZ * 1e9 * opensta.energy_unit(folder / CELLS)
    with track(f"{name}: ask OpenSTA", 6) as advance:
        answers: list[Any] = []
        for units in (False, True):
            for activity, inputs in ((0, True), (1, True), (1, False)):
                opensta.altered(folder / CELLS, folder / "power.lib", inputs, units)
                asked = ("cells.v", "power.lib", top, clock, ASKED_MHZ, activity, folder)
                answers.append(opensta.powers(*asked))
                advance(1)
        period, _ = opensta.period("cells.v", CELLS, top, clock, folder)
        delays = opensta.delays("cells.v", CELLS, top, clock, folder)
    found = costs(netlist, tuple(answers[:3]), tuple(answers[3:]), unit_mw)
    core = _Core(netlist, found, round(1000 / period, 2), _timing(netlist, delays, folder))
    (place / "core.json").write_text(json.dumps(asdict(core)), encoding="utf-8")
    shutil.move(folder / _MACHINE, place / _MACHINE)


def _timing(netlist: _Netlist, delays: opensta.Delays, folder: Path) -> toggles.Timing:
    """The netlist with its delays; its nets are places in `_counted`."""
    known = timing.functions(netlist.cells.values(), CELLS, folder)
    ports = [net for _, direction, nets in netlist.ports if direction == "input" for net in nets]
    counted = _counted(netlist)
    # Neither ports nor registers that say which clocks run are driven by a gate.
    begin = [*ports, *counted[len(netlist.nets) :]]
    return timing.timing(netlist.cells, netlist.gates, begin, counted, known, delays)


def _counted(netlist: _Netlist) -> list[str]:
    """What the simulation watches: all nets, and which gated clocks run."""
    return [*netlist.nets, *(f"{net}_runs" for net in netlist.enables)]


def _load(place: Path) -> _Core:
    core = json.loads((place / "core.json").read_text(encoding="utf-8"))
    cells = {name: _Cell(**cell) for name, cell in core["netlist"].pop("cells").items()}
    found = {name: Cost(**cost) for name, cost in core["costs"].items()}
    delays = toggles.Timing(
        [toggles.Gate(**gate) for gate in core["timing"]["gates"]],
        [toggles.Source(**source) for source in core["timing"]["sources"]],
    )
    return _Core(_Netlist(cells, **core["netlist"]), found, core["fmax_mhz"], delays)


def _sum(cells: Sequence[tuple[float, float, float]]) -> dict[str, float]:
    columns = [sum(column) for column in zip(*cells, strict=True)] or [0.0, 0.0, 0.0]
    powers = dict(zip(("internal_mw", "switching_mw", "leakage_mw"), columns, strict=True))
    return {
        "mw": round(sum(columns), 4),
        **{name: float(f"{value:.4g}") for name, value in powers.items()},
    }


def _order(name: str) -> tuple[int, int, str]:
    first = ("ShiftRows", SBOX, "T-boxes", "MixColumns", "key", CONTROL, OTHERS)
    rank = next(at for at, start in enumerate(first) if name.startswith(start))
    return rank, int((re.findall(r"\d+$", name) or ["0"])[0]), name


def data(source: Path | None, blocks: int, seed: int, size: int = 16) -> list[bytes]:
    """A number of blocks of `size` bytes: of a file, repeated if it is short, or random."""
    if blocks < 1:
        raise UserError(f"{blocks} blocks cannot be counted; give --blocks 1 or more")
    if source is None:
        stream = random.Random(seed)
        return [stream.randbytes(size) for _ in range(blocks)]
    try:
        text = source.read_bytes()
    except OSError as error:
        raise UserError(f"cannot read {source}: {error.strerror}; name a file or random") from None
    whole = [text[at : at + size] for at in range(0, len(text) - size + 1, size)]
    if not whole:
        raise UserError(f"{source} has less than a block; give {size} bytes or more, or random")
    return [whole[at % len(whole)] for at in range(blocks)]


def power(
    preset: Preset,
    config: Config,
    target: Target,
    source: Path | None = None,
    blocks: int = 10,
    mhz: float = 100.0,
    seed: int = 1,
) -> dict[str, Any]:
    """The power of a core by component while it processes a stream of blocks.

    `runs` has one entry for each number of S-boxes that a block can select, smallest first.
    """
    if not target.liberty:
        raise UserError(
            f"{target.name} is no library of cells; give --target osu018 or --liberty FILE"
        )
    if target.pulsed:
        raise UserError(
            f"no power of {target.name}: how often its latches change while a pulse opens them is "
            "not counted; give --target osu018_gated"
        )
    require_contract(config, "power")
    require_core(config, "power")
    if not 0 < mhz < 1e6:
        raise UserError(f"a clock of {mhz:g} MHz cannot be; give --mhz more than 0")
    per = promised(config, config.key_sizes[0]).per
    blocks = per * ceil(blocks / per)
    stimulus = data(source, blocks, seed, config.block_bytes)
    versions = {"pyosys": yosys.version(), "opensta": opensta.version()}
    library = target.library()
    key = random.Random(seed + 1).randbytes(config.key_sizes[0] // 8)
    name = f"power {preset.name} {target.name}"
    with tempfile.TemporaryDirectory(prefix="aesforge-") as scratch:
        folder = Path(scratch)
        with track(f"{name}: elaborate"):
            text = _elaborate(config, folder)
        own = (Path(__file__), Path(opensta.__file__), Path(timing.__file__))
        made = digest(text, target.fingerprint, target.passes(""), versions, *own)
        core = cache.folder("power", made, lambda place: _prepare(name, target, folder, place))
        mapped = _load(core)
        netlist = mapped.netlist
        machine = aiger.read(core / _MACHINE)
        counted = _counted(netlist)
        watched = Port(_WATCHED, len(counted), "output", "")
        runs = []
        for run in config.selections[::-1]:
            with track(f"{name}: simulate {blocks:,} blocks"):
                clocks, settles, *numbers = cache.value(
                    "toggles",
                    digest(made, run, toggles.PROGRAM, Path(toggles.__file__), key, *stimulus),
                    partial(_count, run, machine, watched, stimulus, key, folder, mapped.timing),
                )
            settled, every = (
                {net: one / clocks for net, one in zip(counted, found, strict=True)}
                for found in numbers
            )
            found = _powers(mapped, settled, every, mhz)
            runs.append(_run(run, netlist, found, clocks / blocks, mhz, settles))
    promise = promised(config, 8 * len(key))
    sources = used(set(re.findall(r"^module \\([^\s$]+)", text, re.M)))
    number: Counter[str] = Counter()
    area: dict[str, float] = defaultdict(float)
    for cell in netlist.cells.values():
        number[cell.component] += 1
        area[cell.component] += library.areas[cell.type] / library.nand_area
    return {
        "preset": preset.name,
        "config": config.as_dict(),
        "target": target.name,
        "delay_ps": target.delay_ps,
        "mhz": mhz,
        "fmax_mhz": mapped.fmax_mhz,
        "data": str(source) if source else "random",
        "blocks": blocks,
        "seed": seed,
        "key_bits": 8 * len(key),
        "direction": "encrypt" if "encrypt" in config.directions else "decrypt",
        "cells": {name: number[name] for name in sorted(number, key=_order)},
        "ge": {name: round(area[name]) for name in sorted(number, key=_order)},
        "runs": runs,
        "volt": library.volt,
        "left_out": ["wires", "clock tree"],
        "cycles_per_block": promise.cycles_per_block,
        "latency_cycles": promise.latency,
        "sources": list(sources),
        "source_hash": fingerprint(sources),
        "target_hash": target.fingerprint,
        "versions": versions,
    }


def _count(*arguments: Any) -> list[Any]:
    """`count` as a value for the cache: cycles, the last toggle in ps, settled toggles, and all."""
    found = count(*arguments)
    return [found.clocks, found.settles_ps, found.settled, found.every]


_Powers = Mapping[str, tuple[float, float, float]]


def _powers(
    core: _Core, settled: Mapping[str, float], every: Mapping[str, float], mhz: float
) -> tuple[_Powers, _Powers, _Powers]:
    """The power of each cell: without toggles of data, with those of settled values, with all.

    A latch of a clock gate passes its enable after glitches have ended.
    """
    netlist = core.netlist
    running = {net: settled[f"{net}_runs"] for net in netlist.enables}
    held = netlist.held(settled)
    still, calm, whole = (
        cell_powers(netlist, core.costs, rate, mhz, running)
        for rate in ({}, {**settled, **held}, {**every, **held})
    )
    return still, calm, whole


def split(
    netlist: _Netlist, powers: tuple[_Powers, _Powers, _Powers], names: Sequence[str]
) -> dict[str, float]:
    """The power of some cells, in mW, by what it is for.

    `clock`: of clock pins and clock gates. `registers`: their data. `logic`: toggles of gates
    between settled values. `glitches`: all other toggles, also at the inputs of registers.
    `leakage`.
    """

    def sums(group: Sequence[str]) -> tuple[float, float, float]:
        still, calm, whole = (sum(sum(one[name][:2]) for name in group) for one in powers)
        return still, calm - still, whole - calm

    registers = [name for name in names if netlist.cells[name].register]
    gates = [name for name in names if not netlist.cells[name].register]
    (clock, data, missed), (gated, logic, glitches) = sums(registers), sums(gates)
    return {
        "clock": clock + gated,
        "registers": data,
        "logic": logic,
        "glitches": missed + glitches,
        "leakage": sum(powers[2][name][2] for name in names),
    }


def _run(
    run: Config,
    netlist: _Netlist,
    powers: tuple[_Powers, _Powers, _Powers],
    clocks: float,
    mhz: float,
    settles_ps: int,
) -> dict[str, Any]:
    cells = powers[2]
    groups: dict[str, list[str]] = defaultdict(list)
    for name, cell in netlist.cells.items():
        groups[cell.component].append(name)
    stored = {name for name, cell in netlist.cells.items() if cell.register} - netlist.gates

    def part(names: Sequence[str]) -> dict[str, float]:
        registers = _sum([cells[name] for name in names if name in stored])["mw"]
        glitches = split(netlist, powers, names)["glitches"]
        whole = _sum([cells[name] for name in names])
        return {**whole, "registers_mw": registers, "glitches_mw": float(f"{glitches:.4g}")}

    whole = part(list(cells))
    # mW over MHz is nJ in a cycle.
    each = clocks / mhz
    shares = split(netlist, powers, list(cells))
    return {
        "sboxes_run": run.selectable_sboxes[0] if run.selectable_sboxes else None,
        "cycles_per_block": clocks,
        **whole,
        "clock_gates_mw": _sum([cells[name] for name in sorted(netlist.gates)])["mw"],
        "settles_ns": settles_ps / 1000,
        "nj_per_block": round(whole["mw"] * each, 4),
        "nj": {what: float(f"{value * each:.4g}") for what, value in shares.items()},
        "components": {name: part(groups[name]) for name in sorted(groups, key=_order)},
    }
