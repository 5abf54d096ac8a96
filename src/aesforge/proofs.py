"""Prove every configuration and try the mutants; write the tables of `docs/proofs.md`.

`python -m aesforge.proofs prove|mutants docs/proofs.md [AXIS=VALUE ...]`; the choices restrict the
configurations.
"""

import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

from aesforge.config import Config, presets
from aesforge.flows.faults import FAULTS, Fault
from aesforge.flows.mutants import RANDOM, fitting, mutants
from aesforge.flows.prove import prove
from aesforge.tables import fill

_MUTANT_KEYS = ("128", "192", "256")
"""Sizes of the cores that mutants are made of, the one for all of them first."""


def configurations(choices: tuple[str, ...]) -> list[tuple[str, Config]]:
    """Every configuration of every preset that has all of `choices`."""
    wanted = dict(choice.split("=", 1) for choice in choices)
    return [
        (name, config)
        for name, found in presets().items()
        for config in found.configurations()
        if all(config.as_dict()[axis] == value for axis, value in wanted.items())
    ]


def _words(config: dict[str, str]) -> str:
    return " ".join(f"{axis}={value}" for axis, value in config.items())


def proof_table(documents: list[dict[str, Any]]) -> str:
    """A line for each configuration: its claims, the time of all, and what the walk met."""
    lines = [
        "| preset | configuration | claims | hold | seconds |",
        "|---|---|---:|---|---:|",
    ]
    for found in documents:
        failing = [claim["name"] for claim in found["claims"] if not claim["holds"]]
        seconds = sum(claim["seconds"] for claim in found["claims"])
        lines.append(
            f"| {found['preset']} | {_words(found['config'])} | {len(found['claims'])} "
            f"| {'all' if found['holds'] else 'not ' + ', '.join(failing)} | {seconds:.0f} |"
        )
    tools = ", ".join(
        f"{name} {version}"
        for name, version in sorted({pair for d in documents for pair in d["versions"].items()})
    )
    return "\n".join([*lines, "", f"With {tools}.", ""])


def mutated(choices: tuple[str, ...] = ()) -> list[dict[str, Any]]:
    """Try every fault in a core that has it, and random ones for each architecture.

    The first 128-bit core of an architecture gets all. Others get those that no core before them
    had, and the first of a preset and a key size also those that none has caught.
    """
    first: dict[str, tuple[str, Config]] = {}
    rest = []
    for size in _MUTANT_KEYS:
        for name, config in configurations((f"keys={size}", *choices)):
            if config.architecture in first:
                rest.append((name, config))
            else:
                first[config.architecture] = name, config
    documents = []
    met: set[Fault] = set()
    caught: set[str] = set()
    begun: set[tuple[str, str]] = set()
    for name, config in [*first.values(), *rest]:
        whole = (name, config) == first[config.architecture]
        done = {fault for fault in met if str(fault) in caught or (name, config.keys) in begun}
        faults = fitting(config, [fault for fault in FAULTS if whole or fault not in done])
        begun.add((name, config.keys))
        if not faults:
            continue
        if not prove(name, config)["holds"]:
            print(name, config, "is not proven: its mutants would say nothing", flush=True)
            continue
        met |= set(faults)
        documents.append(mutants(name, config, count=RANDOM if whole else 0, faults=faults))
        verdicts = documents[-1]["verdicts"]
        caught |= {verdict["name"] for verdict in verdicts if verdict["caught"]}
        print(name, config, f"{100 * documents[-1]['share']:.1f} % caught", flush=True)
    missed = [str(fault) for fault in FAULTS if fault not in met]
    if missed and not choices:
        print("in none of these cores:", *missed, sep="\n- ", flush=True)
    return documents


def mutant_table(documents: list[dict[str, Any]]) -> str:
    """The share caught in each core and in all, and the mutants that were not."""
    lines = [
        "| preset | configuration | mutants | caught | share |",
        "|---|---|---:|---:|---:|",
    ]
    survivors: list[tuple[dict[str, Any], dict[str, Any]]] = []
    caught_in: dict[str, str] = {}
    by: dict[str, int] = defaultdict(int)
    for found in documents:
        lines.append(
            f"| {found['preset']} | {_words(found['config'])} | {found['mutants']} "
            f"| {found['caught']} "
            f"| {100 * found['share']:.1f} % |"
        )
        for verdict in found["verdicts"]:
            if verdict["caught"]:
                by[verdict["why"]] += 1
                caught_in.setdefault(verdict["name"], found["preset"])
            else:
                survivors.append((found, verdict))
    total, caught = (sum(found[what] for found in documents) for what in ("mutants", "caught"))
    if total:
        lines.append(f"| all | | {total} | {caught} | {100 * caught / total:.1f} % |")
    lines += ["", "Caught, by what broke first:", "", "| rule | mutants |", "|---|---:|"]
    lines += [f"| {rule} | {count} |" for rule, count in sorted(by.items(), key=lambda x: -x[1])]
    if survivors:
        lines += ["", "Not caught:", ""]
    for found, verdict in survivors:
        name, elsewhere = verdict["name"], caught_in.get(verdict["name"])
        also = f"; {elsewhere} shows it" if elsewhere and not name.startswith("random") else ""
        lines.append(f"- {found['preset']}, {name}: {verdict['why']}{also}")
    return "\n".join([*lines, ""])


def main(arguments: list[str]) -> int:
    """Do one of the two and write its table; 1 when a claim fails."""
    what, page, *choices = arguments
    path = Path(page)
    documents: list[dict[str, Any]] = []
    if what == "prove":
        for name, config in configurations(tuple(choices)):
            documents.append(prove(name, config))
            print(name, config, "holds" if documents[-1]["holds"] else "FAILS", flush=True)
        body, good = proof_table(documents), all(found["holds"] for found in documents)
    else:
        documents = mutated(tuple(choices))
        body, good = mutant_table(documents), True
    marker = "proofs" if what == "prove" else "mutants"
    text = path.read_text(encoding="utf-8")
    path.write_text(fill(text, marker, body), encoding="utf-8")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
