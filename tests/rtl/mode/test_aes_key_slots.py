"""aes_key_slots: each header gets the key of its slot, whatever is stored meanwhile."""

import random

from benches import MODE
from runner import View, for_each, simulate


def test_aes_key_slots() -> None:
    simulate(__file__, MODE)


# In the simulator -------------------------------------------------------------------------------


class Below:
    """aes_mode: takes a key or a header after some cycles, and remembers its key."""

    def __init__(self, view: View) -> None:
        parameters = dict(view.item.parameters)
        self.view, self.slots = view, int(parameters["Slots"])
        self.bits = int(parameters["KeyBits"])
        self.key: tuple[int, int] | None = None
        self.loads = 0

    def value(self) -> tuple[int, int]:
        """A key, as it is stored, and its size."""
        size = self.bits or random.choice((128, 192, 256))
        code = (128, 192, 256).index(size) if not self.bits else 0
        key = random.getrandbits(256)
        return (key if not self.bits else key >> (256 - size) << (256 - size)), code

    async def cycle(self, **ports: int) -> tuple[bool, bool]:
        """One cycle with these ports: whether a key and a header are accepted above."""
        view = self.view
        ready = {f"core_{name}_ready_i": random.randrange(2) for name in ("key", "pkt")}
        await view.apply(**ports, **ready)
        assert not (view.get("core_key_valid_o") and view.get("core_pkt_valid_o"))
        if view.get("core_key_valid_o") and ready["core_key_ready_i"]:
            self.key = view.get("core_key_o"), view.get("core_key_len_o")
            self.loads += 1
        stored = bool(view.get("key_valid_i") and view.get("key_ready_o"))
        opened = bool(view.get("pkt_valid_i") and view.get("pkt_ready_o"))
        assert opened == bool(view.get("core_pkt_valid_o") and ready["core_pkt_ready_i"])
        await view.edge()
        return stored, opened

    async def store(self, slot: int, key: tuple[int, int], **ports: int) -> None:
        offered = {"key_valid_i": 1, "key_slot_i": slot, "key_i": key[0], "key_len_i": key[1]}
        for _ in range(50):
            stored, opened = await self.cycle(**offered, **ports)
            # A header that is offered beside a key waits.
            assert not opened
            if stored:
                break
        assert stored
        noise = {"key_i": random.getrandbits(256), "key_len_i": random.randrange(3)}
        await self.view.apply(key_valid_i=0, key_slot_i=random.randrange(self.slots), **noise)

    async def open(self, slot: int) -> tuple[int, int] | None:
        """Offer a header: the key of its packet, or None if it is not accepted."""
        for _ in range(50):
            if (await self.cycle(pkt_valid_i=1, pkt_slot_i=slot))[1]:
                await self.view.apply(pkt_valid_i=0, pkt_slot_i=random.randrange(self.slots))
                return self.key
        await self.view.apply(pkt_valid_i=0)
        return None


async def start(view: View) -> Below:
    """Reset, which clears the slots."""
    await view.reset()
    below = Below(view)
    await view.apply(key_valid_i=1)
    for _ in range(below.slots):
        assert not view.get("key_ready_o")
        await view.edge()
        await view.apply()
    assert view.get("key_ready_o")
    await view.apply(key_valid_i=0)
    return below


@for_each(MODE, "aes_key_slots")
async def each_packet_has_the_key_of_its_slot(view: View) -> None:
    below = await start(view)
    keys: dict[int, tuple[int, int]] = {}
    for _ in range(120):
        slot = random.randrange(below.slots)
        if random.random() < 0.4 or not keys:
            keys[slot] = below.value()
            waits = {"pkt_valid_i": 1, "pkt_slot_i": slot} if random.random() < 0.3 else {}
            await below.store(slot, keys[slot], **waits)
        slot = random.choice(list(keys))
        assert await below.open(slot) == keys[slot]
        # The key stays: the same slot again loads nothing.
        before = below.loads
        assert await below.open(slot) == keys[slot]
        assert below.loads == before


@for_each(MODE, "aes_key_slots")
async def a_key_waits_while_another_is_loaded(view: View) -> None:
    below = await start(view)
    key = below.value()
    await below.store(0, key)
    # The header selects the slot, whose key is on offer from the next cycle until it is accepted.
    await view.apply(pkt_valid_i=1, pkt_slot_i=0, core_key_ready_i=0, core_pkt_ready_i=0)
    await view.edge()
    for _ in range(5):
        await view.apply(key_valid_i=1, key_slot_i=random.randrange(below.slots))
        assert not view.get("key_ready_o")
        assert view.get("core_key_valid_o")
        assert (view.get("core_key_o"), view.get("core_key_len_o")) == key
        await view.edge()
    await view.apply(core_key_ready_i=1)
    assert not view.get("key_ready_o")
    await view.edge()
    await view.apply()
    assert view.get("key_ready_o")


@for_each(MODE, "aes_key_slots")
async def a_header_waits_for_a_key_in_its_slot_and_a_clear_removes_all(view: View) -> None:
    below = await start(view)
    last = below.slots - 1
    for _ in range(3):
        assert await below.open(last) is None
        key = below.value()
        await below.store(0, key)
        assert await below.open(last) is None
        assert await below.open(0) == key
        await below.store(last, below.value())
        await view.apply(key_clear_i=1, pkt_valid_i=1, pkt_slot_i=0)
        assert not view.get("pkt_ready_o")
        assert not view.get("core_pkt_valid_o")
        await view.edge()
        await view.apply(key_clear_i=0, pkt_valid_i=0)
        for _ in range(below.slots):
            assert not view.get("key_ready_o")
            await view.edge()
            await view.apply()
        # The slot that is read, the first one, is overwritten.
        assert view.get("core_key_o") == 0
        assert await below.open(0) is None
