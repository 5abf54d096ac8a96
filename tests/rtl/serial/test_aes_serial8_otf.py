"""The 8-bit core: promised cycles and parts of the netlist."""

import pytest
from netlists import modules, parts

from aesforge.core.contract import CIPHER
from aesforge.space.axes import Config
from aesforge.space.presets import preset
from aesforge.space.promises import promised

CONFIG = preset("aesforge-nano").config


BOTH = preset("aesforge-nano").configure(["direction=both"])


def test_a_byte_takes_a_cycle() -> None:
    promise = promised(CONFIG, 128)
    assert (promise.interval, promise.latency, promise.key_setup) == (217, 217, 0)


def test_both_directions_take_four_cycles_a_round_more() -> None:
    promise = promised(BOTH, 128)
    assert (promise.interval, promise.latency, promise.key_setup) == (257, 257, 257)


@pytest.mark.parametrize("config", [CONFIG, BOTH], ids=["encrypt", "both"])
def test_the_round_and_the_key_schedule_share_one_sbox(config: Config) -> None:
    assert config.module == "aes_serial8_otf"
    built = modules(parts(CIPHER.module, config.parameters))
    assert built["aes_sbox"] == 1
    assert built["aes_mix_columns"] == built["aes_key_banks"] == 0
