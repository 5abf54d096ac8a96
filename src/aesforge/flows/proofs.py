"""Prove every configuration, or some of them, and store a row of each."""

import sys
from typing import Any

from aesforge.proof.proofs import prove_all


def proofs(
    choices: tuple[str, ...], again: bool = False, minutes: float | None = None
) -> dict[str, Any]:
    """Prove the configurations of `choices` into `results/proven.jsonl`; reports on stderr.

    `again` and `minutes` are as in `prove_all`.
    """
    rows = []
    for row in prove_all(choices, again, minutes):
        rows.append(row)
        axes = " ".join(f"{axis}={value}" for axis, value in row["config"].items())
        verdict = "holds" if row["holds"] else f"FAILS: {', '.join(row['failing'])}"
        print(f"{row['preset']} {axes}: {verdict}", file=sys.stderr, flush=True)
    return {
        "configurations": len(rows),
        "claims": sum(row["claims"] for row in rows),
        "holds": all(row["holds"] for row in rows),
        "rows": rows,
    }
