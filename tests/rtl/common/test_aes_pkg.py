import cocotb
from benches import FIELD, KEY_BITS
from runner import BOTH, DECRYPT, View, for_each, simulate, views

SIZES = (128, 192, 256)
ANY = KEY_BITS[0]


def test_aes_pkg() -> None:
    simulate(__file__, FIELD)


@cocotb.test()
async def every_sixth_word_of_a_192_bit_key_is_substituted(dut: object) -> None:
    probe = views(dut, FIELD, "pkg_probe")[0]
    for r in range(1, 13):
        await probe.apply(round_i=r)
        new = range(4 * r + 2, min(4 * r + 6, 52))
        due = [i - new.start for i in new if i % 6 == 0]
        assert [0] * probe.get("first_o") + [2] * probe.get("third_o") == due


@for_each(FIELD, "pkg_probe")
async def numbers_match_table_3(probe: View) -> None:
    bits, direction = (int(value) for _, value in probe.item.parameters)
    for selected in range(4):
        await probe.apply(selected_i=selected)
        assert probe.get("legal_o") == (bits in (ANY, *SIZES))
        decrypts = bool(selected & 1) if direction == BOTH else direction == DECRYPT
        assert probe.get("decrypts_o") == decrypts
        if selected < 3:
            assert probe.get("len_rounds_o") == SIZES[selected] // 32 + 6
        if bits in SIZES:
            assert probe.get("rounds_o") == bits // 32 + 6
            assert probe.get("key_len_o") == SIZES.index(bits)
        elif bits == ANY:
            assert probe.get("rounds_o") == 14
            assert probe.get("key_len_o") == min(selected, 2)
