from benches import MASKED
from runner import View, for_each, simulate
from shares import computes

from aesforge.core import model


def test_aes_masked_sbox() -> None:
    simulate(__file__, MASKED)


@for_each(MASKED, "aes_masked_sbox")
async def every_byte_unmasks_to_its_substitute(view: View) -> None:
    latency = 9 if dict(view.item.parameters)["Gadget"] == 0 else 5
    inputs = [{"data_i": byte} for byte in range(256)]
    await computes(view, 8, latency, inputs, lambda data_i: model.SBOX[data_i])
