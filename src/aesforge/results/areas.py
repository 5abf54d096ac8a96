"""What tables say of a measured row: its area, and whether its frequency counts."""

from aesforge.results.store import Row


def area(row: Row) -> float:
    """LUTs, or GE of a library of cells."""
    return float(row["lut"] if row["ge"] is None else row["ge"])


def unit(row: Row) -> str:
    """The unit of its area."""
    return "LUT" if row["ge"] is None else "GE"


def timed(row: Row) -> bool:
    """Whether the frequency counts: cells that were mapped for area alone are not sized for one."""
    return row["ge"] is None or bool(row["delay_ps"])


def where(row: Row) -> str:
    """The target, and what cells were mapped for."""
    if row["ge"] is None:
        return str(row["target"])
    return f"{row['target']}, " + (f"{row['delay_ps']} ps" if row["delay_ps"] else "for area")
