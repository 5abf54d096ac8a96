"""Prove every configuration, or some of them, and store a row of each."""

import sys
from typing import Any

from aesforge.errors import UserError
from aesforge.proof.engines import defaults, prove_by
from aesforge.proof.proofs import configurations, prove_all


def proofs(
    choices: tuple[str, ...],
    again: bool = False,
    minutes: float | None = None,
    engine: str = "walk",
    restate: bool = False,
) -> dict[str, Any]:
    """Prove the configurations of `choices` into `results/proven.jsonl`; reports on stderr.

    `again`, `minutes` and `restate` are as in `prove_all`. Another `engine` than the walk writes
    into `results/engines.jsonl`; without choices it proves the default of each preset.
    """
    if restate and (again or engine != "walk"):
        raise UserError("--restate proves no core: leave out --again and --engine")
    if engine != "walk":
        return _by(engine, choices, minutes)
    rows = []
    for row in prove_all(choices, again, minutes, restate):
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


def _by(engine: str, choices: tuple[str, ...], minutes: float | None) -> dict[str, Any]:
    rows = []
    for row in prove_by(engine, configurations(choices) if choices else defaults(), minutes):
        rows.append(row)
        found = row["engines"][engine]
        verdict = "holds" if found["holds"] else f"FAILS: {', '.join(found['failing'])}"
        print(f"{row['preset']} by {engine}: {verdict}", file=sys.stderr, flush=True)
    return {
        "configurations": len(rows),
        "claims": len(rows),
        "holds": all(row["engines"][engine]["holds"] for row in rows),
        "rows": rows,
    }
