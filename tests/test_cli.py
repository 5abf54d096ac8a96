"""The commands as a user gives them: documents, errors, exit codes, nothing half-written."""

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from command import within
from cryptography.hazmat.primitives import keywrap
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM, AESGCMSIV
from cryptography.hazmat.primitives.cmac import CMAC
from suite import slow

KEY = {128: "2b7e151628aed2a6abf7158809cf4f3c"}
KEY[192] = KEY[128] + "0123456789abcdef"
KEY[256] = KEY[128] + "603deb1015ca71be2b73aef0857d7781"
IV = "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff"
SMALL = ("kakarlapudi-sbox", "keys=128", "direction=encrypt")


def aesforge(*words: object, stdin: bytes = b"", **env: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "aesforge.cli.main", *map(str, words)],
        input=stdin,
        capture_output=True,
        check=False,
        env={**os.environ, **env},
    )


def expect(mode: str, bits: int, data: bytes, decrypt: bool = False) -> bytes:
    iv = bytes.fromhex(IV)
    chosen = {"ecb": modes.ECB(), "cbc": modes.CBC(iv), "ctr": modes.CTR(iv)}[mode]
    cipher = Cipher(algorithms.AES(bytes.fromhex(KEY[bits])), chosen)
    context = cipher.decryptor() if decrypt else cipher.encryptor()
    return context.update(data) + context.finalize()


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("verify", "kakarlapudi-sbux"), "did you mean 'kakarlapudi-sbox'?"),
        (("verify", *SMALL, "sbx=tower"), "did you mean 'sbox'?"),
        (("verify", *SMALL, "sbox=towr"), "did you mean 'tower'?"),
        (("verify", *SMALL, "tower"), "not of the form AXIS=VALUE"),
        (("verify", *SMALL, "keys=192"), "keys is given twice"),
        (
            ("verify", "hodjat-lut-1", "keys=192", "direction=decrypt"),
            "hodjat-lut-1 cannot have keys=192 with direction=decrypt: engine=unrolled "
            "needs key_schedule=stored to decrypt",
        ),
        (
            ("build", "hodjat-tower-4", "direction=both", "-o", "no"),
            "needs key_schedule=stored to decrypt",
        ),
        (("verify", *SMALL, "--check", "nothing"), "choose from: known_answer"),
        (("verify", *SMALL, "--blocks", "0"), "give 1 or more"),
        (("synth", *SMALL, "--target", "xc6v"), "choose from: ecp5, gatemate,"),
        (("synth", *SMALL, "--target", "ecp5", "--delay", "9"), "for a library of cells"),
        (("synth", *SMALL, "--target", "osu018", "--delay", "-1"), "give 0 to map for area"),
        (("synth", *SMALL, "--target", "osu018", "--delay", "1,x"), "is not a list of delays"),
        (("prove", *SMALL, "--jobs", "0"), "--jobs 0 proves nothing; give 1 or more"),
        (("verify", *SMALL, "--blocks", "0"), "--blocks 0 checks nothing; give 1 or more"),
        (("proofs", "kakarlapudi-sbox", "colour=red"), "unknown axis 'colour'"),
        (("mutants", "kakarlapudi"), "unknown preset 'kakarlapudi'; did you mean"),
        (("mutants", "--count", "300"), "--count 300 is more than 255; use several seeds"),
        (("mutants", "fan", "port=word32"), "'aesforge mutants' takes a core without layers"),
        (("proofs", "fan", "engine=unrolled"), "no configuration has fan engine=unrolled"),
        (("synth", *SMALL), "give either --target NAME or --liberty FILE"),
        (("synth", *SMALL, "--liberty", "no.lib"), "cannot read no.lib"),
        (("measure", "no.v", "--top", "x", "--target", "xc7"), "cannot read no.v"),
        (("run", *SMALL, "mode=ecb", "--key", "00"), "this core takes 128 bits"),
        (("run", *SMALL, "mode=ecb", "--key", KEY[192]), "this core takes 128 bits"),
        (("run", *SMALL, "mode=ecb", "--key", "xy"), "is not hex"),
        (("run", *SMALL, "mode=eax", "--key", KEY[128]), "choose from: none, ecb, cbc, ctr"),
        (("run", *SMALL, "mode=ecb", "--key", KEY[128], "--iv", IV), "leave --iv out"),
        (("run", *SMALL, "mode=cbc", "--key", KEY[128]), "give --iv with 32 hex digits"),
        (("run", *SMALL, "mode=cbc", "--key", KEY[128], "--iv", "00"), "cbc takes 128"),
        (
            ("run", *SMALL, "mode=ecb", "--key", KEY[128], "--decrypt"),
            "choose direction=decrypt or both",
        ),
        (
            (
                "run",
                "kakarlapudi-sbox",
                "direction=decrypt",
                "mode=ctr",
                "--key",
                KEY[128],
                "--iv",
                IV,
            ),
            "choose direction=encrypt or both",
        ),
        (("run", *SMALL, "mode=ecb", "--key", KEY[128], "-i", "nowhere"), "cannot read"),
        (
            ("run", *SMALL, "mode=ecb", "--key", KEY[128], "-o", "no/where"),
            "choose another place",
        ),
        (("run", *SMALL, "mode=ecb", "--key", KEY[128], "--json"), "name a file with -o"),
        (("run", *SMALL, "--key", KEY[128]), "a core alone has no packets"),
        (("run", *SMALL, "mode=ecb,ctr", "--key", KEY[128]), "name one mode for the file"),
        (("run", *SMALL, "mode=ecb", "--key", KEY[128], "--tag-bits", "8"), "ecb has no tag"),
        (("run", *SMALL, "mode=cmac", "--key", KEY[128], "--tag-bits", "7"), "multiple of 8"),
        (("run", *SMALL, "mode=gcm", "--key", KEY[128], "--iv", "00", "--tag-bits", "8"), "32, 64"),
        (("run", *SMALL, "mode=gcm", "--key", KEY[128], "--iv", ""), "the IV is empty"),
        (("run", *SMALL, "mode=cmac", "--key", KEY[128], "--aad", "x"), "choose mode=gcm"),
        (("verify", *SMALL, "mode=gcm", "streams=2"), "mode=gcm has one stream"),
        (("verify", *SMALL, "mode=ecb,ecb"), "give each once"),
        (("verify", *SMALL, "streams=2"), "streams belongs to a mode"),
        (("verify", *SMALL, "mode=ecb", "counter_bits=32"), "counter_bits belongs to mode=ctr"),
        (("verify", *SMALL, "mode=ecb,cmac", "hold=on"), "hold=on is for modes with payload"),
        (
            ("build", *SMALL, "mode=gcm", "hold_bytes=64", "-o", "no"),
            "hold_bytes belongs to hold=on",
        ),
        (("synth", *SMALL, "mode=gcm", "hold=on", "hold_bytes=100"), "hold_bytes"),
        (("verify", *SMALL, "mode=cbc_cs1", "streams=2"), "mode=cbc_cs1 has one stream"),
        (("verify", *SMALL, "mode=ctr", "port=word32"), "port=word32 takes blocks"),
        (("build", *SMALL, "port=axi-stream", "-o", "no"), "takes packets: choose mode="),
        (("build", *SMALL, "port=axi-lite", "-o", "no"), "takes packets: choose mode="),
        (("synth", *SMALL, "mode=ctr", "streams=2", "port=axi-lite"), "has one stream"),
        (("verify", *SMALL, "port=axi-lite"), "takes packets: choose mode="),
        (("run", *SMALL, "port=apb", "--key", KEY[128]), "takes packets: choose mode="),
        (("build", *SMALL, "--prefix", "1", "-o", "no"), "cannot begin the name of a module"),
        (("verify", *SMALL, "mode=kw", "streams=2"), "mode=kw has one stream"),
        (("verify", *SMALL, "mode=gcm-siv", "streams=2"), "mode=gcm-siv has one stream"),
        (("synth", *SMALL, "mode=gcm-siv", "hold=on"), "mode=gcm-siv always holds payload"),
        (("synth", "fan", "keys=192", "mode=gcm-siv"), "keys of 128 and 256 bits"),
        (
            ("verify", *SMALL, "mode=gcm", "payload_bytes=64"),
            "payload_bytes belongs to mode=gcm-siv",
        ),
        (("verify", *SMALL, "key_slots=2"), "key_slots belongs to a mode"),
        (("verify", *SMALL, "mode=xts", "key_slots=2"), "mode=xts has one pair of keys"),
        (("verify", *SMALL, "mode=ctr", "streams=2", "key_slots=2"), "leave out key_slots=2"),
        (("verify", *SMALL, "mode=ctr", "key_slots=3"), "key_slots"),
        (("verify", *SMALL, "mode=ccm", "lanes=2"), "mode=ccm has one lane yet"),
        (("verify", *SMALL, "mode=ctr", "semiblocks=8"), "semiblocks belongs to mode=kw or kwp"),
        (("run", *SMALL, "mode=kw", "--key", KEY[128], "--iv", "00"), "kw has no IV"),
        (("run", *SMALL, "mode=kw", "--key", KEY[128]), "choose mode=kwp"),
        (
            ("run", *SMALL, "mode=kwp", "--key", KEY[128], "-i", "README.md"),
            "a larger one with semiblocks=",
        ),
    ],
)
def test_bad_input_is_reported_in_one_line(words: tuple[str, ...], says: str) -> None:
    done = within(*words)
    assert done.returncode == 2
    assert says in done.stderr
    assert done.stderr.startswith("aesforge: ")
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""


def test_a_cache_that_cannot_be_written_is_an_error_with_its_cure() -> None:
    done = aesforge("verify", *SMALL, AESFORGE_CACHE="/dev/null/cache")
    assert done.returncode == 2
    assert done.stderr.decode() == (
        "aesforge: cannot write the cache folder /dev/null/cache: Not a directory; "
        "set AESFORGE_CACHE to a folder that can be written\n"
    )


@pytest.mark.parametrize("words", [("list",), ("list", "--json"), ("--help",)])
def test_a_full_disk_on_stdout_is_an_error(words: tuple[str, ...]) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "aesforge.cli.main", *words],
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr.decode() == (
        "aesforge: cannot write the output: No space left on device; "
        "free some space or choose another place\n"
    )


def test_a_closed_pipe_ends_quietly() -> None:
    command = [sys.executable, "-m", "aesforge.cli.main", "list", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as done:
        assert done.stdout
        assert done.stderr
        done.stdout.close()
        assert done.stderr.read() == b""


def test_a_missing_tool_is_named_with_its_cure(tmp_path: Path) -> None:
    # Without a compiler on the path, and with nothing compiled yet.
    done = aesforge("verify", *SMALL, PATH=str(tmp_path), AESFORGE_CACHE=str(tmp_path))
    assert done.returncode == 3
    assert b"needs g++; install it" in done.stderr


@pytest.mark.parametrize("mode", ["ecb", "cbc"])
def test_ragged_input_leaves_no_file(mode: str, tmp_path: Path) -> None:
    source, target = tmp_path / "in", tmp_path / "out"
    source.write_bytes(bytes(17))
    iv = () if mode == "ecb" else ("--iv", IV)
    done = aesforge(
        *("run", *SMALL, f"mode={mode}", "--key", KEY[128], *iv, "-i", source, "-o", target)
    )
    assert done.returncode == 2
    assert b"pad it, or choose another mode" in done.stderr
    assert list(tmp_path.iterdir()) == [source]


def test_list_names_every_preset_with_its_promises() -> None:
    document = json.loads(aesforge("list", "--json").stdout)
    promises = {row["preset"]: row["promises"] for row in document["presets"]}
    assert promises["kakarlapudi-sbox"]["192"]["latency"] == 13
    for row in document["measured"]:
        assert {"preset", "config", "target", "lut", "ge", "fmax_mhz"} <= row.keys()


def test_list_shows_the_presets_that_are_named() -> None:
    document = json.loads(aesforge("list", "fan", "sklavos-ake", "--json").stdout)
    assert [row["preset"] for row in document["presets"]] == ["fan", "sklavos-ake"]
    assert {row["preset"] for row in document["measured"]} == {"fan", "sklavos-ake"}
    done = aesforge("list", "fane")
    assert done.returncode == 2
    assert b"'fan'" in done.stderr


@pytest.mark.parametrize("words", [("--help",), ("list",)])
def test_help_and_list_answer_at_once(words: tuple[str, ...]) -> None:
    # Processor time, as other processes may be running, and as a ratio to that of the libraries
    # that every command line of ours needs.
    bare = (sys.executable, "-c", "import click, rich.console")

    def least(run: Callable[[], int]) -> float:
        took = []
        for _ in range(4):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            assert run() == 0
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            took.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        return min(took)

    ratio = least(lambda: aesforge(*words).returncode) / least(lambda: subprocess.call(bare))
    assert ratio < 6, ratio


@pytest.mark.parametrize(
    "mode", [*(pytest.param(mode, marks=slow) for mode in ("ecb", "cbc")), "ctr"]
)
def test_run_makes_what_openssl_makes(mode: str, tmp_path: Path) -> None:
    data = bytes(range(256)) * 5 + (b"end" if mode == "ctr" else b"")
    source, secret, plain = (tmp_path / name for name in ("in", "secret", "plain"))
    source.write_bytes(data)
    iv = () if mode == "ecb" else ("--iv", IV)
    for bits in KEY:
        words = ("run", "kakarlapudi-sbox", f"mode={mode}", "--key", KEY[bits], *iv, "--json")
        done = aesforge(*words, "-i", source, "-o", secret)
        assert done.returncode == 0, done.stderr
        document = json.loads(done.stdout)
        assert document["blocks"] == -(-len(data) // 16)
        assert document["latency_cycles"] == bits // 32 + 7
        assert document["cycles"] == document["blocks"] * (bits // 32 + 7) + 1
        assert secret.read_bytes() == expect(mode, bits, data)
        assert aesforge(*words, "--decrypt", "-i", secret, "-o", plain).returncode == 0
        assert plain.read_bytes() == data


@slow
def test_run_makes_and_verifies_tags(tmp_path: Path) -> None:
    words = ("run", "kakarlapudi-sbox", "keys=128", "mode=cmac", "--key", KEY[128])
    message, target = b"some text of thirty-four bytes, 34", tmp_path / "out"
    for bits in (128, 64):
        size = ("--tag-bits", bits)
        authenticator = CMAC(algorithms.AES(bytes.fromhex(KEY[128])))
        authenticator.update(message)
        tag = authenticator.finalize()[: bits // 8]
        assert aesforge(*words, *size, stdin=message).stdout == tag
        done = aesforge(*words, *size, "--decrypt", "-o", target, stdin=message + tag)
        assert (done.returncode, target.read_bytes()) == (0, message)
        target.unlink()
        forged = bytes([message[0] ^ 1]) + message[1:]
        for wrong in (forged + tag, message + tag[:-1] + bytes([tag[-1] ^ 128]), tag):
            done = aesforge(*words, *size, "--decrypt", "-o", target, stdin=wrong)
            assert done.returncode == 1
            assert b"the tag is wrong" in done.stderr
            assert not target.exists()
    short = aesforge(*words, "--decrypt", stdin=b"short")
    assert short.returncode == 2
    assert b"followed by its tag" in short.stderr


@slow
@pytest.mark.parametrize("mode", ["kw", pytest.param("kwp", marks=slow)])
def test_run_wraps_keys(mode: str, tmp_path: Path) -> None:
    words = ("run", "kakarlapudi-sbox", "keys=128", f"mode={mode}", "--key", KEY[128])
    text, key, target = bytes(range(40)), bytes.fromhex(KEY[128]), tmp_path / "out"
    text = text if mode == "kw" else text[:37]
    made = keywrap.aes_key_wrap if mode == "kw" else keywrap.aes_key_wrap_with_padding
    secret = made(key, text)
    assert aesforge(*words, stdin=text).stdout == secret
    assert aesforge(*words, "--decrypt", stdin=secret).stdout == text
    for place in ((), ("-o", target)):
        done = aesforge(*words, "--decrypt", *place, stdin=secret[:-1] + b"x")
        assert (done.returncode, done.stdout) == (1, b"")
        assert b"the integrity value is wrong" in done.stderr
        assert not target.exists()


@slow
def test_run_encrypts_where_a_nonce_may_be_repeated(tmp_path: Path) -> None:
    aad, target = tmp_path / "aad", tmp_path / "out"
    aad.write_bytes(b"a header")
    iv, key, text = "00" * 12, bytes.fromhex(KEY[128]), b"some text of thirty-four bytes, 34"
    words = ("run", "kakarlapudi-sbox", "keys=128", "mode=gcm-siv", "payload_bytes=64")
    words = (*words, "--key", KEY[128], "--iv", iv, "--aad", aad)
    secret = AESGCMSIV(key).encrypt(bytes(12), text, b"a header")
    assert aesforge(*words, stdin=text).stdout == secret
    assert aesforge(*words, "--decrypt", stdin=secret).stdout == text
    for place in ((), ("-o", target)):
        done = aesforge(*words, "--decrypt", *place, stdin=secret[:-1] + b"x")
        assert (done.returncode, done.stdout) == (1, b"")
        assert b"the tag is wrong" in done.stderr
        assert not target.exists()
    for more, says in (
        (("--tag-bits", "96"), b"a tag of gcm-siv has 128 bits"),
        (("-i", "README.md"), b"choose a larger payload_bytes="),
    ):
        done = aesforge(*words, *more, stdin=text)
        assert done.returncode == 2
        assert says in done.stderr


@pytest.mark.parametrize("iv", ["000102030405060708090a0b", pytest.param("00" * 20, marks=slow)])
def test_run_encrypts_and_authenticates(iv: str, tmp_path: Path) -> None:
    aad, plain, secret = (tmp_path / name for name in ("aad", "plain", "secret"))
    header, text = b"a header", b"some text of thirty-four bytes, 34"
    aad.write_bytes(header)
    words = ("run", "kakarlapudi-sbox", "keys=128", "mode=gcm", "--key", KEY[128], "--iv", iv)
    words = (*words, "--aad", aad)
    wanted = AESGCM(bytes.fromhex(KEY[128])).encrypt(bytes.fromhex(iv), text, header)
    assert aesforge(*words, stdin=text).stdout == wanted
    short = aesforge(*words, "--tag-bits", "96", stdin=text).stdout
    assert short == wanted[:-4]
    secret.write_bytes(wanted)
    assert aesforge(*words, "--decrypt", "-i", secret, "-o", plain).returncode == 0
    assert plain.read_bytes() == text
    plain.unlink()
    forged = bytes([wanted[0] ^ 1]) + wanted[1:]
    for target in ((), ("-o", plain)):
        done = aesforge(*words, "--decrypt", *target, stdin=forged)
        assert (done.returncode, done.stdout) == (1, b"")
        assert b"the tag is wrong" in done.stderr
        assert not plain.exists()


def test_run_streams_through_pipes() -> None:
    words = ("run", "kakarlapudi-sbox", "mode=ctr", "--key", KEY[128], "--iv", IV)
    done = aesforge(*words, stdin=b"some text")
    assert done.stdout == expect("ctr", 128, b"some text")
    assert aesforge(*words).stdout == b""


@slow
def test_a_mebibyte_runs_in_bounded_time_and_memory(tmp_path: Path) -> None:
    words = ("run", "kakarlapudi-sbox", "mode=ecb", "--key", KEY[128])
    source, target = tmp_path / "in", tmp_path / "out"
    peaks, seconds = [], []
    for size in (1 << 16, 1 << 20):
        source.write_bytes(os.urandom(size))
        code = (
            "import resource, sys; from aesforge.cli.main import main; "
            "main(); print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
        )
        start = time.monotonic()
        done = subprocess.run(
            [sys.executable, "-c", code, *words, "-i", source, "-o", target],
            capture_output=True,
            check=True,
        )
        seconds.append(time.monotonic() - start)
        assert target.read_bytes() == expect("ecb", 128, source.read_bytes())
        peaks.append(int(done.stdout.split()[-1]))
    # The first may have had to compile the core.
    assert seconds[1] < 60
    assert peaks[1] < peaks[0] + 8 * 1024  # KiB
