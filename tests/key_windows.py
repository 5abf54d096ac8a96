"""The key schedule by rounds: a window of Nk words that advances by four (FIPS 197, 5.2)."""

import random
from collections.abc import Iterator
from dataclasses import dataclass

from benches import KEY_BITS
from runner import View

from aesforge.core import model


@dataclass(frozen=True)
class Step:
    """Round r: its window, the operand of SubWord, and the next window.

    `asked` is the operand of SubWord, None if the round has no SubWord; `rcon` is added to the
    result. The last windows end with the schedule, so `after` may be shorter than a key.
    """

    r: int
    before: bytes
    asked: bytes | None
    rcon: bytes
    after: bytes

    @property
    def sums(self) -> bytes:
        """The four new words without SubWord, after the end of the schedule too."""
        words = [self.before[i : i + 4] for i in range(0, len(self.before), 4)]
        nk = len(words)
        made: list[bytes] = []
        for k in range(4):
            i = 4 * self.r + nk - 4 + k
            if i % nk == 0:
                added = model.rcon(i // nk)
            elif nk > 6 and i % nk == 4:
                added = bytes(4)
            else:
                added = made[-1] if made else words[-1]
            made.append(model.xor(words[k], added))
        return b"".join(made)


def steps(key: bytes) -> Iterator[Step]:
    """All rounds of the schedule of `key`."""
    words, nk = model.key_expansion(key), len(key) // 4
    for r in range(1, model.rounds(key) + 1):
        made = range(4 * r + nk - 4, min(4 * r + nk, len(words)))
        asked, rcon = None, bytes(4)
        for i in made:
            if i % nk == 0:
                asked, rcon = model.rot_word(words[i - 1]), model.rcon(i // nk)
            elif nk > 6 and i % nk == 4:
                asked = words[i - 1]
        before = b"".join(words[4 * r - 4 : 4 * r + nk - 4])
        yield Step(r, before, asked, rcon, b"".join(words[4 * r : 4 * r + nk]))


def window(words: list[bytes], index: int, nk: int) -> bytes:
    """`nk` words, starting with a round key."""
    return b"".join(words[4 * index : 4 * index + nk])


def beyond(key: bytes, nb: int = 4, length: int = 0) -> list[bytes]:
    """The schedule of `key`, extended to a whole window after the last round key.

    A window has `length` words, or Nk.
    """
    words, nk = model.key_expansion(key, nb), len(key) // 4
    for i in range(len(words), len(words) + (length or nk) - nb):
        temp = words[-1]
        if i % nk == 0:
            temp = model.xor(model.sub_word(model.rot_word(temp)), model.rcon(i // nk))
        elif nk > 6 and i % nk == 4:
            temp = model.sub_word(temp)
        words.append(model.xor(words[-nk], temp))
    return words


def sizes(view: View) -> tuple[int, ...]:
    """The key sizes of an instance in bytes."""
    bits = dict(view.item.parameters)["KeyBits"]
    return (16, 24, 32) if bits == KEY_BITS[0] else (int(bits) // 8,)


def padded(words: bytes) -> int:
    """Words in the upper part of 256 bits; the unused lower part is random."""
    return int.from_bytes(words + random.randbytes(32 - len(words)))


def length_code(view: View, key: bytes) -> int:
    """`key_len_i`, used only with KEYS_ANY; code 3 counts as 256 bits."""
    if len(sizes(view)) == 1:
        return random.getrandbits(2)
    return random.choice((2, 3)) if len(key) == 32 else len(key) // 8 - 2
