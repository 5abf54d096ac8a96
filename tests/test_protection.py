"""Protected cores in the design space: ports as in the RTL, and no verb takes them for others."""

from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from suite import slow
from test_build import with_icarus, with_verilator

from aesforge.cli.main import cli
from aesforge.core import stack
from aesforge.core.contract import random_bits
from aesforge.core.sources import closure, text
from aesforge.errors import UserError
from aesforge.flows.build import build
from aesforge.flows.choose import Budget, choose
from aesforge.flows.leakage import machine
from aesforge.flows.probe import gadgets
from aesforge.power.leakage import LANES, Machine, Words
from aesforge.proof.faults import FAULTS, Fault
from aesforge.results import store
from aesforge.space.axes import AXES, Config
from aesforge.space.presets import Preset, preset
from aesforge.space.promises import masked_clear, promised

NANO, MASKED, INTERLEAVED = (
    preset(f"aesforge-masked{name}") for name in ("-nano", "", "-interleaved")
)
CORES = (NANO, MASKED, INTERLEAVED)


def test_gadgets_have_the_codes_of_the_package() -> None:
    assert AXES["gadget"].values == gadgets()


@pytest.mark.parametrize(
    "config", [config for core in CORES for config in core.configurations()], ids=str
)
def test_ports_are_those_of_the_module(config: Config) -> None:
    import pyslang

    contract = stack.contract(config)
    given = ", ".join(f".{name}({value})" for name, value in config.parameters.items())
    texts = (text(path) for path in closure(contract.module))
    instance = f"module all; {contract.module} #({given}) u_core (); endmodule"
    compilation = pyslang.ast.Compilation()
    compilation.addSyntaxTree(pyslang.syntax.SyntaxTree.fromText("\n".join([*texts, instance])))
    (top,) = (one for one in compilation.getRoot().topInstances if one.name == "all")
    (core,) = (one for one in top.body if one.name == "u_core")
    found = {port.name: port.type.bitWidth for port in core.body.portList}
    assert found == {port.name: port.width for port in contract.ports}


def test_three_shares_need_a_gadget_for_them() -> None:
    with pytest.raises(UserError, match="choose gadget=dom or hpc3 with shares=3"):
        MASKED.configure(["shares=3"])
    modules = [core.configure(["shares=3", "gadget=hpc3"]).module for core in CORES]
    assert modules == ["aes_masked_serial8", "aes_masked_serial32", "aes_masked_interleaved"]


def test_stages_are_those_of_the_gadget() -> None:
    with pytest.raises(UserError, match="gadget=dom is a pipeline of stages=9: choose it too"):
        INTERLEAVED.configure(["gadget=dom"])
    with pytest.raises(UserError, match="gadget=hpc3 is a pipeline of stages=5"):
        INTERLEAVED.configure(["gadget=hpc3", "stages=9"])
    assert promised(INTERLEAVED.configure(["gadget=dom", "stages=9"]), 128).per == 9


def test_layers_and_other_cores_are_refused() -> None:
    with pytest.raises(UserError, match="its own: leave out mode=cbc"):
        MASKED.configure(["mode=cbc"])
    with pytest.raises(UserError, match="random belongs to protection=masked"):
        preset("aesforge-nano").configure(["random=trivium"])
    with pytest.raises(UserError, match="protection=none or fault, not masked"):
        preset("aesforge-nano").configure(["protection=masked"])


@pytest.mark.parametrize(
    "words",
    [
        "verify {}",
        "run {} --key 00 -i {}",
        "proofs {}",
        "mutants {}",
        "power {} --target osu018",
    ],
)
def test_verbs_that_know_one_contract_refuse_another(words: str, tmp_path: Path) -> None:
    place = tmp_path / "out"
    place.touch()
    found = CliRunner().invoke(cli, words.format(MASKED.name, place).split())
    assert isinstance(found.exception, UserError)
    assert "protection=masked has its own: choose another preset" in str(found.exception)


def test_a_protected_core_is_chosen_only_by_name() -> None:
    masked = [row for row in store.measured(store.path()) if row["preset"] == MASKED.name]
    assert masked
    with pytest.raises(UserError, match="nothing is measured"):
        choose(masked, "xc7", Budget(area=10_000))
    found = choose(masked, "xc7", Budget(area=10_000), ["protection=masked"])
    assert found["points"][0]["config"]["shares"] == "2"
    own = ["protection=masked", "random=trivium", "shares=2", "gadget=dom-refreshed"]
    seeded = choose(masked, "xc7", Budget(area=10_000), own)["points"]
    # What is measured with its generator, and not the core alone.
    assert [(p["core_alone"], p["config"]["random"]) for p in seeded] == [(False, "trivium")]
    three = choose(masked, "xc7", Budget(area=10_000), ["protection=masked", "shares=3"])
    assert three["points"][0]["area"] > found["points"][0]["area"]


@slow
@pytest.mark.parametrize("core", CORES, ids=lambda core: core.name)
def test_a_clear_overwrites_every_register(core: Preset) -> None:
    simulated = Machine(machine(core.config))
    rng = np.random.default_rng(3)
    ones = (1 << 64) - 1

    def words(bits: int, *, alike: bool = False) -> Words:
        shape = (bits, 1) if alike else (bits, LANES // 64)
        high = 2 if alike else 1 << 64
        found = rng.integers(0, high, shape, np.uint64) * np.uint64(ones if alike else 1)
        return np.broadcast_to(found, (bits, LANES // 64))

    def run(cycles: int, **control: int) -> None:
        for port, bit in control.items():
            simulated.drive(port, np.full((1, LANES // 64), ones * bit, np.uint64))
        for _ in range(cycles):
            for port in ("in_data_i", "key_i"):
                simulated.drive(port, words(128 * int(core.config.shares)))
            simulated.drive("random_i", words(random_bits(core.config), alike=True))
            simulated.settle()
            simulated.edge()

    def alike() -> bool:
        registers = simulated.registers()
        return bool(((registers == 0) | (registers == ones)).all(axis=1).all())

    run(masked_clear(core.config), rst_ni=0, clear_i=0, in_valid_i=0, out_ready_i=0)
    assert alike()
    for cycles in (1, 9, 19, 40):
        run(cycles, rst_ni=1, clear_i=0, in_valid_i=1, random_valid_i=1)
        assert not alike()
        run(masked_clear(core.config), clear_i=1)
        assert alike(), cycles


def bundle(folder: Path, core: Preset, *choices: str) -> str:
    config = core.configure(choices)
    build(core, config, folder, "aesforge build", force=False, name="my_aes")
    return "my_aes"


_GADGETS = (
    ("gadget=dom",),
    ("gadget=hpc3",),
    ("shares=3", "gadget=dom"),
    ("shares=3", "gadget=hpc3"),
)
SLOW = [
    (core, (*choices, "stages=9") if core is INTERLEAVED and "gadget=dom" in choices else choices)
    for core in CORES
    for choices in _GADGETS
]
SEEDED = ("random=trivium",)
BUILT = [
    (NANO, SEEDED),
    *(pytest.param(core, (), marks=slow) for core in CORES),
    *(pytest.param(*one, marks=slow) for one in SLOW),
    pytest.param(MASKED, SEEDED, marks=slow),
    pytest.param(INTERLEAVED, (*SEEDED, "shares=3", "gadget=hpc3"), marks=slow),
]


@pytest.mark.parametrize(("core", "choices"), BUILT)
def test_a_bundle_passes_its_testbench(
    core: Preset, choices: tuple[str, ...], tmp_path: Path
) -> None:
    done = with_icarus(tmp_path / "core", bundle(tmp_path / "core", core, *choices))
    assert (done.returncode, done.stdout.count("PASS")) == (0, 1), done.stdout


@slow
@pytest.mark.parametrize("choices", [(), SEEDED], ids=str)
@pytest.mark.parametrize("core", CORES, ids=lambda core: core.name)
def test_a_bundle_passes_in_verilator(
    core: Preset, choices: tuple[str, ...], tmp_path: Path
) -> None:
    done = with_verilator(tmp_path / "core", bundle(tmp_path / "core", core, *choices))
    assert (done.returncode, done.stdout.count("PASS")) == (0, 1), done.stdout


BROKEN = {
    "a share of the round constant is lost": (
        MASKED,
        "{(i == 0) ? rcon_q : 8'h00, 24'h0}",
        "{8'h00, 24'h0}",
        "not the result",
    ),
    "a block does not wait for random bits": (
        MASKED,
        "assign advance = busy_q && random_valid_i;",
        "assign advance = busy_q;",
        "not the promised random bits",
    ),
    "a clear leaves the state": (
        MASKED,
        "if (clear) state_q[128*i +: 128] <= '0;",
        "if (1'b0) state_q[128*i +: 128] <= '0;",
        "a clear leaves a block",
    ),
    "a result is not held": (
        MASKED,
        "valid_q <= done || (valid_q && !out_ready_i);",
        "valid_q <= done;",
        "the result did not hold",
    ),
    "a row is shifted one column too far": (
        NANO,
        "own && result[3:2] >= 2'(r)",
        "own && result[3:2] > 2'(r)",
        "not the result",
    ),
    "a byte waits for no random bits": (
        NANO,
        "assign fresh = !idle && random_valid_i;",
        "assign fresh = !idle && (random_valid_i || sub_word);",
        "not the promised random bits",
    ),
    "a clear leaves substituted bytes": (
        NANO,
        "assign s_box = clear ? 8'h00 : ",
        "assign s_box = ",
        "a clear leaves a block",
    ),
    "a block starts before the result is taken": (
        NANO,
        "(idle && in_valid_i && !valid_q)",
        "(idle && in_valid_i)",
        "",
    ),
    "a result overwrites the one before it": (
        INTERLEAVED,
        "!(result && valid_q && !out_ready_i)",
        "1'b1",
        "the result did not hold",
    ),
    "a result leaves one round early": (
        INTERLEAVED,
        "_gf_pkg::rcon(10);",
        "_gf_pkg::rcon(9);",
        "not the result",
    ),
    "the loop does not wait for random bits": (
        INTERLEAVED,
        "assign fresh = random_ready_o && random_valid_i;",
        "assign fresh = random_ready_o;",
        "not the promised random bits",
    ),
}


FAULTY = [fault for fault in FAULTS if fault.file in ("aes_trivium", "aes_masked_random")]


@slow
@pytest.mark.parametrize(
    "fault",
    [one for one in FAULTY if "before a seed" in one.name or "not mixed" in one.name],
    ids=str,
)
def test_the_testbench_waits_for_a_seed(fault: Fault, tmp_path: Path) -> None:
    top = bundle(tmp_path / "core", NANO, *SEEDED)
    path = tmp_path / "core" / "rtl" / f"{top}_masked_random.sv"
    text = path.read_text(encoding="utf-8")
    assert text.count(fault.old) == 1
    path.write_text(text.replace(fault.old, fault.new), encoding="utf-8")
    done = with_icarus(tmp_path / "core", top)
    assert done.returncode != 0
    assert ": not the promised cycles after a seed" in done.stdout, done.stdout


@pytest.mark.parametrize(
    "fault", [one if at == 0 else pytest.param(one, marks=slow) for at, one in enumerate(BROKEN)]
)
def test_the_testbench_refuses_a_broken_core(fault: str, tmp_path: Path) -> None:
    core, right, wrong, says = BROKEN[fault]
    top = bundle(tmp_path / "core", core)
    module = core.config.module.removeprefix("aes")
    path = tmp_path / "core" / "rtl" / f"{top}{module}.sv"
    text = path.read_text(encoding="utf-8")
    assert text.count(right) == 1
    path.write_text(text.replace(right, wrong), encoding="utf-8")
    done = with_icarus(tmp_path / "core", top)
    assert done.returncode != 0
    assert f": {says}" in done.stdout, done.stdout
