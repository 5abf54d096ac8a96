"""Prove every configuration and try the mutants; write the tables of `docs/proofs.md`.

`python -m aesforge.proofs prove|mutants docs/proofs.md [AXIS=VALUE ...]`; the choices restrict the
configurations.
"""

import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

from aesforge.config import Config, preset, presets
from aesforge.errors import UserError
from aesforge.flows.mutants import mutants
from aesforge.flows.prove import prove
from aesforge.tables import fill

_MUTANT_KEYS = "keys=128"


def configurations(choices: tuple[str, ...]) -> list[tuple[str, Config]]:
    """Every configuration of every preset that has all of `choices`."""
    wanted = dict(choice.split("=", 1) for choice in choices)
    return [
        (name, config)
        for name, found in presets().items()
        for config in found.configurations()
        if all(config.as_dict()[axis] == value for axis, value in wanted.items())
    ]


def proof_table(documents: list[dict[str, Any]]) -> str:
    """A line for each configuration: its claims, the time of all, and what the walk met."""
    lines = [
        "| preset | configuration | claims | hold | seconds |",
        "|---|---|---:|---|---:|",
    ]
    for found in documents:
        config = " ".join(f"{axis}={value}" for axis, value in found["config"].items())
        failing = [claim["name"] for claim in found["claims"] if not claim["holds"]]
        seconds = sum(claim["seconds"] for claim in found["claims"])
        lines.append(
            f"| {found['preset']} | {config} | {len(found['claims'])} "
            f"| {'all' if found['holds'] else 'not ' + ', '.join(failing)} | {seconds:.0f} |"
        )
    tools = ", ".join(
        f"{name} {version}"
        for name, version in sorted({pair for d in documents for pair in d["versions"].items()})
    )
    return "\n".join([*lines, "", f"With {tools}.", ""])


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
        for name, config in configurations(tuple(choices)):
            documents.append(prove(name, config))
            print(name, config, "holds" if documents[-1]["holds"] else "FAILS", flush=True)
        body, good = proof_table(documents), all(found["holds"] for found in documents)
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
