import random

import cocotb
from benches import KEY
from runner import simulate, views

from aesforge.core import model
from aesforge.sim.oracle import key_payload
from aesforge.space.presets import preset


def test_aes_key_given() -> None:
    simulate(__file__, KEY)


@cocotb.test()
async def the_last_round_key_is_what_comes_behind_the_key(dut: object) -> None:
    (given,) = views(dut, KEY, "aes_key_given")
    config = preset("sklavos-ake").configure(["key_schedule=given"])
    for _ in range(20):
        key = random.randbytes(16)
        payload, _code = key_payload(key, config)
        await given.apply(key_i=int.from_bytes(payload))
        assert given.get("k_sch_o").to_bytes(16) == model.round_keys(key)[-1]
