"""Towers under the field of AES, and the linear layers of an S-box that each of them leaves.

An isomorphism to the tower of `rtl/field/aes_tower_pkg.sv`, or to its like with another LAMBDA, is
told by the images w, z and y of its generators. A byte is h y + l; p = l and q = h + l are its
coordinates for y^16 and y, so that the inverse of p y^16 + q y is (q y^16 + p y) / norm.

A product in GF(2^4) is made of nine products of bits (Karatsuba, twice), each of a sum of bits of
one side, a factor, and the same sum of the other. The factors are the same for polynomial and for
normal bases of GF(2^4) and GF(2^2): all three elements of a sum a, b, a + b are taken. So the 432
towers of Canright (CHES 2005), each level with either basis and either root, are 16 here. Since
1/x = c (1/(c x)), each may be entered scaled by c, which is new for 85 of 255.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, reduce
from operator import xor

from aesforge.core.model import SBOX, multiply

ENCRYPT, DECRYPT = "encrypt", "decrypt"

FACTORS = (1, 2, 3, 4, 8, 12, 5, 10, 15)
"""The nine sums of bits of an element of GF(2^4) as masks, as `aes_tower_pkg::factors` has them."""

Map = tuple[int, ...]
"""A linear map of bytes: the image of each."""

_PRODUCTS = [[multiply(a, b) for b in range(256)] for a in range(256)]


def mul(a: int, b: int) -> int:
    """a * b in the field of FIPS 197."""
    return _PRODUCTS[a][b]


def _power(a: int, n: int) -> int:
    return reduce(mul, [a] * n, 1)


def parity(mask: int) -> int:
    """The sum of its bits."""
    return mask.bit_count() & 1


def compose(*maps: Map) -> Map:
    """The last map first."""
    return tuple(reduce(lambda v, m: m[v], reversed(maps), x) for x in range(256))


def inverted(of: Map) -> Map:
    """The inverse of a map."""
    return tuple(of.index(x) for x in range(256))


def rows(of: Map) -> tuple[int, ...]:
    """Bit for bit of the result, the mask of the bits that it is the sum of."""
    return tuple(sum(1 << i for i in range(8) if of[1 << i] >> row & 1) for row in range(8))


INVERSES: Map = (0, *(_power(a, 254) for a in range(1, 256)))
AFFINE: Map = tuple(SBOX[INVERSES[a]] ^ SBOX[0] for a in range(256))
"""The linear part of the S-box's affine transformation."""
IDENTITY: Map = tuple(range(256))
BEFORE = {ENCRYPT: IDENTITY, DECRYPT: inverted(AFFINE)}
AFTER = {ENCRYPT: AFFINE, DECRYPT: IDENTITY}
"""What stands before and after the inversion, less constants."""


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
        """The byte that an element of GF(2^4) is."""
        return _span(self.quarter)[a]

    @property
    def halves(self) -> tuple[int, int]:
        """The elements that p and q are the coordinates for."""
        return self.y ^ 1, self.y

    @cache  # noqa: B019 - there are sixteen
    def into(self) -> Map:
        """A byte's p, and above it q."""
        basis = [mul(half, b) for half in self.halves for b in self.quarter]
        return inverted(tuple(_span(basis)))

    def factors(self, before: Map) -> tuple[int, ...]:
        """The 18 factors, of p and of q, behind a map: masks of the bits of its operand."""
        table = compose(self.into(), before)
        return tuple(
            sum(1 << i for i in range(8) if parity(table[1 << i] >> shift & factor))
            for shift in (0, 4)
            for factor in FACTORS
        )

    def products(self, after: Map) -> tuple[int, ...]:
        """What each of the 18 products of p and q with 1 / norm adds to the bits of a result."""
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
    """For each bit of a product in GF(2^4), which of the nine it is the sum of."""
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
