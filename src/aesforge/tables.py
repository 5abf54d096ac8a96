"""The tables in the documents: measure their points, and write them between their markers.

Usage: python -m aesforge.tables TABLE. Points that TABLE has are measured again only when the core
or a tool changed. A document says where: `<!-- cost -->` takes all rows in README.md, and those of
its own core in docs/cipher/; `<!-- rounds -->` compares S-boxes with T-boxes.
"""

import re
import sys
from pathlib import Path

from aesforge import store
from aesforge.config import Config, Preset, presets
from aesforge.targets import Target, targets

ROOT = Path(__file__).resolve().parents[2]


def points(preset: Preset, target: Target) -> list[tuple[str, ...]]:
    """The axis choices of a preset that the tables show on a target.

    One key size, with each S-box that the target has memories for: in each single direction, and
    on the Virtex-5 of Bulens also in both, and as the preset comes.
    """
    keys = "128" if "128" in preset.legal("keys") else preset.legal("keys")[0]
    directions = [d for d in preset.legal("direction") if d != "both" or target.name == "xc5v"]
    chosen: list[tuple[str, ...]] = [
        (f"keys={keys}", f"direction={direction}", f"sbox={sbox}")
        for direction in directions
        for sbox in preset.legal("sbox")
        if target.bram or sbox != "bram"
    ]
    # Decryption has its round keys stored.
    chosen = [
        (*axes, "key_schedule=stored")
        if "direction=encrypt" not in axes and "stored" in preset.legal("key_schedule")
        else axes
        for axes in chosen
    ]
    return [*chosen, ()] if target.name == "xc5v" else chosen


def measure(table: Path) -> None:
    """Bring a table up to date, row by row."""
    from aesforge.flows.synth import synth

    for target in targets().values():
        for preset in presets().values():
            for axes in points(preset, target):
                row = synth(preset, preset.configure(axes), target)
                store.record(table, [row])
                print(preset.name, *axes, target.name, row["lut"], row["fmax_mhz"], flush=True)


def _cell(value: object) -> str:
    if value is None:
        return ""
    return f"{value:,}" if isinstance(value, int | float) else str(value)


def cost(rows: list[store.Row]) -> str:
    """Result rows as a Markdown table."""
    lines = [
        "| preset | keys | direction | S-box | target | LUT | GE | of them key store | FF | BRAM "
        "| MHz | Mb/s |",
        "|---|---|---|---|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for row in rows:
        config = row["config"]
        cells = [row["preset"], config["keys"], config["direction"], config["sbox"], row["target"]]
        key_store = row["parts"]["key_store"]["lut" if row["ge"] is None else "ge"]
        for value in (row["lut"], row["ge"], key_store, row["ff"], row["bram"], row["fmax_mhz"]):
            cells.append(_cell(value))
        lines.append(f"| {' | '.join([*cells, _cell(row['throughput_mbps'])])} |")
    return "\n".join(lines)


_ROUNDS = {
    ("kakarlapudi-sbox", "table"): "S-boxes",
    ("kakarlapudi-tbox", "table"): "T-boxes in LUTs",
    ("kakarlapudi-tbox", "bram"): "T-boxes in block RAM",
}


def rounds(rows: list[store.Row]) -> str:
    """What the rounds of Kakarlapudi & Alabur take, with S-boxes and T-boxes, in Markdown."""
    lines = [
        "| target | direction | rounds | LUT of rounds and control | BRAM | MHz | Mb/s per LUT |",
        "|---|---|---|--:|--:|--:|--:|",
    ]
    found = {
        (row["target"], row["config"]["direction"], row["preset"], row["config"]["sbox"]): row
        for row in rows
        if row["config"]["keys"] == "128"
    }
    for target in targets():
        for direction in ("encrypt", "decrypt", "both"):
            for (preset, sbox), name in _ROUNDS.items():
                row = found.get((target, direction, preset, sbox))
                if row:
                    lut = row["parts"]["rounds_and_control"]["lut"]
                    figures = (lut, row["bram"], row["fmax_mhz"], row["mbps_per_lut"])
                    cells = [target, direction, name, *map(_cell, figures)]
                    lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def overview() -> str:
    """The presets and their promises as a Markdown table."""
    lines = [
        "| preset | source | what it is | clocks per block | from block to result | key setup |",
        "|---|---|---|--:|--:|--:|",
    ]
    for preset in presets().values():
        promises = [preset.config.promise(bits) for bits in preset.config.key_sizes]
        clocks = (
            " / ".join(f"{value:g}" for value in values)
            for values in (
                [promise.cycles_per_block for promise in promises],
                [promise.latency for promise in promises],
                [promise.key_setup for promise in promises],
            )
        )
        cells = [f"`{preset.name}`", preset.source, preset.summary, *clocks]
        lines.append(f"| {' | '.join(cells)} |")
    sizes = "Clocks for keys of 128 / 192 / 256 bits, where the preset takes them."
    return "\n".join([*lines, "", sizes])


def fill(text: str, marker: str, body: str) -> str:
    """`text` with `body` between the markers of that name."""
    pattern = rf"(<!-- {marker} -->\n).*?(<!-- /{marker} -->)"
    return re.sub(pattern, lambda m: f"{m[1]}{body}\n{m[2]}", text, flags=re.DOTALL)


def documents(table: Path) -> dict[Path, str]:
    """Every document with generated parts, and what it must say."""
    rows = store.load(table)
    readme = ROOT / "README.md"
    text = fill(readme.read_text(encoding="utf-8"), "presets", overview())
    made = {readme: fill(text, "cost", cost(rows))}
    for page in sorted((ROOT / "docs" / "cipher").glob("*.md")):
        own = [row for row in rows if Config(**row["config"]).module == page.stem]
        if own:
            made[page] = fill(page.read_text(encoding="utf-8"), "cost", cost(own))
    tbox = ROOT / "docs" / "round" / "aes_tbox.md"
    made[tbox] = fill(tbox.read_text(encoding="utf-8"), "rounds", rounds(rows))
    return made


def main() -> None:
    """Measure, then write the documents."""
    table = Path(sys.argv[1])
    measure(table)
    for page, text in documents(table).items():
        page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
