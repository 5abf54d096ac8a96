"""One page with all measurements: fronts, papers, other cores. It works offline.

`results/templates/report.html` is the page; its script draws with Plotly, which is included.
"""

import html
import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any
from uuid import uuid4

from aesforge.errors import UserError
from aesforge.results import blocks, energy, store
from aesforge.results.areas import area
from aesforge.results.comparison import compare, layout, papers
from aesforge.results.figures import Measured
from aesforge.results.front import front
from aesforge.results.peers import HEAD, beside, peers
from aesforge.space.axes import AXES, Config
from aesforge.space.presets import preset
from aesforge.space.targets import targets

_TEMPLATE = Path(__file__).parents[1] / "results" / "templates" / "report.html"


@cache
def _proven() -> dict[tuple[str, ...], store.Row]:
    return {store.point(row): row for row in store.load(store.path("proven"))}


def _evidence(name: str, config: Config) -> str:
    key = {"preset": name, "config": config.as_dict()}
    proof = _proven().get(store.point(key))
    if proof and proof["holds"]:
        return f"proven for every key and block, {proof['claims']} claims (docs/proofs.md)"
    return "no stored proof; 'aesforge verify' runs the standard vectors and random checks"


def _made_with(row: store.Row) -> str:
    versions = ", ".join(f"{tool} {version}" for tool, version in row["versions"].items())
    return f"{row.get('device')}; {versions}"


def _point(row: store.Row) -> dict[str, Any]:
    """The fields of a row that the page shows."""
    name, ours = row["preset"] or row["core"], row["preset"] is not None
    axes = " ".join(f"{axis}={value}" for axis, value in row["config"].items())
    document = "a core of the user's own"
    if ours:
        config = Config(**row["config"])
        axes = preset(name).choices(config)
        document = f"docs/engines/{config.engine}.md"
    stale = store.stale(row)
    delay = f" --delay {row['delay_ps']}" if row.get("delay_ps") else ""
    return {
        "name": name,
        "label": f"{name} {axes}",
        "axes": row["config"] if ours else {},
        "target": row["target"],
        "area": area(row),
        **{f: row[f] for f in store.FIELDS[3:]},
        "depth": row.get("depth"),
        "command": f"aesforge build {name} {axes} -o {name}" if ours else "",
        "again": f"aesforge synth {name} {axes} --target {row['target']}{delay}" if ours else "",
        "docs": document,
        "evidence": _evidence(name, Config(**row["config"])) if ours else "",
        "source": f"{_made_with(row)}; sources {row.get('source_hash', 'unknown')}"
        + (f"; STALE: {stale}" if stale else ""),
    }


_KEYS = {"128/192/256": "any"}
"""Key sizes of another core as the axis `keys` has them; others match no choice of the axis."""


def _peer_points() -> list[dict[str, Any]]:
    found = []
    for core in peers()["cores"]:
        keys = core["key_sizes"]
        for figures in core["figures"]:
            found.append(
                {
                    **dict.fromkeys(store.FIELDS[3:]),
                    **{k: figures[k] for k in ("lut", "ff", "bram", "ge", "fmax_mhz")},
                    "name": f"other: {core['name']}",
                    "label": f"{core['name']} ({core['source']})",
                    "axes": {"keys": _KEYS.get(keys, keys), "direction": core["direction"]},
                    "peer": True,
                    "target": figures["target"],
                    "area": area(figures),
                    "cycles_per_block": core["cycles_per_block"],
                    "throughput_mbps": figures["throughput_mbps"],
                    "depth": None,
                    "command": "",
                    "again": "",
                    "docs": f"{core['source']} at {core['commit'][:12]}, {core['licence']}",
                    "evidence": f"{core['architecture']}; {core['direction']}, keys {keys}",
                    "source": f"{_made_with(figures)}; aesforge {figures['by']}",
                }
            )
    return found


_PUBLISHED = ["gates", "frequency_mhz", "throughput_mbps"]
"""The columns of tables of papers with an area and a throughput in standard cells."""


def _published_points() -> list[dict[str, Any]]:
    """What the papers say of circuits in standard cells, in their own processes."""
    return [
        {
            **dict.fromkeys(store.FIELDS[3:]),
            "name": f"published: {paper['paper']}",
            "label": f"{label} ({paper['paper']}, {table.get('process', 'each in its process')})",
            "axes": {},
            "peer": True,
            "published": True,
            "target": paper["defaults"]["area_on"],
            "ge": gates,
            "area": gates,
            "fmax_mhz": mhz,
            "throughput_mbps": mbps,
            "depth": None,
            "command": "",
            "again": "",
            "docs": f"{paper['paper']}, {paper['title']}",
            "evidence": "the authors' own figure, of another library and flow: compare orders",
            "source": table["title"],
        }
        for paper in papers()
        for table in paper.get("tables", ())
        if table.get("columns") == _PUBLISHED and "power_of" not in table
        for label, _, gates, mhz, mbps in table["rows"]
    ]


_LIMIT = "aes_delay_line Latency=1 Width=1"
"""One bit from register to register through a gate or a LUT, which no round of AES is without."""


def _limits(rows: Sequence[store.Row], name: str) -> dict[str, float | None]:
    """The LUTs of the device, and Mb/s with a block in each cycle of a register and a gate."""
    known = Measured(rows)
    found = known.row(_LIMIT, name)
    return {
        "capacity": targets()[name].capacity.get("lut"),
        "most_mbps": 128 * found["fmax_mhz"] if found and found["fmax_mhz"] else None,
    }


def data(rows: Sequence[store.Row]) -> dict[str, Any]:
    """The data of the page: points and fronts by target, values of each axis, papers' graphs."""
    kept = [
        row
        for row in rows
        if not row.get("failed")
        and not row.get("too_large")
        and (row["preset"] is not None or store.is_foreign(row))
    ]
    mine = [_point(row) for row in kept]
    points = [{**point, "peer": False} for point in mine]
    points += _peer_points() + _published_points()
    order = [name for name in targets() if any(p["target"] == name for p in mine)]
    points = [point for point in points if point["target"] in order]
    return {
        "targets": [
            {
                "name": name,
                "doc": targets()[name].doc,
                "unit": unit(name),
                "front": _front(mine, name),
                "timed": any(p["throughput_mbps"] for p in mine if p["target"] == name),
                **_limits(rows, name),
            }
            for name in order
        ],
        "points": points,
        "axes": {
            axis: sorted({p["axes"][axis] for p in mine if p["axes"]})
            for axis in AXES
            if len({p["axes"][axis] for p in mine if p["axes"]}) > 1
        },
        "graphs": [
            energy.graph(store.load(store.path("power"))),
            *blocks.graph({"delay_ps": None, **row} for row in kept if row["preset"] is not None),
            *compare(rows)["graphs"],
        ],
    }


def unit(target: str) -> str:
    """The unit of areas on a target."""
    return "GE" if targets()[target].liberty else "LUT"


def _front(points: Sequence[Mapping[str, Any]], target: str) -> list[str]:
    # A core with longer blocks is not AES.
    here = (p for p in points if p["target"] == target and p["axes"].get("block", "128") == "128")
    timed = [p for p in here if p["throughput_mbps"] and p["area"]]
    return [str(point["label"]) for point in front(timed)]


# The parts that need no script -------------------------------------------------------------------


def _cell(value: object) -> str:
    if value is None:
        return ""
    return f"{value:,}" if isinstance(value, int | float) else html.escape(str(value))


def _table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    cells = "".join(f"<th>{html.escape(name)}</th>" for name in head)
    lines = "".join(f"<tr>{''.join(f'<td>{_cell(c)}</td>' for c in row)}</tr>" for row in rows)
    return f'<div class="wide"><table><tr>{cells}</tr>{lines}</table></div>'


def _paragraph(text: str) -> str:
    return f'<p class="note">{html.escape(text)}</p>' if text else ""


def _papers(rows: Sequence[store.Row]) -> str:
    found = compare(rows)["papers"]
    head = [
        "paper",
        "systems complete",
        "tables reproduced",
        "claims hold",
        "differ",
        "open",
        "n/a",
    ]
    summary = []
    for paper in found:
        has = paper["summary"]
        counts = [has[name] for name in ("hold", "differ", "open", "others")]
        pairs = [("complete", "systems"), ("reproduced", "tables")]
        summary.append([paper["paper"], *(f"{has[a]} of {has[b]}" for a, b in pairs), *counts])
    parts = [_table(head, summary)]
    for paper in found:
        parts.append(f"<h3>{html.escape(paper['paper'])}: {html.escape(paper['title'])}</h3>")
        parts.append(_paragraph(paper["built"]))
        systems = [[s["figure"], s["system"], s["ours"], s["command"]] for s in paper["systems"]]
        parts.append(_table(["figure", "system", "ours", "shown by"], systems))
        parts.append(_paragraph(paper["note"]))
        for table in paper["tables"]:
            made = layout(table)
            parts.append(f"<details><summary>{html.escape(table['title'])}</summary>")
            parts.append(_table(made.head, made.lines))
            parts.append(_paragraph(f"Ours: {made.ours}" if made.ours else ""))
            parts.append(_paragraph(table["note"]) + "</details>")
        claims = [
            [c["where"], c["claim"], c["kind"], c["verdict"], f"{c['found']} {c['reason']}".strip()]
            for c in paper["claims"]
        ]
        parts.append("<h4>Claims</h4>")
        parts.append(_table(["place", "claim", "kind", "verdict", "here"], claims))
    return "\n".join(parts)


def _others(found: Sequence[store.Row]) -> str:
    keys = ("name", "source", "commit", "licence", "mode", "key_sizes", "direction")
    head = ["core", *keys[1:5], "keys", "direction", "cycles per block"]
    short = [{"mode": "", **core, "commit": core["commit"][:12]} for core in peers()["cores"]]
    rows = [[str(core[key])[:90] for key in (*keys, "cycles_per_block")] for core in short]
    ours = _table(HEAD, [one.cells for one in beside(found)])
    return f"{_table(head, rows)}<h3>Ours compared with them</h3>{ours}"


def _page(rows: Sequence[store.Row], drawn: Mapping[str, Any], count: str) -> str:
    from plotly.offline import get_plotlyjs

    parts = {
        "PLOTLY": get_plotlyjs(),
        # "</" would end the script element.
        "DATA": json.dumps(drawn).replace("</", "<\\/"),
        "PAPERS": _papers(rows),
        "OTHERS": _others(rows),
        "COUNT": count,
    }
    text = _TEMPLATE.read_text(encoding="utf-8")
    before, *rest = text.split("<!--@")
    made = [before]
    for piece in rest:
        name, _, after = piece.partition("@-->")
        made += [parts[name], after]
    return "".join(made)


def report(rows: Sequence[store.Row], output: Path) -> dict[str, Any]:
    """Write the page to `output`, completely or not at all."""
    if not any(row["preset"] is not None for row in rows):
        raise UserError("nothing is measured yet, so there is no page; run 'aesforge sweep' first")
    drawn = data(rows)
    points = sum(not point["peer"] for point in drawn["points"])
    peers = sum(point["peer"] and "published" not in point for point in drawn["points"])
    text = _page(rows, drawn, f"{points:,} measured points and {peers:,} of other open cores")
    part = output.with_name(f".{output.name}.{uuid4().hex[:6]}")
    try:
        part.write_text(text, encoding="utf-8")
        part.replace(output)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise UserError(
            f"cannot write {output}: {error.strerror}; choose another place with -o"
        ) from None
    return {"output": str(output), "bytes": len(text.encode()), "points": points, "peers": peers}
