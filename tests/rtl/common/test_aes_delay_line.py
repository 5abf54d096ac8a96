import random

from benches import FIELD
from lines import delays_each
from runner import View, for_each, simulate


def test_aes_delay_line() -> None:
    simulate(__file__, FIELD)


@for_each(FIELD, "aes_delay_line")
async def data_arrives_after_the_latency(line: View) -> None:
    parameters = dict(line.item.parameters)
    bits, latency = int(parameters["Width"]), int(parameters["Latency"])
    values = [random.getrandbits(bits) for _ in range(100)]
    await delays_each(line, bits, latency, values, lambda value: value)
