import random

from benches import ROUND
from lines import gives_each_its_own_way
from runner import View, for_each, is_inverse, simulate

from aesforge.core import model


def test_aes_sub_bytes_pipelined() -> None:
    simulate(__file__, ROUND)


@for_each(ROUND, "aes_sub_bytes_pipelined")
async def each_byte_goes_through_its_own_sbox(line: View) -> None:
    parameters = dict(line.item.parameters)
    size, latency = int(parameters["Bytes"]), int(parameters["Latency"])

    def expected(data: int, told: int, line: View = line, size: int = size) -> int:
        sub = model.inv_sub_bytes if is_inverse(line, told) else model.sub_bytes
        return int.from_bytes(sub(data.to_bytes(size)))

    # Every byte in every place, told either way.
    values = [
        (int.from_bytes(bytes((byte + 17 * k) % 256 for k in range(size))), told)
        for byte in range(256)
        for told in (0, 1)
    ]
    random.shuffle(values)
    await gives_each_its_own_way(line, 8 * size, latency, values, expected)
