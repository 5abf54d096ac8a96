"""S-boxes of few gates, and the text of `rtl/sbox/aes_lean_factors.sv` and `aes_lean_sums.sv`.

One layer has all linear maps before the products, and the other has all linear maps after them.
With both directions, the circuit is made for one direction, and maps convert the operand and the
result of the other. A scaling commutes with 1/x, so such a map is the affine transformation and a
scaling; with some scalings it takes only eight XORs.
"""

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from aesforge.search.towers import (
    AFFINE,
    AFTER,
    BEFORE,
    DECRYPT,
    ENCRYPT,
    Map,
    Tower,
    compose,
    inverted,
    rows,
    scaling,
)
from aesforge.search.xors import Program

BOTH = "both"
DIRECTIONS = (ENCRYPT, DECRYPT, BOTH)
FACTORS, SUMS = "aes_lean_factors", "aes_lean_sums"

XOR, MUX = 7, 6
"""Area in thirds of a NAND, as in osu018 and many other libraries."""


@dataclass(frozen=True)
class Circuit:
    """An S-box: a tower, the scale at its input, and with both directions how they differ.

    `ratio` (d, k): the operand of decryption is d a^(2^k), where a is the byte before the affine
    transformation. `first` and `last` are the directions whose operand and result need no map.
    """

    direction: str
    tower: Tower
    scale: int
    ratio: tuple[int, int] = (1, 0)
    first: str = ENCRYPT
    last: str = ENCRYPT

    @property
    def maps(self) -> dict[str, tuple[int, ...]]:
        """The rows of each linear part: `factors`, transposed `sums`, and `enter` and `leave`."""
        enter, leave = turns(self.ratio)
        scaled = scaling(self.scale, 0)
        before = scaled if self.first == ENCRYPT else compose(scaled, enter)
        after = compose(AFFINE, scaled) if self.last == ENCRYPT else compose(leave, AFFINE, scaled)
        if self.direction != BOTH:
            before = compose(scaled, BEFORE[self.direction])
            after = compose(AFTER[self.direction], scaled)
        found = {
            "factors": self.tower.factors(before),
            "sums": self.tower.products(after),
        }
        if self.direction == BOTH:
            found["enter"] = rows(enter if self.first == ENCRYPT else inverted(enter))
            found["leave"] = rows(leave if self.last == ENCRYPT else inverted(leave))
        return found


def turns(ratio: tuple[int, int]) -> tuple[Map, Map]:
    """The maps from the operand and the result of encryption to those of decryption."""
    back = inverted(AFFINE)
    d, k = ratio
    return compose(scaling(d, k), back), compose(scaling(1, -k % 8), scaling(d, 0), back)


def kept(of: Sequence[int]) -> int:
    """Number of bits that a map leaves unchanged."""
    return sum(row == 1 << bit for bit, row in enumerate(of))


@dataclass(frozen=True)
class Found:
    """A circuit with the programs of its parts."""

    circuit: Circuit
    programs: Mapping[str, Program]

    @property
    def xors(self) -> int:
        """XORs in all linear parts; a transposed map of 8 bits to 18 takes ten more."""
        return sum(len(p.xors) for p in self.programs.values()) + 10

    @property
    def muxes(self) -> int:
        """Multiplexers between the two directions."""
        maps = self.circuit.maps
        return sum(8 - kept(maps[part]) for part in ("enter", "leave") if part in maps)

    @property
    def rank(self) -> int:
        """Area of the linear parts; all circuits have the same other parts."""
        return XOR * self.xors + MUX * self.muxes


# Text //////////////////////////////////////////////////////////////////////////////////////////

_HEAD = """// SPDX-License-Identifier: Apache-2.0
//
// {name}: {what}
//
{why}
//
// Latency: 0 cycles.

(* keep_hierarchy_for_area = "yes" *)
module {name} #(
  /// One of aes_pkg::DIRECTION_*.
  parameter int Direction = aes_pkg::DIRECTION_BOTH
) (
{ports}
);
"""

_INVERSE = """  /// 0: S-box. 1: inverse S-box. Used only with DIRECTION_BOTH.
  // verilator lint_off UNUSEDSIGNAL
  input  logic        inverse_i,
  // verilator lint_on UNUSEDSIGNAL"""


def _wrapped(text: str, indent: str) -> list[str]:
    return textwrap.wrap(
        text, 100, initial_indent=indent, subsequent_indent=f"{indent}    ", break_on_hyphens=False
    )


def _vector(bits: Iterable[str]) -> str:
    return f"{{{', '.join(reversed(list(bits)))}}}"


def _xors(steps: Sequence[tuple[str, str, str]]) -> list[str]:
    if not steps:
        return []
    names = ", ".join(name for name, _, _ in steps)
    return [
        *_wrapped(f"logic {names};", "    "),
        *(f"    assign {name} = {a} ^ {b};" for name, a, b in steps),
    ]


def _forward(program: Program, operand: Sequence[str], name: str) -> tuple[list[str], list[str]]:
    """RTL lines of a program, and its results."""
    signals, steps = list(operand), []
    for number, (a, b) in enumerate(program.xors):
        steps.append((f"{name}{number}", signals[a], signals[b]))
        signals.append(f"{name}{number}")
    return _xors(steps), [signals[at] for at in program.results]


def _turned(program: Program, operand: Sequence[str], name: str) -> tuple[list[str], list[str]]:
    """Lines of the program of a transposed map, and its results (the transposition principle).

    An XOR becomes a signal with two uses, and an input becomes the sum of its uses. The shallowest
    signals are added first.
    """
    uses: list[list[tuple[int, str]]] = [[] for _ in range(program.inputs + len(program.xors))]
    for signal, at in zip(operand, program.results, strict=True):
        uses[at].append((0, signal))
    steps: list[tuple[str, str, str]] = []

    def total(terms: list[tuple[int, str]]) -> tuple[int, str]:
        while len(terms) > 1:
            (_, one), (depth, other), *terms = sorted(terms, key=lambda term: term[0])
            steps.append((f"{name}{len(steps)}", one, other))
            terms.append((depth + 1, steps[-1][0]))
        return terms[0]

    for number, (a, b) in reversed(list(enumerate(program.xors, program.inputs))):
        sum_ = total(uses[number])
        uses[a].append(sum_)
        uses[b].append(sum_)
    results = [total(uses[bit])[1] for bit in range(program.inputs)]
    return _xors(steps), results


def _chosen(name: str, decrypt: str, encrypt: str) -> list[str]:
    return _wrapped(f"assign {name} = inverse_i ? {decrypt} : {encrypt};", "    ")


def _factors(found: Found) -> list[str]:
    """The branch of a direction in `aes_lean_factors`."""
    byte = [f"a[{bit}]" for bit in range(8)]
    given = {ENCRYPT: "data_i", DECRYPT: "data_i ^ 8'h63"}
    lines = ["    logic [7:0] a;"]
    circuit = found.circuit
    if circuit.direction != BOTH:
        lines.append(f"    assign a = {given[circuit.direction]};")
    else:
        through = DECRYPT if circuit.first == ENCRYPT else ENCRYPT
        lines += ["    logic [7:0] other;", f"    assign other = {given[through]};"]
        steps, results = _forward(
            found.programs["enter"], [f"other[{bit}]" for bit in range(8)], "e"
        )
        kinds = {circuit.first: given[circuit.first], through: _vector(results)}
        lines += [*steps, *_chosen("a", kinds[DECRYPT], kinds[ENCRYPT])]
    steps, results = _forward(found.programs["factors"], byte, "f")
    return [*lines, *steps, *_wrapped(f"assign factors_o = {_vector(results)};", "    ")]


def _sums(found: Found) -> list[str]:
    """The branch of a direction in `aes_lean_sums`."""
    circuit = found.circuit
    steps, results = _turned(
        found.programs["sums"], [f"product[{number}]" for number in range(18)], "s"
    )
    if circuit.direction != BOTH:
        constant = " ^ 8'h63" if circuit.direction == ENCRYPT else ""
        return [*steps, *_wrapped(f"assign data_o = {_vector(results)}{constant};", "    ")]
    lines = [*steps, "    logic [7:0] a;", *_wrapped(f"assign a = {_vector(results)};", "    ")]
    steps, results = _forward(found.programs["leave"], [f"a[{bit}]" for bit in range(8)], "l")
    kinds = {circuit.last: "a", (DECRYPT if circuit.last == ENCRYPT else ENCRYPT): _vector(results)}
    return [*lines, *steps, *_chosen("data_o", kinds[DECRYPT], f"{kinds[ENCRYPT]} ^ 8'h63")]


def _module(
    head: str, before: Sequence[str], branches: Mapping[str, Sequence[str]], rest: str
) -> str:
    lines = [head, *before]
    word = "  if"
    for direction, branch in branches.items():
        code = f"aes_pkg::DIRECTION_{direction.upper()}"
        lines += [f"{word} (Direction == {code}) begin : gen_{direction}", *branch]
        word = "  end else if"
    return "\n".join([*lines, "  end else begin : gen_bad", rest, "  end", "", "endmodule", ""])


def texts(found: Mapping[str, Found]) -> dict[str, str]:
    """The text of both modules by name, from a circuit for each direction."""
    bad = "    Direction_must_be_an_aes_pkg_DIRECTION_code u_error ();"

    def why(*sentences: str) -> str:
        circuits = [
            f"{direction}, tower w = {f.circuit.tower.w:02x}, z = {f.circuit.tower.z:02x}, "
            f"y = {f.circuit.tower.y:02x}, scaled by {f.circuit.scale:02x}"
            for direction, f in found.items()
        ]
        text = [*sentences, "Written by `aesforge search --write`: " + "; ".join(circuits) + "."]
        return "\n".join(
            line
            for part in text
            for line in textwrap.wrap(part, 100, initial_indent="// ", subsequent_indent="// ")
        )

    factors = _HEAD.format(
        name=FACTORS,
        what="the linear map from a byte to the factors of its inversion.",
        why=why(
            "With DIRECTION_BOTH a map converts the operand of one direction to that of the other."
        ),
        ports=f"  input  logic [7:0]  data_i,\n{_INVERSE}\n"
        "  /// The factors (aes_tower_pkg::factors) of l, and above them the factors of h + l.\n"
        "  output logic [17:0] factors_o",
    )
    sums = _HEAD.format(
        name=SUMS,
        what="the linear map from the last products of an inversion to a byte.",
        why=why(
            "With DIRECTION_BOTH a map converts the result of one direction to that of the other."
        ),
        ports="  /// The factors of l, above them the factors of h + l; the factors of 1/norm.\n"
        "  input  logic [17:0] factors_i,\n  input  logic [8:0]  over_i,\n"
        f"{_INVERSE}\n  output logic [7:0]  data_o",
    )
    product = [
        "  logic [17:0] product;",
        "  assign product = factors_i & {over_i, over_i};",
        "",
    ]
    return {
        FACTORS: _module(factors, [], {d: _factors(f) for d, f in found.items()}, bad),
        SUMS: _module(sums, product, {d: _sums(f) for d, f in found.items()}, bad),
    }
