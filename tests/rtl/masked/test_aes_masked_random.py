"""aes_masked_random: the stream of Trivium in the promised cycles, and nothing before a seed."""

import random
from collections.abc import Iterator
from itertools import islice

import trivium
from benches import MASKED
from runner import View, for_each, simulate


def test_aes_masked_random() -> None:
    simulate(__file__, MASKED)


# In the simulator -------------------------------------------------------------------------------


def size(view: View) -> tuple[int, int, int, int]:
    """Bits, generators, steps of each in a cycle, and cycles of mixing."""
    bits = int(dict(view.item.parameters)["Bits"])
    generators = -(-bits // 64)
    steps = -(-bits // generators)
    return bits, generators, steps, -(-trivium.MIXING // steps)


def words(view: View, seed: int) -> Iterator[int]:
    """What the generators make of a seed in each cycle after the mixing."""
    bits, generators, steps, mixing = size(view)
    streams = [trivium.bits(seed, number) for number in range(generators)]
    for stream in streams:
        next(islice(stream, steps * mixing - 1, None))
    while True:
        parts = ["".join(map(str, islice(stream, steps))) for stream in reversed(streams)]
        yield int("".join(parts), 2) & ((1 << bits) - 1)


async def seeded(view: View, seed: int) -> int:
    """Give a seed; the cycles from its acceptance to the first random bits."""
    await view.apply(seed_valid_i=1, seed_i=seed)
    while not view.get("seed_ready_o"):
        await view.edge()
        await view.settle()
    await view.edge()
    await view.apply(seed_valid_i=0, seed_i=random.getrandbits(80))
    cycles = 1
    while not view.get("core_random_valid_o"):
        assert cycles < 2000
        await view.edge()
        await view.settle()
        cycles += 1
    return cycles


@for_each(MASKED, "aes_masked_random")
async def the_stream_is_that_of_the_specification(view: View) -> None:
    for reset in (True, False, True):
        if reset:
            await view.reset()
            await view.apply(core_random_ready_i=1)
            # Nothing before a seed.
            for _ in range(3):
                assert not view.get("core_random_valid_o")
                await view.edge()
                await view.settle()
        else:
            # The bits on offer are those of the last seed.
            await view.edge()
        seed = random.getrandbits(80)
        _, _, _, mixing = size(view)
        assert await seeded(view, seed) == mixing + 2
        for word in islice(words(view, seed), 50):
            assert view.get("core_random_valid_o")
            assert view.get("core_random_o") == word
            await view.edge()
            await view.settle()


@for_each(MASKED, "aes_masked_random")
async def the_published_vector(view: View) -> None:
    # eSTREAM, 80-bit key and IV, set 1, vector 0: bit n of the key is K_(80 - n), the bits of a
    # byte of the stream come lowest first.
    if size(view)[0] != 64:
        return
    await view.reset()
    await view.apply(core_random_ready_i=1)
    key = int.from_bytes(bytes.fromhex("80000000000000000000"), "little")
    await seeded(view, int(f"{key:080b}"[::-1], 2))
    found = b""
    for _ in range(2):
        found += int(f"{view.get('core_random_o'):064b}"[::-1], 2).to_bytes(8, "little")
        await view.edge()
        await view.settle()
    assert found.hex() == "38eb86ff730d7a9caf8df13a4420540d"


@for_each(MASKED, "aes_masked_random")
async def bits_hold_until_they_are_taken_and_are_never_offered_twice(view: View) -> None:
    await view.reset()
    seed = random.getrandbits(80)
    await seeded(view, seed)
    stream = words(view, seed)
    waiting: int | None = next(stream)
    for _ in range(400):
        ready = random.random() < 0.5
        await view.apply(core_random_ready_i=int(ready))
        assert view.get("core_random_valid_o")
        assert view.get("core_random_o") == waiting
        await view.edge()
        word = next(stream)
        if ready:
            waiting = word


@for_each(MASKED, "aes_masked_random")
async def a_new_seed_replaces_the_last_one(view: View) -> None:
    await view.reset()
    first, second = random.getrandbits(80), random.getrandbits(80)
    await seeded(view, first)
    held = view.get("core_random_o")
    await view.apply(seed_valid_i=1, seed_i=second)
    assert view.get("seed_ready_o")
    await view.edge()
    # A third one waits while the second one is mixed, in which what is on offer holds.
    third = random.getrandbits(80)
    await view.apply(seed_i=third)
    for _ in range(size(view)[3]):
        assert not view.get("seed_ready_o")
        assert (view.get("core_random_valid_o"), view.get("core_random_o")) == (1, held)
        await view.edge()
        await view.settle()
    assert view.get("seed_ready_o")
    await view.edge()
    await view.apply(seed_valid_i=0, core_random_ready_i=1)
    await view.edge()
    await view.settle()
    for _ in range(size(view)[3]):
        assert not view.get("core_random_valid_o")
        await view.edge()
        await view.settle()
    for word in islice(words(view, third), 10):
        assert view.get("core_random_valid_o")
        assert view.get("core_random_o") == word
        await view.edge()
        await view.settle()


@for_each(MASKED, "aes_masked_random")
async def a_reset_needs_a_new_seed(view: View) -> None:
    for into_the_mixing in (True, False):
        await view.reset()
        await view.apply(seed_valid_i=1, seed_i=random.getrandbits(80))
        await view.edge()
        await view.apply(seed_valid_i=0)
        for _ in range(3 if into_the_mixing else size(view)[3] + 5):
            await view.edge()
        await view.reset(1)
        await view.apply(core_random_ready_i=1)
        for _ in range(size(view)[3] + 5):
            assert view.get("seed_ready_o")
            assert not view.get("core_random_valid_o")
            await view.edge()
            await view.settle()
