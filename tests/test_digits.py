"""Figures in tables have the digits that the seeds agree on."""

from aesforge.results.digits import rounded, shown, spread


def row(*seeds: float) -> dict[str, object]:
    by_seed = {str(n): mhz for n, mhz in enumerate(seeds, 1)} or None
    return {"fmax_by_seed": by_seed, "fmax_mhz": sorted(seeds)[len(seeds) // 2] if seeds else 9.0}


def test_the_last_digit_is_the_first_that_seeds_change() -> None:
    placed = row(100.0, 104.0, 108.0)
    assert round(spread(placed), 3) == 0.038
    assert [shown(placed, value) for value in (113.13, 1448.1, 32787.2)] == [
        "113",
        "1,450",
        "33,000",
    ]
    assert shown(row(104.0, 104.0, 104.01), 1448.16) == "1,448"
    assert shown(row(104.0, 104.0, 104.01), 0.71234) == "0.7123"


def test_one_seed_is_as_good_as_seeds_are() -> None:
    assert shown(row(256.15), 256.15) == "260"
    assert shown(row(256.15), 32787.2) == "33,000"


def test_cells_have_four_digits() -> None:
    assert shown(row(), 103751.7) == "103,800"
    assert shown(row(), 36.06) == "36.06"
    assert shown(row(), None) == ""
    assert rounded(row(), 0.0) == 0.0
