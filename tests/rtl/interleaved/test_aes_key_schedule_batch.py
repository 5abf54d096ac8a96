import random

from benches import KEY
from runner import View, for_each, simulate

from aesforge.core import model

RCON = (0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0x1B, 0x36)
REST = {"load_i": 0, "pass_next_i": 0, "run_next_i": 0, "pass_ends_i": 0}


def test_aes_key_schedule_batch() -> None:
    simulate(__file__, KEY)


async def one_pass(keys: View, key: bytes, number: int, stages: int) -> None:
    """A pass with stalls, in which its round key is stable; the key itself in the first pass."""
    found, expected = ("k_sch_o" if number else "key_o"), model.round_keys(key)[number]
    left = stages
    while left:
        stall = random.random() < 0.2
        ends = int(left == 1 and not stall)
        await keys.apply(
            **REST
            | {"gather_i": int(number == 0), "run_i": int(number > 0), "rcon_i": RCON[number]}
            | {"pass_next_i": ends, "run_next_i": 1, "pass_ends_i": ends}
        )
        assert keys.get(found).to_bytes(16) == expected, (keys.item.name, number)
        await keys.edge()
        left -= not stall


@for_each(KEY, "aes_key_schedule_batch")
async def each_pass_has_its_round_key(keys: View) -> None:
    stages = int(dict(keys.item.parameters)["Stages"])
    for _ in range(20):
        key = random.randbytes(16)
        await keys.apply(**REST, gather_i=1, run_i=0, rcon_i=1, key_i=0)
        await keys.apply(load_i=1, key_i=int.from_bytes(key))
        await keys.edge()
        # Its SubWord starts in the next cycle.
        await keys.apply(load_i=0, key_i=random.getrandbits(128))
        await keys.apply(pass_next_i=1, run_next_i=0)
        await keys.edge()
        for number in range(10):
            await one_pass(keys, key, number, stages)
        await keys.apply(**REST, gather_i=1, run_i=0)
        assert keys.get("k_sch_o").to_bytes(16) == model.round_keys(key)[10], keys.item.name


@for_each(KEY, "aes_key_schedule_batch")
async def two_passes_clear_everything(keys: View) -> None:
    stages = int(dict(keys.item.parameters)["Stages"])
    left: set[tuple[int, int]] = set()
    for _ in range(3):
        await keys.apply(**REST, gather_i=1, run_i=0, rcon_i=1)
        await keys.apply(load_i=1, key_i=random.getrandbits(128))
        await keys.edge()
        await keys.apply(load_i=0, gather_i=0)
        for cycle in range(2 * stages):
            ends = int(cycle % stages == stages - 1)
            await keys.apply(pass_next_i=ends, pass_ends_i=ends)
            await keys.edge()
        left.add((keys.get("key_o"), keys.get("k_sch_o")))
    assert len(left) == 1, keys.item.name
