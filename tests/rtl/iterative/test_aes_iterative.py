"""The iterative core with stored round keys: its promise and its parts."""

from netlists import flip_flops, modules, parts

from aesforge.core.contract import CIPHER
from aesforge.space.presets import preset
from aesforge.space.promises import promised

CONFIG = preset("kakarlapudi-sbox").configure(["keys=128", "direction=encrypt"])


def test_a_block_takes_a_cycle_more_than_its_rounds() -> None:
    promise = promised(CONFIG, 128)
    assert (promise.interval, promise.latency, promise.key_setup) == (11, 11, 22)


def test_each_part_is_built_once() -> None:
    """One S-box per byte and four for the key schedule; registers of a window and a block."""
    assert CONFIG.module == "aes_iterative"
    found = parts(CIPHER.module, CONFIG.parameters, registers=True)
    built = modules(found)
    assert built["aes_sbox"] == 16 + 4
    assert built["aes_mix_columns"] == 1
    assert built["aes_key_banks"] == 1
    # At most 32 bits of control.
    assert 256 < sum(flip_flops(cells).total() for _, cells in found) <= 256 + 32
