"""The tables in the documents: measure their points, and write them between their markers.

Usage: python -m aesforge.tables TABLE. Points that TABLE has are measured again only when the core
or a tool changed. A document says where: `<!-- cost -->` takes all rows in README.md, and those of
its own architecture in docs/cipher/.
"""

import re
import sys
from pathlib import Path

from aesforge import store
from aesforge.config import Preset, presets
from aesforge.targets import TARGETS, Target

ROOT = Path(__file__).resolve().parents[2]


def points(preset: Preset, target: Target) -> list[tuple[str, ...]]:
    """The axis choices of a preset that the tables show on a target.

    Everywhere one direction and key size. Without placement, which takes minutes, also with the
    other S-boxes; and on Bulens' Virtex-5 in the other directions, and as the preset comes.
    """
    keys = "128" if "128" in preset.legal("keys") else preset.legal("keys")[0]
    directions = preset.legal("direction")
    first = "encrypt" if "encrypt" in directions else directions[0]
    sboxes = preset.legal("sbox")[: 1 if target.nextpnr else None]
    chosen: list[tuple[str, ...]]
    chosen = [(f"keys={keys}", f"direction={first}", f"sbox={sbox}") for sbox in sboxes]
    if target.name == "xc5v":
        others = [d for d in directions if d != first]
        chosen += [(f"keys={keys}", f"direction={d}", f"sbox={sboxes[0]}") for d in others]
        chosen.append(())
    return chosen


def measure(table: Path) -> None:
    """Bring a table up to date, row by row."""
    from aesforge.flows.synth import synth

    for target in TARGETS.values():
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
        "| preset | keys | direction | S-box | target | LUT | of them key store | FF | BRAM | MHz "
        "| Mb/s |",
        "|---|---|---|---|---|--:|--:|--:|--:|--:|--:|",
    ]
    for row in rows:
        config = row["config"]
        cells = [row["preset"], config["keys"], config["direction"], config["sbox"], row["target"]]
        key_store = row["parts"]["key_store"]["lut"]
        for value in (row["lut"], key_store, row["ff"], row["bram"], row["fmax_mhz"]):
            cells.append(_cell(value))
        lines.append(f"| {' | '.join([*cells, _cell(row['throughput_mbps'])])} |")
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
        architecture = page.stem.removeprefix("aes_")
        own = [row for row in rows if row["config"]["architecture"] == architecture]
        if own:
            made[page] = fill(page.read_text(encoding="utf-8"), "cost", cost(own))
    return made


def main() -> None:
    """Measure, then write the documents."""
    table = Path(sys.argv[1])
    measure(table)
    for page, text in documents(table).items():
        page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
