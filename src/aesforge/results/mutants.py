"""The table of mutants: what the proofs and the simulation catch, and what neither does."""

from collections.abc import Iterable
from typing import Any

from aesforge.proof.proofs import state
from aesforge.results.store import Row
from aesforge.space.axes import Config
from aesforge.space.presets import ciphers, presets

_CAUGHT = ("both", "prove", "verify", "neither")


def _by(verdict: dict[str, Any]) -> str:
    return {
        (True, True): "both",
        (True, False): "prove",
        (False, True): "verify",
        (False, False): "neither",
    }[bool(verdict["prove"]), bool(verdict["verify"])]


def _line(label: str, verdicts: Iterable[dict[str, Any]]) -> str:
    """A line of the table; a mutant that is equivalent to its core is no miss."""
    found = list(verdicts)
    counts = [sum(_by(one) == caught for one in found) for caught in _CAUGHT]
    equivalent = sum(bool(one["equivalent"]) for one in found)
    wrong = len(found) - equivalent
    shares = [
        f"{100 * sum(bool(one[by]) for one in found) / wrong:.1f} %" if wrong else ""
        for by in ("prove", "verify")
    ]
    cells = [label, str(len(found)), *map(str, counts), str(equivalent), *shares]
    return f"| {' | '.join(cells)} |"


def mutant_table(rows: list[Row]) -> str:
    """What caught the mutants of each core, of each kind and in all, and those that survived."""
    lines = [
        "| core | mutants | caught by both | by `prove` alone | by `verify` alone | by neither "
        "| of these equivalent | `prove` | `verify` |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    everything: list[dict[str, Any]] = []
    survivors: list[str] = []
    for row in rows:
        axes = presets()[row["preset"]].choices(Config(**row["config"]))
        core = f"{row['preset']} {axes}".strip()
        earlier = "" if row["source_hash"] == state(row["sources"]) else ", earlier sources"
        lines.append(_line(core + earlier, row["verdicts"]))
        everything += row["verdicts"]
        for one in row["verdicts"]:
            reason = one["equivalent"] or one["undecided"] or "every claim holds"
            if one["verify"]:
                reason += f"; `{one['verify']}` of verify fails"
            if not one["prove"]:
                survivors.append(f"- {core}: {one['name']}: {reason}")
    for label, kind in (("systematic", "systematic"), ("catalogue", "catalogue")):
        lines.append(_line(f"all {label}", (v for v in everything if v["kind"] == kind)))
    lines.append(_line("all", everything))
    lines += ["", "The shares are of the mutants that are not shown to be equivalent.", ""]
    wrong = [one for one in everything if not one["equivalent"]]
    if wrong:
        either = sum(_by(one) != "neither" for one in wrong)
        every_day = sum(bool(one["verify"]) for one in wrong)
        lines += [
            f"`verify` with {max(row['blocks'] for row in rows):,} blocks is the test of a core "
            f"in `make test-full`: it catches {every_day} of {len(wrong)} "
            f"({every_day / len(wrong):.1%}). With the proofs {either} are caught "
            f"({either / len(wrong):.1%}).",
            "",
        ]
    lacking = [name for name in ciphers() if name not in {row["preset"] for row in rows}]
    if lacking:
        lines += [f"Not tried yet: {', '.join(f'`{name}`' for name in lacking)}.", ""]
    if survivors:
        lines += ["Not caught by `prove`:", "", *survivors, ""]
    return "\n".join(lines)
