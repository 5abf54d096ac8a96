"""The model against FIPS 197's appendices, and against libraries on random blocks."""

import random

import needs
import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from hypothesis import given
from hypothesis import strategies as st
from py3rijndael import Rijndael

from aesforge.core import model
from aesforge.sim.rijndael import block_function
from aesforge.sim.vectors import RIJNDAEL, RIJNDAEL_BLOCK, RIJNDAEL_KEY

KEY_SIZES = (16, 24, 32)
BLOCKS = st.binary(min_size=16, max_size=16)
KEYS = st.sampled_from(KEY_SIZES).flatmap(lambda size: st.binary(min_size=size, max_size=size))

# Appendix A: key, and words of its schedule by number.
EXPANSIONS = {
    "A.1": (
        "2b7e151628aed2a6abf7158809cf4f3c",
        {4: "a0fafe1788542cb123a339392a6c7605", 8: "f2c295f2", 40: "d014f9a8c9ee2589e13f0cc8"},
        "b6630ca6",
    ),
    "A.2": (
        "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b",
        {6: "fe0c91f72402f5a5ec12068e6c827f6b0e7a95b95c56fec2", 48: "e98ba06f448c773c8ecc7204"},
        "01002202",
    ),
    "A.3": (
        "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
        {8: "9ba354118e6925afa51a8b5f2067fcdea8b09c1a93d194cd", 56: "fe4890d1e6188d0b046df344"},
        "706c631e",
    ),
}

# Appendix C.1 as printed, less the repeated names.
C1_PLAINTEXT = "00112233445566778899aabbccddeeff"
C1_CIPHERTEXT = "69c4e0d86a7b0430d8cdb78070b4c55a"
C1_KEY = "000102030405060708090a0b0c0d0e0f"
C1_ROUNDS = """
00102030405060708090a0b0c0d0e0f0 63cab7040953d051cd60e0e7ba70e18c
6353e08c0960e104cd70b751bacad0e7 5f72641557f5bc92f7be3b291db9f91a d6aa74fdd2af72fadaa678f1d6ab76fe
89d810e8855ace682d1843d8cb128fe4 a761ca9b97be8b45d8ad1a611fc97369
a7be1a6997ad739bd8c9ca451f618b61 ff87968431d86a51645151fa773ad009 b692cf0b643dbdf1be9bc5006830b3fe
4915598f55e5d7a0daca94fa1f0a63f7 3b59cb73fcd90ee05774222dc067fb68
3bd92268fc74fb735767cbe0c0590e2d 4c9c1e66f771f0762c3f868e534df256 b6ff744ed2c2c9bf6c590cbf0469bf41
fa636a2825b339c940668a3157244d17 2dfb02343f6d12dd09337ec75b36e3f0
2d6d7ef03f33e334093602dd5bfb12c7 6385b79ffc538df997be478e7547d691 47f7f7bc95353e03f96c32bcfd058dfd
247240236966b3fa6ed2753288425b6c 36400926f9336d2d9fb59d23c42c3950
36339d50f9b539269f2c092dc4406d23 f4bcd45432e554d075f1d6c51dd03b3c 3caaa3e8a99f9deb50f3af57adf622aa
c81677bc9b7ac93b25027992b0261996 e847f56514dadde23f77b64fe7f7d490
e8dab6901477d4653ff7f5e2e747dd4f 9816ee7400f87f556b2c049c8e5ad036 5e390f7df7a69296a7553dc10aa31f6b
c62fe109f75eedc3cc79395d84f9cf5d b415f8016858552e4bb6124c5f998a4c
b458124c68b68a014b99f82e5f15554c c57e1c159a9bd286f05f4be098c63439 14f9701ae35fe28c440adf4d4ea9c026
d1876c0f79c4300ab45594add66ff41f 3e175076b61c04678dfc2295f6a8bfc0
3e1c22c0b6fcbf768da85067f6170495 baa03de7a1f9b56ed5512cba5f414d23 47438735a41c65b9e016baf4aebf7ad2
fde3bad205e5d0d73547964ef1fe37f1 5411f4b56bd9700e96a0902fa1bb9aa1
54d990a16ba09ab596bbf40ea111702f e9f74eec023020f61bf2ccf2353c21c7 549932d1f08557681093ed9cbe2c974e
bd6e7c3df2b5779e0b61216e8b10b689 7a9f102789d5f50b2beffd9f3dca4ea7
7ad5fda789ef4e272bca100b3d9ff59f                                  13111d7fe3944a17f307a78b4d2b30c5
"""

# Appendix C.2 and C.3: key size, round 2 and the start of round 3, ciphertext.
C2_C3 = {
    "C.2": (
        24,
        {
            "start": "4f63760643e0aa85aff8c9d041fa0de4",
            "s_box": "84fb386f1ae1ac977941dd70832dd769",
            "s_row": "84e1dd691a41d76f792d389783fbac70",
            "m_col": "9f487f794f955f662afc86abd7f1ab29",
            "k_sch": "544afef55847f0fa4856e2e95c43f4fe",
        },
        "cb02818c17d2af9c62aa64428bb25fd7",
        "dda97ca4864cdfe06eaf70a0ec0d7191",
    ),
    "C.3": (
        32,
        {
            "start": "4f63760643e0aa85efa7213201a4e705",
            "s_box": "84fb386f1ae1ac97df5cfd237c49946b",
            "s_row": "84e1fd6b1a5c946fdf4938977cfbac23",
            "m_col": "bd2a395d2b6ac438d192443e615da195",
            "k_sch": "a573c29fa176c498a97fce93a572c09c",
        },
        "1859fbc28a1c00a078ed8aadc42f6109",
        "8ea2b7ca516745bfeafc49904b496089",
    ),
}


def printed(trace: model.Trace) -> list[tuple[int, str, str]]:
    return [(number, name, value.hex()) for number, name, value in trace]


def c1_trace() -> list[tuple[int, str, str]]:
    values = iter(C1_ROUNDS.split())
    trace = [(0, "input", C1_PLAINTEXT), (0, "k_sch", C1_KEY)]
    for r in range(1, 11):
        names = ["start", "s_box", "s_row", *(["m_col"] if r < 10 else []), "k_sch"]
        trace += [(r, name, next(values)) for name in names]
    return [*trace, (10, "output", C1_CIPHERTEXT)]


def c1_inverse_trace() -> list[tuple[int, str, str]]:
    """The inverse cipher meets the values of the cipher from the last to the first."""
    mirror = {"s_row": "istart", "s_box": "is_row", "start": "is_box"}
    trace = [(0, "iinput", C1_CIPHERTEXT)]
    for number, name, value in c1_trace()[-2:0:-1]:
        if name in mirror:
            trace.append((11 - number, mirror[name], value))
        else:
            trace.append((10 - number, {"k_sch": "ik_sch", "m_col": "ik_add"}[name], value))
    return [*trace, (10, "ioutput", C1_PLAINTEXT)]


@pytest.mark.parametrize("appendix", EXPANSIONS)
def test_key_expansion_of_appendix_a(appendix: str) -> None:
    key, known, last = EXPANSIONS[appendix]
    schedule = b"".join(model.key_expansion(bytes.fromhex(key)))
    assert schedule.hex().startswith(key)
    for number, words in known.items():
        assert schedule[4 * number :].hex().startswith(words)
    assert schedule.hex().endswith(last)
    assert len(schedule) == 16 * (model.rounds(bytes.fromhex(key)) + 1)


def test_cipher_example_of_appendix_b() -> None:
    trace: model.Trace = []
    block = bytes.fromhex("3243f6a8885a308d313198a2e0370734")
    assert (
        model.cipher(block, bytes.fromhex(EXPANSIONS["A.1"][0]), trace).hex()
        == "3925841d02dc09fbdc118597196a0b32"
    )
    assert printed(trace)[2:6] == [
        (1, "start", "193de3bea0f4e22b9ac68d2ae9f84808"),
        (1, "s_box", "d42711aee0bf98f1b8b45de51e415230"),
        (1, "s_row", "d4bf5d30e0b452aeb84111f11e2798e5"),
        (1, "m_col", "046681e5e0cb199a48f8d37a2806264c"),
    ]


def test_every_value_of_appendix_c1() -> None:
    trace: model.Trace = []
    model.cipher(bytes.fromhex(C1_PLAINTEXT), bytes.fromhex(C1_KEY), trace)
    assert printed(trace) == c1_trace()


def test_every_value_of_the_inverse_cipher_of_appendix_c1() -> None:
    trace: model.Trace = []
    model.inverse_cipher(bytes.fromhex(C1_CIPHERTEXT), bytes.fromhex(C1_KEY), trace)
    assert printed(trace) == c1_inverse_trace()


@pytest.mark.parametrize("appendix", C2_C3)
def test_appendix_c2_and_c3(appendix: str) -> None:
    size, second, third, ciphertext = C2_C3[appendix]
    trace: model.Trace = []
    block = bytes.fromhex(C1_PLAINTEXT)
    assert model.cipher(block, bytes(range(size)), trace).hex() == ciphertext
    assert {name: value for number, name, value in printed(trace) if number == 2} == second
    assert (3, "start", third) in printed(trace)
    assert model.inverse_cipher(bytes.fromhex(ciphertext), bytes(range(size))) == block


@given(block=BLOCKS, key=KEYS)
def test_cipher_equals_openssl(block: bytes, key: bytes) -> None:
    openssl = Cipher(algorithms.AES(key), modes.ECB()).encryptor()
    assert model.cipher(block, key) == openssl.update(block)


@given(block=BLOCKS, key=KEYS)
def test_inverse_cipher_undoes_the_cipher(block: bytes, key: bytes) -> None:
    assert model.inverse_cipher(model.cipher(block, key), key) == block


@given(state=BLOCKS)
def test_inverse_steps_undo_the_steps(state: bytes) -> None:
    assert model.inv_shift_rows(model.shift_rows(state)) == state
    assert model.inv_mix_columns(model.mix_columns(state)) == state
    assert model.inv_sub_bytes(model.sub_bytes(state)) == state


def test_inverse_is_the_multiplicative_one() -> None:
    assert model.inverse(0) == 0
    assert all(model.multiply(a, model.inverse(a)) == 1 for a in range(1, 256))


BLOCK_AND_KEY = [(block, key) for block in KEY_SIZES for key in KEY_SIZES]


@pytest.mark.parametrize(("block", "key"), RIJNDAEL)
def test_published_vectors_of_rijndael(block: int, key: int) -> None:
    expected = bytes.fromhex(RIJNDAEL[block, key])
    assert model.cipher(RIJNDAEL_BLOCK[:block], RIJNDAEL_KEY[:key]) == expected
    assert model.inverse_cipher(expected, RIJNDAEL_KEY[:key]) == RIJNDAEL_BLOCK[:block]


@pytest.mark.parametrize(("block", "key"), BLOCK_AND_KEY)
def test_rijndael_equals_py3rijndael(block: int, key: int) -> None:
    rng = random.Random(block * key)
    for _ in range(8):
        data, secret = rng.randbytes(block), rng.randbytes(key)
        theirs = Rijndael(secret, block_size=block)
        assert model.cipher(data, secret) == theirs.encrypt(data)
        assert model.inverse_cipher(data, secret) == theirs.decrypt(data)
        assert block_function(secret, block, False)(data) == theirs.encrypt(data)
        assert block_function(secret, block, True)(data) == theirs.decrypt(data)


@pytest.mark.parametrize(("block", "key"), BLOCK_AND_KEY)
def test_rijndael_equals_libmcrypt(block: int, key: int) -> None:
    rng = random.Random(block + key)
    for _ in range(8):
        data, secret = rng.randbytes(block), rng.randbytes(key)
        assert model.cipher(data, secret) == needs.mcrypt(data, secret, decrypt=False)
        assert model.inverse_cipher(data, secret) == needs.mcrypt(data, secret, decrypt=True)


@pytest.mark.parametrize("block", [16, 24, 32])
def test_inverse_steps_undo_the_steps_of_a_block(block: int) -> None:
    state = random.Random(block).randbytes(block)
    assert model.inv_shift_rows(model.shift_rows(state)) == state
    assert model.inv_mix_columns(model.mix_columns(state)) == state


def test_the_longest_schedule_has_29_round_constants() -> None:
    """256-bit blocks with 128-bit keys: words 4 to 119, of which each fourth has one."""
    assert len(model.key_expansion(bytes(16), 8)) == 120
    assert [model.rcon(i)[0] for i in (10, 11, 12, 29)] == [0x36, 0x6C, 0xD8, 0xC5]


@pytest.mark.parametrize("size", [0, 15, 17, 33])
def test_other_block_sizes_are_refused(size: int) -> None:
    with pytest.raises(ValueError, match="16, 24 or 32"):
        model.cipher(bytes(size), bytes(16))


@pytest.mark.parametrize("size", [0, 15, 17, 33])
def test_other_key_sizes_are_refused(size: int) -> None:
    with pytest.raises(ValueError, match="16, 24 or 32"):
        model.cipher(bytes(16), bytes(size))
