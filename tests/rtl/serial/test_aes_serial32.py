"""The core with one column per cycle: promised cycles and parts of the netlist."""

from netlists import flip_flops, modules, parts

from aesforge.core.contract import CIPHER
from aesforge.space.presets import preset
from aesforge.space.promises import promised

PRESET, STORED = "aesforge-compact", "key_schedule=stored"


def test_a_round_takes_four_cycles() -> None:
    config = preset(PRESET).configure([STORED])
    promises = [promised(config, bits) for bits in (128, 192, 256)]
    assert [promise.interval for promise in promises] == [44, 52, 60]
    assert [promise.latency for promise in promises] == [44, 52, 60]


def test_each_part_is_one_column_wide() -> None:
    """Four S-boxes in the round, four in the key schedule, one MixColumns, one state."""
    config = preset(PRESET).configure([STORED])
    assert (config.keys, config.direction) == ("any", "both")
    found = parts(CIPHER.module, config.parameters, registers=True)
    built = modules(found)
    assert built["aes_sbox"] == 4 + 4
    assert built["aes_mix_column_shared"] == 1
    assert built["aes_mix_columns"] == 0
    assert built["aes_key_banks"] == 1
    bits = sum(flip_flops(cells).total() for _, cells in found)
    # State, places of its rows, window of the key schedule, control.
    assert 128 + 16 + 256 <= bits <= 128 + 16 + 256 + 48
