"""The chooser: what fits comes first, what does not is said plainly, and no tool is asked."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from aesforge.errors import UserError
from aesforge.flows.choose import Budget, choose, latency, mbps
from aesforge.results import store
from aesforge.results.front import front
from aesforge.space.presets import preset, presets
from aesforge.space.promises import promised


def row(name: str, axes: str, lut: int, mhz: float | None, target: str = "ecp5") -> store.Row:
    config = preset(name).configure(axes.split())
    promise = promised(config, config.key_sizes[0])
    return {
        **dict.fromkeys(store.FIELDS),
        "preset": name,
        "config": config.as_dict(),
        "target": target,
        "lut": lut,
        "bram": 0,
        "fmax_mhz": mhz,
        "cycles_per_block": promise.cycles_per_block,
        "latency_cycles": promise.latency,
        "too_large": "",
    }


ROWS = [
    row("sklavos-ake", "direction=encrypt", 3000, 110.0),  # 1,280 Mb/s, 11 cycles
    row("sklavos-ake", "direction=both", 6000, 88.0),  # 1,024 Mb/s
    row("kakarlapudi-sbox", "keys=any direction=encrypt", 5000, 99.0),  # 1,152 Mb/s
    row("bulens-encrypt", "keys=128 direction=encrypt", 4000, 220.0),  # 2,560 Mb/s, 41 cycles
    row("hodjat-lut-1", "keys=128", 30000, 100.0),  # 12,800 Mb/s
    row("hodjat-tower-4", "keys=128", 29000, 90.0),  # 11,520 Mb/s, 41 cycles
    row("hodjat-lut-1", "keys=128", 9000, None, "xc5v"),
    {**row("hodjat-lut-1", "keys=128", 30000, None, "ice40"), "too_large": "too large"},
]


def names(document: dict[str, object]) -> list[str]:
    return [point["preset"] for point in document["points"]]  # type: ignore[attr-defined]


def test_the_smallest_that_is_fast_enough_is_first() -> None:
    found = choose(ROWS, "ecp5", Budget(throughput=1000))
    assert names(found)[0] == "sklavos-ake"
    best = found["points"][0]
    assert best["why"].startswith("smallest")
    assert best["margins"] == {"throughput": 28.0}
    assert best["command"].startswith("aesforge build sklavos-ake direction=encrypt")
    # Best at something else: throughput.
    assert "hodjat-lut-1" in names(found)
    assert [point["area"] for point in found["points"]] == sorted(
        point["area"] for point in found["points"]
    )


def test_latency_can_be_what_counts() -> None:
    found = choose(ROWS, "ecp5", Budget(throughput=2000), aim="latency")
    assert names(found)[0] == "hodjat-lut-1"
    found = choose(ROWS, "ecp5", Budget(throughput=2000, latency=110, latency_unit="ns"))
    assert names(found) == ["hodjat-lut-1"]


def test_what_has_a_notice_is_offered_to_who_asks_for_it() -> None:
    rows = [
        row("aesforge-iterative", "sbox=shallow", 2000, 120.0, "osu018"),
        row("aesforge-iterative", "sbox=table", 2500, 100.0, "osu018"),
    ]

    def offered(*choices: str) -> list[str]:
        points = choose(rows, "osu018", Budget(), choices)["points"]
        return [point["config"]["sbox"] for point in points]

    assert offered() == offered("sbox=table") == ["table"]
    assert offered("sbox=shallow") == ["shallow"]
    for name in presets():
        assert not presets()[name].config.notices


def test_a_row_without_a_clock_has_no_throughput() -> None:
    """One that was mapped and not placed is offered to who asks for an area alone."""
    rows = [*ROWS, row("hodjat-lut-2", "keys=256", 100, None)]
    found = choose(rows, "ecp5", Budget(throughput=1000), count=99)["points"]
    assert all(point["lut"] > 100 for point in found)
    assert choose(rows, "ecp5", Budget(area=200))["points"][0]["lut"] == 100


def test_what_can_do_more_counts() -> None:
    found = choose(ROWS, "ecp5", Budget(), ["keys=256", "direction=encrypt"])
    assert names(found) == ["kakarlapudi-sbox"]
    # Fourteen rounds, not ten.
    assert found["points"][0]["cycles_per_block"] == 15
    found = choose(ROWS, "ecp5", Budget(), ["direction=decrypt"])
    assert names(found) == ["sklavos-ake"]


def test_a_feedback_mode_takes_the_latency_per_block() -> None:
    (point,) = choose([ROWS[3]], "ecp5", Budget(), ["mode=cbc", "direction=encrypt"])["points"]
    assert point["cycles_per_block"] == 41
    (point,) = choose([ROWS[3]], "ecp5", Budget(), ["mode=ctr"])["points"]
    assert point["cycles_per_block"] == 11


def test_when_nothing_fits_the_closest_is_named() -> None:
    found = choose(ROWS, "ecp5", Budget(throughput=20000, area=40000))
    assert not found["holds"]
    assert found["points"] == []
    assert found["closest"]["preset"] == "hodjat-lut-1"
    assert found["closest"]["why"] == "closest: misses throughput by 36%"


@pytest.mark.parametrize(
    ("target", "budget", "choices", "says"),
    [
        ("xc5v", Budget(throughput=1), [], "no open placer"),
        ("ice40", Budget(), [], "nothing is measured on ice40"),
        ("gowin", Budget(), ["keys=128"], "nothing is measured on gowin with keys=128"),
        ("ecp6", Budget(), [], "did you mean 'ecp5'"),
        ("ecp5", Budget(), ["mode=eax"], "unknown value of mode"),
        ("ecp5", Budget(), ["speed=1"], "unknown axis"),
        ("ecp5", Budget(), ["keys"], "not of the form"),
    ],
)
def test_what_cannot_be_chosen_is_refused(
    target: str, budget: Budget, choices: list[str], says: str
) -> None:
    with pytest.raises(UserError, match=says):
        choose(ROWS, target, budget, choices)


def test_rates_and_times_are_read_with_their_units() -> None:
    assert mbps("10Gbps") == 10_000
    assert mbps("1.5 Mb/s") == 1.5
    assert latency("40") == (40, "cycles")
    assert latency("1.5us") == (1500, "ns")
    for bad in ("10", "Gbps", "1.2.3Gbps", "0Mbps", "-1Gbps"):
        with pytest.raises(UserError, match="is not a throughput"):
            mbps(bad)
    for bad in ("fast", "0", "-3", "4 cycles"):
        with pytest.raises(UserError, match="is not a latency"):
            latency(bad)


def test_more_throughput_never_costs_less_on_the_front() -> None:
    points = [
        {"area": a, "throughput_mbps": t} for a, t in ((3, 5), (1, 2), (2, 2), (4, 4), (3, 6))
    ]
    assert [(p["area"], p["throughput_mbps"]) for p in front(points)] == [(1, 2), (3, 6)]
    near = front(points, within=0.3)
    assert [(p["area"], p["throughput_mbps"]) for p in near] == [(1, 2), (2, 2), (3, 6), (3, 5)]


def test_block_ram_is_a_dimension_of_its_own_on_the_front() -> None:
    points = [
        {"area": a, "bram": b, "throughput_mbps": t}
        for a, b, t in ((900, 8, 500), (3000, 0, 500), (1000, 8, 500), (3000, 2, 400))
    ]
    assert [(p["area"], p["bram"]) for p in front(points)] == [(900, 8), (3000, 0)]


BLOCK_RAM = {**row("kakarlapudi-tbox", "direction=encrypt sbox=bram", 1200, 100.0), "bram": 8}


def test_block_ram_counts_in_what_is_smallest() -> None:
    """An ECP5 has 402 LUTs for each block RAM, so that eight are more than 3,000 LUTs."""
    found = choose([BLOCK_RAM, ROWS[0]], "ecp5", Budget(throughput=1000))
    assert names(found) == ["sklavos-ake", "kakarlapudi-tbox"]
    assert found["points"][1]["size"] == 1200 + 8 * 402
    assert "Pareto-optimal" in found["points"][1]["why"]


def test_block_ram_can_be_limited() -> None:
    def fitting(most: int) -> int:
        found: int = choose([BLOCK_RAM, ROWS[0]], "ecp5", Budget(bram=most))["fitting"]
        return found

    assert [fitting(most) for most in (0, 7, 8)] == [1, 1, 2]
    found = choose([BLOCK_RAM], "ecp5", Budget(bram=4))
    assert found["closest"]["why"] == "closest: misses block RAM by 100%"
    with pytest.raises(UserError, match="give --max-bram 0 or more"):
        choose(ROWS, "ecp5", Budget(bram=-1))


def test_a_core_that_only_decrypts_is_offered_when_asked_for() -> None:
    only = row("bulens-decrypt", "keys=128 direction=decrypt", 100, 220.0)
    assert "bulens-decrypt" not in names(choose([*ROWS, only], "ecp5", Budget()))
    found = choose([*ROWS, only], "ecp5", Budget(), ["direction=decrypt"])
    assert names(found)[0] == "bulens-decrypt"
    assert choose(ROWS, "ecp5", Budget())["axes"] == {"direction": "encrypt"}


def test_the_command_answers_in_a_second(tmp_path: Path) -> None:
    table = tmp_path / "rows.jsonl"
    store.append(table, ROWS)
    words = [
        sys.executable,
        "-m",
        "aesforge.cli.main",
        "choose",
        "--target",
        "ecp5",
        "--store",
        table,
    ]
    start = time.monotonic()
    subprocess.run([sys.executable, "-c", "import click, rich.table"], check=True)
    bare = time.monotonic() - start
    start = time.monotonic()
    # Without any tool on the path.
    env = {**os.environ, "PATH": str(tmp_path)}
    done = subprocess.run([*words, "--throughput", "1Gbps"], capture_output=True, env=env)
    assert time.monotonic() - start < 3 * bare + 1
    assert done.returncode == 0
    assert b"aesforge build sklavos-ake" in done.stdout
    done = subprocess.run([*words, "--throughput", "1Tbps", "--json"], capture_output=True, env=env)
    assert done.returncode == 1
    assert json.loads(done.stdout)["closest"]["preset"] == "hodjat-lut-1"
