"""The generated parts of README.md and docs/, between markers.

'aesforge tables' writes them. Tables of figures are made from the stored rows, tables
of ports and parameters from the RTL. `parts` says which page has which table.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from aesforge.core import sources
from aesforge.core.contract import CIPHER, CONTRACTS, REGISTER_PORTS, random_bits, unused_ports
from aesforge.proof.proofs import block_table, proof_table
from aesforge.results import blocks, energy, papers_page, registers, store, tables
from aesforge.results.areas import area, timed, unit, where
from aesforge.results.digits import shown
from aesforge.results.layered import with_alone
from aesforge.results.mutants import mutant_table
from aesforge.results.peers import peers
from aesforge.results.store import Row
from aesforge.space.axes import LOCKSTEP, Config
from aesforge.space.presets import ciphers, presets
from aesforge.space.promises import Promise, promised

ROOT = Path(__file__).resolve().parents[3]

INTERFACES = {
    "docs/cipher.md": "cipher/aes_cipher",
    "docs/engines/iterative.md": "iterative/aes_iterative_otf",
    "docs/engines/interleaved.md": "interleaved/aes_interleaved_otf",
    "docs/engines/unrolled.md": "unrolled/aes_unrolled",
    "docs/engines/serial.md": "serial/aes_serial32",
    "docs/modes/packets.md": "mode/aes_mode",
    "docs/modes/cbc.md": "mode/aes_cbc",
    "docs/modes/cfb.md": "mode/aes_cfb",
    "docs/modes/ofb.md": "mode/aes_ofb",
    "docs/modes/ctr.md": "mode/aes_ctr",
    "docs/modes/cmac.md": "mode/aes_cmac",
    "docs/modes/ccm.md": "mode/aes_ccm",
    "docs/modes/kw.md": "mode/aes_kw",
    "docs/modes/xts.md": "mode/aes_xts_ahead",
    "docs/modes/gcm.md": "mode/aes_gcm_tag",
    "docs/modes/gcm-siv.md": "mode/aes_gcm_siv",
    "docs/modes/key-slots.md": "mode/aes_key_slots",
    "docs/modes/lanes.md": "mode/aes_ctr_lanes",
    "docs/modes/xts-lanes.md": "mode/aes_xts_lanes",
    "docs/modes/gcm-lanes.md": "mode/aes_gcm_lanes",
    "docs/modes/hold.md": "mode/aes_hold",
    "docs/modes/ghash.md": "ghash/aes_ghash_pipelined",
    "docs/buses/word32.md": "bus/aes_word_port",
    "docs/buses/axi-stream.md": "bus/aes_axi_stream",
    "docs/buses/registers.md": "bus/aes_registers",
    "docs/buses/axi-lite.md": "bus/aes_axi_lite",
    "docs/buses/apb.md": "bus/aes_apb",
    "docs/buses/wishbone.md": "bus/aes_wishbone",
    "docs/buses/tl-ul.md": "bus/aes_tl_ul",
}
"""The module whose ports and parameters a page lists."""

MODE_PAGES = {
    "packets": ("ctr,cmac,ccm",),
    "ecb": ("ecb",),
    "cbc": ("cbc", "cbc_cs1", "cbc_cs2", "cbc_cs3"),
    "cfb": ("cfb128", "cfb8", "cfb1"),
    "ofb": ("ofb",),
    "ctr": ("ctr",),
    "cmac": ("cmac",),
    "gcm": ("gcm", "gmac"),
    "gcm-siv": ("gcm-siv",),
    "ccm": ("ccm",),
    "kw": ("kw", "kw,kwp"),
    "xts": ("xts",),
}
"""The pages of modes, and the modes whose cost each has."""

LANE_PAGES = {"lanes": "ctr", "xts-lanes": "xts", "gcm-lanes": "gcm"}
"""The pages of modes over lanes, and the mode of each."""


# Ports and parameters ----------------------------------------------------------------------------


def _header(module: str) -> tuple[str, str]:
    """The parameter list and the port list of a module, as text."""
    text = sources.text(sources.rtl_root() / f"{module}.sv")
    found = re.search(r"^module \w+ *(?:#\((.*?)^\) *)?\((.*?)^\);", text, re.DOTALL | re.MULTILINE)
    if not found:
        raise ValueError(f"{module}.sv has no module header in the house style")
    return found[1] or "", found[2]


def parameters(module: str) -> str:
    """The parameters of a module as a Markdown table."""
    lines = ["| parameter | type | default | meaning |", "|---|---|---|---|"]
    pattern = r"parameter (\w+)\s+(\w+)\s*=\s*(.+?),?$"
    for comment, match in sources.commented(_header(module)[0], "///", pattern):
        kind, name, default = match.groups()
        default = default.replace("aes_pkg::", "").replace("1'b", "")
        meaning = re.sub(r"aes_pkg::\w+\*?", r"`\g<0>`", comment).replace("aes_pkg::", "")
        lines.append(f"| `{name}` | `{kind}` | `{default}` | {meaning.removesuffix('.')} |")
    return "\n".join(lines) if len(lines) > 2 else "None."


def _meanings(module: str) -> dict[str, str]:
    """What the ports of the contract mean, by name."""
    contracts = [CIPHER, CONTRACTS.get(Path(module).name, CIPHER)]
    ports = [port for contract in contracts for port in contract.ports]
    return {port.name: port.doc for port in (*ports, *unused_ports(Config()))}


def ports(module: str) -> str:
    """The ports of a module as a Markdown table; the header's comment explains any other port."""
    lines = ["| port | direction | bits | meaning |", "|---|---|--:|---|"]
    meanings = _meanings(module)
    pattern = r"(input|output)\s+logic\s*(?:\[(.+?):0\])?\s*(\w+),?$"
    for comment, match in sources.commented(_header(module)[1], "//", pattern):
        direction, high, name = match.groups()
        high = (high or "0").replace("aes_pkg::", "")
        if high.isdigit():
            width = str(int(high) + 1)
        else:
            width = f"`{high[:-2]}`" if high.endswith("-1") else f"`{high} + 1`"
        meaning = meanings.get(name, comment).removesuffix(".")
        lines.append(f"| `{name}` | {direction} | {width} | {meaning} |")
    return "\n".join(lines)


# What to take ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Need:
    """A line of the table in README.md: of the rows that `fits` says, the one with the least."""

    words: str
    target: str
    fits: Callable[[Row], bool]
    least: Callable[[Row], float]


def _latency(row: Row) -> float:
    """Nanoseconds from acceptance to result."""
    return float(1e3 * row["latency_cycles"] / row["fmax_mhz"])


def _universal(row: Row) -> bool:
    return bool(row["config"]["keys"] == "any" and row["config"]["direction"] == "both")


def _faster(gigabits: float) -> Callable[[Row], bool]:
    return lambda row: bool(row["throughput_mbps"] >= 1000 * gigabits)


def _any(row: Row) -> bool:
    return True


NEEDS = (
    _Need("the fewest LUTs", "ecp5", _any, area),
    _Need("every key size and both directions, in few LUTs", "ecp5", _universal, area),
    _Need("1 Gb/s", "ecp5", _faster(1), area),
    _Need(
        "1 Gb/s, every key size and both directions",
        "ecp5",
        lambda row: _universal(row) and _faster(1)(row),
        area,
    ),
    _Need("the lowest latency", "ecp5", _any, _latency),
    _Need(
        "CBC of one stream, both directions",
        "ecp5",
        lambda row: bool(row["config"]["direction"] == "both"),
        lambda row: _latency(row) * area(row),
    ),
    _Need("10 Gb/s", "ecp5", _faster(10), area),
    _Need("30 Gb/s", "ecp5", _faster(30), area),
    _Need("100 Gb/s", "osu018_gated", _faster(100), area),
)


def _on(row: Row) -> str:
    """The target of a row, with the part and its speed grade and without its package."""
    part = re.sub(r"(-\d)[A-Z]+\d+$", r"\1", row["device"])
    return row["target"] if part == row["target"] else f"{row['target']}: {part}"


def _wired(row: Row) -> str:
    """The throughput with wires and clock, beside that of cells alone."""
    found = row.get("with_wires")
    return f"; {shown(row, found['throughput_mbps'])} with wires and clock" if found else ""


def needs(rows: list[Row]) -> str:
    """What to take for a need: the best whole core of the measured ones, without block RAM."""
    lines = [
        "| you need | take, with `aesforge build` | target | area | MHz | Mb/s | latency |",
        "|---|---|---|--:|--:|--:|--:|",
    ]
    for need in NEEDS:
        fitting = [
            row
            for row in rows
            if row["target"] == need.target
            and row["fmax_mhz"]
            and not row["bram"]
            and need.fits(row)
        ]
        if fitting:
            row = min(fitting, key=lambda row: (need.least(row), area(row)))
            chosen = choices(row)
            cells = [
                need.words,
                f"`{row['preset']}{' ' * bool(chosen)}{chosen}`",
                _on(row),
                f"{area(row):,.0f} {unit(row)}",
                shown(row, row["fmax_mhz"]),
                shown(row, row["throughput_mbps"]) + _wired(row),
                f"{shown(row, _latency(row))} ns",
            ]
            lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def choices(row: Row) -> str:
    """The `axis=value` of a row that differ from its preset's defaults."""
    default = presets()[row["preset"]].config.as_dict()
    return " ".join(f"{a}={v}" for a, v in row["config"].items() if default[a] != v)


def stale(rows: list[Row]) -> str:
    """One sentence on the age of the figures; empty when all of them are of these sources."""
    old = sum(bool(store.stale(row)) for row in rows)
    if not old:
        return f"All {len(rows):,} figures are measured from the sources as they are."
    return (
        f"{old:,} of {len(rows):,} figures are of earlier sources, or of an earlier flow of their "
        "target, and not measured again yet."
    )


# Promise and cost of an engine --------------------------------------------------------------------


_PROMISED = ("key_schedule", "rounds_per_cycle", "stop_cycles", "sboxes")
"""Axes that change what a preset promises, beside the key size and the direction."""


def engine_promises(engine: str) -> str:
    """What the presets of an engine promise, from the promises that `aesforge verify` checks."""
    lines = [
        "| core | direction | latency | cycles per block | key setup | blocks lost by a new key |",
        "|---|---|--:|--:|--:|--:|",
    ]
    for preset in ciphers().values():
        if preset.config.engine != engine:
            continue
        default = preset.config
        sizes: dict[tuple[str, str], dict[int, Promise]] = defaultdict(dict)
        for config in preset.configurations():
            axes = {axis: getattr(config, axis) for axis in (*_PROMISED, "keys", "direction")}
            if config == replace(default, **axes) and config.keys != "any":
                chosen = [f"{a}={axes[a]}" for a in _PROMISED if axes[a] != getattr(default, a)]
                bits = int(config.keys)
                core = " ".join((preset.name, *chosen))
                sizes[core, config.direction][bits] = promised(config, bits)
        directions: dict[tuple[str, tuple[Promise, ...]], list[str]] = defaultdict(list)
        for (core, direction), found in sizes.items():
            directions[core, tuple(found[bits] for bits in sorted(found))].append(direction)
        for (core, promises), names in directions.items():
            figures = []
            for field in ("latency", "cycles_per_block", "key_setup", "key_change_blocks"):
                values = [f"{getattr(promise, field):g}" for promise in promises]
                figures.append(" / ".join(values if len(set(values)) > 1 else values[:1]))
            which = "any" if len(names) == 3 else ", ".join(names)
            lines.append(f"| `{core}` | {which} | {' | '.join(figures)} |")
    return "\n".join([*lines, "", "Cycles, for keys of 128 / 192 / 256 bits."])


def engine_cost(rows: list[Row], engine: str) -> str:
    """For each preset, key schedule, size and direction the smallest core on two targets.

    A core that was mapped for area alone counts only when there is no other.
    """
    found: dict[tuple[str, ...], Row] = {}
    for row in rows:
        config = row["config"]
        if config["engine"] != engine or row["target"] not in ("ecp5", "osu018"):
            continue
        if config["keys"] not in ("128", "any") or row["throughput_mbps"] is None:
            continue
        axes = ("key_schedule", "keys", "direction", "rounds_per_cycle", "stop_cycles")
        key = (row["target"], row["preset"], *(config[axis] for axis in axes))
        found[key] = min(found.get(key, row), row, key=lambda one: (not timed(one), area(one)))
    lines = [
        "| core | target | area | FF | block RAM | MHz | Mb/s | latency, cycles |",
        "|---|---|--:|--:|--:|--:|--:|--:|",
    ]
    for key in sorted(found):
        row = found[key]
        delay = f", {row['delay_ps']} ps" if row["delay_ps"] else ""
        cells = [
            f"`{row['preset']} {choices(row)}`".replace(" `", "`"),
            row["target"] + delay,
            f"{area(row):,.0f} {unit(row)}",
            f"{row['ff']:,}",
            f"{row['bram'] or ''}",
            shown(row, row["fmax_mhz"]) if timed(row) else "",
            shown(row, row["throughput_mbps"]) if timed(row) else "",
            f"{row['latency_cycles']:g}",
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


_PACKET_AXES = ("mode", "counter_bits", "semiblocks", "payload_bytes")
"""The mode and its sizes, which a core without a mode does not have."""


def layer_cost(rows: list[Row], axis: str, *values: str) -> str:
    """The cost of ports, modes or a test: cores with them, beside the same cores without."""
    lines = [
        f"| core | target | {axis} | area | FF | MHz | cycles per block | latency, cycles |",
        "|---|---|---|--:|--:|--:|--:|--:|",
    ]
    own = _PACKET_AXES if axis == "mode" else (axis,)
    for bare, row in with_alone(rows, lambda config: own):
        if row["config"][axis] not in values:
            continue
        chosen = choices(bare)
        more_axes = [name for name in own[1:] if row["config"][name] != bare["config"][name]]
        sized = "".join(f" {name}={row['config'][name]}" for name in more_axes)
        for one in (bare, row):
            more = area(row) - area(bare)
            cells = [
                f"`{one['preset']}{' ' * bool(chosen)}{chosen}`" if one is bare else "",
                one["target"] if one is bare else "",
                one["config"][axis] + sized * (one is row),
                f"{area(one):,.0f} {unit(one)}" + (f" ({more:+,.0f})" if one is row else ""),
                f"{one['ff']:,}" + (f" ({row['ff'] - bare['ff']:+,})" if one is row else ""),
                f"{one['fmax_mhz']:,.1f}" if one["fmax_mhz"] and timed(one) else "",
                f"{one['cycles_per_block']:g}",
                f"{one['latency_cycles']:g}",
            ]
            lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) if len(lines) > 2 else "Not measured yet."


def clocks(rows: list[Row]) -> str:
    """The frequency of cores with modes and ports, as a share of the same core's alone."""
    lines = [
        "| core | target | layers | MHz, core alone | MHz | of the core's | best seeds | spread |",
        "|---|---|---|--:|--:|--:|--:|--:|",
    ]
    for core, row in with_alone(rows, lambda config: config.layered):
        if not (core["fmax_mhz"] and row["fmax_mhz"] and timed(row)):
            continue
        chosen = choices(core)
        layers = " ".join(f"{a}={v}" for a, v in Config(**row["config"]).layered.items())
        cells = [
            f"`{row['preset']}{' ' * bool(chosen)}{chosen}`",
            row["target"],
            f"`{layers}`",
            f"{core['fmax_mhz']:,.1f}",
            f"{row['fmax_mhz']:,.1f}",
            f"{100 * row['fmax_mhz'] / core['fmax_mhz']:.0f} %",
            *_by_seed(row, core),
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _by_seed(row: Row, core: Row) -> tuple[str, str]:
    """The best placement as a share of the core's best, and the spread in percent of the median."""
    found, alone = ((one["fmax_by_seed"] or {}).values() for one in (row, core))
    if not found or not alone:
        return "", ""
    spread = (max(found) - min(found)) / row["fmax_mhz"]
    return f"{100 * max(found) / max(alone):.0f} %", f"{100 * spread:.0f} %"


def register_cost(rows: list[Row]) -> str:
    """The registers and each bus by themselves, in look-up tables and in gates, beside others'."""
    buses = [f"aes_{port.replace('-', '_')}" for port in REGISTER_PORTS]
    names = {"aes_registers": "`aes_registers`", "stream": "`aes_registers`, `stream_port=on`"}
    names |= {bus: f"`{bus}`" for bus in buses}
    found: dict[str, dict[str, Row]] = defaultdict(dict)
    for row in rows:
        if row["preset"] is None and row.get("core") in names:
            name = "stream" if "Capabilities" in row["config"] else row["core"]
            found[name][row["target"]] = row
    parts = [(names[name], "", found[name]) for name in names]
    for other in peers()["wrappers"]:
        figures = {figure["target"]: figure for figure in other["figures"]}
        parts.append((f"{other['source']}: {other['part']}", other["what"], figures))
    lines = [
        "| part | LUTs on `ecp5` | flip-flops | MHz | GE on `osu018` | MHz | what differs |",
        "|---|--:|--:|--:|--:|--:|---|",
    ]
    for name, what, on in parts:
        lut, cells = on.get("ecp5"), on.get("osu018")
        if lut and cells:
            mhz = [f"{one['fmax_mhz']:,.0f}" if one.get("fmax_mhz") else "" for one in (lut, cells)]
            lines.append(
                f"| {name} | {lut['lut']:,} | {lut['ff']:,} | {mhz[0]} | {cells['ge']:,.0f} | "
                f"{mhz[1]} | {what} |"
            )
    return "\n".join(lines) if len(lines) > 2 else "Not measured yet."


def masked_cost(rows: list[Row]) -> str:
    """Masked cores: gates mapped for area, look-up tables, cycles and random bits of a block."""
    found: dict[Config, dict[str, Row]] = defaultdict(dict)
    seeded: dict[Config, dict[str, Row]] = defaultdict(dict)
    for row in rows:
        config = Config(**row["config"])
        if config.protection == "masked" and not row["delay_ps"]:
            (found if config.random == "port" else seeded)[config.core][row["target"]] = row
    lines = [
        "| core | shares | gadget | latency, cycles | cycles per block | random bits per cycle | "
        "per block | GE on `osu018` | with generator | with clock gates | LUTs on `xc7` | "
        "with generator | flip-flops on `xc7` | with generator |",
        "|---|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for config in sorted(found, key=lambda one: (int(one.width), one.shares, one.gadget)):
        on, own = found[config], seeded[config]
        promise, bits = promised(config, 128), random_bits(config)
        cells = [
            *(f"`{next(iter(on.values()))['preset']}`", config.shares, f"`{config.gadget}`"),
            *(f"{promise.latency:,}", f"{promise.cycles_per_block:g}"),
            *(f"{bits:,}", f"{bits * (promise.latency - 1) // promise.per:,}"),
            *(_of(on, "osu018", "ge"), _of(own, "osu018", "ge"), _of(on, "osu018_gated", "ge")),
            *(_of(on, "xc7", "lut"), _of(own, "xc7", "lut")),
            *(_of(on, "xc7", "ff"), _of(own, "xc7", "ff")),
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _of(rows: Mapping[str, Row], target: str, field: str) -> str:
    """A figure of a row, if it was measured."""
    return f"{rows[target][field]:,.0f}" if target in rows else ""


def lockstep_cost(rows: list[Row]) -> str:
    """Cores in lockstep, beside the same core alone: area, flip-flops and frequency."""
    heads = (f"{what}, alone | {what}, lockstep" for what in ("area", "flip-flops", "MHz"))
    lines = [f"| core | target | {' | '.join(heads)} |", "|---|---|--:|--:|--:|--:|--:|--:|"]
    for alone, row in with_alone(rows, lambda config: config.layered):
        if row["config"]["protection"] != LOCKSTEP:
            continue
        cells = [f"`{_with_axes(alone)}`", where(row)]
        for what, end in ((unit(row).lower(), f" {unit(row)}"), ("ff", "")):
            cells += [f"{one[what]:,.0f}{end}" for one in (alone, row)]
        speeds = row["target"] != "osu018" or row["delay_ps"]
        for one in (alone, row):
            cells.append(f"{one['fmax_mhz']:,.0f}" if one["fmax_mhz"] and speeds else "")
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) if len(lines) > 2 else "Not measured yet."


def _with_axes(row: Row) -> str:
    chosen = choices(row)
    return f"{row['preset']}{' ' * bool(chosen)}{chosen}"


SERIES = {
    "single_control": "one flip, control",
    "single_data": "one flip, data",
    "double": "two flips at random",
    "same_in_both": "the same flip in both copies",
    "gate": "one gate in one cycle",
    "gate_of_copy": "one gate of a copy in one cycle",
    "gate_of_layer": "one gate of the layer in one cycle",
}
"""The faults of a campaign of `aesforge inject`, in words."""


def injected(rows: list[Row]) -> str:
    """What became of flips, with two copies of a core and with one."""
    if not rows:
        return "Not measured yet."
    kinds = [kind for kind in next(iter(rows[0]["faults"].values())) if kind != "faults"]
    lines = [
        f"| core | `protection=` | faults | number | {' | '.join(kinds)} |",
        f"|---|---|---|--:|{'--:|' * len(kinds)}",
    ]
    for row in rows:
        config = Config(**row["config"])
        bare = {**row, "config": config.core.as_dict()}
        for name, found in row["faults"].items():
            cells = [f"`{_with_axes(bare)}`", f"`{config.protection}`", SERIES[name]]
            cells.append(f"{found['faults']:,}")
            cells += [_share(found[kind], found["faults"]) for kind in kinds]
            lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _share(part: int, whole: int) -> str:
    """A part in percent: 0 only if there is none."""
    if part == 0:
        return "0"
    return f"{100 * part / whole:.1f} %" if 1000 * part >= whole else f"{part:,} of {whole:,}"


def _has_more(config: Config) -> bool:
    """A generator beside a masked core, or modes around a core."""
    return config.random != "port" or bool(config.modes)


# Pages -------------------------------------------------------------------------------------------


def parts(every: list[Row]) -> Iterator[tuple[str, str, str]]:
    """Each generated part: its page, the name of its markers, and the text between them."""
    cores = tables.cores(every)
    sound = [row for row in cores if not row.get("failed")]
    whole = blocks.of_aes(row for row in sound if not Config(**row["config"]).stacked)
    # A masked core with its generator, and a core with modes, are cores as others have them.
    like_others = [*whole, *(row for row in sound if _has_more(Config(**row["config"])))]
    for port in ("word32", "axi-stream"):
        yield f"docs/buses/{port}.md", "cost", layer_cost(sound, "port", port)
    for page, modes in MODE_PAGES.items():
        yield f"docs/modes/{page}.md", "cost", layer_cost(sound, "mode", *modes)
    for page, mode in LANE_PAGES.items():
        lanes = [row for row in sound if row["config"]["mode"] == mode]
        yield f"docs/modes/{page}.md", "cost", layer_cost(lanes, "lanes", "2", "4", "8")
    yield "docs/buses/registers.md", "cost", register_cost(every)
    yield "docs/results.md", "clocks", clocks(sound)
    for page in ("README.md", "docs/index.md"):
        yield page, "needs", f"{needs(whole)}\n\n{stale(every)}"
    yield "docs/buses/registers.md", "map", registers.table()
    for page, module in INTERFACES.items():
        yield page, "ports", ports(module)
        yield page, "parameters", parameters(module)
    for engine in ("iterative", "interleaved", "unrolled", "serial"):
        yield f"docs/engines/{engine}.md", "promise", engine_promises(engine)
        yield f"docs/engines/{engine}.md", "cost", engine_cost(whole, engine)
    yield "docs/tables/energy.md", "places", energy.places(store.load(store.path("power")))
    yield "docs/sboxes.md", "circuits", tables.circuits(store.load(store.path("gates")))
    yield "docs/block.md", "cost", blocks.table(sound)
    yield "docs/block.md", "proven", block_table(store.load(store.path("proven")))
    yield "docs/protection.md", "cost", masked_cost(sound)
    yield "docs/protection.md", "peers", tables.ahead(like_others, "masked")
    yield "docs/faults.md", "cost", lockstep_cost(sound)
    yield "docs/self-test.md", "cost", layer_cost(sound, "self_test", "on")
    yield "docs/faults.md", "campaign", injected(store.load(store.path("injected")))
    yield "docs/engines/serial.md", "power", tables.serial(cores)
    yield "docs/cipher.md", "idle", tables.idle(whole)
    yield "docs/proofs.md", "mapped", tables.mapped(store.load(store.path("mapped")))
    for page in ("README.md", "docs/results.md", "docs/engines/serial.md"):
        yield page, "narrow", tables.narrow(whole, few=page == "README.md")
    yield "docs/results.md", "coverage", tables.coverage(every)
    yield "docs/papers.md", "stale", stale(every)
    yield "docs/papers.md", "papers", papers_page.page(every)
    yield "docs/tables/goals.md", "modes", tables.records(sound, "modes")
    yield "docs/tables/goals.md", "records", tables.records(sound)
    for page, body in (
        ("presets", tables.overview()),
        ("goals", tables.goals(whole)),
        ("fronts", tables.fronts(whole)),
        ("peers", tables.ahead(like_others)),
        ("rows", tables.cost(cores)),
        ("tboxes", tables.rounds(whole)),
        ("sboxes", tables.sboxes(store.load(store.path("sboxes")))),
        ("bases", tables.bases(store.load(store.path("sboxes_shallow")))),
        ("energy", energy.table(store.load(store.path("power")))),
        ("proofs", proof_table(*(store.load(store.path(t)) for t in ("proven", "engines")))),
        ("mutants", mutant_table(store.load(store.path("mutants")))),
    ):
        yield f"docs/tables/{page}.md", "table", body


def documents(table: Path) -> dict[Path, str]:
    """Every page with generated parts and every generated file, and what it must say."""
    made: dict[Path, str] = {}
    for name, marker, body in parts(store.load(table)):
        page = ROOT / name
        text = made.get(page) or page.read_text(encoding="utf-8")
        if f"<!-- {marker} -->" not in text:
            raise ValueError(f"{name} has no '<!-- {marker} -->' markers")
        made[page] = fill(text, marker, body)
    return made | registers.files()


def fill(text: str, marker: str, body: str) -> str:
    """`text` with `body` between the markers of that name."""
    pattern = rf"(<!-- {marker} -->\n).*?(<!-- /{marker} -->)"
    return re.sub(pattern, lambda m: f"{m[1]}{body}\n{m[2]}", text, flags=re.DOTALL)
