import random

from benches import ROUND
from rounds import word_of
from runner import View, for_each, is_inverse, simulate


def test_aes_tbox_rom() -> None:
    simulate(__file__, ROUND)


def words(rom: View) -> tuple[bytes, bytes]:
    return rom.get("a_o").to_bytes(4), rom.get("b_o").to_bytes(4)


@for_each(ROUND, "aes_tbox_rom")
async def every_byte_is_looked_up_on_each_port(rom: View) -> None:
    await rom.apply(clear_i=0, load_i=1)
    for decrypt in (0, 1):
        inverse = is_inverse(rom, decrypt)
        for a in range(256):
            b = random.randrange(256)
            await rom.apply(a_i=a, b_i=b, inverse_i=decrypt)
            await rom.edge()
            assert words(rom) == (word_of(a, inverse), word_of(b, inverse)), rom.item.name
            await rom.apply(a_i=b, b_i=a)
            await rom.edge()
            assert words(rom) == (word_of(b, inverse), word_of(a, inverse)), rom.item.name


@for_each(ROUND, "aes_tbox_rom")
async def words_hold_until_the_next_load_or_clear(rom: View) -> None:
    await rom.apply(clear_i=1)
    await rom.edge()
    expected = (bytes(4), bytes(4))
    for _ in range(500):
        assert words(rom) == expected, rom.item.name
        a, b, decrypt = random.randrange(256), random.randrange(256), random.randrange(2)
        clear, load = int(random.random() < 0.2), int(random.random() < 0.5)
        await rom.apply(a_i=a, b_i=b, inverse_i=decrypt, clear_i=clear, load_i=load)
        assert words(rom) == expected, rom.item.name
        await rom.edge()
        inverse = is_inverse(rom, decrypt)
        if clear:
            expected = (bytes(4), bytes(4))
        elif load:
            expected = (word_of(a, inverse), word_of(b, inverse))
