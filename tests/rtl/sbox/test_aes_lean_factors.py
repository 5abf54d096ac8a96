"""aes_lean_factors for all bytes: linear, one to one, and the factors of a tower element."""

from benches import FIELD
from runner import View, for_each, simulate

from aesforge.search.towers import FACTORS, parity


def test_aes_lean_factors() -> None:
    simulate(__file__, FIELD)


def element(factors: int) -> int:
    """The element of GF(2^4) with these nine factors."""
    return next(
        a
        for a in range(16)
        if factors == sum(parity(a & mask) << k for k, mask in enumerate(FACTORS))
    )


@for_each(FIELD, "aes_lean_factors")
async def the_map_to_the_tower_is_linear(layer: View) -> None:
    for decrypt in (0, 1):
        found = []
        for byte in range(256):
            await layer.apply(data_i=byte, inverse_i=decrypt)
            factors = layer.get("factors_o")
            found.append(element(factors >> 9) << 4 | element(factors & 511))
        assert sorted(found) == list(range(256))
        for byte in range(256):
            low = byte & -byte
            assert found[byte] ^ found[0] == found[low] ^ found[byte ^ low]
