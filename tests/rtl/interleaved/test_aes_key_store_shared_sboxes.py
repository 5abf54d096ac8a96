"""The bench provides the S-boxes of the round: a loop of four slots, of which some hold blocks."""

import random
from collections.abc import Callable

import pytest
from benches import KEY, KEY_BITS
from key_banks import holds
from runner import View, for_each, simulate

from aesforge.core import model
from aesforge.core.sources import codes

STAGES = codes()["STAGES"]


def test_aes_key_store_shared_sboxes() -> None:
    simulate(__file__, KEY)


def sizes(store: View) -> tuple[int, ...]:
    bits = dict(store.item.parameters)["KeyBits"]
    return (16, 24, 32) if bits == KEY_BITS[0] else (int(bits) // 8,)


def sub_latency(store: View) -> int:
    return int(dict(store.item.parameters)["SubLatency"])


def setup(store: View, key: bytes) -> int:
    """Cycles of a key setup in an empty loop, summed over pairs of words."""
    pairs, clock, beat = len(key) // 8, 0, 0
    for pair in range(2 * (model.rounds(key) + 1)):
        if pair % pairs == 0 or (pairs == 4 and pair % 4 == 2):
            # The word enters when its slot is at the front; its SubWord follows `latency` later.
            wait = -beat % STAGES + sub_latency(store)
            clock, beat = clock + wait, beat + wait
        clock, beat = clock + 1, beat + 1
    return clock


class Loop:
    """A model of the loop: advances the slots cycle by cycle and substitutes the words in them."""

    def __init__(self, store: View, occupied: float = 0.0, stall: float = 0.0) -> None:
        self.store, self.stall, self.occupied = store, stall, occupied
        # Advances until the block of each slot leaves; the words in the S-boxes.
        self.slots = [0] * STAGES
        self.words: list[bytes | None] = [None] * sub_latency(store)
        self.entered = 0

    async def clock(self) -> None:
        store = self.store
        advances = random.random() >= self.stall
        free = self.slots[-1] == 0
        word = self.words[-1]
        given = random.randbytes(4) if word is None else model.sub_word(word)
        await store.apply(
            advance_i=int(advances), free_i=int(free), sub_word_i=int.from_bytes(given)
        )
        claim = bool(store.get("claim_o"))
        if advances:
            self.entered += claim and free
            enters = store.get("sub_word_o").to_bytes(4) if claim and free else None
            self.words = [enters, *self.words[:-1]]
            front = max(0, self.slots[-1] - 1)
            if free and not claim and random.random() < self.occupied:
                front = 5
            self.slots = [front, *self.slots[:-1]]
        await store.edge()

    async def until(self, condition: Callable[[], bool], limit: int = 5000) -> int:
        for clocks in range(limit):
            await self.store.settle()
            if condition():
                return clocks
            await self.clock()
        raise AssertionError(f"{self.store.item.name}: still waiting")


async def start(store: View) -> None:
    store.set(key_valid_i=0, key_clear_i=0, in_use_i=0, advance_i=1, free_i=1)
    await store.reset()
    await store.until(lambda: store.get("key_ready_o") == 1)


async def offer(store: View, key: bytes) -> None:
    padded = int.from_bytes(key + random.randbytes(32 - len(key)))
    await store.apply(key_valid_i=1, key_i=padded, key_len_i=len(key) // 8 - 2)


@for_each(KEY, "aes_key_store_shared_sboxes")
async def setup_in_an_empty_loop_takes_the_promised_cycles(store: View) -> None:
    for size in sizes(store):
        await start(store)
        key = random.randbytes(size)
        await offer(store, key)
        loop = Loop(store)
        assert store.get("key_ready_o") == 1
        await loop.clock()
        await store.apply(key_valid_i=0)
        clocks = await loop.until(lambda: store.get("loaded_o") == 1)
        assert clocks == setup(store, key)
        if sub_latency(store) == 1:
            assert clocks == {16: 43, 24: 35, 32: 59}[size]
        await holds(store, key)


@for_each(KEY, "aes_key_store_shared_sboxes")
async def round_keys_are_correct_among_blocks_and_stalls(store: View) -> None:
    await start(store)
    for occupied, stall in ((0.0, 0.5), (0.7, 0.0), (1.0, 0.0), (0.9, 0.4), (1.0, 0.9)):
        loop = Loop(store, occupied, stall)
        for size in sizes(store):
            key = random.randbytes(size)
            fresh = store.get("loaded_o") == 0
            for _ in range(random.randrange(9)):
                await loop.clock()
            await offer(store, key)
            await loop.until(lambda: store.get("key_ready_o") == 1)
            if not fresh:
                # The key handshake is in the cycle of the last step, so the loop advances.
                assert store.get("advance_i") == 1
            await store.settle()
            before = store.get("bank_o")
            await loop_step(loop, fresh)
            await holds(store, key)
            assert store.get("bank_o") == 1 - before


async def loop_step(loop: Loop, fresh: bool) -> None:
    """Wait for the key handshake and for the key to become valid."""
    store = loop.store
    if fresh:
        await loop.clock()
        await store.apply(key_valid_i=0)
        await loop.until(lambda: store.get("loaded_o") == 1)
    else:
        # The handshake is in this cycle.
        await store.edge()
        await store.apply(key_valid_i=0)


@for_each(KEY, "aes_key_store_shared_sboxes")
async def a_slot_is_claimed_only_during_a_setup(store: View) -> None:
    await start(store)
    loop = Loop(store)
    for _ in range(9):
        assert store.get("claim_o") == 0
        await loop.clock()
    await offer(store, random.randbytes(sizes(store)[-1]))
    await loop.clock()
    await store.apply(key_valid_i=0)
    # The claim stays until a slot is free; then the slot is at the front every four advances.
    for _ in range(5):
        await store.apply(advance_i=1, free_i=0)
        assert store.get("claim_o") == 1
        await store.edge()
    claims = []
    while not store.get("loaded_o"):
        claims.append(store.get("claim_o"))
        await loop.clock()
    assert claims == [int(clock % STAGES == 0) for clock in range(len(claims))]
    assert store.get("claim_o") == 0


@pytest.mark.parametrize("latency", [0, STAGES])
def test_illegal_sub_latency_is_named(latency: int) -> None:
    from aesforge.core import sources
    from aesforge.tools import verilator
    from aesforge.tools.process import ToolFailed

    with pytest.raises(ToolFailed, match="SubLatency_must_be_1_to_aes_pkg_STAGES_less_1"):
        verilator.lint(
            sources.closure("aes_key_store_shared_sboxes"),
            "aes_key_store_shared_sboxes",
            {"SubLatency": latency},
        )
