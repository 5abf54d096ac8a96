"""aes_lean_over for all h and l, against a search in the field of the standard."""

import cocotb
from benches import FIELD
from runner import simulate, views

from aesforge.search.lean_search import LAMBDA
from aesforge.search.towers import FACTORS, mul, parity, towers


def test_aes_lean_over() -> None:
    simulate(__file__, FIELD)


def factors(a: int) -> int:
    return sum(parity(a & mask) << k for k, mask in enumerate(FACTORS))


@cocotb.test()
async def the_inverse_of_the_norm(dut: object) -> None:
    tower = next(t for t in towers() if t.lambda_ == LAMBDA)
    quarter = [tower.image(a) for a in range(16)]
    for over in views(dut, FIELD, "aes_lean_over"):
        for h in range(16):
            for low in range(16):
                a = mul(quarter[h], tower.y) ^ quarter[low]
                conjugate = mul(quarter[h], tower.y ^ 1) ^ quarter[low]
                norm = mul(a, conjugate)
                inverse = next((b for b in quarter if mul(norm, b) == 1), 0)
                await over.apply(factors_i=factors(h ^ low) << 9 | factors(low))
                assert over.get("over_o") == factors(quarter.index(inverse))
