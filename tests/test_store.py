"""The store of results: whole rows, no matter who else writes or what happens on the way."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from aesforge.core import sources
from aesforge.results import store
from aesforge.space.presets import preset

ROW = {
    "preset": "sklavos-ake",
    "config": preset("sklavos-ake").config.as_dict(),
    "target": "xc5v",
    "lut": 1,
}


def test_the_last_row_of_a_point_counts(tmp_path: Path) -> None:
    table = tmp_path / "rows.jsonl"
    store.append(table, [ROW, {**ROW, "target": "xc7"}])
    store.append(table, [{**ROW, "lut": 2}])
    assert [row["lut"] for row in store.load(table)] == [2, 1]
    store.compact(table)
    assert len(table.read_text().splitlines()) == 2
    assert [row["lut"] for row in store.load(table)] == [2, 1]


def test_a_line_has_one_checksum(tmp_path: Path) -> None:
    """A row may be read from a line as JSON, with the checksum in it."""
    table = tmp_path / "rows.jsonl"
    store.record(table, [ROW])
    lines = table.read_text().splitlines()
    store.record(table, [json.loads(line) for line in lines])
    assert table.read_text().splitlines() == lines


def test_rows_from_before_there_were_checksums_and_axes_are_read(tmp_path: Path) -> None:
    table = tmp_path / "rows.jsonl"
    old = {**ROW, "config": {"keys": "128"}}
    table.write_text(json.dumps(old) + "\n")
    assert store.load(table) == [
        {**ROW, "config": preset("sklavos-ake").configure(["keys=128"]).as_dict()}
    ]


@pytest.mark.parametrize(
    "harm",
    [
        lambda text: text[: len(text) // 2 - 7],
        lambda text: text.replace('"lut": 1', '"lut": 7'),
        lambda text: text.replace("{", "", 1),
        lambda text: "\0\0\0\n" + text,
    ],
    ids=["torn", "changed", "not JSON", "garbage"],
)
def test_damage_is_reported_and_set_aside(
    harm: object, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "rows.jsonl"
    store.append(table, [ROW, {**ROW, "target": "xc7", "lut": 3}])
    table.write_text(harm(table.read_text()))  # type: ignore[operator]
    left = store.load(table)
    assert "damaged of" in capfd.readouterr().err
    assert all(row["lut"] in (1, 3) for row in left)
    store.append(table, [{**ROW, "target": "xcv"}])
    store.compact(table)
    assert len(store.load(table)) == len(left) + 1
    assert (tmp_path / "rows.jsonl.damaged").read_text()
    capfd.readouterr()
    store.load(table)
    assert capfd.readouterr().err == ""


def test_rows_of_presets_that_are_gone_are_left_out(tmp_path: Path) -> None:
    table = tmp_path / "rows.jsonl"
    store.append(table, [ROW, {**ROW, "preset": "gone"}, {**ROW, "config": {"gone": "1"}}])
    assert [row["preset"] for row in store.known(table)] == ["sklavos-ake"]
    store.append(table, [{**ROW, "config": {"mode": "ctr,ccm"}}])
    assert {row["config"]["mode"] for row in store.known(table)} == {"none", "ctr,ccm"}


def test_two_processes_write_at_once(tmp_path: Path) -> None:
    table = tmp_path / "rows.jsonl"
    code = (
        "import json, sys; from pathlib import Path; from aesforge.results import store\n"
        "row = json.loads(sys.argv[2])\n"
        "for n in range(40):\n"
        "    store.append(Path(sys.argv[1]), [{**row, 'target': sys.argv[3] + str(n)}])\n"
        "    if n % 10 == 0: store.compact(Path(sys.argv[1]))\n"
    )
    writers = [
        subprocess.Popen([sys.executable, "-c", code, table, json.dumps(ROW), name])
        for name in ("a", "b")
    ]
    assert [writer.wait() for writer in writers] == [0, 0]
    assert len(store.load(table)) == 80


def test_a_changed_source_makes_exactly_its_own_rows_stale(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    marks = {
        name: sources.fingerprint(names)
        for name, names in {
            "tower": ["aes_cipher", "aes_iterative_otf", "aes_sbox_tower"],
            "table": ["aes_cipher", "aes_iterative_otf", "aes_sbox_lut"],
        }.items()
    }
    before = sources._plain

    def changed(name: str) -> str:
        return before(name) + (" changed" if name == "aes_sbox_tower" else "")

    monkeypatch.setattr(sources, "_plain", changed)
    sources._part.cache_clear()
    assert (
        sources.fingerprint(["aes_cipher", "aes_iterative_otf", "aes_sbox_tower"]) != marks["tower"]
    )
    assert (
        sources.fingerprint(["aes_cipher", "aes_iterative_otf", "aes_sbox_lut"]) == marks["table"]
    )


def test_of_a_package_counts_what_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    names = ["aes_iterative", "aes_key_rcon", "aes_pkg"]
    plain = sources._plain

    def mark(old: str = "", new: str = "") -> str:
        def text(name: str) -> str:
            found = plain(name)
            if name == "aes_pkg":
                assert old in found
                found = found.replace(old, new)
            return found

        monkeypatch.setattr(sources, "_plain", text)
        sources._part.cache_clear()
        return sources.fingerprint(names)

    before = mark()
    assert mark("endpackage", "localparam int MODE_NEW = 31; endpackage") == before
    assert mark("localparam int SBOX_TOWER = 1;") == before
    # Used through a function of the package.
    assert mark("LEN_192 = 2'd1", "LEN_192 = 2'd3") != before
    assert mark("/ 32 + 6", "/ 32 + 7") != before
    # What is neither a constant nor a function always counts.
    assert mark("package aes_pkg;", "package aes_pkg; import aes_gf_pkg::*;") != before


def test_of_a_module_counts_what_is_elaborated(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = sources._plain

    def mark(*parts: str, old: str = "", new: str = "") -> str:
        def text(name: str) -> str:
            found = plain(name)
            if name == "aes_cipher":
                assert old in found
                found = found.replace(old, new)
            return found

        monkeypatch.setattr(sources, "_plain", text)
        sources._part.cache_clear()
        return sources.fingerprint(["aes_cipher", "aes_pkg", *parts])

    core, other = "aes_iterative", "aes_unrolled"
    before, before_other = mark(core), mark(other)
    # An instance of another module, and a parameter that is for it alone.
    given = {"old": ".StopCycles (StopCycles)", "new": ".StopCycles (StopCycles + 1)"}
    assert mark(core, **given) == before
    assert mark(other, **given) != before_other
    renamed = {"old": "StopCycles", "new": "Cycles"}
    assert mark(core, **renamed) == before
    assert mark(other, **renamed) != before_other
    # The condition of an instance counts, and a parameter that something else uses.
    assert mark(core, old="else if (UNROLLED) begin", new="else if (SERIAL) begin") != before
    assert mark(core, old="parameter int Width = 128", new="parameter int Width = 32") != before


def test_a_changed_included_file_changes_what_includes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    core, part = (
        next(path for path in sources.files() if path.stem == name)
        for name in ("aes_iterative", "aes_sbox_lut")
    )
    before = [sources.digest(path) for path in (core, part)]
    ports = (sources.include() / "aes_cipher_ports.svh").read_text(encoding="utf-8")
    (tmp_path / "aes_cipher_ports.svh").write_text(ports.replace("255", "127"), encoding="utf-8")
    monkeypatch.setattr(sources, "include", lambda: tmp_path)
    assert sources.digest(core) != before[0]
    assert sources.digest(part) == before[1]


def test_a_source_that_is_gone_has_no_fingerprint() -> None:
    assert sources.fingerprint(["aes_cipher", "aes_gone"]) == ""
    used = sources.used(["aes_sbox_tower", "harness"])
    assert used == ("aes_gf_pkg", "aes_pkg", "aes_sbox_tower", "aes_tower_pkg")
