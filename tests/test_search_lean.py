"""The search for lean S-boxes: what it keeps is what the RTL has, and what it finds computes."""

import json
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner
from suite import slow

from aesforge.cli.main import cli
from aesforge.core.model import SBOX
from aesforge.core.sources import rtl_root
from aesforge.errors import UserError
from aesforge.results import store
from aesforge.search import lean_search as search
from aesforge.search import xors
from aesforge.search.lean import BOTH, DIRECTIONS, Circuit, texts, turns
from aesforge.search.towers import (
    AFFINE,
    DECRYPT,
    ENCRYPT,
    INVERSES,
    compose,
    inverted,
    parity,
    scaling,
    towers,
)

KEPT = store.load(store.path("sboxes"))
ROWS = [row for row in KEPT if row["core"] == search.SBOX]


def test_rtl_is_what_the_kept_rows_say() -> None:
    for name, text in texts(search.winners(ROWS)).items():
        assert (rtl_root() / "sbox" / f"{name}.sv").read_text(encoding="utf-8") == text


def test_the_rtl_is_smaller_than_the_other_sboxes() -> None:
    """By more than a fifth than `aes_sbox_tower` in standard cells, in each direction."""
    for direction in DIRECTIONS:
        sizes = {
            row["core"]: row["ge"]
            for row in KEPT
            if row["config"]["direction"] == direction and row["ge"]
            if row["core"] != search.SBOX or search.known(row) == search.winners(KEPT)[direction]
        }
        assert len(sizes) == 4
        assert sizes[search.SBOX] < 0.8 * sizes["aes_sbox_tower"]
        assert sizes[search.SBOX] == min(sizes.values())


def test_there_is_a_row_for_each_tower_and_direction() -> None:
    assert len(ROWS) == 16 * 3
    assert len({(row["config"]["direction"], row["lambda"]) for row in ROWS}) == 4 * 3


def test_sixteen_towers_enter_the_field_of_the_standard() -> None:
    assert len(towers()) == 16
    for tower in towers():
        table = tower.into()
        assert sorted(table) == list(range(256))
        assert all(table[a ^ b] == table[a] ^ table[b] for a in range(256) for b in (1, 77, 200))
        assert len(search.scales(tower)) == 85


def apply(program: xors.Program, operand: int) -> int:
    signals = [operand >> bit & 1 for bit in range(program.inputs)]
    for a, b in program.xors:
        signals.append(signals[a] ^ signals[b])
    return sum(signals[at] << bit for bit, at in enumerate(program.results))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: "-".join(row["config"].values()))
def test_kept_programs_are_those_of_the_circuit(row: store.Row) -> None:
    found = search.known(row)
    assert found.xors == row["xors"]
    for part, targets in found.circuit.maps.items():
        for operand in (1, 2, 4, 8, 16, 32, 64, 128, 0xA5, 0xFF):
            wanted = sum(parity(mask & operand) << bit for bit, mask in enumerate(targets))
            assert apply(found.programs[part], operand) == wanted


def test_an_operand_of_the_other_direction_reaches_the_core() -> None:
    random = Random(1)
    for _ in range(20):
        ratio, scale = (random.randrange(1, 256), random.randrange(8)), random.randrange(1, 256)
        enter, leave = turns(ratio)
        core = compose(scaling(scale, 0), INVERSES, scaling(scale, 0))
        for byte in range(256):
            assert AFFINE[core[byte]] == SBOX[byte] ^ SBOX[0]
            decrypted = compose(leave, AFFINE, core, enter)[byte]
            assert decrypted == INVERSES[inverted(AFFINE)[byte]]


def test_a_program_shares_its_sums() -> None:
    targets = [0b1110, 0b0111, 0b1001, 0b1111, 0b1000]
    [program] = xors.solve(4, [targets], 20)
    assert len(program.xors) == 5  # of 8 apart
    assert [apply(program, 1 << bit) for bit in range(4)] == [
        sum((mask >> bit & 1) << row for row, mask in enumerate(targets)) for bit in range(4)
    ]


@slow
def test_the_best_of_a_tower_is_found_again() -> None:
    """Of encryption, whose search is short: no tower with fewer XORs than the kept ones."""
    found = {one.circuit.tower: one.xors for one in search.best(ENCRYPT)}
    kept = {
        search.known(row).circuit.tower: row["xors"]
        for row in ROWS
        if row["config"]["direction"] == ENCRYPT
    }
    assert found == kept


def test_directions_differ() -> None:
    assert DIRECTIONS == (ENCRYPT, DECRYPT, BOTH)
    tower = towers()[0]
    assert Circuit(ENCRYPT, tower, 1).maps != Circuit(DECRYPT, tower, 1).maps


def test_the_verb_writes_what_it_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = {
        direction: [search.known(row) for row in ROWS if row["config"]["direction"] == direction]
        for direction in DIRECTIONS
    }
    monkeypatch.setattr(search, "best", kept.get)
    rows = tmp_path / "rows.jsonl"
    command = ["search", "--json", "--write", str(tmp_path), "--store", str(rows)]
    done = CliRunner().invoke(cli, command)
    assert done.exit_code == 0, done.output
    document = json.loads(done.stdout)
    assert document["winners"].keys() == set(DIRECTIONS)
    assert store.load(rows) == sorted(document["rows"], key=store.point)
    assert document["others"] == []  # without a target nothing is mapped
    written = {
        Path(file).stem: Path(file).read_text(encoding="utf-8") for file in document["files"]
    }
    assert written == texts(search.winners(document["rows"]))


def test_the_folder_for_the_rtl_must_exist(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="create it"):
        search.search(write=tmp_path / "no")
