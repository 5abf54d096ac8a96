"""The 8-bit core: promised cycles and parts of the netlist."""

from netlists import modules, parts

from aesforge.core.contract import CIPHER
from aesforge.space.presets import preset
from aesforge.space.promises import promised

CONFIG = preset("aesforge-nano").config


def test_a_byte_takes_a_cycle() -> None:
    promise = promised(CONFIG, 128)
    assert (promise.interval, promise.latency, promise.key_setup) == (217, 217, 0)


def test_the_round_and_the_key_schedule_share_one_sbox() -> None:
    assert CONFIG.module == "aes_serial8_otf"
    built = modules(parts(CIPHER.module, CONFIG.parameters))
    assert built["aes_sbox"] == 1
    assert built["aes_mix_columns"] == built["aes_key_banks"] == 0
