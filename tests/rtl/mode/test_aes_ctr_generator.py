"""aes_ctr_generator: encrypted counters, each once and in order, one per cycle in a pipeline."""

import random

from benches import KEY_BITS, MODE, PIPELINED
from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import ECB
from runner import View, for_each, simulate


def test_aes_ctr_generator() -> None:
    simulate(__file__, MODE)


# In the simulator -------------------------------------------------------------------------------


def word(key: bytes, counter: int) -> int:
    """The encryption of one counter block, by OpenSSL."""
    encryptor = Cipher(AES(key), ECB()).encryptor()
    return int.from_bytes(encryptor.update(counter.to_bytes(16, "big")), "big")


def parameters(view: View) -> dict[str, int]:
    """The parameters of the instance."""
    return {name: int(value) for name, value in view.item.parameters}


def any_key(view: View) -> bytes:
    """A key of a size of the instance."""
    bits = parameters(view)["KeyBits"]
    return random.randbytes(random.choice((128, 192, 256) if bits == KEY_BITS[0] else (bits,)) // 8)


def after(view: View, counter: int) -> int:
    """The next counter block (SP 800-38A, B.1)."""
    counts = (1 << parameters(view)["CounterBits"]) - 1
    return (counter & ~counts) | ((counter + 1) & counts)


async def give_key(view: View, key: bytes) -> None:
    """Offer a key until it is taken."""
    left = int.from_bytes(key.ljust(32, b"\0"), "big")
    view.set(key_valid_i=1, key_i=left, key_len_i=(len(key) - 16) // 8)
    await view.until(lambda: bool(view.get("key_ready_o")))
    await view.tick()
    await view.apply(key_valid_i=0, key_i=0)


async def give_seed(view: View, seed: int) -> None:
    """Offer a seed until it is taken."""
    view.set(seed_valid_i=1, seed_i=seed)
    await view.until(lambda: bool(view.get("seed_ready_o")))
    await view.tick()
    await view.apply(seed_valid_i=0, seed_i=0)


@for_each(MODE, "aes_ctr_generator")
async def a_pipeline_outputs_a_word_per_cycle(view: View) -> None:
    await view.reset()
    key, counter = any_key(view), random.getrandbits(128)
    await give_key(view, key)
    await give_seed(view, counter)
    view.set(out_ready_i=1)
    await view.until(lambda v=view: bool(v.get("out_valid_o")))
    assert view.get("out_first_o")
    start, words = view.clocks, 0
    while words < 200:
        await view.settle()
        if view.get("out_valid_o"):
            assert view.get("out_data_o") == word(key, counter)
            assert view.get("out_first_o") == (words == 0)
            counter = after(view, counter)
            words += 1
        await view.edge()
    if parameters(view)["Engine"] == PIPELINED:
        assert view.clocks - start == words


@for_each(MODE, "aes_ctr_generator")
async def seeds_and_keys_may_change_while_results_stall(view: View) -> None:
    await view.reset()
    # The keys that a word may use: the key of the previous word and every later key.
    keys = [any_key(view)]
    await give_key(view, keys[0])
    seeds: list[int] = []
    counter: int | None = None
    met = 0
    offered_key: bytes | None = None
    changed = 0
    held: int | None = None
    for _ in range(6000):
        if offered_key is None and random.random() < 0.01:
            offered_key = any_key(view)
        seed = random.getrandbits(128) | random.choice((0, (1 << 31) - 1))
        left = int.from_bytes((offered_key or b"").ljust(32, b"\0"), "big")
        await view.apply(
            key_valid_i=int(offered_key is not None),
            key_i=left,
            key_len_i=(len(offered_key) - 16) // 8 if offered_key else 0,
            seed_valid_i=int(random.random() < (0.03 if seeds or counter is not None else 0.5)),
            seed_i=seed,
            out_ready_i=int(random.random() < 0.8),
        )
        if view.get("out_valid_o"):
            data = view.get("out_data_o")
            assert held in (None, data)
            if view.get("out_ready_i"):
                if view.get("out_first_o"):
                    # A seed that was replaced before its first word entered the core has no words.
                    while data not in [word(key, seeds[0]) for key in keys]:
                        seeds.pop(0)
                    counter = seeds.pop(0)
                assert counter is not None
                under = [data == word(key, counter) for key in keys]
                assert any(under)
                changed += under.index(True)
                del keys[: under.index(True)]
                counter = after(view, counter)
                met += 1
                held = None
            else:
                held = data
        else:
            assert held is None
        if offered_key is not None and view.get("key_ready_o"):
            keys.append(offered_key)
            offered_key = None
        if view.get("seed_valid_i") and view.get("seed_ready_o"):
            seeds.append(seed)
        await view.edge()
    assert met > 200
    assert changed > 3


@for_each(MODE, "aes_ctr_generator")
async def a_clear_discards_seed_and_words(view: View) -> None:
    for patience in (0, 1, 5, 40):
        await view.reset()
        await give_key(view, any_key(view))
        await give_seed(view, random.getrandbits(128))
        await view.tick(patience)
        await view.apply(key_clear_i=1, out_ready_i=1)
        await view.edge()
        await view.apply(key_clear_i=0)
        key, seed = any_key(view), random.getrandbits(128)
        await give_key(view, key)
        for _ in range(100):
            assert not view.get("out_valid_o")
            await view.edge()
        await give_seed(view, seed)
        await view.until(lambda v=view: bool(v.get("out_valid_o")))
        assert view.get("out_first_o")
        assert view.get("out_data_o") == word(key, seed)
