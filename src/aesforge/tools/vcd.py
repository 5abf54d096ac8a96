"""Waveforms as value change dumps (IEEE 1364, clause 18)."""

from collections.abc import Mapping, Sequence
from pathlib import Path


def write_vcd(
    path: Path, scope: str, clocks: Sequence[Mapping[str, int]], widths: Mapping[str, int]
) -> None:
    """Write the values of signals in each cycle; `clk_i` rises in its middle."""
    marks = {name: f"s{number}" for number, name in enumerate(widths)}
    lines = ["$timescale 1ns $end", f"$scope module {scope} $end", "$var wire 1 clk clk_i $end"]
    for name, width in widths.items():
        lines.append(
            f"$var wire {width} {marks[name]} {name.replace('[', '(').replace(']', ')')} $end"
        )
    lines += ["$upscope $end", "$enddefinitions $end"]
    before: dict[str, int] = {}
    for clock, values in enumerate(clocks):
        lines += [f"#{10 * clock}", "0clk"]
        for name, value in values.items():
            if before.get(name) != value:
                lines.append(f"b{value:b} {marks[name]}")
                before[name] = value
        lines += [f"#{10 * clock + 5}", "1clk"]
    lines.append(f"#{10 * len(clocks)}")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
