"""Measure many points of the design space in parallel, with dask.distributed.

A space is a TOML file of tables. Each `[[points]]` is the product of what it lists: `preset` (a
name, several, or "*"), any axes, `targets`, and `delay` in ps for libraries of cells. An axis that
is not listed has the default of the preset; "*" is all legal values. Presets that cannot have a
value are left out if several are listed, and so are combinations that do not exist. `unplaced` is a
reason to map the points and not to place them; where two blocks have a point, the first one says.
Each `[[modules]]` is the same for a part of a core: `module` and `parameters`.

Points with a current row are skipped. Each row is written to the disk before the next one. Placed
targets are swept twice: each point with one seed, then those whose frequency counts with more.
"""

import json
import os
import socket
import statistics
import sys
import time
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

from aesforge import cache
from aesforge.core.sources import closure, digest, files, fingerprint, include, text
from aesforge.errors import ToolMissing, UserError, unknown
from aesforge.flows.measure import subject
from aesforge.flows.synth import (
    MEASURED,
    Subject,
    core,
    current,
    identity,
    measure,
    row,
    same_netlist,
    still_fails,
    synth,
    tools_of,
)
from aesforge.progress import hidden
from aesforge.results import store
from aesforge.results.blocks import of_aes
from aesforge.results.front import front
from aesforge.results.goals import with_goals
from aesforge.results.layered import slowed
from aesforge.space.axes import AXES, OWN_AXES, Config
from aesforge.space.legality import lacks
from aesforge.space.presets import Preset, preset, presets
from aesforge.space.promises import promised
from aesforge.space.targets import Target, target, targets
from aesforge.tools import yosys
from aesforge.tools.process import ToolFailed, ToolTimeout, within


@dataclass(frozen=True)
class Point:
    """A configuration of a preset, or a module with parameters, on a target.

    `config` are axes, or parameters; `delay_ps` is for libraries, None for their default.
    `unplaced` says why the point is not placed.
    """

    preset: str
    module: str
    config: Mapping[str, str]
    target: str
    delay_ps: int | None = None
    unplaced: str = field(default="", compare=False)

    @property
    def row(self) -> store.Row:
        """The fields of its row that identify the point."""
        name = {"preset": self.preset} if self.preset else {"preset": None, "core": self.module}
        delay = target(self.target, self.delay_ps).delay_ps
        return {**name, "config": dict(self.config), "target": self.target, "delay_ps": delay}

    def __str__(self) -> str:
        axes = " ".join(f"{axis}={value}" for axis, value in self.config.items())
        if self.preset:
            axes = preset(self.preset).choices(Config(**self.config))
        delay = f" {self.delay_ps} ps" if self.delay_ps is not None else ""
        return f"{self.preset or self.module} {axes} on {self.target}{delay}"


# The space ---------------------------------------------------------------------------------------


def _list(value: object, what: str) -> list[Any]:
    values = value if isinstance(value, list) else [value]
    if not values or not all(isinstance(item, str | int) for item in values):
        raise UserError(f"{what} is {value!r}; give a value, or a list of them")
    return values


def _values(chosen: Preset, axis: str, values: list[str]) -> Sequence[str]:
    """Those of `values` that a preset has; of a layer it also has lists of modes."""
    legal = chosen.legal(axis)
    return legal if "*" in values else [v for v in values if v in legal or axis not in OWN_AXES]


def _configs(chosen: Preset, axes: Mapping[str, list[str]], strict: bool) -> list[Config]:
    """The configurations of a preset with these axes; UserError when `strict` and there is none."""
    for axis, values in axes.items():
        legal = chosen.legal(axis)
        wrong = [value for value in values if value not in ("*", *legal) and axis in OWN_AXES]
        if wrong and strict:
            raise UserError(
                f"{chosen.name} has {axis}={' or '.join(legal)}, not {wrong[0]}; correct the space"
            )
    wanted = [
        _values(chosen, axis, axes[axis]) if axis in axes else chosen.legal(axis)[:1]
        for axis in AXES
    ]
    found = [Config(**dict(zip(AXES, values, strict=True))) for values in product(*wanted)]
    return [config for config in found if not lacks(config)]


def _where(block: dict[str, Any], only: Sequence[str]) -> list[tuple[str, int | None]]:
    named = _list(block.pop("targets"), "targets") if "targets" in block else list(only)
    if not named:
        raise UserError("no target to measure on; give --targets, or targets in the space")
    for name in named:
        target(name)
    delays = [int(ps) for ps in _list(block.pop("delay", -1), "delay")]
    return [
        (name, None if ps == -1 or not targets()[name].liberty else ps)
        for name in named
        if not only or name in only
        for ps in (delays if targets()[name].liberty else [-1])
    ]


def space(path: Path, only: Sequence[str] = ()) -> list[Point]:
    """The points of a space, on the targets of `only` if any; UserError on a bad space."""
    try:
        said = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}; name a TOML file") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UserError(f"{path} is not valid TOML: {error}") from None
    for name in only:
        target(name)
    if strange := said.keys() - {"points", "modules"}:
        raise unknown("table of a space", min(strange), ("points", "modules"))
    points: dict[Point, None] = {}
    for block in said.get("points", []):
        points = dict.fromkeys([*points, *_points(dict(block), only)])
    for block in said.get("modules", []):
        points |= dict.fromkeys(_modules(dict(block), only))
    if not points:
        raise UserError(f"{path} has no point on these targets; see 'aesforge sweep -h' for one")
    return list(points)


def _points(block: dict[str, Any], only: Sequence[str]) -> Iterator[Point]:
    names = _list(block.pop("preset", "*"), "preset")
    unplaced = str(block.pop("unplaced", ""))
    where = _where(block, only)
    axes: dict[str, list[str]] = {}
    for axis, given in block.items():
        if axis not in AXES:
            raise unknown("axis", axis, (*AXES, "preset", "targets", "delay", "unplaced"))
        values = [str(value) for value in _list(given, axis)]
        axes[axis] = [v if v == "*" else AXES[axis].chosen(v) for v in values]
    chosen = list(presets().values()) if "*" in names else [preset(name) for name in names]
    for one in chosen:
        for config in _configs(one, axes, strict=len(chosen) == 1):
            for name, delay in where:
                yield Point(one.name, "", _Frozen(config.as_dict()), name, delay, unplaced)


def _modules(block: dict[str, Any], only: Sequence[str]) -> Iterator[Point]:
    where = _where(block, only)
    module, given = block.pop("module", ""), block.pop("parameters", {})
    if block:
        raise unknown("word of [[modules]]", min(block), ("module", "parameters", "targets"))
    closure(module)
    values = [[str(v) for v in _list(value, name)] for name, value in given.items()]
    for chosen in product(*values):
        for name, delay in where:
            yield Point("", module, _Frozen(zip(given, chosen, strict=True)), name, delay)


class _Frozen(dict[str, str]):
    """A mapping that can be hashed."""

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(tuple(self.items()))


# One point ---------------------------------------------------------------------------------------


def state() -> str:
    """A digest of all sources, which must be the same on every worker."""
    return fingerprint(path.stem for path in files())


def _subject(point: Point) -> Subject:
    if point.preset:
        return core(Config(**point.config))
    given = [f"{name}={value}" for name, value in point.config.items()]
    sources = closure(point.module)
    own = text(next(path for path in sources if path.stem == point.module))
    clock = "clk_i" if "clk_i" in own else "none"
    return subject(sources, point.module, clock, include=[include()], parameters=given)


def _identity(point: Point, on: Target) -> dict[str, Any]:
    """What a row of a point is made from; elaborated once for all targets where it is the same."""

    def elaborated() -> dict[str, Any]:
        return identity(_subject(point), on)

    area_alone = bool(on.liberty) and not on.delay_ps
    what = (point.module, sorted(point.config.items()), on.clock, area_alone)
    found = cache.value("identity", digest(state(), what, yosys.version()), elaborated)
    versions = found["versions"] | tools_of(on)
    kept = {tool: versions[tool] for tool in (*tools_of(on), "aesforge")}
    return {**found, "target_hash": on.fingerprint, "versions": kept}


def _restated(point: Point, known: store.Row) -> store.Row:
    """The row of a point from earlier sources as one of these, if its netlist is the same."""
    on = target(point.target, point.delay_ps)
    made_from = _identity(point, on)
    return {**known, **made_from} if same_netlist(known, made_from) else known


def _measured(
    point: Point, known: Mapping[str, Any] | None, seeds: int, restate: bool
) -> store.Row:
    if restate:
        assert known is not None, "there is no row to restate"
        return _restated(point, dict(known))
    on = target(point.target, point.delay_ps).with_seeds(seeds)
    if known and known.get("failed"):
        # A change elsewhere is no reason to try a failed point again.
        made_from = _identity(point, on)
        if still_fails(known, made_from):
            return {**known, **made_from}
    if point.preset:
        config = Config(**point.config)
        return synth(preset(point.preset), config, on, known, parallel=1, unplaced=point.unplaced)
    found = measure(_subject(point), on, known, parallel=1)
    what = {"preset": None, "core": point.module, "config": dict(point.config), "key_bits": None}
    return row(what, on, found, None, None)


def failed(point: Point, reason: str, seconds: float) -> store.Row:
    """The row of a point that could not be measured."""
    top = Config(**point.config).module if point.preset else point.module
    names = sorted(path.stem for path in closure(top))
    nothing: dict[str, Any] = dict.fromkeys((*MEASURED, *store.FIELDS, "netlist"))
    on = target(point.target, point.delay_ps)
    clocks: dict[str, Any] = {}
    if point.preset:
        config = Config(**point.config)
        promise = promised(config, config.key_sizes[0])
        clocks = {
            "cycles_per_block": promise.cycles_per_block,
            "latency_cycles": promise.latency,
            "key_bits": config.key_sizes[0],
        }
    # Another netlist or another version of a tool is a reason to try again.
    made_from: dict[str, Any] = {
        "sources": names,
        "source_hash": fingerprint(names),
        "target_hash": on.fingerprint,
        "versions": {},
    }
    with suppress(ToolMissing):
        made_from["versions"] = tools_of(on)
        with suppress(ToolFailed):
            made_from = _identity(point, on)
    return {
        **nothing,
        **point.row,
        **clocks,
        "device": on.part or on.name,
        **made_from,
        "seconds": round(seconds, 1),
        "failed": reason,
    }


def _brief(reason: str, most: int = 300) -> str:
    """A reason on one line: the tool that failed, and the end of its output."""
    line = " ".join(reason.split())
    return line if len(line) <= most else f"{line[:20].rstrip()} ... {line[25 - most :].lstrip()}"


def work(
    point: Point,
    known: Mapping[str, Any] | None,
    timeout: float | None,
    sources: str,
    seeds: int = 1,
    restate: bool = False,
) -> store.Row:
    """Measure a point on a worker; a tool that fails or takes too long makes a failed row.

    UserError when the sources of the worker differ from those of the sweep.
    """
    if state() != sources:
        raise UserError(
            f"the worker on {socket.gethostname()} has other RTL sources; "
            "install the same aesforge on all workers"
        )
    start = time.monotonic()
    try:
        with within(timeout), hidden():
            return _measured(point, known, seeds, restate)
    except ToolTimeout as error:
        return failed(point, f"stopped after {timeout:g} s: {error}", time.monotonic() - start)
    except ToolFailed as error:
        return failed(point, _brief(str(error)), time.monotonic() - start)
    except (ValueError, KeyError, ArithmeticError) as error:
        return failed(point, f"{type(error).__name__}: {error}"[:300], time.monotonic() - start)


# All points --------------------------------------------------------------------------------------


@contextmanager
def _client(scheduler: str | None, jobs: int) -> Iterator[Any]:
    import dask
    from distributed import Client, LocalCluster

    if scheduler is not None:
        try:
            client = Client(scheduler, timeout=10)
        except (OSError, ValueError, TimeoutError) as error:
            raise UserError(
                f"no dask scheduler answers at {scheduler} ({error}); "
                "start one with 'dask scheduler', or leave --scheduler out"
            ) from None
        with client:
            yield client
        return
    settings = {
        "distributed.scheduler.allowed-failures": 1,
        "distributed.worker.memory.terminate": False,
        "logging.distributed": "error",
    }
    with (
        dask.config.set(settings),
        LocalCluster(
            n_workers=jobs,
            threads_per_worker=1,
            processes=True,
            # Any free port, as another sweep may be running.
            dashboard_address=":0",
            silence_logs=50,
        ) as cluster,
        Client(cluster) as client,
    ):
        yield client


@contextmanager
def _lasting(table: Path) -> Iterator[None]:
    """A scheduler that ends is an error which says what is kept."""
    from concurrent.futures import CancelledError

    from distributed.comm.core import CommClosedError

    try:
        yield
    except (CancelledError, CommClosedError):
        raise UserError(
            f"the dask scheduler ended; what was measured until then is in {table}: start a "
            "scheduler, and sweep again to measure the rest"
        ) from None


def _seconds(point: Point, rows: Sequence[store.Row], old: Mapping[str, Any] | None) -> float:
    """The estimated time of a point, from its older row or from similar points."""
    if old and old.get("seconds"):
        return float(old["seconds"])
    like = [r for r in rows if r["target"] == point.target and r.get("seconds")]
    module = Config(**point.config).module if point.preset else point.module
    near = [r for r in like if r["preset"] and Config(**r["config"]).module == module]
    return statistics.median(float(r["seconds"]) for r in near or like) if near or like else 60.0


@contextmanager
def _bar(total: float, left: int) -> Iterator[Any]:
    """Report each finished point: with a bar on a terminal, else with a line."""
    if not sys.stderr.isatty():
        done = 0

        def line(text: str, _seconds: float) -> None:
            nonlocal done
            done += 1
            print(f"{done}/{left} {text}", file=sys.stderr, flush=True)

        yield line
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.fields[done]}/{task.fields[left]}"),
        BarColumn(),
        TimeElapsedColumn(),
        TextColumn("about"),
        TimeRemainingColumn(),
        TextColumn("left; {task.description}", markup=False),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=total, done=0, left=left)
        done = 0

        def show(text: str, seconds: float) -> None:
            nonlocal done
            done += 1
            bar.update(task, advance=seconds, description=text, done=done)

        yield show


def _figures(found: store.Row) -> str:
    if found["failed"]:
        return f"failed: {found['failed']}"
    if found["too_large"]:
        return str(found["too_large"])
    if found.get("unplaced") and not found["fmax_mhz"]:
        return f"{found['lut']:,} LUT, not placed: {found['unplaced']}"
    area = f"{found['ge']:,} GE" if found["ge"] is not None else f"{found['lut']:,} LUT"
    return f"{area}, {found['fmax_mhz']} MHz" if found["fmax_mhz"] else area


_NEAR = 0.1
"""The share of throughput by which one seed may misplace a point relative to a front."""


def _more_seeds(
    points: Sequence[Point], stored: Mapping[Any, store.Row], seeds: int
) -> list[tuple[Point, store.Row | None]]:
    """The points whose frequency counts, and whose rows have fewer than `seeds` seeds.

    It counts on a front, for a goal, and where a layer seems to slow down its core.
    """
    rows = list(stored.values())
    wanted: set[Any] = {store.point(one) for one in (*with_goals(rows), *slowed(rows))}
    timed = of_aes(one for one in rows if one["preset"] and one.get("fmax_by_seed"))
    for name in {one["target"] for one in timed}:
        here = [{**one, "area": one["lut"]} for one in timed if one["target"] == name]
        wanted |= {store.point(dict(one)) for one in front(here, _NEAR)}
    again: list[tuple[Point, store.Row | None]] = []
    for one in points:
        old = stored[store.point(one.row)]
        placed = old.get("fmax_by_seed")
        few = placed and len(placed) < len(target(one.target).with_seeds(seeds).seeds)
        if few and store.point(old) in wanted:
            again.append((one, old))
    return again


def sweep(
    points: Sequence[Point],
    table: Path,
    scheduler: str | None = None,
    jobs: int | None = None,
    timeout: float | None = None,
    retry: bool = False,
    seeds: int = 5,
    restate: bool = False,
) -> dict[str, Any]:
    """Measure the points that `table` lacks, and add their rows.

    For the user's own store, the rows that are part of aesforge count too.

    On placed targets each point has one seed; a point on a Pareto front, or near it, or with a goal
    of the project, or whose layers seem to slow down its core, has `seeds`. With `restate` nothing
    is measured: stale rows whose netlists are those of the sources as they are become rows of these
    sources, and all others are left.

    `scheduler` is the address of a dask scheduler; without one, a local cluster has `jobs` workers,
    by default one per processor. A point may take `timeout` seconds. A failed point is measured
    again only with `retry`, or when its sources changed.
    """
    if jobs is not None and jobs < 1:
        raise UserError(f"{jobs} workers cannot measure; give --jobs 1 or more")
    if timeout is not None and timeout <= 0:
        raise UserError(f"a point cannot take {timeout:g} s; give --timeout more than 0")
    # Damaged rows are moved aside now, and their points measured again.
    store.compact(table)
    rows = store.known(table)
    stored = {store.point(r): r for r in rows}
    todo: list[tuple[Point, store.Row | None]] = []
    for one in points:
        old = stored.get(store.point(one.row))
        fresh = old and not store.stale(old) and current(old["versions"])
        anew = retry and bool(old and old.get("failed"))
        if old if restate and not fresh else not fresh or anew:
            todo.append((one, None if anew else old))
    jobs = jobs or os.cpu_count() or 1
    start = time.monotonic()

    def run(some: list[tuple[Point, store.Row | None]], seeds: int, what: str) -> None:
        costs = {one: _seconds(one, rows, old) for one, old in some}
        print(f"{what} about {sum(costs.values()) / 60 / jobs:,.0f} min on {jobs} workers", **to)
        # The longest first, so that no worker is left alone with it; those of --restate are short.
        some.sort(key=lambda pair: costs[pair[0]], reverse=not restate)
        _run(some, table, costs, scheduler, jobs, timeout, seeds, restate)
        store.compact(table)

    to: dict[str, Any] = {"file": sys.stderr, "flush": True}
    if todo:
        done = f"{len(points):,} points, {len(points) - len(todo):,} of them stored"
        run(todo, 1, f"{done}; the rest takes")
    stored = {store.point(r): r for r in store.known(table)}
    again = [] if restate else _more_seeds(points, stored, seeds)
    if again:
        run(again, seeds, f"{len(again):,} points whose frequency counts, {seeds} seeds each:")
    stored = {store.point(r): r for r in store.known(table)}
    found = [stored[key] for key in (store.point(one.row) for one in points) if key in stored]
    broken = [r for r in found if r.get("failed")]
    return {
        "points": len(points),
        "measured": len(todo),
        "more_seeds": len(again),
        "stale": sum(bool(store.stale(r)) for r in found),
        "stored": len(points) - len(todo),
        "failed": len(broken),
        "without_place": sum(bool(r.get("too_large")) for r in found),
        "seconds": round(time.monotonic() - start, 1),
        "store": str(table),
        "holds": not broken,
        "rows": found,
    }


def _run(
    todo: Sequence[tuple[Point, store.Row | None]],
    table: Path,
    costs: Mapping[Point, float],
    scheduler: str | None,
    jobs: int,
    timeout: float | None,
    seeds: int,
    restate: bool,
) -> None:
    from distributed import as_completed
    from distributed.scheduler import KilledWorker

    with (
        _lasting(table),
        _client(scheduler, jobs) as client,
        _bar(sum(costs.values()), len(todo)) as report,
    ):
        futures = {
            client.submit(work, one, old, timeout, state(), seeds, restate, pure=False): one
            for one, old in todo
        }
        for future in as_completed(futures):
            one, error = futures[future], future.exception()
            if isinstance(error, KilledWorker):
                done = failed(one, "the worker ended each time while this was measured", 0.0)
            elif error is not None:
                raise error
            else:
                done = json.loads(json.dumps(future.result()))
            store.append(table, [done])
            report(f"{one}: {_figures(done)}", costs[one])
