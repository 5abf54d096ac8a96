"""aes_one_packet: keys and headers are accepted between packets, and at no other time."""

import random

from benches import MODE
from runner import View, for_each, simulate


def test_aes_one_packet() -> None:
    simulate(__file__, MODE)


# In the simulator -------------------------------------------------------------------------------

INPUTS = ("clear", "clearing", "key_valid", "core_key_ready", "pkt_valid", "ends")


@for_each(MODE, "aes_one_packet")
async def keys_and_headers_wait_for_the_end_of_the_packet(view: View) -> None:
    await view.reset()
    # A packet is open; there is a key.
    inside = keyed = False
    for _ in range(3000):
        given = {name: random.getrandbits(1) for name in INPUTS}
        given["clear"] = int(random.random() < 0.05)
        given["clearing"] = int(given["clear"] or random.random() < 0.1)
        given["ends"] &= inside and not given["clearing"]
        await view.apply(**{f"{name}_i": value for name, value in given.items()})
        fits = not inside and not given["clearing"]
        takes_key = fits and given["key_valid"] and given["core_key_ready"]
        closed = not inside or given["ends"]
        ready = closed and not given["clearing"] and (takes_key if given["key_valid"] else keyed)
        opens = ready and given["pkt_valid"]
        assert view.get("core_key_valid_o") == (fits and given["key_valid"])
        assert view.get("key_ready_o") == (fits and given["core_key_ready"])
        assert view.get("pkt_ready_o") == ready
        assert view.get("open_o") == inside
        assert view.get("closed_o") == closed
        await view.edge()
        keyed = not given["clear"] and bool(keyed or takes_key)
        inside = not given["clear"] and bool(opens or not closed)
