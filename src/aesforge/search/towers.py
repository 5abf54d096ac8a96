"""Tower fields isomorphic to the field of AES, and the linear layers of an S-box in each tower.

The images w, z and y of its generators define an isomorphism to the tower of
`rtl/field/aes_tower_pkg.sv`, or to such a tower with another LAMBDA. A byte is h y + l; p = l and
q = h + l are its coordinates for y^16 and y, so the inverse of p y^16 + q y is
(q y^16 + p y) / norm.

A product in GF(2^4) is the sum of nine products of bits (Karatsuba, twice), each of a factor, which
is a sum of bits of one operand, and the same sum of the other operand. The factors are the same for
polynomial and for normal bases of GF(2^4) and GF(2^2), because the products use all three of a, b
and a + b. So the 432 towers of Canright (CHES 2005), with either basis and either root at each
level, are 16 here. Since 1/x = c (1/(c x)), the operand may be scaled by any c; 85 of the 255
scales have different factors.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, reduce
from operator import xor

from aesforge.core.model import SBOX, multiply

ENCRYPT, DECRYPT = "encrypt", "decrypt"

FACTORS = (1, 2, 3, 4, 8, 12, 5, 10, 15)
"""The nine sums of bits of an element of GF(2^4) as masks, ordered as in `aes_tower_pkg`."""

Map = tuple[int, ...]
"""A linear map of bytes: the image of each."""

_PRODUCTS = [[multiply(a, b) for b in range(256)] for a in range(256)]


def mul(a: int, b: int) -> int:
    """a * b in the field of FIPS 197."""
    return _PRODUCTS[a][b]


def _power(a: int, n: int) -> int:
    return reduce(mul, [a] * n, 1)


def parity(mask: int) -> int:
    """The sum of the bits of a mask."""
    return mask.bit_count() & 1


def compose(*maps: Map) -> Map:
    """The composition of maps; the last is applied first."""
    return tuple(reduce(lambda v, m: m[v], reversed(maps), x) for x in range(256))


def inverted(of: Map) -> Map:
    """The inverse of a map."""
    return tuple(of.index(x) for x in range(256))


def rows(of: Map) -> tuple[int, ...]:
    """For each bit of the result, the mask of the bits of which it is the sum."""
    return tuple(sum(1 << i for i in range(8) if of[1 << i] >> row & 1) for row in range(8))


INVERSES: Map = (0, *(_power(a, 254) for a in range(1, 256)))
AFFINE: Map = tuple(SBOX[INVERSES[a]] ^ SBOX[0] for a in range(256))
"""The linear part of the S-box's affine transformation."""
IDENTITY: Map = tuple(range(256))
BEFORE = {ENCRYPT: IDENTITY, DECRYPT: inverted(AFFINE)}
AFTER = {ENCRYPT: AFFINE, DECRYPT: IDENTITY}
"""The linear maps before and after the inversion, without constants."""


def scaling(scale: int, power: int) -> Map:
    """scale x^(2^power)."""
    return tuple(mul(scale, _power(x, 1 << power)) for x in range(256))


def _span(basis: Sequence[int]) -> list[int]:
    """The sum of elements of a basis for each mask."""
    return [
        reduce(xor, (b for i, b in enumerate(basis) if mask >> i & 1), 0)
        for mask in range(1 << len(basis))
    ]


@dataclass(frozen=True, order=True)
class Tower:
    """An isomorphism: w^2 + w = 1, z^2 + z = w, y^2 + y = LAMBDA in the field of FIPS 197."""

    w: int
    z: int
    y: int

    @property
    def quarter(self) -> tuple[int, ...]:
        """The basis of GF(2^4)."""
        return 1, self.w, self.z, mul(self.z, self.w)

    @property
    def lambda_(self) -> int:
        """The constant of the last equation, in the basis of GF(2^4)."""
        return _span(self.quarter).index(mul(self.y, self.y) ^ self.y)

    def image(self, a: int) -> int:
        """The byte that represents an element of GF(2^4)."""
        return _span(self.quarter)[a]

    @property
    def halves(self) -> tuple[int, int]:
        """The basis elements of the coordinates p and q."""
        return self.y ^ 1, self.y

    @cache  # noqa: B019 - there are sixteen
    def into(self) -> Map:
        """The map from a byte to p, and above it q."""
        basis = [mul(half, b) for half in self.halves for b in self.quarter]
        return inverted(tuple(_span(basis)))

    def factors(self, before: Map) -> tuple[int, ...]:
        """The 18 factors of p and q after a map, as masks of the bits of its operand."""
        table = compose(self.into(), before)
        return tuple(
            sum(1 << i for i in range(8) if parity(table[1 << i] >> shift & factor))
            for shift in (0, 4)
            for factor in FACTORS
        )

    def products(self, after: Map) -> tuple[int, ...]:
        """The term that each of the 18 products of p and q with 1/norm adds to the result."""
        parts = _parts(self.quarter)
        return tuple(
            after[
                reduce(
                    xor,
                    (
                        mul(half, b)
                        for b, part in zip(self.quarter, parts, strict=True)
                        if part >> k & 1
                    ),
                    0,
                )
            ]
            for half in reversed(self.halves)
            for k in range(9)
        )


@cache
def _parts(quarter: Sequence[int]) -> tuple[int, ...]:
    """For each bit of a product in GF(2^4), the mask of the products of which it is the sum."""
    span = _span(quarter)
    found = []
    pairs = [(a, b) for a in range(16) for b in range(16)]
    seen = [
        sum((parity(a & f) & parity(b & f)) << k for k, f in enumerate(FACTORS)) for a, b in pairs
    ]
    product = [span.index(mul(span[a], span[b])) for a, b in pairs]
    for row in range(4):
        fits = (
            mask
            for mask in range(512)
            if all(parity(s & mask) == v >> row & 1 for s, v in zip(seen, product, strict=True))
        )
        found.append(next(fits))
    return tuple(found)


def _roots(constant: int) -> list[int]:
    return [r for r in range(256) if mul(r, r) ^ r == constant]


@cache
def towers() -> tuple[Tower, ...]:
    """The 16 isomorphisms that differ in their factors, each with the smaller LAMBDA.

    The other root of the second or the third equation leaves the factors as they are.
    """
    found: dict[tuple[int, int], Tower] = {}
    for w in _roots(1):
        for z in _roots(w):
            field = set(_span((1, w, z, mul(z, w))))
            for constant in field:
                ys = [y for y in _roots(constant) if y not in field]
                if ys:
                    tower, key = Tower(w, z, ys[0]), (w, constant)
                    if key not in found or tower.lambda_ < found[key].lambda_:
                        found[key] = tower
    return tuple(sorted(found.values()))
