"""The switchable 32-bit core: promised cycles and parts of the netlist."""

from netlists import modules, parts

from aesforge.core.contract import CIPHER
from aesforge.space.presets import preset
from aesforge.space.promises import promised

CONFIG = preset("aesforge-lowcost").config


def test_a_column_takes_a_cycle() -> None:
    """A round is five cycles, since SubWord uses the S-boxes of the round."""
    promise = promised(CONFIG, 128)
    assert (promise.interval, promise.latency, promise.key_setup) == (54, 54, 205)


def test_one_column_serves_both_directions() -> None:
    assert (CONFIG.module, CONFIG.direction) == ("aes_serial32_switchable_otf", "both")
    built = modules(parts(CIPHER.module, CONFIG.parameters))
    assert built["aes_sbox"] == 4
    assert built["aes_mix_column_shared"] == 1
    assert built["aes_mix_columns"] == built["aes_key_banks"] == 0
