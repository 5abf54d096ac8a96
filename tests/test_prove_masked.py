"""`prove` of a masked core: each claim holds, and fails on a core that is broken for it."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import pytest
from suite import slow

from aesforge.errors import UserError
from aesforge.flows.probe import Leak
from aesforge.flows.prove import prove
from aesforge.flows.prove_masked import prove_masked
from aesforge.proof import layers
from aesforge.proof.claims import Claim
from aesforge.proof.faults import FAULTS, Fault
from aesforge.proof.mutants import faulty
from aesforge.space.axes import Config
from aesforge.space.presets import preset, presets

MASKED = [
    (name, config)
    for name, found in presets().items()
    for config in found.configurations()
    if config.protection == "masked"
]


def _failing(claims: Iterable[Claim]) -> dict[str, str]:
    return {claim.name: claim.counterexample["rule"] for claim in claims if not claim.holds}


def _named(value: object) -> str:
    if isinstance(value, Config):
        return f"{value.gadget}-{value.shares}"
    return str(value)


def test_the_quick_claims_on_the_smallest_core_hold() -> None:
    quick = ["shares apart", "sums", "clear of control", "cycles"]
    found = prove("aesforge-masked-nano", preset("aesforge-masked-nano").config, only=quick)
    assert found["holds"], found
    assert [claim["name"] for claim in found["claims"]] == quick


@slow
def test_the_smallest_core_holds() -> None:
    found = prove("aesforge-masked-nano", preset("aesforge-masked-nano").config)
    assert found["holds"], found
    assert [claim["name"] for claim in found["claims"]] == [
        *("shares apart", "inversions", "sums", "clear of control", "block", "cycles"),
        "clear of data",
    ]


CONTRACT = "aes_masked_random contract"


def test_the_claims_on_a_generator_follow_those_on_the_core() -> None:
    name = "aesforge-masked-nano"
    config = preset(name).configure(["random=trivium"])
    found = prove(name, config, only=["sums", "aes_masked_random"])
    assert found["holds"], found
    names = [claim["name"] for claim in found["claims"]]
    assert names == ["sums", "aes_masked_random timing", CONTRACT]
    with pytest.raises(UserError, match="unknown claim"):
        prove(name, preset(name).config, only=[CONTRACT])


@slow
@pytest.mark.parametrize("name", ["aesforge-masked", "aesforge-masked-interleaved"])
def test_every_generator_is_that_of_the_specification(name: str) -> None:
    config = preset(name).configure(["random=trivium"])
    (claim,) = prove_masked(config, [CONTRACT])
    assert claim.holds


FAULTY = [fault for fault in FAULTS if fault.file in ("aes_trivium", "aes_masked_random")]


@pytest.mark.parametrize(
    "fault", [one if at == 0 else pytest.param(one, marks=slow) for at, one in enumerate(FAULTY)]
)
def test_the_contract_of_a_generator_refuses_a_fault(fault: Fault, tmp_path: Path) -> None:
    given = faulty(fault, tmp_path)
    assert given is not None
    # The 96 bits of this core have two generators.
    config = preset("aesforge-masked").configure(["random=trivium"])
    claim = layers.claims(given, config, [CONTRACT])[CONTRACT]()
    assert not claim.holds
    assert "not decided" not in claim.counterexample["rule"]


@slow
@pytest.mark.parametrize(("name", "config"), MASKED, ids=_named)
def test_every_core_holds(name: str, config: Config) -> None:
    assert _failing(prove_masked(config)) == {}, name


@dataclass(frozen=True)
class Broken:
    """A core that is wrong: `old` in a file is `new`, and `claim` must fail with `rule`."""

    file: str
    old: str
    new: str
    claim: str
    rule: str
    core: str = "aesforge-masked-nano"


INTERLEAVED = "aesforge-masked-interleaved"

BROKEN = (
    Broken("aes_masked_serial8", "last_round ? a0 : m_col", "m_col", "block", "standard"),
    Broken("aes_masked_serial8", "((i == 0) ? 8'h63 : 8'h00)", "8'h63", "block", "standard"),
    Broken("aes_masked_serial8", "^ a1 ^ a2 ^ a3;", "^ a1 ^ a2 ^ a3 ^ (a2 & a3);", "sums", "sums"),
    Broken(
        *("aes_masked_serial8", "!idle && random_valid_i;", "!idle;", "block"),
        "without random bits",
    ),
    Broken("aes_masked_serial8", ".advance_i (step_sbox)", ".advance_i (1'b1)", "block", "changes"),
    Broken("aes_masked_serial8", "      slot_q <= 5'd0;\n", "", "clear of control", "slot_q"),
    Broken(
        *("aes_masked_serial8", "(last_round && shift) || clear;", "(last_round && shift);"),
        *("clear of data", "depends on"),
    ),
    Broken(
        *("aes_masked_serial8", "done || (valid_q && !out_ready_i)", "done", "cycles", "changes"),
    ),
    Broken(
        "aes_masked_product_dom",
        "assign mask = random_i[Width*aes_masked_pkg::pair(i, j) +: Width];",
        "assign mask = (i < j) ? random_i[Width*aes_masked_pkg::pair(i, j) +: Width] : '0;",
        *("inversions", "depends on random_i"),
    ),
    Broken(
        *("aes_masked_product_dom", "<= product ^ mask;", "<= (i < j ? '0 : product) ^ mask;"),
        *("inversions", "depends on share"),
    ),
    Broken(
        "aes_masked_product_dom",
        "if (advance_i) term_q",
        "term_q",
        *("inversions", "changes without advance_i"),
    ),
    Broken(
        "aes_masked_inversion",
        ".Latency (3 * STEP)",
        ".Latency (2 * STEP)",
        *("inversions", "different ages"),
    ),
    Broken(
        *("aes_masked_interleaved", "!busy_q[LAST] || last_round;", "!busy_q[LAST];"),
        *("block", "in_ready_o", INTERLEAVED),
    ),
    Broken(
        "aes_masked_interleaved",
        " && !(result && valid_q && !out_ready_i)",
        "",
        *("cycles", "not as promised", INTERLEAVED),
    ),
    Broken(
        *("aes_masked_interleaved", "free ? in_valid_i : 1'b1", "free ? 1'b1 : 1'b1"),
        *("cycles", "busy_q[0]", INTERLEAVED),
    ),
)


def _tried(one: Broken) -> dict[str, str]:
    leak = Leak(one.file, one.claim, one.old, one.new, "", "")
    return _failing(prove_masked(preset(one.core).config, (one.claim,), leak))


def _ids(one: Broken) -> str:
    return f"{one.file}-{one.claim}-{one.rule}"


# Wrong blocks and sums take the longest to be found so.
@pytest.mark.parametrize(
    "one",
    [
        pytest.param(b, marks=slow if b.rule in ("standard", "sums") else ())
        for b in BROKEN
        if b.core != INTERLEAVED
    ],
    ids=_ids,
)
def test_a_claim_fails_on_a_broken_core(one: Broken) -> None:
    assert one.rule in _tried(one)[one.claim]


@slow
@pytest.mark.parametrize("one", [b for b in BROKEN if b.core == INTERLEAVED], ids=_ids)
def test_a_claim_fails_on_a_broken_loop(one: Broken) -> None:
    assert one.rule in _tried(one)[one.claim]


@pytest.mark.parametrize("claim", ["sums", "shares apart"])
def test_shares_that_meet_are_found(claim: str) -> None:
    crossed = Leak(
        *("aes_masked_serial8", "shares meet"),
        *("inverse[8*i +: 8]) ^", "inverse[8*i +: 8] ^ inverse[7:0]) ^"),
        *("", ""),
    )
    core = "aesforge-masked-nano"
    found = _failing(prove_masked(preset(core).config, (claim,), crossed))
    assert "shares 0 and 1 meet" in found[claim]


def test_engines_are_those_of_other_cores() -> None:
    config = preset("aesforge-masked").config
    with pytest.raises(UserError, match="masked core"):
        prove("aesforge-masked", config, engine="cec")
    with pytest.raises(UserError, match="unknown claim"):
        prove("aesforge-masked", config, only=["cipher"])
