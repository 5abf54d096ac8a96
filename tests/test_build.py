"""Bundles: complete, right by their own testbench, and never in the way of what is there."""

import errno
import json
import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import needs
import pyslang
import pytest
import yaml
from click.testing import CliRunner
from pygments.lexers import VhdlLexer
from suite import slow

from aesforge.cli.main import cli
from aesforge.core import bundle, sources
from aesforge.core.bundle import top_name
from aesforge.core.contract import CIPHER
from aesforge.errors import UserError
from aesforge.flows.build import _reserved, build, elaborated
from aesforge.space.axes import Config
from aesforge.space.presets import preset
from aesforge.space.promises import promised
from aesforge.tools import verilator

PRESET = preset("kakarlapudi-sbox")
COMMAND = "aesforge build kakarlapudi-sbox -o core"
CHOICES = [
    (),
    ("keys=128", "direction=encrypt", "sbox=tower"),
    ("keys=192", "direction=decrypt"),
    ("keys=256",),
    ("keys=192", "direction=encrypt", "port=word32"),
]


def make(out: Path, *choices: str, force: bool = False, name: str | None = None) -> str:
    """A bundle in `out`; the name of its top module."""
    config = PRESET.configure(choices)
    return str(build(PRESET, config, out, COMMAND, force, name)["top"])


def part(folder: Path, top: str, module: str) -> Path:
    """The file of one of our modules in a bundle."""
    return folder / "rtl" / f"{top}_{module.removeprefix('aes_')}.sv"


def contents(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


# Its own testbench ------------------------------------------------------------------------------


def run(*command: str, cwd: Path, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        cwd=cwd,
        env={**os.environ, **env},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )


def monitor(folder: Path) -> tuple[str, ...]:
    """The monitor of the contract, where the bundle has one."""
    return tuple(f"formal/{path.name}" for path in (folder / "formal").glob("*_contract.sv"))


def with_icarus(folder: Path, top: str) -> subprocess.CompletedProcess[str]:
    """Compile and run as the datasheet says."""
    bench = ("-s", f"{top}_tb", "-c", f"{top}.f", *monitor(folder), f"tb/{top}_tb.sv")
    built = run(needs.iverilog(), "-g2012", "-Wall", "-o", "sim.vvp", *bench, cwd=folder)
    assert (built.returncode, built.stdout) == (0, "")
    return run("vvp", "sim.vvp", cwd=folder)


def with_verilator(folder: Path, top: str) -> subprocess.CompletedProcess[str]:
    """As the datasheet says, with all warnings on, and compiled in haste."""
    files = ("-f", f"{top}.f", *monitor(folder), f"tb/{top}_tb.sv")
    bench = ("--top-module", f"{top}_tb", *files, "-o", "sim")
    flags = ("-Wall", "-CFLAGS", "-std=gnu++20")
    env = {
        **verilator.environment(),
        "MAKEFLAGS": "OPT_FAST=-O0 OPT_GLOBAL=-O0 VM_PARALLEL_BUILDS=0",
    }
    built = run("verilator", "--binary", *flags, *bench, cwd=folder, **env)
    assert (built.returncode, "%Warning" in built.stdout) == (0, False), built.stdout
    return run("obj_dir/sim", cwd=folder)


Simulate = Callable[[Path, str], subprocess.CompletedProcess[str]]


@pytest.mark.parametrize(
    "choices",
    [c if c in (CHOICES[1], CHOICES[-1]) else pytest.param(c, marks=slow) for c in CHOICES],
    ids=lambda choices: " ".join(choices) or "default",
)
def test_bundle_passes_its_testbench_in_icarus(choices: tuple[str, ...], tmp_path: Path) -> None:
    done = with_icarus(tmp_path / "core", make(tmp_path / "core", *choices))
    assert done.returncode == 0, done.stdout
    assert "PASS" in done.stdout
    assert "FAIL" not in done.stdout


@slow
def test_bundle_passes_its_testbench_in_verilator(tmp_path: Path) -> None:
    choices = ("keys=128", "direction=encrypt", "sbox=tower")
    done = with_verilator(tmp_path / "core", make(tmp_path / "core", *choices))
    assert done.returncode == 0, done.stdout
    assert "PASS" in done.stdout


@slow
@pytest.mark.parametrize(
    ("choices", "simulate"),
    [((), with_icarus), ((), with_verilator), (("sboxes=1",), with_icarus)],
)
def test_bundle_has_the_port_that_selects_sboxes(
    choices: tuple[str, ...], simulate: Simulate, tmp_path: Path
) -> None:
    core = preset("fan")
    found = build(core, core.configure(choices), tmp_path / "core", COMMAND, False, None)
    text = (tmp_path / "core" / "rtl" / f"{found['top']}.sv").read_text(encoding="utf-8")
    assert re.search(r"input +logic \[1:0\] +in_sboxes_i,", text)
    done = simulate(tmp_path / "core", found["top"])
    assert done.returncode == 0, done.stdout
    assert "PASS" in done.stdout


# What is broken, and what the testbench says of it.
BROKEN = {
    "ShiftRows turns a row too far": (
        ("aes_shift_rows", "- OFFSET : OFFSET)", "- OFFSET : OFFSET + 1)"),
        "a wrong result",
    ),
    "Rcon is wrong": (("aes_key_expansion", "8'h01", "8'h02"), "a wrong result"),
    "a result does not hold": (
        ("aes_iterative", "|| (valid_q && !out_ready_i)", ""),
        "a result was withdrawn",
    ),
    "a result comes twice": (
        ("aes_iterative", "(valid_q && !out_ready_i)", "(valid_q && !in_valid_i)"),
        "a result that no block asked for",
    ),
    "a key is used before it is there": (
        ("aes_iterative", "loaded && !clearing", "!clearing"),
        "ready for a block without a key",
    ),
    "a block waits a clock too long": (
        ("aes_iterative", "!running_q && (!valid_q || out_ready_i)", "!running_q && !valid_q"),
        "not the promised interval",
    ),
    "no block is ever taken": (("aes_iterative", "loaded && ", "1'b0 && "), "nothing happens"),
    "a clear leaves a block": (
        ("aes_iterative", "if (!rst_ni || clearing) begin", "if (!rst_ni) begin"),
        "a result that no block asked for",
    ),
}


@pytest.mark.parametrize("fault", BROKEN)
def test_testbench_refuses_a_broken_core(fault: str, tmp_path: Path) -> None:
    (module, right, wrong), says = BROKEN[fault]
    top = make(tmp_path / "core")
    path = part(tmp_path / "core", top, module)
    text = path.read_text(encoding="utf-8")
    assert text.count(right) == 1
    path.write_text(text.replace(right, wrong), encoding="utf-8")
    done = with_icarus(tmp_path / "core", top)
    assert done.returncode != 0
    assert "PASS" not in done.stdout
    assert f": {says}" in done.stdout


PACKETS = (
    ("keys=128", "mode=ecb,cbc,cmac"),
    ("keys=192", "direction=decrypt", "mode=cbc_cs1,cbc_cs3"),
    ("keys=128", "direction=encrypt", "mode=ctr,cfb8", "counter_bits=8", "idle_output=zero"),
    ("keys=256", "mode=cbc_cs2"),
    ("mode=ofb,cfb128", "streams=2"),
    ("keys=any", "direction=encrypt", "mode=gcm,gmac"),
    ("keys=128", "mode=ecb,cbc,cmac", "port=axi-stream"),
    ("keys=128", "mode=gcm", "lanes=2", "hold=on", "hold_bytes=64", "port=axi-stream"),
    ("keys=128", "mode=kw,kwp", "semiblocks=4"),
    ("keys=128", "mode=ecb,gcm", "port=axi-lite"),
    ("keys=128", "mode=ctr", "port=apb"),
    ("keys=128", "mode=ctr,xts", "port=wishbone", "stream_port=on"),
    ("keys=256", "mode=xts", "port=wishbone"),
    ("keys=128", "direction=encrypt", "mode=ccm", "port=tl-ul"),
)


@slow
@pytest.mark.parametrize("choices", PACKETS, ids=" ".join)
def test_bundle_of_a_mode_passes_its_testbench(choices: tuple[str, ...], tmp_path: Path) -> None:
    top = make(tmp_path / "core", *choices)
    done = with_icarus(tmp_path / "core", top)
    assert (done.returncode, done.stdout.count("PASS")) == (0, 1), done.stdout


@slow
def test_bundle_of_a_mode_passes_in_verilator(tmp_path: Path) -> None:
    done = with_verilator(tmp_path / "core", make(tmp_path / "core", *PACKETS[0]))
    assert (done.returncode, done.stdout.count("PASS")) == (0, 1), done.stdout


@pytest.mark.parametrize(
    ("module", "right", "wrong"),
    [
        pytest.param(
            "aes_cbc", "assign chain_o = data_i;", "assign chain_o = chain_i;", marks=slow
        ),
        pytest.param("aes_cmac", "last_whole ? key_1 : key_2", "key_2", marks=slow),
    ],
)
def test_testbench_of_packets_refuses_a_broken_mode(
    module: str, right: str, wrong: str, tmp_path: Path
) -> None:
    top = make(tmp_path / "core", *PACKETS[0])
    path = part(tmp_path / "core", top, module)
    text = path.read_text(encoding="utf-8")
    assert text.count(right) == 1
    path.write_text(text.replace(right, wrong), encoding="utf-8")
    done = with_icarus(tmp_path / "core", top)
    assert done.returncode != 0
    assert "a wrong beat" in done.stdout


def test_datasheet_of_a_mode_says_what_it_does_not_give(tmp_path: Path) -> None:
    top = make(tmp_path / "core", *PACKETS[0])
    text = (tmp_path / "core" / f"{top}.md").read_text(encoding="utf-8")
    assert "Equal blocks of plaintext give equal blocks of ciphertext" in text
    assert "does not authenticate" in text
    assert "nothing reports it" in text
    assert "| 128 | cbc, encrypt | 11 for a beat |" in text
    assert "{{" not in text


def test_datasheet_of_lanes_has_the_width_of_its_streams(tmp_path: Path) -> None:
    top = make(tmp_path / "core", "keys=128", "mode=ctr", "lanes=4", "port=axi-stream")
    text = (tmp_path / "core" / f"{top}.md").read_text(encoding="utf-8")
    assert "| `s_axis_tdata` | 512 | input |" in text
    assert "| `m_axis_tkeep` | 64 | output |" in text
    assert "A beat is 4 blocks, the first one in the low bits" in text
    assert "`s_axis_tkeep = 64'hffff`, last" in text


def test_testbench_measures_the_promises_of_the_configuration() -> None:
    for config in PRESET.configurations():
        text = "\n".join(bundle.Scenario.of(config).lines)
        for bits in config.key_sizes:
            promise = promised(config, bits)
            clocks = (promise.latency, promise.interval, promise.per, promise.key_setup)
            assert f"promise({', '.join(map(str, clocks))});" in text
        for direction in ("encrypt", "decrypt"):
            assert (f"{direction}({config.block}'h" in text) == (direction in config.directions)


# What is in it ----------------------------------------------------------------------------------


def test_bundle_has_what_it_needs_and_says_what_made_it(tmp_path: Path) -> None:
    folder = tmp_path / "core"
    document = build(PRESET, PRESET.config, folder, COMMAND, False, None)
    present = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    assert set(document["files"]) == present
    top = document["top"]
    assert (top, document["prefix"]) == ("aes_kakarlapudi_sbox_any_both_table", f"{top}_")
    assert document["config"] == Config().as_dict()
    used = {path.stem: path for path in elaborated(PRESET.config)}
    assert {"aes_iterative", "aes_sbox_lut", "aes_pkg", "aes_gf_pkg"} < used.keys()
    assert not {"aes_cipher", "aes_sbox_tower", "aes_tbox", "aes_tower_pkg"} & used.keys()
    copied = {str(part(folder, top, name).relative_to(folder)): used[name] for name in used}
    assert present >= copied.keys()
    assert len([name for name in present if name.startswith("rtl/")]) == len(used) + 1
    for name in present - copied.keys() - {"LICENSE", *monitor(folder)}:
        text = (folder / name).read_text(encoding="utf-8")
        assert COMMAND in text.splitlines()[0], name
        # No name is left to fill in, and nothing says where it was made.
        assert not re.search(r"\{\{\w+\}\}", text), name
        assert str(tmp_path) not in text
        assert text.isascii()
    for name, path in copied.items():
        text = (folder / name).read_text(encoding="utf-8")
        assert text.replace(f"{top}_", "aes_") == sources.text(path)
        assert "`include" not in text, "no tool needs an include path"


@pytest.mark.parametrize(("sbox", "lines"), [("shallow", 1), ("table", 0)])
def test_what_a_user_must_know_of_a_choice_is_one_line(
    sbox: str, lines: int, tmp_path: Path
) -> None:
    command = ["build", "aesforge-iterative", f"sbox={sbox}", "-o", str(tmp_path / "core")]
    done = CliRunner().invoke(cli, command)
    assert done.exit_code == 0
    found = [line for line in done.stdout.splitlines() if line.startswith("Note: ")]
    assert len(found) == lines
    assert all("US 11,943,332 and EP 3957023" in line for line in found)


def test_same_command_makes_the_same_bytes(tmp_path: Path) -> None:
    make(tmp_path / "a")
    make(tmp_path / "b")
    for path, data in contents(tmp_path / "a").items():
        assert (tmp_path / "b" / path.relative_to(tmp_path / "a")).read_bytes() == data


def test_top_has_the_ports_of_the_contract_and_its_choices_fixed(tmp_path: Path) -> None:
    top = make(tmp_path / "core", "keys=192", "direction=decrypt", "sbox=tower")
    text = (tmp_path / "core" / "rtl" / f"{top}.sv").read_text(encoding="utf-8")
    assert top == "aes_kakarlapudi_sbox_192_decrypt_tower"
    found = re.findall(r"^  (input|output) +logic +(?:\[(\d+):0\])? +(\w+)", text, re.M)
    assert [(name, int(high or 0) + 1, way) for way, high, name in found] == [
        (port.name, port.width, port.direction) for port in CIPHER.ports
    ]
    parameters = dict(re.findall(r"\.([A-Z]\w+) +\((\S+)\)", text))
    assert parameters == {
        "KeyBits": "192",
        "BlockBits": "128",
        "Direction": f"{top}_pkg::DIRECTION_DECRYPT",
        "Round": f"{top}_pkg::ROUND_SBOX",
        "Sbox": f"{top}_pkg::SBOX_TOWER",
    }
    assert f"{top}_iterative #(" in text, "the core itself, without a chooser"
    assert "parameter" not in text


def test_file_list_and_fusesoc_core_name_every_source_in_order(tmp_path: Path) -> None:
    top = make(tmp_path / "core")
    parts = [part(tmp_path / "core", top, path.stem).name for path in elaborated(PRESET.config)]
    wanted = [f"rtl/{name}" for name in (*parts, f"{top}.sv")]
    lines = (tmp_path / "core" / f"{top}.f").read_text(encoding="utf-8").splitlines()
    assert lines[1:] == wanted
    text = (tmp_path / "core" / f"{top}.core").read_text(encoding="utf-8")
    # FuseSoC wants its mark to be the first word.
    assert text.split()[0] == "CAPI=2:"
    core = yaml.safe_load(text)
    assert core["name"].split(":")[2] == top
    assert core["filesets"]["rtl"]["files"] == wanted
    for fileset in core["filesets"].values():
        for name in fileset["files"]:
            assert (tmp_path / "core" / name).is_file()
    for target in core["targets"].values():
        assert target["toplevel"] in (top, f"{top}_tb")
        for name in target["filesets"]:
            assert re.sub(r".*\((\w+)\)", r"\1", name) in core["filesets"]


def test_vhdl_component_has_exactly_the_ports_of_the_contract(tmp_path: Path) -> None:
    top = make(tmp_path / "core")
    text = (tmp_path / "core" / "vhdl" / f"{top}_component.vhd").read_text(encoding="utf-8")
    assert f"component {top} is" in text
    code = re.sub(r"--.*", "", text)
    ports = code.split("port (")[1].split("\n    );")[0]
    found = []
    for line in ports.split(";"):
        match = re.fullmatch(
            r"\s*(\w+)\s*: (in|out) +std_logic(?:_vector\((\d+) downto 0\))?\s*", line
        )
        assert match, line
        found.append((match[1], int(match[3] or 0) + 1, f"{match[2]}put"))
    assert found == [(port.name, port.width, port.direction) for port in CIPHER.ports]
    template = (tmp_path / "core" / "vhdl" / f"{top}.vho").read_text(encoding="utf-8")
    for port in CIPHER.ports:
        assert re.search(rf"\b{port.name} +=> {port.name}\b", template)


def test_datasheet_states_ports_promises_and_byte_order(tmp_path: Path) -> None:
    top = make(tmp_path / "core", "keys=256")
    text = (tmp_path / "core" / f"{top}.md").read_text(encoding="utf-8")
    for port in CIPHER.ports:
        assert f"| `{port.name}` | {port.width} | {port.direction} |" in text
    assert "| 256 bits | 15 | 15 | 30 |" in text
    assert "128'h8ea2b7ca516745bfeafc49904b496089" in text
    waves = json.loads(text.split("```json\n")[1].split("```")[0])
    assert len({len(signal["wave"]) for signal in waves["signal"]}) == 1
    assert waves["foot"]["text"] == "key in cycle 0, block in cycle 31, result in cycle 46"


# The folder -------------------------------------------------------------------------------------


def test_second_build_without_force_leaves_the_folder_alone(tmp_path: Path) -> None:
    make(tmp_path / "core")
    before = contents(tmp_path)
    with pytest.raises(UserError, match="--force"):
        make(tmp_path / "core", "keys=128")
    assert contents(tmp_path) == before


def test_force_replaces_a_bundle_and_keeps_what_is_not_part_of_it(tmp_path: Path) -> None:
    old = make(tmp_path / "core")
    (tmp_path / "core" / "build").mkdir()
    (tmp_path / "core" / "build" / "mine.txt").write_text("mine")
    (tmp_path / "core" / "link").symlink_to("build")
    top = make(tmp_path / "core", "keys=128", force=True)
    assert (tmp_path / "core" / f"{top}.md").is_file()
    assert not (tmp_path / "core" / f"{old}.md").exists()
    assert (tmp_path / "core" / "build" / "mine.txt").read_text() == "mine"
    assert (tmp_path / "core" / "link").is_symlink()
    assert list(tmp_path.iterdir()) == [tmp_path / "core"]


def test_force_keeps_files_of_others(tmp_path: Path) -> None:
    (tmp_path / "core").mkdir()
    (tmp_path / "core" / "notes.txt").write_text("mine")
    before = contents(tmp_path)
    with pytest.raises(UserError, match="--force"):
        make(tmp_path / "core")
    assert contents(tmp_path) == before
    make(tmp_path / "core", force=True)
    assert (tmp_path / "core" / bundle.MANIFEST).is_file()
    assert (tmp_path / "core" / "notes.txt").read_text() == "mine"


def test_a_manifest_that_cannot_be_read_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "core").mkdir()
    (tmp_path / "core" / bundle.MANIFEST).write_text("mine")
    before = contents(tmp_path)
    with pytest.raises(UserError, match="another folder"):
        make(tmp_path / "core", force=True)
    assert contents(tmp_path) == before


def test_empty_folder_is_taken(tmp_path: Path) -> None:
    (tmp_path / "core").mkdir()
    make(tmp_path / "core")
    assert (tmp_path / "core" / bundle.MANIFEST).is_file()
    assert list(tmp_path.iterdir()) == [tmp_path / "core"]


def test_parents_are_made(tmp_path: Path) -> None:
    make(tmp_path / "a" / "b" / "core")
    assert (tmp_path / "a" / "b" / "core" / bundle.MANIFEST).is_file()


def test_a_file_is_not_a_folder(tmp_path: Path) -> None:
    (tmp_path / "core").write_text("mine")
    for out in (tmp_path / "core", tmp_path / "core" / "below"):
        with pytest.raises(UserError, match="with -o"):
            make(out)
    assert contents(tmp_path) == {tmp_path / "core": b"mine"}


def test_failure_on_the_way_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path / "core")
    before = contents(tmp_path)
    write = Path.write_text

    def full(path: Path, text: str, **options: str) -> int:
        if path.suffix == ".core":
            raise OSError(28, "No space left on device")
        return write(path, text, **options)

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(UserError, match="No space left on device; choose another place with -o"):
        make(tmp_path / "core", force=True)
    assert contents(tmp_path) == before


def test_unwritable_place_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Not by its mode, which does not stop root.
    def refused(path: object, *_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    monkeypatch.setattr(os, "mkdir", refused)
    with pytest.raises(UserError, match="Permission denied; choose another place with -o"):
        make(tmp_path / "core")
    assert contents(tmp_path) == {}


@pytest.mark.parametrize("name", ["", "Aes", "1aes", "aes core", "aes__core", "aes_", "../aes"])
def test_names_that_a_language_refuses_are_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot name a module"):
        make(tmp_path / "core", name=name)
    assert contents(tmp_path) == {}


@pytest.mark.parametrize(
    ("name", "languages"),
    [("logic", "SystemVerilog"), ("entity", "VHDL"), ("signal", "VHDL"), ("case", "S.* and VHDL")],
)
def test_reserved_words_are_refused(name: str, languages: str, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=f"reserved word of {languages}; .* my_{name}"):
        make(tmp_path / "core", name=name)
    assert contents(tmp_path) == {}


def test_reserved_words_are_those_that_slang_and_a_vhdl_lexer_know() -> None:
    def keyword(kind: str) -> str:
        return kind.removesuffix("Keyword").replace("_", "").lower()

    own = {word.replace("_", "") for word in _reserved()["SystemVerilog"]}
    kinds = pyslang.parsing.TokenKind.__members__
    assert own == {keyword(kind) for kind in kinds if kind.endswith("Keyword")}
    # Pygments has those of 1993, 2002 and 2008 in part; its other words are types.
    words = {text for words, _ in VhdlLexer.tokens["keywords"] for text in words.words}
    assert words - set(_reserved()["VHDL"]) == set()


def test_name_of_a_module_inside_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="give the top another --name"):
        make(tmp_path / "core", name="aes_cipher")
    assert make(tmp_path / "core", name="my_aes") == "my_aes"
    assert (tmp_path / "core" / "rtl" / "my_aes.sv").is_file()


@pytest.mark.parametrize(
    ("prefix", "says"),
    [("", "cannot begin"), ("1a", "cannot begin"), ("a-b", "cannot begin"), ("my_", "'my_sbox'")],
)
def test_a_prefix_that_makes_no_names_is_refused(prefix: str, says: str, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=says):
        build(PRESET, PRESET.config, tmp_path / "core", COMMAND, False, "my_sbox", prefix)
    assert contents(tmp_path) == {}


def test_two_switches_make_two_names() -> None:
    found = preset("aesforge-iterative")
    choices = ("sideload=on", "stream_port=on")
    made = [found.configure(["mode=ctr", "port=apb", choice]) for choice in choices]
    names = [top_name(found, config) for config in made]
    assert [name.rpartition("_apb_")[2] for name in names] == ["sideload", "stream_port"]
