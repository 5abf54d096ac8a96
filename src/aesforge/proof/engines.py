"""By which engines each configuration is proven, besides the walk: rows of `results/engines.jsonl`.

A row is of one configuration, and has for each engine whether its claims hold, the seconds, and
digests of what was compared and by what.
"""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from aesforge.core.sources import digest, fingerprint
from aesforge.proof import bounded, induction, sequential, steps
from aesforge.proof.claims import Claim, formal_root, identity, modules, sources, well_formed
from aesforge.proof.walk import kinds
from aesforge.results import store
from aesforge.space.axes import Config
from aesforge.space.presets import ciphers
from aesforge.tools import yosys

TABLE = "engines"

_READS = {
    "cec": ("aes_fips197.sv",),
    "scorr": ("aes_fips197.sv", "aes_reference.sv"),
    "induction": steps.FILES,
}
"""The specification of each engine."""

_TEXT = {
    "cec": bounded.TEXT,
    "scorr": ("sequential.py", "graph.py"),
    "induction": induction.TEXT,
}
"""The text of each engine."""

_REACHES: dict[str, Callable[[Config], bool]] = {
    "scorr": sequential.reaches,
    "induction": induction.reaches,
}
"""The cores of an engine that is not for all."""

Point = tuple[str, ...]


def point(row: store.Row) -> Point:
    """The key of a row."""
    return row["preset"], *row["config"].values()


def of(engine: str) -> dict[str, str]:
    """What an engine trusts, besides the netlist: specification, its own text, the tools."""
    here = Path(__file__).parent
    return {
        "specification": digest(*(formal_root() / name for name in _READS[engine]))[:12],
        "engine": digest(*(here / name for name in _TEXT[engine]))[:7],
        "pyosys": yosys.version(),
    }


def current(engine: str, found: dict[str, Any]) -> bool:
    """Whether what an engine has shown is of these sources, this engine and these tools."""
    same = found["versions"] == of(engine)
    return bool(same and found["source_hash"] == fingerprint(found["sources"]))


def claims(engine: str, config: Config) -> list[Claim]:
    """What an engine shows of a core, and that the netlist is one that it can read."""
    given, core = sources(), config.core
    found = [well_formed(given, core)]
    if found[0].holds and engine == "scorr":
        found += sequential.sequential(given, core)()
    elif found[0].holds and engine == "induction":
        found += induction.induction(given, core)()
    elif found[0].holds:
        for bits in core.key_sizes:
            for kind in kinds(core):
                found += bounded.bounded(given, core, bits, kind)()
    return found


def prove_by(
    engine: str, wanted: list[tuple[str, Config]], minutes: float | None = None
) -> Iterator[store.Row]:
    """Show configurations by an engine one by one; each row is in the store once yielded.

    Configurations that the engine does not reach are left out, and so is what is current. A row of
    the same netlist is kept and names the present sources. After `minutes`, no further proof is
    begun.
    """
    table, begun = store.path(TABLE), time.monotonic()
    old = {point(row): row for row in store.load(table)}
    for name, config in wanted:
        if minutes is not None and time.monotonic() - begun > 60 * minutes:
            return
        if engine in _REACHES and not _REACHES[engine](config):
            continue
        key = (name, *config.as_dict().values())
        known = old.get(key, {"preset": name, "config": config.as_dict(), "engines": {}})
        before = known["engines"].get(engine)
        if before and before["holds"] and current(engine, before):
            continue
        parts = modules(sources(), config)
        core = identity(sources(), config, [before] if before else [])
        made_of = {"sources": list(parts), "source_hash": fingerprint(parts), **core}
        if before and before["holds"] and _same(engine, before, core["netlist"]):
            yield _record(table, known, engine, {**before, **made_of})
            continue
        made = claims(engine, config)
        shown = {
            "holds": all(claim.holds for claim in made),
            "failing": [claim.name for claim in made if not claim.holds],
            "seconds": round(sum(claim.seconds for claim in made)),
            **made_of,
            "versions": of(engine),
        }
        yield _record(table, known, engine, shown)


def _same(engine: str, found: dict[str, Any], graph: str) -> bool:
    """Whether an engine has shown this netlist: then only the text of its sources has changed."""
    return bool(found["versions"] == of(engine) and found.get("netlist") == graph)


def _record(table: Path, known: store.Row, engine: str, found: dict[str, Any]) -> store.Row:
    row = {**known, "engines": {**known["engines"], engine: found}}
    store.record(table, [row])
    return row


def defaults() -> list[tuple[str, Config]]:
    """The default configuration of each preset."""
    return [(name, found.configure([])) for name, found in ciphers().items()]


def shown(row: store.Row | None) -> str:
    """By which engines besides the walk a configuration is shown, for the table."""
    if row is None:
        return ""
    found = []
    for engine, what in row["engines"].items():
        if what["holds"]:
            found.append(engine if current(engine, what) else f"{engine} (earlier)")
        else:
            found.append(f"not {engine}")
    return ", ".join(found)
