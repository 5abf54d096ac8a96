import cocotb
from benches import FIELD
from runner import simulate, views

from aesforge.core import model


def test_aes_tbox_pkg() -> None:
    simulate(__file__, FIELD)


@cocotb.test()
async def every_row_is_that_of_a_mixed_column(dut: object) -> None:
    (probe,) = views(dut, FIELD, "tbox_probe")
    forward = [model.mix_column(bytes([model.SBOX[a], 0, 0, 0])) for a in range(256)]
    inverse = [model.inv_mix_column(bytes([model.INV_SBOX[a], 0, 0, 0])) for a in range(256)]
    for row in range(4):
        await probe.apply(row_i=row)
        for port, words in (("forward_o", forward), ("inverse_o", inverse)):
            assert probe.get(port).to_bytes(256, "little") == bytes(word[row] for word in words)
