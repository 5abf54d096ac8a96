import random

from benches import KEY
from key_unrolled import clear, cleared, holds, load, parameter, setup
from key_windows import sizes
from runner import BOTH, ENCRYPT, View, for_each, simulate

from aesforge.core import model


def test_aes_key_registers() -> None:
    simulate(__file__, KEY)


def cycles(keys: View, key: bytes) -> int:
    """From the cycle after the load to the one of `done_o`."""
    last = 2 if parameter(keys, "Late") else parameter(keys, "Direction") != ENCRYPT
    if parameter(keys, "Loaded"):
        return 1 + (parameter(keys, "Direction") == BOTH or parameter(keys, "Late"))
    return (2 + parameter(keys, "SboxRegisters")) * model.rounds(key) + last


@for_each(KEY, "aes_key_registers")
async def a_schedule_takes_two_cycles_per_round_and_one_per_sub_pipeline_register(
    keys: View,
) -> None:
    await clear(keys)
    for size in random.sample(sizes(keys) * 4, 4 * len(sizes(keys))):
        key = random.randbytes(size)
        await setup(keys, key, cycles(keys, key))
        for _ in range(random.randrange(1, 5)):
            await holds(keys, key)
            await keys.edge()


@for_each(KEY, "aes_key_registers")
async def a_clear_in_any_cycle_clears_all_keys(keys: View) -> None:
    await clear(keys)
    longest = cycles(keys, bytes(sizes(keys)[-1]))
    for cycle in range(longest + 2):
        await load(keys, random.randbytes(sizes(keys)[-1]), random.randrange(1, 16))
        for _ in range(cycle):
            await keys.edge()
        await clear(keys)
        # The schedule was aborted, so it delivers nothing more.
        await cleared(keys, 3)
    # A clear has priority over a load in the same cycle.
    await keys.apply(clear_i=1, load_i=1, key_i=random.getrandbits(256))
    await keys.edge()
    await keys.apply(load_i=0)
    await clear(keys)
    await cleared(keys, longest + 1)
