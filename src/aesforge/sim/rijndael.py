"""Rijndael for blocks of any size, by look-ups: fast enough to check a simulation.

Made of the parts of `aesforge.core.model`, which the tests compare it with. A look-up is SubBytes
and MixColumns of one byte of a column (FIPS 197, 5.1.1 and 5.1.3); decryption is the equivalent
inverse cipher (5.3.5). Columns are numbers, row 0 in the top byte.
"""

from collections.abc import Callable
from functools import cache

from aesforge.core import model

_Tables = tuple[tuple[int, ...], ...]


@cache
def _tables(decrypt: bool) -> tuple[_Tables, bytes]:
    """For each row and byte what it adds to its column; and the S-box."""
    sbox = model.INV_SBOX if decrypt else model.SBOX
    mix = model.inv_mix_column if decrypt else model.mix_column

    def added(row: int, byte: int) -> int:
        return int.from_bytes(mix(bytes(row) + sbox[byte : byte + 1] + bytes(3 - row)), "big")

    return tuple(tuple(added(row, byte) for byte in range(256)) for row in range(4)), sbox


def _columns(round_key: bytes) -> list[int]:
    return [int.from_bytes(round_key[k : k + 4], "big") for k in range(0, len(round_key), 4)]


def block_function(key: bytes, size: int, decrypt: bool) -> Callable[[bytes], bytes]:
    """A function from blocks of `size` bytes to blocks under `key`."""
    nb = size // 4
    keys = model.round_keys(key, nb)
    if decrypt:
        first, *inner, last = keys
        keys = [last, *map(model.inv_mix_columns, inner[::-1]), first]
    k_sch = [_columns(round_key) for round_key in keys]
    (t0, t1, t2, t3), sbox = _tables(decrypt)
    sign = -1 if decrypt else 1
    moved = [[(col + sign * model.offset(row, nb)) % nb for row in range(4)] for col in range(nb)]

    def function(block: bytes) -> bytes:
        state = [a ^ b for a, b in zip(_columns(block), k_sch[0], strict=True)]
        for round_key in k_sch[1:-1]:
            state = [
                t0[state[a] >> 24]
                ^ t1[state[b] >> 16 & 255]
                ^ t2[state[c] >> 8 & 255]
                ^ t3[state[d] & 255]
                ^ added
                for (a, b, c, d), added in zip(moved, round_key, strict=True)
            ]
        substituted = bytes(
            sbox[state[source] >> 24 - 8 * row & 255]
            for sources in moved
            for row, source in enumerate(sources)
        )
        return model.xor(substituted, keys[-1])

    return function
