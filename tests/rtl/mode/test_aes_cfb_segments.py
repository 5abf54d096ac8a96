"""aes_cfb_segments: CFB8 and CFB1 of whole beats, with a cipher of any latency."""

import random
from collections import deque

from benches import MODE, NEXT_RESULT, NEXT_VALUE
from runner import View, for_each, simulate

from aesforge.sim.oracle import ecb
from aesforge.sim.packets import cfb


def test_aes_cfb_segments() -> None:
    simulate(__file__, MODE)


# In the simulator -------------------------------------------------------------------------------

KEY = bytes(range(16))


class Flow:
    """Steps into a cipher that holds some blocks, and results from it."""

    def __init__(self, view: View, depth: int) -> None:
        self.view, self.depth = view, depth
        self.bits = int(dict(view.item.parameters)["SegmentBits"])
        # Masked result, last of its beat, to be awaited.
        self.flight: deque[tuple[int, int, bool]] = deque()
        self.beats: list[bytes] = []
        self.chain: int | None = 0
        self.waits = 0

    async def cycle(self, offered: bool) -> bool:
        """One cycle, with a step if one is offered and possible; returns whether it was the last.

        The chaining value is used in the cycle of the result.
        """
        view, leaves = self.view, bool(self.flight) and random.random() < 0.6
        if leaves:
            masked, last, awaited = self.flight[0]
            await view.apply(
                step_i=0,
                result_i=1,
                result_last_i=last,
                result_segment_i=masked >> (128 - self.bits),
            )
            if last:
                self.beats.append(view.get("result_o").to_bytes(16, "big"))
            if awaited:
                self.chain = view.get("result_o")
            self.flight.popleft()
        else:
            await view.apply(step_i=0, result_i=0)
        ends = False
        if offered and self.chain is not None and len(self.flight) < self.depth:
            await view.apply(chain_i=self.chain)
            self.waits += view.get("wait_o")
            if not view.get("wait_o"):
                cipher = int.from_bytes(ecb(KEY, False)(view.get("block_o").to_bytes(16, "big")))
                ends, awaited = bool(view.get("last_o")), view.get("next_o") == NEXT_RESULT
                assert awaited or view.get("next_o") == NEXT_VALUE
                self.flight.append((cipher ^ view.get("mask_o"), int(ends), awaited))
                self.chain = None if awaited else view.get("chain_o")
                await view.apply(step_i=1)
        await view.edge()
        return ends

    async def send(self, iv: bytes, data: bytes, decrypt: bool) -> None:
        """The beats of a packet; its last results may still be in the cipher."""
        while self.chain is None:
            await self.cycle(False)
        self.chain = int.from_bytes(iv)
        for at in range(0, len(data), 16):
            await self.view.apply(data_i=int.from_bytes(data[at : at + 16]), decrypt_i=int(decrypt))
            while not await self.cycle(True):
                pass

    async def drain(self) -> bytes:
        """The beats since the last call, once all have left."""
        while self.flight:
            await self.cycle(False)
        found, self.beats = b"".join(self.beats), []
        return found


@for_each(MODE, "aes_cfb_segments")
async def beats_are_those_of_the_standard(view: View) -> None:
    await view.reset()
    for depth in (1, 3):
        flow = Flow(view, depth)
        wanted = b""
        # Directions follow each other while results are in the cipher.
        for decrypt in (False, True, True, False, False, True):
            iv, data = random.randbytes(16), random.randbytes(16 * random.randint(1, 2))
            await flow.send(iv, data, decrypt)
            wanted += cfb(KEY, iv, data, decrypt, flow.bits)
        assert await flow.drain() == wanted


@for_each(MODE, "aes_cfb_segments")
async def clear_in_the_middle_of_a_beat_starts_anew(view: View) -> None:
    await view.reset()
    flow = Flow(view, 2)
    for cycles in (1, 7, 30):
        flow.chain = 5
        await view.apply(data_i=random.getrandbits(128), decrypt_i=0)
        for _ in range(cycles):
            await flow.cycle(True)
        await view.apply(step_i=0, result_i=0, clear_i=1)
        await view.edge()
        await view.apply(clear_i=0)
        flow = Flow(view, 2)
        iv, data = random.randbytes(16), random.randbytes(16)
        await flow.send(iv, data, False)
        assert await flow.drain() == cfb(KEY, iv, data, False, flow.bits)
