"""aes_packet_key: the key, a derived one, and the key again, whatever the core waits for."""

import random

from benches import MODE
from runner import View, for_each, simulate

BITS_128, BITS_256 = 0, 2


def test_aes_packet_key() -> None:
    simulate(__file__, MODE)


# In the simulator -------------------------------------------------------------------------------


async def core_takes(view: View) -> tuple[int, int, int]:
    """The key and the size that the core gets, and whether it counts as the key."""
    for _ in range(random.randrange(4)):
        await view.apply(core_key_ready_i=0)
        assert view.get("core_key_valid_o")
        assert view.get("loading_o")
        assert not view.get("loaded_o")
        assert not view.get("key_ready_o")
        await view.edge()
    await view.apply(core_key_ready_i=1)
    assert view.get("core_key_valid_o")
    found = tuple(view.get(name) for name in ("core_key_o", "core_key_len_o", "loaded_o"))
    await view.edge()
    await view.apply(core_key_ready_i=random.randrange(2))
    assert not view.get("loading_o")
    assert not view.get("core_key_valid_o")
    return found


async def offer(view: View, key: int, size: int) -> None:
    await view.apply(key_valid_i=1, key_i=key, key_len_i=size, core_key_ready_i=0)
    assert view.get("key_ready_o")
    await view.edge()
    await view.apply(key_valid_i=0, key_i=random.getrandbits(256), key_len_i=1)


async def pulse(view: View, port: str) -> None:
    await view.apply(**{port: 1})
    await view.edge()
    await view.apply(**{port: 0})


@for_each(MODE, "aes_packet_key")
async def the_key_returns_after_a_derived_one(view: View) -> None:
    await view.reset()
    for _ in range(50):
        key, size = random.getrandbits(256), random.choice((BITS_128, BITS_256))
        await offer(view, key, size)
        assert await core_takes(view) == (key, size, 1)
        assert view.get("len_o") == size
        if random.random() < 0.2:
            # Nothing was derived, so the core has the key.
            await pulse(view, "return_i")
            assert not view.get("loading_o")
        parts = [random.getrandbits(64) for _ in range(4)]
        for place in random.sample(range(4), 4):
            await view.apply(part_valid_i=1, part_i=place, part_data_i=parts[place])
            await view.edge()
        await view.apply(part_valid_i=0, part_data_i=random.getrandbits(64))
        derived = sum(part << 64 * (3 - place) for place, part in enumerate(parts))
        assert view.get("derived_o") == derived >> 128
        assert not view.get("loading_o")
        await pulse(view, "derive_i")
        assert await core_takes(view) == (derived, size, 0)
        await pulse(view, "return_i")
        assert await core_takes(view) == (key, size, 1)


@for_each(MODE, "aes_packet_key")
async def a_clear_removes_all_keys(view: View) -> None:
    await view.reset()
    await offer(view, random.getrandbits(256), BITS_256)
    await view.apply(part_valid_i=1, part_i=0, part_data_i=random.getrandbits(64) | 1)
    await view.edge()
    await view.apply(part_valid_i=0, derive_i=1)
    await view.edge()
    await view.apply(derive_i=0)
    assert view.get("core_key_o")
    await pulse(view, "clear_i")
    assert not view.get("core_key_valid_o")
    assert not view.get("loading_o")
    assert view.get("core_key_o") == view.get("derived_o") == view.get("len_o") == 0
