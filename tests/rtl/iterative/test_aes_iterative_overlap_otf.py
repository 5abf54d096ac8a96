"""The iterative core with overlap and round keys on the fly: its promise and its parts."""

from pathlib import Path

import pytest
from netlists import flip_flops, modules, parts
from packet_benches import bench
from suite import slow
from test_build import with_icarus

from aesforge.core.contract import CIPHER
from aesforge.errors import UserError
from aesforge.flows.build import build
from aesforge.flows.verify import verify
from aesforge.flows.verify_modes import CHECKS
from aesforge.space.presets import preset
from aesforge.space.promises import promised

PRESET = "aesforge-iterative"


def test_a_block_takes_as_many_cycles_as_rounds() -> None:
    promise = promised(preset(PRESET).config, 128)
    assert (promise.interval, promise.latency, promise.key_setup) == (10, 10, 0)
    assert promise.key_change_blocks == 0


@pytest.mark.parametrize("direction", ["decrypt", "both"])
def test_decryption_has_a_key_setup(direction: str) -> None:
    promise = promised(preset(PRESET).configure([f"direction={direction}"]), 128)
    assert (promise.interval, promise.latency, promise.key_setup) == (10, 10, 11)
    assert promise.key_change_blocks == 2


@pytest.mark.parametrize("rounds", [2, 5, 10])
def test_a_cycle_may_have_several_rounds(rounds: int) -> None:
    one, both = (
        promised(preset(PRESET).configure([f"direction={d}", f"rounds_per_cycle={rounds}"]), 128)
        for d in ("encrypt", "both")
    )
    cycles = 10 // rounds
    assert (one.interval, one.latency, one.key_setup) == (cycles, cycles, 0)
    assert (both.interval, both.latency, both.key_setup) == (cycles, cycles, cycles + 1)
    assert (one.key_change_blocks, both.key_change_blocks) == (0, 2)


@pytest.mark.parametrize("choice", ["keys=192", "keys=any"])
def test_illegal_choices_are_refused(choice: str) -> None:
    with pytest.raises(UserError, match="choose another preset"):
        preset(PRESET).configure([choice])


@pytest.mark.parametrize("choice", ["direction=both", "key_schedule=stored", "sbox=tower"])
def test_tboxes_are_for_encryption_with_keys_on_the_fly(choice: str) -> None:
    with pytest.raises(UserError, match=choice.partition("=")[0]):
        preset(PRESET).configure(["round=tbox", choice])


def test_stored_keys_are_for_encryption() -> None:
    with pytest.raises(UserError, match="direction"):
        preset(PRESET).configure(["direction=both", "key_schedule=stored"])


def test_stored_keys_have_one_round_per_cycle() -> None:
    with pytest.raises(UserError, match="rounds_per_cycle"):
        preset(PRESET).configure(["rounds_per_cycle=2", "key_schedule=stored"])


@pytest.mark.parametrize(
    "choices",
    [
        ["direction=encrypt"],
        ["direction=both"],
        ["direction=both", "rounds_per_cycle=2"],
        pytest.param(["direction=both", "rounds_per_cycle=10"], marks=slow),
        pytest.param(["round=tbox", "rounds_per_cycle=10"], marks=slow),
    ],
    ids=" ".join,
)
def test_its_bundle_passes_in_icarus(choices: list[str], tmp_path: Path) -> None:
    """Icarus 11 takes a constant function twice in one expression for something else."""
    config = preset(PRESET).configure(choices)
    build(preset(PRESET), config, tmp_path / "core", "aesforge build", force=False, name="my_aes")
    done = with_icarus(tmp_path / "core", "my_aes")
    assert done.stdout.startswith("PASS"), done.stdout


def test_each_part_is_built_once() -> None:
    """One table per byte and four for round keys; three 128-bit registers and no memory."""
    config = preset(PRESET).config
    found = parts(CIPHER.module, config.parameters, registers=True)
    built = modules(found)
    assert built["aes_lookup"] == 16 + 4
    assert built["aes_key_banks"] == 0
    # The key, a round key and the state; Rcon and five bits of control.
    assert sum(flip_flops(cells).total() for _, cells in found) == 3 * 128 + 8 + 5


def test_one_circuit_serves_both_directions() -> None:
    """As many S-boxes as for one, and the last round key, two bits of setup and 17 directions."""
    config = preset(PRESET).configure(["direction=both", "sbox=tower"])
    found = parts(CIPHER.module, config.parameters, registers=True)
    assert modules(found)["aes_sbox_tower"] == 16 + 4
    kept = sum(flip_flops(cells).total() for _, cells in found)
    assert kept == 4 * 128 + 8 + 5 + 2 + 17


def test_a_block_of_one_cycle_has_a_circuit_for_each_round() -> None:
    """Three 128-bit registers and four bits of control; Rcon is a constant."""
    config = preset(PRESET).configure(["rounds_per_cycle=10"])
    found = parts(CIPHER.module, config.parameters, registers=True)
    assert modules(found)["aes_lookup"] == 10 * (16 + 4)
    assert sum(flip_flops(cells).total() for _, cells in found) == 3 * 128 + 4


@pytest.mark.parametrize("check", ["mode_vectors", "promised_clocks"])
def test_a_chained_mode_has_a_block_per_cycle(check: str) -> None:
    """The FIFO beside a core whose result is there in the next cycle has to be as fast."""
    core = bench("aesforge-iterative rounds_per_cycle=10 mode=cbc")
    problems, covered = CHECKS[check](core)
    assert problems == [], covered
    assert promised(core.config, 128).interval == 1


@slow
@pytest.mark.parametrize("layer", ["port=word32", "protection=fault", "self_test=on"])
def test_layers_take_a_block_in_one_cycle(layer: str) -> None:
    one = preset(PRESET)
    assert verify(one, one.configure([layer, "rounds_per_cycle=10"]))["holds"]
