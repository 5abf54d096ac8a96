"""The tables of figures in the documents, from the stored rows (documents.py places them)."""

import tomllib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from typing import Any

from aesforge.core.sources import fingerprint
from aesforge.results import papers_page, store
from aesforge.results.digits import shown
from aesforge.results.papers_page import lines
from aesforge.search import shallow_search as search_shallow
from aesforge.space.axes import SBOXES, Config
from aesforge.space.presets import ciphers, presets
from aesforge.space.promises import promised
from aesforge.space.targets import targets


def _cell(value: object) -> str:
    if value is None:
        return ""
    return f"{value:,}" if isinstance(value, int | float) else str(value)


def cost(rows: list[store.Row]) -> str:
    """Result rows of presets as a Markdown table; those without a figure say why."""
    lines = [
        "| preset | axes | target | LUT | GE | key store | FF | BRAM | LUTs deep | MHz | Mb/s | "
        "with wires: GE | MHz | Mb/s |",
        f"|---|---|---|{'--:|' * 11}",
    ]
    for row in rows:
        axes = presets()[row["preset"]].choices(Config(**row["config"]))
        cells = [row["preset"], axes, row["target"]]
        if row["delay_ps"]:
            cells[-1] += f", {row['delay_ps']} ps"
        if row.get("failed"):
            lines.append(f"| {' | '.join(cells)} | {row['failed']} |{10 * ' |'}")
            continue
        key_store = row["parts"]["key_store"]["lut" if row["ge"] is None else "ge"]
        for value in (row["lut"], row["ge"], key_store, row["ff"], row["bram"], row.get("depth")):
            cells.append(_cell(value))
        cells.append(_speed(row))
        cells.append(shown(row, row["throughput_mbps"]))
        wired = row.get("with_wires") or dict.fromkeys(("ge", "fmax_mhz", "throughput_mbps"))
        cells.append(_cell(wired["ge"]))
        cells += [shown(row, wired[what]) for what in ("fmax_mhz", "throughput_mbps")]
        lines.append(f"| {' | '.join(cells)} |")
        for name, part in row["parts"].items():
            if name.endswith("_core"):
                areas = f"{_cell(part['lut'])} | {_cell(part.get('ge'))}"
                held = f"{_cell(part['ff'])} | {_cell(part['bram'])}"
                lines.append(f"| | its narrow core | {cells[2]} | {areas} | | {held} | | | | | | |")
    return "\n".join(lines)


def idle(rows: list[store.Row]) -> str:
    """What a zero at the idle output costs: cores measured with and without it, of one source."""

    def place(row: store.Row) -> str:
        return f"{row['target']}, {row['delay_ps']} ps" if row["delay_ps"] else str(row["target"])

    def key(row: store.Row, value: str) -> str:
        axes = " ".join((row["config"] | {"idle_output": value}).values())
        return f"{row['preset']} {axes} {place(row)}"

    bare = {key(row, ""): row for row in rows if row["config"]["idle_output"] == "register"}
    head = ("core", "target", "area, bare register", "zero", "more", "MHz, bare register", "zero")
    body: list[list[object]] = []
    for row in rows:
        known = bare.get(key(row, ""))
        if known is None or known is row or known["source_hash"] != row["source_hash"]:
            continue
        unit = "LUT" if row["ge"] is None else "GE"
        before, after = known[unit.lower()], row[unit.lower()]
        axes = presets()[row["preset"]].choices(Config(**row["config"]))
        body.append(
            [
                f"`{row['preset']} {axes}`",
                place(row),
                f"{before:,} {unit}",
                f"{after:,} {unit}",
                f"{after - before:,} ({100 * (after / before - 1):.1f} %)",
                *map(_cell, (known["fmax_mhz"], row["fmax_mhz"])),
            ]
        )
    return "\n".join(lines(head, body))


_NETLISTS = ("ecp5", "xc7", "osu018", "osu018_gated")
"""The targets on which the netlist of each preset is to be compared with its design."""


def mapped(rows: list[store.Row]) -> str:
    """The netlists after synthesis that were compared with their designs, and which were not."""
    body = []
    every = [(name, on) for name in ciphers() for on in _NETLISTS]
    done: dict[tuple[str, str], str] = {}
    for row in rows:
        axes = presets()[row["preset"]].choices(Config(**row["config"]))
        place = f"{row['target']}, {row['delay_ps']} ps" if row["delay_ps"] else row["target"]
        holds = "yes" if row["holds"] else f"**no**: {row['why']}"
        # A row without its sources is older than the text that names them.
        known = "sources" in row and fingerprint(row["sources"]) == row["source_hash"]
        holds += "" if known else ", earlier sources"
        if known and row["config"] == presets()[row["preset"]].config.as_dict():
            done[row["preset"], row["target"]] = row["method"]
        body.append([f"`{row['preset']} {axes}`", place, holds, row["method"], row["covers"]])
    head = ("core", "target", "the design", "by", "what was compared")
    by = Counter(done[one] for one in every if one in done)
    ways = " and ".join(f"{count} by {way}" for way, count in sorted(by.items()))
    left = [f"`{name}` on {on}" for name, on in every if (name, on) not in done]
    count = f"Of the {len(every)} netlists of {len(ciphers())} presets on {', '.join(_NETLISTS)}, "
    count += f"{by.total()} were compared with these sources: {ways}. "
    count += f"Not compared: {', '.join(left)}." if left else "None is left."
    return "\n".join([count, "", *lines(head, body, numbers=False)])


def _speed(row: store.Row) -> str:
    """The frequency of a row, or why it has none."""
    if row.get("too_large"):
        return "does not fit"
    if row["fmax_mhz"] is None and row.get("unplaced"):
        return f"not placed: {row['unplaced']}"
    return shown(row, row["fmax_mhz"])


def cores(rows: list[store.Row]) -> list[store.Row]:
    """The rows of presets, with the fields that older rows lack."""
    return [{"delay_ps": None, **row} for row in rows if row["preset"] is not None]


def coverage(rows: list[store.Row]) -> str:
    """How much of `results/space.toml` is measured, and what is stale."""
    from aesforge.flows.sweep import space

    points = {store.point(one.row) for one in space(store.path().with_name("space.toml"))}
    have = {store.point(row): row for row in rows}
    fresh = sum(point in have and not store.stale(have[point]) for point in points)
    old = sum(bool(store.stale(row)) for row in rows)

    def hours(on: Collection[str]) -> str:
        return f"{sum(row.get('seconds') or 0 for row in rows if row['target'] in on) / 3600:.1f}"

    return (
        f"{fresh:,} of {len(points):,} points of `results/space.toml` are measured from the "
        f"current sources; {old:,} rows are of earlier ones, and `aesforge choose` marks them as "
        f"stale. All took {hours(targets())} hours on one processor, "
        f"{hours(('ecp5', 'osu018'))} of them for `ecp5` and `osu018`."
    )


def fronts(rows: list[store.Row]) -> str:
    """The Pareto front of area and throughput on each timed target.

    A protected core has ports of its own and replaces no other one, so it is not among them.
    """
    from aesforge.results.front import front

    parts = []
    for name, on in targets().items():
        timed = [
            {**row, "area": row["lut"] if row["ge"] is None else row["ge"]}
            for row in rows
            if row["target"] == name
            and row["throughput_mbps"]
            and not Config(**row["config"]).protected
        ]
        if timed:
            unit = "GE" if on.liberty else "LUT"
            part = f", {on.part}" if on.part else ""
            lines = [f"**{name}**{part}: {on.doc}", ""]
            wired = ["with wires: GE", "Mb/s"] if on.liberty else []
            head = [unit, "block RAM", "Mb/s", f"Mb/s per 1,000 {unit}", *wired, "core"]
            lines += [f"| {' | '.join(head)} |", f"|{'--:|' * (len(head) - 1)}---|"]
            for row in map(dict, front(timed)):
                axes = presets()[row["preset"]].choices(Config(**row["config"]))
                speed = row["throughput_mbps"]
                cells = [_cell(row["area"]), _cell(row["bram"] or "")]
                cells += [shown(row, speed), shown(row, 1000 * speed / row["area"])]
                if on.liberty:
                    found = row.get("with_wires") or {}
                    cells += [_cell(found.get("ge")), shown(row, found.get("throughput_mbps"))]
                lines.append(f"| {' | '.join(cells)} | `{row['preset']} {axes}` |")
            parts.append("\n".join(lines))
    return "\n\n".join(parts)


_UNITS = {
    "ge": "GE",
    "lut": "LUT",
    "ff": "FF",
    "cycles_per_block": "cycles per block",
    "fmax_mhz": "MHz",
    "throughput_mbps": "Mb/s",
    "mbps_per_lut": "Mb/s per LUT",
    "kbps_per_ge": "kb/s per GE",
}


_PROPORTIONAL = ("fmax_mhz", "throughput_mbps", "mbps_per_lut", "kbps_per_ge")
"""Figures that a frequency is a factor of."""


def _goal_cell(row: store.Row | None, what: str, found: Any) -> str:
    return shown(row, found) if row and what in _PROPORTIONAL else _cell(found)


def _goals(
    rows: list[store.Row], kind: str
) -> Iterator[tuple[dict[str, Any], list[tuple[str, ...]]]]:
    """The points or records of `results/goals.toml`, each with its goals and results."""
    from aesforge.results.figures import Measured
    from aesforge.results.goals import goals as said_goals
    from aesforge.results.goals import point as point_of

    measured = Measured(rows)
    for said in said_goals(kind):
        met: list[tuple[str, ...]] = []
        for goal in said["goals"]:
            on, part, what = goal["on"], goal.get("part"), goal["what"]
            delay = f" --delay {goal['delay']}" if "delay" in goal else ""
            point = point_of(said, goal)
            row, wires = measured.row(point, on, goal.get("delay")), goal.get("wires")
            found = (
                row and (row["parts"][part] if part else row["with_wires"] if wires else row)[what]
            )
            over = goal.get("over")
            if found is not None and over:
                base = measured.row(over, on, goal.get("delay"))
                found = base and found - base[what]
            verdict = "not measured"
            if found is not None:
                reached = found <= goal["most"] if "most" in goal else found >= goal["least"]
                verdict = "reached" if reached else "**missed**"
            bound = "most" if "most" in goal else "least"
            cells = (
                f"`aesforge synth {point} --target {on}{delay}`",
                _UNITS[what]
                + (f" of `{part}`" if part else " with wires" if wires else "")
                + (f" more than `{over}`" if over else ""),
                f"at {bound} {_cell(goal[bound])}",
                _goal_cell(row, what, found),
                verdict,
            )
            met.append(cells)
        yield said, met


def goals(rows: list[store.Row]) -> str:
    """Goals and results of the library's own points, from `results/goals.toml`."""
    return _listed(
        (f"**{said['preset']}** against {said['against']}", met, said["note"])
        for said, met in _goals(rows, "points")
    )


def records(rows: list[store.Row], kind: str = "records") -> str:
    """The records or `modes` of `results/goals.toml`: what is reached, what stands in the way."""
    return _listed(
        (f"**{number}. {said['record']}**", met, said["note"])
        for number, (said, met) in enumerate(_goals(rows, kind), 1)
    )


def _listed(tables: Iterable[tuple[str, list[tuple[str, ...]], str]]) -> str:
    """Tables of goals and results, each with a title and a note."""
    parts = []
    for title, met, note in tables:
        lines = [title, ""]
        if met:
            lines += ["| command | figure | goal | here | |", "|---|---|--:|--:|---|"]
            lines += [*(f"| {' | '.join(cells)} |" for cells in met), ""]
        parts.append("\n".join([*lines, note]))
    return "\n\n".join(parts)


def narrow(rows: list[store.Row], few: bool = False) -> str:
    """Narrow cores with goals, each beside the whole core that it is a part of.

    `few`: each on one FPGA, and in standard cells mapped for area.
    """
    from aesforge.results.figures import Measured
    from aesforge.results.goals import goals as said_goals
    from aesforge.results.goals import point as point_of

    measured, found, seen = Measured(rows), dict[str, None](), set[tuple[str, str, str]]()
    for said in (*said_goals(), *said_goals("records")):
        for goal in said["goals"]:
            point = point_of(said, goal)
            row = "part" in goal and measured.row(point, goal["on"], goal.get("delay"))
            if row and not (few and (row["delay_ps"] or row["target"] == "osu018_gated")):
                part, unit = row["parts"][goal["part"]], "lut" if row["ge"] is None else "ge"
                config = Config(**row["config"])
                if few and (row["preset"], config.direction, unit) in seen:
                    continue
                seen.add((row["preset"], config.direction, unit))
                delay = f", {row['delay_ps'] or 0} ps" if unit == "ge" else ""
                cells = (
                    f"`{row['preset']} {presets()[row['preset']].choices(config)}`",
                    f"{config.keys}, {config.direction}",
                    row["target"] + delay,
                    f"{part[unit]:,} {unit.upper()}",
                    f"{part['ff']:,}",
                    f"{row[unit]:,} {unit.upper()}",
                    f"{row['ff']:,}",
                )
                found[f"| {' | '.join(cells)} |"] = None
    head = ["| core | does | mapped for | narrow core | FF | whole core | FF |"]
    return "\n".join([*head, "|---|---|---|--:|--:|--:|--:|", *found])


def ahead(rows: list[store.Row], protection: str = "") -> str:
    """Each other open core with the point of ours that is ahead of it, or nearest.

    Or each one with this protection.
    """
    from aesforge.results.peers import HEAD, beside

    lines = [f"| {' | '.join(HEAD)} |", "|---|---|---|--:|--:|---|--:|--:|---|---|---|"]
    for found in beside(rows):
        if protection not in ("", found.core.get("protection")):
            continue
        *theirs, ours, area, speed, verdict, what, by = found.cells
        ours = f"`{ours}`" if ours else ""
        verdict = verdict if found.ahead else f"**{verdict}**"
        cells = [*theirs, ours, area, speed, verdict, what, f"`{by}`" if " --" in by else by]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def serial(rows: list[store.Row]) -> str:
    """Area and power of the serial core, compared with table III of its paper, and what follows."""
    from aesforge.results.comparison import compare

    (paper,) = compare(rows, "fan")["papers"]
    found = {one["name"]: one for one in paper["tables"]}
    parts, cycles = found["table-iii"], found["table-ii"]
    total = {value["quantity"]: value for value in parts["rows"][-1]["values"]}
    body = []
    for number, row in zip(SBOXES, cycles["rows"], strict=True):
        count = row["values"][-1]["ours"]
        least = 200 // number  # bytes through an S-box in ten rounds, with the round keys
        cells: list[object] = [number, count, least]
        cells += [f"{128 * parts['mhz'] / one:,.0f}" for one in (count, least)]
        for side in ("paper", "ours"):
            power, one = (total[f"power_{n}_mw"][side] for n in (number, 1))
            # mW over MHz is nJ.
            cells += (
                [f"{power / one:.2f}", f"{power / parts['mhz'] * count:.2f}"] if power else [""] * 2
            )
        body.append(cells)
    head = ["S-boxes in use", "cycles", "lower bound", "Mb/s", "Mb/s at the bound"]
    head += [
        f"{what}: {who}" for who in ("paper", "here") for what in ("power of one", "nJ per block")
    ]
    return "\n".join(
        [*papers_page.table(parts), "", f"At {parts['mhz']} MHz:", "", *lines(head, body)]
    )


_ROUNDS = {
    ("kakarlapudi-sbox", "table"): "S-boxes",
    ("kakarlapudi-tbox", "table"): "T-boxes in LUTs",
    ("kakarlapudi-tbox", "bram"): "T-boxes in block RAM",
}


def rounds(rows: list[store.Row]) -> str:
    """The cost of the rounds of Kakarlapudi & Alabur with S-boxes and T-boxes."""
    lines = [
        "| target | direction | rounds | LUT of rounds and control | BRAM | MHz | Mb/s per LUT |",
        "|---|---|---|--:|--:|--:|--:|",
    ]
    found = {
        (row["target"], row["config"]["direction"], row["preset"], row["config"]["sbox"]): row
        for row in rows
        if (row["config"]["keys"], row["config"]["port"]) == ("128", "native")
    }
    for device in targets():
        for direction in ("encrypt", "decrypt", "both"):
            for (preset, sbox), name in _ROUNDS.items():
                row = found.get((device, direction, preset, sbox))
                if row:
                    lut = row["parts"]["rounds_and_control"]["lut"]
                    figures = (lut, row["bram"], row["fmax_mhz"], row["mbps_per_lut"])
                    cells = [device, direction, name, *map(_cell, figures)]
                    lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def sboxes(rows: list[store.Row]) -> str:
    """S-boxes alone: the best that a search found for each tower, and the others."""
    head = ["", "S-box", "LAMBDA", "w, z, y", "scale", "XORs", "multiplexers", "GE", "MHz"]
    body = []
    for direction in ("encrypt", "decrypt", "both"):
        own = [row for row in rows if row["config"]["direction"] == direction]
        own.sort(key=lambda row: (row["ge"] is None, row["ge"] or row["xors"]))
        for row in own:
            config = row["config"]
            place = ", ".join(config[name] for name in ("w", "z", "y") if name in config)
            figures = [row.get(name) for name in ("scale", "xors", "muxes", "ge", "fmax_mhz")]
            name = row["core"].removeprefix("aes_sbox_")
            lambda_ = row.get("lambda")
            body.append([direction, name, *map(_cell, (lambda_, place, *figures))])
    return "\n".join(lines(head, body))


def circuits(rows: list[store.Row]) -> str:
    """S-boxes in gates of two inputs: published circuits and ours, the fewest gates first."""
    path = store.path().with_name("circuits.toml")
    said = tomllib.loads(path.read_text(encoding="utf-8"))["circuits"]
    body = []
    for direction in ("encrypt", "decrypt", "both"):
        # Each as gates without inverters, and a line.
        found: list[tuple[int, list[object]]] = []
        for one in said:
            if one["direction"] == direction:
                gates, cells = one["gates"], [one.get("depth", ""), one.get("by", "the authors")]
                line = [direction, one["source"], gates, *cells]
                found.append((int(str(gates).split()[0]), line))
        for row in rows:
            if row["config"]["direction"] == direction:
                sbox = row["core"].removeprefix("aes_sbox_").replace("lut", "table")
                gates = f"**{row['gates']}** (+{row['inverters']})"
                old = (
                    "" if fingerprint(row["sources"]) == row["source_hash"] else ", earlier sources"
                )
                line = [direction, f"**here: `sbox={sbox}`**{old}", gates, row["levels"], "here"]
                found.append((row["gates"], line))
        body += [line for _, line in sorted(found, key=lambda pair: pair[0])]
    return "\n".join(lines(["", "circuit", "gates", "depth", "counted by"], body))


def bases(rows: list[store.Row]) -> str:
    """The bases that a search found for the shallow S-box, by throughput per area."""
    head = ["seed", "sums", "of three in the norm", "functions", "GE", "MHz", "kb/s per GE"]
    body = []
    for row in sorted(rows, key=search_shallow.rank):
        cycles = promised(search_shallow.config(), 128).cycles_per_block
        efficiency = 128e3 * row["fmax_mhz"] / cycles / row["ge"]
        figures = [row[name] for name in ("sums", "third_bits", "functions", "ge", "fmax_mhz")]
        body.append([row["config"]["seed"], *map(_cell, (*figures, round(efficiency, 1)))])
    return "\n".join(lines(head, body))


def overview() -> str:
    """The presets and their promises as a Markdown table."""
    lines = [
        "| preset | source | what it is | cycles per block | from block to result | key setup |",
        "|---|---|---|--:|--:|--:|",
    ]
    for preset in presets().values():
        promises = [promised(preset.config, bits) for bits in preset.config.key_sizes]
        cycles = (
            " / ".join(f"{value:g}" for value in values)
            for values in (
                [promise.cycles_per_block for promise in promises],
                [promise.latency for promise in promises],
                [promise.key_setup for promise in promises],
            )
        )
        cells = [f"`{preset.name}`", preset.source, preset.summary, *cycles]
        lines.append(f"| {' | '.join(cells)} |")
    sizes = "Cycles for keys of 128 / 192 / 256 bits, where the preset takes them."
    return "\n".join([*lines, "", sizes])
