"""Sweeps: what a space says, nothing measured twice, nothing lost."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from suite import slow

from aesforge.errors import UserError
from aesforge.flows import sweep
from aesforge.results import store
from aesforge.space.presets import presets
from aesforge.space.targets import targets

SMALL = """
[[modules]]
module = "aes_sub_bytes_pipelined"
parameters = {{ Bytes = 1, Sbox = [0, 1], Latency = {latency}, Direction = {direction} }}
targets = "xc5v"
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "space.toml"
    path.write_text(text)
    return path


def run(*words: object, **env: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "aesforge.cli.main", "sweep", *map(str, words), "--json"],
        capture_output=True,
        check=False,
        env={**os.environ, **env},
    )


def test_a_space_is_a_product_of_what_is_legal(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        """
        [[points]]
        preset = ["sklavos-ake", "hodjat-lut-2"]
        keys = "128"
        direction = "*"
        key_schedule = "*"
        targets = ["ecp5", "osu018"]
        delay = [0, 2000]
        """,
    )
    points = sweep.space(path)
    named = {(p.preset, p.config["direction"], p.config["key_schedule"]) for p in points}
    # On-the-fly keys of a pipeline go with encryption alone, and a given one starts decryption.
    assert named == {
        *(("sklavos-ake", way, "on_the_fly") for way in ("encrypt", "decrypt", "both")),
        *(("sklavos-ake", way, "given") for way in ("decrypt", "both")),
        *(("hodjat-lut-2", way, "stored") for way in ("encrypt", "decrypt", "both")),
        ("hodjat-lut-2", "encrypt", "on_the_fly"),
    }
    # A device has no delay to aim at.
    assert len(points) == 3 * len(named)
    assert len(sweep.space(path, ["ecp5"])) == len(named)


def test_a_delay_of_0_is_one(tmp_path: Path) -> None:
    text = "[[points]]\npreset = 'fan'\ntargets = 'osu018'\ndelay = {}"
    delays = [sweep.space(write(tmp_path, text.format(ps)))[0].delay_ps for ps in ("0", "[0]")]
    assert delays == [0, 0]


def test_a_list_of_modes_is_one_value(tmp_path: Path) -> None:
    text = "[[points]]\npreset = 'fan'\nmode = ['none', 'ccm,ctr', 'cmac']\ntargets = 'ecp5'"
    points = sweep.space(write(tmp_path, text))
    assert [point.config["mode"] for point in points] == ["none", "ctr,ccm", "cmac"]


def test_the_shipped_space_has_every_preset_on_every_target() -> None:
    points = sweep.space(store.path().with_name("space.toml"))
    assert {(point.preset, point.target) for point in points if point.preset} == {
        (name, target) for name in presets() for target in targets()
    }


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[[points]]\npreset = 'sklavos'\ntargets='ecp5'", "did you mean 'sklavos-"),
        ("[[points]]\npreset = 'sklavos-ake'\nkeys = 256\ntargets='ecp5'", "has keys=128, not 256"),
        ("[[points]]\nkey = 128\ntargets='ecp5'", "unknown axis 'key'"),
        ("[[points]]\nkeys = 12\ntargets='ecp5'", "unknown value of keys '12'"),
        ("[[points]]\nmode = 'ctr,ctr'\ntargets='ecp5'", "not a list of different values"),
        ("[[points]]\nkeys = 128", "no target to measure on"),
        ("[[points]]\nkeys = 128\ntargets='ecp6'", "did you mean 'ecp5'"),
        ("[[point]]\nkeys = 128", "unknown table of a space"),
        ("[[points]\n", "is not valid TOML"),
        ("", "has no point"),
        ("[[modules]]\nmodule='aes_nothing'\ntargets='xc7'", "no module 'aes_nothing'"),
    ],
)
def test_a_bad_space_is_refused(text: str, says: str, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=says):
        sweep.space(write(tmp_path, text))


@slow
def test_a_sweep_measures_once_and_only_what_changed(tmp_path: Path) -> None:
    path, table = write(tmp_path, SMALL.format(latency=0, direction=0)), tmp_path / "rows.jsonl"
    words = (path, "--store", table, "--jobs", 1)
    first = run(*words)
    assert first.returncode == 0, first.stderr
    document = json.loads(first.stdout)
    assert (document["points"], document["measured"], document["failed"]) == (2, 2, 0)
    assert [row["core"] for row in document["rows"]] == ["aes_sub_bytes_pipelined"] * 2
    # Neither a tool nor a worker is started: nothing may be written into the cache.
    nowhere = tmp_path / "nowhere"
    again = run(*words, AESFORGE_CACHE=str(nowhere))
    assert json.loads(again.stdout)["measured"] == 0
    assert not nowhere.exists()
    # Of a damaged line the point is measured again, and of no other.
    lines = table.read_text().splitlines()
    table.write_text(lines[0][:-30] + "\n" + lines[1] + "\n")
    mended = run(*words)
    assert json.loads(mended.stdout)["measured"] == 1
    assert b"damaged" in mended.stderr
    assert len(store.load(table)) == 2


@slow
def test_a_point_that_takes_too_long_is_a_row_that_says_so(tmp_path: Path) -> None:
    path, table = write(tmp_path, SMALL.format(latency=1, direction=1)), tmp_path / "rows.jsonl"
    env = {"AESFORGE_CACHE": str(tmp_path / "cache")}
    words = (path, "--store", table, "--jobs", 1)
    done = run(*words, "--timeout", 0.05, **env)
    assert done.returncode == 1
    rows = store.load(table)
    assert [row["failed"].startswith("stopped after 0.05 s") for row in rows] == [True] * 2
    assert json.loads(run(*words, **env).stdout)["measured"] == 0
    retried = json.loads(run(*words, "--retry", **env).stdout)
    assert (retried["measured"], retried["failed"]) == (2, 0)


@slow
def test_what_failed_is_tried_again_with_another_netlist_alone(tmp_path: Path) -> None:
    """As what was measured is kept by its netlist, whatever changed in the sources beside it."""
    path = write(tmp_path, SMALL.format(latency=0, direction=0))
    point = sweep.space(path)[0]
    broken = sweep.failed(point, "the mapping never ended", 9.0)
    edited = {**broken, "source_hash": "of other text"}
    kept = sweep.work(point, edited, None, sweep.state())
    assert (kept["failed"], kept["seconds"]) == (broken["failed"], 9.0)
    assert kept["source_hash"] == broken["source_hash"]
    other = sweep.work(point, {**edited, "netlist": "of another core"}, None, sweep.state())
    assert other["failed"] is None
    assert other["lut"]


def test_points_on_a_front_or_with_a_goal_have_more_seeds(tmp_path: Path) -> None:
    text = """[[points]]
preset = ["sklavos-ake", "hodjat-lut-1", "aesforge-interleaved", "aesforge-compact"]
keys = "128"
direction = "encrypt"
idle_output = "register"
targets = ["ecp5", "gatemate"]
"""
    points = sweep.space(write(tmp_path, text))
    figures = {
        ("sklavos-ake", "ecp5"): (3000, 1000),  # on the front
        ("aesforge-compact", "ecp5"): (3500, 950),  # near it, in the reach of one seed
        ("hodjat-lut-1", "ecp5"): (9000, 700),  # neither
        ("aesforge-interleaved", "ecp5"): (9000, 800),  # a goal
    }
    stored = {}
    for one in points:
        lut, mbps = figures.get((one.preset, one.target), (1000, 1000))
        found = {"lut": lut, "bram": 0, "throughput_mbps": mbps, "fmax_by_seed": {"1": 9.0}}
        stored[store.point(one.row)] = one.row | found
    again = {one.preset: one.target for one, _ in sweep._more_seeds(points, stored, 5)}
    # GateMate has one seed in any case.
    assert set(again.values()) == {"ecp5"}
    assert set(again) == {"sklavos-ake", "aesforge-compact", "aesforge-interleaved"}
    assert sweep._more_seeds(points, stored, 1) == []


def test_layers_that_seem_to_slow_down_a_core_have_more_seeds(tmp_path: Path) -> None:
    text = """[[points]]
preset = ["sklavos-ake", "aesforge-compact"]
keys = "128"
mode = ["none", "ctr"]
direction = "encrypt"
targets = "ecp5"
"""
    points = sweep.space(write(tmp_path, text))
    stored = {}
    for one in points:
        slow = one.preset == "sklavos-ake" and one.config["mode"] == "ctr"
        mhz = 94.0 if slow else 100.0
        found = {"lut": 9000, "bram": 0, "throughput_mbps": 1, "fmax_mhz": mhz}
        stored[store.point(one.row)] = one.row | found | {"fmax_by_seed": {"1": mhz}}
    stored["module"] = {"preset": None, "core": "aes_ctr", "config": {"CounterBits": "128"}}
    stored["module"] |= {"target": "ecp5", "delay_ps": None}
    # One on the front, so that no other is near it.
    best = next(row for row in stored.values() if row["preset"] == "aesforge-compact")
    best |= {"lut": 1, "throughput_mbps": 9000}
    again = [one for one, _ in sweep._more_seeds(points, stored, 5)]
    wanted = {(one.preset, one.config["mode"]) for one in again}
    assert {("sklavos-ake", "none"), ("sklavos-ake", "ctr")} <= wanted
    assert ("aesforge-compact", "ctr" if best["config"]["mode"] == "none" else "none") not in wanted


def test_the_first_block_with_a_point_says_whether_it_is_placed(tmp_path: Path) -> None:
    block = '[[points]]\npreset = "sklavos-ake"\nkeys = "128"\ntargets = "ecp5"\n'
    points = sweep.space(write(tmp_path, f'{block}unplaced = "dominated"\n{block}'))
    assert [point.unplaced for point in points] == ["dominated"]


def test_a_long_reason_keeps_who_fails_and_its_end() -> None:
    reason = sweep._brief(
        "nextpnr failed:\n" + "Warning: no place\n" * 100 + "ERROR: the device is full"
    )
    assert reason.startswith("nextpnr failed: ")
    assert reason.endswith(" ERROR: the device is full")
    assert len(reason) <= 300
    assert sweep._brief("nextpnr failed:\nERROR: full") == "nextpnr failed: ERROR: full"


@slow
def test_a_scheduler_that_does_not_answer_is_an_error(tmp_path: Path) -> None:
    path = write(tmp_path, SMALL.format(latency=0, direction=1))
    done = run(path, "--store", tmp_path / "r.jsonl", "--scheduler", "tcp://127.0.0.1:9")
    assert done.returncode == 2
    assert b"no dask scheduler answers" in done.stderr


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """The address of a scheduler; two workers and the scheduler, each a process of its own."""
    where = tmp_path / "scheduler.json"
    dask = [sys.executable, "-m", "distributed.cli.dask_scheduler"]
    scheduler = subprocess.Popen(
        [
            *dask,
            "--host",
            "127.0.0.1",
            "--port",
            "0",
            "--no-dashboard",
            "--scheduler-file",
            where,
        ],
        stderr=subprocess.DEVNULL,
    )
    while not where.is_file() or not where.read_text():
        assert scheduler.poll() is None
        time.sleep(0.1)
    address = json.loads(where.read_text())["address"]
    worker = [sys.executable, "-m", "distributed.cli.dask_worker", address, "--nthreads", "1"]
    workers = [
        subprocess.Popen(
            [*worker, "--no-nanny", "--no-dashboard", "--local-directory", tmp_path / name],
            stderr=subprocess.DEVNULL,
        )
        for name in ("one", "two")
    ]
    try:
        yield address, [*workers, scheduler]
    finally:
        for process in (*workers, scheduler):
            process.kill()
            process.wait()


@slow
def test_a_scheduler_that_ends_in_a_sweep_is_an_error(
    cluster: tuple[str, list[subprocess.Popen[bytes]]], tmp_path: Path
) -> None:
    address, (*_, scheduler) = cluster
    table = tmp_path / "rows.jsonl"
    path = write(tmp_path, SMALL.format(latency=0, direction="[0, 1]"))
    words = ("sweep", path, "--store", table, "--scheduler", address)
    sweeping = subprocess.Popen(
        [sys.executable, "-m", "aesforge.cli.main", *words], stderr=subprocess.PIPE
    )
    while not table.is_file() or not store.load(table):
        assert sweeping.poll() is None
        time.sleep(0.1)
    scheduler.kill()
    _, said = sweeping.communicate(timeout=300)
    assert sweeping.returncode == 2, said
    # Dask may log the loss before.
    assert b"aesforge: the dask scheduler ended" in said.splitlines()[-1]


@slow
def test_nothing_is_lost_when_a_worker_is_killed(
    cluster: tuple[str, list[subprocess.Popen[bytes]]], tmp_path: Path
) -> None:
    address, workers = cluster
    table = tmp_path / "rows.jsonl"
    path = write(tmp_path, SMALL.format(latency=0, direction="[0, 1]"))
    sweeping = subprocess.Popen(
        [
            *(sys.executable, "-m", "aesforge.cli.main", "sweep", path, "--store", table, "--json"),
            *("--scheduler", address),
        ],
        stdout=subprocess.PIPE,
    )
    while not table.is_file() or not store.load(table):
        assert sweeping.poll() is None
        time.sleep(0.1)
    workers[0].kill()
    output, _ = sweeping.communicate(timeout=300)
    assert sweeping.returncode == 0
    document = json.loads(output)
    assert (document["measured"], document["failed"]) == (4, 0)
    assert len(store.load(table)) == 4
