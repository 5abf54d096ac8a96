"""Checks for every module with two banks of round keys."""

from runner import View

from aesforge.core import model


def valid_rounds(store: View) -> int:
    """Nr of the valid key, from the Nr of both banks."""
    return int(store.get("rounds_o")) >> 4 * store.get("bank_o") & 15


async def holds(store: View, key: bytes) -> None:
    """The key is valid, with all of its round keys."""
    assert (store.get("loaded_o"), valid_rounds(store)) == (1, model.rounds(key))
    for number, round_key in enumerate(model.round_keys(key)):
        await store.apply(read_bank_i=store.get("bank_o"), read_round_i=number)
        assert store.get("round_key_o").to_bytes(16) == round_key, store.item.name
