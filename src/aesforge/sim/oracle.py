"""Reference results from OpenSSL, through `cryptography`; of Rijndael's longer blocks our own."""

from collections.abc import Callable

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from aesforge.core.model import round_keys
from aesforge.sim.rijndael import block_function
from aesforge.space.axes import Config

LEN_CODE = {128: 0, 192: 1, 256: 2}
"""`key_len_i` for a key size in bits."""


def key_payload(key: bytes, config: Config | None = None) -> tuple[bytes, int]:
    """The values of `key_i` and `key_len_i` for a key of 16, 24 or 32 bytes.

    With `key_schedule=given` the lower half of `key_i` is the last round key. With `loaded` it has
    a round key in the upper half, one after the other; the value is as long as for 256-bit keys.
    """
    schedule = config.key_schedule if config is not None else ""
    if schedule == "loaded":
        loaded = b"".join(round_key.ljust(32, b"\0") for round_key in round_keys(key))
        return loaded.ljust(32 * 15, b"\0"), LEN_CODE[8 * len(key)]
    behind = round_keys(key)[-1] if schedule == "given" else b""
    return (key + behind).ljust(32, b"\0"), LEN_CODE[8 * len(key)]


def sent_key(payload: bytes, config: Config) -> bytes:
    """The key that a core with this configuration gets from the bytes of `key_payload`."""
    sizes, code = config.key_sizes, payload[-1]
    size = (sizes[0] if len(sizes) == 1 else sizes[min(code, 2)]) // 8
    if config.key_schedule == "loaded":
        return (payload[:16] + payload[32:48])[:size]
    return payload[:size]


def ecb(key: bytes, decrypt: bool, block_bits: int = 128) -> Callable[[bytes], bytes]:
    """A function from whole blocks to whole blocks under `key`."""
    if block_bits != 128:
        return _longer(key, decrypt, block_bits // 8)
    # ECB is the block function itself, which a core computes.
    cipher = Cipher(algorithms.AES(key), modes.ECB())
    context = cipher.decryptor() if decrypt else cipher.encryptor()
    return context.update


def _longer(key: bytes, decrypt: bool, size: int) -> Callable[[bytes], bytes]:
    function = block_function(key, size, decrypt)
    return lambda data: b"".join(function(data[k : k + size]) for k in range(0, len(data), size))


def mode(name: str, key: bytes, iv: bytes | None, decrypt: bool) -> Callable[[bytes], bytes]:
    """A function from chunks of one message to chunks, for "ecb", "cbc" or "ctr"."""
    chosen = {"ecb": modes.ECB, "cbc": modes.CBC, "ctr": modes.CTR}[name]
    cipher = Cipher(algorithms.AES(key), chosen(iv) if iv is not None else chosen())
    context = cipher.decryptor() if decrypt else cipher.encryptor()
    return context.update
