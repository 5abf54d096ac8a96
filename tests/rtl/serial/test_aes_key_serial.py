from benches import KEY
from key_words import goes_on_from_where_it_ended
from runner import View, for_each, simulate


def test_aes_key_serial() -> None:
    simulate(__file__, KEY)


def tell(number: int, c: int) -> dict[str, int]:
    """Words by the round and the bytes of it that have been to the S-boxes."""
    place = 16 + c if not number else 4 * c
    # What is last is heeded by 128-bit keys alone.
    return {"round_i": number, "place_i": place, "last_i": int(number == 10)}


@for_each(KEY, "aes_key_serial")
async def schedules_run_either_way_and_on_from_where_they_ended(words: View) -> None:
    # Words of keys of 128 bits alone ascend in both directions.
    ascend = dict(words.item.parameters)["KeyBits"] == 128

    def down(back: int, ascend: bool = ascend) -> int:
        return back and not ascend

    await goes_on_from_where_it_ended(words, tell, down)
