"""The design space: what cannot be is never offered, and is refused with its reason."""

import pytest

from aesforge.errors import UserError
from aesforge.space.legality import lacks
from aesforge.space.presets import Preset, preset, presets
from aesforge.space.promises import promised

each_preset = pytest.mark.parametrize("core", list(presets().values()), ids=lambda core: core.name)
HODJAT = [core for core in presets().values() if core.name.startswith("hodjat-")]


@each_preset
def test_a_preset_can_be_as_it_comes(core: Preset) -> None:
    assert lacks(core.config) == ""
    assert core.config == core.configure(()) == core.configurations()[0]


@each_preset
def test_every_configuration_can_be_chosen(core: Preset) -> None:
    configs = core.configurations()
    assert len(set(configs)) == len(configs)
    for config in configs:
        assert core.configure(f"{axis}={getattr(config, axis)}" for axis in core.free) == config


@pytest.mark.parametrize("core", HODJAT, ids=lambda core: core.name)
def test_keys_on_the_fly_only_encrypt(core: Preset) -> None:
    offered = {(config.key_schedule, config.direction) for config in core.configurations()}
    stored = {("stored", direction) for direction in ("encrypt", "decrypt", "both")}
    assert offered == {("on_the_fly", "encrypt"), *stored}
    for direction in ("decrypt", "both"):
        with pytest.raises(UserError, match="needs key_schedule=stored to decrypt"):
            core.configure([f"direction={direction}"])


def test_the_order_of_choices_does_not_matter() -> None:
    core = preset("hodjat-lut-1")
    choices = ["direction=both", "key_schedule=stored"]
    assert core.configure(choices) == core.configure(choices[::-1])


def test_decryption_takes_a_clock_more_to_set_up() -> None:
    for core in (preset("sklavos-arkl"), *HODJAT):
        for config in core.configurations():
            if config.block != "128":
                continue
            for bits in config.key_sizes:
                rounds, decrypts = bits // 32 + 6, config.direction != "encrypt"
                setup = {
                    "stored": 2 * rounds + decrypts,
                    "loaded": (rounds + 1) * len(config.directions),
                }.get(config.key_schedule, 0)
                assert promised(config, bits).key_setup == setup
