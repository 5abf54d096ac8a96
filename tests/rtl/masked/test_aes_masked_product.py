import random

from benches import MASKED
from runner import View, for_each, simulate
from shares import computes, product


def test_aes_masked_product() -> None:
    simulate(__file__, MASKED)


@for_each(MASKED, "aes_masked_product")
async def products_unmask_to_the_product_and_the_sum(view: View) -> None:
    width = int(dict(view.item.parameters)["Width"])
    ports = ("a_i", "b_i", "sum_i")
    inputs = [{port: random.getrandbits(width) for port in ports} for _ in range(300)]

    def expected(a_i: int, b_i: int, sum_i: int) -> int:
        return product(a_i, b_i, width) ^ sum_i

    await computes(
        view, width, 2 if dict(view.item.parameters)["Gadget"] == 0 else 1, inputs, expected
    )
