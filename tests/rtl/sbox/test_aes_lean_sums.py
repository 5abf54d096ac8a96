"""aes_lean_sums: linear in the products, and one to one."""

import random

from benches import FIELD
from runner import View, for_each, simulate

from aesforge.search.towers import FACTORS, parity


def test_aes_lean_sums() -> None:
    simulate(__file__, FIELD)


def factors(a: int) -> int:
    return sum(parity(a & mask) << k for k, mask in enumerate(FACTORS))


async def byte(layer: View, decrypt: int, given: int, over: int) -> int:
    await layer.apply(factors_i=given, over_i=over, inverse_i=decrypt)
    return layer.get("data_o")


@for_each(FIELD, "aes_lean_sums")
async def products_are_summed_linearly(layer: View) -> None:
    for decrypt in (0, 1):
        nothing = await byte(layer, decrypt, 0, 0)
        for _ in range(200):
            one, other = random.getrandbits(18), random.getrandbits(18)
            over = random.getrandbits(9)
            sums = [await byte(layer, decrypt, given, over) for given in (one, other, one ^ other)]
            assert sums[0] ^ sums[1] ^ sums[2] == nothing


@for_each(FIELD, "aes_lean_sums")
async def inverses_map_one_to_one_to_bytes(layer: View) -> None:
    for decrypt in (0, 1):
        for over in (1, 7):
            found = set()
            for a in range(256):
                given = factors(a >> 4) << 9 | factors(a & 15)
                found.add(await byte(layer, decrypt, given, factors(over)))
            assert len(found) == 256
