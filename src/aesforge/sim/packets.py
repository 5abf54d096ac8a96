"""Packets: the modes of operation as the standards define them, and a scoreboard of packets.

The modes are built from OpenSSL's block cipher alone, so that every segment size, counter width and
order of blocks is there; tests compare them with OpenSSL's own modes and with NIST's vectors.
"""

import random
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from aesforge.core.contract import Contract
from aesforge.sim.oracle import ecb, key_payload
from aesforge.sim.player import END, HANDSHAKE, LEVEL, Event
from aesforge.space.axes import Config
from aesforge.space.modes import KIND, KIND_OUT, MODES, Mode
from aesforge.space.promises import headers_ahead

# The modes ----------------------------------------------------------------------------------------


def _add(one: bytes, other: bytes) -> bytes:
    """The sum in GF(2)^n, as long as the shorter argument."""
    return bytes(a ^ b for a, b in zip(one, other, strict=False))


def _blocks(data: bytes, size: int = 16) -> list[bytes]:
    return [data[at : at + size] for at in range(0, len(data), size)]


def _padded(data: bytes, size: int = 16) -> bytes:
    """Data with zeros to a whole block."""
    return data + bytes(-len(data) % size)


def _cipher(key: bytes, iv: bytes, decrypt: bool = False) -> Callable[[bytes], bytes]:
    """The block cipher whose blocks are as long as an IV."""
    return ecb(key, decrypt, 8 * len(iv))


def cbc(key: bytes, iv: bytes, data: bytes, decrypt: bool) -> bytes:
    """CBC of whole blocks (SP 800-38A, 6.2)."""
    cipher, chain, found = _cipher(key, iv, decrypt), iv, []
    for block in _blocks(data, len(iv)):
        if decrypt:
            found.append(_add(cipher(block), chain))
            chain = block
        else:
            chain = cipher(_add(block, chain))
            found.append(chain)
    return b"".join(found)


def increment(counter: int, bits: int) -> int:
    """The standard incrementing function of the low bits of a block (SP 800-38A, B.1)."""
    low = (1 << bits) - 1
    return (counter & ~low) | ((counter + 1) & low)


def ctr(key: bytes, iv: bytes, data: bytes, counter_bits: int) -> bytes:
    """CTR with the standard incrementing function (SP 800-38A, 6.5)."""
    cipher, counter, found = _cipher(key, iv), int.from_bytes(iv, "big"), []
    for block in _blocks(data, len(iv)):
        found.append(_add(block, cipher(counter.to_bytes(len(iv), "big"))))
        counter = increment(counter, counter_bits)
    return b"".join(found)


def ofb(key: bytes, iv: bytes, data: bytes) -> bytes:
    """OFB (SP 800-38A, 6.4)."""
    cipher, chain, found = _cipher(key, iv), iv, []
    for block in _blocks(data, len(iv)):
        chain = cipher(chain)
        found.append(_add(block, chain))
    return b"".join(found)


def cfb(key: bytes, iv: bytes, data: bytes, decrypt: bool, bits: int) -> bytes:
    """CFB with segments of `bits` (SP 800-38A, 6.3); only that of 128 bits may be incomplete."""
    cipher = ecb(key, False)
    if bits == 128:
        found, chain = [], iv
        for block in _blocks(data):
            found.append(_add(block, cipher(chain)))
            chain = block if decrypt else found[-1]
        return b"".join(found)
    window, whole, result = int.from_bytes(iv, "big"), (1 << 128) - 1, 0
    text, length = int.from_bytes(data, "big"), 8 * len(data)
    for at in range(length - bits, -1, -bits):
        segment = text >> at & ((1 << bits) - 1)
        stream = int.from_bytes(cipher(window.to_bytes(16, "big")), "big") >> (128 - bits)
        result = result << bits | (segment ^ stream)
        window = (window << bits | (segment if decrypt else segment ^ stream)) & whole
    return result.to_bytes(len(data), "big")


def cbc_cs(key: bytes, iv: bytes, data: bytes, decrypt: bool, variant: int) -> bytes:
    """CBC-CS1, CS2 or CS3 (SP 800-38A addendum) of at least 16 bytes."""
    if len(data) == 16:
        return cbc(key, iv, data, decrypt)
    d = (len(data) - 1) % 16 + 1
    swaps = variant == 3 or (variant == 2 and d < 16)
    if not decrypt:
        cipher = cbc(key, iv, _padded(data), False)
        head, before, last = cipher[:-32], cipher[-32:-16][:d], cipher[-16:]
        return head + (last + before if swaps else before + last)
    head, end = data[: -16 - d], data[-16 - d :]
    last, before = (end[:16], end[16:]) if swaps else (end[d:], end[:d])
    # The inverse cipher of the last block ends with what was cut from the block before.
    before += ecb(key, True)(last)[d:]
    return cbc(key, iv, head + before + last, True)[: len(data)]


def xts(key: bytes, number: bytes, data: bytes, decrypt: bool) -> bytes:
    """XTS of a data unit of at least 16 bytes under a pair of keys (IEEE 1619, 5.3 and 5.4)."""
    cipher = ecb(key[: len(key) // 2], decrypt)
    first = int.from_bytes(ecb(key[len(key) // 2 :], False)(number), "little")

    def block(data: bytes, tweak: int) -> bytes:
        mask = tweak.to_bytes(16, "little")
        return _add(cipher(_add(data, mask)), mask)

    parts = _blocks(data)
    tweaks = [first]
    for _ in parts:
        doubled = tweaks[-1] << 1
        tweaks.append(doubled ^ ((1 << 128 | 0x87) if doubled >> 128 else 0))
    d = len(parts[-1])
    if d == 16:
        return b"".join(map(block, parts, tweaks))
    before, last = tweaks[len(parts) - 2 : len(parts)][:: -1 if decrypt else 1]
    stolen = block(parts[-2], before)
    found = [*map(block, parts[:-2], tweaks), block(parts[-1] + stolen[d:], last), stolen[:d]]
    return b"".join(found)


def ccm_blocks(iv: bytes, aad: bytes, data: bytes, tag_bytes: int) -> bytes:
    """What CBC-MAC chains for a payload (SP 800-38C, A.2)."""
    size = 15 - len(iv)
    flags = 64 * bool(aad) + 8 * ((tag_bytes - 2) // 2) + size - 1
    length = b""
    if aad:
        small = len(aad) < 0xFF00
        length = len(aad).to_bytes(2, "big") if small else b"\xff\xfe" + len(aad).to_bytes(4, "big")
    first = bytes([flags]) + iv + len(data).to_bytes(size, "big")
    return first + _padded(length + aad) + _padded(data)


def ccm_counter(iv: bytes, number: int) -> bytes:
    """A counter block (SP 800-38C, A.3)."""
    return bytes([14 - len(iv)]) + iv + number.to_bytes(15 - len(iv), "big")


def ccm(
    key: bytes, iv: bytes, aad: bytes, data: bytes, decrypt: bool, tag_bytes: int
) -> tuple[bytes, bytes]:
    """CCM (SP 800-38C, 6): the payload encrypted or decrypted, and the tag."""
    result = ctr(key, ccm_counter(iv, 1), data, 64)
    blocks = ccm_blocks(iv, aad, result if decrypt else data, tag_bytes)
    last = cbc(key, bytes(16), blocks, False)[-16:]
    return result, _add(last, ecb(key, False)(ccm_counter(iv, 0)))[:tag_bytes]


ICV1, ICV2 = bytes.fromhex("a6" * 8), bytes.fromhex("a65959a6")
"""The integrity values of KW and, before the length, of KWP (SP 800-38F, 6.2 and 6.3)."""


def _semiblocks(data: bytes) -> list[bytes]:
    return [data[at : at + 8] for at in range(0, len(data), 8)]


def wrapping(key: bytes, data: bytes, inverse: bool) -> bytes:
    """W or its inverse (SP 800-38F, 6.1) of an integrity value and at least two semiblocks."""
    cipher, (a, *rest) = ecb(key, inverse), _semiblocks(data)
    count = len(rest)
    for number in range(6 * count, 0, -1) if inverse else range(1, 6 * count + 1):
        at, t = (number - 1) % count, number.to_bytes(8, "big")
        found = cipher((_add(a, t) if inverse else a) + rest[at])
        a, rest[at] = found[:8] if inverse else _add(found[:8], t), found[8:]
    return a + b"".join(rest)


def wrap(mode: str, key: bytes, data: bytes) -> bytes | None:
    """KW or KWP of a payload (SP 800-38F, 6.2 and 6.3); None if its length is none of theirs."""
    if mode == "kw":
        return wrapping(key, ICV1 + data, False) if len(data) >= 16 and len(data) % 8 == 0 else None
    whole = ICV2 + len(data).to_bytes(4, "big") + data + bytes(-len(data) % 8)
    if len(whole) <= 16:
        return ecb(key, False)(whole) if data else None
    return wrapping(key, whole, False)


def unwrap(mode: str, key: bytes, data: bytes) -> bytes | None:
    """The payload that KW or KWP wrapped; None if the integrity value is wrong."""
    if len(data) % 8 or len(data) < (24 if mode == "kw" else 16):
        return None
    found = wrapping(key, data, True) if len(data) > 16 else ecb(key, True)(data)
    if mode == "kw":
        return found[8:] if found[:8] == ICV1 else None
    size = int.from_bytes(found[4:8], "big")
    fits = 0 <= len(found) - 8 - size < 8 and not any(found[8 + size :])
    return found[8 : 8 + size] if found[:4] == ICV2 and fits else None


def cmac(key: bytes, data: bytes) -> bytes:
    """CMAC with a tag of 16 bytes (SP 800-38B, 6.2)."""
    cipher = ecb(key, False)

    def double(a: bytes) -> bytes:
        value = int.from_bytes(a, "big") << 1
        return (value ^ 0x87 if value >> 128 else value).to_bytes(17, "big")[1:]

    key_1 = double(cipher(bytes(16)))
    blocks = _blocks(data) or [b""]
    whole = len(blocks[-1]) == 16
    last = blocks[-1] if whole else _padded(blocks[-1] + b"\x80")
    blocks[-1] = _add(last, key_1 if whole else double(key_1))
    return cbc(key, bytes(16), b"".join(blocks), False)[-16:]


class Ghash:
    """GHASH under a subkey (SP 800-38D, 6.3 and 6.4), of blocks that may be incomplete.

    Numbers have the first bit of a block on top, so that x is a shift to the right.
    """

    def __init__(self, subkey: bytes) -> None:
        value = int.from_bytes(subkey, "big")
        # The products of the subkey and x^k.
        self._multiples = []
        for _ in range(128):
            self._multiples.append(value)
            value = value >> 1 ^ (0xE1 << 120 if value & 1 else 0)

    def product(self, block: int) -> int:
        """The product of a block and the subkey."""
        found = 0
        for k, multiple in enumerate(self._multiples):
            if block >> (127 - k) & 1:
                found ^= multiple
        return found

    def __call__(self, blocks: Iterable[bytes]) -> bytes:
        """The hash of blocks, each padded with zeros."""
        found = 0
        for block in blocks:
            found = self.product(found ^ int.from_bytes(_padded(block), "big"))
        return found.to_bytes(16, "big")


def _lengths(one: int, other: int) -> bytes:
    """Two lengths in bytes as a block of lengths in bits."""
    return (8 * one).to_bytes(8, "big") + (8 * other).to_bytes(8, "big")


def gcm_counter(key: bytes, iv: list[bytes]) -> bytes:
    """J0 of an IV in blocks (SP 800-38D, 7.1, step 2)."""
    if [len(block) for block in iv] == [12]:
        return iv[0] + (1).to_bytes(4, "big")
    hashed = Ghash(ecb(key, False)(bytes(16)))
    return hashed([*(b for b in iv if b), _lengths(0, sum(map(len, iv)))])


def iv_for_counter(key: bytes, counter: bytes) -> bytes:
    """The IV of 16 bytes whose J0 is `counter`, for packets whose counter wraps."""
    subkey = ecb(key, False)(bytes(16))
    # The inverse of H is its power of 2^128 - 2, by squares and products.
    power = int.from_bytes(subkey, "big")
    inverse: int | None = None
    for _ in range(127):
        power = Ghash(power.to_bytes(16, "big")).product(power)
        inverse = power if inverse is None else Ghash(power.to_bytes(16, "big")).product(inverse)
    assert inverse is not None
    divide = Ghash(inverse.to_bytes(16, "big")).product
    before = divide(int.from_bytes(counter, "big")) ^ int.from_bytes(_lengths(0, 16), "big")
    return divide(before).to_bytes(16, "big")


def gcm(
    key: bytes, iv: bytes, aad: bytes, data: bytes, decrypt: bool = False
) -> tuple[bytes, bytes]:
    """GCM (SP 800-38D, 7): the payload encrypted or decrypted, and the tag of 16 bytes."""
    counter = gcm_counter(key, _blocks(iv))
    first = increment(int.from_bytes(counter, "big"), 32).to_bytes(16, "big")
    result = ctr(key, first, data, 32)
    secret = data if decrypt else result
    hashed = Ghash(ecb(key, False)(bytes(16)))
    found = hashed([*_blocks(aad), *_blocks(secret), _lengths(len(aad), len(secret))])
    return result, _add(found, ecb(key, False)(counter))


def derived_keys(key: bytes, nonce: bytes) -> tuple[bytes, bytes]:
    """The keys of POLYVAL and of the cipher for a nonce (RFC 8452, 4)."""
    cipher = ecb(key, False)
    numbers = (n.to_bytes(4, "little") for n in range(2 + len(key) // 8))
    found = b"".join(cipher(number + nonce)[:8] for number in numbers)
    return found[:16], found[16:]


def polyval(key: bytes, blocks: Iterable[bytes]) -> bytes:
    """POLYVAL of blocks, each padded with zeros, by its definition (RFC 8452, 3).

    Numbers have the coefficient of x^k in bit k, so that x is a shift to the left.
    """
    modulus = 1 << 128 | 1 << 127 | 1 << 126 | 1 << 121 | 1
    subkey, found = int.from_bytes(key, "little"), 0
    for block in blocks:
        left = found ^ int.from_bytes(_padded(block), "little")
        product = 0
        for k in range(128):
            product ^= (subkey << k) * (left >> k & 1)
        # The product and x^-128: each lowest coefficient is removed by the modulus.
        for _ in range(128):
            product = (product ^ modulus * (product & 1)) >> 1
        found = product
    return found.to_bytes(16, "little")


def _siv_stream(key: bytes, tag: bytes, data: bytes) -> bytes:
    """CTR of AES-GCM-SIV, whose first 32 bits count, the low byte first (RFC 8452, 4)."""
    cipher, first, rest = ecb(key, False), tag[:4], tag[4:15] + bytes([tag[15] | 128])
    found = []
    for number, block in enumerate(_blocks(data)):
        counter = (int.from_bytes(first, "little") + number) % 2**32
        found.append(_add(block, cipher(counter.to_bytes(4, "little") + rest)))
    return b"".join(found)


def siv_tag(key: bytes, nonce: bytes, aad: bytes, data: bytes) -> bytes:
    """The tag of a plaintext (RFC 8452, 4)."""
    subkey, secret = derived_keys(key, nonce)
    lengths = (8 * len(part) for part in (aad, data))
    end = b"".join(length.to_bytes(8, "little") for length in lengths)
    found = _add(polyval(subkey, [*_blocks(aad), *_blocks(data), end]), _padded(nonce))
    return ecb(secret, False)(found[:15] + bytes([found[15] & 127]))


def gcm_siv(
    key: bytes, nonce: bytes, aad: bytes, data: bytes, sent: bytes | None = None
) -> tuple[bytes, bytes]:
    """AES-GCM-SIV (RFC 8452, 4 and 5): a payload encrypted, and its tag.

    With a tag that was sent, the payload is decrypted, and the tag is the one that would be right.
    """
    _, secret = derived_keys(key, nonce)
    if sent is not None:
        data = _siv_stream(secret, sent, data)
        return data, siv_tag(key, nonce, aad, data)
    tag = siv_tag(key, nonce, aad, data)
    return _siv_stream(secret, tag, data), tag


def authenticated(
    mode: str,
    key: bytes,
    iv: bytes,
    aad: bytes,
    data: bytes,
    decrypt: bool = False,
    tag_bytes: int = 16,
) -> tuple[bytes, bytes]:
    """Payload and tag of a mode with a tag; a MAC has no payload.

    The tag has `tag_bytes` in CCM, and 16 bytes in other modes, of which the first ones may be
    taken.
    """
    match mode:
        case "ccm":
            return ccm(key, iv, aad, data, decrypt, tag_bytes)
        case "cmac":
            return b"", cmac(key, data)
        case "gmac":
            return b"", gcm(key, iv, aad + data, b"")[1]
        case "gcm-siv":
            return gcm_siv(key, iv, aad, data)
    return gcm(key, iv, aad, data, decrypt)


def to_verify(mode: str, key: bytes, iv: bytes, aad: bytes, data: bytes) -> tuple[bytes, bytes]:
    """A payload and its tag that a packet to verify may have.

    The payload is `data`, but in GCM-SIV, whose tag follows from the plaintext, `data` encrypted.
    """
    if MODES[mode].buffers:
        return gcm_siv(key, iv, aad, data)
    return data, authenticated(mode, key, iv, aad, data, True)[1]


def process(
    mode: str, key: bytes, iv: bytes, data: bytes, decrypt: bool, counter_bits: int = 128
) -> bytes:
    """The result of a mode without a tag, of a payload of any length.

    Blocks are as long as `iv`, also in ECB, which does not use it.
    ECB and CBC, and ciphertext stealing of less than a block, take zeros for missing bytes.
    """
    match mode:
        case "ctr":
            return ctr(key, iv, data, counter_bits)
        case "ofb":
            return ofb(key, iv, data)
        case "cfb128" | "cfb8" | "cfb1":
            return cfb(key, iv, data, decrypt, int(mode.removeprefix("cfb")))
        case "xts":
            return xts(key, iv, data, decrypt) if len(data) >= 16 else b""
        case "ecb":
            return _cipher(key, iv, decrypt)(_padded(data, len(iv)))
        case "cbc_cs1" | "cbc_cs2" | "cbc_cs3" if len(data) >= 16:
            return cbc_cs(key, iv, data, decrypt, int(mode[-1]))
    return cbc(key, iv, _padded(data, len(iv)), decrypt)


# Packets ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Header:
    """What a packet's header says: `iv` has as many bytes as a block."""

    mode: str
    decrypt: bool
    iv: bytes
    tag_bytes: int = 0
    stream: int = 0
    iv_bytes: int = 0
    aad_bytes: int = 0
    payload_bytes: int = 0
    slot: int = 0

    @property
    def ports(self) -> dict[str, int | bytes]:
        """The payload of the header channel."""
        return {
            "pkt_mode_i": MODES[self.mode].code,
            "pkt_decrypt_i": int(self.decrypt),
            "pkt_iv_i": self.iv,
            "pkt_tag_bytes_i": self.tag_bytes,
            "pkt_iv_bytes_i": self.iv_bytes,
            "pkt_aad_bytes_i": self.aad_bytes,
            "pkt_payload_bytes_i": self.payload_bytes,
            "pkt_stream_i": self.stream,
            "pkt_slot_i": self.slot,
        }


@dataclass(frozen=True)
class Beat:
    """A beat, in or out: at most a block for each lane."""

    data: bytes
    kind: str
    last: bool
    stream: int = 0
    abort: bool = False

    def ports(self, filler: bytes) -> dict[str, int | bytes]:
        """The payload of the input channel, as wide as `filler`, whose bytes do not count."""
        return {
            "in_data_i": self.data + filler[len(self.data) :],
            "in_bytes_i": len(self.data),
            "in_kind_i": KIND[self.kind],
            "in_last_i": int(self.last),
            "in_abort_i": int(self.abort),
            "in_stream_i": self.stream,
        }


class Fields:
    """Payloads of channels by the names of their ports; a port that is absent is 0."""

    def __init__(self, contract: Contract) -> None:
        self._ports = {
            channel.name: [(port.name, (port.width + 7) // 8) for port in channel.payload]
            for channel in contract.channels
        }

    def values(self, channel: str, ports: Mapping[str, int | bytes]) -> list[int | bytes]:
        """The values of a channel's ports in order."""
        return [ports.get(name, 0) for name, _ in self._ports[channel]]

    def ports(self, channel: str, payload: bytes) -> "Payload":
        """The ports of a payload."""
        at, found = 0, Payload()
        for name, size in self._ports[channel]:
            found[name[: name.rindex("_")]] = payload[at : at + size]
            at += size
        return found


class Payload(dict[str, bytes]):
    """The values of ports, by their names without the last letter."""

    def number(self, name: str) -> int:
        """The value of a port, 0 if it is absent."""
        return int.from_bytes(self.get(name, b""), "big")


def beats(
    header: Header,
    payload: bytes,
    tag: bytes | None = None,
    abort: bool = False,
    aad: bytes = b"",
    iv: bytes = b"",
) -> list[Beat]:
    """The beats of a packet; one to be aborted ends with a beat of its own."""
    parts, size = (("iv", iv), ("aad", aad), ("payload", payload)), len(header.iv)
    found = [(block, kind) for kind, data in parts for block in _blocks(data, size)]
    found += [(tag, "tag")] if tag is not None else []
    found += [(b"", "payload")] if abort or not found else []
    last = len(found) - 1
    return [
        Beat(data, kind, at == last, header.stream, abort and at == last)
        for at, (data, kind) in enumerate(found)
    ]


def widened(beats: Iterable[Beat], lanes: int) -> list[Beat]:
    """Beats of 16 bytes as those of several lanes: each takes whole blocks and the one after.

    A beat with nothing in it, or one to be aborted, stays one by itself.
    """
    found: list[Beat] = []
    for beat in beats:
        joins = bool(found) and not beat.abort and beat.data != b""
        if (
            joins
            and found[-1].kind == beat.kind
            and len(found[-1].data) in range(16, 16 * lanes, 16)
        ):
            found[-1] = replace(beat, data=found[-1].data + beat.data)
        else:
            found.append(beat)
    return found


GCM_TAGS = (4, 8, 12, 13, 14, 15, 16)
"""The lengths of a tag of GCM in bytes (SP 800-38D, 5.2.1.2)."""


def _gcm_results(header: Header, key: bytes, taken: list[Beat]) -> list[Beat]:
    """The beats that a packet of GCM or GMAC outputs, for its beats, of any number of lanes."""
    stream, ends, aborts = header.stream, taken[-1].last, taken[-1].abort
    rest = deque(taken[:-1] if aborts else taken)
    iv: list[bytes] = []
    while rest and rest[0].kind == "iv" and [len(beat) for beat in iv] != [12]:
        iv.append(rest.popleft().data)
    iv = [block for beat in iv or [header.iv[:12]] for block in _blocks(beat) or [b""]]
    counter = gcm_counter(key, iv)
    tag = None
    if header.decrypt and rest and rest[-1].last and rest[-1].kind == "tag":
        tag = rest.pop().data
    cipher, block = ecb(key, False), int.from_bytes(counter, "big")
    found, hashed, lengths = [], [], [0, 0]
    for beat in rest:
        if not beat.data:
            continue
        payload = header.mode == "gcm" and beat.kind in ("payload", "tag")
        lengths[payload] += len(beat.data)
        result = beat.data
        if payload:
            parts = []
            for part in _blocks(beat.data):
                block = increment(block, 32)
                parts.append(_add(part, cipher(block.to_bytes(16, "big"))))
            result = b"".join(parts)
            found.append(Beat(result, "payload", False, stream))
        hashed += _blocks(beat.data if header.decrypt else result)
    if not ends:
        return found
    failed = Beat(b"", "failed", True, stream)
    if aborts:
        return [*found, failed]
    sums = Ghash(cipher(bytes(16)))([*hashed, _lengths(*lengths)])
    size = header.tag_bytes if header.tag_bytes in GCM_TAGS else 0
    right = _add(sums, cipher(counter))[:size]
    if not header.decrypt:
        return [*found, Beat(right, "tag", True, stream)]
    good = tag is not None and tag == right and size > 0
    return [*found, Beat(b"", "verified", True, stream) if good else failed]


CCM_TAGS = tuple(range(4, 17, 2))
"""The lengths of a tag of CCM in bytes (SP 800-38C, A.1)."""


def opening(
    mode: str,
    decrypt: bool,
    iv: bytes,
    tag_bytes: int,
    aad: int = 0,
    payload: int = 0,
    block_bytes: int = 16,
) -> Header:
    """The header of a packet with AAD and payload of so many bytes."""
    whole = iv.ljust(block_bytes, b"\0")[:block_bytes]
    if not MODES[mode].lengths_ahead:
        return Header(mode, decrypt, whole, tag_bytes)
    size = min(len(iv), MODES[mode].iv)
    return Header(mode, decrypt, whole, tag_bytes, 0, size, aad, payload)


def _ccm_results(header: Header, key: bytes, taken: list[Beat]) -> list[Beat]:
    """The beats that a packet of CCM outputs, for the beats that it consists of."""
    ends, aborts = taken[-1].last, taken[-1].abort
    iv, failed = header.iv[: header.iv_bytes], Beat(b"", "failed", True, header.stream)
    legal = 7 <= len(iv) <= 13 and header.tag_bytes in CCM_TAGS
    if not legal or header.payload_bytes >= 256 ** (15 - len(iv)):
        return [failed] if ends else []
    left = {"aad": header.aad_bytes, "payload": header.payload_bytes}
    parts: dict[str, list[bytes]] = {"aad": [], "payload": []}
    found, agrees, tag = [], True, b""
    for beat in taken[:-1] if aborts else taken:
        size, ahead = len(beat.data), left.get(beat.kind, -1)
        agrees &= beat.kind != "payload" or not left["aad"]
        agrees &= beat.kind != "aad" or size > 0
        if beat.kind == "tag" and header.decrypt and beat.last and not any(left.values()):
            tag = beat.data
        elif agrees and (size == ahead or 16 == size < ahead):
            left[beat.kind] -= size
            parts[beat.kind].append(beat.data)
            if beat.kind == "payload" and size:
                stream = ecb(key, False)(ccm_counter(iv, len(parts["payload"])))
                found.append(Beat(_add(beat.data, stream), "payload", False, header.stream))
        else:
            agrees = False
    if not ends or aborts:
        return [*found, failed] if aborts else found
    aad, payload = (b"".join(parts[kind]) for kind in ("aad", "payload"))
    right = ccm(key, iv, aad, payload, header.decrypt, header.tag_bytes)[1]
    if not agrees or any(left.values()) or (header.decrypt and tag != right):
        return [*found, failed]
    if header.decrypt:
        return [*found, replace(failed, kind="verified")]
    return [*found, Beat(right, "tag", True, header.stream)]


def _siv_results(header: Header, key: bytes, taken: list[Beat], most: int) -> list[Beat]:
    """The beats that a packet of GCM-SIV outputs: none before it has ended."""
    if not taken[-1].last:
        return []
    failed = Beat(b"", "failed", True, header.stream)
    rest, nonce = deque(taken), header.iv[:12]
    tag = rest.pop().data if header.decrypt and taken[-1].kind == "tag" else None
    parts: dict[str, list[bytes]] = {"aad": [], "payload": []}
    for beat in rest:
        if not beat.data:
            continue
        if beat.kind not in parts or (beat.kind == "aad" and parts["payload"]):
            return [failed]
        parts[beat.kind].append(beat.data)
    whole = all(len(block) == 16 for blocks in parts.values() for block in blocks[:-1])
    aad, data = (b"".join(parts[kind]) for kind in ("aad", "payload"))
    legal = len(key) != 24 and header.tag_bytes == 16 and not taken[-1].abort and whole
    if not legal or len(data) > most or (header.decrypt and (tag is None or len(tag) != 16)):
        return [failed]
    result, right = gcm_siv(key, nonce, aad, data, tag)
    if header.decrypt and tag != right:
        return [failed]
    found = [Beat(part, "payload", False, header.stream) for part in _blocks(result)]
    end = replace(failed, kind="verified") if header.decrypt else replace(failed, data=right)
    return [*found, end if header.decrypt else replace(end, kind="tag")]


def _wrap_results(header: Header, key: bytes, taken: list[Beat], semiblocks: int) -> list[Beat]:
    """The beats that a packet of KW or KWP outputs: none before it has ended."""
    if not taken[-1].last:
        return []
    failed = Beat(b"", "failed", True, header.stream)
    data = b"".join(beat.data for beat in taken)
    longest = 8 * (semiblocks + header.decrypt)
    if any(len(beat.data) != 16 for beat in taken[:-1]) or len(data) > longest or taken[-1].abort:
        return [failed]
    result = (unwrap if header.decrypt else wrap)(header.mode, key, data)
    if result is None:
        return [failed]
    found = [Beat(part, "payload", False, header.stream) for part in _blocks(result)]
    if header.decrypt:
        return [*found, replace(failed, kind="verified")]
    return [*found[:-1], replace(found[-1], last=True)]


def results(
    header: Header,
    key: bytes,
    taken: list[Beat],
    counter_bits: int = 128,
    semiblocks: int = 64,
    payload_bytes: int = 2048,
) -> list[Beat]:
    """The beats that a packet outputs, for the beats that it consists of.

    A packet that has not ended outputs at most these.
    """
    if not taken:
        return []
    if header.mode in ("gcm", "gmac"):
        return _gcm_results(header, key, taken)
    if header.mode == "ccm":
        return _ccm_results(header, key, taken)
    if header.mode == "gcm-siv":
        return _siv_results(header, key, taken, payload_bytes)
    if MODES[header.mode].wraps:
        return _wrap_results(header, key, taken, semiblocks)
    stream, ends, aborts = header.stream, taken[-1].last, taken[-1].abort
    if aborts:
        taken = taken[:-1]
    payload = b"".join(beat.data for beat in taken)
    failed = Beat(b"", "failed", True, stream)
    if header.mode == "cmac":
        if aborts or not ends:
            return [failed] if aborts else []
        size = header.tag_bytes if header.tag_bytes <= 16 else 0
        if not header.decrypt:
            return [Beat(cmac(key, payload)[:size], "tag", True, stream)]
        given = taken[-1]
        tag = cmac(key, payload[: len(payload) - len(given.data)])[:size]
        good = given.kind == "tag" and given.data == tag and size > 0
        return [Beat(b"", "verified", True, stream) if good else failed]
    mode = header.mode
    if mode == "xts":
        if refuses(key) or (ends and not aborts and len(payload) < 16):
            return [failed] if ends else []
        if aborts or not ends:
            payload = _padded(payload)
    if mode.startswith("cbc_cs") and (aborts or not ends):
        # All but the last block, which is held, are those of CBC.
        mode, payload = "cbc", b"".join(beat.data for beat in taken[:-1])
    result = process(mode, key, header.iv, payload, header.decrypt, counter_bits)
    parts = _blocks(result, len(header.iv)) or ([b""] if ends and not aborts else [])
    last = len(parts) - 1 if ends and not aborts else -1
    found = [Beat(part, "payload", at == last, stream) for at, part in enumerate(parts)]
    return [*found, failed] if aborts else found


def is_held(config: Config, header: Header) -> bool:
    """Whether the payload that a packet outputs waits for its verdict."""
    return config.hold == "on" and header.decrypt and MODES[header.mode].held


def outputs(config: Config, header: Header, key: bytes, taken: list[Beat]) -> list[Beat]:
    """The beats that a packet outputs in a configuration, as `results` has them.

    With `hold=on` a packet to verify outputs only its verdict, unless it is verified and fits.
    """
    numbers = int(config.counter_bits), int(config.semiblocks), int(config.payload_bytes)
    found = results(header, key, taken, *numbers)
    if not MODES[header.mode].tag:
        found = widened(found, int(config.lanes))
    if not is_held(config, header) or not found:
        return found
    *payload, end = found
    if end.kind == "verified" and config.beat_bytes * len(payload) <= int(config.hold_bytes):
        return found
    return [replace(end, kind="failed")] if end.last else []


Packet = tuple[Header, list[Beat]]
"""A header and its beats."""


def refuses(key: bytes) -> bool:
    """Whether XTS refuses a pair of keys: they are equal, or have 192 bits each."""
    size = len(key) // 2
    return size == 24 or key[:size] == key[size:]


def paired(config: Config, key: bytes) -> bytes:
    """A key, or, where keys are pairs, the pair of it and its complement."""
    return key + bytes(byte ^ 255 for byte in key) if config.two_keys else key


def used(config: Config, mode: str, key: bytes) -> bytes:
    """What a mode uses of a key: XTS the pair, other modes only its first key."""
    if config.two_keys and not MODES[mode].two_keys:
        return key[: len(key) // 2]
    return key


def key_values(key: bytes, config: Config, slot: int = 0) -> tuple[int | bytes, ...]:
    """The values of the key channel for a key, or for a pair of keys where a mode has two."""
    if not config.two_keys:
        return (*key_payload(key, config), *([slot] if config.key_slots != "1" else []))
    first, second = key[: len(key) // 2], key[len(key) // 2 :]
    return (*key_payload(first, config), second.ljust(32, b"\0"))


def random_key(rng: random.Random, config: Config) -> bytes:
    """A key of a size of the core, or a pair of such keys, which are sometimes equal."""
    sizes = config.key_sizes
    if config.two_keys and rng.random() < 0.5:
        sizes = tuple(bits for bits in sizes if bits != 192)
    size = rng.choice(sizes) // 8
    key = rng.randbytes(size)
    if not config.two_keys:
        return key
    return key + (key if rng.random() < 0.1 else rng.randbytes(size))


def decrypts(config: Config, mode: Mode) -> tuple[bool, ...]:
    """The directions of packets that a configuration has in a mode."""
    return config.decrypts(mode)


def _flipped(data: bytes, bit: int) -> bytes:
    return (int.from_bytes(data, "big") ^ 1 << bit).to_bytes(len(data), "big")


def _random_wrapping(
    rng: random.Random, config: Config, mode: str, decrypt: bool, key: bytes
) -> Packet:
    """A random packet of KW or KWP, mostly of a legal length; some are wrong in many ways."""
    secret, most = used(config, mode, key), 8 * int(config.semiblocks)
    size = rng.choice((1, 7, 8, 9, 15, 16, 17, 24, 40, rng.randrange(81), 8 * rng.randrange(9)))
    if rng.random() < 0.1 and most <= 128:
        size = rng.choice((most, most + 1, most + 8, most + 16, most + 24))
    data = rng.randbytes(8 * max(2, size // 8) if mode == "kw" and rng.random() < 0.8 else size)
    if decrypt:
        data = wrap(mode, secret, data) or data
        kind = rng.randrange(8)
        if kind == 0 and data:
            data = _flipped(data, rng.randrange(8 * len(data)))
        elif kind == 1:
            parts = data[:8], data[8:-8], data[-8:]
            data = rng.choice(
                (data[:-8], data[8:], data[:-1], data + bytes(8), b"".join(parts[::-1]))
            )
        elif kind == 2 and mode == "kwp":
            # The length, or the padding, may be wrong.
            full, padding = 8 * rng.randrange(2, 5), rng.choice((0, 1, 3, 7, 8))
            length = full - padding + rng.choice((0, 0, 0, -1, 1, 8))
            text = rng.randbytes(full - padding) + bytes(padding)
            data = wrapping(secret, ICV2 + length.to_bytes(4, "big") + text, False)
        elif kind == 2:
            data = wrapping(secret, _flipped(ICV1, rng.randrange(64)) + rng.randbytes(24), False)
    header = opening(mode, decrypt, rng.randbytes(16), 0)
    found = beats(header, data, abort=rng.random() < 0.08)
    if found[-1].abort:
        found[-1] = replace(found[-1], data=rng.randbytes(rng.choice((0, 7, 16))))
    elif rng.random() < 0.1:
        # All bytes count of a last beat only, which may have none.
        whole = replace(found[-1], last=False)
        found[-1:] = [whole, replace(whole, data=rng.randbytes(rng.choice((0, 8))), last=True)]
    return header, found


def _random_siv(rng: random.Random, config: Config, decrypt: bool, key: bytes) -> Packet:
    """A random packet of GCM-SIV; some are wrong in one of several ways."""
    most, secret = int(config.payload_bytes), used(config, "gcm-siv", key)
    sizes = [0, 1, 15, 16, 17, 31, 32, 33, rng.randrange(81)]
    if most <= 128 and rng.random() < 0.2:
        sizes = [most - 1, most, most + 1, most + 16, most + 33]
    nonce, data = rng.randbytes(12), rng.randbytes(rng.choice(sizes))
    aad = rng.randbytes(rng.choice((0, 0, 1, 12, 16, 17, 32, rng.randrange(49), 272)))
    tag, header = None, opening("gcm-siv", decrypt, nonce, rng.choice((*(16,) * 17, 0, 12, 17)))
    if decrypt:
        data, tag = gcm_siv(secret, nonce, aad, data)
        kind = rng.randrange(10)
        if kind == 0:
            tag = _flipped(tag, rng.randrange(128))
        elif kind == 1:
            # Its counter wraps, and it is wrong.
            tag = bytes((0xFE, 255, 255, 255)) + tag[4:]
        elif kind == 2 and data:
            data = _flipped(data, rng.randrange(8 * len(data)))
        elif kind == 3:
            tag = rng.choice((None, tag[:12], tag[:15], b""))
    found = beats(header, data, tag, rng.random() < 0.08, aad)
    if found[-1].abort:
        found[-1] = replace(found[-1], data=rng.randbytes(rng.choice((0, 7, 16))))
    elif rng.random() < 0.1:
        # An empty beat has no meaning; the others have none in another order or as an IV.
        at = rng.randrange(len(found))
        found.insert(at, Beat(b"", rng.choice(list(KIND)), False))
        if rng.random() < 0.5:
            other = rng.choice(("iv", "aad", "tag"))
            found.insert(at, Beat(rng.randbytes(rng.choice((3, 16))), other, False))
    return header, found


def random_packet(rng: random.Random, config: Config, key: bytes) -> Packet:
    """A packet of up to five blocks, or beats of several lanes, which may be aborted.

    Counters are near their wrap. A tag to verify is right under `key`, or wrong in one of several
    ways.
    """
    mode, stream = rng.choice(config.modes), rng.randrange(int(config.streams))
    decrypt = rng.choice(decrypts(config, mode))
    if mode.wraps:
        return _random_wrapping(rng, config, mode.name, decrypt, key)
    if mode.buffers:
        return _random_siv(rng, config, decrypt, key)
    block = config.block_bytes
    around = (n * block + d for n in (1, 2) for d in (-1, 0, 1))
    size = rng.choice((0, 1, *around, rng.randrange(5 * block + 1)))
    if config.hold == "on" and mode.held and rng.random() < min(0.1, 200 / int(config.hold_bytes)):
        size = int(config.hold_bytes) + rng.choice((-16, -1, 0, 1, 16, 40))
    lanes, beat = int(config.lanes), config.beat_bytes
    if lanes > 1:
        size = rng.choice((size, *(n * beat + d for n in (1, 2) for d in (-1, 0, 1, 17))))
        size = rng.choice((size, rng.randrange(5 * beat + 1)))
    payload = rng.randbytes(size // 8 if mode.name == "cfb1" else size)
    iv = rng.randbytes(block)
    if mode.name == "xts" and size < 16 and rng.random() < 0.7:
        size += 16
        payload = rng.randbytes(size)
    if rng.random() < 0.5:
        # A carry through so many bits within the first blocks.
        run = (1 << rng.choice((32, rng.randrange(2, 129)))) - 1
        before = rng.randrange(3 if lanes == 1 else min(run, 5 * lanes))
        iv = (int.from_bytes(iv, "big") & ~run | run - before).to_bytes(block, "big")
    tag_bytes = rng.choice((0, 1, 4, 8, 12, 16, 16, 16, 17)) if mode.tag else 0
    aad, sent, tag = b"", b"", None
    if mode.aad and rng.random() < 0.7:
        aad = rng.randbytes(rng.choice((1, 12, 16, 17, 32, rng.randrange(49), 272)))
        if lanes > 1:
            aad = rng.randbytes(rng.choice((len(aad), rng.randrange(3 * beat))))
    if mode.any_iv and rng.random() < 0.5:
        sent = rng.randbytes(rng.choice((1, 8, 11, 12, 13, 16, 17, 33, rng.randrange(1, 61))))
        if lanes > 1:
            sent = rng.randbytes(rng.choice((len(sent), rng.randrange(1, 2 * beat))))
        if rng.random() < 0.1:
            sent = iv_for_counter(used(config, mode.name, key), iv)
    nonce, lengths = sent or iv[: mode.iv], (len(aad), len(payload))
    if mode.lengths_ahead:
        nonce = iv[: rng.randrange(7, 14)]
        tag_bytes = rng.choice((*CCM_TAGS, *CCM_TAGS, 5))
        if rng.random() < 0.1:
            lengths = rng.choice(((len(aad) + 1, len(payload)), (len(aad), len(payload) + 1)))
    first = nonce if mode.lengths_ahead else iv
    header = opening(mode.name, decrypt, first, tag_bytes, *lengths, block)
    header = replace(header, stream=stream)
    if mode.tag and decrypt:
        secret = used(config, mode.name, key)
        tag = authenticated(mode.name, secret, nonce, aad, payload, True, tag_bytes & 30)[1]
        tag = tag[:tag_bytes]
        kind = rng.randrange(8)
        if kind == 0 and tag:
            tag = _flipped(tag, rng.randrange(8 * len(tag)))
        elif kind == 1:
            tag = (tag + bytes(16))[: rng.randrange(17)]
        elif kind == 2:
            tag = None
        elif kind == 3:
            # The right bytes, but not as a tag.
            end = Beat(tag, "payload", True, stream)
            rest = beats(header, payload, aad=aad, iv=sent)
            return header, [*(replace(b, last=False) for b in rest), end]
    found = beats(header, payload, tag, rng.random() < 0.08, aad, sent)
    if found[-1].abort:
        # No byte of this beat counts.
        found[-1] = replace(found[-1], data=rng.randbytes(rng.choice((0, 7, 16))))
    return header, found


def _name(kinds: dict[str, int], code: int) -> str:
    return next(name for name, value in kinds.items() if value == code)


@dataclass
class _Packet:
    header: Header
    key: bytes
    taken: list[Beat] = field(default_factory=list)
    given: list[Beat] = field(default_factory=list)


@dataclass
class PacketScoreboard:
    """Follows the events of a run of packets.

    A packet uses the last key whose handshake was before that of its header, or in the same cycle.
    Clear and reset remove the key and all packets. `problems` lists errors with their cycles;
    `accepted` and `offered` are the cycles of beats, `opened` those of headers.
    """

    config: Config
    contract: Contract
    problems: list[str] = field(default_factory=list)
    accepted: list[int] = field(default_factory=list)
    offered: list[int] = field(default_factory=list)
    opened: list[int] = field(default_factory=list)
    keyed: list[int] = field(default_factory=list)
    packets: int = 0
    cleared: int = 0
    verdicts: dict[str, int] = field(default_factory=dict)
    outputs: list[list[Beat]] = field(default_factory=list)
    clocks: int = 0

    def __post_init__(self) -> None:
        self._fields = Fields(self.contract)
        self._keys: dict[int, bytes] = {}
        self._opening: tuple[int, Header, bytes] | None = None
        self._open: dict[int, deque[_Packet]] = {}
        self._queues: dict[int, deque[_Packet]] = {}
        self._drop_after: int | None = None
        self._keyed_at: int | None = None
        self._clearing = False
        # Headers that are accepted while the packet before is open.
        self._ahead = headers_ahead(self.config)

    def watch(self, events: Iterable[Event]) -> "PacketScoreboard":
        """Follow a run to its end."""
        for event in events:
            self._advance(event.clock)
            if event.kind == HANDSHAKE:
                if self._clearing and event.name != "out":
                    self._problem(event.clock, f"{event.name}: accepted only to be cleared")
                ports = self._fields.ports(event.name, event.payload)
                _ON_HANDSHAKE[event.name](self, event.clock, ports)
            elif event.kind == LEVEL:
                self._level(event)
            elif event.problem:
                self._problem(event.clock, event.problem)
            elif event.kind == END:
                self._advance(event.clock + 1)
                self.clocks = event.clock
        left = sum(len(queue) for queue in self._queues.values())
        if left:
            self._problem(self.clocks, f"{left} packets did not end")
        return self

    def _problem(self, clock: int, text: str) -> None:
        if len(self.problems) < 20:
            self.problems.append(f"clock {clock}: {text}")

    def _advance(self, clock: int) -> None:
        if self._keyed_at is not None and clock > self._keyed_at:
            # A packet keeps its key when its slot gets another one.
            if self._open and self.config.key_slots == "1":
                self._problem(self._keyed_at, "a key was accepted within a packet")
            self._keyed_at = None
        if self._opening is not None and clock > self._opening[0]:
            opened, header, key = self._opening
            self._opening = None
            packet = _Packet(header, key)
            self._open.setdefault(header.stream, deque()).append(packet)
            if len(self._open[header.stream]) > 1 + self._ahead:
                self._problem(opened, f"a header on stream {header.stream}, which has a packet")
            self._queues.setdefault(header.stream, deque()).append(packet)
        if self._drop_after is not None and clock > self._drop_after:
            self._drop(clock)

    def _drop(self, clock: int) -> None:
        self._drop_after = None
        for queue in self._queues.values():
            for packet in queue:
                self._compare(clock, packet, ended=False)
                self.cleared += 1
        self._queues.clear()
        self._open.clear()
        self._keys.clear()
        self._opening = None

    def _level(self, event: Event) -> None:
        if event.name == "rst_ni":
            self._drop(event.clock)
            return
        self._clearing = bool(event.payload[0])
        if self._clearing:
            # A result can still be accepted in the first cycle of a clear.
            self._drop_after = event.clock
        else:
            self._drop(event.clock)

    def _on_key(self, clock: int, ports: Payload) -> None:
        self.keyed.append(clock)
        sizes = self.config.key_sizes
        size = sizes[0] if len(sizes) == 1 else sizes[min(ports.number("key_len"), 2)]
        # The second key follows the first one.
        key = ports["key"][: size // 8] + ports.get("key_tweak", b"")[: size // 8]
        self._keys[ports.number("key_slot")] = key
        self._keyed_at = clock

    def _on_pkt(self, clock: int, ports: Payload) -> None:
        self.opened.append(clock)
        key = self._keys.get(ports.number("pkt_slot"))
        if key is None:
            self._problem(clock, "a header was accepted without a key")
            return
        modes, code = self.config.modes, ports.number("pkt_mode")
        lowest = min(modes, key=lambda mode: mode.code)
        mode = next((mode for mode in modes if mode.code == code), lowest)
        decrypt = bool(ports.number("pkt_decrypt"))
        if len(self.config.directions) == 1 and mode.inverse:
            decrypt = self.config.directions[0] == "decrypt"
        tag_bytes, stream = ports.number("pkt_tag_bytes"), ports.number("pkt_stream")
        names = ("pkt_iv_bytes", "pkt_aad_bytes", "pkt_payload_bytes")
        lengths = map(ports.number, names)
        header = Header(mode.name, decrypt, ports["pkt_iv"], tag_bytes, stream, *lengths)
        self._opening = clock, header, used(self.config, mode.name, key)

    def _on_in(self, clock: int, ports: Payload) -> None:
        self.accepted.append(clock)
        stream = ports.number("in_stream")
        if stream not in self._open:
            self._problem(clock, f"a beat on stream {stream}, which has no packet")
            return
        packet = self._open[stream][0]
        last = bool(ports.number("in_last"))
        beat = Beat(
            ports["in_data"][: ports.number("in_bytes")],
            _name(KIND, ports.number("in_kind")),
            last,
            stream,
            bool(ports.number("in_abort")),
        )
        packet.taken.append(beat)
        if last:
            self._open[stream].popleft()
            if not self._open[stream]:
                del self._open[stream]

    def _on_out(self, clock: int, ports: Payload) -> None:
        self.offered.append(clock)
        stream, size = ports.number("out_stream"), ports.number("out_bytes")
        data, last = ports["out_data"], bool(ports.number("out_last"))
        queue = self._queues.get(stream)
        if not queue:
            self._problem(clock, f"a beat on stream {stream}, where no packet waits for one")
            return
        if any(data[size:]):
            self._problem(clock, f"bytes after the first {size} are not zero: {data.hex()}")
        beat = Beat(data[:size], _name(KIND_OUT, ports.number("out_kind")), last, stream)
        queue[0].given.append(beat)
        ended = bool(queue[0].taken) and queue[0].taken[-1].last
        if not ended and is_held(self.config, queue[0].header):
            self._problem(clock, "payload was output before its tag was accepted")
        if last:
            packet = queue.popleft()
            self._compare(clock, packet, ended=True)
            self.packets += 1
            self.outputs.append(packet.given)
            self.verdicts[beat.kind] = self.verdicts.get(beat.kind, 0) + 1

    def _compare(self, clock: int, packet: _Packet, ended: bool) -> None:
        wanted = outputs(self.config, packet.header, packet.key, packet.taken)
        given, mode = packet.given, packet.header.mode
        in_part = mode.startswith("cbc_cs") or mode in ("gcm", "ccm", "kw", "kwp", "gcm-siv")
        if not ended and in_part and not is_held(self.config, packet.header):
            # The last beat may be output in part before its last step accepts it.
            given = given[: len(wanted)]
        if ended and not (packet.taken and packet.taken[-1].last):
            self._problem(clock, "a packet ended before its last beat was accepted")
        if given != (wanted if ended else wanted[: len(given)]):
            at = next(
                (n for n, (a, b) in enumerate(zip(given, wanted, strict=False)) if a != b),
                min(len(given), len(wanted)),
            )
            self._problem(
                clock,
                f"{packet.header.mode} {'decrypt' if packet.header.decrypt else 'encrypt'} of "
                f"{len(packet.taken)} beats, beat {at}: expected "
                f"{_shown(wanted, at)}, got {_shown(given, at)}",
            )


def _shown(found: list[Beat], at: int) -> str:
    if at >= len(found):
        return "none"
    beat = found[at]
    return f"{beat.kind} {beat.data.hex()}{' last' if beat.last else ''}"


_ON_HANDSHAKE = {
    "key": PacketScoreboard._on_key,
    "pkt": PacketScoreboard._on_pkt,
    "in": PacketScoreboard._on_in,
    "out": PacketScoreboard._on_out,
}


def interleaved(
    packets: Iterable[Packet], choose: Iterator[float]
) -> Iterator[tuple[Header | None, Beat | None]]:
    """Headers and beats in an order in which they can be accepted, streams interleaved.

    Headers keep their order. `choose` are random numbers from 0 to 1.
    """
    waiting, running = deque(packets), dict[int, deque[Beat]]()
    while waiting or running:
        free = waiting and waiting[0][0].stream not in running
        if free and (not running or next(choose) < 0.5):
            header, rest = waiting.popleft()
            running[header.stream] = deque(rest)
            yield header, None
            continue
        stream = sorted(running)[int(next(choose) * len(running))]
        yield None, running[stream].popleft()
        if not running[stream]:
            del running[stream]
