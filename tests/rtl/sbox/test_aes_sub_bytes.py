from benches import ROUND
from runner import BOTH, DECRYPT, View, for_each, simulate

from aesforge.core import model


def test_aes_sub_bytes() -> None:
    simulate(__file__, ROUND)


@for_each(ROUND, "aes_sub_bytes")
async def each_byte_has_its_own_sbox(layer: View) -> None:
    parameters = dict(layer.item.parameters)
    size, direction = int(parameters["Bytes"]), parameters["Direction"]
    for decrypt in (0, 1):
        inverse = bool(decrypt) if direction == BOTH else direction == DECRYPT
        for byte in range(256):
            data = bytes((byte + 17 * k) % 256 for k in range(size))
            await layer.apply(data_i=int.from_bytes(data), inverse_i=decrypt)
            expected = model.inv_sub_bytes(data) if inverse else model.sub_bytes(data)
            assert layer.get("data_o") == int.from_bytes(expected), layer.item.name
