"""The modes of operation: what each needs of a core and of a packet.

The codes are the constants `MODE_*` of `rtl/common/aes_pkg.sv`; `rtl/mode/aes_mode.sv` implements
them.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from aesforge.core.sources import codes
from aesforge.errors import UserError, unknown


@dataclass(frozen=True)
class Mode:
    """A mode of operation.

    `name` is its value of the axis `mode`. `inverse`: it decrypts with the inverse cipher. `iv`:
    bytes of the IV or of the first counter block, 0 if it has none. `lengths`: the payloads it
    takes: any number of bytes, whole blocks, at least one block, or at least two semiblocks of 8
    bytes. `tag`: it makes a tag. `aad`:
    it has additional data, and outputs payload too; a mode with a tag and without `aad` is a MAC.
    `any_iv`: an IV of another length may be sent as beats; `shortest_iv`: one in the header may be
    shorter. `two_keys`: a second key, of the same
    size, is for tweaks. `wraps`: a wrapped packet is longer by its integrity value, and an
    unwrapped one is output after its verification. `buffers`: the core keeps a payload, and outputs
    it after all of it was hashed.
    """

    name: str
    title: str
    source: str
    inverse: bool
    iv: int
    lengths: Literal["any", "blocks", "block or more", "semiblocks"]
    tag: bool = False
    two_keys: bool = False
    aad: bool = False
    any_iv: bool = False
    shortest_iv: int = 0
    wraps: bool = False
    buffers: bool = False

    @property
    def parallel(self) -> bool:
        """Its packets may pass several cores in parallel, with `lanes=`."""
        return self.name in ("ctr", "xts", "gcm")

    @property
    def any_block(self) -> bool:
        """It is one of any block cipher; the others are defined for blocks of 128 bits."""
        return self.name in ("ecb", "cbc", "ctr", "ofb")

    @property
    def lengths_ahead(self) -> bool:
        """Its header has the lengths of nonce, AAD and payload."""
        return self.name == "ccm"

    @property
    def code(self) -> int:
        """The number of the mode in a header, and of its bit in the parameter `Modes`."""
        return codes()[self.constant]

    @property
    def constant(self) -> str:
        """The name of the code in `aes_pkg`."""
        return f"MODE_{self.name.upper().replace('-', '_')}"

    @property
    def key_sizes(self) -> tuple[int, ...]:
        """The key sizes in bits that its standard has."""
        return (128, 256) if self.two_keys or self.buffers else (128, 192, 256)

    @property
    def serial_encryption(self) -> bool:
        """Each block of an encryption waits for the result of the block before."""
        return self.name not in ("ecb", "ctr", "gcm", "gmac", "xts", "gcm-siv")

    @property
    def serial_decryption(self) -> bool:
        """Each block of a decryption waits for the result of the block before."""
        return self.wraps or self.name in ("ofb", "cmac", "ccm")

    @property
    def mac(self) -> bool:
        """It outputs a tag and no payload."""
        return self.tag and not self.aad

    @property
    def verifies(self) -> bool:
        """A decrypted packet ends with a verdict."""
        return self.tag or self.wraps

    @property
    def held(self) -> bool:
        """A verdict follows its decrypted payload, which `hold=on` keeps until then."""
        return self.tag and self.aad and not self.buffers

    @property
    def hashes(self) -> bool:
        """It needs GHASH."""
        return self.name in ("gcm", "gmac", "gcm-siv")

    @property
    def steps(self) -> int:
        """Blocks through the cipher for a beat of 16 bytes."""
        return {"cfb8": 16, "cfb1": 128, "kw": 12, "kwp": 12}.get(self.name, 1)


MODES = {
    mode.name: mode
    for mode in (
        Mode("ecb", "electronic codebook", "SP 800-38A, 6.1", True, 0, "blocks"),
        Mode("cbc", "cipher block chaining", "SP 800-38A, 6.2", True, 16, "blocks"),
        Mode("ctr", "counter", "SP 800-38A, 6.5", False, 16, "any"),
        Mode("ofb", "output feedback", "SP 800-38A, 6.4", False, 16, "any"),
        Mode("cfb128", "cipher feedback, 128 bits", "SP 800-38A, 6.3", False, 16, "any"),
        Mode("cfb8", "cipher feedback, 8 bits", "SP 800-38A, 6.3", False, 16, "any"),
        Mode("cfb1", "cipher feedback, 1 bit", "SP 800-38A, 6.3", False, 16, "any"),
        *(
            Mode(
                f"cbc_cs{number}",
                f"CBC with ciphertext stealing, variant {number}",
                "SP 800-38A addendum",
                True,
                16,
                "block or more",
            )
            for number in (1, 2, 3)
        ),
        Mode("cmac", "message authentication", "SP 800-38B", False, 0, "any", tag=True),
        Mode(
            "gcm",
            "Galois/counter",
            "SP 800-38D",
            False,
            12,
            "any",
            tag=True,
            aad=True,
            any_iv=True,
        ),
        Mode(
            "gmac",
            "message authentication by GCM",
            "SP 800-38D",
            False,
            12,
            "any",
            tag=True,
            any_iv=True,
        ),
        Mode(
            "xts",
            "tweaked blocks of storage",
            "IEEE 1619, SP 800-38E",
            True,
            16,
            "block or more",
            two_keys=True,
        ),
        Mode(
            "ccm",
            "counter with CBC-MAC",
            "SP 800-38C",
            False,
            13,
            "any",
            tag=True,
            aad=True,
            shortest_iv=7,
        ),
        Mode("kw", "key wrap", "SP 800-38F, 6.2", True, 0, "semiblocks", wraps=True),
        Mode("kwp", "key wrap with padding", "SP 800-38F, 6.3", True, 0, "any", wraps=True),
        Mode(
            "gcm-siv",
            "Galois/counter, safe from repeated nonces",
            "RFC 8452",
            False,
            12,
            "any",
            tag=True,
            aad=True,
            buffers=True,
        ),
    )
}
"""The modes by name."""

MOST_BLOCKS = 2**20
"""The longest data unit of XTS in blocks (IEEE 1619, 5.1; SP 800-38E)."""

NONE = "none"
"""The value of the axis `mode` for a bare core."""

KIND = {"iv": 0, "aad": 1, "payload": 2, "tag": 3}
"""`in_kind_i`: the segment that a beat belongs to."""

KIND_OUT = {"failed": 0, "verified": 1, "payload": 2, "tag": 3}
"""`out_kind_o`: payload, tag, or the verdict on a packet."""


def listed(value: str) -> tuple[Mode, ...]:
    """The modes of a value of the axis `mode`, such as "cbc" or "ecb,ctr"; () for none."""
    if value == NONE:
        return ()
    names = value.split(",")
    for name in names:
        if name not in MODES:
            raise unknown("mode", name, (NONE, *MODES))
    if len(set(names)) != len(names):
        raise UserError(f"mode={value} names a mode twice; name each once, such as mode=ecb,ctr")
    return tuple(MODES[name] for name in names)


def mask(modes: Iterable[Mode]) -> int:
    """The parameter `Modes` of `aes_mode`."""
    return sum(1 << mode.code for mode in modes)
