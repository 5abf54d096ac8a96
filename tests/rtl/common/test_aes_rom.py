import random

from benches import FIELD
from runner import View, for_each, simulate

from aesforge.core import model


def test_aes_rom() -> None:
    simulate(__file__, FIELD)


def word(rom: View, index: int) -> int:
    """The word of the bench: the inverse S-box, or both S-boxes in each byte."""
    parameters = dict(rom.item.parameters)
    tables = (model.INV_SBOX,) if parameters["IndexBits"] == 8 else (model.SBOX, model.INV_SBOX)
    return int.from_bytes(bytes([tables[index >> 8][index & 255]] * int(parameters["Bytes"])))


@for_each(FIELD, "aes_rom")
async def each_port_reads_each_word(rom: View) -> None:
    size = 1 << int(dict(rom.item.parameters)["IndexBits"])
    for a in range(size):
        b = random.randrange(size)
        await rom.apply(clear_i=0, load_i=1, a_i=a, b_i=b)
        await rom.edge()
        assert (rom.get("a_o"), rom.get("b_o")) == (word(rom, a), word(rom, b))
        await rom.apply(a_i=b, b_i=a)
        await rom.edge()
        assert (rom.get("a_o"), rom.get("b_o")) == (word(rom, b), word(rom, a))


@for_each(FIELD, "aes_rom")
async def words_hold_until_the_next_read_or_clear(rom: View) -> None:
    await rom.apply(clear_i=0, load_i=1, a_i=1, b_i=2)
    await rom.edge()
    await rom.apply(load_i=0, a_i=2, b_i=1)
    await rom.edge()
    assert (rom.get("a_o"), rom.get("b_o")) == (word(rom, 1), word(rom, 2))
    await rom.apply(clear_i=1, load_i=1)
    await rom.edge()
    assert (rom.get("a_o"), rom.get("b_o")) == (0, 0)
