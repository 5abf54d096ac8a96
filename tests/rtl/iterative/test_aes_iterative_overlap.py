"""The iterative core with overlap and stored SubWords: its promise and its parts."""

from netlists import flip_flops, modules, parts

from aesforge.core.contract import CIPHER
from aesforge.space.presets import preset
from aesforge.space.promises import promised

PRESET = "aesforge-iterative"
STORED = "key_schedule=stored"


def test_a_block_takes_as_many_cycles_as_rounds() -> None:
    promise = promised(preset(PRESET).configure([STORED]), 128)
    assert (promise.interval, promise.latency, promise.key_setup) == (10, 10, 24)
    assert promise.key_change_blocks == 3


def test_each_part_is_built_once() -> None:
    """One table per byte, none for round keys; five 128-bit registers and one memory."""
    found = parts(CIPHER.module, preset(PRESET).configure([STORED]).parameters, registers=True)
    built = modules(found)
    assert built["aes_lookup"] == 16
    # The key, its last round key, a round key, the state and the result; nine bits of control.
    assert sum(flip_flops(cells).total() for _, cells in found) == 5 * 128 + 9
    ports = {name: sum(cells[name] for _, cells in found) for name in ("$memrd_v2", "$memwr_v2")}
    assert ports == {"$memrd_v2": 1, "$memwr_v2": 1}
