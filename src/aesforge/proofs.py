"""Prove every configuration and try the mutants; write the tables of `docs/proofs.md`.

`python -m aesforge.proofs prove|mutants docs/proofs.md [PRESET] [AXIS=VALUE ...]`; the choices
restrict the configurations. Each proof goes to `results/proven.jsonl`, and the table is made of it.
"""

import sys
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import Any

from aesforge import store
from aesforge.config import Config, preset, presets
from aesforge.errors import UserError
from aesforge.flows.mutants import mutants
from aesforge.flows.prove import prove, sources
from aesforge.sources import digest
from aesforge.tables import fill
from aesforge.tools.explore import sources as explorer

_MUTANT_KEYS = "keys=128"


def configurations(choices: tuple[str, ...]) -> list[tuple[str, Config]]:
    """Every configuration of every preset that has all of `choices`."""
    names = [choice for choice in choices if "=" not in choice]
    wanted = dict(choice.split("=", 1) for choice in choices if "=" in choice)
    return [
        (name, config)
        for name, found in presets().items()
        if name in names or not names
        for config in found.configurations()
        if all(config.as_dict()[axis] == value for axis, value in wanted.items())
    ]


def row(document: dict[str, Any]) -> store.Row:
    """What `results/proven.jsonl` keeps of a proof."""
    return {
        "preset": document["preset"],
        "config": document["config"],
        "holds": document["holds"],
        "claims": len(document["claims"]),
        "failing": [claim["name"] for claim in document["claims"] if not claim["holds"]],
        "seconds": round(sum(claim["seconds"] for claim in document["claims"])),
        "versions": document["versions"],
        "sources": state(),
    }


@cache
def state() -> str:
    """A digest of all that the proofs depend on."""
    given = sources()
    return digest(*given.rtl, *sorted(given.formal.glob("*.sv")), *explorer())[:12]


def proof_table(rows: list[store.Row]) -> str:
    """A line for each configuration: its claims, whether they hold, and the time of all."""
    lines = [
        "| preset | keys | direction | S-box | claims | hold | seconds |",
        "|---|---|---|---|---:|---|---:|",
    ]
    proven = {(found["preset"], tuple(found["config"].values())): found for found in rows}
    for name, config in configurations(()):
        found = proven.get((name, tuple(config.as_dict().values())))
        cells = [name, config.keys, config.direction, config.sbox]
        if found is None:
            cells += ["", "not run", ""]
        else:
            hold = "all" if found["holds"] else "not " + ", ".join(found["failing"])
            if found["sources"] != state():
                hold += ", with earlier sources"
            cells += [str(found["claims"]), hold, str(found["seconds"])]
        lines.append(f"| {' | '.join(cells)} |")
    tools = ", ".join(
        f"{name} {version}"
        for name, version in sorted({pair for found in rows for pair in found["versions"].items()})
    )
    return "\n".join([*lines, "", f"With {tools}, on one core.", ""])


def mutant_table(documents: list[dict[str, Any]]) -> str:
    """The share caught for each architecture, and the ones that were not."""
    lines = ["| preset | mutants | caught | share |", "|---|---:|---:|---:|"]
    survivors = []
    by: dict[str, int] = defaultdict(int)
    for found in documents:
        lines.append(
            f"| {found['preset']} | {found['mutants']} | {found['caught']} "
            f"| {100 * found['share']:.1f} % |"
        )
        for verdict in found["verdicts"]:
            if verdict["caught"]:
                by[verdict["why"]] += 1
            else:
                survivors.append(f"- {found['preset']}, {verdict['name']}: {verdict['why']}")
    lines += ["", "Caught, by what broke first:", "", "| rule | mutants |", "|---|---:|"]
    lines += [f"| {rule} | {count} |" for rule, count in sorted(by.items(), key=lambda x: -x[1])]
    if survivors:
        lines += ["", "Not caught:", "", *survivors]
    return "\n".join([*lines, ""])


def main(arguments: list[str]) -> int:
    """Do one of the two and write its table; 1 when a claim fails."""
    what, page, *choices = arguments
    path = Path(page)
    documents = []
    if what == "prove":
        table = store.path("proven")
        good = True
        for name, config in configurations(tuple(choices)):
            document = prove(name, config)
            good = good and document["holds"]
            store.record(table, [row(document)])
            print(name, config, "holds" if document["holds"] else "FAILS", flush=True)
        body = proof_table(store.load(table))
    else:
        seen = set()
        for name in presets():
            try:
                config = preset(name).configure([_MUTANT_KEYS])
            except UserError:
                continue
            if config.architecture not in seen:
                seen.add(config.architecture)
                if not prove(name, config)["holds"]:
                    print(name, "is not proven: its mutants would say nothing", flush=True)
                    continue
                documents.append(mutants(name, config))
                print(name, f"{100 * documents[-1]['share']:.1f} % caught", flush=True)
        body, good = mutant_table(documents), True
    marker = "proofs" if what == "prove" else "mutants"
    text = path.read_text(encoding="utf-8")
    path.write_text(fill(text, marker, body), encoding="utf-8")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
