import cocotb
from benches import FIELD
from runner import simulate, views

from aesforge.core import model


def test_aes_lookup() -> None:
    simulate(__file__, FIELD)


@cocotb.test()
async def each_index_gives_its_byte(dut: object) -> None:
    # The whole S-box, and the second quarter of it.
    whole, quarter = views(dut, FIELD, "aes_lookup")
    for lookup, table in ((whole, model.SBOX), (quarter, model.SBOX[64:128])):
        for index, byte in enumerate(table):
            await lookup.apply(index_i=index)
            assert lookup.get("data_o") == byte, lookup.item.name
