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
    """One case of a response file: `data` must give `result`."""

    name: str
    decrypt: bool
    key: bytes
    iv: bytes | None
    data: bytes
    result: bytes


@cache
def _folder() -> Path:
    spec = importlib.util.find_spec("cryptography_vectors")
    if spec is None or spec.origin is None:
        raise ToolMissing(
            "NIST's vectors are missing; install them with 'pip install cryptography-vectors'"
        )
    return Path(spec.origin).parent / "ciphers" / "AES"


def cavs(mode: str, kinds: tuple[str, ...], key_bits: int) -> Iterator[Vector]:
    """The cases of a mode ("ecb", "cbc") for one key size, in the order of the files."""
    for kind in kinds:
        name = f"{mode.upper()}{kind}{key_bits}"
        text = (_folder() / mode.upper() / f"{name}.rsp").read_text(encoding="ascii")
        decrypt = False
        case: dict[str, str] = {}
        for line in [*text.splitlines(), ""]:
            if line.startswith("["):
                decrypt = line == "[DECRYPT]"
            elif "=" in line and not line.startswith("#"):
                field, _, value = line.partition(" = ")
                case[field.strip()] = value.strip()
            elif not line and "KEY" in case:
                plain = bytes.fromhex(case["PLAINTEXT"])
                secret = bytes.fromhex(case["CIPHERTEXT"])
                yield Vector(
                    f"{name} {'decrypt' if decrypt else 'encrypt'} {case['COUNT']}",
                    decrypt,
                    bytes.fromhex(case["KEY"]),
                    bytes.fromhex(case["IV"]) if "IV" in case else None,
                    secret if decrypt else plain,
                    plain if decrypt else secret,
                )
                case = {}
