"""Trivium, step by step and bit by bit, as its specification numbers the bits."""

from collections.abc import Iterator

MIXING = 4 * 288
"""Steps between a key and the first bit of the stream."""


def first_state(key: int, iv: int) -> list[int]:
    """Bits 1 to 288 of the state, after one without use; K_1 and IV_1 are bits 0 of key and IV."""
    state = [0] * 289
    for at in range(80):
        state[1 + at] = key >> at & 1
        state[94 + at] = iv >> at & 1
    state[286:289] = [1, 1, 1]
    return state


def step(s: list[int]) -> tuple[int, list[int]]:
    """The bit of a step, and the next state."""
    t1, t2, t3 = s[66] ^ s[93], s[162] ^ s[177], s[243] ^ s[288]
    bit = t1 ^ t2 ^ t3
    t1 ^= s[91] & s[92] ^ s[171]
    t2 ^= s[175] & s[176] ^ s[264]
    t3 ^= s[286] & s[287] ^ s[69]
    return bit, [0, t3, *s[1:93], t1, *s[94:177], t2, *s[178:288]]


def bits(key: int, iv: int) -> Iterator[int]:
    """The bits of all steps, those of the mixing first."""
    state = first_state(key, iv)
    while True:
        bit, state = step(state)
        yield bit
