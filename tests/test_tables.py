"""The goals of our own points, from the measured rows."""

import re
from pathlib import Path

import pytest

from aesforge.results import peers, store, tables
from aesforge.results.figures import Measured

ROWS = store.load(store.path("measured"))
POINT = {"preset": "aesforge-iterative", "target": "xc5v"}
PIPELINE = "aesforge-unrolled idle_output=register stop_cycles=2"
COMMAND = (
    "`aesforge synth aesforge-iterative idle_output=register key_schedule=stored sbox=table "
    "--target xc5v`"
)


def verdict(**changed: object) -> tuple[str, str]:
    """Figure and verdict on the look-up tables of an iterative core, its row being `changed`."""
    rows = [
        {**row, **changed}
        if [row["config"].get(axis) for axis in ("sbox", "key_schedule", "idle_output")]
        == ["table", "stored", "register"]
        and all(row.get(field) == value for field, value in POINT.items())
        else row
        for row in ROWS
    ]
    (line,) = (
        line for line in tables.goals(rows).splitlines() if COMMAND in line and "LUT" in line
    )
    return line.split(" | ")[3], line.split(" | ")[4].rstrip(" |")


def test_a_goal_is_reached_up_to_its_bound() -> None:
    assert verdict(lut=1150) == ("1,150", "reached")
    assert verdict(lut=1151) == ("1,151", "**missed**")


def test_a_point_without_a_figure_is_not_measured() -> None:
    assert verdict(failed="placement") == ("", "not measured")
    assert verdict(too_large=True) == ("", "not measured")
    assert "reached" not in tables.goals([])


def gcm(rows: list[store.Row]) -> str:
    """What GCM adds to a small core on `ecp5`, as the table of goals of modes has it."""
    (line,) = (
        line
        for line in tables.records(rows, "modes").splitlines()
        if "LUT more than" in line and "mode=gcm" in line
    )
    return line.split(" | ")[3]


def test_what_a_layer_adds_is_beside_its_core() -> None:
    sizes = {
        row["config"]["mode"]: row["lut"]
        for row in ROWS
        if (row["preset"], row["target"]) == ("aesforge-compact", "ecp5")
        and row["config"]["idle_output"] == "zero"
        and (row["config"]["keys"], row["config"]["direction"]) == ("128", "encrypt")
    }
    assert gcm(ROWS) == f"{sizes['gcm'] - sizes['none']:,}"
    # Without the core there is nothing to subtract.
    assert gcm([row for row in ROWS if row["config"].get("mode") != "none"]) == ""


def test_a_record_with_wires_is_of_the_figure_with_wires() -> None:
    (row,) = (
        row
        for row in ROWS
        if (row["preset"], row["target"], row["delay_ps"]) == ("hodjat-lut-2", "osu018", 1300)
        and row["config"]["mode"] == "gcm"
    )
    table = tables.records(ROWS, "modes").splitlines()
    (line,) = (line for line in table if "hodjat-lut-2" in line and "with wires |" in line)
    shown = float(line.split(" | ")[3].replace(",", ""))
    assert shown == pytest.approx(row["with_wires"]["throughput_mbps"], rel=1e-3)


PATHS = [
    ("aesforge-interleaved idle_output=register", "ecp5", None, "u_key_schedule.key_o"),
    (f"{PIPELINE} stages=13 sbox_registers=9", "osu018", 800, "u_stall"),
    (f"{PIPELINE} key_schedule=on_the_fly", "osu018", 1000, "u_key_pipeline"),
    (PIPELINE, "osu018", 1000, "u_round.u_sub_bytes"),
    (f"{PIPELINE} stages=13 sbox_registers=9", "osu018_pulsed", 800, "gen_clear_late.clear_q[2]"),
    (PIPELINE, "osu018_pulsed", 1000, "gen_clear_late.clear_q[2]"),
    ("hodjat-lut-2 key_schedule=stored mode=gcm", "osu018", 1300, "u_packet_state"),
    (f"{PIPELINE} mode=gcm", "osu018", 1000, "u_gcm_tag.block"),
    (f"{PIPELINE} mode=gcm", "ecp5", None, "u_gcm.phase_q"),
    (f"{PIPELINE} mode=ctr", "ecp5", None, "chain_loads_q"),
    ("hodjat-lut-1 mode=ctr", "ecp5", None, "u_key_pipeline"),
]


@pytest.mark.parametrize(("point", "on", "delay", "net"), PATHS)
def test_the_path_that_a_record_names_is_that_of_its_row(
    point: str, on: str, delay: int | None, net: str
) -> None:
    row = Measured(ROWS).row(point, on, delay)
    assert row
    assert any(net in name for name in row["critical_path"])
    if on == "ecp5":
        assert row["routing"] > 0.5


@pytest.mark.parametrize(
    ("axes", "delay", "of_four"), [("", 1000, 3), (" stages=13 sbox_registers=9", 800, 6)]
)
def test_as_many_buffers_delay_early_data_as_the_record_says(
    axes: str, delay: int, of_four: int
) -> None:
    """With wires, for each four registers."""
    row = Measured(ROWS).row(PIPELINE + axes, "osu018_pulsed", delay)
    assert row
    assert round(4 * row["with_wires"]["pulse"]["buffers"] / row["ff"]) == of_four


def test_the_clock_that_counters_leave_is_that_of_their_rows() -> None:
    """Those of CTR around fast cores on `ecp5`, as docs/results.md says."""
    text = (Path(__file__).parents[1] / "docs" / "results.md").read_text(encoding="utf-8")
    said = text.partition("CTR around the fast loop and the fast pipeline")[2]
    said = said.partition("It was")[0]
    loop = "aesforge-interleaved idle_output=register"
    found = Measured(ROWS)

    def clock(point: str) -> float:
        row = found.row(point, "ecp5", None)
        assert row
        return float(row["fmax_mhz"])

    assert re.findall(r"(\d+) % (?:of the|of that|with)", said) == [
        f"{100 * clock(f'{core} {mode}') / clock(core):.0f}"
        for core, mode in (
            *((loop, "mode=ctr"), (loop, "mode=ctr lanes=4")),
            *((PIPELINE, "mode=ctr"), (PIPELINE, "mode=ctr lanes=2")),
        )
    ]


def test_what_a_further_stage_of_the_pipeline_brings() -> None:
    """As `results/goals.toml` says: less than a hundredth; six do more."""
    found = Measured(ROWS)
    choices = ("", " stages=8 sbox_registers=4", " stages=8 sbox_registers=5")
    seven, *eight = (found.row(f"{PIPELINE}{more}", "osu018", 1000) for more in choices)
    shortest = found.row(f"{PIPELINE} stages=13 sbox_registers=9", "osu018", 800)
    assert seven
    assert all(one and one["fmax_mhz"] < 1.01 * seven["fmax_mhz"] for one in eight)
    assert shortest
    assert shortest["fmax_mhz"] > 1.05 * seven["fmax_mhz"]


def test_a_target_without_timing_has_luts_in_a_row() -> None:
    row = Measured(ROWS).row("aesforge-nano idle_output=register", "gowin")
    assert row
    assert (row["fmax_mhz"], row["depth"]) == (None, 14)


CORE = {"name": "other", "key_sizes": "128/256", "direction": "both", "cycles_per_block": 53}


def on(target: str, **figures: float) -> dict[str, object]:
    nothing = dict.fromkeys(("lut", "ge", "bram", "throughput_mbps"))
    return {**nothing, "target": target, "by": "measure", **figures}


def beside(core: dict[str, object], monkeypatch: pytest.MonkeyPatch) -> tuple[str, ...]:
    monkeypatch.setattr(peers, "peers", lambda: {"cores": [core]})
    (found,) = peers.beside(ROWS)
    return found.cells


def test_a_core_that_takes_and_does_as_much_in_less_is_ahead(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ours = min(
        (
            row
            for row in ROWS
            if (row["preset"], row["target"]) == ("aesforge-compact", "xc7")
            and row["config"]["keys"] == "any"
        ),
        key=lambda row: row["lut"],
    )
    line = beside({**CORE, "figures": [on("xc7", lut=ours["lut"])]}, monkeypatch)
    assert line[5].startswith("aesforge-compact")
    assert line[6:9] == (f"{ours['lut']:,} LUT", "44 cycles", "ahead")
    line = beside({**CORE, "figures": [on("xc7", lut=ours["lut"] - 1)]}, monkeypatch)
    assert line[8] == "not ahead"
    line = beside(
        {**CORE, "cycles_per_block": 43, "figures": [on("xc7", lut=ours["lut"])]}, monkeypatch
    )
    assert line[8] == "not ahead"
    # One for fewer key sizes, or one direction, does not count, however small.
    one = {**CORE, "key_sizes": "128", "direction": "encrypt", "figures": [on("xc7", lut=1300)]}
    assert beside(one, monkeypatch)[8] == "ahead"
    assert beside({**one, "key_sizes": "128/256"}, monkeypatch)[8] == "not ahead"
    assert beside({**one, "direction": "both"}, monkeypatch)[8] == "not ahead"


def test_frequency_counts_where_it_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    slow = {**CORE, "figures": [on("ecp5", lut=50_000, throughput_mbps=100)]}
    assert beside(slow, monkeypatch)[8] == "ahead"
    fast = {**CORE, "figures": [on("ecp5", lut=50_000, throughput_mbps=50_000)]}
    assert beside(fast, monkeypatch)[8] == "not ahead"
    nowhere = {**CORE, "figures": [on("osu018", ge=1, throughput_mbps=1)]}
    monkeypatch.setattr(peers, "peers", lambda: {"cores": [nowhere]})
    assert next(peers.beside([])).cells[5:9] == ("", "", "", "not measured")


def test_block_ram_is_not_had_for_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    core = {**CORE, "key_sizes": "128", "direction": "encrypt", "cycles_per_block": 11}
    figures = on("ecp5", lut=3000, throughput_mbps=1600)
    assert "bram" not in beside({**core, "figures": [figures]}, monkeypatch)[5]
    line = beside({**core, "figures": [{**figures, "bram": 16}]}, monkeypatch)
    assert "sbox=bram" in line[5]
    assert line[8] == "ahead"


def test_a_core_with_one_block_is_compared_with_such_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    """Several blocks in flight are other work: a single stream in CBC has none of that speed."""
    core = {**CORE, "key_sizes": "128", "direction": "encrypt"}
    figures = on("ecp5", lut=4000, throughput_mbps=3000)
    one = beside({**core, "cycles_per_block": 12, "figures": [figures]}, monkeypatch)
    assert one[8] == "not ahead"
    assert "interleaved" not in one[5]
    many = beside({**core, "in_flight": 4, "figures": [figures]}, monkeypatch)
    assert (many[5].split()[0], many[8]) == ("aesforge-interleaved", "ahead")


def test_a_core_of_a_mode_is_compared_with_that_mode(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of GCM, a core that encrypts blocks alone takes packets of both directions."""
    core = {**CORE, "key_sizes": "128", "figures": [on("ecp5", lut=50_000, throughput_mbps=100)]}
    line = beside({**core, "mode": "gcm"}, monkeypatch)
    assert (line[1], line[8]) == ("GCM 128, both", "ahead")
    assert "mode=gcm" in line[5]
    assert "direction=encrypt" in line[5]
    line = beside({**core, "mode": "xts"}, monkeypatch)
    assert (line[1], line[8]) == ("XTS 128, both", "ahead")
    assert "direction=both" in line[5]
    assert "mode=xts" in line[5]
    line = beside(core, monkeypatch)
    assert (line[1], "mode=" in line[5]) == ("128, both", False)


@pytest.mark.parametrize(
    ("page", "title"),
    [("results", "Where other cores are ahead"), ("protection", "Beside SMAesH")],
)
def test_what_is_written_of_other_cores_is_in_the_rows(page: str, title: str) -> None:
    """Areas and throughputs of the text are of rows, but for those of what was not kept."""
    text = (Path(__file__).parents[1] / "docs" / f"{page}.md").read_text(encoding="utf-8")
    section = text.split(f"## {title}")[1].split("\n## ")[0]
    section = re.sub(r"Tried, and not kept: .*?(?=What is missing)", "", section, flags=re.S)
    rows = [*ROWS, *store.load(store.path(peers.ROWS))]
    known = {f"{peers.area(row):,.0f}" for row in rows if not row.get("failed")}
    known |= {f"{row['throughput_mbps']:,.0f}" for row in rows if row["throughput_mbps"]}
    parts = [part for row in rows for part in (row["parts"] or {}).values()]
    known |= {f"{part['ge']:,.0f}" for part in parts if part.get("ge")}
    goals = {"25,000", "4,500"}
    assert set(re.findall(r"\d+,\d{3}", section)) - goals <= known
