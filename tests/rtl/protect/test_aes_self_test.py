"""aes_self_test: a core with right answers is opened and cleared; any other one stays closed."""

import random
from collections.abc import Callable

from benches import PROTECT
from runner import View, for_each, simulate

from aesforge.core.contract import sboxes_code
from aesforge.core.sources import codes
from aesforge.sim.oracle import ecb

CODES = codes()
CLOSED = {"key_ready_o": 0, "in_ready_o": 0, "out_valid_o": 0}
KEY = bytes(range(32))
BLOCK = bytes(17 * k for k in range(16))
LAST_ROUND_KEY = bytes.fromhex("13111d7fe3944a17f307a78b4d2b30c5")


def test_aes_self_test() -> None:
    simulate(__file__, PROTECT)


# In the simulator -------------------------------------------------------------------------------


def parameter(view: View, name: str) -> int:
    return int(dict(view.item.parameters)[name])


def known_answers(view: View) -> list[tuple[str, int, bool]]:
    """The handshakes of the test in order: what, bits of the key, decrypt."""
    bits, direction = parameter(view, "KeyBits"), parameter(view, "Direction")
    names = {"DECRYPT": [True], "ENCRYPT": [False], "BOTH": [False, True]}
    (ways,) = (w for name, w in names.items() if CODES[f"DIRECTION_{name}"] == direction)
    return [
        step
        for size in ((128, 192, 256) if bits == CODES["KEYS_ANY"] else (bits,))
        for step in (
            ("key", size, False),
            *((what, size, way) for way in ways for what in ("block", "result")),
        )
    ]


def number(data: bytes) -> int:
    return int.from_bytes(data)


def answer(size: int, decrypt: bool) -> int:
    """What a right core outputs, as OpenSSL computes it."""
    found = ecb(KEY[: size // 8], False)(BLOCK)
    return number(BLOCK if decrypt else found)


async def idle(view: View) -> None:
    await view.apply(key_valid_i=0, in_valid_i=0, out_ready_i=0, key_clear_i=0, key_i=0)
    await view.apply(core_key_ready_i=0, core_in_ready_i=0, core_out_valid_i=0, core_out_data_i=0)
    await view.reset()


async def user(view: View) -> None:
    """Whatever a user does: keys, blocks and clears."""
    key, block = random.getrandbits(256), random.getrandbits(128)
    await view.apply(
        key_valid_i=random.getrandbits(1),
        key_i=key,
        key_len_i=key % 3,
        in_valid_i=random.getrandbits(1),
        in_data_i=block,
        in_decrypt_i=block % 2,
        in_sboxes_i=block % 3,
        out_ready_i=random.getrandbits(1),
        key_clear_i=random.getrandbits(1),
    )


def closed(view: View) -> None:
    assert {name: view.get(name) for name in CLOSED} == CLOSED
    if parameter(view, "IdleOutput") == CODES["IDLE_OUTPUT_ZERO"]:
        assert view.get("out_data_o") == 0


async def answers(view: View, given: Callable[[int, int], int], stalls: float) -> None:
    """The test, with a core that gives for the n-th answer what `given` makes of the right one."""
    result = -1
    for what, size, decrypt in known_answers(view):
        result += what == "result"
        right = answer(size, decrypt)
        for last in (*(False for _ in range(3) if random.random() < stalls), True):
            await user(view)
            await view.apply(
                core_key_ready_i=int(last and what == "key"),
                core_in_ready_i=int(last and what == "block"),
                core_out_valid_i=int(last and what == "result"),
                core_out_data_i=given(result, right) if last else random.getrandbits(128),
            )
            closed(view)
            assert view.get("core_key_valid_o") == (what == "key")
            assert view.get("core_in_valid_o") == (what == "block")
            assert view.get("core_out_ready_o") == (what == "result")
            assert view.get("core_key_clear_o") == 0
            if what == "key":
                beside = LAST_ROUND_KEY if parameter(view, "KeyBits") == 128 else KEY[16:]
                assert view.get("core_key_o") == number(KEY[:16] + beside)
                assert view.get("core_key_len_o") == (size - 128) // 64
            if what == "block":
                block = number(ecb(KEY[: size // 8], False)(BLOCK)) if decrypt else number(BLOCK)
                assert view.get("core_in_data_o") == block
                assert view.get("core_in_decrypt_o") == decrypt
                assert view.get("core_in_sboxes_o") == sboxes_code(4)
            await view.edge()
    await user(view)
    await view.apply(core_key_ready_i=1, core_in_ready_i=1, core_out_valid_i=1)
    # The clear of the known key: one cycle.
    closed(view)
    assert view.get("core_key_clear_o") == 1
    assert (view.get("core_key_valid_o"), view.get("core_in_valid_o")) == (0, 0)
    await view.edge()


async def is_open(view: View) -> None:
    for _ in range(50):
        await user(view)
        ready, result = random.getrandbits(1), random.getrandbits(128)
        await view.apply(
            core_key_ready_i=ready,
            core_in_ready_i=1 - ready,
            core_out_valid_i=ready,
            core_out_data_i=result,
        )
        for name in ("key_valid", "key", "key_len", "in_valid", "in_data", "in_decrypt"):
            assert view.get(f"core_{name}_o") == view.get(f"{name}_i")
        assert view.get("core_in_sboxes_o") == view.get("in_sboxes_i")
        assert view.get("core_out_ready_o") == view.get("out_ready_i")
        assert view.get("core_key_clear_o") == view.get("key_clear_i")
        assert view.get("key_ready_o") == ready
        assert view.get("in_ready_o") == 1 - ready
        assert view.get("out_valid_o") == ready
        if ready:
            assert view.get("out_data_o") == result
        elif parameter(view, "IdleOutput") == CODES["IDLE_OUTPUT_ZERO"]:
            assert view.get("out_data_o") == 0
        assert view.get("failed_o") == 0
        await view.edge()


async def stays_closed(view: View) -> None:
    for _ in range(50):
        await user(view)
        await view.apply(core_key_ready_i=1, core_in_ready_i=1, core_out_valid_i=1)
        closed(view)
        assert view.get("failed_o") == 1
        assert (view.get("core_key_valid_o"), view.get("core_in_valid_o")) == (0, 0)
        await view.edge()


@for_each(PROTECT, "aes_self_test")
async def a_core_with_right_answers_is_opened(view: View) -> None:
    for stalls in (0, 0.5):
        await idle(view)
        await answers(view, lambda _, right: right, stalls)
        await is_open(view)


@for_each(PROTECT, "aes_self_test")
async def each_bit_of_each_answer_is_compared(view: View) -> None:
    count = sum(what == "result" for what, _, _ in known_answers(view))
    for wrong in range(count):
        for bit in range(0, 128, 1 if wrong == 0 else 11):
            await idle(view)
            await answers(view, lambda n, right, w=wrong, b=bit: right ^ (n == w) << b, 0)
            await stays_closed(view)


@for_each(PROTECT, "aes_self_test")
async def a_core_that_does_not_answer_fails(view: View) -> None:
    steps = [what for what, _, _ in known_answers(view)]
    for stuck in range(len(steps)):
        await idle(view)
        for what, size, decrypt in known_answers(view)[:stuck]:
            await view.apply(
                core_key_ready_i=int(what == "key"),
                core_in_ready_i=int(what == "block"),
                core_out_valid_i=int(what == "result"),
                core_out_data_i=answer(size, decrypt),
            )
            await view.edge()
        await view.apply(core_key_ready_i=0, core_in_ready_i=0, core_out_valid_i=0)
        for _ in range(1 << parameter(view, "WaitBits")):
            closed(view)
            assert (view.get("failed_o"), view.get("core_key_clear_o")) == (0, 0)
            await view.edge()
        assert (view.get("failed_o"), view.get("core_key_clear_o")) == (1, 1)
        await view.edge()
        await stays_closed(view)


@for_each(PROTECT, "aes_self_test")
async def a_result_that_no_block_asked_for_fails(view: View) -> None:
    await idle(view)
    await view.apply(core_out_valid_i=1)
    await view.edge()
    await view.apply(core_out_valid_i=0)
    await answers(view, lambda _, right: right, 0)
    await stays_closed(view)
    # A reset starts again.
    await idle(view)
    assert view.get("failed_o") == 0
    await answers(view, lambda _, right: right, 0)
    await is_open(view)
