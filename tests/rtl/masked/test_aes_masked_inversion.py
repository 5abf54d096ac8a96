import random

from benches import MASKED
from runner import View, for_each, simulate
from shares import computes, product

LAMBDA = next(c for c in range(16) if all(product(r, r, 4) ^ r != c for r in range(16)))


def times(a: int, b: int) -> int:
    """a * b in the tower field, y^2 + y + LAMBDA = 0."""
    a1, a0, b1, b0 = a >> 4, a & 15, b >> 4, b & 15
    high = product(a1, b1, 4)
    cross = product(a1, b0, 4) ^ product(a0, b1, 4)
    return (high ^ cross) << 4 | product(high, LAMBDA, 4) ^ product(a0, b0, 4)


INVERSES = [next((b for b in range(256) if times(a, b) == 1), 0) for a in range(256)]


def test_aes_masked_inversion() -> None:
    simulate(__file__, MASKED)


@for_each(MASKED, "aes_masked_inversion")
async def every_byte_unmasks_to_its_inverse(view: View) -> None:
    latency = 8 if dict(view.item.parameters)["Gadget"] == 0 else 4
    inputs = [{"data_i": byte} for byte in random.sample(range(256), 256)]
    await computes(view, 8, latency, inputs, lambda data_i: INVERSES[data_i])
