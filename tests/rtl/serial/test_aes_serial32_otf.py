"""Promised cycles of the 32-bit core."""

from aesforge.space.presets import preset
from aesforge.space.promises import promised

PRESET = "aesforge-compact"


def test_a_round_takes_four_cycles_for_a_block_and_for_a_new_key() -> None:
    core = preset(PRESET)
    for direction, setups in (("both", [44, 52, 60]), ("encrypt", [0, 0, 0])):
        config = core.configure([f"direction={direction}"])
        assert config.module == "aes_serial32_otf"
        promises = [promised(config, bits) for bits in (128, 192, 256)]
        assert [promise.interval for promise in promises] == [44, 52, 60]
        assert [promise.latency for promise in promises] == [44, 52, 60]
        assert [promise.key_setup for promise in promises] == setups
