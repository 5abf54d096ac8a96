"""aes_cmac: subkeys and examples of SP 800-38B, and every way to end a packet."""

import random
from typing import Any

import cocotb
from benches import KIND_FAILED, KIND_TAG, KIND_VERIFIED, MODE, NEXT_CIPHER, NEXT_VALUE
from runner import View, simulate, views

from aesforge.sim.oracle import ecb

# SP 800-38B, D.1: the key of 128 bits, the subkeys, and the tags of 0, 16, 40 and 64 bytes.
KEY = bytes.fromhex("2b7e151628aed2a6abf7158809cf4f3c")
KEY_1 = 0xFBEED618357133667C85E08F7236A8DE
KEY_2 = 0xF7DDAC306AE266CCF90BC11EE46D513B
MESSAGE = bytes.fromhex(
    "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
    "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710"
)
TAGS = {
    0: "bb1d6929e95937287fa37d129b756746",
    16: "070a16b46b4d4144f79bdd9dd04a287c",
    40: "dfa66747de9ae63030ca32611497c827",
    64: "51f0bebf7e3b9d92fc49741779363cfe",
}


def test_aes_cmac() -> None:
    simulate(__file__, MODE)


# In the simulator -------------------------------------------------------------------------------


def number(data: bytes) -> int:
    return int.from_bytes(data, "big")


class Packet:
    """Takes the steps of beats with an ideal cipher."""

    def __init__(self, view: View, verify: bool, tag_bytes: int = 16) -> None:
        self.view, self.chain, self.note, self.calls = view, 0, 0, 0
        view.set(
            verify_i=int(verify), tag_bytes_i=tag_bytes, zero_i=number(ecb(KEY, False)(bytes(16)))
        )

    async def beat(self, data: bytes, last: bool, tag: bool = False) -> tuple[int, int]:
        """All steps of a beat; returns result and kind of the last one."""
        view = self.view
        while True:
            await view.apply(
                data_i=number(data.ljust(16, b"\0")),
                bytes_i=len(data),
                last_i=int(last),
                tag_i=int(tag),
                chain_i=self.chain,
                note_i=self.note,
            )
            cipher = number(ecb(KEY, False)(view.get("block_o").to_bytes(16, "big")))
            final, kind, call = (view.get(f"{port}_o") for port in ("final", "kind", "call"))
            self.calls += call
            assert view.get("next_o") == (NEXT_CIPHER if call else NEXT_VALUE)
            self.chain = cipher if call else view.get("chain_o")
            self.note = view.get("note_o")
            if final:
                return cipher ^ view.get("mask_o"), kind


def beats(message: bytes) -> list[bytes]:
    return [message[at : at + 16] for at in range(0, len(message), 16)]


@cocotb.test
async def a_last_block_gets_the_subkeys_of_the_standard(dut: Any) -> None:
    (view,) = views(dut, MODE, "aes_cmac")
    Packet(view, False)
    for count in range(17):
        data = random.randbytes(count)
        await view.apply(
            data_i=number(data.ljust(16, b"\0")), bytes_i=count, last_i=1, chain_i=0, note_i=0
        )
        padded = data if count == 16 else (data + b"\x80").ljust(16, b"\0")
        assert view.get("block_o") == number(padded) ^ (KEY_1 if count == 16 else KEY_2)


@cocotb.test
async def generation_agrees_with_the_examples(dut: Any) -> None:
    (view,) = views(dut, MODE, "aes_cmac")
    for size, tag in TAGS.items():
        packet, blocks = Packet(view, False), beats(MESSAGE[:size]) or [b""]
        for at, block in enumerate(blocks):
            result, kind = await packet.beat(block, at == len(blocks) - 1)
        assert (result, kind) == (number(bytes.fromhex(tag)), KIND_TAG)
        assert packet.calls == len(blocks)


@cocotb.test
async def verification_agrees_with_the_examples(dut: Any) -> None:
    (view,) = views(dut, MODE, "aes_cmac")
    for size, tag in TAGS.items():
        for empty in (False, True) if not size else (False,):
            packet = Packet(view, True)
            for block in [b""] if empty else beats(MESSAGE[:size]):
                await packet.beat(block, False)
            # The result is what the tag lacks.
            assert await packet.beat(bytes.fromhex(tag), True, tag=True) == (0, KIND_VERIFIED)


@cocotb.test
async def a_tag_of_another_length_is_refused(dut: Any) -> None:
    (view,) = views(dut, MODE, "aes_cmac")
    tag = bytes.fromhex(TAGS[16])
    for wanted in range(17):
        for given in range(17):
            packet = Packet(view, True, wanted)
            await packet.beat(MESSAGE[:16], False)
            result, kind = await packet.beat(tag[:given], True, tag=True)
            good = given == wanted and wanted > 0
            assert kind == (KIND_VERIFIED if good else KIND_FAILED)
            if good:
                assert result >> (128 - 8 * given) == 0
    # A packet that ends without a tag.
    assert (await Packet(view, True).beat(tag, True))[1] == KIND_FAILED
