import cocotb
from benches import ROUND
from rounds import word_of
from runner import simulate, views


def test_aes_tbox() -> None:
    simulate(__file__, ROUND)


@cocotb.test()
async def every_word_is_a_mixed_column(dut: object) -> None:
    for inverse, tbox in enumerate(views(dut, ROUND, "aes_tbox")):
        for byte in range(256):
            await tbox.apply(data_i=byte)
            assert tbox.get("word_o").to_bytes(4) == word_of(byte, inverse), tbox.item.name
