import cocotb
from benches import FIELD
from runner import simulate, views

from aesforge.core import model


def test_aes_gf_pkg() -> None:
    simulate(__file__, FIELD)


def bytes_of(value: int) -> bytes:
    return value.to_bytes(256, "little")


@cocotb.test()
async def every_product_matches_the_standard(dut: object) -> None:
    (probe,) = views(dut, FIELD, "gf_probe")
    for a in range(256):
        await probe.apply(a_i=a)
        assert bytes_of(probe.get("mul_o")) == bytes(model.multiply(a, b) for b in range(256))
        assert probe.get("xtime_o") == model.xtime(a)


@cocotb.test()
async def tables_match_the_standard(dut: object) -> None:
    (probe,) = views(dut, FIELD, "gf_probe")
    await probe.settle()
    assert bytes_of(probe.get("inverse_o")) == bytes(model.inverse(a) for a in range(256))
    assert bytes_of(probe.get("sbox_o")) == model.SBOX
    assert bytes_of(probe.get("inv_sbox_o")) == model.INV_SBOX


@cocotb.test()
async def affine_map_follows_the_inversion(dut: object) -> None:
    (probe,) = views(dut, FIELD, "gf_probe")
    for a in range(256):
        await probe.apply(a_i=model.inverse(a))
        assert probe.get("affine_o") == model.SBOX[a]
        await probe.apply(a_i=model.SBOX[a])
        assert probe.get("affine_inverse_o") == model.inverse(a)
