"""The text of `rtl/field/aes_shallow_bases_pkg.sv`: the bases that a search chose."""

from collections.abc import Iterable, Sequence

from aesforge.search.bases import Bases

PACKAGE = "aes_shallow_bases_pkg"

_TEXT = """// SPDX-License-Identifier: Apache-2.0
//
// {package}: the bases of the shallow S-box, one choice of all in aes_shallow_pkg.
//
// Written by `aesforge search shallow --write`. Elements of the subfield GF(2^4) are exponents of
// its generator 3^17.

package {package};

  /// The constant c of bit k of the norm, in [4*k +: 4].
  localparam logic [15:0] NORMS = {norms};

  /// The factors of bit k of the norm, in [64*k +: 64]: four products of two sums of bits of the
  /// byte, as masks.
  localparam logic [255:0] FACTORS = {{
{factors}
  }};

  /// The bases for bit k of the result, in [32*k +: 32]: four times {{d, e}}.
  localparam logic [255:0] BASES = {{
{duals}
  }};

  /// The number of bits of the byte and sums of two or more bits, for encryption.
  localparam int PLACES = {places};

endpackage
"""


def _elements(exponents: Iterable[int]) -> str:
    return ", ".join(f"4'd{exponent}" for exponent in exponents)


def _lines(lines: Sequence[str]) -> str:
    return ",\n".join(f"    {line}" for line in lines)


def text(bases: Bases) -> str:
    """The package; a vector has its lowest entry last."""
    pairs = [
        f"8'b{one:08b}, 8'b{other:08b}"
        for of_norm in reversed(bases.factors)
        for one, other in reversed(list(zip(of_norm[1::2], of_norm[::2], strict=True)))
    ]
    duals = [
        _elements(exponent for pair in reversed(of_bit) for exponent in pair)
        for of_bit in reversed(bases.duals)
    ]
    return _TEXT.format(
        package=PACKAGE,
        norms=f"{{{_elements(reversed(bases.norms))}}}",
        factors=_lines(pairs),
        duals=_lines(duals),
        places=8 + bases.sums,
    )
