"""aes_xts: data units of every length in both directions, with an ideal cipher."""

import random
from collections import deque

from benches import KIND_FAILED, MODE, NEXT_VALUE
from runner import View, for_each, simulate

from aesforge.sim.oracle import ecb
from aesforge.sim.packets import xts


def test_aes_xts() -> None:
    simulate(__file__, MODE)


# In the simulator -------------------------------------------------------------------------------

KEY, TWEAK_KEY = bytes(range(16)), bytes(range(16, 32))


class Flow:
    """Steps of beats, whose results leave an ideal cipher after some cycles, in order."""

    def __init__(self, view: View) -> None:
        self.view, self.found = view, b""
        self.flight: deque[tuple[int, int, bool]] = deque()

    async def cycle(self) -> bool:
        """One cycle with a beat; returns whether the beat is accepted."""
        view, last = self.view, False
        await view.apply(step_i=0, return_i=0)
        if self.flight and random.random() < 0.5:
            result, size, returns = self.flight.popleft()
            self.found += result.to_bytes(16, "big")[:size]
            await view.apply(return_i=int(returns), return_data_i=result)
        if not view.get("wait_o"):
            last = bool(view.get("final_o"))
            raw = ecb(KEY, bool(view.get("decrypt_i")))(view.get("block_o").to_bytes(16, "big"))
            result = view.get("mask_o") ^ (0 if view.get("alone_o") else int.from_bytes(raw))
            size = view.get("bytes_o") if view.get("emit_o") else 0
            self.flight.append((result, size, bool(view.get("return_o"))))
            steals = view.get("steals_o")
            chain = view.get("chain_o" if view.get("next_o") == NEXT_VALUE else "chain_i")
            await view.apply(step_i=1)
            await view.edge()
            await view.apply(step_i=0, return_i=0, chain_i=chain, steals_i=steals)
        else:
            await view.edge()
        return last

    async def unit(self, number: bytes, data: bytes, decrypt: bool) -> bytes:
        """A whole data unit; the next beat is often known late."""
        view, self.found = self.view, b""
        first = int.from_bytes(ecb(TWEAK_KEY, False)(number))
        await view.apply(chain_i=first, steals_i=0, decrypt_i=int(decrypt))
        parts = [data[at : at + 16] for at in range(0, len(data), 16)]
        for at, part in enumerate(parts):
            after = parts[at + 1 : at + 2]
            await view.apply(
                data_i=int.from_bytes(part.ljust(16, b"\0")),
                bytes_i=len(part),
                last_i=int(not after),
                next_valid_i=0,
                next_partial_i=random.getrandbits(1) if not after else 0,
            )
            if after:
                assert view.get("wait_o")
                await view.edge()
                partial = at + 2 == len(parts) and len(after[0]) < 16
                await view.apply(next_valid_i=1, next_partial_i=int(partial))
            while not await self.cycle():
                pass
        while self.flight:
            result, size, _returns = self.flight.popleft()
            self.found += result.to_bytes(16, "big")[:size]
        return self.found


@for_each(MODE, "aes_xts")
async def data_units_of_every_length_agree_with_the_standard(view: View) -> None:
    await view.reset()
    flow = Flow(view)
    for size in range(16, 82):
        for decrypt in (False, True):
            number, data = random.randbytes(16), random.randbytes(size)
            wanted = xts(KEY + TWEAK_KEY, number, data, decrypt)
            assert await flow.unit(number, data, decrypt) == wanted, (size, decrypt)


@for_each(MODE, "aes_xts")
async def alpha_times_every_power_is_the_next_power(view: View) -> None:
    for power in range(128):
        # x^power has bit power of the number whose low byte is byte 0.
        await view.apply(chain_i=int.from_bytes((1 << power).to_bytes(16, "little")))
        wanted = 1 << power + 1 if power < 127 else 0x87
        assert view.get("chain_o") == int.from_bytes(wanted.to_bytes(16, "little"))


@for_each(MODE, "aes_xts")
async def less_than_a_block_fails(view: View) -> None:
    await view.reset()
    for size in range(17):
        await view.apply(bytes_i=size, last_i=1, steals_i=0)
        assert (view.get("kind_o") == KIND_FAILED) == (size < 16)
        assert view.get("final_o")


@for_each(MODE, "aes_xts")
async def clear_drops_a_returned_block(view: View) -> None:
    await view.reset()
    await view.apply(next_valid_i=1, next_partial_i=1, bytes_i=16, last_i=0, step_i=1)
    await view.edge()
    await view.apply(step_i=0, last_i=1, bytes_i=3, steals_i=1, data_i=0, chain_i=0)
    assert view.get("wait_o")
    await view.apply(return_i=1, return_data_i=2**128 - 1)
    await view.edge()
    await view.apply(return_i=0)
    assert not view.get("wait_o")
    assert view.get("block_o") == 2**104 - 1
    await view.apply(clear_i=1)
    await view.edge()
    await view.apply(clear_i=0)
    assert view.get("block_o") == 0
