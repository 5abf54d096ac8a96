"""aes_ghash_pkg: a linear reduction, shown on all powers of x, and its linearity on random sums."""

import random

import ghash
from benches import GHASH
from runner import View, for_each, simulate


def test_aes_ghash_pkg() -> None:
    simulate(__file__, GHASH, ["ghash_probe"])


def test_model_matches_openssl() -> None:
    """The tag of AES-GMAC is the hash of padded data and lengths, plus E(K, J0) (algorithm 4)."""
    from cryptography.hazmat.primitives.ciphers import Cipher, modes
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM
    from cryptography.hazmat.primitives.ciphers.algorithms import AES

    for length in (0, 1, 16, 31, 160):
        key, iv, data = random.randbytes(16), random.randbytes(12), random.randbytes(length)
        encryptor = Cipher(AES(key), modes.ECB()).encryptor()
        subkey = int.from_bytes(encryptor.update(bytes(16)))
        mask = int.from_bytes(encryptor.update(iv + bytes([0, 0, 0, 1])))
        padded = data + bytes(-length % 16)
        blocks = [int.from_bytes(padded[k : k + 16]) for k in range(0, len(padded), 16)]
        tag = ghash.ghash(subkey, [*blocks, 8 * length << 64]) ^ mask
        assert tag.to_bytes(16) == AESGCM(key).encrypt(iv, b"", data)


# In the simulator -------------------------------------------------------------------------------

# x, the polynomial, as a block.
X = 1 << 126


@for_each(GHASH, "ghash_probe")
async def reduces_every_power_of_x(view: View) -> None:
    power = 1 << 127
    expected = []
    for k in range(255):
        await view.apply(product_i=1 << k)
        assert view.get("reduced_o") == int(f"{power:0128b}"[::-1], 2)
        if k < 128:
            assert view.get("reflected_o") == 1 << (127 - k)
        expected.append(power)
        power = ghash.multiply(power, X)
    for _ in range(100):
        bits = random.getrandbits(255)
        total = 0
        for k in range(255):
            total ^= expected[k] if bits >> k & 1 else 0
        await view.apply(product_i=bits)
        assert view.get("reduced_o") == int(f"{total:0128b}"[::-1], 2)
