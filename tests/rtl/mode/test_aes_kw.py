"""aes_kw: packets of every length, right and wrong, with an ideal cipher."""

import random
from collections import deque

from benches import KIND_FAILED, KIND_PAYLOAD, KIND_VERIFIED, MODE, NEXT_RESULT, NEXT_VALUE
from runner import View, for_each, simulate
from suite import EVERYDAY

from aesforge.sim.oracle import ecb
from aesforge.sim.packets import ICV1, ICV2, unwrap, wrap, wrapping


def test_aes_kw() -> None:
    simulate(__file__, MODE)


# In the simulator -------------------------------------------------------------------------------

KEY = bytes(range(16))


def semiblocks(view: View) -> int:
    return int(dict(view.item.parameters)["Semiblocks"])


async def start(view: View) -> None:
    """Reset, which clears the memory."""
    await view.reset()
    for _ in range(semiblocks(view)):
        assert view.get("clearing_o")
        await view.edge()
        await view.apply()
    assert not view.get("clearing_o")


class Flow:
    """Steps of beats, whose results leave an ideal cipher after some cycles, in order."""

    def __init__(self, view: View) -> None:
        self.view, self.calls, self.steps = view, 0, 0
        self.flight: deque[tuple[int, int, int, bool]] = deque()
        self.found: list[tuple[int, bytes]] = []
        self.chain, self.awaits = 0, False

    async def cycle(self, offered: bool) -> bool:
        """One cycle; returns whether the offered beat is accepted."""
        view = self.view
        await view.apply(step_i=0)
        kept = self.chain
        if self.flight and random.random() < 0.7:
            result, size, kind, awaited = self.flight.popleft()
            if kind >= 0:
                self.found.append((kind, result.to_bytes(16, "big")[:size]))
            if awaited:
                self.chain, self.awaits = result, False
        accepted = False
        if offered and not self.awaits:
            await view.apply(chain_i=self.chain, kept_i=kept >> 64)
            if not view.get("wait_o"):
                accepted = await self._step()
        await view.edge()
        return accepted

    async def _step(self) -> bool:
        view = self.view
        self.steps += 1
        emits, call = view.get("emit_o"), view.get("call_o")
        # No byte of a result is shown, unless it is output.
        assert not call or (not emits and view.get("bytes_o") == 0)
        if call or emits:
            self.calls += call
            block = view.get("block_o").to_bytes(16, "big")
            raw = int.from_bytes(ecb(KEY, bool(view.get("unwrap_i")))(block))
            result = view.get("mask_o") ^ (0 if view.get("alone_o") else raw)
            assert call != view.get("alone_o")
            self.awaits = view.get("next_o") == NEXT_RESULT
            kind = view.get("kind_o") if emits else -1
            self.flight.append((result, view.get("bytes_o"), kind, self.awaits))
        if view.get("next_o") == NEXT_VALUE:
            self.chain = view.get("chain_o")
        accepted = bool(view.get("final_o"))
        await view.apply(step_i=1, end_i=int(accepted and view.get("last_i")))
        return accepted

    async def packet(self, mode: str, beats: list[bytes], inverse: bool) -> list[tuple[int, bytes]]:
        """A whole packet: kinds and bytes of the beats that it outputs."""
        view = self.view
        await view.apply(padded_i=int(mode == "kwp"), unwrap_i=int(inverse))
        self.chain, self.found = random.getrandbits(128), []
        self.awaits, self.calls, self.steps = False, 0, 0
        whole = sum(map(len, beats)) // 8 - 1
        for number, data in enumerate(beats, 1):
            await view.apply(
                data_i=int.from_bytes(data.ljust(16, b"\0")),
                bytes_i=len(data),
                last_i=int(number == len(beats)),
            )
            while not await self.cycle(True):
                # Nothing of what is unwrapped is output before all of it is.
                assert (
                    not inverse or not self.found or self.calls == (6 * whole if whole > 1 else 1)
                )
        while self.flight:
            await self.cycle(False)
        return self.found


async def read(view: View) -> int:
    """The first semiblock of the memory."""
    for _ in range(2):
        await view.apply(step_i=0)
        await view.edge()
    await view.apply()
    return view.get("block_o") % 2**64


def parts(data: bytes) -> list[bytes]:
    return [data[at : at + 16] for at in range(0, len(data) or 1, 16)]


def flipped(data: bytes, at: int) -> bytes:
    return data[:at] + bytes([data[at] ^ 1 << at % 8]) + data[at + 1 :]


def given(data: bytes, *end: tuple[int, bytes]) -> list[tuple[int, bytes]]:
    return [*((KIND_PAYLOAD, part) for part in parts(data)), *end]


FAILED, VERIFIED = (KIND_FAILED, b""), (KIND_VERIFIED, b"")


@for_each(MODE, "aes_kw")
async def packets_of_all_lengths_agree_with_the_standard(view: View) -> None:
    await start(view)
    flow, most = Flow(view), 8 * semiblocks(view)
    sizes = sorted(
        {*range(0, 34, 5 if EVERYDAY else 1), *range(max(0, most - 9), most + 1)}
        & set(range(most + 1))
    )
    for size in sizes:
        for mode in ("kw", "kwp"):
            data = random.randbytes(size)
            secret = wrap(mode, KEY, data)
            found = await flow.packet(mode, parts(data), False)
            count = -(-size // 8)
            if secret is None:
                assert found == [FAILED]
                assert (flow.calls, flow.steps) == (0, max(1, count) + 1)
                continue
            assert found == given(secret), (mode, size)
            # A semiblock is loaded, sent six times and output; then there are the integrity value,
            # the length, and the last result.
            calls = 6 * count if count > 1 else 1
            assert flow.calls == calls
            assert flow.steps == 2 * count + calls + 2 + (count % 2 == 0)
            assert await read(view) == 0
            assert await flow.packet(mode, parts(secret), True) == given(data, VERIFIED), size
            assert await read(view) == 0
            assert unwrap(mode, KEY, secret) == data


@for_each(MODE, "aes_kw")
async def a_packet_that_is_too_long_fails_and_leaves_no_trace(view: View) -> None:
    await start(view)
    flow, most = Flow(view), 8 * semiblocks(view)
    for mode in ("kw", "kwp"):
        data = random.randbytes(16)
        secret = wrap(mode, KEY, data)
        assert secret is not None
        for extra in (1, 8, 9, 16, 24, most):
            for inverse in (False, True):
                long = random.randbytes(most + extra + 8 * inverse)
                assert await flow.packet(mode, parts(long), inverse) == [FAILED]
            assert await flow.packet(mode, parts(data), False) == given(secret)


@for_each(MODE, "aes_kw")
async def what_is_not_right_fails(view: View) -> None:
    await start(view)
    flow, most = Flow(view), semiblocks(view)
    for count in sorted({2, 3} & set(range(most + 1))):
        data = random.randbytes(8 * count)
        for mode, first in (("kw", ICV1), ("kwp", ICV2 + len(data).to_bytes(4, "big"))):
            right = wrapping(KEY, first + data, False)
            assert await flow.packet(mode, parts(right), True) == given(data, VERIFIED)
            steps = flow.steps
            wrong = [wrapping(KEY, flipped(first + data, at), False) for at in range(8)]
            wrong += [flipped(right, at) for at in range(len(right))]
            for text in wrong:
                assert await flow.packet(mode, parts(text), True) == [FAILED]
                # It takes as many steps as a right one, and leaves no more in the memory.
                assert flow.steps == steps
                assert await read(view) == 0


@for_each(MODE, "aes_kw")
async def lengths_and_padding_must_be_those_of_kwp(view: View) -> None:
    await start(view)
    flow = Flow(view)
    for count in sorted({1, 2, 3} & set(range(semiblocks(view) + 1))):
        for length in (0, *range(8 * count - 9, 8 * count + 3), 2**32 - 1, 2**31 + 8 * count):
            for zeros in (0, 7, 8) if EVERYDAY else range(9):
                if length < 0:
                    continue
                text = random.randbytes(8 * count - 1) + b"\x01"
                text = text[: 8 * count - zeros] + bytes(zeros)
                whole = ICV2 + length.to_bytes(4, "big") + text
                secret = wrapping(KEY, whole, False) if count > 1 else ecb(KEY, False)(whole)
                found = await flow.packet("kwp", parts(secret), True)
                data = unwrap("kwp", KEY, secret)
                assert found == ([FAILED] if data is None else given(data, VERIFIED))
                assert (data is not None) == (0 <= 8 * count - length <= min(zeros, 7))


@for_each(MODE, "aes_kw")
async def only_the_last_beat_may_have_fewer_bytes(view: View) -> None:
    await start(view)
    flow, data = Flow(view), random.randbytes(16)
    for mode in ("kw", "kwp"):
        secret = wrap(mode, KEY, data)
        assert secret is not None
        for beats in ([data[:8], data[8:]], [b"", data], [data[:7], data[7:]], [data, b"", b""]):
            assert await flow.packet(mode, beats, False) == [FAILED]
        for beats in ([secret[:8], secret[8:]], [b"", secret[:16], secret[16:]]):
            assert await flow.packet(mode, beats, True) == [FAILED]
        assert await flow.packet(mode, [data, b""], False) == given(secret)


@for_each(MODE, "aes_kw")
async def a_last_byte_that_is_missing_does_not_count_as_zero(view: View) -> None:
    await start(view)
    flow = Flow(view)
    for mode in ("kw", "kwp"):
        secret = b"\x01"
        while secret[-1]:
            secret = wrap(mode, KEY, random.randbytes(16)) or secret
        assert (await flow.packet(mode, parts(secret), True))[-1] == VERIFIED
        assert await flow.packet(mode, parts(secret[:-1]), True) == [FAILED]
        if mode == "kw":
            assert await flow.packet(mode, parts(bytes(15)), False) == [FAILED]


@for_each(MODE, "aes_kw")
async def clear_overwrites_the_memory(view: View) -> None:
    size = semiblocks(view)
    await start(view)
    data = random.randbytes(min(64, 8 * size))
    for cycles in (1, 2, 3, 5, 20, 60):
        flow = Flow(view)
        await view.apply(padded_i=0, unwrap_i=0, bytes_i=16, last_i=0)
        for number, part in enumerate(parts(data)):
            await view.apply(data_i=int.from_bytes(part), last_i=int(16 * number + 16 == len(data)))
            for _ in range(cycles):
                if await flow.cycle(True):
                    break
        await view.apply(step_i=0, clear_i=1)
        assert view.get("clearing_o")
        await view.edge()
        await view.apply(clear_i=0)
        for _ in range(size):
            assert view.get("clearing_o")
            await view.edge()
            await view.apply()
        assert not view.get("clearing_o")
        assert await read(view) == 0
        secret = wrap("kw", KEY, data)
        assert secret is not None
        assert await Flow(view).packet("kw", parts(data), False) == given(secret)
