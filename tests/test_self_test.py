"""The power-up self-test: in the design space, proven, in bundles, and around broken cores."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from suite import slow
from test_build import with_icarus

from aesforge.core import model, stack
from aesforge.errors import UserError
from aesforge.flows.build import build
from aesforge.flows.inject import inject
from aesforge.flows.prove import prove
from aesforge.flows.verify import verify
from aesforge.proof import layers
from aesforge.proof.faults import FAULTS, Fault
from aesforge.proof.mutants import faulty
from aesforge.sim import player
from aesforge.sim.bench import Bench
from aesforge.space.axes import Config
from aesforge.space.presets import ciphers, preset
from aesforge.space.promises import opening_cycles, promised

FAULTY = [fault for fault in FAULTS if fault.file == "aes_self_test"]


def configured(name: str, *choices: str) -> Config:
    return preset(name).configure(["self_test=on", *choices])


@pytest.mark.parametrize("name", ciphers())
def test_every_preset_may_have_it(name: str) -> None:
    config = configured(name)
    assert config.core == preset(name).config
    assert "failed_o" in [port.name for port in stack.contract(config).ports]
    bits = config.key_sizes[0]
    assert promised(config, bits) == promised(config.core, bits)
    assert opening_cycles(config) > 0
    assert opening_cycles(config.core) == 0


@pytest.mark.parametrize(
    ("choices", "says"),
    [
        (("block=192",), "blocks of 128 bits: leave out block=192"),
        (("mode=xts",), "around one core, and mode=xts has two"),
        (("mode=ctr", "lanes=2"), "around one core yet: leave out lanes=2"),
        (("mode=cbc", "port=axi-lite"), "port=axi-lite has no register for yet"),
    ],
)
def test_what_has_no_test_is_refused(choices: tuple[str, ...], says: str) -> None:
    with pytest.raises(UserError, match=says):
        configured("kakarlapudi-sbox", *(() if "block=192" in choices else ("keys=128",)), *choices)


def test_flips_are_refused() -> None:
    with pytest.raises(UserError, match="leave out self_test=on"):
        inject(preset("aesforge-nano"), configured("aesforge-nano"), 0, 1, 1, None)


@pytest.mark.parametrize(
    "words",
    [
        "aesforge-nano",
        *(
            pytest.param(words, marks=slow)
            for words in (
                "aesforge-compact protection=fault",
                "fan",
                "sklavos-ake key_schedule=given",
                "kakarlapudi-sbox keys=128",
                "aesforge-interleaved-universal keys=any stages=6 sbox_registers=3",
                "aesforge-unrolled",
                "aesforge-nano mode=cmac",
                "aesforge-nano port=word32",
            )
        ),
    ],
)
def test_a_right_core_passes(words: str) -> None:
    name, *choices = words.split()
    found = verify(preset(name), configured(name, *choices), blocks=100)
    assert found["holds"], found


# What the page says -----------------------------------------------------------------------------

PAGE = (Path(__file__).resolve().parents[1] / "docs" / "self-test.md").read_text(encoding="utf-8")
CYCLES = re.findall(r"^\| `([^`]+)`[^|]*\| (\d+) cycles \| (\d+) \|$", PAGE, re.MULTILINE)


def opened(words: str) -> str:
    """What the check of the promised cycles says of a core; it must hold."""
    name, *choices = words.split()
    found = verify(preset(name), configured(name, *choices), only=("known_answers",))
    assert found["holds"], found
    return str(found["checks"][0]["detail"])


@pytest.mark.parametrize(
    ("words", "promise", "cycles"),
    [
        pytest.param(*row, marks=() if row[0] == "aesforge-nano" else slow, id=row[0])
        for row in CYCLES
    ],
)
def test_a_key_is_accepted_after_the_cycles_of_the_page(
    words: str, promise: str, cycles: str
) -> None:
    name, *choices = words.split()
    assert opening_cycles(configured(name, *choices)) == int(promise)
    assert opened(words) == f"a key is accepted at most {cycles} cycles after a reset"


@slow
@pytest.mark.parametrize("name", ciphers())
def test_every_preset_opens_in_the_promised_cycles(name: str) -> None:
    opened(name)


def test_the_answers_use_as_many_inputs_of_the_sbox(monkeypatch: pytest.MonkeyPatch) -> None:
    """SubBytes and SubWord of the examples of FIPS 197, C.1 to C.3."""
    used: set[int] = set()

    def sub_bytes(state: bytes) -> bytes:
        used.update(state)
        return state.translate(model.SBOX)

    monkeypatch.setattr(model, "sub_bytes", sub_bytes)
    found: list[set[int]] = []
    for bits in (128, 192, 256):
        used.clear()
        model.cipher(bytes.fromhex("00112233445566778899aabbccddeeff"), bytes(range(bits // 8)))
        found.append(set(used))
    each = [len(one) for one in found]
    assert f"use {each[0]}, {each[1]} or {each[2]} of the 256 inputs" in PAGE
    assert f"all three together {len(set().union(*found))}," in PAGE


# Broken cores -----------------------------------------------------------------------------------


def broken(name: str, module: str, old: str, new: str, folder: Path, *choices: str) -> Bench:
    """A core with a substitution in one source, compiled."""
    config = configured(name, *choices)

    def one(path: Path) -> Path:
        text = path.read_text(encoding="utf-8")
        if path.stem != module:
            return path
        assert text.count(old) == 1, text
        changed = folder / path.name
        changed.write_text(text.replace(old, new), encoding="utf-8")
        return changed

    model = player.compiled(
        stack.contract(config), stack.parameters(config), tuple(map(one, stack.sources(config)))
    )
    return Bench(config, model, 10, 1)


def gives_nothing(bench: Bench) -> bool:
    """Whether no key, block or result is transferred in four times the cycles of the test."""
    script = bench.script

    def whole() -> Iterator[bytes]:
        size = bench.config.key_sizes[0] // 8
        decrypt = bench.config.direction == "decrypt"
        for _ in range(2):
            yield bench.key(bytes(size)) + bench.block(bytes(16), decrypt)
            yield script.tick(2 * opening_cycles(bench.config)) + script.pulse("key_clear_i", 1)

    board = bench.watch(whole())
    return not board.keyed and not board.accepted and not board.offered


SBOX = (
    "aes_sbox_lut",
    "assign data_o = aes_pkg::decrypts(Direction, inverse_i) ? inverse : forward;",
)
RESULT = "assign out_data_o = gen_round[LAST].data"
STATE = "aes_iterative_overlap_otf", f"{RESULT};"


@pytest.mark.parametrize(
    ("module", "old", "new", "right"),
    [
        (*STATE, f"{RESULT};", True),
        (*STATE, f"{RESULT} | 128'd1;", False),
        (*SBOX, "assign data_o = forward ^ 8'(data_i == 8'h00);", False),
        pytest.param(*SBOX, "assign data_o = forward | 8'h80;", False, marks=slow),
        pytest.param(
            *STATE,
            f"{RESULT} & ~(128'd1 << 127 >> 1);",
            False,
            marks=slow,
        ),
    ],
    ids=["right", "bit stuck at 1", "wrong S-box entry", "stuck S-box bit", "bit stuck at 0"],
)
@pytest.mark.parametrize("protection", ["none", pytest.param("fault", marks=slow)])
def test_a_broken_core_gives_nothing(
    module: str, old: str, new: str, right: bool, protection: str, tmp_path: Path
) -> None:
    bench = broken(
        "aesforge-iterative", module, old, new, tmp_path, "keys=128", f"protection={protection}"
    )
    assert gives_nothing(bench) != right


# The layer ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["aesforge-nano", pytest.param("aesforge-compact", marks=slow)])
def test_the_layer_is_proven_around_any_core(name: str) -> None:
    found = prove(name, configured(name), only=["aes_self_test"])
    assert found["holds"], found
    names = {claim["name"] for claim in found["claims"]}
    assert {f"aes_self_test {what}" for what in ("contract", "timing", "clear")} <= names


@pytest.mark.parametrize(
    "fault",
    [pytest.param(fault, marks=slow if at else ()) for at, fault in enumerate(FAULTY)],
    ids=str,
)
def test_a_fault_of_the_layer_is_not_proven(fault: Fault, tmp_path: Path) -> None:
    given = faulty(fault, tmp_path)
    assert given is not None
    found = layers.claims(given, configured("aesforge-compact"), ["aes_self_test contract"])
    claim = found["aes_self_test contract"]()
    assert not claim.holds
    assert "broken rule" in claim.counterexample["rule"]


# Bundles ------------------------------------------------------------------------------------------


@slow
@pytest.mark.parametrize("words", ["", "protection=fault port=word32", "mode=ctr"])
def test_a_bundle_passes_its_testbench(words: str, tmp_path: Path) -> None:
    config, folder = configured("aesforge-nano", *words.split()), tmp_path / "core"
    build(preset("aesforge-nano"), config, folder, "aesforge build", force=False, name="my_aes")
    done = with_icarus(folder, "my_aes")
    assert (done.returncode, done.stdout.count("PASS")) == (0, 1), done.stdout
