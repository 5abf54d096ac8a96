"""What the benches of everything with two key banks ask of them."""

from runner import View

from aesforge.core import model


def rounds_in_force(store: View) -> int:
    """Nr of the key in force, out of those of both banks."""
    return int(store.get("rounds_o")) >> 4 * store.get("bank_o") & 15


async def holds(store: View, key: bytes) -> None:
    """The key is in force, whole."""
    assert (store.get("loaded_o"), rounds_in_force(store)) == (1, model.rounds(key))
    for number, round_key in enumerate(model.round_keys(key)):
        await store.apply(read_bank_i=store.get("bank_o"), read_round_i=number)
        assert store.get("round_key_o").to_bytes(16) == round_key, store.item.name
