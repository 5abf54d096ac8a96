"""What every round must do, from the model of FIPS 197, and the words of T-boxes."""

import random
from collections.abc import Awaitable, Callable

from runner import View, is_inverse

from aesforge.core import model

Apply = Callable[[bytes, bytes, int, int], Awaitable[bytes]]
"""Puts (state, round key, decrypt, last) through a round; the next state."""


def round_of(block: bytes, key: bytes, last: int) -> bytes:
    """A round of the cipher."""
    state = model.shift_rows(model.sub_bytes(block))
    return model.xor(state if last else model.mix_columns(state), key)


def inverse_round_of(block: bytes, key: bytes, last: int) -> bytes:
    """A round of the inverse cipher."""
    state = model.xor(model.inv_sub_bytes(model.inv_shift_rows(block)), key)
    return state if last else model.inv_mix_columns(state)


def word_of(byte: int, inverse: int) -> bytes:
    """The word of T0 or of its inverse: MixColumns of an S-box byte in row 0."""
    if inverse:
        return model.inv_mix_column(bytes([model.INV_SBOX[byte], 0, 0, 0]))
    return model.mix_column(bytes([model.SBOX[byte], 0, 0, 0]))


def combinational(view: View) -> Apply:
    """How to apply a round without registers."""

    async def apply(state: bytes, key: bytes, decrypt: int, last: int) -> bytes:
        view.set(start_i=int.from_bytes(state))
        await view.apply(k_sch_i=int.from_bytes(key), decrypt_i=decrypt, last_i=last)
        return view.get("data_o").to_bytes(16)

    return apply


async def check_appendix_c1(view: View, apply: Apply) -> None:
    """Chains the rounds of appendix C.1 through the hardware, in both directions."""
    plain, key = bytes.fromhex("00112233445566778899aabbccddeeff"), bytes(range(16))
    keys = model.round_keys(key)
    for decrypt in sorted({is_inverse(view, 0), is_inverse(view, 1)}):
        block = model.cipher(plain, key) if decrypt else plain
        schedule = keys[::-1] if decrypt else keys
        state = model.xor(block, schedule[0])
        for number, round_key in enumerate(schedule[1:], 1):
            state = await apply(state, round_key, decrypt, int(number == 10))
        assert state == (plain if decrypt else model.cipher(plain, key)), view.item.name


async def check_random_rounds(view: View, apply: Apply) -> None:
    """Random rounds, last ones and others, in both directions."""
    for decrypt in (0, 1):
        for last in (0, 1):
            for _ in range(25):
                block, key = random.randbytes(16), random.randbytes(16)
                expected = (inverse_round_of if is_inverse(view, decrypt) else round_of)(
                    block, key, last
                )
                assert await apply(block, key, decrypt, last) == expected, view.item.name
