from benches import MASKED
from runner import View, for_each, simulate
from shares import clears, takes_the_promised_cycles, unmasks_to_the_result


def test_aes_masked_serial8() -> None:
    simulate(__file__, MASKED)


@for_each(MASKED, "aes_masked_serial8")
async def the_vector_of_the_standard_takes_the_promised_cycles(core: View) -> None:
    dom = dict(core.item.parameters)["Gadget"] == 0
    await takes_the_promised_cycles(core, 266 if dom else 226)


@for_each(MASKED, "aes_masked_serial8")
async def random_blocks_under_random_stalls_unmask_to_the_result(core: View) -> None:
    await unmasks_to_the_result(core, 4)


@for_each(MASKED, "aes_masked_serial8")
async def a_clear_in_flight_overwrites_and_the_next_block_is_right(core: View) -> None:
    await clears(core, (1, 5, 40, 90, 200, 225), 16)
