"""The 32-bit core with keys of every size: results, cycles, and parts of the netlist."""

import random
from collections.abc import Sequence
from dataclasses import dataclass

import needs
import pytest
from benches import TABLE, TOWER
from netlists import flip_flops, modules, parts
from runner import BOTH, DECRYPT, ENCRYPT, View, for_each, instance, simulate
from suite import EVERYDAY, slow

from aesforge.core import model
from aesforge.flows.synth import synth
from aesforge.space.presets import preset
from aesforge.space.targets import target

ANY = 0
CORES = [
    instance("aes_serial32_core", KeyBits=ANY, Direction=BOTH, Sbox=TABLE),
    instance("aes_serial32_core", KeyBits=ANY, Direction=ENCRYPT, Sbox=TABLE),
    instance("aes_serial32_core", KeyBits=192, Direction=BOTH, Sbox=TOWER),
    instance("aes_serial32_core", KeyBits=256, Direction=DECRYPT, Sbox=TABLE),
    instance("aes_serial32_core", KeyBits=ANY, Direction=BOTH, Sbox=TABLE, BlockBits=192),
    instance("aes_serial32_core", KeyBits=ANY, Direction=BOTH, Sbox=TABLE, BlockBits=256),
]
KEY_BYTES = (16, 24, 32)


def test_aes_serial32_core() -> None:
    simulate(__file__, CORES)


def words(data: bytes) -> list[int]:
    return [int.from_bytes(data[i : i + 4]) for i in range(0, len(data), 4)]


@dataclass(frozen=True)
class Block:
    """The inputs of a core and the expected outputs."""

    key: bytes
    data: bytes
    decrypt: bool

    @property
    def columns(self) -> int:
        return len(self.data) // 4

    @property
    def cycles(self) -> int:
        return self.columns * (model.rounds(self.key, self.columns) + 1)

    @property
    def schedule(self) -> list[int]:
        """All words of the key schedule in the order of their use."""
        found = words(b"".join(model.round_keys(self.key, self.columns)))
        return found[::-1] if self.decrypt else found

    @property
    def words_in(self) -> list[int]:
        return words(self.data)[:: -1 if self.decrypt else 1]

    @property
    def words_out(self) -> list[int]:
        cipher = model.inverse_cipher if self.decrypt else model.cipher
        return words(cipher(self.data, self.key))[:: -1 if self.decrypt else 1]


def kinds(core: View) -> tuple[Sequence[int], Sequence[bool]]:
    """Key sizes in bytes and directions of a core."""
    given = dict(core.item.parameters)
    bits = int(given["KeyBits"])
    sizes = KEY_BYTES if bits == ANY else (bits // 8,)
    return sizes, {BOTH: (False, True), ENCRYPT: (False,), DECRYPT: (True,)}[given["Direction"]]


def block_bytes(core: View) -> int:
    return int(dict(core.item.parameters).get("BlockBits", 128)) // 8


def block(core: View) -> Block:
    sizes, ways = kinds(core)
    data = random.randbytes(block_bytes(core))
    return Block(random.randbytes(random.choice(sizes)), data, random.choice(ways))


async def begin(core: View, given: Block | None) -> None:
    """Offer a block with the first word of its key in this cycle, or nothing."""
    await core.apply(
        in_valid_i=int(given is not None),
        in_decrypt_i=given.decrypt if given else random.getrandbits(1),
        key_len_i=KEY_BYTES.index(len(given.key)) if given else random.getrandbits(2),
        key_i=given.schedule[0] if given else random.getrandbits(32),
    )


async def run(
    core: View, given: Block, following: Block | None, *, key_alone: bool = False
) -> None:
    """The cycles of a block that was offered; the next block is offered in the last one."""
    first = given.cycles - given.columns + 1
    assert core.get("in_ready_o") == 1
    assert core.get("key_o") == given.schedule[0]
    for cycle in range(1, given.cycles + 1):
        await core.edge()
        ends = cycle == given.cycles
        # The core ignores a block that is offered too early.
        await begin(core, following if ends or random.random() < 0.5 else None)
        if not ends and cycle < len(given.key) // 4:
            await core.apply(key_i=given.schedule[cycle])
        in_data = given.words_in[cycle - 1] if cycle <= given.columns else random.getrandbits(32)
        await core.apply(in_data_i=in_data)
        assert core.get("in_ready_o") == ends
        assert ends or core.get("key_o") == given.schedule[cycle]
        assert core.get("out_valid_o") == (cycle >= first)
        if cycle >= first and not key_alone:
            assert core.get("out_data_o") == given.words_out[cycle - first]


async def idle(core: View, cycles: int) -> None:
    for _ in range(cycles):
        await core.edge()
        await begin(core, None)
        await core.apply(in_data_i=random.getrandbits(32))
        assert core.get("in_ready_o") == 1
        assert core.get("out_valid_o") == 0


@for_each(CORES, "aes_serial32_core")
async def a_single_block(core: View) -> None:
    await core.apply(in_valid_i=0)
    await core.reset()
    for _ in range(4 if EVERYDAY else 12):
        given = block(core)
        await begin(core, given)
        await run(core, given, None)
        await idle(core, random.randrange(1, 9))


@for_each(CORES, "aes_serial32_core")
async def consecutive_blocks(core: View) -> None:
    await core.apply(in_valid_i=0)
    await core.reset()
    blocks = [block(core) for _ in range(10 if EVERYDAY else 40)]
    await begin(core, blocks[0])
    for given, following in zip(blocks, [*blocks[1:], None], strict=True):
        await run(core, given, following)


@for_each(CORES, "aes_serial32_core")
async def encryption_gives_the_last_words(core: View) -> None:
    await core.apply(in_valid_i=0)
    await core.reset()
    sizes, ways = kinds(core)
    for size in sizes:
        given = Block(random.randbytes(size), random.randbytes(block_bytes(core)), decrypt=False)
        await begin(core, given)
        await run(core, given, None, key_alone=False not in ways)
        await idle(core, 1)


@for_each(CORES, "aes_serial32_core")
async def a_reset_with_words_of_zeros_leaves_nothing(core: View) -> None:
    await core.apply(in_valid_i=0)
    await core.reset()
    for wait in (1, 5, 17, 40):
        secrets = [block(core) for _ in range(2)]
        seen = []
        for given in secrets:
            await begin(core, given)
            for cycle in range(wait):
                await core.edge()
                await begin(core, None)
                await core.apply(
                    in_data_i=given.words_in[cycle % given.columns],
                    key_i=given.schedule[cycle % 8],
                )
            await core.apply(rst_ni=0, in_data_i=0, key_i=0)
            # The first edge ends the block; words already in the registers continue.
            for _ in range(11 if block_bytes(core) == 32 else 9):
                await core.edge()
            await core.apply(rst_ni=1)
            # From here on the outputs are the same after any secret.
            zeros = bytes(block_bytes(core))
            other = Block(bytes(len(secrets[0].key)), zeros, secrets[0].decrypt)
            await begin(core, other)
            found = []
            for _ in range(other.cycles):
                await core.edge()
                await core.apply(in_valid_i=0)
                found.append((core.get("out_data_o"), core.get("key_o")))
            seen.append(found)
        assert seen[0] == seen[1]


@pytest.mark.parametrize("bits", [0, 128, 192, 256])
def test_it_has_one_column_of_each_part_and_one_window(bits: int) -> None:
    found = parts("aes_serial32_core", {"KeyBits": bits}, registers=True)
    built = modules(found)
    assert built["aes_sbox"] == built["aes_sbox_tower"] == 4 + 4
    assert built["aes_mix_column_shared"] == 1
    held = sum(flip_flops(cells).total() for _, cells in found)
    # Four columns and one more byte for row 3; the window; counters, Rcon, direction and key size.
    assert held <= 128 + 8 + (bits or 256) + 3 * 2 + 8 + 7


CELLS = target("osu018", 0)


@slow
@needs.cells
def test_it_has_fewer_than_7500_gates() -> None:
    core = preset("aesforge-compact")
    row = synth(core, core.configure(["sbox=lean"]), CELLS)
    assert row["config"]["key_schedule"] == "on_the_fly"
    assert row["parts"]["word_core"]["ff"] == 413
    assert row["parts"]["word_core"]["ge"] < 7500
    parts_of = row["parts"]
    assert row["ge"] == parts_of["word_core"]["ge"] + parts_of["rounds_and_control"]["ge"]
