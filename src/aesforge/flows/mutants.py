"""Break cores in many ways and count the faults that the proofs catch."""

from typing import Any

from aesforge.proof.proofs import mutated


def mutants(choices: tuple[str, ...]) -> dict[str, Any]:
    """Try the mutants of the configurations of `choices`; a row of each core is stored.

    `holds` is false when a mutant has no verdict: its text is not legal, or its walk is cut short.
    """
    rows = mutated(choices)
    verdicts = [verdict for row in rows for verdict in row["verdicts"]]
    undecided = [v["name"] for v in verdicts if v["by"] and not v["caught"]]
    return {
        "cores": len(rows),
        "mutants": sum(row["mutants"] for row in rows),
        "caught": sum(row["caught"] for row in rows),
        "undecided": undecided,
        "holds": not undecided,
        "rows": rows,
    }
