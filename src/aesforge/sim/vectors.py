"""NIST's CAVS response files, from the `cryptography-vectors` package; vectors of Rijndael."""

import importlib.util
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from aesforge.errors import ToolMissing

KNOWN_ANSWER = ("GFSbox", "KeySbox", "VarKey", "VarTxt")
MULTIBLOCK = ("MMT",)


APPENDIX_C = bytes(17 * k for k in range(16))
"""The plaintext of FIPS 197, appendix C; its keys count up from 0."""

RIJNDAEL_KEY = bytes.fromhex("2b7e151628aed2a6abf7158809cf4f3c762e7160f38b4da56a784d9045190cfe")
RIJNDAEL_BLOCK = bytes.fromhex("3243f6a8885a308d313198a2e03707344a4093822299f31d0082efa98ec4e6c8")
RIJNDAEL = {
    (24, 16): "b24d275489e82bb8f7375e0d5fcdb1f481757c538b65148a",
    (24, 24): "725ae43b5f3161de806a7c93e0bca93c967ec1ae1b71e1cf",
    (24, 32): "0ebacf199e3315c2e34b24fcc7c46ef4388aa475d66c194c",
    (32, 16): "7d15479076b69a46ffb3b3beae97ad8313f622f67fedb487de9f06b9ed9c8f19",
    (32, 24): "5d7101727bb25781bf6715b0e6955282b9610e23a43c2eb062699f0ebf5887b2",
    (32, 32): "a49406115dfb30a40418aafa4869b7c6a886ff31602a7dd19c889dc64f7e4e7a",
}
"""By bytes of block and key, the first bytes of RIJNDAEL_BLOCK under the first of RIJNDAEL_KEY: the
vectors that B. Gladman published with his implementation of Rijndael."""


@dataclass(frozen=True)
class Vector:
    """One case of a response file: `data` must give `result`, of which `bits` count."""

    name: str
    decrypt: bool
    key: bytes
    iv: bytes | None
    data: bytes
    result: bytes
    bits: int


@cache
def folder() -> Path:
    """The files of AES in `cryptography-vectors`; ToolMissing without that package."""
    spec = importlib.util.find_spec("cryptography_vectors")
    if spec is None or spec.origin is None:
        raise ToolMissing(
            "NIST's vectors are missing; install them with 'pip install cryptography-vectors'"
        )
    return Path(spec.origin).parent / "ciphers" / "AES"


def cavs(mode: str, kinds: tuple[str, ...], key_bits: int) -> Iterator[Vector]:
    """The cases of a mode ("ecb", "cfb8") for one key size, in the order of the files."""
    for kind in kinds:
        name = f"{mode.upper()}{kind}{key_bits}"
        path = folder() / mode.upper().rstrip("0123456789") / f"{name}.rsp"
        text = path.read_text(encoding="ascii")
        decrypt = False
        case: dict[str, str] = {}
        for line in [*text.splitlines(), ""]:
            if line.startswith("["):
                decrypt = line == "[DECRYPT]"
            elif "=" in line and not line.startswith("#"):
                field, _, value = line.partition(" = ")
                case[field.strip()] = value.strip()
            elif not line and "KEY" in case:
                (plain, bits), (secret, _) = (
                    _text(mode, case[field]) for field in ("PLAINTEXT", "CIPHERTEXT")
                )
                yield Vector(
                    f"{name} {'decrypt' if decrypt else 'encrypt'} {case['COUNT']}",
                    decrypt,
                    bytes.fromhex(case["KEY"]),
                    bytes.fromhex(case["IV"]) if "IV" in case else None,
                    secret if decrypt else plain,
                    plain if decrypt else secret,
                    bits,
                )
                case = {}


def rijndael(size: int, key_bits: int) -> Iterator[Vector]:
    """The published vector of blocks of `size` bytes, 24 or 32, with a key size, both ways."""
    key, plain = RIJNDAEL_KEY[: key_bits // 8], RIJNDAEL_BLOCK[:size]
    secret = bytes.fromhex(RIJNDAEL[size, key_bits // 8])
    name = f"Rijndael {8 * size} {key_bits}"
    yield Vector(f"{name} encrypt", False, key, None, plain, secret, 8 * size)
    yield Vector(f"{name} decrypt", True, key, None, secret, plain, 8 * size)


def _text(mode: str, value: str) -> tuple[bytes, int]:
    """The bytes of a text and its number of bits; texts of CFB1 are bits, the first one on top."""
    if mode != "cfb1":
        return bytes.fromhex(value), 4 * len(value)
    size = (len(value) + 7) // 8
    return int(value.ljust(8 * size, "0"), 2).to_bytes(size, "big"), len(value)
