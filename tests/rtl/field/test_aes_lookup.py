import cocotb
from benches import FIELD
from runner import simulate, views

from aesforge import model


def test_aes_lookup() -> None:
    simulate(__file__, FIELD)


@cocotb.test()
async def each_index_gives_its_byte(dut: object) -> None:
    (lookup,) = views(dut, FIELD, "aes_lookup")
    for index in range(256):
        await lookup.apply(index_i=index)
        assert lookup.get("data_o") == model.SBOX[index]
