"""aes_wishbone: the registers of a whole core over this bus."""

from register_bench import played
from suite import slow


@slow
def test_packets_and_registers() -> None:
    played("wishbone")
