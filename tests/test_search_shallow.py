"""The search for bases of the shallow S-box: what it keeps is what the RTL has, and may be."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from suite import slow

from aesforge.cli.main import cli
from aesforge.core.model import SBOX
from aesforge.core.sources import rtl_root
from aesforge.errors import UserError
from aesforge.results import store
from aesforge.search import shallow_search as search
from aesforge.search.bases import Bases, Costs, anneal
from aesforge.search.shallow import PACKAGE, text
from aesforge.search.towers import mul, parity

ROWS = store.load(store.path("sboxes_shallow"))
COSTS = Costs(xor=2.33, function=6.0, third_bit=4.0)


def power(a: int, exponent: int) -> int:
    result = 1
    for _ in range(exponent):
        result = mul(result, a)
    return result


SUBFIELD = [power(3, 17 * k) for k in range(15)]
NORM = [power(x, 17) for x in range(256)]
X16 = [power(x, 16) for x in range(256)]


def trace(a: int) -> int:
    return a ^ power(a, 2) ^ power(a, 4) ^ power(a, 8)


TRACES = {0: 0} | {a: trace(a) for a in SUBFIELD}


def affine(a: int) -> int:
    return SBOX[power(a, 254)] ^ SBOX[0]


def test_rtl_is_what_the_kept_rows_say() -> None:
    written = (rtl_root() / "field" / f"{PACKAGE}.sv").read_text(encoding="utf-8")
    assert written == text(search.known(search.winner(ROWS)))


def test_the_winner_has_most_throughput_for_its_area() -> None:
    best = search.winner(ROWS)
    assert all(row["ge"] / row["fmax_mhz"] >= best["ge"] / best["fmax_mhz"] for row in ROWS)


def test_rows_are_of_the_seeds_of_the_command() -> None:
    """But for those with a sum that is not of two others."""
    seeds = {int(row["config"]["seed"]) for row in ROWS}
    assert seeds <= {*search.SEEDS}
    assert len(seeds) > len(search.SEEDS) / 2


def masks(bases: Bases) -> list[tuple[int, int]]:
    """For each bit of the result and product: the mask that is multiplied, and the exponent e."""
    return [
        (
            sum((affine(mul(X16[1 << i], SUBFIELD[d])) >> bit & 1) << i for i in range(8)),
            e,
        )
        for bit, of_bit in enumerate(bases.duals)
        for d, e in of_bit
    ]


def check(bases: Bases) -> None:
    """The choice makes the S-box of the standard, in as many sums as it says."""
    for c, factors in zip(bases.norms, bases.factors, strict=True):
        # What four products leave of a bit of the norm is linear: it can go into inversions.
        left = []
        for x in range(256):
            products = sum(
                parity(p & x) & parity(q & x)
                for p, q in zip(factors[::2], factors[1::2], strict=True)
            )
            left.append((TRACES[mul(SUBFIELD[c], NORM[x])] ^ products) & 1)
        assert all(
            left[x] == sum(left[1 << i] for i in range(8) if x >> i & 1) % 2 for x in range(256)
        )
    norms = {tuple(TRACES[mul(SUBFIELD[c], a)] for c in bases.norms) for a in (0, *SUBFIELD)}
    assert len(norms) == 16
    products = masks(bases)
    for x in range(256):
        over = power(NORM[x], 14)
        found = SBOX[0]
        for at, (mask, e) in enumerate(products):
            found ^= (parity(mask & x) & TRACES[mul(SUBFIELD[e], over)]) << at // 4
        assert found == SBOX[x]
    sums = {mask for mask, _ in products} | {mask for of in bases.factors for mask in of}
    sums -= {1 << i for i in range(8)}
    assert bases.sums == len(sums)
    assert bases.functions == len({e for _, e in products})
    there = {1 << i for i in range(8)}
    while sums - there:
        made = {mask for mask in sums - there if any(mask ^ one in there for one in there)}
        assert made, "sums that are not of two others"
        there |= made
    assert bases.third_bits == sum(mask.bit_count() == 3 for of in bases.factors for mask in of)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["config"]["seed"])
def test_kept_bases_make_the_sbox(row: store.Row) -> None:
    check(search.known(row))


@slow
def test_a_short_search_finds_bases_that_make_the_sbox() -> None:
    found = anneal((1, 2), 30_000, COSTS, lambda _: None)
    assert anneal((1,), 30_000, COSTS, lambda _: None) == {1: found[1]}
    assert found[1] != found[2]
    for bases in found.values():
        check(bases)


@slow
def test_more_steps_find_what_costs_less() -> None:
    def cost(steps: int) -> float:
        [bases] = anneal((1,), steps, COSTS, lambda _: None).values()
        return bases.sums * COSTS.xor + bases.functions * 6 + bases.third_bits * 4

    assert cost(300_000) < cost(3_000)


@slow
def test_the_verb_writes_what_it_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "SEEDS", (1, 2))
    monkeypatch.setattr(search, "_STEPS", 30_000)
    rows = tmp_path / "rows.jsonl"
    command = ["search", "shallow", "--json", "--write", str(tmp_path), "--store", str(rows)]
    done = CliRunner().invoke(cli, command)
    assert done.exit_code == 0, done.output
    document = json.loads(done.stdout)
    assert store.load(rows) == sorted(document["rows"], key=store.point)
    [file] = document["files"]
    assert Path(file).read_text(encoding="utf-8") == text(search.known(document["rows"][0]))
    assert document["rows"][0] == search.winner(document["rows"])


@slow
def test_the_table_of_a_search_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "SEEDS", (1,))
    monkeypatch.setattr(search, "_STEPS", 3_000)
    done = CliRunner().invoke(cli, ["search", "shallow"])
    assert done.exit_code == 0, done.output
    assert "Bases by seed" in done.stdout


def test_the_folder_for_the_rtl_must_exist(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="create it"):
        search.search(write=tmp_path / "no")
