"""The simulated leakage assessment: its simulation encrypts, and its test can fail."""

import random

import numpy as np
import pytest
from suite import slow

from aesforge.core import model
from aesforge.core.contract import random_bits
from aesforge.errors import UserError
from aesforge.flows.leakage import BLOCK, KEY, cycles, leakage, machine
from aesforge.flows.probe import leaks
from aesforge.power.leakage import LANES, Machine, Stimulus, Transitions, Welch, block
from aesforge.space.presets import Preset, preset, presets
from aesforge.tools.aiger import Aiger

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
def test_glitches_show_that_a_register_is_missing() -> None:
    (leak,) = (one for one in leaks() if one.name == "no register at the terms")
    core = preset("aesforge-masked-nano")
    config = core.configure([f"gadget={leak.gadget}"])
    assert not leakage(core, config, 49_152, 1, leak=leak)["holds"]


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
    rng = np.random.default_rng(1)
    with Transitions(graph) as transitions:
        _, fixed = block(simulated, stimulus, cycles(core.config), rng, transitions)
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


def _counted(graph: Aiger, values: list[int], sources: list[int]) -> tuple[int, list[int]]:
    """The transitions of one trace from settled values to other sources, and the values then."""
    first = 1 + graph.inputs
    changed = sum(a != b for a, b in zip(values[first:], sources[graph.inputs :], strict=False))
    values, total = [0, *sources, *values[1 + len(sources) :]], changed
    while True:
        now = list(values)
        for out, (a, b) in enumerate(graph.gates, 1 + len(sources)):
            now[out] = (values[a >> 1] ^ a & 1) & (values[b >> 1] ^ b & 1)
        if now == values:
            return total, values
        total, values = total + sum(a != b for a, b in zip(now, values, strict=True)), now


def test_transitions_are_those_of_gates_with_equal_delays() -> None:
    rng = random.Random(1)
    inputs, registers, size = 5, 4, 60
    gates = [
        (rng.randrange(2 * (1 + 9 + at)), rng.randrange(2 * (1 + 9 + at))) for at in range(size)
    ]
    graph = Aiger(inputs, [0] * registers, [], gates)
    everything = np.random.default_rng(1)
    settled = {lane: graph.values([0] * inputs, [0] * registers) for lane in (0, 63, 300, 4095)}
    more = 0
    with Transitions(graph) as transitions:
        for _ in range(20):
            words = everything.integers(0, 1 << 64, (inputs + registers, LANES // 64), np.uint64)
            found = transitions.count(words)
            for lane, values in settled.items():
                sources = [int(row[lane // 64]) >> lane % 64 & 1 for row in words]
                total, settled[lane] = _counted(graph, values, sources)
                assert found[lane] == total
                # More than settled values alone: glitches.
                apart = sum(a != b for a, b in zip(values, settled[lane], strict=True))
                more += total > apart
    assert more


def test_few_traces_are_refused() -> None:
    with pytest.raises(UserError, match="100 or more"):
        leakage(MASKED[0], MASKED[0].config, 10, 1)


def test_a_core_without_shares_is_refused() -> None:
    nano = preset("aesforge-nano")
    with pytest.raises(UserError, match="choose a preset with protection=masked"):
        leakage(nano, nano.config, 1000, 1)
