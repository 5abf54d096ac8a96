"""aes_shallow_pkg: its constants are what the standard's field makes of those that are chosen."""

import re
from functools import reduce

import cocotb
from benches import FIELD
from runner import View, for_each, simulate

from aesforge import model, sources
from aesforge.towers import mul

TEXT = next(path for path in sources.files() if path.stem == "aes_shallow_pkg").read_text()


def chosen(name: str) -> list[int]:
    """A vector that is written down, its lowest entry first."""
    found = re.search(rf"{name} = \{{(.*?)\}};", TEXT, re.DOTALL)
    assert found is not None
    entries = re.findall(r"\d'([bd])(\d+)", found[1])
    return [int(digits, {"b": 2, "d": 10}[base]) for base, digits in entries][::-1]


NORMS, FACTORS, BASES = chosen("NORMS"), chosen("FACTORS"), chosen("BASES")
D, E = BASES[1::2], BASES[::2]


def power(a: int, exponent: int) -> int:
    return reduce(mul, [a] * exponent, 1)


SUBFIELD = [power(power(3, 17), k) for k in range(15)]


def trace(a: int) -> int:
    return power(a, 1) ^ power(a, 2) ^ power(a, 4) ^ power(a, 8)


def parity(a: int) -> int:
    return a.bit_count() & 1


def norm_bits(x: int) -> int:
    return sum(trace(mul(SUBFIELD[c], power(x, 17))) << k for k, c in enumerate(NORMS))


def test_aes_shallow_pkg() -> None:
    simulate(__file__, FIELD)


@for_each(FIELD, "shallow_probe")
async def powers_are_those_of_the_subfield(probe: View) -> None:
    for k in range(15):
        await probe.apply(exponent_i=k)
        assert probe.get("power_o") == SUBFIELD[k]
        assert probe.get("trace_o") == trace(SUBFIELD[k])


@for_each(FIELD, "shallow_probe")
async def four_products_with_inversions_are_a_bit_of_the_norm(probe: View) -> None:
    await probe.apply(exponent_i=0)
    linears = probe.get("linears_o")
    for x in range(256):
        for k in range(4):
            linear = linears >> 8 * k & 0xFF
            factors = [parity(mask & x) for mask in FACTORS[8 * k : 8 * k + 8]]
            found = 0
            for p in range(0, 8, 2):
                found ^= factors[p] & factors[p + 1]
                found ^= factors[p] & linear >> p ^ factors[p + 1] & linear >> p + 1
            assert found & 1 == norm_bits(x) >> k & 1


@for_each(FIELD, "shallow_probe")
async def the_tables_are_over_the_norm(probe: View) -> None:
    seen = set()
    for a in (0, *SUBFIELD):
        norm = sum(trace(mul(SUBFIELD[c], a)) << k for k, c in enumerate(NORMS))
        seen.add(norm)
        for e in range(15):
            await probe.apply(exponent_i=e, norm_i=norm)
            assert probe.get("over_o") == trace(mul(SUBFIELD[e], power(a, 14)))
    assert len(seen) == 16


@for_each(FIELD, "shallow_probe")
async def four_products_are_a_bit_of_the_result(probe: View) -> None:
    await probe.apply(exponent_i=0)
    for port, table, constant in (("inverse_o", None, 0), ("affine_o", model.SBOX, 0x63)):
        masks = probe.get(port)
        for x in range(256):
            over = power(power(x, 17), 14)
            found = constant
            for at in range(32):
                product = parity(masks >> 8 * at & x & 0xFF) & trace(mul(SUBFIELD[E[at]], over))
                found ^= product << at // 4
            assert found == (table[x] if table else power(x, 254))


@for_each(FIELD, "shallow_probe")
async def each_sum_is_of_two_before_it(probe: View) -> None:
    await probe.apply(exponent_i=0)
    told, affine = probe.get("list_o"), probe.get("affine_o")
    words = told.to_bytes((told.bit_length() + 7) // 8, "little")
    pairs = list(zip(words[::2], words[1::2], strict=True))
    there = [mask for mask, _ in pairs[:8]]
    assert there == [1 << k for k in range(8)]
    for mask, member in pairs[8:]:
        assert mask not in there
        assert member in there
        assert mask ^ member in there
        there.append(mask)
    assert {*FACTORS, *affine.to_bytes(32, "little")} <= {*there}


@cocotb.test()
async def the_bases_are_dual(_dut: object) -> None:
    for k in range(0, 32, 4):
        for i in range(k, k + 4):
            for j in range(k, k + 4):
                assert trace(mul(SUBFIELD[D[i]], SUBFIELD[E[j]])) == (i == j)
