import random
from itertools import product

import cocotb
from benches import ROUND
from runner import BOTH, DECRYPT, simulate, views

from aesforge import model


def test_aes_round() -> None:
    simulate(__file__, ROUND)


def round_of(block: bytes, key: bytes, last: int) -> bytes:
    state = model.shift_rows(model.sub_bytes(block))
    return model.xor(state if last else model.mix_columns(state), key)


def inverse_round_of(block: bytes, key: bytes, last: int) -> bytes:
    state = model.xor(model.inv_sub_bytes(model.inv_shift_rows(block)), key)
    return state if last else model.inv_mix_columns(state)


@cocotb.test()
async def every_round_of_a_cipher_leads_to_the_next(dut: object) -> None:
    """Chains the rounds of appendix C.1 through the hardware, in both directions."""
    plain, key = bytes.fromhex("00112233445566778899aabbccddeeff"), bytes(range(16))
    keys = model.round_keys(key)
    for item in views(dut, ROUND, "aes_round"):
        direction = dict(item.item.parameters)["Direction"]
        for decrypt in (0, 1) if direction == BOTH else (int(direction == DECRYPT),):
            block = model.cipher(plain, key) if decrypt else plain
            schedule = keys[::-1] if decrypt else keys
            state = int.from_bytes(model.xor(block, schedule[0]))
            for number, round_key in enumerate(schedule[1:], 1):
                await item.apply(
                    start_i=state,
                    k_sch_i=int.from_bytes(round_key),
                    decrypt_i=decrypt,
                    last_i=int(number == 10),
                )
                state = item.get("data_o")
            expected = plain if decrypt else model.cipher(plain, key)
            assert state.to_bytes(16) == expected, item.item.name


@cocotb.test()
async def random_rounds_are_those_of_the_model(dut: object) -> None:
    for item in views(dut, ROUND, "aes_round"):
        direction = dict(item.item.parameters)["Direction"]
        for decrypt, last, _ in product((0, 1), (0, 1), range(25)):
            block, key = random.randbytes(16), random.randbytes(16)
            await item.apply(
                start_i=int.from_bytes(block),
                k_sch_i=int.from_bytes(key),
                decrypt_i=decrypt,
                last_i=last,
            )
            inverse = decrypt if direction == BOTH else direction == DECRYPT
            expected = (inverse_round_of if inverse else round_of)(block, key, last)
            assert item.get("data_o").to_bytes(16) == expected, item.item.name
