"""aes_skid_buffer: words pass in order, at its full rate, and neither side sees the other."""

import random
from collections import deque

from benches import MODE
from runner import View, for_each, simulate


def test_aes_skid_buffer() -> None:
    simulate(__file__, MODE)


# In the simulator -------------------------------------------------------------------------------


def entries(view: View) -> int:
    return int(dict(view.item.parameters)["Entries"])


def late(view: View) -> bool:
    """A clear takes a cycle more, in which no word is accepted."""
    return dict(view.item.parameters)["Late"] == "1'b1"


@for_each(MODE, "aes_skid_buffer")
async def words_pass_in_order(view: View) -> None:
    await view.reset()
    if late(view):
        await view.edge()
    words: deque[int] = deque()
    fullest = passed = 0
    for eagerness in (0.2, 0.8, 0.5, 1.0):
        for _ in range(300):
            word, sent = random.getrandbits(8), random.random() < eagerness
            taken = random.random() > eagerness / 2
            await view.apply(in_valid_i=int(sent), in_data_i=word, out_ready_i=int(taken))
            # What is on offer depends on no input.
            assert view.get("in_ready_o") == (len(words) < entries(view))
            assert view.get("out_valid_o") == bool(words)
            accepted = sent and view.get("in_ready_o")
            if words:
                assert view.get("out_data_o") == words[0]
                if taken:
                    words.popleft()
                    passed += 1
            if accepted:
                words.append(word)
            await view.edge()
            fullest = max(fullest, len(words))
    assert fullest == entries(view)
    assert passed > 200


@for_each(MODE, "aes_skid_buffer")
async def the_rate_is_that_of_its_entries(view: View) -> None:
    await view.reset()
    if late(view):
        await view.edge()
    passed = 0
    await view.apply(in_valid_i=1, out_ready_i=1)
    for _ in range(101):
        passed += view.get("out_valid_o")
        await view.edge()
    assert passed == (100 if entries(view) == 2 else 50)


@for_each(MODE, "aes_skid_buffer")
async def clear_leaves_no_word(view: View) -> None:
    await view.reset()
    for words in range(entries(view) + 1):
        await view.apply(in_valid_i=1, in_data_i=0xFF, out_ready_i=0)
        for _ in range(words):
            await view.edge()
        await view.apply(clear_i=1)
        await view.edge()
        await view.apply(clear_i=0, in_data_i=0xFE)
        assert not view.get("out_valid_o")
        if late(view):
            assert not view.get("in_ready_o")
            await view.edge()
        assert view.get("in_ready_o")
        assert (view.get("out_valid_o"), view.get("out_data_o")) == (0, 0)
