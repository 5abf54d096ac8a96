"""aes_ccm: packets of every length of nonce, tag, AAD and payload, with an ideal cipher."""

import random
from collections import deque

from benches import KIND_FAILED, KIND_TAG, KIND_VERIFIED, MODE, NEXT_CIPHER
from runner import View, for_each, simulate
from suite import EVERYDAY

from aesforge.sim.oracle import ecb
from aesforge.sim.packets import ccm
from aesforge.space.modes import KIND


def test_aes_ccm() -> None:
    simulate(__file__, MODE)


# In the simulator -------------------------------------------------------------------------------

KEY = bytes(range(16))


class Flow:
    """Steps of beats, whose results leave an ideal cipher after some cycles, in order."""

    def __init__(self, view: View) -> None:
        self.view, self.found, self.kind, self.calls = view, b"", -1, 0
        self.flight: deque[tuple[int, int, int, int, bool, bool]] = deque()
        self.chain, self.awaits = 0, False

    async def cycle(self, offered: bool) -> bool:
        """One cycle; returns whether the offered beat is accepted."""
        view = self.view
        await view.apply(step_i=0, return_i=0)
        if self.flight and random.random() < 0.5:
            raw, result, size, kind, returns, awaited = self.flight.popleft()
            if kind >= 0:
                self.kind = kind
            if kind not in (KIND_FAILED, KIND_VERIFIED):
                self.found += result.to_bytes(16, "big")[:size]
            elif result >> (128 - 8 * size):
                self.kind = KIND_FAILED
            if awaited:
                self.chain, self.awaits = raw, False
            await view.apply(return_i=int(returns), return_data_i=result)
        accepted = False
        if offered and not self.awaits:
            await view.apply(chain_i=self.chain, nonce_i=self.chain >> 8)
            if not view.get("wait_o"):
                accepted = await self._step()
        await view.edge()
        return accepted

    async def _step(self) -> bool:
        view = self.view
        if view.get("call_o"):
            self.calls += 1
            block = view.get("block_o").to_bytes(16, "big")
            raw = int.from_bytes(ecb(KEY, False)(block))
            self.awaits = view.get("next_o") == NEXT_CIPHER
            emits, returns = view.get("emit_o"), bool(view.get("return_o"))
            kind = view.get("kind_o") if emits else -1
            size = view.get("bytes_o") if emits else 0
            mask = view.get("mask_o")
            self.flight.append((raw, raw ^ mask, size, kind, returns, self.awaits))
        accepted = bool(view.get("final_o"))
        await view.apply(step_i=1, end_i=int(accepted and view.get("last_i")))
        return accepted

    async def packet(
        self,
        iv: bytes,
        segments: list[tuple[str, bytes]],
        lengths: tuple[int, int],
        tag_bytes: int,
        verify: bool,
    ) -> tuple[int, bytes]:
        """A whole packet: the kind of its end, and what it outputs."""
        view = self.view
        await view.apply(
            step_i=0,
            open_i=1,
            open_iv_bytes_i=len(iv),
            open_tag_bytes_i=tag_bytes,
            open_aad_bytes_i=lengths[0],
            open_payload_bytes_i=lengths[1],
        )
        await view.edge()
        await view.apply(open_i=0, tag_bytes_i=tag_bytes, verify_i=int(verify))
        # Bytes of the header after the nonce do not count.
        self.chain = int.from_bytes(iv + random.randbytes(16 - len(iv)))
        self.found, self.kind, self.awaits, self.calls = b"", -1, False, 0
        beats = [
            (kind, data[at : at + 16])
            for kind, data in segments
            for at in range(0, len(data) or 1, 16)
        ]
        for number, (kind, data) in enumerate(beats, 1):
            await view.apply(
                data_i=int.from_bytes(data.ljust(16, b"\0")),
                bytes_i=len(data),
                kind_i=KIND[kind],
                last_i=int(number == len(beats)),
            )
            while not await self.cycle(True):
                pass
        while self.flight:
            await self.cycle(False)
        return self.kind, self.found


def segments(aad: bytes, data: bytes, tag: bytes | None) -> list[tuple[str, bytes]]:
    found = [("aad", aad)] if aad else []
    if data or (tag is None and not aad):
        found.append(("payload", data))
    return found + ([("tag", tag)] if tag is not None else [])


@for_each(MODE, "aes_ccm")
async def packets_of_all_lengths_agree_with_the_standard(view: View) -> None:
    await view.reset()
    flow = Flow(view)
    cases = [
        (n, t, aad, size)
        for n in ((7, 12, 13) if EVERYDAY else range(7, 14))
        for t in range(4, 17, 2)
        for aad, size in ((0, 0), (random.randrange(50), random.randrange(50)))
    ]
    cases += [(13, 8, aad, 16) for aad in range(1, 50)] + [(7, 16, 5, size) for size in range(50)]
    cases += [
        (12, 4, aad, 3) for aad in ((65279, 65280) if EVERYDAY else (65279, 65280, 65290, 65291))
    ]
    for n, t, aad_bytes, size in cases:
        iv, aad, data = (random.randbytes(count) for count in (n, aad_bytes, size))
        result, tag = ccm(KEY, iv, aad, data, False, t)
        lengths = aad_bytes, size
        there = await flow.packet(iv, segments(aad, data, None), lengths, t, False)
        assert there == (KIND_TAG, result + tag), (n, t, aad_bytes, size)
        # B0, the AAD with its length, two blocks for each of payload, and the first counter block.
        length = 6 if aad_bytes >= 0xFF00 else 2
        blocks = -(-(aad_bytes + length) // 16) if aad_bytes else 0
        assert flow.calls == 2 + blocks + 2 * -(-size // 16)
        back = await flow.packet(iv, segments(aad, result, tag), lengths, t, True)
        assert back == (KIND_VERIFIED, data), (n, t, aad_bytes, size)


@for_each(MODE, "aes_ccm")
async def what_does_not_agree_fails(view: View) -> None:
    await view.reset()
    flow = Flow(view)
    iv, t = bytes(range(11)), 10
    for aad_bytes, size in ((0, 20), (20, 0), (16, 16), (31, 33)):
        aad, data = random.randbytes(aad_bytes), random.randbytes(size)
        result, tag = ccm(KEY, iv, aad, data, False, t)
        lengths, whole = (aad_bytes, size), segments(aad, result, tag)
        wrong = [
            ((aad_bytes + 1, size), whole),
            ((aad_bytes, size + 1), whole),
            ((max(0, aad_bytes - 1), size), whole if aad else segments(b"a", result, tag)),
            ((aad_bytes, max(0, size - 1)), whole if data else segments(aad, b"a", tag)),
            (lengths, segments(aad, result, tag[:-1])),
            (lengths, segments(aad, result, bytes(10))),
            (lengths, whole[::-1]),
            (lengths, segments(aad, result, None)),
            (lengths, [("iv", b"x"), *whole]),
            (lengths, [*whole[:-1], ("payload", tag)]),
        ]
        for given, packet in wrong:
            kind, found = await flow.packet(iv, packet, given, t, True)
            assert kind == KIND_FAILED, (given, packet)
            assert data.startswith(found) or len(found) < size, (given, packet)
        for given in ((aad_bytes + 1, size), (aad_bytes, size + 16)):
            kind, _ = await flow.packet(iv, segments(aad, data, None), given, t, False)
            assert kind == KIND_FAILED
        kind, found = await flow.packet(iv, whole, lengths, t, True)
        assert (kind, found) == (KIND_VERIFIED, data)


@for_each(MODE, "aes_ccm")
async def headers_that_no_packet_can_have_are_refused(view: View) -> None:
    for n in range(16):
        for t in range(32):
            for size in (0, 65535, 65536, 2**24 - 1, 2**24, 2**32 - 1):
                await view.apply(open_iv_bytes_i=n, open_tag_bytes_i=t, open_payload_bytes_i=size)
                legal = 7 <= n <= 13 and t in range(4, 17, 2) and size < 256 ** (15 - n)
                assert view.get("open_refuse_o") == (not legal), (n, t, size)


@for_each(MODE, "aes_ccm")
async def clear_drops_the_packet(view: View) -> None:
    await view.reset()
    for steps in range(1, 8):
        flow = Flow(view)
        await view.apply(open_i=1, open_aad_bytes_i=20, open_payload_bytes_i=20, clear_i=0)
        await view.edge()
        await view.apply(open_i=0, data_i=1, bytes_i=16, kind_i=KIND["aad"], last_i=0)
        for _ in range(steps):
            await flow.cycle(True)
        await view.apply(step_i=0, return_i=0, clear_i=1)
        await view.edge()
        await view.apply(clear_i=0)
        iv, data = random.randbytes(13), random.randbytes(20)
        result, tag = ccm(KEY, iv, b"", data, False, 16)
        given = await Flow(view).packet(iv, segments(b"", data, None), (0, 20), 16, False)
        assert given == (KIND_TAG, result + tag)
