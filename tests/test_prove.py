"""The specification is the standard's, proofs hold for the cores, and fail for broken ones."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from suite import slow

from aesforge.core import model
from aesforge.core.sources import files, is_sbox
from aesforge.flows import prove
from aesforge.proof import claims, leaves, mutants, walk
from aesforge.proof.bounded import standard
from aesforge.proof.explore import explore
from aesforge.proof.faults import FAULTS
from aesforge.proof.specification import specification
from aesforge.sim.oracle import ecb
from aesforge.sim.vectors import KNOWN_ANSWER, MULTIBLOCK, cavs
from aesforge.space.axes import BLOCK_BITS, KEY_BITS, Config
from aesforge.space.presets import preset
from aesforge.tools import aiger

CONFIG = Config(keys="128", direction="encrypt", sbox="tower")


def bits(data: bytes, width: int) -> list[int]:
    number = int.from_bytes(data, "big") << width - 8 * len(data)
    return [number >> place & 1 for place in range(width)]


# The other pairs are slow: each specification takes long to make.
EVERYDAY = {(128, False)}


@pytest.mark.parametrize(
    ("size", "decrypt"),
    [
        pytest.param(
            *(size, decrypt),
            id=f"{size}-{'decrypt' if decrypt else 'encrypt'}",
            marks=() if (size, decrypt) in EVERYDAY else slow,
        )
        for size in KEY_BITS
        for decrypt in (False, True)
    ],
)
def test_the_specification_gives_the_published_results(size: int, decrypt: bool) -> None:
    # FIPS 197, appendix C; then NIST's files.
    key, plain = bytes(range(size // 8)), bytes.fromhex("00112233445566778899aabbccddeeff")
    secret = bytes.fromhex(
        {
            128: "69c4e0d86a7b0430d8cdb78070b4c55a",
            192: "dda97ca4864cdfe06eaf70a0ec0d7191",
            256: "8ea2b7ca516745bfeafc49904b496089",
        }[size]
    )
    cases = [(key, secret, plain) if decrypt else (key, plain, secret)]
    for vector in cavs("ecb", KNOWN_ANSWER + MULTIBLOCK, size):
        if vector.decrypt == decrypt:
            for at in range(0, len(vector.data), 16):
                cases.append((vector.key, vector.data[at : at + 16], vector.result[at : at + 16]))
    formula = aiger.read(specification(claims.sources(), size, decrypt))
    lanes = [0] * 384
    for lane, (key, data, _) in enumerate(cases):
        for place, bit in enumerate(bits(key, 256) + bits(data, 128)):
            lanes[place] |= bit << lane
    mask = (1 << len(cases)) - 1
    values = formula.values(lanes, [], mask)
    outputs = [formula.literal(values, literal, mask) for literal in formula.outputs]
    for lane, (_, _, result) in enumerate(cases):
        number = sum((word >> lane & 1) << place for place, word in enumerate(outputs))
        assert number.to_bytes(16, "big") == result


@slow
@pytest.mark.parametrize("decrypt", [False, True])
@pytest.mark.parametrize("size", KEY_BITS)
@pytest.mark.parametrize("block", BLOCK_BITS)
@pytest.mark.parametrize("read", [specification, standard])
def test_a_specification_of_every_block_is_rijndael(
    read: Callable[..., Path], block: int, size: int, decrypt: bool
) -> None:
    """Against the model, which two other implementations check (tests/test_model.py)."""
    rng = random.Random(block + size)
    function = model.inverse_cipher if decrypt else model.cipher
    cases = [(rng.randbytes(size // 8), rng.randbytes(block // 8)) for _ in range(64)]
    formula = aiger.read(read(claims.sources(), size, decrypt, block))
    # The names of inputs and outputs, each with its place in key and block.
    places = {f"key_i[{at}]": at for at in range(256)}
    places |= {f"block_i[{at}]": 256 + at for at in range(block)}
    lanes = [0] * formula.inputs
    for lane, (key, data) in enumerate(cases):
        given = bits(key, 256) + bits(data, block)
        for name, at in formula.input_names.items():
            lanes[at] |= given[places[name]] << lane
    mask = (1 << len(cases)) - 1
    values = formula.values(lanes, [], mask)
    outputs = {
        name: formula.literal(values, formula.outputs[at], mask)
        for name, at in formula.output_names.items()
    }
    for lane, (key, data) in enumerate(cases):
        number = sum((outputs[f"block_o[{at}]"] >> lane & 1) << at for at in range(block))
        assert number.to_bytes(block // 8, "big") == function(data, key)


# The search for this recurrence takes as long as that for all other parts, and so do those for
# longer blocks together.
SLOW = ("aes_next_round_key equiv 192", "aes_next_round_key_long equiv", "aes_round equiv decrypt")
EVERYDAY = "aes_next_round_key_long equiv 192 192"


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=slow if name.startswith(SLOW) and name != EVERYDAY else ())
        for name in leaves.leaves(claims.sources())
    ],
)
def test_a_part_is_what_the_standard_says(name: str) -> None:
    assert leaves.leaves(claims.sources())[name]().holds


def test_every_sbox_has_a_proof() -> None:
    names = list(leaves.leaves(claims.sources()))
    for path in files():
        if is_sbox(path.stem):
            assert any(name.startswith(f"{path.stem} equiv") for name in names)


def test_a_core_is_proven_for_all_keys_and_blocks() -> None:
    document = prove.prove("a core", CONFIG, only=["cipher"])
    assert document["holds"], document
    assert [claim["name"] for claim in document["claims"]] == [
        claims.NETLIST,
        "cipher 128 encrypt runs",
        "cipher 128 encrypt result",
        "cipher 128 encrypt pace",
    ]


def walked(config: Config, states: int, folder: Path) -> str:
    (kind,) = walk.kinds(config)
    machine = claims.core(claims.sources(), config)
    spec = specification(claims.sources(), 128, decrypt=False)
    report = explore(machine, spec, walk.job(config, 128, kind, states, 0), folder)
    return str(report["status"])


@slow
def test_a_register_is_not_freed_where_that_leads_to_more_states(tmp_path: Path) -> None:
    # A batch whose last round is not known would run for ever.
    batch = preset("aesforge-interleaved").configure(["stages=3", "sbox_registers=1"])
    assert walked(batch, 100_000, tmp_path) == "complete"


@slow
def test_a_register_is_not_freed_where_that_leads_to_no_results(tmp_path: Path) -> None:
    # With any value of the line to clear, a clear would never end, and no rule be broken.
    stored = preset("bulens-encrypt").configure(["keys=128", "direction=encrypt"])
    assert walked(stored, 400_000, tmp_path) == "complete"


def broken(fault: str, folder: Path) -> claims.Sources:
    given = mutants.faulty(next(found for found in FAULTS if str(found) == fault), folder)
    assert given is not None
    return given


def test_a_broken_core_fails_with_a_counterexample(tmp_path: Path) -> None:
    wave = tmp_path / "bad.vcd"
    given = broken("aes_round: MixColumns in the last round", tmp_path)
    document = prove.prove("a core", CONFIG, wave=wave, only=["cipher"], given=given)
    assert not document["holds"]
    found = document["claims"][1]["counterexample"]
    key, block = bytes.fromhex(found["key"]), bytes.fromhex(found["block"])
    assert bytes.fromhex(found["expected"]) == ecb(key, False)(block)
    assert found["actual"] != found["expected"]
    text = wave.read_text(encoding="utf-8")
    assert "out_data_o" in text
    assert f"b{int(found['actual'], 16):b} " in text


@pytest.mark.parametrize(
    ("fault", "leaf"),
    [
        ("aes_gf_pkg: the affine constant", "aes_sbox_lut equiv encrypt"),
    ],
)
def test_a_broken_part_fails_with_a_counterexample(fault: str, leaf: str, tmp_path: Path) -> None:
    claim = leaves.leaves(broken(fault, tmp_path))[leaf]()
    assert not claim.holds
    assert claim.counterexample["expected"] != claim.counterexample["actual"]


INTERLEAVED = Config(
    engine="interleaved", stages="4", keys="128", direction="encrypt", sbox="table"
)


@pytest.mark.parametrize(
    ("config", "fault", "rule"),
    [
        pytest.param(
            *(CONFIG, "aes_iterative: ready depends on data"),
            "a key or data input reaches",
            marks=slow,
        ),
        pytest.param(CONFIG, "aes_key_banks: a clear leaves a bank", "not cleared", marks=slow),
        pytest.param(CONFIG, "aes_iterative: one round too few", "too early", marks=slow),
        pytest.param(
            *(INTERLEAVED, "aes_interleaved: a stall is ignored"),
            "falls before the result is taken",
            marks=slow,
        ),
        pytest.param(
            *(INTERLEAVED, "aes_interleaved: a finished block stays in the loop"),
            "comes too early",
            marks=slow,
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else value.module,
)
def test_a_fault_breaks_the_rule_that_it_is_against(
    config: Config, fault: str, rule: str, tmp_path: Path
) -> None:
    kind = walk.kinds(config)[0]
    claim = walk.cipher(broken(fault, tmp_path), config, 128, kind, replay=False)()[0]
    assert not claim.holds
    assert rule in claim.counterexample["rule"]


_ROWS = "aes_pkg: the third row of eight columns moves by its number"


@slow
@pytest.mark.parametrize(("fault", "holds"), [pytest.param("", True, marks=slow), (_ROWS, False)])
def test_a_core_of_long_blocks_is_compared_with_the_standard_of_its_block(
    fault: str, holds: bool, tmp_path: Path
) -> None:
    config = preset("kakarlapudi-sbox").configure(["block=256", "keys=256", "direction=encrypt"])
    given = broken(fault, tmp_path) if fault else claims.sources()
    found = walk.cipher(given, config, 256, config, replay=False)()
    assert all(claim.holds for claim in found) == holds
    assert holds or "not the standard's" in found[0].counterexample["rule"]
