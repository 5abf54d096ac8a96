import random

from benches import ROUND
from runner import View, for_each, simulate

from aesforge.core import model


def test_aes_mix_columns() -> None:
    simulate(__file__, ROUND)


@for_each(ROUND, "aes_mix_columns")
async def columns_match_the_model(view: View) -> None:
    parameters = dict(view.item.parameters)
    columns = int(parameters["Columns"])
    expected = model.inv_mix_columns if parameters["Inverse"] == "1'b1" else model.mix_columns
    bits = 32 * columns
    # Single bits determine a linear map; the random values show that it is linear.
    cases = [1 << bit for bit in range(bits)] + [random.getrandbits(bits) for _ in range(200)]
    for case in cases:
        # A state of which the other columns are 0.
        data = case.to_bytes(4 * columns).ljust(16, b"\0")
        await view.apply(data_i=case)
        assert view.get("data_o") == int.from_bytes(expected(data)[: 4 * columns])
