"""Choose among measured points by what they must do and what they may cost. Runs no tool."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from aesforge.errors import UserError, unknown
from aesforge.results import store
from aesforge.space.axes import AXES, NOTICES, OWN_AXES, Config
from aesforge.space.legality import lacks
from aesforge.space.presets import preset
from aesforge.space.promises import promised, slowest
from aesforge.space.targets import Target, targets
from aesforge.space.targets import target as named

AIMS = ("area", "latency")


def mbps(text: str) -> float:
    """A throughput such as 10Gbps or 500Mb/s, in Mb/s; UserError on anything else."""
    match = re.fullmatch(r"([\d.]+)\s*([kMGT])(?:bps|bit/s|b/s)", text.strip())
    if match is None or match[1].count(".") > 1 or not float(match[1]):
        raise UserError(f"'{text}' is not a throughput; write one such as 500Mbps or 10Gbps")
    return float(match[1]) * {"k": 1e-3, "M": 1.0, "G": 1e3, "T": 1e6}[match[2]]


def latency(text: str) -> tuple[float, str]:
    """A latency in cycles, such as 40, or in time, such as 120ns; and its unit, cycles or ns."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(ns|us|)", text.strip())
    if match is None or not float(match[1]):
        raise UserError(
            f"'{text}' is not a latency; write cycles, such as 40, or a time, such as 120ns"
        )
    return float(match[1]) * (1000 if match[2] == "us" else 1), "ns" if match[2] else "cycles"


@dataclass(frozen=True)
class Budget:
    """The throughput to reach and the costs to stay within; None for no limit.

    `throughput` is in Mb/s, `area` in LUTs or GE without block RAM, `bram` in block RAMs, `latency`
    in cycles or ns.
    """

    throughput: float | None = None
    area: float | None = None
    bram: int | None = None
    latency: float | None = None
    latency_unit: str = "cycles"

    def margins(self, point: Mapping[str, Any]) -> dict[str, float]:
        """How far a point is inside each budget, in per cent of the budget; negative outside."""
        found = {}
        if self.throughput is not None:
            found["throughput"] = point["throughput_mbps"] / self.throughput - 1
        if self.area is not None:
            found["area"] = 1 - point["area"] / self.area
        if self.bram is not None:
            # One that is not allowed at all is missed by 100 % each.
            has = point["bram"] or 0
            found["block RAM"] = 1 - has / self.bram if self.bram else -has
        if self.latency is not None:
            has = point["latency_ns" if self.latency_unit == "ns" else "latency_cycles"]
            found["latency"] = 1 - has / self.latency
        return {what: round(100 * margin, 1) for what, margin in found.items()}


def _wanted(choices: Sequence[str]) -> dict[str, str]:
    wanted: dict[str, str] = {}
    for choice in choices:
        axis, equals, value = choice.partition("=")
        if not equals:
            raise UserError(f"'{choice}' is not of the form AXIS=VALUE, such as keys=128")
        if axis not in AXES:
            raise unknown("axis", axis, AXES)
        wanted[axis] = AXES[axis].chosen(value)
    return wanted


def _can(config: Config, wanted: Mapping[str, str]) -> bool:
    """Whether a core does what is wanted, or more."""
    # What has a notice is offered to who asks for it.
    if any(config.as_dict()[axis] == value != wanted.get(axis) for axis, value in NOTICES):
        return False
    # A core with longer blocks is not AES.
    if config.block != wanted.get("block", "128"):
        return False
    # The ports of a protected core are its own, so it replaces no other one.
    if config.protection != wanted.get("protection", "none"):
        return False
    more = {"keys": "any", "direction": "both"}
    above = {axis: value for axis, value in wanted.items() if axis not in OWN_AXES}
    # A bare core can have what is wanted above it.
    layered = {axis: value for axis, value in config.layered.items() if axis not in OWN_AXES}
    if layered not in ({}, above):
        return False
    has = config.as_dict()
    return not lacks(replace(config, **above)) and all(
        has[axis] in (value, more.get(axis)) for axis, value in wanted.items() if axis in OWN_AXES
    )


def _point(row: store.Row, wanted: Mapping[str, str]) -> dict[str, Any]:
    """A row with the cycles of the wanted key size and mode."""
    core = Config(**row["config"])
    above = {axis: value for axis, value in wanted.items() if axis not in OWN_AXES}
    config = replace(core, **above)
    keys = wanted.get("keys", "any")
    bits = config.key_sizes[0] if keys == "any" else int(keys)
    promise = promised(config, bits)
    direction = wanted.get("direction", "both")
    if config.modes and direction != "both":
        promise = slowest(config, promised(config.cipher, bits), (direction,))
    cycles = promise.cycles_per_block
    fmax = row["fmax_mhz"]
    axes = preset(row["preset"]).choices(config)
    # A row of one core, and as many cores as lanes.
    cores = int(config.lanes) // int(core.lanes)
    taken = {field: row[field] and cores * row[field] for field in ("lut", "ff", "bram", "ge")}
    area = taken["lut"] if row["ge"] is None else taken["ge"]
    return {
        **{field: row[field] for field in store.FIELDS},
        **taken,
        "key_bits": bits,
        "cycles_per_block": cycles,
        "latency_cycles": promise.latency,
        "latency_ns": round(1000 * promise.latency / fmax, 1) if fmax else None,
        "throughput_mbps": round(int(config.block) * fmax / cycles, 1) if fmax else None,
        "area": area,
        "size": area + (taken["bram"] or 0) * named(row["target"]).bram_area,
        "area_unit": "LUT" if row["ge"] is None else "GE",
        "delay_ps": row.get("delay_ps"),
        "stale": store.stale(row),
        # Whether the figures are those of the core without what is wanted above it.
        "core_alone": bool(config.layered) and not core.layered,
        "command": f"aesforge build {row['preset']} {axes} -o {row['preset']}",
    }


def choose(
    rows: Sequence[store.Row],
    target: str,
    budget: Budget,
    choices: Sequence[str] = (),
    aim: str = "area",
    count: int = 5,
) -> dict[str, Any]:
    """The best measured points on a target within a budget; the closest one when there is none.

    `choices` are `axis=value`, and `mode=`. Without a direction the points encrypt, and some of
    them decrypt too; without a protection they have none. `aim` orders the points that fit: by
    size, where a block RAM counts as many LUTs as the part has for each of its block RAMs, or by
    latency.
    """
    on, wanted = named(target), {"direction": "encrypt"} | _wanted(choices)
    if budget.area is not None and budget.area <= 0:
        raise UserError(f"no core has an area of {budget.area:g}; give --max-area more than 0")
    if budget.bram is not None and budget.bram < 0:
        raise UserError(f"no core has {budget.bram} block RAMs; give --max-bram 0 or more")
    if count < 1:
        raise UserError(f"--count {count} shows no point; give 1 or more")
    if aim not in AIMS:
        raise unknown("aim", aim, AIMS)
    timed = on.family or on.liberty
    if not timed and (budget.throughput is not None or budget.latency_unit == "ns"):
        others = [name for name, other in targets().items() if other.family or other.liberty]
        raise UserError(
            f"{target} has no open placer, so its throughput is unknown; choose from "
            f"{', '.join(others)}, or give --max-area alone"
        )
    usable = [
        row
        for row in rows
        if row["preset"] is not None and row["target"] == target and not row.get("failed")
    ]
    if budget.throughput is not None or budget.latency_unit == "ns":
        # A row that was mapped but not placed has no clock.
        usable = [row for row in usable if row.get("too_large") or row["fmax_mhz"] is not None]
    large = sum(bool(row.get("too_large")) for row in usable)
    points = [
        _point(row, wanted)
        for row in usable
        if not row.get("too_large") and _can(Config(**row["config"]), wanted)
    ]
    # What was measured with the layers takes the place of the core alone.
    whole = {_measured(point) for point in points if not point["core_alone"]}
    points = [p for p in points if not p["core_alone"] or _measured(p, wanted) not in whole]
    # A row of one core does not say whether as many as lanes are too large.
    fitting = [point for point in points if not _too_large(on, point)]
    large += len(points) - len(fitting)
    if points and not fitting:
        raise UserError(f"{_too_large(on, points[0])}: take fewer lanes, or another target")
    points = fitting
    if not points:
        raise UserError(
            f"nothing is measured on {target} with {' '.join(choices) or 'these axes'}; "
            f"run 'aesforge sweep' or 'aesforge synth PRESET --target {target}'"
        )
    for point in points:
        point["margins"] = budget.margins(point)
        point["fits"] = all(margin >= 0 for margin in point["margins"].values())
    order = ("size", "latency_cycles") if aim == "area" else ("latency_cycles", "size")
    fits = sorted(
        (point for point in points if point["fits"]), key=lambda p: tuple(p[o] for o in order)
    )
    document: dict[str, Any] = {
        "target": target,
        "device": on.part or on.name,
        "budget": {
            "throughput_mbps": budget.throughput,
            "max_area": budget.area,
            "max_bram": budget.bram,
            "max_latency": budget.latency,
            "latency_unit": budget.latency_unit,
        },
        "axes": wanted,
        "minimize": aim,
        "considered": len(points),
        "too_large": False,
        "too_large_left_out": large,
        "fitting": len(fits),
        "holds": bool(fits),
    }
    if not fits:
        closest = min(points, key=lambda p: -sum(min(0.0, m) for m in p["margins"].values()))
        missed = [
            f"{what} by {-margin:g}%" for what, margin in closest["margins"].items() if margin < 0
        ]
        closest["why"] = f"closest: misses {' and '.join(missed)}"
        return {**document, "points": [], "closest": closest}
    return {**document, "points": _best(fits, aim, count), "closest": None}


def _measured(
    point: Mapping[str, Any], wanted: Mapping[str, str] | None = None
) -> tuple[Config, int | None]:
    """What a point is a figure of, or would be with the layers that are `wanted`, and its delay."""
    above = {axis: value for axis, value in (wanted or {}).items() if axis not in OWN_AXES}
    return replace(Config(**point["config"]), **above), point["delay_ps"]


def _too_large(on: Target, point: Mapping[str, Any]) -> str:
    """Why the cores of a point are too large for the part; empty when they are not."""
    return on.lacks({what: point[what] or 0 for what in on.capacity})


def _best(fits: list[dict[str, Any]], aim: str, count: int) -> list[dict[str, Any]]:
    """The points that are best at something, then the other Pareto-optimal points."""
    reasons: dict[int, list[str]] = {}

    def award(found: dict[str, Any], reason: str) -> None:
        reasons.setdefault(fits.index(found), []).append(reason)

    unit = fits[0]["area_unit"]
    first, second = ("smallest", "least latency")
    if aim == "latency":
        first, second = second, first
    award(fits[0], first)
    key = "latency_cycles" if aim == "area" else "size"
    award(min(fits, key=lambda p: (p[key], p["size"])), second)
    # Cores that are not placed have no throughput.
    if timed := [point for point in fits if point["throughput_mbps"] is not None]:
        award(max(timed, key=lambda p: (p["throughput_mbps"], -p["size"])), "fastest")
        award(max(timed, key=lambda p: p["throughput_mbps"] / p["size"]), f"most Mb/s per {unit}")
    for number, point in enumerate(fits):
        if number not in reasons and not any(_beats(other, point) for other in fits):
            reasons[number] = ["Pareto-optimal"]
    chosen = sorted(reasons, key=lambda n: (reasons[n][0] == "Pareto-optimal", n))[:count]
    return [{**fits[n], "why": ", ".join(reasons[n])} for n in sorted(chosen)]


def _beats(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether `one` is at least as good as `other` in everything, and better in something."""

    def good(point: Mapping[str, Any]) -> tuple[float, ...]:
        speed = point["throughput_mbps"] or 0.0
        return (-point["area"], -point["latency_cycles"], speed, -(point["bram"] or 0))

    return good(one) != good(other) and all(
        a >= b for a, b in zip(good(one), good(other), strict=True)
    )
