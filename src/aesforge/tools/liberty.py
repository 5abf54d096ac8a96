"""Liberty files (https://www.opensourceliberty.org): the few facts that measuring needs."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from aesforge.errors import UserError


@dataclass(frozen=True)
class Library:
    """`nand_area`: of a NAND of two inputs, in the units of the file. `driver`: a buffer.

    `driver_pins`: its input and its output. `flip_flops` and `latches`: the cells that are.
    `areas`: of each cell, in those units. `volt`: the voltage that it is characterized at, if the
    file says so. `asynchronous`: cell and pin of each asynchronous set or reset of a flip-flop.
    """

    nand_area: float
    driver: str
    driver_pins: tuple[str, str]
    flip_flops: frozenset[str]
    latches: frozenset[str]
    areas: Mapping[str, float]
    volt: float | None = None
    asynchronous: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Wires:
    """An estimate of the wires and of the clock of a placed core, made before it is placed.

    `load_ff`: capacitance of the wires of a net, in fF for each input that the net drives.
    `uncertainty_ps`: skew and jitter of the clock. `slew_ps`: the time that the clock takes from 20
    to 80 per cent, or between the thresholds that a Liberty file names.
    """

    load_ff: float
    uncertainty_ps: float
    slew_ps: float


def _cells(text: str) -> dict[str, str]:
    """The text of each cell."""
    starts = list(re.finditer(r'\bcell\s*\(\s*"?([^\s")]+)"?\s*\)\s*{', text))
    ends = [start.start() for start in starts[1:]] + [len(text)] * bool(starts)
    return {at[1]: text[at.end() : end] for at, end in zip(starts, ends, strict=True)}


# The ways to write these functions of inputs x and y, without spaces and outer parentheses.
_NAND = {"((x)&(y))'", "!(x&y)", "(x&y)'", "!x|!y", "(!x)|(!y)", "x'|y'", "(x')|(y')"}
_BUFFER = {"x"}


def _enclosed(text: str) -> bool:
    """Whether the first parenthesis is closed by the last."""
    depth = 0
    for at, mark in enumerate(text):
        depth += {"(": 1, ")": -1}.get(mark, 0)
        if depth == 0:
            return at > 0 and at == len(text) - 1
    return False


def _function(body: str) -> str:
    """The function of a cell with one output, with its inputs named x and y; else empty."""
    functions = re.findall(r'\bfunction\s*:\s*"([^"]*)"', body)
    if len(functions) != 1 or _is_register(body) or "three_state" in body:
        return ""
    text = re.sub(r"(?<=[\w)'])\s+(?=[\w(!])", "&", functions[0].strip())
    text = re.sub(r"\s", "", text).replace("*", "&").replace("+", "|")
    while _enclosed(text):
        text = text[1:-1]
    names = list(dict.fromkeys(re.findall(r"\w+", text)))
    if len(names) > 2:
        return ""
    return re.sub(r"\w+", lambda name: "xy"[names.index(name[0])], text)


def _area(body: str) -> float:
    found = re.search(r"\barea\s*:\s*\"?([\d.]+(?:e[-+]?\d+)?)", body)
    return float(found[1]) if found else 0.0


def _is_register(body: str) -> bool:
    return re.search(r"\b(ff|latch)(_bank)?\s*\(", body) is not None


def _buffer_pins(body: str) -> tuple[str, str]:
    """The input and the output of a buffer."""
    found = re.search(
        r'\bpin\s*\(\s*"?(\w+)"?\s*\)\s*{(?:(?!\bpin\s*\().)*?\bfunction\s*:\s*"\W*(\w+)\W*"',
        body,
        re.S,
    )
    return (found[2], found[1]) if found else ("", "")


def _asynchronous(body: str) -> list[str]:
    """The pins of a flip-flop that set or reset it asynchronously."""
    register = re.search(r"\bff(?:_bank)?\s*\([^)]*\)\s*{([^{}]*)}", body)
    said = re.findall(r'\b(?:clear|preset)\s*:\s*"([^"]*)"', register[1] if register else "")
    return [pin for function in said for pin in re.findall(r"[A-Za-z_]\w*", function)]


def _kept(cells: Mapping[str, str], by: str) -> frozenset[str]:
    pattern = rf"\b{by}(_bank)?\s*\("
    return frozenset(name for name, body in cells.items() if re.search(pattern, body))


@cache
def sizes(lef: Path) -> Mapping[str, float]:
    """The area of each macro of a LEF file, in square micrometers: SIZE width BY height."""
    text = lef.read_text(encoding="utf-8", errors="replace")
    found = re.finditer(
        r"^\s*MACRO\s+(\S+)(?:(?!^\s*MACRO\s).)*?^\s*SIZE\s+([\d.]+)\s+BY\s+([\d.]+)",
        text,
        re.M | re.S,
    )
    return {macro[1]: round(float(macro[2]) * float(macro[3]), 6) for macro in found}


def with_areas(text: str, areas: Mapping[str, float]) -> str:
    """The text of a Liberty file with the areas of some cells replaced."""
    for name, area in areas.items():
        cell = rf'(\bcell\s*\(\s*"?{re.escape(name)}"?\s*\)\s*{{[^{{}}]*?\barea\s*:\s*)[^;]+;'
        text = re.sub(cell, lambda found: f"{found[1]}{area:g};", text)  # noqa: B023
    return text


def unit(text: str, pattern: str, default: float) -> float:
    """A unit of the text of a Liberty file, found with a pattern of number and prefix, in SI."""
    found = re.search(pattern, text, re.I)
    prefix = {"f": 1e-15, "p": 1e-12, "n": 1e-9, "u": 1e-6, "m": 1e-3, "": 1.0}
    return float(found[1]) * prefix[found[2].lower()] if found else default


def farad(text: str) -> float:
    """The unit of capacitance of the text of a Liberty file, in farads."""
    return unit(text, r"\bcapacitive_load_unit\s*\(\s*\"?([\d.]+)\"?\s*,\s*\"?([fpn])f", 1e-12)


def with_wires(text: str, load_ff: float) -> str:
    """The text of a Liberty file with `load_ff` of wire for each input that a net drives.

    The wire load model is the default one, which ABC and OpenSTA use. It has no resistance.
    """
    # A wire has the unit of capacitance per unit of length, so that its length is its capacitance.
    load = load_ff * 1e-15 / farad(text)
    model = f"""
  wire_load ("aesforge") {{
    resistance : 0; capacitance : 1; area : 0; slope : {load:g};
    fanout_length (1, {load:g});
  }}
  default_wire_load : "aesforge";
"""
    text = re.sub(r"\bdefault_wire_load(_selection|_mode)?\s*:[^;]*;", "", text)
    return re.sub(r"(\blibrary\s*\([^()]*\)\s*{)", lambda at: at[1] + model, text, count=1)


def _group(text: str, begins: int) -> str:
    """The group of a Liberty file that begins at a place, with its braces."""
    depth = 0
    for at in range(text.index("{", begins), len(text)):
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        if depth == 0:
            return text[begins : at + 1]
    raise UserError("a Liberty file ends within a group; give a complete one")


_TABLE = re.compile(
    r'\b(\w+)\s*\(\w+\)\s*{\s*index_1\s*\("([^"]*)"\);\s*index_2\s*\("([^"]*)"\);\s*'
    r"values\s*\(([^()]*)\);"
)


@dataclass(frozen=True)
class _Table:
    """Values over two indices, as a Liberty file has them, with linear interpolation."""

    rows: tuple[float, ...]
    columns: tuple[float, ...]
    values: tuple[tuple[float, ...], ...]

    def at(self, row: float, column: float) -> float:
        left, right = self._near(self.rows, row), self._near(self.columns, column)
        return sum(
            share * other * self.values[one][two] for one, share in left for two, other in right
        )

    @staticmethod
    def _near(index: tuple[float, ...], at: float) -> list[tuple[int, float]]:
        """Two places of an index with their shares; beyond its ends the line goes on."""
        last = len(index) - 2
        low = next((i for i in range(last) if at < index[i + 1]), last)
        share = (at - index[low]) / (index[low + 1] - index[low])
        return [(low, 1 - share), (low + 1, share)]


def _tables(timing: str) -> dict[str, _Table]:
    def numbers(text: str) -> tuple[float, ...]:
        return tuple(map(float, text.split(",")))

    return {
        found[1]: _Table(
            numbers(found[2]), numbers(found[3]), tuple(map(numbers, found[4].split('"')[1::2]))
        )
        for found in _TABLE.finditer(timing)
    }


PULSED = "PULSED_LATCH"
"""The cell of `with_pulsed`."""


def with_pulsed(text: str, latch: str, narrow: float, wide: float) -> str:
    """The text of a Liberty file with a cell `PULSED`: a latch that a pulse opens, as a flip-flop.

    Pulses take from `narrow` to `wide`, in the unit of time of the file. Data come before a latch
    closes, as its set-up time demands, and so early that the output is no later than the clock
    makes it, so no path goes through an open latch. They change when the longest pulse has ended.
    A cell of that name in the text is replaced. UserError when the latch is not described by its
    enable, D and Q with tables of two indices.
    """
    if re.search(rf"\bcell\s*\({PULSED}\)", text):
        text = text.replace(_cell(text, PULSED), "")
    cell = _cell(text, latch)
    groups = [_group(cell, at.start()) for at in re.finditer(r"\btiming\s*\(\s*\)\s*{", cell)]

    def one(*words: str) -> tuple[str, dict[str, _Table]]:
        fit = [group for group in groups if all(word in group for word in words)]
        if len(fit) != 1 or not _tables(fit[0]):
            raise UserError(f"{latch} has no table of {' '.join(words)}; name another latch")
        return fit[0], _tables(fit[0])

    (setup, most), (hold, least) = one("setup_falling"), one("hold_falling")
    _, opened = one("rising_edge", "cell_rise")
    through, followed = one('related_pin : "D"', "cell_rise")

    def valued(group: str, values: Mapping[str, _Table]) -> str:
        def table(found: re.Match[str]) -> str:
            rows = ", ".join(
                f'"{", ".join(f"{value:.6f}" for value in row)}"' for row in values[found[1]].values
            )
            return found[0].replace(found[4], rows)

        return _TABLE.sub(table, group).replace("_falling", "_rising")

    def early(edge: str) -> _Table:
        """How long before a latch opens data come; rows are slews of the clock."""
        closing = most[f"{edge}_constraint"]
        before, after = opened[f"cell_{edge}"], followed[f"cell_{edge}"]
        loads = (0, *after.rows)  # most loads are less than the first of a table
        return _Table(
            closing.rows,
            closing.columns,
            tuple(
                tuple(
                    max(
                        closing.at(clock, data) - narrow,
                        *(after.at(load, data) - before.at(load, clock) for load in loads),
                    )
                    for data in closing.columns
                )
                for clock in closing.rows
            ),
        )

    edges = ("rise", "fall")
    late = {
        name: _Table(
            table.rows, table.columns, tuple(tuple(v + wide for v in row) for row in table.values)
        )
        for name, table in least.items()
    }
    pulsed = re.sub(
        r"\blatch(\s*\([^()]*\)\s*{)[^{}]*}",
        r'ff\1 next_state : "D"; clocked_on : "CLK"; }',
        cell.replace(through, "")
        .replace(setup, valued(setup, {f"{edge}_constraint": early(edge) for edge in edges}))
        .replace(hold, valued(hold, late)),
    )
    pulsed = re.sub(r"^cell\s*\([^()]*\)", f"cell ({PULSED})", pulsed)
    return text.replace(cell, f"{pulsed}\n{cell}", 1)


def least_pulse(text: str, latch: str) -> float:
    """The shortest time for which a latch of a Liberty file must be open, in its unit of time."""
    found = re.search(r"\bmin_pulse_width_high\s*:\s*\"?([\d.]+)", _cell(text, latch))
    return float(found[1]) if found else 0.0


def _cell(text: str, name: str) -> str:
    """The text of a cell; UserError when there is none."""
    found = re.search(rf"\bcell\s*\(\s*{re.escape(name)}\s*\)\s*{{", text)
    if found is None:
        raise UserError(f"no cell {name} in the Liberty file; name one that it has")
    return _group(text, found.start())


@cache
def read(path: Path, gate: str = "", driver: str = "", lef: Path | None = None) -> Library:
    """Read a file; without names, the smallest NAND and buffer are used.

    Areas are those of the LEF file, if one is given. UserError when the file has no such cell.
    """
    text = re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8", errors="replace"), flags=re.S)
    if lef is not None:
        text = with_areas(text, sizes(lef))
    cells = _cells(text)

    def smallest(named: str, written: set[str], what: str) -> str:
        fit = [named] if named in cells else []
        if not named:
            fit = [name for name, body in cells.items() if _function(body) in written]
        fit = [name for name in fit if _area(cells[name]) > 0]
        if not fit:
            raise UserError(
                f"{path.name} has no cell {named or what}; give a Liberty file that has"
            )
        return min(fit, key=lambda name: (_area(cells[name]), name))

    nand = smallest(gate, _NAND, "that is a two-input NAND, the unit of areas")
    buffer = smallest(driver, _BUFFER, "that is a buffer, to drive inputs with")
    volt = re.search(r"\bnom_voltage\s*:\s*\"?([\d.]+)", text)
    return Library(
        nand_area=_area(cells[nand]),
        driver=buffer,
        driver_pins=_buffer_pins(cells[buffer]),
        flip_flops=_kept(cells, "ff"),
        latches=_kept(cells, "latch"),
        areas={name: _area(body) for name, body in cells.items()},
        volt=float(volt[1]) if volt else None,
        asynchronous=tuple(
            (name, pin) for name, body in cells.items() for pin in _asynchronous(body)
        ),
    )
