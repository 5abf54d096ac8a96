import cocotb
from benches import ROUND
from lines import gives_each_in_turn
from runner import simulate, views

from aesforge import model


def test_aes_sub_line() -> None:
    simulate(__file__, ROUND)


@cocotb.test()
async def each_byte_goes_through_its_own_sbox(dut: object) -> None:
    for line in views(dut, ROUND, "aes_sub_line"):
        parameters = dict(line.item.parameters)
        size, latency = int(parameters["Bytes"]), int(parameters["Latency"])

        def expected(data: int, size: int = size) -> int:
            return int.from_bytes(model.sub_bytes(data.to_bytes(size)))

        # Every byte in every place.
        values = [
            int.from_bytes(bytes((byte + 17 * k) % 256 for k in range(size))) for byte in range(256)
        ]
        await gives_each_in_turn(line, 8 * size, latency, values, expected)
