import cocotb
from benches import FIELD
from runner import simulate, views

from aesforge.core import model


def test_aes_tower_pkg() -> None:
    simulate(__file__, FIELD)


@cocotb.test()
async def change_of_basis_is_an_isomorphism(dut: object) -> None:
    (probe,) = views(dut, FIELD, "tower_probe")
    into, out, inverse = [], [], []
    for a in range(256):
        await probe.apply(a_i=a)
        into.append(probe.get("to_tower_o"))
        out.append(probe.get("from_tower_o"))
        inverse.append(probe.get("inverse_o"))
    assert [out[into[a]] for a in range(256)] == list(range(256))
    assert all(out[a ^ b] == out[a] ^ out[b] for a in range(256) for b in range(256))
    assert all(out[inverse[into[a]]] == model.inverse(a) for a in range(256))


@cocotb.test()
async def subfield_products_match_the_field(dut: object) -> None:
    (probe,) = views(dut, FIELD, "tower_probe")
    product, inverse, out = {}, [], []
    for a in range(256):
        await probe.apply(a_i=a)
        product[a >> 4, a & 15] = probe.get("mul16_o")
        inverse.append(probe.get("inverse16_o"))
        out.append(probe.get("from_tower_o"))
    for (a, b), c in product.items():
        assert out[c] == model.multiply(out[a], out[b])
    assert all(product[a, inverse[a]] == 1 for a in range(1, 16))
    assert inverse[0] == 0
