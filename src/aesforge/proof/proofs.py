"""Prove every configuration and try the mutants, and keep the results.

Each proof is a row of `results/proven.jsonl`, the mutants of each core are a row of
`results/mutants.jsonl`; `aesforge.results.documents` makes tables of them. Proofs of unchanged
sources are skipped, and for a core whose netlist is unchanged only the parts are proven again:
delete the row to prove all of it. A row names its explorer, and stays when the explorer changes.
"""

import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache, partial
from typing import Any

from aesforge.core.sources import digest, fingerprint
from aesforge.errors import UserError, unknown
from aesforge.flows.prove import prove
from aesforge.proof import walk
from aesforge.proof.claims import formal_root, modules, netlist, sources
from aesforge.proof.faults import FAULTS, Fault
from aesforge.proof.idle import IDLE
from aesforge.proof.leaves import leaves
from aesforge.proof.mutants import RANDOM, fitting, mutants
from aesforge.results import store
from aesforge.space.axes import AXES, Config
from aesforge.space.presets import preset, presets

_MUTANT_KEYS = ("128", "192", "256", "any")
"""Key sizes of the cores that mutants are made of, the one for most of them first."""


def configurations(choices: tuple[str, ...]) -> list[tuple[str, Config]]:
    """Every configuration of the presets and with the `axis=value` in `choices`; all without.

    UserError when there is none.
    """
    names = [choice for choice in choices if "=" not in choice]
    wanted = dict(choice.split("=", 1) for choice in choices if "=" in choice)
    for name in names:
        preset(name)
    for axis in wanted:
        if axis not in AXES:
            raise unknown("axis", axis, AXES)
    found = [
        (name, config)
        for name, found in presets().items()
        if name in names or not names
        for config in found.configurations()
        if all(config.as_dict()[axis] == value for axis, value in wanted.items())
    ]
    if not found:
        raise UserError(f"no configuration has {' '.join(choices)}; see 'aesforge list'")
    return found


def _made_of(config: Config) -> dict[str, Any]:
    """What a row says of the core that was proven, and of what it was proven equal to."""
    parts = modules(sources(), config)
    return {
        "sources": list(parts),
        "source_hash": state(parts),
        "netlist": netlist(sources(), config),
        "specification": digest(formal_root() / "aes_spec.sv"),
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
        **_made_of(config),
    }


def proven(
    name: str, config: Config, old: store.Row | None, ungated: store.Row | None = None
) -> store.Row:
    """The row of a configuration: `old` if it is current; else proves only what has changed.

    `ungated` is the row of `bare(config)`, whose claims on the core hold for this one too.
    """
    if old is not None and old["holds"] and old["source_hash"] == state(old["sources"]):
        return old if "netlist" in old else {**old, **_made_of(config)}
    for known in (old, ungated):
        if known is None or not known["holds"]:
            continue
        made_of = _made_of(config)
        if all(known.get(what) == made_of[what] for what in ("netlist", "specification")):
            gate = [IDLE] * (config.idle_output == "zero")
            parts = prove(name, config, only=[*leaves(sources()), *gate])
            # Two claims on the core for each key size and kind of block.
            cipher = 2 * len(config.key_sizes) * len(walk.kinds(config))
            if parts["holds"]:
                claims = len(parts["claims"]) + cipher
                return {**known, "config": config.as_dict(), **made_of, "claims": claims}
    return row(prove(name, config), config)


def prove_all(choices: tuple[str, ...]) -> Iterator[store.Row]:
    """Prove the configurations of `choices` one by one; each row is in the store once yielded."""
    table = store.path("proven")
    old = _by_point(store.load(table))
    for name, config in configurations(choices):
        own, ungated = (old.get(_point(name, core.as_dict())) for core in (config, bare(config)))
        found = proven(name, config, own, ungated if bare(config) != config else None)
        store.record(table, [found])
        yield found


def state(parts: Iterable[str]) -> str:
    """A digest of all sources that the claims on a core depend on that consists of `parts`."""
    return digest(fingerprint(parts), _harnesses())[:12]


@cache
def _harnesses() -> str:
    return digest(*sorted(formal_root().glob("*.sv")))


def _point(name: str, config: dict[str, str]) -> tuple[str, ...]:
    return name, *config.values()


def _by_point(rows: list[store.Row]) -> dict[tuple[str, ...], store.Row]:
    """The row of each configuration."""
    return {_point(found["preset"], found["config"]): found for found in rows}


def bare(config: Config) -> Config:
    """A core without the gate at its output: all that is proven of it holds with the gate too."""
    return replace(config, idle_output="register")


def proof_table(rows: list[store.Row]) -> str:
    """A line for each configuration: its claims, whether they hold, and the time of all."""
    lines = [
        "| preset | axes | claims | hold | seconds |",
        "|---|---|---:|---|---:|",
    ]
    known = _by_point(rows)
    for name, config in configurations(()):
        found = known.get(_point(name, config.as_dict()))
        ungated = found is None and bare(config) != config
        found = known.get(_point(name, bare(config).as_dict())) if ungated else found
        cells = [name, presets()[name].choices(config)]
        if found is None:
            cells += ["", "not run", ""]
        else:
            hold = "all" if found["holds"] else "not " + ", ".join(found["failing"])
            hold += ", with idle_output=register" * ungated
            if found["source_hash"] != state(found["sources"]):
                hold += ", with earlier sources"
            cells += [str(found["claims"]), hold, str(found["seconds"])]
        lines.append(f"| {' | '.join(cells)} |")
    tools = ", ".join(
        f"{name} {version}"
        for name, version in sorted({pair for found in rows for pair in found["versions"].items()})
    )
    return "\n".join([*lines, "", f"With {tools}, on one core.", ""])


def mutated(choices: tuple[str, ...] = ()) -> list[store.Row]:
    """Try every fault in a core that has it, and random ones for each module of `rtl/cipher/`.

    The first 128-bit configuration of it gets all. Others get those that no core before them
    had, and the first of a module, a key schedule and a key size also those that none has caught.
    Each core's row goes to `results/mutants.jsonl`; one that is there of core and faults as they
    are counts.
    """
    wanted = sorted(configurations(choices), key=lambda found: _MUTANT_KEYS.index(found[1].keys))
    first: dict[str, tuple[str, Config]] = {}
    for found in wanted:
        first.setdefault(found[1].module, found)
    # All sizes of a preset before the next one: a fault in what is for longer keys is soon caught.
    cores, names = list(first), list(presets())
    rest = sorted(
        (found for found in wanted if found not in first.values()),
        key=lambda found: (cores.index(found[1].module), names.index(found[0])),
    )
    table = store.path("mutants")
    old = _by_point(store.load(table))
    rows = []
    met: set[Fault] = set()
    caught: set[str] = set()
    begun: set[tuple[str, str, str]] = set()
    for name, config in [*first.values(), *rest]:
        report = partial(print, name, config, file=sys.stderr, flush=True)
        whole = (name, config) == first[config.module]
        sort = config.module, config.key_schedule, config.keys
        done = {fault for fault in met if str(fault) in caught or sort in begun}
        faults = fitting(config, [fault for fault in FAULTS if whole or fault not in done])
        begun.add(sort)
        if not faults:
            continue
        row = _as_it_is(old.get(_point(name, config.as_dict())), config, faults)
        if row is None:
            if not prove(name, config)["holds"]:
                print(
                    name,
                    config,
                    "is not proven: its mutants would say nothing",
                    file=sys.stderr,
                    flush=True,
                )
                continue
            row = {
                **mutants(name, config, count=RANDOM if whole else 0, faults=faults),
                **_made_of(config),
                "faults": _digest(faults),
            }
        store.record(table, [row])
        met |= set(faults)
        rows.append(row)
        caught |= {verdict["name"] for verdict in row["verdicts"] if verdict["caught"]}
        report(f"{_share(row)} caught")
    missed = [str(fault) for fault in FAULTS if fault not in met]
    if missed and not choices:
        print("in none of these cores:", *missed, sep="\n- ", file=sys.stderr, flush=True)
    return rows


def _share(row: store.Row) -> str:
    """The share caught; none where no fault is in a part of the core."""
    return "none" if row["share"] is None else f"{100 * row['share']:.1f} %"


def _digest(faults: Iterable[Fault]) -> str:
    """A digest of what these faults change."""
    return digest(*(f"{fault}: {fault.old} {fault.new}" for fault in faults))


def _as_it_is(row: store.Row | None, config: Config, faults: Iterable[Fault]) -> store.Row | None:
    """A row of mutants as it is now; None when the core or its faults are others."""
    if row is None or row["faults"] != _digest(faults):
        return None
    if row["source_hash"] == state(row["sources"]):
        return row
    made_of = _made_of(config)
    same = all(row[what] == made_of[what] for what in ("netlist", "specification"))
    return {**row, **made_of} if same else None


def mutant_table(rows: list[store.Row]) -> str:
    """The share caught in each core, in all and of different ones, and those that were not."""
    lines = [
        "| preset | configuration | mutants | caught | share |",
        "|---|---|---:|---:|---:|",
    ]
    by: dict[str, int] = defaultdict(int)
    # Cores by whether they show it. A fault is the same in all, a random one is of its own.
    cores: dict[tuple[str, str], dict[bool, list[str]]] = defaultdict(lambda: defaultdict(list))
    for found in rows:
        axes = presets()[found["preset"]].choices(Config(**found["config"]))
        core = f"{found['preset']} {axes}"
        earlier = "" if found["source_hash"] == state(found["sources"]) else ", earlier sources"
        lines.append(
            f"| {found['preset']} | {axes} | {found['mutants']} | {found['caught']} "
            f"| {_share(found)}{earlier} |"
        )
        for verdict in found["verdicts"]:
            name: str = verdict["name"]
            cores[name, core * name.startswith("random")][verdict["caught"]].append(core)
            if verdict["caught"]:
                by[verdict["why"].partition(":")[0]] += 1
            elif verdict["by"]:
                lines.append(f"| | {name} | | no verdict: {verdict['why']} | |")
    total, caught = (sum(found[what] for found in rows) for what in ("mutants", "caught"))
    if total:
        lines.append(f"| all | | {total} | {caught} | {100 * caught / total:.1f} % |")
        ever, tried = sum(True in seen for seen in cores.values()), len(cores)
        lines += ["", f"Of {tried} different mutants, some core shows {ever}, {ever / tried:.1%}."]
    lines += ["", "Caught, by what broke first:", "", "| rule | mutants |", "|---|---:|"]
    lines += [f"| {rule} | {count} |" for rule, count in sorted(by.items(), key=lambda x: -x[1])]
    survivors = sorted((key, seen) for key, seen in cores.items() if False in seen)
    for title, shown in (
        ("Caught in no core; every claim holds in each that was tried", False),
        ("Caught in some cores, while every claim holds in others", True),
    ):
        lines += ["", f"{title}:", ""] if survivors else []
        for (name, _), seen in survivors:
            if (True in seen) == shown:
                also = f"; shown by {seen[True][0]}" if shown else ""
                lines.append(f"- {name}: not by {'; '.join(seen[False])}{also}")
    return "\n".join([*lines, ""])
