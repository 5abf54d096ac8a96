"""aes_xts_tweaks: each lane has the tweak of its place, or the next one if it takes that."""

import random

from benches import MODE
from runner import View, for_each, simulate


def test_aes_xts_tweaks() -> None:
    simulate(__file__, MODE)


# In the simulator -------------------------------------------------------------------------------


def times_alpha(tweak: int) -> int:
    """A tweak, whose bytes are a number with the low byte first, times alpha (IEEE 1619, 5.2)."""
    doubled = int.from_bytes(tweak.to_bytes(16, "big"), "little") << 1
    doubled ^= (1 << 128 | 0x87) if doubled >> 128 else 0
    return int.from_bytes(doubled.to_bytes(16, "little"), "big")


@for_each(MODE, "aes_xts_tweaks")
async def tweaks_are_powers_of_alpha(view: View) -> None:
    lanes = int(dict(view.item.parameters)["Lanes"])
    single = [1 << bit for bit in range(128)]
    for tweak in [*single, *(random.getrandbits(128) for _ in range(200))]:
        powers = [tweak]
        for _ in range(lanes):
            powers.append(times_alpha(powers[-1]))
        for later, end in ((0, random.randrange(lanes)), *((1, lane) for lane in range(lanes))):
            await view.apply(tweak_i=tweak, later_i=later, end_i=end)
            assert view.get("next_o") == powers[lanes]
            wanted = [powers[k + (later and (k + 1) % lanes == end)] for k in range(lanes)]
            assert view.get("tweaks_o") == int.from_bytes(
                b"".join(one.to_bytes(16, "big") for one in wanted), "big"
            )
