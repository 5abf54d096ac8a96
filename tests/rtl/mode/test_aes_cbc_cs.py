"""aes_cbc_cs: CBC-CS1, CS2 and CS3 of packets of every length, with an ideal cipher."""

import random
from collections import deque

from benches import MODE, NEXT_CIPHER, NEXT_VALUE
from runner import View, for_each, simulate

from aesforge.core.sources import codes
from aesforge.sim.oracle import ecb
from aesforge.sim.packets import process


def test_aes_cbc_cs() -> None:
    simulate(__file__, MODE)


# In the simulator -------------------------------------------------------------------------------

KEY = bytes(range(16))
VARIANTS = {codes()[f"MODE_CBC_CS{n}"]: f"cbc_cs{n}" for n in (1, 2, 3)}


def variants(view: View) -> list[int]:
    modes = int(dict(view.item.parameters)["Modes"])
    return [code for code in VARIANTS if modes >> code & 1]


class Flow:
    """Steps of beats, whose results leave an ideal cipher after some cycles, in order."""

    def __init__(self, view: View) -> None:
        self.view, self.chain, self.found = view, 0, b""
        self.flight: deque[tuple[int, int, int, int, bool]] = deque()
        self.awaits = False

    async def cycle(self, offered: bool) -> bool:
        """One cycle; returns whether the offered beat is accepted."""
        view = self.view
        await view.apply(step_i=0, return_i=0)
        if self.flight and random.random() < 0.5:
            raw, result, size, returns, awaited = self.flight.popleft()
            if size >= 0:
                self.found += result.to_bytes(16, "big")[:size]
            if awaited:
                self.chain, self.awaits = raw, False
            await view.apply(return_i=returns, return_data_i=raw)
        accepted = False
        if offered and not self.awaits:
            await view.apply(chain_i=self.chain)
            if not view.get("wait_o"):
                accepted = await self._step()
        await view.edge()
        return accepted

    async def _step(self) -> bool:
        view = self.view
        decrypt = bool(view.get("decrypt_i"))
        if view.get("call_o"):
            block = view.get("block_o").to_bytes(16, "big")
            raw = int.from_bytes(ecb(KEY, decrypt)(block))
            self.awaits = view.get("next_o") == NEXT_CIPHER
            size = view.get("bytes_o") if view.get("emit_o") else -1
            result = view.get("mask_o") ^ (0 if view.get("alone_o") else raw)
            self.flight.append((raw, result, size, view.get("return_o"), self.awaits))
        if view.get("next_o") == NEXT_VALUE:
            self.chain = view.get("chain_o")
        accepted = bool(view.get("final_o"))
        await view.apply(step_i=1, end_i=int(accepted and view.get("last_i")))
        return accepted

    async def send(self, data: bytes, last: bool) -> None:
        """One beat; bytes after its last one are zero."""
        block = int.from_bytes(data.ljust(16, b"\0"))
        await self.view.apply(data_i=block, bytes_i=len(data), last_i=int(last))
        while not await self.cycle(True):
            pass

    async def packet(self, iv: bytes, data: bytes) -> bytes:
        """A whole packet."""
        self.chain, self.found = int.from_bytes(iv), b""
        for at in range(0, len(data), 16):
            await self.send(data[at : at + 16], at + 16 >= len(data))
        while self.flight:
            await self.cycle(False)
        return self.found


@for_each(MODE, "aes_cbc_cs")
async def packets_of_every_length_agree_with_the_standard(view: View) -> None:
    await view.reset()
    flow = Flow(view)
    for mode in variants(view):
        for size in (8, *range(16, 66)):
            for decrypt in (False, True):
                await view.apply(mode_i=mode, decrypt_i=int(decrypt))
                iv, data = random.randbytes(16), random.randbytes(size)
                wanted = process(VARIANTS[mode], KEY, iv, data, decrypt)
                assert await flow.packet(iv, data) == wanted, (VARIANTS[mode], size, decrypt)


@for_each(MODE, "aes_cbc_cs")
async def clear_drops_the_held_block(view: View) -> None:
    await view.reset()
    for beats in (1, 2, 3):
        flow = Flow(view)
        await view.apply(mode_i=variants(view)[0], decrypt_i=0)
        for _ in range(beats):
            await flow.send(random.randbytes(16), False)
        await view.apply(step_i=0, return_i=0, clear_i=1)
        await view.edge()
        await view.apply(clear_i=0)
        iv, data = random.randbytes(16), random.randbytes(40)
        assert await Flow(view).packet(iv, data) == process(
            VARIANTS[variants(view)[0]], KEY, iv, data, False
        )
