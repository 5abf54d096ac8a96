"""The page: whole, self-contained, and usable in a browser, on a phone and without colour."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import needs
import pytest
from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select, WebDriverWait

from aesforge.errors import UserError
from aesforge.flows import report
from aesforge.results import store
from aesforge.space.presets import preset
from aesforge.space.promises import promised


def row(name: str, axes: str, lut: int, mhz: float | None, target: str = "ecp5") -> store.Row:
    config = preset(name).configure(axes.split())
    promise = promised(config, config.key_sizes[0])
    return {
        **dict.fromkeys((*store.FIELDS, "mbps_per_lut", "delay_ps")),
        "preset": name,
        "config": config.as_dict(),
        "target": target,
        "lut": lut,
        "ff": 100,
        "bram": 0,
        "fmax_mhz": mhz,
        "cycles_per_block": promise.cycles_per_block,
        "latency_cycles": promise.latency,
        "throughput_mbps": mhz and 128 * mhz / promise.cycles_per_block,
        "parts": {"rounds_and_control": {"lut": lut}},
        "versions": {"pyosys": "0.70"},
    }


ROWS = [
    row("sklavos-ake", "direction=encrypt", 3000, 110.0),
    row("sklavos-ake", "direction=both", 6000, 88.0),
    row("bulens-encrypt", "keys=128 direction=encrypt", 4000, 220.0),
    row("hodjat-lut-1", "keys=128", 30000, 100.0),
    row("kakarlapudi-sbox", "keys=128 direction=encrypt", 1300, None, "xc5v"),
    {**row("hodjat-lut-2", "keys=128", 40000, None, "ice40"), "too_large": "too large"},
]


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "page.html"
    report.report(ROWS, path)
    return path


def test_fronts_never_give_more_for_less() -> None:
    target = next(t for t in report.data(ROWS)["targets"] if t["name"] == "ecp5")
    assert [label.split()[0] for label in target["front"]] == [
        "sklavos-ake",
        "bulens-encrypt",
        "hodjat-lut-1",
    ]


def test_the_page_is_self_contained(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    # What is loaded would be named by an element; what the library has inside is text of scripts.
    outside = re.sub(r"<script.*?</script>", "", text, flags=re.S)
    assert re.findall(r"(?:src|href)\s*=\s*[\"'](?!#|data:)", outside) == []
    assert "<!--@" not in outside
    for core in report.peers()["cores"]:
        assert core["commit"][:12] in outside


def test_a_point_that_does_not_fit_is_not_shown() -> None:
    assert {point["target"] for point in report.data(ROWS)["points"]} == {"ecp5", "xc5v"}


def test_a_core_of_the_users_own_is_shown_among_ours() -> None:
    foreign = {**ROWS[0], "preset": None, "core": "mine", "config": {}, "sources": ["mine.v"]}
    part = {**foreign, "core": "aes_sub_bytes_pipelined", "sources": ["aes_sub_bytes_pipelined"]}
    names = [point["name"] for point in report.data([*ROWS, foreign, part])["points"]]
    assert "mine" in names
    assert "aes_sub_bytes_pipelined" not in names


def test_nothing_measured_makes_no_page(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="run 'aesforge sweep' first"):
        report.report([], tmp_path / "page.html")
    with pytest.raises(UserError, match="choose another place"):
        report.report(ROWS, tmp_path / "no" / "page.html")
    assert list(tmp_path.iterdir()) == []


def test_the_command_prints_what_it_wrote(tmp_path: Path) -> None:
    table, page = tmp_path / "rows.jsonl", tmp_path / "page.html"
    store.append(table, ROWS)
    done = subprocess.run(
        [
            *(sys.executable, "-m", "aesforge.cli.main", "report", "--store", table),
            *("-o", page, "--json"),
        ],
        capture_output=True,
        check=True,
    )
    assert json.loads(done.stdout)["bytes"] == page.stat().st_size


@pytest.fixture(scope="module")
def browser(page: Path) -> Iterator[webdriver.Chrome]:
    chromium, chromedriver = needs.chromium()
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1200,1600"):
        options.add_argument(argument)
    # Whatever it might ask for is refused and would show in the console.
    options.add_argument("--host-resolver-rules=MAP * ~NOTFOUND")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    service = webdriver.ChromeService(chromedriver)
    driver = webdriver.Chrome(options=options, service=service)
    driver.get(page.as_uri())
    WebDriverWait(driver, 60).until(
        lambda d: d.find_elements(By.CSS_SELECTOR, "#plot .scatterlayer .points path")
    )
    yield driver
    driver.quit()


def plot_axis(browser: webdriver.Chrome) -> str:
    return str(
        browser.execute_script("return document.getElementById('plot').layout.yaxis.title.text")
    )


def said(browser: webdriver.Chrome) -> str:
    return browser.find_element(By.ID, "said").text


def test_it_filters_by_axis_and_target(browser: webdriver.Chrome) -> None:
    Select(browser.find_element(By.ID, "others-too")).select_by_value("no")
    assert said(browser) == "4 points, 3 on the front"
    direction = Select(browser.find_element(By.ID, "axis-direction"))
    direction.select_by_value("both")
    assert said(browser) == "1 points, 1 on the front"
    direction.select_by_value("")
    Select(browser.find_element(By.ID, "target")).select_by_value("xc5v")
    assert said(browser) == "1 points, 0 on the front"
    assert "cycles per block" in plot_axis(browser)
    Select(browser.find_element(By.ID, "target")).select_by_value("ecp5")
    Select(browser.find_element(By.ID, "others-too")).select_by_value("yes")
    peers = sum(
        figures["target"] == "ecp5"
        for core in report.peers()["cores"]
        for figures in core["figures"]
    )
    assert said(browser) == f"4 points, {peers} of other open cores, 3 on the front"


def test_filters_without_a_match_keep_the_axis_and_show_no_core(browser: webdriver.Chrome) -> None:
    engine = Select(browser.find_element(By.ID, "axis-engine"))
    direction = Select(browser.find_element(By.ID, "axis-direction"))
    engine.select_by_value("unrolled")
    direction.select_by_value("both")
    assert said(browser).startswith("0 points, 0 on the front: no core measured here")
    assert plot_axis(browser) == "Mb/s"
    assert browser.find_elements(By.CSS_SELECTOR, "#points td") == []
    engine.select_by_value("")
    # A core of others is shown when what it states matches.
    states = [p for p in report.data(ROWS)["points"] if p["peer"] and p["target"] == "ecp5"]
    same = sum(p["axes"]["direction"] == "both" for p in states)
    assert f"1 points, {same} of other open cores" in said(browser)
    direction.select_by_value("")


def test_lines_of_equal_efficiency_and_limits_are_drawn(browser: webdriver.Chrome) -> None:
    drawn = "return document.getElementById('plot').data.filter(t => t.mode == 'lines+text')"
    for name, x, y in browser.execute_script(f"{drawn}.map(t => [t.name, t.x, t.y])"):
        if found := re.fullmatch(r"([\d.]+) Mb/s per LUT", name):
            assert [round(b / a, 6) for a, b in zip(x, y, strict=True)] == [float(found[1])] * 2
            break
    else:
        raise AssertionError("no line of equal efficiency")


def test_it_shows_latency(browser: webdriver.Chrome) -> None:
    chosen = Select(browser.find_element(By.ID, "view"))
    chosen.select_by_value("latency")
    assert plot_axis(browser) == "ns from block to result"
    fronts = "return document.getElementById('plot').data.find(t => t.name == 'front').y"
    # The smallest core has the lowest latency too: 11 cycles at 110 MHz.
    assert browser.execute_script(fronts) == [100]
    chosen.select_by_value("throughput")
    assert plot_axis(browser) == "Mb/s"


def test_a_published_circuit_names_its_process() -> None:
    cells = row("fan", "", 0, 190.0, "osu018")
    rows = [*ROWS, {**cells, "ge": 8000, "delay_ps": 1300}]
    found = [one for one in report.data(rows)["points"] if one.get("published")]
    assert len(found) > 3
    assert all("um" in one["label"] or "its process" in one["label"] for one in found)


def test_a_point_shows_its_command_and_evidence(browser: webdriver.Chrome) -> None:
    Select(browser.find_element(By.ID, "others-too")).select_by_value("no")
    points = browser.find_elements(By.CSS_SELECTOR, "#plot .scatterlayer .points path")
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", points[0])
    ActionChains(browser).move_to_element(points[0]).pause(0.5).click().perform()
    detail = browser.find_element(By.ID, "detail")
    WebDriverWait(browser, 30).until(lambda _: detail.is_displayed())
    assert "aesforge build sklavos-ake direction=encrypt" in detail.text
    assert "docs/engines/iterative.md" in detail.text
    assert "claims" in detail.text
    # The list does the same without a pointer.
    buttons = browser.find_elements(By.CSS_SELECTOR, "#points button")
    browser.execute_script("arguments[0].click()", buttons[-1])
    assert "hodjat-lut-1" in detail.text
    # A card is of a point that the page shows.
    target = Select(browser.find_element(By.ID, "target"))
    target.select_by_value("xc5v")
    assert not detail.is_displayed()
    target.select_by_value("ecp5")


def test_the_list_has_block_ram(browser: webdriver.Chrome) -> None:
    head = [cell.text for cell in browser.find_elements(By.CSS_SELECTOR, "#points th")]
    assert head[1:-1] == ["LUT", "FF", "BRAM", "MHz", "Mb/s", "latency"]


def test_page_and_command_count_the_same(browser: webdriver.Chrome, tmp_path: Path) -> None:
    found = report.report(ROWS, tmp_path / "page.html")
    points = f"{found['points']} measured points and {found['peers']} of other open cores"
    assert points in browser.find_element(By.TAG_NAME, "body").text
    listed = json.loads(
        browser.execute_script('return document.getElementById("data").textContent')
    )
    assert found["points"] + found["peers"] == len(listed["points"])


def test_it_fits_a_phone(browser: webdriver.Chrome) -> None:
    browser.set_window_size(500, 900)
    browser.refresh()
    WebDriverWait(browser, 60).until(
        lambda d: d.find_elements(By.CSS_SELECTOR, "#plot .scatterlayer .points path")
    )
    wide = browser.execute_script("return document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0
    # Titles are text of the page, which wraps; those of a plot would be cut.
    title = browser.find_element(By.ID, "title")
    assert "ecp5" in title.text
    assert title.size["width"] <= 500
    assert browser.find_elements(By.CSS_SELECTOR, ".gtitle") == []


def test_presets_differ_in_more_than_colour(browser: webdriver.Chrome) -> None:
    shapes = browser.execute_script(
        "return document.getElementById('plot').data.filter(t => t.mode == 'markers')"
        ".map(t => t.marker.symbol)"
    )
    assert len(set(shapes)) == len(shapes) > 3


def test_no_colour_repeats(browser: webdriver.Chrome) -> None:
    colours = browser.execute_script("return [...Array(60).keys()].map(colour)")
    assert len(set(colours)) == 60
    drawn = browser.execute_script(
        "return document.getElementById('plot').data.filter(t => t.mode == 'markers')"
        ".map(t => t.marker.color)"
    )
    assert len(set(drawn)) == len(drawn) > 3


def test_the_console_has_no_error(browser: webdriver.Chrome) -> None:
    assert [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"] == []
