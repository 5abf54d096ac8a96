import random

from benches import KEY
from key_words import goes_on_from_where_it_ended, idle, load, schedule, sizes
from runner import View, for_each, simulate

from aesforge.core import model


def test_aes_key_row() -> None:
    simulate(__file__, KEY)


def tell(number: int, c: int) -> dict[str, int]:
    """The row counts the rounds itself."""
    return {"word_i": c % 4}


def down(back: int) -> int:
    """Backward, the last word of a round key comes first."""
    return back


@for_each(KEY, "aes_key_row")
async def schedules_run_either_way_and_on_from_where_they_ended(row: View) -> None:
    await goes_on_from_where_it_ended(row, tell, down)


@for_each(KEY, "aes_key_row")
async def a_new_key_comes_before_what_is_kept(row: View) -> None:
    for bits in sizes(row):
        key = random.randbytes(bits // 8)
        await load(row, key, keep_i=1)
        assert await schedule(row, tell, bits, 0, 0) == model.round_keys(key)


async def clear(row: View) -> None:
    """As many clocks as a core takes: until the last words have left, and what they led to."""
    for c in range(12):
        await row.apply(step_i=1, start_i=1, clear_i=1, keep_i=1, back_i=0, **tell(0, c))
        await row.edge()
    await idle(row, restart_i=1)


@for_each(KEY, "aes_key_row")
async def a_clear_leaves_zeros(row: View) -> None:
    for bits in sizes(row):
        # The longest words that may be there, under any size.
        await load(row, random.randbytes(sizes(row)[-1] // 8))
        await row.apply(len_i=random.randrange(4))
        await clear(row)
        await load(row, random.randbytes(bits // 8))
        await clear(row)
        assert await schedule(row, tell, bits, 0, 0) == model.round_keys(bytes(bits // 8))
