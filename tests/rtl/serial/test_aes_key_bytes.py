import random

import cocotb
from benches import KEY
from runner import View, simulate, views

from aesforge.core import model


def test_aes_key_bytes() -> None:
    simulate(__file__, KEY)


async def round_key(ring: View, rcon: int, load: bytes = b"") -> bytes:
    """The bytes of a round key, or of a key that comes in."""
    found = bytearray()
    for place in range(16):
        await ring.apply(
            load_i=int(bool(load)),
            key_i=load[place] if load else random.getrandbits(8),
            sub_word_i=0,
            s_box_i=random.getrandbits(8),
            first_word_i=int(place < 4),
            first_byte_i=int(place == 0),
            rcon_i=rcon,
        )
        found.append(ring.get("k_sch_o"))
        await ring.edge()
    return bytes(found)


async def sub_word(ring: View) -> bytes:
    """The bytes of the last word, through an S-box."""
    found = bytearray()
    # The first bytes and words are not heeded: a core holds them low.
    await ring.apply(load_i=0, sub_word_i=1, first_word_i=0, first_byte_i=0)
    for _ in range(4):
        await ring.apply(key_i=random.getrandbits(8))
        found.append(ring.get("k_sch_o"))
        await ring.apply(s_box_i=model.sub_bytes(bytes([found[-1]] * 16))[0])
        await ring.edge()
    return bytes(found)


@cocotb.test()
async def round_keys_follow_their_key(dut: object) -> None:
    (ring,) = views(dut, KEY, "aes_key_bytes")
    for _ in range(5):
        keys = model.round_keys(random.randbytes(16))
        assert await round_key(ring, random.getrandbits(8), load=keys[0]) == keys[0]
        for number in range(1, 11):
            assert await sub_word(ring) == keys[number - 1][12:]
            assert await round_key(ring, model.rcon(number)[0]) == keys[number]
