"""Measure other open cores with the flow of our own, from clones of their repositories.

`results/peers.toml` names each core with its repository and commit, and `results/peers.jsonl` has
its rows. Every core is mapped with each effort of our own points: whole and with its tables mapped
on their own, and in standard cells with gates sized for several delays.
"""

import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from aesforge.core.sources import digest
from aesforge.errors import ToolMissing, UserError, unknown
from aesforge.flows import measure, synth
from aesforge.results import store
from aesforge.results.peers import ROWS, listed
from aesforge.space.targets import Target, target
from aesforge.tools.process import ToolFailed, call

TARGETS = ("ecp5", "xc7", "osu018")

DELAYS = (1000, 1300, 2000)
"""Standard cells: gates are sized for each of these, in ps."""


@dataclass(frozen=True)
class Effort:
    """One mapping of another core: its modules in `keep` are mapped on their own."""

    core: dict[str, Any]
    keep: tuple[str, ...]
    on: Target

    def __str__(self) -> str:
        kept = f" with {', '.join(self.keep)} on their own" if self.keep else ""
        delay = f" {self.on.delay_ps} ps" if self.on.liberty else ""
        return f"{self.core['name']}{kept} on {self.on.name}{delay}"

    @property
    def config(self) -> dict[str, str]:
        """What a row of this mapping is known by."""
        parameters = dict(one.split("=") for one in self.core.get("parameters", ()))
        return {"peer": self.core["name"], "keep": " ".join(self.keep), **parameters}


def efforts(cores: Sequence[dict[str, Any]], names: Sequence[str], seeds: int) -> Iterator[Effort]:
    """Each core on each of the targets that it can be mapped for, in each way."""
    for core in cores:
        for name in names:
            if name not in core.get("targets", names):
                continue
            for delay in DELAYS if target(name).liberty else (None,):
                for keep in dict.fromkeys(((), tuple(core.get("keep", ())))):
                    yield Effort(core, keep, target(name, delay).with_seeds(seeds))


def _read(clone: Path, commit: str, path: str) -> bytes:
    """A file of a commit, byte for byte; what is checked out does not matter."""
    found = subprocess.run(
        ["git", "-C", clone, "show", f"{commit}:{path}"], capture_output=True, check=False
    )
    if found.returncode:
        reason = found.stderr.decode(errors="replace").strip().splitlines()[-1]
        raise UserError(
            f"cannot read {path} of commit {commit[:12]} in {clone}: {reason}; "
            "clone the repository whole, with all branches"
        )
    return found.stdout


def unpacked(core: dict[str, Any], clones: Path, adapters: dict[str, str], folder: Path) -> None:
    """Write the files of a core at its commit into `folder`, or make them from others.

    UserError if they are not there; ToolMissing or ToolFailed if they cannot be made.
    """
    clone = clones / core["source"]
    if not clone.is_dir():
        raise UserError(
            f"there is no {clone}; clone the repository {core['source']} there, or name other cores"
        )
    made = "prepare" in core
    for path in (*([] if made else core["files"]), *core.get("also", ())):
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(_read(clone, core["commit"], path))
    if made:
        for program in core["needs"]:
            if shutil.which(program) is None:
                raise ToolMissing(
                    f"{program} is missing; install it to prepare {core['name']}, or name "
                    "other cores"
                )
        call(f"what prepares {core['name']}", ["bash", "-ec", core["prepare"]], cwd=folder)
    if adapter := core.get("adapter"):
        (folder / f"{adapter}.sv").write_text(adapters[adapter], encoding="utf-8")


def _files(core: dict[str, Any], folder: Path) -> list[Path]:
    """What the tools read of an unpacked core."""
    adapters = [f"{core['adapter']}.sv"] if "adapter" in core else []
    return [folder / path for path in (*core["files"], *adapters)]


def _measured(one: Effort, folder: Path, known: store.Row | None) -> store.Row:
    core = one.core
    row = measure.measure(
        _files(core, folder),
        core["top"],
        one.on,
        core["cycles_per_block"],
        None,
        128,
        known,
        include=[folder / path for path in core.get("include", ())],
        define=core.get("define", ()),
        parameters=core.get("parameters", ()),
        keep=one.keep,
    )
    return {**row, "config": one.config, "commit": core["commit"]}


def _is_current(row: store.Row, one: Effort, folder: Path) -> bool:
    return (
        row["commit"] == one.core["commit"]
        and row["source_hash"] == digest(*_files(one.core, folder))[:12]
        and row["target_hash"] == one.on.fingerprint
        and synth.current(row["versions"])
        and synth.has_seeds(row, one.on)
    )


def peers(
    clones: Path,
    names: Sequence[str] = (),
    targets: Sequence[str] = TARGETS,
    seeds: int = 3,
    table: Path | None = None,
) -> dict[str, Any]:
    """Measure other cores, by default all of them, and record the rows in `table`.

    `clones` has a clone of each repository at OWNER/NAME. Rows of the same files, target and tools
    are kept. A mapping that fails is reported and has no row. UserError when a name is unknown, or
    a clone lacks a commit; ToolMissing without git.
    """
    if shutil.which("git") is None:
        raise ToolMissing("git is missing; install it to read commits of clones")
    for name in targets:
        target(name)
    said, table = listed(), table or store.path(ROWS)
    known = {core["name"]: core for core in said["cores"]}
    for name in names:
        if name not in known:
            raise unknown("core", name, list(known))
    chosen = [core for name, core in known.items() if name in names or not names]
    rows = {store.point(row): row for row in store.load(table)}
    failed, measured, kept = [], 0, 0
    with TemporaryDirectory(prefix="aesforge-") as scratch:
        # All files first: a missing clone is no surprise after an hour.
        for core in chosen:
            unpacked(core, clones, said["adapters"], Path(scratch) / core["name"])
        for one in efforts(chosen, targets, seeds):
            wanted = {"preset": None, "core": one.core["top"], "config": one.config}
            wanted |= {"target": one.on.name, "delay_ps": one.on.delay_ps}
            old, folder = rows.get(store.point(wanted)), Path(scratch) / one.core["name"]
            if old and _is_current(old, one, folder):
                kept += 1
                continue
            start = time.monotonic()
            try:
                row = _measured(one, folder, old)
            except ToolMissing:
                raise
            except (ToolFailed, UserError) as error:
                failed.append({"what": str(one), "why": str(error)})
                continue
            store.record(table, [row])
            measured += 1
            print(f"{one}: {time.monotonic() - start:,.0f} s", file=sys.stderr, flush=True)
    return {
        "cores": len(chosen),
        "measured": measured,
        "stored": kept,
        "failed": failed,
        "holds": not failed,
        "store": str(table),
    }
