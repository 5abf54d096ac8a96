import cocotb
from benches import FIELD
from rounds import word_of
from runner import simulate, views

from aesforge.core import model

# As printed (Kakarlapudi & Alabur, section III): a bit of S^-1[a], and its terms x, y and z: bytes
# 0, 1 and 3 of the inverse word.
PRINTED = {
    7: {"y7", "y4", "y1"},
    6: {"y6", "y3", "y0"},
    5: {"y5", "y2"},
    4: {"y4", "y1"},
    3: {"z3", "z2", "z1"},
    2: {"x6", "x5", "x0"},
    1: {"x7", "x5", "x4"},
    0: {"y5", "y2", "y0"},
}
# Byte 2 has no letter in the paper.
LETTERS = {"x": 0, "y": 1, "t": 2, "z": 3}
FACTORS = {"x": 0x0E, "y": 0x09, "t": 0x0D, "z": 0x0B}


def equations(bit: int) -> list[set[str]]:
    """The four equations for a bit of S^-1[a]: byte / factor for each byte of the word."""
    return [
        {
            f"{letter}{term}"
            for term in range(8)
            if model.multiply(model.inverse(factor), 1 << term) >> bit & 1
        }
        for letter, factor in FACTORS.items()
    ]


def test_the_printed_equations_are_correct_and_the_shortest() -> None:
    for bit, printed in PRINTED.items():
        derived = equations(bit)
        assert printed in derived
        assert len(printed) == min(map(len, derived)) <= 3


def test_aes_tbox_pkg() -> None:
    simulate(__file__, FIELD)


@cocotb.test()
async def every_table_is_a_row_of_mixed_columns(dut: object) -> None:
    (probe,) = views(dut, FIELD, "tbox_probe")
    for row in range(4):
        await probe.apply(row_i=row)
        for port, inverse in (("forward_o", 0), ("inverse_o", 1)):
            expected = bytes(word_of(a, inverse)[row] for a in range(256))
            assert probe.get(port).to_bytes(256, "little") == expected


@cocotb.test()
async def every_word_gives_its_sbox_byte(dut: object) -> None:
    (probe,) = views(dut, FIELD, "tbox_probe")
    for port, inverse, sbox in (("byte_o", 0, model.SBOX), ("inverse_byte_o", 1, model.INV_SBOX)):
        for byte in range(256):
            await probe.apply(word_i=int.from_bytes(word_of(byte, inverse)))
            assert probe.get(port) == sbox[byte]


@cocotb.test()
async def the_hardware_has_the_printed_terms_only(dut: object) -> None:
    (probe,) = views(dut, FIELD, "tbox_probe")
    found: dict[int, set[str]] = {bit: set() for bit in range(8)}
    for letter, place in LETTERS.items():
        for term in range(8):
            await probe.apply(word_i=1 << (8 * (3 - place) + term))
            data = probe.get("inverse_byte_o")
            for bit in range(8):
                if data >> bit & 1:
                    found[bit].add(f"{letter}{term}")
    assert found == PRINTED
