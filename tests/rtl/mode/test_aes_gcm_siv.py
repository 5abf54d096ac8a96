"""aes_gcm_siv: packets of every length, right and wrong, with an ideal cipher and hash."""

import random
from collections import deque

from benches import (
    KIND_FAILED,
    KIND_PAYLOAD,
    KIND_TAG,
    KIND_VERIFIED,
    MODE,
    MODE_CODES,
    NEXT_CIPHER,
    NEXT_RESULT,
)
from runner import View, for_each, simulate

from aesforge.sim.oracle import ecb
from aesforge.sim.packets import Ghash, gcm_siv
from aesforge.space.modes import KIND


def test_aes_gcm_siv() -> None:
    simulate(__file__, MODE)


# In the simulator -------------------------------------------------------------------------------

HASH = {code: name.removeprefix("HASH_") for name, code in MODE_CODES.items() if "HASH_" in name}
NONCE = bytes(range(100, 112))
FAILED, VERIFIED = (KIND_FAILED, b""), (KIND_VERIFIED, b"")


def most(view: View) -> int:
    return int(dict(view.item.parameters)["PayloadBytes"])


async def start(view: View) -> None:
    """Reset, which clears the memory."""
    await view.reset()
    for _ in range(most(view) // 16):
        assert view.get("clearing_o")
        await view.edge()
        await view.apply()
    assert not view.get("clearing_o")


class Flow:
    """Steps of beats, whose results leave an ideal cipher and GHASH after some cycles, in order."""

    def __init__(self, view: View) -> None:
        self.view, self.calls, self.steps = view, 0, 0
        self.flight: deque[tuple[int, int, int, bool, bool, str, int]] = deque()
        self.found: list[tuple[int, bytes]] = []
        self.key = self.active = bytes(16)
        self.parts, self.blocks, self.lengths = [b""] * 4, [b""], [0, 0]
        self.subkey, self.chain, self.awaits, self.memory = bytes(16), 0, False, 0

    async def cycle(self, offered: bool) -> bool:
        """One cycle; returns whether the offered beat is accepted."""
        view = self.view
        await view.apply(step_i=0, return_i=0)
        if self.flight and random.random() < 0.7:
            await self._result(*self.flight.popleft())
        accepted = False
        if offered and not self.awaits:
            derived = int.from_bytes(b"".join(self.parts[:2]).ljust(16, b"\0"))
            await view.apply(chain_i=self.chain, derived_i=derived)
            if not view.get("wait_o"):
                accepted = await self._step()
        await view.edge()
        return accepted

    async def _result(
        self, result: int, size: int, kind: int, emit: bool, returns: bool, what: str, after: int
    ) -> None:
        data = result.to_bytes(16, "big")
        await self.view.apply(return_i=int(returns), return_data_i=result)
        if returns and self.view.get("part_valid_o"):
            self.parts[self.view.get("part_o")] = data[:8]
        if what == "KEY":
            self.subkey, self.blocks, self.lengths = data, [], [0, 0]
        elif what == "POLYVAL":
            # Payload is text, whether it was sent or is on its way back into the memory.
            self.lengths[kind in (KIND_PAYLOAD, KIND_TAG)] += size
            self.blocks.append(data[:size].ljust(16, b"\0")[::-1])
        elif what == "POLYVAL_END":
            lengths = [(8 * size).to_bytes(8, "big") for size in reversed(self.lengths)]
            sums = Ghash(self.subkey)([*self.blocks, b"".join(lengths)])
            self.chain, self.awaits = result ^ int.from_bytes(sums), False
        if after == NEXT_CIPHER:
            self.chain, self.awaits = result, False
        if emit:
            self.found.append((kind, data[:size]))

    async def _step(self) -> bool:
        view = self.view
        self.steps += 1
        names = ("call", "alone", "emit", "return", "next", "hash", "kind", "bytes", "mask")
        call, alone, emit, returns, after, hashed, kind, size, mask = (
            view.get(f"{name}_o") for name in names
        )
        what = HASH.get(hashed, "NONE")
        if call or emit or what != "NONE":
            assert call != alone
            self.calls += call
            block = view.get("block_o").to_bytes(16, "big")
            raw = int.from_bytes(ecb(self.active, False)(block)) if call else 0
            self.awaits = after in (NEXT_CIPHER, NEXT_RESULT)
            # Other modes have results that return too; theirs are never of this kind.
            assert not returns or kind == KIND_TAG
            self.flight.append((raw ^ mask, size, kind, bool(emit), bool(returns), what, after))
        elif not alone and not view.get("derive_o"):
            # The comparison: the mask is the first line of the memory.
            self.memory = mask
        accepted = bool(view.get("final_o"))
        await view.apply(step_i=1, end_i=int(accepted and view.get("last_i")))
        if view.get("derive_o"):
            assert not self.flight
            self.active = b"".join(self.parts)[: len(self.key)]
        return accepted

    async def packet(
        self, beats: list[tuple[str, bytes]], verify: bool, key: bytes
    ) -> list[tuple[int, bytes]]:
        """A whole packet: kinds and bytes of the beats that it outputs."""
        view = self.view
        await view.apply(verify_i=int(verify), long_key_i=int(len(key) == 32))
        self.key = self.active = key
        self.chain = int.from_bytes(NONCE + random.randbytes(4))
        self.found, self.awaits, self.calls, self.steps = [], False, 0, 0
        for number, (kind, data) in enumerate(beats, 1):
            await view.apply(
                data_i=int.from_bytes(data.ljust(16, b"\0")),
                bytes_i=len(data),
                kind_i=KIND[kind],
                last_i=int(number == len(beats)),
            )
            while not await self.cycle(True):
                assert number == len(beats) or not self.found
        while self.flight:
            await self.cycle(False)
        return self.found


def parts(kind: str, data: bytes) -> list[tuple[str, bytes]]:
    return [(kind, data[at : at + 16]) for at in range(0, len(data), 16)]


def given(data: bytes, *end: tuple[int, bytes]) -> list[tuple[int, bytes]]:
    return [*((KIND_PAYLOAD, part) for _, part in parts("", data)), *end]


@for_each(MODE, "aes_gcm_siv")
async def packets_of_all_lengths_agree_with_the_standard(view: View) -> None:
    await start(view)
    flow = Flow(view)
    sizes = sorted({*range(20), 31, 32, 33, 63, 64, 65, most(view) - 1, most(view), most(view) + 1})
    for size in sizes:
        key = random.randbytes(random.choice((16, 32)))
        aad, data = random.randbytes(random.choice((0, 1, 16, 21, 32))), random.randbytes(size)
        secret, tag = gcm_siv(key, NONCE, aad, data)
        whole = [*parts("aad", aad), *parts("payload", data)] or [("payload", b"")]
        found = await flow.packet(whole, False, key)
        count, derived = -(-size // 16), 2 + len(key) // 8
        if size > most(view):
            assert found == [FAILED]
            continue
        assert found == given(secret, (KIND_TAG, tag)), size
        assert flow.calls == derived + 1 + count
        # Derived blocks, two loads; beats twice; hash, tag, comparison and the end.
        assert flow.steps == derived + 2 + len(whole) + count + 4
        whole = [*parts("aad", aad), *parts("payload", secret), ("tag", tag)]
        assert await flow.packet(whole, True, key) == given(data, VERIFIED)
        assert flow.calls == derived + 1 + count
        steps, wrong = flow.steps, bytes([tag[0] ^ 128]) + tag[1:]
        assert steps == derived + 2 + len(whole) + 2 * count + 4
        assert await flow.packet([*whole[:-1], ("tag", wrong)], True, key) == [FAILED]
        assert flow.steps == steps


@for_each(MODE, "aes_gcm_siv")
async def the_memory_is_zero_after_a_packet(view: View) -> None:
    await start(view)
    flow, key, data = Flow(view), bytes(range(16)), random.randbytes(64)
    secret, tag = gcm_siv(key, NONCE, b"", data)
    for right in (tag, bytes(16)):
        await flow.packet([*parts("payload", secret), ("tag", right)], True, key)
        assert flow.memory == int.from_bytes(data[:16]) or right != tag
        await flow.packet([("payload", b"")], False, key)
        assert flow.memory == 0


def _pair(found: tuple[bytes, bytes]) -> tuple[bytes, tuple[int, bytes]]:
    return found[0], (KIND_TAG, found[1])


@for_each(MODE, "aes_gcm_siv")
async def what_has_no_place_fails(view: View) -> None:
    await start(view)
    flow, key = Flow(view), bytes(range(32))
    whole, half = random.randbytes(16), random.randbytes(5)
    _, tag = gcm_siv(key, NONCE, b"", b"")
    for beats in (
        [("aad", half), ("aad", half)],
        [("payload", half), ("payload", whole)],
        [("payload", whole), ("aad", half)],
        [("iv", whole), ("payload", whole)],
        [("tag", whole), ("payload", whole)],
        [("payload", half), ("payload", b""), ("payload", half)],
        [("tag", tag)],
    ):
        assert await flow.packet(beats, False, key) == [FAILED], beats
        assert await flow.packet([("payload", whole)], False, key) == given(
            *_pair(gcm_siv(key, NONCE, b"", whole))
        )
    for beats in ([("payload", b"")], [("tag", tag[:15])], [("tag", b"")], [("payload", tag)]):
        assert await flow.packet(beats, True, key) == [FAILED], beats
    # A tag that ends with a zero, without that byte.
    aad = next(
        aad
        for aad in (number.to_bytes(2) for number in range(1 << 16))
        if gcm_siv(key, NONCE, aad, b"")[1][-1] == 0
    )
    _, short = gcm_siv(key, NONCE, aad, b"")
    assert await flow.packet([("aad", aad), ("tag", short[:15])], True, key) == [FAILED]
    assert await flow.packet([("aad", aad), ("tag", short)], True, key) == [VERIFIED]
    assert await flow.packet([("iv", b""), ("tag", tag)], True, key) == [VERIFIED]
