import cocotb
from benches import FIELD
from runner import simulate, views

from aesforge.core import model


def test_aes_lookup_sums() -> None:
    simulate(__file__, FIELD)


@cocotb.test()
async def each_sum_is_the_parity_of_its_members(dut: object) -> None:
    sums = views(dut, FIELD, "aes_lookup_sums")[0]
    for byte in range(256):
        await sums.apply(index_i=byte)
        parities = [(byte & model.SBOX[k]).bit_count() & 1 for k in range(8)]
        assert sums.get("data_o") == sum(parity << k for k, parity in enumerate(parities))
