import random

from benches import KEY
from runner import ENCRYPT, View, for_each, simulate

from aesforge.core import model


def test_aes_key_words() -> None:
    simulate(__file__, KEY)


async def idle(words: View, **inputs: int) -> None:
    """A clock without a step."""
    await words.apply(step_i=0, start_i=0, first_i=0, last_i=0, clear_i=0, **inputs)
    await words.edge()
    await words.apply(take_i=0, restart_i=0, keep_i=0)


async def schedule(words: View, back: int) -> list[bytes]:
    """All round keys from where the words are, SubWord taken as a serial core takes it."""
    keys, key, sub = [], b"", bytearray(4)
    await words.apply(back_i=back, start_i=1, step_i=1, last_i=0)
    for c in range(4):
        await words.apply(first_i=int(c == 0))
        key += words.get("k_sch_o").to_bytes(4)
        sub[c] = words.get("rot_word_o").to_bytes(4)[c]
        await words.edge()
    keys.append(key)
    await words.apply(start_i=0)
    for number in range(1, 11):
        key = b""
        rcon = model.rcon(11 - number if back else number)[0]
        for c in range(4):
            await words.apply(
                step_i=1,
                first_i=int(c == 0),
                last_i=int(number == 10),
                sub_word_i=int.from_bytes(model.sub_word(bytes(sub))),
                rcon_i=rcon,
            )
            await words.edge()
            key += words.get("k_sch_o").to_bytes(4)
            # Pauses change nothing.
            if random.random() < 0.2:
                await words.apply(step_i=0)
                await words.edge()
        keys.append(key)
        await words.apply(step_i=0)
        sub = bytearray(words.get("rot_word_o").to_bytes(4))
    return keys


@for_each(KEY, "aes_key_words")
async def schedules_run_either_way_and_on_from_where_they_ended(words: View) -> None:
    ways = (0,) if dict(words.item.parameters)["Direction"] == ENCRYPT else (0, 1)
    for _ in range(4):
        key = random.randbytes(16)
        wanted = model.round_keys(key)
        await idle(words, take_i=1, key_i=int.from_bytes(key))
        await idle(words, restart_i=1)
        side = 0
        assert await schedule(words, 0) == wanted
        for _ in range(6):
            back = random.choice(ways)
            await idle(words, **({"restart_i": 1} if back == side else {"keep_i": 1}))
            side = back
            assert await schedule(words, back) == (wanted[::-1] if back else wanted)


@for_each(KEY, "aes_key_words")
async def a_new_key_comes_before_what_is_kept(words: View) -> None:
    key = random.randbytes(16)
    await idle(words, take_i=1, keep_i=1, key_i=int.from_bytes(key))
    await idle(words, restart_i=1)
    assert await schedule(words, 0) == model.round_keys(key)


@for_each(KEY, "aes_key_words")
async def a_clear_leaves_zeros(words: View) -> None:
    await idle(words, take_i=1, key_i=random.getrandbits(128))
    await idle(words, restart_i=1)
    for c in range(8):
        await words.apply(
            step_i=1, start_i=1, clear_i=1, keep_i=1, back_i=0, first_i=int(c % 4 == 0)
        )
        await words.edge()
    await idle(words, restart_i=1)
    assert await schedule(words, 0) == model.round_keys(bytes(16))
