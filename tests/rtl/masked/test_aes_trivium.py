import random

import trivium
from benches import MASKED
from runner import View, for_each, simulate


def test_aes_trivium() -> None:
    simulate(__file__, MASKED)


# The first bit of each register, and the one after its last.
REGISTERS = {"a": (1, 94), "b": (94, 178), "c": (178, 289)}


@for_each(MASKED, "aes_trivium")
async def steps_are_those_of_the_specification(view: View) -> None:
    steps = int(dict(view.item.parameters)["Steps"])
    for _ in range(200):
        state = [0, *(random.getrandbits(1) for _ in range(288))]
        inputs = {
            f"{name}_i": sum(bit << at for at, bit in enumerate(state[first:end]))
            for name, (first, end) in REGISTERS.items()
        }
        await view.apply(**inputs)
        data = 0
        for _ in range(steps):
            bit, state = trivium.step(state)
            data = data << 1 | bit
        assert view.get("data_o") == data
        for name, (first, end) in REGISTERS.items():
            expected = sum(bit << at for at, bit in enumerate(state[first:end]))
            assert view.get(f"{name}_o") == expected, name
