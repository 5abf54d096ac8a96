"""aes_gcm: the steps of every kind of packet, with an ideal cipher and an ideal GHASH."""

import random

from benches import KIND_FAILED, KIND_TAG, KIND_VERIFIED, MODE, MODE_CODES, NEXT_RESULT, NEXT_VALUE
from runner import View, for_each, simulate

from aesforge.sim.oracle import ecb
from aesforge.sim.packets import Beat, Ghash, Header, authenticated, beats, iv_for_counter
from aesforge.space.modes import KIND


def test_aes_gcm() -> None:
    simulate(__file__, MODE)


# In the simulator -------------------------------------------------------------------------------

KEY = bytes(range(16))
HASH = {name.removeprefix("HASH_"): code for name, code in MODE_CODES.items() if "HASH_" in name}


def number(data: bytes) -> int:
    return int.from_bytes(data, "big")


class Packet:
    """Takes the steps of beats; hashes and counts as aes_gcm_tag does."""

    def __init__(self, view: View, header: Header, mac: bool) -> None:
        self.view, self.mac = view, mac
        self.chain = number(header.iv[:12] + (2).to_bytes(4, "big"))
        self.note, self.noted = 0, 0
        self.hashed: list[bytes] = []
        self.lengths = [0, 0]
        self.payload, self.steps = b"", 0
        self.end: tuple[int, bytes] | None = None
        view.set(verify_i=int(header.decrypt), tag_bytes_i=header.tag_bytes, mac_i=int(mac))

    def _hash(self) -> bytes:
        lengths = b"".join((8 * size).to_bytes(8, "big") for size in self.lengths)
        found = Ghash(ecb(KEY, False)(bytes(16)))([*self.hashed, lengths])
        self.hashed, self.lengths = [], [0, 0]
        return found

    async def beat(self, beat: Beat) -> None:
        """All steps of a beat."""
        view, final = self.view, False
        while not final:
            await view.apply(
                data_i=number(beat.data.ljust(16, b"\0")),
                bytes_i=len(beat.data),
                kind_i=KIND[beat.kind],
                last_i=int(beat.last),
                chain_i=self.chain,
                note_i=self.note,
                noted_i=self.noted,
                step_i=1,
                end_i=0,
            )
            final = self._step()
            await view.apply(end_i=int(final and beat.last))
            await view.edge()
            self.steps += 1

    def _step(self) -> bool:
        view = self.view
        mask = view.get("mask_o").to_bytes(16, "big")
        block = ecb(KEY, False)(view.get("block_o").to_bytes(16, "big"))
        assert view.get("alone_o") + view.get("call_o") <= 1
        raw = block if view.get("call_o") else bytes(16)
        result = bytes(a ^ b for a, b in zip(raw, mask, strict=True))
        self.note, self.noted = view.get("note_o"), view.get("noted_o")
        size, emits, what = view.get("bytes_o"), view.get("emit_o"), view.get("hash_o")
        if view.get("next_o") == NEXT_VALUE:
            self.chain = view.get("chain_o")
        if what in (HASH["RESULT"], HASH["MASK"]):
            source = result if what == HASH["RESULT"] else mask
            self.hashed.append(source[:size])
            # GMAC has no payload (SP 800-38D, 3).
            assert not (emits and self.mac)
            self.lengths[emits] += size
        if what == HASH["IV"]:
            assert view.get("next_o") == NEXT_RESULT
            self.lengths.reverse()
            self.chain = number(self._hash())
        elif what == HASH["TAG"]:
            found = self._hash()
            self.end = (
                view.get("kind_o"),
                bytes(a ^ b for a, b in zip(result, found, strict=True))[:size],
            )
        elif emits:
            self.payload += result[:size]
        return bool(view.get("final_o"))


def sized(size: int) -> bytes:
    return random.randbytes(size)


async def sent(view: View, header: Header, given: list[Beat]) -> Packet:
    packet = Packet(view, header, header.mode == "gmac")
    for beat in given:
        await packet.beat(beat)
    await view.apply(step_i=0, end_i=0)
    return packet


@for_each(MODE, "aes_gcm")
async def packets_of_all_lengths_agree_with_the_standard(view: View) -> None:
    await view.reset()
    for _ in range(150):
        mode = random.choice(("gcm", "gmac"))
        sizes = [random.choice((0, 0, 1, 15, 16, 17, 32, 40)) for _ in range(2)]
        sizes[0] *= mode == "gcm"
        aad, data = map(sized, sizes)
        iv = sized(random.choice((0, 1, 12, 12, 15, 16, 17, 32)))
        short, size = sized(16), random.choice((4, 8, 12, 13, 14, 15, 16))
        result, tag = authenticated(mode, KEY, iv or short[:12], aad, data)
        packet = await sent(
            view,
            Header(mode, False, short, size),
            beats(Header(mode, False, short), data, None, False, aad, iv),
        )
        assert packet.payload == result
        assert packet.end == (KIND_TAG, tag[:size])
        hashed = 0 if len(iv) in (0, 12) else 3
        assert packet.steps <= 1 + max(1, sum(-(-n // 16) for n in (*sizes, len(iv)))) + hashed
        secret = result if mode == "gcm" else data
        header = Header(mode, True, short, size)
        packet = await sent(view, header, beats(header, secret, tag[:size], False, aad, iv))
        assert packet.payload == (data if mode == "gcm" else b"")
        assert packet.end == (KIND_VERIFIED, bytes(size))


@for_each(MODE, "aes_gcm")
async def counters_wrap_in_their_low_32_bits(view: View) -> None:
    await view.reset()
    for before in range(4):
        counter = sized(12) + (2**32 - 1 - before).to_bytes(4, "big")
        iv, data = iv_for_counter(KEY, counter), sized(80)
        header = Header("gcm", False, bytes(16), 16)
        packet = await sent(view, header, beats(header, data, None, False, b"", iv))
        result, tag = authenticated("gcm", KEY, iv, b"", data)
        assert (packet.payload, packet.end) == (result, (KIND_TAG, tag))


@for_each(MODE, "aes_gcm")
async def tags_of_other_lengths_are_refused(view: View) -> None:
    await view.reset()
    data = sized(20)
    result, tag = authenticated("gcm", KEY, bytes(12), b"", data)
    for size in range(17):
        legal = size in (4, 8, 12, 13, 14, 15, 16)
        header = Header("gcm", False, bytes(16), size)
        packet = await sent(view, header, beats(header, data))
        assert packet.end == (KIND_TAG, tag[:size] if legal else b"")
        header = Header("gcm", True, bytes(16), size)
        packet = await sent(view, header, beats(header, result, tag[:size]))
        assert packet.end is not None
        assert packet.end[0] == (KIND_VERIFIED if legal else KIND_FAILED)
        packet = await sent(view, header, beats(header, result, tag[: max(1, size - 1)]))
        assert packet.end is not None
        assert packet.end[0] == KIND_FAILED


@for_each(MODE, "aes_gcm")
async def clear_leaves_no_packet(view: View) -> None:
    await view.reset()
    header = Header("gcm", False, bytes(16), 16)
    for given in range(4):
        packet = Packet(view, header, False)
        for beat in beats(header, sized(40), None, False, b"", sized(17))[:given]:
            await packet.beat(beat)
        await view.apply(step_i=0, clear_i=1)
        await view.edge()
        await view.apply(clear_i=0)
        whole = await sent(view, header, beats(header, bytes(20)))
        assert whole.end == (KIND_TAG, authenticated("gcm", KEY, bytes(12), b"", bytes(20))[1])
