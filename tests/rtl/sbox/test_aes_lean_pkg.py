"""aes_lean_pkg for all elements of GF(2^4)."""

import cocotb
from benches import FIELD
from runner import simulate, views

from aesforge.search.lean_search import LAMBDA
from aesforge.search.towers import mul, towers


def test_aes_lean_pkg() -> None:
    simulate(__file__, FIELD)


@cocotb.test()
async def coordinates_tell_an_element_and_its_inverse(dut: object) -> None:
    tower = next(t for t in towers() if t.lambda_ == LAMBDA)
    quarter = [tower.image(a) for a in range(16)]
    for probe in views(dut, FIELD, "lean_probe"):
        seen = []
        for a in range(16):
            await probe.apply(a_i=a)
            seen.append(probe.get("coordinates_o"))
            inverse = quarter[probe.get("inverse_o")]
            assert mul(quarter[a], inverse) == (a > 0)
            low = a & -a
            assert seen[a] == seen[low] ^ seen[a ^ low]
        assert sorted(seen) == list(range(16))
