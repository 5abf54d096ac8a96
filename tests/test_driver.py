"""The driver of `sw/` gives the results of the standards on a simulated core, and refuses the rest.

Two libraries are made of it: one in front of a core that Verilator simulates, and one in front of
registers that only hold what a test has put there.
"""

import ctypes
import random
import re
import shutil
from functools import cache
from pathlib import Path

import needs
import pytest
from suite import slow

from aesforge import cache as store
from aesforge.core.sources import digest
from aesforge.sim import register_player
from aesforge.sim.driver_cases import OK, case, cases, shown
from aesforge.space.axes import Config
from aesforge.space.modes import MODES
from aesforge.space.presets import preset
from aesforge.tools import verilator
from aesforge.tools.process import call

ROOT = Path(__file__).resolve().parents[1]
DRIVER = ROOT / "sw"
WARNINGS = ("-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror")
STRICT = ("-std=c99", *WARNINGS, "-Wstrict-prototypes", "-Wmissing-prototypes")
OWN_BUS = ("-DAESFORGE_OWN_BUS", f"-I{DRIVER}")

E_ID, E_VERSION, E_MODE, E_KEY, E_LENGTH, E_STATE, E_FAILED = range(-1, -8, -1)
BUSY = 1
EVERY = ",".join(MODES)
CORE = ("aesforge-iterative-universal", f"mode={EVERY}", "keys=any", "port=axi-lite", "sideload=on")
"""A core that has every mode, direction and length of key."""


# A simulated core -------------------------------------------------------------------------------


@cache
def simulated(words: tuple[str, ...]) -> Path:
    """The driver with the core of a configuration."""
    return register_player.compiled(config_of(words), flags=verilator.UNOPTIMIZED)


def config_of(words: tuple[str, ...]) -> Config:
    name, *choices = words
    return preset(name).configure(choices)


def compare(words: tuple[str, ...], expected: list[tuple[str, list[str]]], seed: int = 1) -> None:
    found = register_player.driven(simulated(words), [line for line, _ in expected], seed)
    wrong = [
        (line, wanted, got)
        for (line, wanted), got in zip(expected, found, strict=True)
        if wanted != got
    ]
    assert wrong == []


@slow
def test_every_mode_on_a_simulated_core() -> None:
    compare(CORE, list(cases(random.Random(1), config_of(CORE), 2)))


@slow
def test_a_key_of_the_sideload_port_is_used_and_its_errors_are_reported() -> None:
    rng, expected = random.Random(9), [("open", [str(OK)])]
    for mode, size in (("gcm", 16), ("xts", 32), ("ctr", 24), ("ccm", 32)):
        key, tweak = rng.randbytes(size), rng.randbytes(size) if mode == "xts" else b""
        expected.append((f"sideload {shown(key)} {shown(tweak)}", [str(OK), "0"]))
        # Neither no key nor one of a wrong length takes the place of this one.
        expected.append(("sideload - -", [str(E_KEY), "0"]))
        expected.append((f"sideload {shown(bytes(40))} -", [str(E_KEY), "1"]))
        for decrypt in (False, True):
            one = case(rng, config_of(CORE), MODES[mode], (key, tweak), decrypt)
            expected.append((one.line("run"), one.result()))
        own = rng.randbytes(16)
        expected.append((f"key {shown(own)} -", [str(OK)]))
        one = case(rng, config_of(CORE), MODES["ctr"], (own, b""), False)
        expected.append((one.line("run"), one.result()))
    compare(CORE, expected)


@slow
@pytest.mark.parametrize("seed", range(2, 6))
def test_many_packets_on_a_simulated_core(seed: int) -> None:
    compare(CORE, list(cases(random.Random(seed), config_of(CORE), 20)), seed)


# Registers without a core -----------------------------------------------------------------------

ID, VERSION, CAP_ENCRYPT, CAP_DECRYPT, CAP_CORE, CAP_LIMITS = range(0, 24, 4)
STATUS, ERRORS = 0x28, 0x2C
KEY_128, TWO_KEYS, HOLD, STREAM, OPEN = 1, 8, 16, 32, 8
INTR_STATE = 0x34
DONE, FAILED, COMMAND_ERROR = 1 << 8, 1 << 9, 1 << 4
SIDELOAD, SIDE_VALID = 64, 128
EVERY_MODE = sum(1 << mode.code for mode in MODES.values())


class Device(ctypes.Structure):
    """`struct aesforge`."""

    _fields_ = [
        ("base", ctypes.c_size_t),
        *((name, ctypes.c_uint32) for name in ("encrypts", "decrypts", "core", "limits")),
        ("key_len", ctypes.c_uint32),
        ("keys", ctypes.c_uint8),
        ("interrupts", ctypes.c_bool),
    ]


class Packet(ctypes.Structure):
    """`struct aesforge_packet`."""

    _fields_ = [
        ("mode", ctypes.c_int),
        ("decrypt", ctypes.c_bool),
        *(
            field
            for name in ("iv", "aad", "data", "out")
            for field in ((name, ctypes.c_char_p), (f"{name}_bytes", ctypes.c_size_t))
        ),
        ("tag", ctypes.c_uint8 * 16),
        ("tag_bytes", ctypes.c_size_t),
        ("made_bytes", ctypes.c_size_t),
        ("progress", ctypes.c_size_t * 4),
    ]


class Stub:
    """The driver in front of registers that hold what a test puts there."""

    def __init__(self, library: Path) -> None:
        self.driver = ctypes.CDLL(str(library))
        self.registers = (ctypes.c_uint32 * 1024).in_dll(self.driver, "stub_registers")
        self._count = ctypes.c_uint32.in_dll(self.driver, "stub_count")
        self.device = Device()
        capabilities = 16 << 16 | TWO_KEYS | 7, 11 << 24 | 6 << 8
        self.put(ID, 0x41455346, 1 << 16, EVERY_MODE, EVERY_MODE, *capabilities)

    def put(self, at: int, *words: int) -> None:
        """Fill consecutive registers."""
        for k, word in enumerate(words):
            self.registers[at // 4 + k] = word

    def open(self) -> int:
        """Find the device; forget what has been written."""
        found = self.driver.aesforge_open(ctypes.byref(self.device), ctypes.c_size_t(0))
        self._count.value = 0
        return int(found)

    def set_key(self, size: int) -> int:
        """Load a key of so many bytes."""
        key = bytes(range(1, size + 1))
        return int(self.driver.aesforge_set_key(ctypes.byref(self.device), key, size))

    def set_xts_keys(self, size: int) -> int:
        """Load two keys of so many bytes."""
        key = bytes(range(1, size + 1))
        return int(self.driver.aesforge_set_xts_keys(ctypes.byref(self.device), key, key, size))

    def set_sideloaded_key(self) -> int:
        """Load the key of the sideload port."""
        return int(self.driver.aesforge_set_sideloaded_key(ctypes.byref(self.device)))

    def start(self, mode: str, **fields: object) -> int:
        """Open a packet, which is legal but for `fields`."""
        known = MODES[mode]
        legal = {"iv_bytes": known.iv, "data_bytes": 32, "out_bytes": 48}
        legal["tag_bytes"] = 16 if known.tag else 0
        packet = Packet(mode=known.code, iv=bytes(64), data=bytes(64), **(legal | fields))
        started = self.driver.aesforge_start(ctypes.byref(self.device), ctypes.byref(packet))
        return int(started)

    @property
    def untouched(self) -> bool:
        """Whether the driver has written nothing since the last `open`."""
        return not self._count.value


@cache
def library(optimization: str = "-O2") -> Path:
    """The driver and the stub as a shared library."""
    stub = DRIVER / "test" / "stub.c"

    def make(folder: Path) -> None:
        shared = (*STRICT, *OWN_BUS, "-fPIC", "-c")
        driver, registers = folder / "driver.o", folder / "stub.o"
        call("gcc", ["gcc", *shared, optimization, DRIVER / "aesforge.c", "-o", driver])
        # The stub itself must keep no word of a key on the stack.
        call("gcc", ["gcc", *shared, "-O2", stub, "-o", registers])
        call("gcc", ["gcc", "-shared", driver, registers, "-o", folder / "driver.so"])

    made_of = (optimization, *DRIVER.glob("*.[ch]"), stub, Path(__file__))
    return store.folder("stub", digest(*made_of), make) / "driver.so"


@pytest.fixture
def stub(tmp_path: Path) -> Stub:
    # A copy, since a library that is loaded again is the same one.
    copied = Stub(Path(shutil.copy(library(), tmp_path)))
    assert copied.open() == OK
    return copied


def test_mode_codes_are_those_of_the_hardware() -> None:
    header = (DRIVER / "aesforge.h").read_text(encoding="utf-8")
    codes = dict(re.findall(r"AESFORGE_(\w+) = (\d+),", header.split("enum aesforge_mode")[1]))
    assert {name.lower(): int(code) for name, code in codes.items()} == {
        mode.name.replace("-", "_"): mode.code for mode in MODES.values()
    }


def test_open_refuses_what_is_no_core(stub: Stub) -> None:
    stub.put(ID, 0x41455347)
    assert stub.open() == E_ID


def test_open_refuses_another_version_or_block(stub: Stub) -> None:
    stub.put(VERSION, 2 << 16)
    assert stub.open() == E_VERSION
    stub.put(VERSION, 1 << 16 | 0xFFFF)
    assert stub.open() == OK
    stub.put(CAP_CORE, 32 << 16 | KEY_128)
    assert stub.open() == E_VERSION


@pytest.mark.parametrize("size", [0, 8, 15, 17, 24, 32, 40])
def test_a_key_that_the_core_lacks_is_refused(stub: Stub, size: int) -> None:
    stub.put(CAP_CORE, 16 << 16 | KEY_128)
    stub.open()
    assert stub.set_key(size) == E_KEY
    assert stub.set_xts_keys(16) == E_KEY
    assert stub.untouched
    assert stub.set_key(16) == OK


def test_a_sideload_port_that_the_core_lacks_is_refused(stub: Stub) -> None:
    stub.put(STATUS, SIDE_VALID)
    assert stub.set_sideloaded_key() == E_KEY
    stub.put(CAP_CORE, 16 << 16 | SIDELOAD | KEY_128)
    stub.open()
    stub.put(STATUS, SIDE_VALID | OPEN)
    assert stub.set_sideloaded_key() == E_STATE
    stub.put(STATUS, 0)
    assert stub.set_sideloaded_key() == E_KEY
    assert stub.untouched
    stub.put(STATUS, SIDE_VALID)
    assert stub.set_sideloaded_key() == OK
    assert stub.start("ctr") == OK
    assert stub.start("xts") == E_KEY


def test_a_packet_needs_its_keys(stub: Stub) -> None:
    assert stub.start("ctr") == E_KEY
    assert stub.untouched
    stub.set_key(16)
    assert stub.start("ctr") == OK
    assert stub.start("xts") == E_KEY
    assert stub.set_xts_keys(24) == E_KEY
    stub.set_xts_keys(32)
    assert stub.start("xts") == OK
    stub.set_key(24)
    assert stub.start("gcm") == OK
    assert stub.start("gcm-siv") == E_KEY


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("decrypt", [False, True])
def test_a_mode_that_the_core_lacks_is_refused(stub: Stub, mode: str, decrypt: bool) -> None:
    lacking = EVERY_MODE & ~(1 << MODES[mode].code)
    stub.set_xts_keys(16)
    assert stub.start(mode, decrypt=decrypt) == OK
    stub.put(CAP_DECRYPT if decrypt else CAP_ENCRYPT, lacking)
    stub.open()
    stub.set_xts_keys(16)
    assert stub.start(mode, decrypt=decrypt) == E_MODE
    assert stub.start(mode, decrypt=not decrypt) == OK


WRONG = (
    ("ecb", {"data_bytes": 17}),
    ("ecb", {"data_bytes": 0}),
    ("ecb", {"iv_bytes": 16}),
    ("cbc", {"data_bytes": 24}),
    ("cbc", {"iv_bytes": 12}),
    ("cbc_cs3", {"data_bytes": 15}),
    ("ctr", {"tag_bytes": 16}),
    ("ctr", {"aad_bytes": 1}),
    ("ctr", {"out_bytes": 31}),
    ("cmac", {"tag_bytes": 0}),
    ("gcm", {"tag_bytes": 5}),
    ("gcm", {"tag_bytes": 17}),
    ("gcm", {"tag_bytes": 1 << 33}),
    ("gcm", {"iv_bytes": 0}),
    ("gmac", {"aad_bytes": 1}),
    ("xts", {"data_bytes": 15}),
    ("ccm", {"iv_bytes": 6}),
    ("ccm", {"iv_bytes": 14}),
    ("ccm", {"tag_bytes": 2}),
    ("ccm", {"tag_bytes": 15}),
    ("ccm", {"iv_bytes": 13, "data_bytes": 1 << 16, "out_bytes": 1 << 16}),
    ("ccm", {"iv_bytes": 12, "data_bytes": 1 << 24, "out_bytes": 1 << 24}),
    ("ccm", {"iv_bytes": 7, "data_bytes": 1 << 32, "out_bytes": 1 << 32}),
    ("ccm", {"aad_bytes": 1 << 32}),
    ("xts", {"data_bytes": (1 << 24) + 1, "out_bytes": 1 << 25}),
    ("gcm-siv", {"tag_bytes": 12}),
    ("gcm-siv", {"iv_bytes": 13}),
    ("kw", {"data_bytes": 20}),
    ("kw", {"data_bytes": 8}),
    ("kw", {"data_bytes": 520, "out_bytes": 528}),
    ("kw", {"data_bytes": 16, "decrypt": True}),
    ("kw", {"out_bytes": 39}),
    ("kwp", {"data_bytes": 0}),
    ("kwp", {"data_bytes": 33, "out_bytes": 47}),
    ("kwp", {"data_bytes": 8, "decrypt": True}),
    ("kwp", {"data_bytes": 20, "decrypt": True}),
)


@pytest.mark.parametrize(("mode", "fields"), WRONG)
def test_a_length_that_a_mode_lacks_is_refused(
    stub: Stub, mode: str, fields: dict[str, object]
) -> None:
    stub.set_xts_keys(16)
    stub._count.value = 0
    assert stub.start(mode, **fields) == E_LENGTH
    assert stub.untouched


def test_a_packet_is_refused_that_the_core_cannot_hold(stub: Stub) -> None:
    stub.put(CAP_CORE, 16 << 16 | HOLD | KEY_128, 5)
    stub.open()
    stub.set_key(16)
    assert stub.start("gcm", decrypt=True, data_bytes=32) == OK
    assert stub.start("gcm", decrypt=True, data_bytes=33) == E_LENGTH
    assert stub.start("gcm", data_bytes=33) == OK


def test_a_packet_of_gcm_siv_is_refused_that_the_memory_cannot_hold(stub: Stub) -> None:
    stub.put(CAP_LIMITS, 5 << 24)
    stub.open()
    stub.set_key(16)
    for decrypt in (False, True):
        assert stub.start("gcm-siv", decrypt=decrypt, data_bytes=32) == OK
        assert stub.start("gcm-siv", decrypt=decrypt, data_bytes=33) == E_LENGTH


def test_nothing_is_started_while_a_packet_is_open(stub: Stub) -> None:
    stub.set_key(16)
    stub.put(STATUS, OPEN)
    assert stub.start("ctr") == E_STATE
    assert stub.set_key(16) == E_STATE


def test_a_packet_ends_with_its_last_beat_at_a_stream_port(stub: Stub) -> None:
    stub.put(CAP_CORE, 16 << 16 | STREAM | KEY_128)
    stub.open()
    stub.set_key(16)
    assert stub.start("ctr", out_bytes=0) == OK
    packet, device = Packet(), ctypes.byref(stub.device)
    for events, result in ((0, BUSY), (DONE, OK), (DONE | FAILED, E_FAILED)):
        stub.put(INTR_STATE, events)
        assert stub.driver.aesforge_poll(device, ctypes.byref(packet)) == result
    # An abort that the core refuses, since the last beat has passed.
    stub.put(ERRORS, COMMAND_ERROR)
    assert stub.driver.aesforge_abort(device, ctypes.byref(packet)) == E_STATE


def left_on_stack(at: Path) -> int:
    """Words of a key that its loading leaves on the stack."""
    stub = Stub(at)
    assert stub.open() == OK
    rng = random.Random(3)
    keys = rng.randbytes(32), rng.randbytes(32)
    count = stub.driver.stub_key_words
    return int(count(ctypes.byref(stub.device), *keys, 32)) + int(
        count(ctypes.byref(stub.device), keys[0], None, 32)
    )


@pytest.mark.parametrize("optimization", ["-O0", "-O1", "-Os", "-O2", "-O3"])
def test_no_key_stays_on_the_stack(optimization: str) -> None:
    assert left_on_stack(library(optimization)) == 0


def test_a_key_on_the_stack_is_found(tmp_path: Path) -> None:
    # The driver without the calls that overwrite, as compiled without optimization.
    text = (DRIVER / "aesforge.c").read_text(encoding="utf-8")
    broken = re.sub(r"\n  put_bytes\(aes, AT\(IV\), zeros.*;", "", text)
    assert broken != text
    (tmp_path / "broken.c").write_text(broken.replace("const uint8_t zeros", "// "), "utf-8")
    stub = DRIVER / "test" / "stub.c"
    flags = ("-std=c99", *OWN_BUS, "-fPIC", "-shared")
    made = tmp_path / "broken.so"
    call("gcc", ["gcc", *flags, "-O0", tmp_path / "broken.c", stub, "-o", made])
    assert left_on_stack(made) > 0


# The text ---------------------------------------------------------------------------------------


def test_compiles_as_c_and_as_header_of_cpp(tmp_path: Path) -> None:
    for bus in ((), OWN_BUS):
        call("gcc", ["gcc", *STRICT, *bus, "-c", DRIVER / "aesforge.c", "-o", tmp_path / "a.o"])
    header = ("-fsyntax-only", "-x", "c++", DRIVER / "aesforge.h")
    call("g++", ["g++", *WARNINGS, "-std=c++11", *header])


def test_needs_no_library(tmp_path: Path) -> None:
    made = tmp_path / "a.o"
    flags = (*STRICT, "-ffreestanding", "-O2", "-c", DRIVER / "aesforge.c", "-o", made)
    call("gcc", ["gcc", *flags])
    assert call("nm", ["nm", "--undefined-only", made]).strip() in ("", "U memset")


def test_cppcheck_has_nothing_to_say() -> None:
    enabled = "--enable=warning,style,performance,portability"
    flags = ("--quiet", "--std=c99", enabled, "--error-exitcode=1")
    call("cppcheck", [needs.program("cppcheck"), *flags, DRIVER / "aesforge.c"])


@slow
def test_clang_tidy_has_nothing_to_say() -> None:
    tidy = needs.program("clang-tidy")
    call("clang-tidy", [tidy, "--quiet", DRIVER / "aesforge.c", "--", "-std=c99"])


def test_every_function_says_what_it_does_and_how_it_fails() -> None:
    text = (DRIVER / "aesforge.h").read_text(encoding="utf-8")
    functions = re.findall(r"((?:^//.*\n)+)^(\w+) \*?(aesforge_\w+)\([^;]*\);", text, re.M)
    names = re.findall(r"^\w+ \*?(aesforge_\w+)\(", text, re.M)
    assert [name for _, _, name in functions] == names
    assert [name for doc, kind, name in functions if kind == "int" and "Errors:" not in doc] == []


def test_examples_of_the_page_compile(tmp_path: Path) -> None:
    text = (ROOT / "docs" / "software.md").read_text(encoding="utf-8")
    found = re.findall(r"```c\n(.*?)```", text, re.DOTALL)
    assert found
    for number, example in enumerate(found):
        source = tmp_path / f"example{number}.c"
        source.write_text(example, encoding="utf-8")
        call("gcc", ["gcc", "-std=c99", *WARNINGS, f"-I{DRIVER}", "-fsyntax-only", source])
