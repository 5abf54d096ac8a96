import random

from benches import KEY
from runner import View, for_each, simulate


def test_aes_key_memory() -> None:
    simulate(__file__, KEY)


async def write(memory: View, halves: int, line: int, words: int) -> None:
    await memory.apply(write_i=halves, write_line_i=line, words_i=words)
    await memory.edge()
    await memory.apply(write_i=0, words_i=random.getrandbits(64))


@for_each(KEY, "aes_key_memory")
async def halves_are_written_alone_and_read_together(memory: View) -> None:
    lines = 2 * int(dict(memory.item.parameters)["RoundKeys"])
    content = [0] * lines
    for line in range(lines):
        await write(memory, 0b11, line, 0)
    for _ in range(300):
        line, halves, words = (
            random.randrange(lines),
            random.getrandbits(2),
            random.getrandbits(64),
        )
        await write(memory, halves, line, words)
        if halves & 2:
            content[line] = content[line] % 2**64 + (words << 64)
        if halves & 1:
            content[line] = (content[line] >> 64 << 64) + words
        for probe in (line, random.randrange(lines)):
            await memory.apply(read_line_i=probe)
            assert memory.get("round_key_o") == content[probe], memory.item.name
