"""Probing of masked gadgets: what holds, and that each negative control is found."""

import json
import random
import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from suite import slow

from aesforge.cli.main import cli
from aesforge.errors import UserError
from aesforge.flows.probe import Leak, export, gadgets, leaks, pipeline, probe, subjects
from aesforge.proof.masked import Masked, Pipeline, Polynomial, Probe, times
from aesforge.proof.probing import View, composable, probing


def subject(gadget: str, module: str, shares: int = 2) -> object:
    return next(one for one in subjects(gadget, shares) if one.masked.module == module)


@pytest.mark.parametrize("gadget", gadgets())
def test_two_shares_hide_from_one_probe(gadget: str) -> None:
    assert probe([gadget])["holds"]


@slow
def test_mapped_netlists_hide_from_one_probe() -> None:
    assert probe(netlist="osu018")["holds"]


@pytest.mark.parametrize("leak", leaks(), ids=lambda leak: leak.name)
def test_each_leak_is_found(leak: Leak) -> None:
    made = pipeline(leak.subject, leak=leak)
    assert probing(made, leak.shares - 1).leak.startswith(("the input of", "share"))
    if leak.shares == 3:
        assert not probing(made, 1).leak


def test_notions_differ_as_in_the_literature() -> None:
    dom, hpc3 = (pipeline(subject(gadget, "aes_masked_product")) for gadget in ("dom", "hpc3"))
    assert composable(dom, 1, "PINI").leak
    assert composable(hpc3, 1, "SNI").leak


def test_two_probes_see_two_shares() -> None:
    assert probing(pipeline(subject("dom", "aes_masked_product")), 2).leak


@pytest.mark.parametrize("gadget", ["dom", "hpc3"])
def test_three_shares_of_a_product_hide_from_two_probes(gadget: str) -> None:
    assert not probing(pipeline(subject(gadget, "aes_masked_product", 3)), 2).leak


@slow
@pytest.mark.full
@pytest.mark.parametrize("gadget", ["dom", "hpc3"])
def test_three_shares_of_an_sbox_hide_from_two_probes(gadget: str) -> None:
    found = probing(pipeline(subject(gadget, "aes_masked_sbox", 3), "osu018"), 2)
    assert not found.leak
    assert found.sets > 10_000


def all_pairs(made: Pipeline) -> bool:
    """Whether any two probes see anything, of all pairs at all times."""
    return any(
        View(made, ((first, 0), (second, age))).leaks()
        for first in made.probes
        for second in made.probes
        for age in range(made.depth() + 1)
    )


PRODUCTS = [one for one in leaks() if (one.module, one.shares) == ("aes_masked_product", 3)]


@pytest.mark.parametrize("leak", [None, *PRODUCTS])
def test_the_pairs_that_are_left_out_would_change_nothing(leak: Leak | None) -> None:
    made = pipeline(subject("dom", "aes_masked_product", 3), leak=leak)
    assert bool(probing(made, 2).leak) == all_pairs(made) == (leak is not None)


@pytest.mark.parametrize(("gadget", "notion"), [("dom", "SNI"), ("hpc3", "PINI")])
def test_products_of_three_shares_compose(gadget: str, notion: str) -> None:
    made = pipeline(subject(gadget, "aes_masked_product", 3))
    assert not composable(made, 2, notion).leak
    assert composable(made, 2, "SNI" if notion == "PINI" else "PINI").leak


def test_a_share_that_is_only_added_is_needed() -> None:
    # q is r + s0: nothing hides s0 once r is seen as well.
    made = Pipeline(Masked("", 2, {"s": 1}, ("b", 1)), ["s0", "r", "q"])
    made.share, made.random = {0: ("s", 0, 0)}, {1}
    made.next = {2: frozenset({1 << 0, 1 << 1})}
    hidden, open_ = Probe("q", frozenset({2})), Probe("r", frozenset({1}))
    assert View(made, ((hidden, 0),)).needs() == set()
    assert View(made, ((hidden, 0), (open_, 1))).needs() == {("s", 0)}


def test_a_delayed_share_is_seen_in_other_cycles() -> None:
    # Share 1 is delayed twice, so that only probes in different cycles see both shares of a bit.
    made = Pipeline(Masked("", 2, {"a": 1}, ("b", 1)), ["a0", "a1", "q", "r"])
    made.share = {0: ("a", 0, 0), 1: ("a", 0, 1)}
    made.next = {2: frozenset({1 << 1}), 3: frozenset({1 << 2})}
    made.probes = [Probe("a share", frozenset({0})), Probe("a delayed one", frozenset({3}))]
    assert not probing(made, 1).leak
    assert probing(made, 2).leak == "a delayed one, a share 2 cycles earlier"


def test_orders_that_leave_no_share_are_refused() -> None:
    with pytest.raises(UserError, match="choose --order 1"):
        probe(order=2)
    with pytest.raises(UserError, match="two shares only"):
        probe(["dom-refreshed"], shares=3)


def test_an_unknown_gadget_names_the_nearest() -> None:
    result = CliRunner().invoke(cli, ["probe", "--gadget", "hpc4"])
    assert isinstance(result.exception, UserError)
    assert "hpc3" in str(result.exception)


def multiplied(a: list[Polynomial], b: list[Polynomial]) -> list[Polynomial]:
    """a * b in the tower field, the lowest bit first."""
    half = len(a) // 2
    if not half:
        return [times(a[0], b[0])]
    low, high = multiplied(a[:half], b[:half]), multiplied(a[half:], b[half:])
    # The constant of the polynomial: 1 in GF(2^2), w in GF(2^4).
    constant = high if half == 1 else [high[1], high[0] ^ high[1]]
    crossed = zip(multiplied(a[:half], b[half:]), multiplied(a[half:], b[:half]), strict=True)
    middle = [one ^ other for one, other in crossed]
    bottom = [one ^ other for one, other in zip(low, constant, strict=True)]
    return [*bottom, *(one ^ other for one, other in zip(middle, high, strict=True))]


def operand(made: Pipeline, port: str) -> list[Polynomial]:
    """The bits of an operand as sums of their shares."""
    width = made.masked.operands[port]
    return [
        frozenset(1 << one for one, of in made.share.items() if of[:2] == (port, bit))
        for bit in range(width)
    ]


@pytest.mark.parametrize("shares", [2, 3])
@pytest.mark.parametrize("gadget", ["dom", "hpc3"])
def test_products_are_right_for_all_shares_and_random_bits(gadget: str, shares: int) -> None:
    for one in list(subjects(gadget, shares))[:2]:
        made = pipeline(one)
        product = multiplied(operand(made, "a_i"), operand(made, "b_i"))
        added = zip(product, operand(made, "sum_i"), strict=True)
        assert made.unmasked() == [one ^ other for one, other in added]


INVERSIONS = {"aes_masked_serial8": 1, "aes_masked_serial32": 4, "aes_masked_interleaved": 20}


@slow
@pytest.mark.parametrize("gadget", gadgets())
def test_cores_are_made_of_inversions_that_hide_from_one_probe(gadget: str) -> None:
    found = probe([gadget], core=True)
    assert found["holds"], found
    names = {check["name"]: check["probes"] for check in found["checks"]}
    for core, count in INVERSIONS.items():
        assert f"{core} {gadget}, 2 shares, of {count} inversions" in names
    probed = [probes for name, probes in names.items() if name.endswith(": 1 probes")]
    assert all(probes > 10 for probes in probed)
    structures = sum(check["name"].endswith("of 6 products") for check in found["checks"])
    assert structures == sum(INVERSIONS.values())


@slow
@pytest.mark.parametrize("gadget", ["dom", "hpc3"])
def test_cores_of_three_shares_are_composed_so(gadget: str) -> None:
    assert probe([gadget], shares=3, core=True)["holds"]


FOUND = {
    "a share of the state recombined with another one": "depends on share 0 and 1",
    "a share of the round key recombined with another one": "shares 0 and 1 meet at",
    "an S-box with one share of another byte": "shares 0 and 1 meet at operands",
    "a share of SubWord taken from another share": "shares 0 and 1 meet at",
    "no register before SubWord": "no register is between a unit and data_i",
    "no register before the S-box": "no register is between a unit and data_i",
    "no register between two rounds": "no register is between a unit and data_i",
    "a linear map between the state and an S-box": "bits 0 and 1 of data_i of gen_sbox[0]",
    "a linear map between the register and the S-box": "depend on operand_q[0]",
    "the same random bits for all S-boxes": "is used 4 times in a cycle",
    "SubWord has the random bits of the state": "is used 2 times in a cycle",
    "two products with the same random bits": "random_i[4] is used 2 times in a cycle",
    "no random bits for an S-box": "is no fresh random bit",
    "no random bits for a product": "is no fresh random bit",
    "control that depends on a share": "u_inversion depends on share 0",
}


@slow
def test_each_leak_of_a_core_is_found() -> None:
    checks = probe(core=True, controls=True)["checks"]
    assert {check["name"].partition(": ")[2] for check in checks} == FOUND.keys()
    assert {check["name"].partition(": ")[0] for check in checks} == INVERSIONS.keys()
    for check in checks:
        assert FOUND[check["name"].partition(": ")[2]] in check["found"]


def test_the_composition_of_a_mapped_netlist_is_refused() -> None:
    with pytest.raises(UserError, match="--core takes the elaborated netlist"):
        probe(netlist="osu018", core=True)


# For another checker ----------------------------------------------------------------------------

_FUNCTIONS = {
    "AND": lambda a, b: a & b,
    "NAND": lambda a, b: 1 ^ a & b,
    "OR": lambda a, b: a | b,
    "NOR": lambda a, b: 1 ^ (a | b),
    "XOR": lambda a, b: a ^ b,
    "XNOR": lambda a, b: 1 ^ a ^ b,
    "NOT": lambda a: 1 ^ a,
    "Mux2": lambda a, b, s: b if s else a,
}
"""The gates of PROLEAD's library `custom`, by the names of their inputs in order."""


def _simulated(text: str, inputs: dict[str, int], cycles: int) -> dict[str, int]:
    """The values of all nets after so many cycles of a netlist in these gates."""
    nets = dict(inputs)
    gates, registers = [], []
    for cell, pins in re.findall(r"^  (\w+) \w+ \((.*?)\);", text, re.M | re.S):
        named = dict(re.findall(r"\.(\w+)\(([^)]*)\)", pins))
        out = named.pop("Y", None) or named.pop("Q")
        wired = [named[pin] for pin in sorted(named)]
        if cell == "DFF":
            registers.append((wired[1], out))
            nets[out] = 0
        else:
            gates.append((_FUNCTIONS[cell], wired, out))
    aliases = re.findall(r"^  assign (\S+) = (\S+);", text, re.M)
    for _ in range(cycles):
        left = list(gates)
        while left:
            ready = [one for one in left if all(name in nets for name in one[1])]
            assert ready
            for function, wired, out in ready:
                nets[out] = function(*(nets[name] for name in wired))
            left = [one for one in left if one not in ready]
        nets |= {out: nets[name] for out, name in aliases}
        last = dict(nets)
        following = {out: nets[name] for name, out in registers}
        nets = {**inputs, **following}
    return last


@pytest.mark.parametrize("gadget", ["dom-refreshed", pytest.param("hpc3", marks=slow)])
def test_an_exported_netlist_is_the_sbox(gadget: str, tmp_path: Path) -> None:
    (place,) = map(Path, export(tmp_path / "out", [gadget])["written"])
    settings = json.loads((place / "config.json").read_text(encoding="utf-8"))["simulation"]
    (random_bits,) = settings["always_random_inputs"]
    text = (place / "design.v").read_text(encoding="utf-8")
    rng, byte = random.Random(1), 0x53
    mask = rng.randrange(256)
    values = {"data_i": (16, mask | (mask ^ byte) << 8), "clk_i": (1, 0)}
    width = int(re.findall(r"\d+", random_bits)[0]) + 1
    values["random_i"] = width, rng.getrandbits(width)
    inputs = {
        (f"{name}[{at}]" if size > 1 else name): value >> at & 1
        for name, (size, value) in values.items()
        for at in range(size)
    } | {"1'h0": 0, "1'h1": 1}
    found = _simulated(text, inputs, settings["number_of_clock_cycles"])
    shares = [sum(found[f"data_o[{8 * s + at}]"] << at for at in range(8)) for s in (0, 1)]
    assert shares[0] ^ shares[1] == 0xED
    with pytest.raises(UserError, match="is not empty"):
        export(tmp_path / "out", [gadget])


@pytest.mark.parametrize("words", ["--core", "--controls", "--order 1", "--netlist osu018"])
def test_an_export_takes_no_check(words: str, tmp_path: Path) -> None:
    found = CliRunner().invoke(cli, ["probe", "--export", str(tmp_path / "out"), *words.split()])
    assert isinstance(found.exception, UserError)
    assert not (tmp_path / "out").exists()
