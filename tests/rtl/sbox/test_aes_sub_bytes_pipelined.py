import random

from benches import ROUND
from lines import delays_each_with_its_direction
from runner import View, for_each, is_inverse, simulate

from aesforge.core import model


def test_aes_sub_bytes_pipelined() -> None:
    simulate(__file__, ROUND)


@for_each(ROUND, "aes_sub_bytes_pipelined")
async def each_byte_has_its_own_sbox(line: View) -> None:
    parameters = dict(line.item.parameters)
    size, latency = int(parameters["Bytes"]), int(parameters["Latency"])

    def expected(data: int, decrypt: int, line: View = line, size: int = size) -> int:
        sub = model.inv_sub_bytes if is_inverse(line, decrypt) else model.sub_bytes
        return int.from_bytes(sub(data.to_bytes(size)))

    # Every byte value at every position, in both directions.
    values = [
        (int.from_bytes(bytes((byte + 17 * k) % 256 for k in range(size))), decrypt)
        for byte in range(256)
        for decrypt in (0, 1)
    ]
    random.shuffle(values)
    enables = (size + 3) // 4 + 1
    await delays_each_with_its_direction(line, 8 * size, latency, values, expected, enables)
