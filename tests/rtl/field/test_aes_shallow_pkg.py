"""aes_shallow_pkg: its constants follow from the chosen ones in the field of FIPS 197."""

from benches import FIELD
from runner import View, for_each, simulate
from suite import slow
from test_aes_shallow_bases_pkg import FACTORS, NORMS, SUBFIELD, E, norm_bit, power, trace

from aesforge.core import model
from aesforge.search.towers import mul


def parity(a: int) -> int:
    return a.bit_count() & 1


@slow
def test_aes_shallow_pkg() -> None:
    simulate(__file__, FIELD)


@for_each(FIELD, "shallow_probe")
async def powers_are_elements_of_the_subfield(probe: View) -> None:
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
            assert found & 1 == norm_bit(k, x)


@for_each(FIELD, "shallow_probe")
async def tables_hold_traces_over_the_norm(probe: View) -> None:
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
async def each_sum_is_of_two_earlier_ones(probe: View) -> None:
    await probe.apply(exponent_i=0)
    listed, affine = probe.get("list_o"), probe.get("affine_o")
    words = listed.to_bytes((listed.bit_length() + 7) // 8, "little")
    pairs = list(zip(words[::2], words[1::2], strict=True))
    available = [mask for mask, _ in pairs[:8]]
    assert available == [1 << k for k in range(8)]
    for mask, member in pairs[8:]:
        assert mask not in available
        assert member in available
        assert mask ^ member in available
        available.append(mask)
    assert {*FACTORS, *affine.to_bytes(32, "little")} <= {*available}
