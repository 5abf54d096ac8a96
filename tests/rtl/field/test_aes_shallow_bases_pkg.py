"""aes_shallow_bases_pkg: the choice of the search meets the conditions of aes_shallow_pkg."""

import re
from functools import reduce

import pytest

from aesforge.core import sources
from aesforge.search.towers import mul

PATH = next(path for path in sources.files() if path.stem == "aes_shallow_bases_pkg")
TEXT = PATH.read_text(encoding="utf-8")


def chosen(name: str) -> list[int]:
    """A vector of the package, lowest entry first."""
    found = re.search(rf"{name} = \{{(.*?)\}};", TEXT, re.DOTALL)
    assert found is not None
    entries = re.findall(r"\d'([bd])(\d+)", found[1])
    return [int(digits, {"b": 2, "d": 10}[base]) for base, digits in entries][::-1]


NORMS, FACTORS, BASES = chosen("NORMS"), chosen("FACTORS"), chosen("BASES")
D, E = BASES[1::2], BASES[::2]


def power(a: int, exponent: int) -> int:
    return reduce(mul, [a] * exponent, 1)


SUBFIELD = [power(power(3, 17), k) for k in range(15)]


def trace(a: int) -> int:
    return power(a, 1) ^ power(a, 2) ^ power(a, 4) ^ power(a, 8)


def norm_bit(k: int, x: int) -> int:
    return trace(mul(SUBFIELD[NORMS[k]], power(x, 17)))


def test_four_bits_determine_the_norm() -> None:
    seen = {tuple(norm_bit(k, x) for k in range(4)) for x in range(256)}
    assert len(seen) == 16


@pytest.mark.parametrize("k", range(4))
def test_factors_of_a_norm_are_a_symplectic_basis(k: int) -> None:
    """The polar form of the bit equals that of a sum of products of two factors each."""
    factors = FACTORS[8 * k : 8 * k + 8]
    assert len({*factors}) == 8
    for i in range(8):
        for j in range(i):
            x, y = 1 << i, 1 << j
            polar = norm_bit(k, x ^ y) ^ norm_bit(k, x) ^ norm_bit(k, y)
            products = 0
            for p, q in zip(factors[::2], factors[1::2], strict=True):
                products ^= (p >> i & q >> j ^ p >> j & q >> i) & 1
            assert polar == products


@pytest.mark.parametrize("k", range(8))
def test_the_bases_of_a_bit_are_dual(k: int) -> None:
    for i in range(4 * k, 4 * k + 4):
        for j in range(4 * k, 4 * k + 4):
            assert trace(mul(SUBFIELD[D[i]], SUBFIELD[E[j]])) == (i == j)
