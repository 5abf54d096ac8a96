from itertools import combinations

from benches import MASKED
from runner import View, for_each, simulate


def test_aes_masked_pkg() -> None:
    simulate(__file__, MASKED, ["masked_probe"])


@for_each(MASKED, "masked_probe")
async def pairs_are_numbered_in_any_order(view: View) -> None:
    found = []
    for i, j in combinations(range(4), 2):
        await view.apply(i_i=i, j_i=j)
        found.append(view.get("pair_o"))
        await view.apply(i_i=j, j_i=i)
        assert view.get("pair_o") == found[-1]
    assert sorted(found) == list(range(6))


@for_each(MASKED, "masked_probe")
async def random_bits_are_those_of_the_products(view: View) -> None:
    await view.settle()
    assert view.get("bits_o").to_bytes(4, "big") == bytes([108, 36, 24, 18])
