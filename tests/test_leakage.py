"""The simulated leakage assessment: its simulation encrypts, and its test can fail."""

import numpy as np
import pytest
from suite import slow

from aesforge.core import model
from aesforge.core.contract import random_bits
from aesforge.errors import UserError
from aesforge.flows.leakage import BLOCK, KEY, cycles, leakage, machine
from aesforge.power.leakage import LANES, Machine, Stimulus, Welch, block
from aesforge.space.presets import Preset, preset, presets

MASKED = [one for one in presets().values() if one.config.protection == "masked"]
each = pytest.mark.parametrize("core", MASKED, ids=lambda one: one.name)


@slow
@each
def test_a_core_without_masks_fails_within_hundreds_of_traces(core: Preset) -> None:
    found = leakage(core, core.config, 300, 1, masked=False)
    assert not found["holds"]
    # In the rounds too, not only where the block enters.
    assert found["cycles_above"] > found["cycles"] // 3


@slow
@each
def test_masks_keep_t_below_the_threshold(core: Preset) -> None:
    assert leakage(core, core.config, 20_000, 1)["holds"]


@slow
@each
def test_the_simulated_core_encrypts(core: Preset) -> None:
    graph = machine(core.config)
    simulated = Machine(graph)
    stimulus = Stimulus(2, random_bits(core.config), True, KEY, BLOCK)
    _, fixed = block(simulated, stimulus, cycles(core.config), np.random.default_rng(1))
    simulated.settle()
    lane = int(np.argmax(fixed))
    result = 0
    for name in graph.output_names:
        if name.startswith("out_data_o["):
            word = int(simulated.output(name)[lane // 64]) >> lane % 64 & 1
            result ^= word << int(name[11:-1]) % 128
    expected = model.cipher(BLOCK.to_bytes(16, "big"), KEY.to_bytes(16, "big"))
    assert result == int.from_bytes(expected, "big")


def test_t_is_welchs() -> None:
    rng = np.random.default_rng(2)
    fixed = np.arange(LANES) % 2
    traces = rng.normal(5, 1, (2, LANES))
    traces[1] += 0.3 * fixed
    sums = Welch.of(traces)
    sums.add(traces[:, :2000], fixed[:2000])
    sums.add(traces[:, 2000:], fixed[2000:])
    one, other = traces[1][fixed == 1], traces[1][fixed == 0]
    error = np.sqrt(one.var(ddof=1) / len(one) + other.var(ddof=1) / len(other))
    assert sums.t()[1] == pytest.approx((one.mean() - other.mean()) / error)
    assert abs(sums.t()[0]) < 4.5 < sums.t()[1]


def test_few_traces_are_refused() -> None:
    with pytest.raises(UserError, match="100 or more"):
        leakage(MASKED[0], MASKED[0].config, 10, 1)


def test_a_core_without_shares_is_refused() -> None:
    nano = preset("aesforge-nano")
    with pytest.raises(UserError, match="choose a preset with protection=masked"):
        leakage(nano, nano.config, 1000, 1)
