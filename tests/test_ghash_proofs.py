"""Every product of the GHASH family equals SP 800-38D's for all factors."""

import random
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from suite import slow

from aesforge.core import sources
from aesforge.proof import bilinear
from aesforge.proof.bilinear import ONE, ZERO, Circuit, Form, add, factor_a, factor_b

# R (SP 800-38D, 6.3), as a block: its first bit is the coefficient of x^0.
R = 0xE1 << 120


def times_x(block: int) -> int:
    """A step of algorithm 1's V."""
    return block >> 1 ^ (R if block & 1 else 0)


def powers() -> list[int]:
    """x^k as blocks, k from 0 to 254."""
    found = [1 << 127]
    while len(found) < 255:
        found.append(times_x(found[-1]))
    return found


def multiply_blocks(x: int, y: int) -> int:
    """X * Y (algorithm 1)."""
    z = 0
    for i in range(127, -1, -1):
        z ^= y if x >> i & 1 else 0
        y = times_x(y)
    return z


def product(start: int = 0) -> list[Form]:
    """The product of a block of inputs a, from `start`, and b; bit 0 of a block first."""
    total = [0] * 128
    for k, power in enumerate(powers()):
        pairs = 0
        for i in range(max(0, k - 127), min(k, 127) + 1):
            # The coefficient of x^i is bit 127 - i of the block.
            pairs |= 1 << ((start + 127 - i) << bilinear.SHIFT) + 127 - (k - i)
        for bit in range(128):
            if power >> bit & 1:
                total[bit] ^= pairs
    return [Form(ab=ab) for ab in total]


def circuit(module: str, **parameters: int) -> Circuit:
    return Circuit(sources.closure(module), module, parameters)


PRODUCTS = [
    pytest.param(0, 0, marks=slow),
    (2, 0b0001),
    pytest.param(3, 0b111111, marks=slow),
    pytest.param(4, 0b101010, marks=slow),
]


@pytest.mark.parametrize(("levels", "registers"), PRODUCTS)
def test_pipelined_product(levels: int, registers: int) -> None:
    found = circuit("aes_ghash_product", Levels=levels, Registers=registers)
    # Other factors before and after show that a product depends on its own alone.
    found.cycle({"a_i": [ONE] * 128, "b_i": factor_b(128)})
    outputs = [found.cycle({"a_i": factor_a(128), "b_i": factor_b(128)})]
    for _ in range(registers.bit_count()):
        outputs.append(found.cycle({"a_i": factor_a(128), "b_i": [ONE] * 128}))
    assert outputs[-1]["data_o"] == product()


@slow
@pytest.mark.parametrize(("levels", "registers"), [(2, 0b0001), (3, 0b101011)])
def test_sum_of_pipelined_products(levels: int, registers: int) -> None:
    """Of two terms: the product of either pair, beside a zero."""
    found = circuit("aes_ghash_product", Levels=levels, Registers=registers, Terms=2)
    for at in (0, 128):
        a, b = [ZERO] * 256, [ZERO] * 256
        a[at : at + 128], b[at : at + 128] = factor_a(128), factor_b(128)
        outputs = [found.cycle({"a_i": a, "b_i": b})]
        for _ in range(registers.bit_count()):
            outputs.append(found.cycle({"a_i": [ONE] * 256, "b_i": [ONE] * 256}))
        assert outputs[-1]["data_o"] == product()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("low ^ high ^ both", "low ^ high", marks=slow),
        pytest.param(
            *("mirrored[2*BITS-2-k] = b[AT+k]", "mirrored[2*BITS-2-k] = b[AT+(k^(k==3))]"),
            marks=slow,
        ),
        ("= ^rows[", "= ((n==0&&k==0)&a[5]&b[5]) ^ ^rows["),
    ],
)
def test_a_wrong_product_is_another_polynomial(old: str, new: str, tmp_path: Path) -> None:
    """The text is broken in one place; one product in 16,384 is enough."""
    files = sources.closure("aes_ghash_product")
    text = files[-1].read_text(encoding="utf-8")
    assert text.count(old) == 1
    broken = tmp_path / files[-1].name
    broken.write_text(text.replace(old, new), encoding="utf-8")
    found = Circuit([*files[:-1], broken], "aes_ghash_product", {"Levels": 2})
    outputs = found.cycle({"a_i": factor_a(128), "b_i": factor_b(128)})
    assert outputs["data_o"] != product()


RUN = {"rst_ni": [ONE]}

WHOLE = [
    ("serial", {"Digit": 16}),
    pytest.param("serial", {"Digit": 1}, marks=slow),
    pytest.param("serial", {"Digit": 4}, marks=slow),
    pytest.param("single", {"Levels": 3}, marks=slow),
]


@pytest.mark.parametrize(("name", "parameters"), WHOLE, ids=str)
def test_one_block_of_a_message(name: str, parameters: dict[str, int]) -> None:
    """The hash is (y + x) H for any sum y of earlier blocks, last block x and subkey H."""
    found = circuit(f"aes_ghash_{name}", **parameters)
    found.cycle({})
    found.cycle({**RUN, "key_valid_i": [ONE], "key_i": factor_b(128)})
    # A first block opens the message; any sum replaces its product.
    found.cycle({**RUN, "in_valid_i": [ONE]})
    for _ in range(128 // parameters.get("Digit", 128)):
        found.cycle(RUN)
    before = factor_a(128)
    found.set_register("sum_q", before[::-1] if name == "serial" else before)
    block = {"in_valid_i": [ONE], "in_last_i": [ONE], "in_data_i": factor_a(128, 128)}
    outputs = found.cycle({**RUN, **block})
    assert outputs["in_ready_o"] == [ONE]
    while outputs["out_valid_o"] == [ZERO]:
        outputs = found.cycle(RUN)
    expected = [add(y, x) for y, x in zip(product(), product(128), strict=True)]
    assert outputs["out_data_o"] == expected
    # A clear leaves neither data nor subkey in any register.
    found.cycle({**RUN, "clear_i": [ONE]})
    assert set(found.state.values()) <= {ZERO, ONE}


def keyed(found: Circuit, subkey: int) -> None:
    """A reset, a clear until a subkey is accepted, and the subkey."""
    found.cycle({})
    bits = [ONE if subkey >> k & 1 else ZERO for k in range(128)]
    key = {"key_valid_i": [ONE], "key_i": bits}
    while found.cycle({**RUN, **key})["key_ready_o"] == [ZERO]:
        pass


def hashed(found: Circuit, lanes: int, sizes: Sequence[int]) -> list[Form]:
    """The hash of a message of beats of so many blocks, each bit of which is an input."""
    at = 0
    for number, size in enumerate(sizes):
        data = [ZERO] * 128 * lanes
        for n in range(size):
            place = 128 * (lanes - 1 - n)
            data[place : place + 128] = factor_a(128, 128 * (at + n))
        at += size
        beat = {"in_valid_i": [ONE], "in_last_i": [ONE if number == len(sizes) - 1 else ZERO]}
        beat["in_data_i"] = data
        if lanes > 1:
            blocks = [ONE if size >> k & 1 else ZERO for k in range(lanes.bit_length())]
            beat["in_blocks_i"] = blocks
        while found.cycle({**RUN, **beat})["in_ready_o"] == [ZERO]:
            pass
    outputs = found.cycle(RUN)
    while outputs["out_valid_o"] == [ZERO]:
        outputs = found.cycle(RUN)
    return outputs["out_data_o"]


def hash_of_all(subkey: int, blocks: int) -> list[Form]:
    """The bits of inputs that each bit of the hash of so many blocks is the sum of."""
    expected = [0] * 128
    weight = subkey
    for n in reversed(range(blocks)):
        for i in range(128):
            column = multiply_blocks(1 << i, weight)
            for k in range(128):
                expected[k] |= (column >> k & 1) << 128 * n + i
        weight = multiply_blocks(weight, subkey)
    return [Form(a=a) for a in expected]


def is_linear(
    module: str, parameters: Mapping[str, int], sizes: Sequence[int], clearing: int = 0
) -> None:
    """For a random subkey, the hash of all messages of such beats: a linear map of their bits.

    A clear, and so many cycles, leave neither data nor subkey in any register.
    """
    found = circuit(module, **parameters)
    subkey = random.getrandbits(128)
    keyed(found, subkey)
    assert hashed(found, parameters.get("Lanes", 1), sizes) == hash_of_all(subkey, sum(sizes))
    found.cycle({**RUN, "clear_i": [ONE]})
    for _ in range(clearing):
        found.cycle(RUN)
    assert set(found.state.values()) <= {ZERO, ONE}


@slow
@pytest.mark.parametrize(
    ("name", "parameters", "sizes"),
    [
        ("lanes", {"Lanes": 2, "Levels": 2}, (2, 1)),
        ("lanes", {"Lanes": 4, "Levels": 2}, (3, 4, 1)),
        ("blocks", {"Lanes": 2, "Digit": 32}, (2, 1)),
        ("blocks", {"Lanes": 4, "Digit": 128}, (3, 4, 1)),
    ],
)
def test_message_of_beats_of_several_blocks(
    name: str, parameters: dict[str, int], sizes: tuple[int, ...]
) -> None:
    is_linear(f"aes_ghash_{name}", parameters, sizes)


@slow
@pytest.mark.parametrize(
    ("lanes", "registers", "sizes"),
    [(2, 0, (2, 1, 2, 2, 2, 1)), (2, 0b101011, (2, 2, 1, 2, 2, 2, 2, 2, 1, 1)), (4, 0, (3, 4, 1))],
)
def test_message_of_beats_over_powers_of_the_subkey(
    lanes: int, registers: int, sizes: tuple[int, ...]
) -> None:
    parameters = {"Lanes": lanes, "Levels": 3, "Registers": registers, "Hashes": 2}
    is_linear("aes_ghash_lanes_pipelined", parameters, sizes, 4 + registers.bit_count())


@slow
@pytest.mark.parametrize(("registers", "blocks"), [(0, 8), (0b101011, 13), (0b11111, 3)])
def test_message_over_powers_of_the_subkey(registers: int, blocks: int) -> None:
    parameters = {"Levels": 3, "Registers": registers}
    is_linear("aes_ghash_pipelined", parameters, [1] * blocks, 3 + registers.bit_count())
