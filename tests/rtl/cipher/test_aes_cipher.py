"""Every core against NIST and OpenSSL, under stalls, key changes, clears and resets."""

from collections.abc import Iterator
from typing import Any

import pytest
from suite import EVERYDAY, slow

from aesforge.flows.verify import verify
from aesforge.sim.endurance import SOAK
from aesforge.space.axes import AXES, Config
from aesforge.space.presets import ciphers, preset

# Everyday: corners of the space of each preset. `make verify` takes the whole.
SAMPLE = {
    "kakarlapudi-sbox": ((), ("keys=256", "direction=decrypt", "sbox=tower")),
    "kakarlapudi-tbox": (
        (),
        ("keys=128", "direction=encrypt", "sbox=bram"),
        ("keys=192", "direction=decrypt"),
    ),
    "bulens-encrypt": (("keys=any", "direction=both"), ("keys=192", "sbox=tower")),
    "bulens-bram": (("keys=any", "direction=both"),),
    "bulens-decrypt": (("keys=any", "sbox=tower"),),
    "bulens-split": (("keys=192",), ("keys=any", "direction=both")),
    "sklavos-ake": (("sbox=bram",), ("direction=encrypt", "sbox=lean")),
    "aesforge-iterative": ((), ("sbox=nibbles",), ("key_schedule=stored",)),
    "aesforge-iterative-universal": (
        (),
        ("keys=192", "sbox=bram"),
        ("keys=256", "direction=encrypt"),
    ),
    "aesforge-interleaved-universal": (
        ("stages=2", "sbox_registers=0", "keys=192", "sbox=lean"),
        (),
        ("keys=any",),
        ("stages=3", "sbox_registers=1", "keys=256", "direction=decrypt"),
        ("stages=6", "sbox_registers=3", "direction=encrypt"),
    ),
    "aesforge-interleaved": (("stages=3", "sbox_registers=0", "sbox=nibbles"), ()),
    # A clear in every cycle of each direction and number of S-boxes takes long in the defaults.
    "fan": (
        ("sboxes=1", "keys=192", "direction=encrypt"),
        ("keys=any", "sboxes=2"),
        (),
    ),
    "aesforge-compact": (
        (),
        ("keys=192", "direction=decrypt", "sbox=inverse_table"),
        ("keys=256", "direction=encrypt", "sbox=lean"),
        ("key_schedule=stored", "keys=192", "direction=decrypt", "sbox=inverse_table"),
    ),
    "aesforge-nano": ((), ("direction=both",)),
    "aesforge-lowcost": (("sboxes=2", "direction=encrypt", "sbox=tower"), (), ("sboxes=1",)),
    "hodjat-lut-1": ((),),
    "sklavos-arkl": (("sbox=bram",), ("keys=any", "direction=decrypt", "sbox=table")),
    "hodjat-lut-2": (("keys=any", "key_schedule=stored"),),
    "hodjat-tower-3": (("keys=192",),),
    "hodjat-tower-4": (("direction=both", "key_schedule=stored"),),
    "aesforge-unrolled": ((), ("stages=5", "sbox_registers=2", "key_schedule=on_the_fly")),
}


def _holds(name: str, config: Config, blocks: int) -> None:
    document = verify(preset(name), config, blocks=blocks)
    failed = [check for check in document["checks"] if not check["holds"]]
    assert document["holds"], failed
    assert not failed


@pytest.mark.parametrize("name", list(ciphers()))
def test_every_preset_is_sampled(name: str) -> None:
    assert name in SAMPLE


def _sampled() -> Iterator[Any]:
    """Every sample; the first of each core is tried every day, the others are slow."""
    tried: set[str] = set()
    for name, sample in SAMPLE.items():
        for axes in sample:
            module = preset(name).configure(axes).module
            yield pytest.param(name, axes, marks=slow if module in tried else ())
            tried.add(module)


@pytest.mark.parametrize(("name", "axes"), list(_sampled()))
def test_a_core_holds(name: str, axes: tuple[str, ...]) -> None:
    _holds(name, preset(name).configure(axes), 60 if EVERYDAY else 2_000)


# A core of each engine, fast to simulate.
SOAKED = ("aesforge-nano", "aesforge-iterative", "aesforge-interleaved", "sklavos-arkl")


@pytest.mark.full
@pytest.mark.parametrize("name", SOAKED)
def test_a_core_of_each_engine_runs_for_100_million_cycles(name: str) -> None:
    chosen = preset(name)
    (check,) = verify(chosen, chosen.config, only=(SOAK,), cycles=10**8)["checks"]
    assert check["holds"], check["detail"]


def test_each_engine_is_soaked() -> None:
    engines = {preset(name).config.engine for name in SOAKED}
    assert engines == set(AXES["engine"].values)


@pytest.mark.full
@pytest.mark.parametrize(
    ("name", "config"),
    [(p.name, c) for p in ciphers().values() for c in p.configurations()],
    ids=str,
)
def test_every_configuration_holds(name: str, config: Config) -> None:
    _holds(name, config, 10_000)
