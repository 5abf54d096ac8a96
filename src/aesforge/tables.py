"""The tables in the documents, written between their markers from what was measured.

Usage: python -m aesforge.tables TABLE. A document says where: `<!-- cost -->` takes all rows in
README.md, and those of
its own core in docs/cipher/; `<!-- rounds -->` compares S-boxes with T-boxes.
"""

import re
import sys
from pathlib import Path

from aesforge import store
from aesforge.config import Config, presets
from aesforge.targets import targets

ROOT = Path(__file__).resolve().parents[2]


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
    """Write the documents."""
    for page, text in documents(Path(sys.argv[1])).items():
        page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
