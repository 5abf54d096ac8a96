import random

from benches import ROUND
from runner import DECRYPT, View, for_each, is_inverse, simulate

from aesforge.core import model


def test_aes_sub_bytes_rom_both() -> None:
    simulate(__file__, ROUND)


@for_each(ROUND, "aes_sub_bytes_rom_both")
async def each_byte_goes_its_own_way_and_holds(rom: View) -> None:
    # Every byte in every place, told either way.
    values = [(bytes((byte + 17 * k) % 256 for k in range(16)), byte) for byte in range(256)]
    for told in (0, 1):
        for value, byte in values:
            await rom.apply(clear_i=0, load_i=1, inverse_i=told, data_i=int.from_bytes(value))
            await rom.edge()
            sub = model.inv_sub_bytes if is_inverse(rom, told) else model.sub_bytes
            # It holds until the next look-up, whatever comes meanwhile.
            await rom.apply(load_i=0, inverse_i=1 - told, data_i=random.getrandbits(128))
            await rom.edge()
            assert rom.get("data_o").to_bytes(16) == sub(value), (rom.item.name, byte)
    await rom.apply(clear_i=1, load_i=1)
    await rom.edge()
    only_inverse = dict(rom.item.parameters)["Direction"] == DECRYPT
    assert rom.get("data_o").to_bytes(16) == (b"\x00" if only_inverse else b"\x63") * 16
