"""FIPS 197 in Python, written from the standard (https://doi.org/10.6028/NIST.FIPS.197-upd1).

Blocks and states are 16 bytes, byte k at row k mod 4 and column k div 4 (3.4); words are 4 bytes;
keys are 16, 24 or 32 bytes. Clear rather than fast: it is what the hardware is checked against.

Blocks of 24 and 32 bytes are those of Rijndael, of which the standard took one size (Daemen and
Rijmen, "AES Proposal: Rijndael", version 2, 1999). Their states have `nb` = 6 and 8 columns; what
depends on `nb` names the section of that document.
"""

from collections.abc import Callable
from functools import reduce

Trace = list[tuple[int, str, bytes]]
"""What appendix C prints: (round, name, value) in the order of the calculation."""

# Arithmetic (4) ---------------------------------------------------------------------------------


def xor(a: bytes, b: bytes) -> bytes:
    """Byte by byte a + b in GF(2^8), for bytes, words and states (4.1)."""
    return bytes(x ^ y for x, y in zip(a, b, strict=True))


def xtime(a: int) -> int:
    """The byte x * a modulo x^8 + x^4 + x^3 + x + 1 (4.2)."""
    return (a << 1) ^ (0x11B if a & 0x80 else 0)


def multiply(a: int, b: int) -> int:
    """The byte a * b (4.2): a times each power of x that b has."""
    product = 0
    while b:
        product ^= a if b & 1 else 0
        a, b = xtime(a), b >> 1
    return product


def inverse(a: int) -> int:
    """The byte 1/a, and 0 for 0 (4.4): a^254."""
    return reduce(multiply, [a] * 254)


# S-box (5.1.1, 5.3.2) ---------------------------------------------------------------------------


def _substitute(a: int) -> int:
    b = inverse(a)
    bits = (
        (b >> i ^ b >> (i + 4) % 8 ^ b >> (i + 5) % 8 ^ b >> (i + 6) % 8 ^ b >> (i + 7) % 8) & 1
        for i in range(8)
    )
    return 0x63 ^ sum(bit << i for i, bit in enumerate(bits))


SBOX = bytes(_substitute(a) for a in range(256))
"""SBOX[a] is S(a): the inverse under an affine transformation (equation 5.3)."""

INV_SBOX = bytes(SBOX.index(a) for a in range(256))
"""INV_SBOX[S(a)] is a."""


def sub_bytes(state: bytes) -> bytes:
    """SubBytes (5.1.1); on a word it is SubWord (5.2)."""
    return state.translate(SBOX)


def inv_sub_bytes(state: bytes) -> bytes:
    """InvSubBytes (5.3.2)."""
    return state.translate(INV_SBOX)


# Rows and columns (5.1.2, 5.1.3, 5.3.1, 5.3.3) --------------------------------------------------


def columns(block: bytes) -> int:
    """Nb: 4 in the standard, or 6 or 8 (Rijndael, 4.1)."""
    if len(block) not in (16, 24, 32):
        raise ValueError(f"a block is 16, 24 or 32 bytes, not {len(block)}")
    return len(block) // 4


def offset(row: int, nb: int) -> int:
    """Columns by which ShiftRows moves a row: its number, or 0, 1, 3, 4 for Nb = 8 (4.2.2)."""
    return row + (nb == 8 and row > 1)


def _moved(state: bytes, direction: int) -> bytes:
    nb = columns(state)
    return bytes(
        state[row + 4 * ((col + direction * offset(row, nb)) % nb)]
        for col in range(nb)
        for row in range(4)
    )


def shift_rows(state: bytes) -> bytes:
    """ShiftRows (5.1.2): row r moves r columns to the left."""
    return _moved(state, 1)


def inv_shift_rows(state: bytes) -> bytes:
    """InvShiftRows (5.3.1): row r moves r columns to the right."""
    return _moved(state, -1)


def _mix_column(column: bytes, factors: bytes) -> bytes:
    """The product of a column and the circulant matrix whose first row is `factors`."""
    return bytes(
        reduce(int.__xor__, (multiply(column[k], factors[(k - row) % 4]) for k in range(4)))
        for row in range(4)
    )


def mix_column(column: bytes) -> bytes:
    """MixColumns on one column of 4 bytes (equation 5.8)."""
    return _mix_column(column, bytes.fromhex("02030101"))


def inv_mix_column(column: bytes) -> bytes:
    """InvMixColumns on one column of 4 bytes (equation 5.15)."""
    return _mix_column(column, bytes.fromhex("0e0b0d09"))


def mix_columns(state: bytes) -> bytes:
    """MixColumns (5.1.3)."""
    return b"".join(mix_column(state[k : k + 4]) for k in range(0, len(state), 4))


def inv_mix_columns(state: bytes) -> bytes:
    """InvMixColumns (5.3.3)."""
    return b"".join(inv_mix_column(state[k : k + 4]) for k in range(0, len(state), 4))


# Key expansion (5.2) ----------------------------------------------------------------------------


def rounds(key: bytes, nb: int = 4) -> int:
    """Nr (table 3): 10, 12 or 14, by the longer of key and block (Rijndael, 4.1)."""
    if len(key) not in (16, 24, 32):
        raise ValueError(f"a key is 16, 24 or 32 bytes, not {len(key)}")
    return max(len(key) // 4, nb) + 6


def sub_word(word: bytes) -> bytes:
    """SubWord: the S-box on each of 4 bytes."""
    return sub_bytes(word)


def rot_word(word: bytes) -> bytes:
    """RotWord: 4 bytes, one place to the left."""
    return word[1:] + word[:1]


def rcon(i: int) -> bytes:
    """Rcon[i] for i from 1 (table 5; up to 29 for Nb = 8): the word x^(i-1), 0, 0, 0."""
    return bytes([reduce(lambda power, _: xtime(power), range(i - 1), 1), 0, 0, 0])


def key_expansion(key: bytes, nb: int = 4) -> list[bytes]:
    """The Nb (Nr + 1) words of the key schedule (algorithm 2; Rijndael, 4.3.1)."""
    nk = len(key) // 4
    words = [key[4 * i : 4 * i + 4] for i in range(nk)]
    for i in range(nk, nb * (rounds(key, nb) + 1)):
        temp = words[i - 1]
        if i % nk == 0:
            temp = xor(sub_word(rot_word(temp)), rcon(i // nk))
        elif nk > 6 and i % nk == 4:
            temp = sub_word(temp)
        words.append(xor(words[i - nk], temp))
    return words


def round_keys(key: bytes, nb: int = 4) -> list[bytes]:
    """The key schedule as Nr + 1 round keys, each as long as a block (Rijndael, 4.3.2)."""
    words = key_expansion(key, nb)
    return [b"".join(words[i : i + nb]) for i in range(0, len(words), nb)]


# Cipher (5.1, 5.3) ------------------------------------------------------------------------------


def cipher(block: bytes, key: bytes, trace: Trace | None = None) -> bytes:
    """The block encrypted (algorithm 1); `trace` receives what appendix C prints."""
    k_sch = round_keys(key, columns(block))
    nr = len(k_sch) - 1
    note = _recorder(trace)
    note(0, "input", block)
    state = xor(block, note(0, "k_sch", k_sch[0]))
    for r in range(1, nr + 1):
        note(r, "start", state)
        state = note(r, "s_box", sub_bytes(state))
        state = note(r, "s_row", shift_rows(state))
        if r < nr:
            state = note(r, "m_col", mix_columns(state))
        state = xor(state, note(r, "k_sch", k_sch[r]))
    return note(nr, "output", state)


def inverse_cipher(block: bytes, key: bytes, trace: Trace | None = None) -> bytes:
    """The block decrypted (algorithm 3); `trace` receives what appendix C prints."""
    ik_sch = round_keys(key, columns(block))[::-1]
    nr = len(ik_sch) - 1
    note = _recorder(trace)
    note(0, "iinput", block)
    state = xor(block, note(0, "ik_sch", ik_sch[0]))
    for r in range(1, nr + 1):
        note(r, "istart", state)
        state = note(r, "is_row", inv_shift_rows(state))
        state = note(r, "is_box", inv_sub_bytes(state))
        state = xor(state, note(r, "ik_sch", ik_sch[r]))
        if r < nr:
            state = inv_mix_columns(note(r, "ik_add", state))
    return note(nr, "ioutput", state)


def _recorder(trace: Trace | None) -> Callable[[int, str, bytes], bytes]:
    """A function that passes values through and, if there is a trace, writes them down."""

    def note(number: int, name: str, value: bytes) -> bytes:
        if trace is not None:
            trace.append((number, name, value))
        return value

    return note
