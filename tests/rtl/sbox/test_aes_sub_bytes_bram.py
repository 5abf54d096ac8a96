import random

from benches import ROUND
from runner import DECRYPT, View, for_each, is_inverse, simulate

from aesforge.core import model


def test_aes_sub_bytes_bram() -> None:
    simulate(__file__, ROUND)


@for_each(ROUND, "aes_sub_bytes_bram")
async def each_byte_is_substituted_and_holds(rom: View) -> None:
    # Every byte value at every position, in both directions.
    values = [(bytes((byte + 17 * k) % 256 for k in range(16)), byte) for byte in range(256)]
    for decrypt in (0, 1):
        for value, byte in values:
            await rom.apply(clear_i=0, load_i=1, inverse_i=decrypt, data_i=int.from_bytes(value))
            await rom.edge()
            sub = model.inv_sub_bytes if is_inverse(rom, decrypt) else model.sub_bytes
            # The result holds until the next look-up, whatever is at the inputs.
            await rom.apply(load_i=0, inverse_i=1 - decrypt, data_i=random.getrandbits(128))
            await rom.edge()
            assert rom.get("data_o").to_bytes(16) == sub(value), (rom.item.name, byte)
    await rom.apply(clear_i=1, load_i=1)
    await rom.edge()
    only_inverse = dict(rom.item.parameters)["Direction"] == DECRYPT
    assert rom.get("data_o").to_bytes(16) == (b"\x00" if only_inverse else b"\x63") * 16
