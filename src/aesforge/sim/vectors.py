"""NIST's CAVS response files, from the `cryptography-vectors` package."""

import importlib.util
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from aesforge.errors import ToolMissing

KNOWN_ANSWER = ("GFSbox", "KeySbox", "VarKey", "VarTxt")
MULTIBLOCK = ("MMT",)


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


def _text(mode: str, value: str) -> tuple[bytes, int]:
    """The bytes of a text and its number of bits; texts of CFB1 are bits, the first one on top."""
    if mode != "cfb1":
        return bytes.fromhex(value), 4 * len(value)
    size = (len(value) + 7) // 8
    return int(value.ljust(8 * size, "0"), 2).to_bytes(size, "big"), len(value)
