"""The energy of a block in every preset, from rows of `aesforge power`.

All of one mapping, of the same random blocks under the same key, back to back. A row's energies are
those of toggles, so that they do not depend on the clock; leakage is a power.
"""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from aesforge.results import store
from aesforge.space.presets import presets
from aesforge.space.targets import DELAY_PS

TARGET, GATED = "osu018", "osu018_gated"
PARTS = {
    "clock": "clock",
    "registers": "data of registers",
    "logic": "logic",
    "glitches": "glitches",
}
"""The parts of an energy by their names in a row, and as the documents name them."""


def goal() -> float:
    """The energy of a block that the library aims at, in nJ."""
    path = store.path().with_name("goals.toml")
    return float(tomllib.loads(path.read_text(encoding="utf-8"))["energy"]["nj_per_block"])


@dataclass(frozen=True)
class Point:
    """A preset, with the number of S-boxes in use where a block selects it.

    `run` is that of the row; `gated` the energy in nJ with clock gating, if it is measured.
    """

    row: store.Row
    run: dict[str, Any]
    gated: float | None

    @property
    def name(self) -> str:
        """The preset, and what is selected per block."""
        name, used = str(self.row["preset"]), self.run["sboxes_run"]
        return name if used is None else f"{name}, {used} S-box{'es' * (used > 1)}"

    @property
    def parts(self) -> dict[str, float]:
        """The energies of `PARTS`, in nJ."""
        return {part: float(self.run["nj"][part]) for part in PARTS}

    @property
    def nj(self) -> float:
        """The energy of a block without leakage, in nJ."""
        return _dynamic(self.run)

    @property
    def leakage_uw(self) -> float:
        """The power of leakage, in microwatts."""
        return 1000 * float(self.run["leakage_mw"])


def _dynamic(run: dict[str, Any]) -> float:
    return sum(float(run["nj"][part]) for part in PARTS)


def points(powers: Sequence[store.Row]) -> list[Point]:
    """The presets that are measured, the least energy first."""
    found: dict[tuple[str, str], store.Row] = {}
    for row in powers:
        known = presets().get(row["preset"])
        default = known and row["config"] == known.config.as_dict()
        # Rows without a split are of a flow that did not count glitches.
        counted = all("nj" in run for run in row["runs"])
        if default and counted and row["delay_ps"] == DELAY_PS and row["data"] == "random":
            found[row["preset"], row["target"]] = row
    made = []
    for (name, target), row in found.items():
        if target != TARGET:
            continue
        gated = found.get((name, GATED))
        for at, run in enumerate(row["runs"]):
            other = _dynamic(gated["runs"][at]) if gated else None
            made.append(Point(row, run, other))
    return sorted(made, key=lambda point: point.nj)


def missing(powers: Sequence[store.Row]) -> list[str]:
    """The presets that are not measured."""
    measured = {point.row["preset"] for point in points(powers)}
    return [name for name in presets() if name not in measured]


def graph(powers: Sequence[store.Row]) -> dict[str, Any]:
    """A bar for each preset, as `aesforge.results.graphs` has graphs, its parts one on another."""
    found = points(powers)
    volts = sorted({f"{point.row['volt']:g} V" for point in found})
    return {
        "title": f"AES-128, {TARGET} at {', '.join(volts)}; the goal is {goal():g} nJ",
        "x": "preset",
        "y": "nJ per block",
        "kind": "bar",
        "stacked": True,
        "place": "energy",
        "series": [
            {
                "name": said,
                "paper": False,
                "x": [point.name for point in found],
                "y": [point.parts[part] for point in found],
            }
            for part, said in PARTS.items()
        ],
    }


def table(powers: Sequence[store.Row]) -> str:
    """The same as a Markdown table, with what each part takes."""
    head = ["preset", "cycles per block", "GE", "nJ per block", "times the goal"]
    head += [f"{said}, %" for said in PARTS.values()]
    head += ["leakage, uW", "settles within, ns", "nJ with clock gating"]
    lines = [f"| {' | '.join(head)} |", f"|---|{'--:|' * (len(head) - 1)}"]
    for point in points(powers):
        mark = ", earlier sources" if store.stale(point.row) else ""
        cells = [
            f"`{point.row['preset']}`{point.name.removeprefix(point.row['preset'])}{mark}",
            f"{point.run['cycles_per_block']:g}",
            f"{sum(point.row['ge'].values()):,}",
            f"**{point.nj:.3g}**",
            f"{point.nj / goal():.1f}",
            *(f"{100 * value / point.nj:.0f}" for value in point.parts.values()),
            f"{point.leakage_uw:.2g}",
            f"{point.run['settles_ns']:.1f}",
            "" if point.gated is None else f"{point.gated:.3g}",
        ]
        lines.append(f"| {' | '.join(cells)} |")
    if left := missing(powers):
        lines += ["", f"Not measured: {', '.join(f'`{name}`' for name in left)}."]
    return "\n".join(lines)


_PLACES = {
    "S-boxes": ("S-box", "T-boxes"),
    "MixColumns and AddRoundKey": ("MixColumns",),
    "key expander and key registers": ("key",),
    "the rest": ("ShiftRows", "controller", "others"),
}
"""What components are of, by the starts of their names."""


def places(powers: Sequence[store.Row]) -> str:
    """Where the energy of a block is spent, in nJ, with the glitches that are part of it.

    An S-box of the key expander counts there where it is a module of its own, and a part that has
    no module of its own counts as the rest.
    """
    head = ["preset", "S-boxes are", *(part for name in _PLACES for part in (name, "glitches"))]
    lines = [f"| {' | '.join(head)} |", f"|---|---|{'--:|' * (len(head) - 2)}"]
    for point in points(powers):
        # mW over MHz is nJ in a cycle.
        each = point.run["cycles_per_block"] / point.row["mhz"]
        cells = [f"{point.name}", f"`{point.row['config']['sbox']}`"]
        for starts in _PLACES.values():
            parts = [
                part for name, part in point.run["components"].items() if name.startswith(starts)
            ]
            for what in ("mw", "glitches_mw"):
                cells.append(f"{each * sum(part[what] for part in parts):.2f}" if parts else "")
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)
