import random

from benches import KEY
from key_windows import padded, sizes, told
from runner import View, for_each, simulate

from aesforge.core import model


def test_aes_key_pipeline() -> None:
    simulate(__file__, KEY)


def check(line: View, r: int, key: bytes) -> None:
    """Round r of the longest key: `key` has its round key there, or its block passes by."""
    skipped = sizes(line)[-1] // 4 - len(key) // 4
    passed = 0 < r <= skipped
    assert line.get("pass_o") >> r & 1 == passed, (line.item.name, r)
    if not passed:
        expected = model.round_keys(key)[r - skipped if r else 0]
        found = line.get("k_sch_o") >> 128 * r & (1 << 128) - 1
        assert found.to_bytes(16) == expected, (line.item.name, r)


@for_each(KEY, "aes_key_pipeline")
async def a_new_key_every_move_meets_its_block_in_every_round(line: View) -> None:
    stages = int(dict(line.item.parameters)["Stages"])
    rounds = sizes(line)[-1] // 4 + 6
    entered: list[bytes] = []
    while len(entered) < stages * rounds + 20:
        key = random.randbytes(random.choice(sizes(line)))
        move = int(random.random() < 0.7)
        await line.apply(move_i=move, key_i=padded(key), len_i=told(line, key))
        inside = [*entered, key]
        for r in range(rounds + 1):
            if len(inside) > stages * r:
                check(line, r, inside[-1 - stages * r])
        if move:
            entered.append(key)
        await line.edge()
