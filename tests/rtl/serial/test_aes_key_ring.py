import random

from runner import BOTH, ENCRYPT, View, for_each, instance, simulate

from aesforge.core import model

RINGS = [instance("aes_key_ring", Direction=d) for d in (BOTH, ENCRYPT)]


def test_aes_key_ring() -> None:
    simulate(__file__, RINGS)


async def schedule(ring: View, given: list[bytes], sub: bytes, back: int) -> list[bytes]:
    """The words of ten round keys in the order of their use, from those of a start."""
    used = []
    for number in range(10):
        rcon = model.rcon(10 - number if back else number + 1)[0]
        for slot in range(5):
            inputs = {"slot_i": slot % 4, "back_i": back, "given_i": int(number == 0 and slot < 4)}
            key = int.from_bytes(given[slot]) if slot < 4 else random.getrandbits(32)
            # Pauses change nothing.
            await ring.apply(step_i=0, key_i=key, sum_i=random.getrandbits(32), rcon_i=0, **inputs)
            while random.random() < 0.2:
                await ring.edge()
            if slot == 0:
                word = ring.get("end_o").to_bytes(4)
                total = model.xor(word, model.sub_word(model.rot_word(sub)))
                await ring.apply(sum_i=int.from_bytes(total), rcon_i=rcon)
            else:
                used.append(ring.get("end_o" if back else "k_sch_o").to_bytes(4))
            if slot == 3:
                sub = ring.get("last_o").to_bytes(4)
            await ring.apply(step_i=int(slot < 4))
            await ring.edge()
    return used


@for_each(RINGS, "aes_key_ring")
async def schedules_run_either_way(ring: View) -> None:
    ways = (0, 1) if dict(ring.item.parameters)["Direction"] == BOTH else (0,)
    for _ in range(8):
        w = model.key_expansion(random.randbytes(16))
        for back in random.sample(ways, len(ways)):
            given, sub = (w[40:36:-1], w[39]) if back else (w[:4], w[3])
            wanted = w[39::-1] if back else w[4:]
            assert await schedule(ring, given, sub, back) == wanted
