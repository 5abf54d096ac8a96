"""Prove every configuration, and keep the results.

Each proof is a row of `results/proven.jsonl`; `aesforge.results.documents` makes a table of them.
Proofs of unchanged sources are skipped. Of a core that is elaborated to an unchanged text only the
parts are proven again, and of one with another text but an unchanged netlist the pace too: delete
the row to prove all of it. A row names its explorer, and stays when the explorer changes unless it
is asked for again.
"""

import math
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from aesforge.core.sources import digest, files, fingerprint
from aesforge.core.stack import require_contract
from aesforge.errors import UserError, unknown
from aesforge.flows.prove import prove
from aesforge.proof.claims import (
    formal_root,
    identity,
    is_current,
    modules,
    sources,
    versions,
)
from aesforge.proof.engines import point, shown
from aesforge.proof.idle import IDLE
from aesforge.proof.leaves import leaves
from aesforge.proof.specification import formula
from aesforge.proof.walk import STATES, job, kinds, named
from aesforge.results import store
from aesforge.space.axes import AXES, Config
from aesforge.space.legality import lacks
from aesforge.space.presets import ciphers, preset, presets
from aesforge.space.promises import promised


def configurations(choices: tuple[str, ...]) -> list[tuple[str, Config]]:
    """Every configuration of the presets and with the `axis=value` in `choices`; all without.

    UserError when there is none.
    """
    names = [choice for choice in choices if "=" not in choice]
    wanted = dict(choice.split("=", 1) for choice in choices if "=" in choice)
    for name in names:
        require_contract(preset(name).config, "proofs")
    for axis in wanted:
        if axis not in AXES:
            raise unknown("axis", axis, AXES)
    # Longer blocks than those of AES are proven when asked for.
    block = wanted.get("block", "128")
    found = [
        (name, replace(config, block=block))
        for name, found in ciphers().items()
        if (name in names or not names) and (block == "128" or block in found.legal("block"))
        for config in found.configurations()
        if config.block == "128"
        and not lacks(replace(config, block=block))
        and all(config.as_dict()[a] == value for a, value in wanted.items() if a != "block")
    ]
    if not found:
        raise UserError(f"no configuration has {' '.join(choices)}; see 'aesforge list'")
    return found


PACED = {"paced": True}
"""What a row says when the claims on pace, which are younger than many walks, are among its own."""


def _made_of(config: Config, known: Iterable[store.Row] = ()) -> store.Row:
    """What a row says of the core that was proven, what was asked, and what it was proven equal to.

    A core of the same text as one of `known` is not mapped.
    """
    parts = modules(sources(), config)
    return {
        "sources": list(parts),
        "source_hash": state(parts),
        **identity(sources(), config, known),
        "specification": formula(sources(), config),
        "asked": asked(config),
    }


def row(document: dict[str, Any], config: Config) -> store.Row:
    """What `results/proven.jsonl` keeps of a proof."""
    return {
        "preset": document["preset"],
        "config": document["config"],
        "holds": document["holds"],
        "claims": len(document["claims"]),
        "failing": [claim["name"] for claim in document["claims"] if not claim["holds"]],
        "seconds": round(sum(claim["seconds"] for claim in document["claims"])),
        "versions": document["versions"],
        **PACED,
        **_made_of(config),
    }


def asked(config: Config) -> str:
    """A digest of what the walks and the runs for pace of a core are asked, promises among it."""
    return digest(
        *(
            f"{job(config, bits, kind, STATES, 0)}\n"
            f"{promised(replace(config, sboxes=kind.sboxes), bits)}"
            for bits in config.key_sizes
            for kind in kinds(config)
        )
    )


def _of_now(found: store.Row) -> bool:
    """Whether a row is of the present sources, and of what is asked of the core now."""
    same = found["source_hash"] == state(found["sources"])
    return same and found.get("asked") == asked(Config(**found["config"]))


def proven(
    name: str,
    config: Config,
    old: store.Row | None,
    others: Iterable[store.Row] = (),
    restate: bool = False,
) -> store.Row | None:
    """The row of a configuration: `old` if it is current; else proves only what has changed.

    When one of `others` is of the same netlist and specification, and was asked the same, its
    claims on the core hold for this configuration too. With `restate` no core is walked: None when
    that would be needed.
    """
    if old and old["holds"] and "paced" in old and _of_now(old):
        return old
    rows = [known for known in [*([old] if old else []), *others] if known["holds"]]
    made_of = _made_of(config, rows)
    gate = [IDLE] * (config.idle_output == "zero")
    ciphers = [named(config, bits, kind) for bits in config.key_sizes for kind in kinds(config)]
    paces = [f"{cipher} pace" for cipher in ciphers]

    def alike(known: store.Row) -> bool:
        """Whether the claims on the gate and on the pace hold too: they are of this text."""
        gated = known["config"]["idle_output"] == config.idle_output
        return gated and "paced" in known and known.get("text") == made_of["text"]

    for known in sorted(rows, key=alike, reverse=True):
        if all(known.get(what) == made_of[what] for what in ("netlist", "specification", "asked")):
            rest = [] if alike(known) else [*gate, *paces]
            parts = prove(name, config, only=[*leaves(sources()), *rest])
            if parts["holds"]:
                # The walk makes two claims on each kind of block and key size.
                count = len(parts["claims"]) - len(rest) + len(gate) + len(paces) + 2 * len(ciphers)
                point = {"preset": name, "config": config.as_dict(), "claims": count}
                return {**known, **made_of, **point, **PACED}
    return None if restate else row(prove(name, config), config)


def prove_all(
    choices: tuple[str, ...],
    again: bool = False,
    minutes: float | None = None,
    restate: bool = False,
) -> Iterator[store.Row]:
    """Prove the configurations of `choices` one by one; each row is in the store once yielded.

    The default of each preset is first, then netlists by the time that their walk took before, for
    each configuration that is this netlist. `again`: a row of another explorer or other tools does
    not count. After `minutes`, no further proof is begun. `restate`: only rows of unchanged
    netlists are completed, by the claims on parts.
    """
    table = store.path("proven")
    old = _by_point(store.load(table))
    sharing = Counter(row.get("netlist") for row in old.values())

    def of(name: str, config: Config) -> store.Row | None:
        return old.get(_point(name, config.as_dict()))

    def expected(found: tuple[str, Config]) -> tuple[bool, float, str]:
        name, config = found
        row = of(name, config) or of(name, bare(config)) or {}
        default = bare(config) == bare(preset(name).configure([]))
        netlist = row.get("netlist", "")
        seconds = row["seconds"] / (1 if default else sharing[netlist] or 1) if row else math.inf
        return not default, seconds, netlist

    begun = time.monotonic()

    def counts(row: store.Row) -> bool:
        return not again or is_current(row["versions"])

    for name, config in sorted(configurations(choices), key=expected):
        if minutes is not None and time.monotonic() - begun > 60 * minutes:
            return
        own = of(name, config)
        found = proven(
            name,
            config,
            own if own and counts(own) else None,
            [row for row in old.values() if counts(row)],
            restate,
        )
        if found is None:
            continue
        if found is not own:
            store.record(table, [found])
            old[_point(name, config.as_dict())] = found
        yield found


def state(parts: Iterable[str]) -> str:
    """A digest of all sources that the claims on a core depend on that consists of `parts`."""
    named = frozenset(parts)
    return digest(fingerprint(named), _harnesses(named))[:12]


_OTHERS = ("aes_fips197", "aes_reference", "aes_reference_steps")
"""Files of `formal/` that the walk and the claims on parts do not read, besides contracts."""


@cache
def _harnesses(parts: frozenset[str]) -> str:
    """A digest of the harnesses, without those of modules that are not among `parts`."""
    modules = {path.stem for path in files()}

    def counts(harness: Path) -> bool:
        if harness.stem in _OTHERS or "_contract" in harness.stem:
            return False
        # A harness has the name of its module, and what it says of it.
        names = (name for name in modules if harness.stem.startswith(f"{name}_"))
        return max(names, key=len, default="") in {*parts, ""}

    return digest(*(path for path in sorted(formal_root().glob("*.sv")) if counts(path)))


def _point(name: str, config: dict[str, str]) -> tuple[str, ...]:
    return name, *config.values()


def _by_point(rows: list[store.Row]) -> dict[tuple[str, ...], store.Row]:
    """The row of each configuration."""
    return {_point(found["preset"], found["config"]): found for found in rows}


def bare(config: Config) -> Config:
    """A core without the gate at its output: all that is proven of it holds with the gate too."""
    return replace(config, idle_output="register")


def _held(found: store.Row, ungated: bool = False) -> tuple[str, bool]:
    """Whether the claims of a proof hold, in words, and whether it is of what there is now."""
    hold = "all" if found["holds"] else "not " + ", ".join(found["failing"])
    hold += ", with idle_output=register" * ungated
    earlier = ["earlier sources"] * (not _of_now(found))
    earlier += ["an earlier explorer"] * (not is_current(found["versions"]))
    return hold + f", with {' and '.join(earlier)}" * bool(earlier), not earlier


def block_table(rows: list[store.Row]) -> str:
    """A line for each proof of a core with longer blocks than those of AES."""
    lines = ["| core | block | claims | hold | seconds |", "|---|--:|--:|---|--:|"]
    for found in rows:
        config = Config(**found["config"])
        if config.block == "128":
            continue
        axes = presets()[found["preset"]].choices(config).split()
        name = " ".join((found["preset"], *(a for a in axes if not a.startswith("block="))))
        hold, _ = _held(found)
        cells = (f"`{name}`", config.block, str(found["claims"]), hold, str(found["seconds"]))
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) if len(lines) > 2 else "None yet."


def proof_table(rows: list[store.Row], engines: list[store.Row]) -> str:
    """A line for each configuration: its claims, whether they hold, and the time of all.

    `rows` are of the walk, `engines` of the other engines.
    """
    lines = [
        "| preset | axes | claims | hold | seconds | also by |",
        "|---|---|---:|---|---:|---|",
    ]
    known = _by_point(rows)
    others = {point(row): row for row in engines}
    now, missing, paced, current = 0, 0, 0, versions()
    for name, config in configurations(()):
        found = known.get(_point(name, config.as_dict()))
        ungated = found is None and bare(config) != config
        found = known.get(_point(name, bare(config).as_dict())) if ungated else found
        cells = [name, presets()[name].choices(config)]
        if found is None:
            cells += ["", "not run", ""]
            missing += 1
        else:
            hold, current_row = _held(found, ungated)
            now += found["holds"] and current_row and not ungated
            paced += found["holds"] and current_row and not ungated and "paced" in found
            cells += [str(found["claims"]), hold, str(found["seconds"])]
        cells.append(shown(others.get(_point(name, config.as_dict()))))
        lines.append(f"| {' | '.join(cells)} |")
    tools = ", ".join(f"{name} {version}" for name, version in sorted(current.items()))
    count = f"{now} of {len(lines) - 2} configurations are proven with these sources and {tools}."
    count += f" {paced} of these have the claims on pace too." * (paced < now)
    count += f" {missing} have never been run." * bool(missing)
    return "\n".join([count, "", *lines, ""])
