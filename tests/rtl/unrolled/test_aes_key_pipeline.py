import random
from functools import cache

from benches import KEY
from key_windows import length_code, padded, sizes
from runner import View, for_each, simulate

from aesforge.core import model

round_keys = cache(model.round_keys)


def test_aes_key_pipeline() -> None:
    simulate(__file__, KEY)


def check(keys: View, r: int, key: bytes) -> None:
    """Round r of the longest key has the round key of `key`, or its block bypasses the round."""
    skipped = sizes(keys)[-1] // 4 - len(key) // 4
    bypassed = 0 < r <= skipped
    assert keys.get("pass_o") >> r & 1 == bypassed, (keys.item.name, r)
    if not bypassed:
        expected = round_keys(key)[r - skipped if r else 0]
        found = keys.get("k_sch_o") >> 128 * r & (1 << 128) - 1
        assert found.to_bytes(16) == expected, (keys.item.name, r)


@for_each(KEY, "aes_key_pipeline")
async def a_new_key_each_cycle_reaches_each_round_with_its_block(keys: View) -> None:
    stages = int(dict(keys.item.parameters)["Stages"])
    rounds = sizes(keys)[-1] // 4 + 6
    entered: list[bytes] = []
    while len(entered) < stages * rounds + 20:
        key = random.randbytes(random.choice(sizes(keys)))
        advance = int(random.random() < 0.7)
        every = advance * ((1 << rounds) - 1)
        await keys.apply(advance_i=every, key_i=padded(key), len_i=length_code(keys, key))
        inside = [*entered, key]
        for r in range(rounds + 1):
            if len(inside) > stages * r:
                check(keys, r, inside[-1 - stages * r])
        if advance:
            entered.append(key)
        await keys.edge()
