"""aes_registers: the map, its locks and errors, and packets of a whole core behind AXI4-Lite."""

from register_bench import played


def test_packets_and_registers() -> None:
    played("axi-lite")
