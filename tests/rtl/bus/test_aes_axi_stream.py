"""aes_axi_stream: every code of TKEEP and TUSER, every byte lane, and bus masters with stalls."""

import random

from benches import BUS
from runner import View, for_each, simulate
from stream_bench import played


def test_aes_axi_stream() -> None:
    simulate(__file__, BUS)


def test_packets_of_a_bus_master_under_stalls() -> None:
    played("aesforge-iterative", "mode=ctr", "streams=2", "port=axi-stream")


def size(view: View) -> int:
    """The bytes of a beat."""
    return 16 * dict(view.item.parameters)["Lanes"]


def beat(size: int) -> tuple[int, int, int, int]:
    """Random data with its bytes in both orders, flags, and the number of a stream."""
    data = random.randbytes(size)
    return (
        int.from_bytes(data, "big"),
        int.from_bytes(data, "little"),
        random.getrandbits(8),
        random.getrandbits(1),
    )


@for_each(BUS, "aes_axi_stream")
async def beats_in_have_byte_0_on_top_and_count_their_bytes(view: View) -> None:
    many = dict(view.item.parameters)["Streams"] > 1
    for kept in range(size(view) + 1):
        for user in range(32) if size(view) == 16 else random.sample(range(32), 4):
            top, low, flags, stream = beat(size(view))
            valid, ready, last = flags & 1, flags >> 1 & 1, flags >> 2 & 1
            stream &= many
            await view.apply(
                s_axis_tvalid=valid,
                core_in_ready_i=ready,
                s_axis_tdata=low,
                s_axis_tkeep=(1 << kept) - 1,
                s_axis_tlast=last,
                s_axis_tuser=user,
                s_axis_tid=stream,
            )
            names = ("valid", "data", "bytes", "kind", "last", "abort", "sboxes", "stream")
            found = tuple(view.get(f"core_in_{name}_o") for name in names)
            assert found == (valid, top, kept, user & 3, last, user >> 2 & 1, user >> 3, stream)
            assert view.get("s_axis_tready") == ready


@for_each(BUS, "aes_axi_stream")
async def a_mask_with_gaps_counts_up_to_its_highest_bit(view: View) -> None:
    for _ in range(500):
        keep = random.getrandbits(size(view)) & ((2 << random.randrange(size(view))) - 1)
        await view.apply(s_axis_tkeep=keep)
        assert view.get("core_in_bytes_o") == keep.bit_length()


@for_each(BUS, "aes_axi_stream")
async def beats_out_have_byte_0_in_the_low_byte(view: View) -> None:
    many = dict(view.item.parameters)["Streams"] > 1
    for kept in range(size(view) + 1):
        for kind in range(4):
            top, low, flags, stream = beat(size(view))
            valid, ready, last = flags & 1, flags >> 1 & 1, flags >> 2 & 1
            stream &= many
            await view.apply(
                core_out_valid_i=valid,
                m_axis_tready=ready,
                core_out_data_i=top,
                core_out_bytes_i=kept,
                core_out_kind_i=kind,
                core_out_last_i=last,
                core_out_stream_i=stream,
            )
            names = ("tvalid", "tdata", "tkeep", "tuser", "tlast", "tid")
            found = tuple(view.get(f"m_axis_{name}") for name in names)
            assert found == (valid, low, (1 << kept) - 1, kind, last, stream)
            assert view.get("core_out_ready_o") == ready
