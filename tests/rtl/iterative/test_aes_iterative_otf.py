"""The iterative core with round keys on the fly: what its netlist shares."""

from netlists import flip_flops, modules, parts

from aesforge.core.contract import CIPHER
from aesforge.space.presets import preset


def test_one_circuit_serves_both_directions() -> None:
    """One table per byte, one MixColumns, four S-boxes for the next and the previous round key."""
    config = preset("sklavos-ake").config
    found = modules(parts(CIPHER.module, config.parameters))
    assert config.direction == "both"
    assert found["aes_lookup"] == found["aes_sbox_inverse_table"] == 16 + 4
    assert found["aes_mix_column_shared"] == 4
    # InvMixColumns of the round key, for decryption.
    assert found["aes_mix_columns"] == 1
    assert found["aes_next_round_key"] == 1
    assert found["aes_key_banks"] == 0


def test_keys_of_any_size_share_the_s_boxes() -> None:
    """Four for every size and direction; a window of 256 bits, and one for each end."""
    config = preset("aesforge-iterative-universal").config
    found = modules(parts(CIPHER.module, config.parameters))
    assert (config.keys, config.direction) == ("any", "both")
    assert found["aes_sbox_tower"] == 16 + 4
    assert (found["aes_mix_column_shared"], found["aes_mix_columns"]) == (4, 1)
    assert found["aes_next_round_key"] == 1
    assert found["aes_key_banks"] == 0
    # Windows, the block, and at most 40 bits of control.
    found = parts(CIPHER.module, config.parameters, registers=True)
    kept = sum(sum(flip_flops(cells).values()) for _, cells in found)
    assert 3 * 256 + 128 < kept <= 3 * 256 + 128 + 40
