"""The tree keeps its own rules, so that a reader can rely on them."""

import re
from pathlib import Path

import pytest

from aesforge.core import sources
from aesforge.core.contract import CIPHER
from aesforge.space import axes
from aesforge.space.presets import ciphers

ROOT = Path(__file__).resolve().parents[1]
RTL = sources.rtl_root()
FILES = sources.files()
MODULES = [path for path in FILES if not path.stem.endswith("_pkg")]
INCLUDED = sorted(RTL.glob("*/*.svh"))
PROBES = sorted((ROOT / "tests" / "rtl").glob("*/*.sv"))

# For each layer the layers below it from which its modules may instantiate. No engine uses another.
SHARED = ["common", "field", "sbox", "round", "key"]
ENGINES = ["iterative", "interleaved", "unrolled", "serial"]
BELOW = {
    "common": [],
    "field": ["common"],
    "sbox": ["common", "field"],
    "round": ["common", "field", "sbox"],
    "key": ["common", "field", "sbox"],
    **{engine: SHARED for engine in ENGINES},
    "masked": SHARED,
    "cipher": [*SHARED, *ENGINES],
    "ghash": ["common", "field"],
    "mode": ["common", "field", "cipher", "ghash"],
    "protect": ["common", "mode"],
    "bus": ["common", "field", "cipher", "ghash", "mode"],
}

# Numbers that the standards themselves write down; everything else is computed.
MAX_HEX_LITERALS = 6


def name(path: Path) -> str:
    return path.stem


each_file = pytest.mark.parametrize("path", [*FILES, *PROBES], ids=name)
each_source = pytest.mark.parametrize("path", FILES, ids=name)
each_module = pytest.mark.parametrize("path", MODULES, ids=name)


def text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def code(path: Path) -> str:
    return re.sub(r"//.*", "", text(path))


def header(path: Path) -> str:
    """The comment at the head of the file, less the marks."""
    lines = text(path).splitlines()
    end = next(number for number, line in enumerate(lines) if not line.startswith("//"))
    return "\n".join(line[2:].strip() for line in lines[1:end])


# The tree ---------------------------------------------------------------------------------------


def test_list_names_every_source_once() -> None:
    assert sorted(FILES) == sorted(RTL.glob("*/*.sv"))
    assert len(set(FILES)) == len(FILES)


def test_list_is_ordered_by_layer() -> None:
    layers = [path.parent.name for path in FILES]
    assert layers == sorted(layers, key=list(BELOW).index)


@each_source
def test_uses_only_layers_below(path: Path) -> None:
    layer_of = {file.stem: file.parent.name for file in FILES}
    used = set(re.findall(r"\baes_\w+", code(path))) & layer_of.keys() - {path.stem}
    allowed = {path.parent.name, *BELOW[path.parent.name]}
    assert {module: layer_of[module] for module in used if layer_of[module] not in allowed} == {}


@each_source
def test_a_source_follows_what_it_uses(path: Path) -> None:
    order = [file.stem for file in FILES]
    used = set(re.findall(r"\baes_\w+", code(path))) & set(order) - {path.stem}
    assert [module for module in used if order.index(module) > order.index(path.stem)] == []


@each_source
def test_has_a_test(path: Path) -> None:
    # The S-boxes share one test, which finds them by listing the folder.
    stem = "aes_sbox" if sources.is_sbox(path.stem) else path.stem
    assert (ROOT / "tests" / "rtl" / path.parent.name / f"test_{stem}.py").is_file()


def test_tests_have_a_source() -> None:
    known = {f"{path.parent.name}/{path.stem}" for path in (*FILES, *PROBES)}
    tests = {
        f"{p.parent.name}/{p.stem.removeprefix('test_')}"
        for p in (ROOT / "tests" / "rtl").glob("*/test_*.py")
    }
    assert tests - known == set()


# A file -----------------------------------------------------------------------------------------


@each_file
def test_holds_one_module_of_its_name(path: Path) -> None:
    found = re.findall(r"^\s*(module|package)\s+(\w+)", code(path), re.MULTILINE)
    assert found == [("package" if path.stem.endswith("_pkg") else "module", path.stem)]


def test_ports_of_a_core_are_written_once() -> None:
    def ports(text: str) -> set[str]:
        return set(re.findall(r"\b(?:input|output)\s+logic\b.*?(\w+),?\n", text))

    (shared,) = INCLUDED
    wanted = ports(code(shared))
    layers = [path for path in MODULES if path.parent.name in (*ENGINES, "cipher")]
    cores = {path for path in layers if ports(sources.text(path)) >= wanted}
    assert {CIPHER.module, *(preset.config.module for preset in ciphers().values())} <= {
        path.stem for path in cores
    }
    assert [path for path in cores if ports(code(path)) & wanted] == []


@each_file
def test_header_says_licence_purpose_and_latency(path: Path) -> None:
    assert text(path).startswith("// SPDX-License-Identifier: Apache-2.0\n//\n")
    lines = header(path).splitlines()
    assert lines[1].startswith(f"{path.stem}: ")
    assert "." in " ".join(lines[1:4]), "the purpose is a sentence"
    if path not in FILES or path in MODULES:
        assert re.search(r"^Latency(, throughput)?: ", header(path), re.MULTILINE)


@pytest.mark.parametrize("path", INCLUDED, ids=name)
def test_included_file_says_licence_and_purpose(path: Path) -> None:
    assert path.parent == sources.include()
    assert text(path).startswith("// SPDX-License-Identifier: Apache-2.0\n//\n")
    assert header(path).splitlines()[1].startswith(f"{path.stem}: ")


@pytest.mark.parametrize("path", [*FILES, *PROBES, *INCLUDED], ids=name)
def test_is_short_plain_text(path: Path) -> None:
    lines = text(path).splitlines()
    assert text(path).isascii()
    assert text(path).endswith("\n")
    assert [
        line for line in lines if len(line) > 100 or line != line.rstrip() or "\t" in line
    ] == []


@each_module
def test_has_at_most_six_parameters(path: Path) -> None:
    """Of its own: axes that a wrapper, a chooser or a core hands on count where they are used."""
    own = set(re.findall(r"^\s*parameter\b.*?(\w+)\s*=", code(path), re.MULTILINE))
    if re.search(
        r"\bu_(cipher|core|key_source|key_pipeline|key_expansion|packet_state)\b", code(path)
    ):
        own -= {axis.parameter for axis in axes.AXES.values()}
    assert len(own) <= 6


@each_module
def test_documents_every_parameter(path: Path) -> None:
    undocumented = re.findall(r"^(?!\s*///).*\n\s*parameter.*", text(path), re.MULTILINE)
    assert undocumented == []


KNOWN_ANSWERS = ("aes_self_test",)
"""Sources with the examples of the standard, which are not computed: that is what they are for."""


@each_source
def test_computes_its_tables(path: Path) -> None:
    literals = set(re.findall(r"'h([0-9a-f_]+)", code(path)))
    constants = {literal for literal in literals if len(literal) > 1 and literal.strip("0")}
    assert len(constants) <= MAX_HEX_LITERALS
    longest = 64 if path.stem in KNOWN_ANSWERS else 4
    assert [literal for literal in constants if len(literal) > longest] == []
    assert not re.search(r"\bcase\b[^;]*'h[0-9a-f]{2}\s*:", code(path)), "a table in a case"


@each_source
def test_keeps_to_the_portable_subset(path: Path) -> None:
    """What one of the tools refuses (docs/architecture.md)."""
    refused = r"^\s*(import|return|interface|typedef\s+struct|`define)\b|\bassert\s+property\b"
    assert re.findall(refused, code(path), re.MULTILINE) == []


# Everything else --------------------------------------------------------------------------------

TEXTS = [
    path
    for folder, suffixes in {"src": "py", "tests": "py", "docs": "md", "formal": "sv"}.items()
    for path in sorted((ROOT / folder).rglob(f"*.{suffixes}"))
]


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_text_is_ascii_without_trailing_space(path: Path) -> None:
    assert text(path).isascii()
    assert [line for line in text(path).splitlines() if line != line.rstrip()] == []
