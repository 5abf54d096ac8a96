"""aes_mode_pkg: lists of modes, and blocks of which some bytes count."""

import random

from benches import MODE
from runner import View, for_each, simulate

from aesforge.core.sources import codes


def test_aes_mode_pkg() -> None:
    simulate(__file__, MODE, ("mode_probe",))


# In the simulator -------------------------------------------------------------------------------


@for_each(MODE, "mode_probe")
async def a_list_has_the_modes_of_its_bits(probe: View) -> None:
    modes = int(dict(probe.item.parameters)["Modes"])
    members = [mode for mode in range(32) if modes >> mode & 1]
    for mode in range(32):
        await probe.apply(mode_i=mode)
        assert probe.get("has_o") == (mode in members)
    assert probe.get("has_ctr_o") == (codes()["MODE_CTR"] in members)
    assert probe.get("several_o") == (len(members) > 1)
    assert probe.get("lowest_o") == members[0]


@for_each(MODE, "mode_probe")
async def bytes_beyond_the_count_are_zero(probe: View) -> None:
    for count in range(17):
        block = random.randbytes(16)
        await probe.apply(bytes_i=count, block_i=int.from_bytes(block, "big"))
        kept = block[:count].ljust(16, b"\0")
        assert probe.get("first_o") == int.from_bytes(kept, "big")
        assert probe.get("whole_o") == (16 if count else 0)


@for_each(MODE, "mode_probe")
async def twice_every_power_is_the_next_power_in_both_orders_of_bytes(probe: View) -> None:
    for power in range(128):
        wanted = 1 << power + 1 if power < 127 else 0x87
        await probe.apply(block_i=1 << power)
        assert probe.get("doubled_o") == wanted
        await probe.apply(block_i=int.from_bytes((1 << power).to_bytes(16, "little")))
        assert probe.get("times_alpha_o") == int.from_bytes(wanted.to_bytes(16, "little"))
