"""The goals of our own points, told from the measured rows."""

from aesforge import store, tables

ROWS = store.load(store.path("measured"))
POINT = {"preset": "aesforge-compact", "target": "xc7"}
COMMAND = "`aesforge synth aesforge-compact sbox=inverse_table --target xc7`"


def verdict(**changed: object) -> tuple[str, str]:
    """Figure and verdict on the look-up tables of the compact core, its row being `changed`."""
    rows = [
        {**row, **changed}
        if row["config"].get("sbox") == "inverse_table"
        and all(row.get(field) == value for field, value in POINT.items())
        else row
        for row in ROWS
    ]
    (line,) = (
        line for line in tables.goals(rows).splitlines() if COMMAND in line and "LUT" in line
    )
    return line.split(" | ")[3], line.split(" | ")[4].rstrip(" |")


def test_a_goal_is_reached_up_to_its_bound() -> None:
    assert verdict(lut=1100) == ("1,100", "reached")
    assert verdict(lut=1101) == ("1,101", "**missed**")


def test_a_point_without_a_figure_is_not_measured() -> None:
    assert verdict(failed="placement") == ("", "not measured")
    assert verdict(too_large=True) == ("", "not measured")
    assert "reached" not in tables.goals([])
