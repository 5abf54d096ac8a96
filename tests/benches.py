"""The benches: which instances of each module of a layer are tested."""

import re

from runner import (
    BOTH,
    DECRYPT,
    DIRECTIONS,
    ENCRYPT,
    Instance,
    instance,
    sbox_codes,
    sbox_modules,
    seldom,
)

from aesforge.core.sources import codes, rtl_root
from aesforge.space.axes import AXES

KEY_BITS = (codes()["KEYS_ANY"], 128, 192, 256)
SBOX_ROUND, TBOX_ROUND = codes()["ROUND_SBOX"], codes()["ROUND_TBOX"]
TABLE, TOWER, BRAM, SPLIT, INVERSE_TABLE = (
    codes()[f"SBOX_{name}"] for name in ("TABLE", "TOWER", "BRAM", "SPLIT", "INVERSE_TABLE")
)
ITERATIVE = codes()["ENGINE_ITERATIVE"]
INTERLEAVED = codes()["ENGINE_INTERLEAVED"]
PIPELINED = codes()["ENGINE_UNROLLED"]
SERIAL = codes()["ENGINE_SERIAL"]
STORED, ON_THE_FLY, LOADED = (
    codes()[f"KEY_SCHEDULE_{name}"] for name in ("STORED", "ON_THE_FLY", "LOADED")
)
STAGES = codes()["STAGES"]
SBOX_REGISTERS = AXES["sbox_registers"].numbers[1:]

LEAN = ("aes_lean_factors", "aes_lean_sums")

FIELD: list[Instance] = [
    instance("gf_probe"),
    instance("tower_probe"),
    instance("tbox_probe"),
    instance("shallow_probe"),
    *(instance("pkg_probe", KeyBits=k, Direction=d) for k in (*KEY_BITS, 64) for d in DIRECTIONS),
    instance("aes_lookup", IndexBits=8, Table="aes_gf_pkg::SBOX"),
    instance("aes_lookup", IndexBits=6, Table="aes_gf_pkg::SBOX[512 +: 512]"),
    instance("aes_lookup_sums", Bits=8, Members="aes_gf_pkg::SBOX[0 +: 64]"),
    instance("aes_rom", IndexBits=8, Bytes=1, Table="aes_gf_pkg::INV_SBOX"),
    instance("aes_rom", IndexBits=9, Bytes=2, Table="{2{aes_gf_pkg::INV_SBOX, aes_gf_pkg::SBOX}}"),
    *(instance("aes_delay_line", Width=8, Latency=n) for n in (0, 1, 3)),
    *(instance(module, Direction=d) for module in LEAN for d in DIRECTIONS),
]

SBOX: list[Instance] = [
    *(instance(module, Direction=d) for module in sbox_modules() for d in DIRECTIONS),
    *(instance("aes_sbox", Sbox=s, Direction=d) for s in sbox_codes() for d in DIRECTIONS),
]

_GADGETS = ((0, 2), (1, 2), (2, 2), (0, 3), (2, 3))
MASKED: list[Instance] = [
    instance("masked_probe"),
    *(
        instance("aes_masked_product", Gadget=g, Shares=s, Width=w, First=f"1'b{f}")
        for (g, s), w, f in ((one, w, f) for one in _GADGETS for w in (2, 4) for f in (0, 1))
    ),
    *(
        instance("aes_masked_product_dom", Shares=s, Width=w, Registered=f"1'b{r}", Refreshed=f)
        for s, w, r, f in ((2, 2, 1, "1'b0"), (2, 4, 0, "1'b1"), (3, 4, 1, "1'b0"))
    ),
    *(instance("aes_masked_product_hpc3", Shares=s, Width=w) for s in (2, 3) for w in (2, 4)),
    *(
        instance(module, Gadget=g, Shares=s)
        for module in ("aes_masked_inversion", "aes_masked_sbox")
        for g, s in _GADGETS
    ),
    *(
        one(f"aes_masked_{name}", Gadget=g, Shares=s)
        for name in ("serial8", "serial32", "interleaved")
        for (g, s), one in zip(
            _GADGETS,
            (instance, *[seldom] * 3, seldom if name == "interleaved" else instance),
            strict=True,
        )
    ),
    *(instance("aes_trivium", Steps=n) for n in (1, 24, 64)),
    *(instance("aes_masked_random", Bits=n) for n in (24, 64, 96, 432)),
]

ROUND: list[Instance] = [
    *(
        instance("aes_sub_bytes", Sbox=s, Direction=d, Bytes=n)
        for s in sbox_codes()
        for d, n in ((BOTH, 16), (ENCRYPT, 4), (DECRYPT, 1))
    ),
    *(
        instance(module, Inverse=f"1'b{i}")
        for module in ("aes_shift_rows", "aes_tbox")
        for i in (0, 1)
    ),
    *(instance("aes_mix_columns", Inverse=f"1'b{i}", Columns=n) for n in (4, 1) for i in (0, 1)),
    instance("aes_mix_column_shared"),
    *(instance("aes_serial_state", BlockBits=bits) for bits in (128, 192, 256)),
    *(instance("aes_serial_mix_add_key", Direction=d) for d in DIRECTIONS),
    *(
        instance("aes_serial8_switchable_sub_bytes", Sbox=s, Direction=d, Sboxes=n)
        for s, d, n in (
            (TOWER, BOTH, 4),
            (TOWER, BOTH, 2),
            (INVERSE_TABLE, BOTH, 1),
            (TABLE, ENCRYPT, 4),
            (TOWER, DECRYPT, 2),
        )
    ),
    *(instance("aes_round", Direction=d, Sbox=s) for d in DIRECTIONS for s in sbox_codes()),
    *(instance("aes_iterative_overlap_round", Direction=d, Sbox=TABLE) for d in DIRECTIONS),
    instance("aes_iterative_overlap_round", Direction=BOTH, Sbox=TOWER),
    instance("aes_iterative_overlap_tbox_round"),
    *(instance("aes_tbox_round", Direction=d, Sbox=s) for s in (TABLE, BRAM) for d in DIRECTIONS),
    *(
        instance(module, Sbox=s)
        for module in ("aes_interleaved_round_encrypt", "aes_interleaved_round_decrypt")
        for s in (TABLE, TOWER, BRAM, SPLIT)
    ),
    *(instance("aes_sub_bytes_split", Inverse=f"1'b{i}") for i in (0, 1)),
    *(instance("aes_sub_bytes_bram", Direction=d, Bytes=16) for d in DIRECTIONS),
    *(instance("aes_mix_columns_pipelined", Direction=d) for d in DIRECTIONS),
    *(
        instance("aes_sbox_tower_pipelined", Registers=n, Direction=d)
        for n in SBOX_REGISTERS
        for d in DIRECTIONS
    ),
    *(
        instance("aes_sub_bytes_pipelined", Sbox=s, Latency=n, Direction=d, Bytes=size)
        for s, latencies in ((TABLE, (0, 1)), (TOWER, (0, 1, *(n + 1 for n in SBOX_REGISTERS))))
        for n in latencies
        # The key schedule uses only SubWord. Other numbers of registers are tested per S-box.
        for size, d in ((4, ENCRYPT), *((16, d) for d in DIRECTIONS if n in (0, 1, 2, 10)))
    ),
    *(
        instance("aes_round_pipelined", Sbox=s, Direction=d, Stages=n, SboxRegisters=registers)
        # Each number of stages after the S-boxes, in each direction.
        for s, d, n, registers in (
            (TABLE, ENCRYPT, 1, 0),
            (TABLE, DECRYPT, 1, 0),
            (INVERSE_TABLE, BOTH, 1, 0),
            (TABLE, ENCRYPT, 2, 0),
            (TABLE, BOTH, 2, 0),
            (TABLE, ENCRYPT, 3, 0),
            (TOWER, DECRYPT, 5, 2),
            (TOWER, BOTH, 4, 1),
            (TOWER, ENCRYPT, 8, 5),
            (TOWER, DECRYPT, 4, 0),
        )
    ),
    seldom("aes_round_pipelined", Sbox=TOWER, Direction=BOTH, Stages=13, SboxRegisters=9),
]

KEY: list[Instance] = [
    *(instance("aes_next_round_key", KeyBits=k) for k in KEY_BITS),
    *(
        instance("aes_next_round_key_long", KeyBits=k, BlockBits=b)
        for b in (192, 256)
        for k in KEY_BITS
    ),
    *(instance("aes_serial8_switchable_key_row", KeyBits=k) for k in KEY_BITS),
    *(
        instance("aes_serial8_switchable_key_schedule", KeyBits=k, Direction=d)
        for k, d in (*((k, BOTH) for k in KEY_BITS), *((k, ENCRYPT) for k in (128, 192, 256)))
    ),
    *(
        instance("aes_serial8_switchable_key_schedule_long", KeyBits=k, Direction=d, BlockBits=b)
        for b in (192, 256)
        for k, d in (*((k, BOTH) for k in KEY_BITS), *((k, ENCRYPT) for k in (128, 192, 256)))
    ),
    *(instance("aes_key_expansion", KeyBits=k) for k in KEY_BITS),
    *(instance("aes_key_banks", KeyBits=k) for k in KEY_BITS),
    *(instance("aes_key_store", KeyBits=k, Sbox=TABLE) for k in KEY_BITS),
    *(instance("aes_key_store_shared_sboxes", KeyBits=k, SubLatency=1) for k in KEY_BITS),
    *(instance("aes_key_store_shared_sboxes", KeyBits=KEY_BITS[0], SubLatency=n) for n in (2, 3)),
    *(
        instance(module, KeyBits=k)
        for module in ("aes_key_rcon", "key_round_probe")
        for k in KEY_BITS
    ),
    *(
        instance("aes_key_pipeline", KeyBits=k, Sbox=s, Stages=n, SboxRegisters=cuts)
        for k, s, n, cuts in (
            *((k, TABLE, 1, 0) for k in KEY_BITS[:2]),
            (KEY_BITS[0], TOWER, 4, 2),
        )
    ),
    *(
        seldom("aes_key_pipeline", KeyBits=k, Sbox=s, Stages=n, SboxRegisters=cuts)
        for k, s, n, cuts in (*((k, TABLE, 1, 0) for k in KEY_BITS[2:]), (128, TOWER, 6, 3))
    ),
    *(
        instance("aes_key_schedule_batch", Sbox=s, Stages=n, SboxRegisters=cuts)
        for s, n, cuts in ((TABLE, 2, 0), (TABLE, 3, 0), (TOWER, 4, 2), (TOWER, 7, 4))
    ),
    *(
        instance(
            "aes_key_schedule_c_slow", KeyBits=k, Direction=d, Sbox=s, Stages=n, SboxRegisters=cuts
        )
        for k, d, s, n, cuts in (
            *((k, BOTH, TOWER, 4, 1) for k in KEY_BITS),
            *((KEY_BITS[0], d, TABLE, 2, 0) for d in DIRECTIONS),
            (192, DECRYPT, TABLE, 3, 0),
            (256, ENCRYPT, TOWER, 5, 2),
        )
    ),
    *(
        instance(
            "aes_key_registers",
            KeyBits=k,
            Direction=d,
            Sbox=TABLE,
            SboxRegisters=n,
            Late=f"1'b{late}",
        )
        for k in KEY_BITS
        for d in DIRECTIONS
        for late in (0, 1)
        if not (late and d == BOTH)
        # The widest control has each number of sub-pipeline registers.
        for n in ((0, 1, 9) if (k, d) == (KEY_BITS[0], DECRYPT if late else BOTH) else (0,))
    ),
    *(
        instance("aes_key_registers", KeyBits=k, Direction=d, Late=f"1'b{late}", Loaded="1'b1")
        for k, d, late in (
            *((KEY_BITS[0], d, 0) for d in DIRECTIONS),
            (128, BOTH, 0),
            (192, ENCRYPT, 1),
            (256, DECRYPT, 1),
        )
    ),
    *(
        instance(
            "aes_key_source",
            KeyBits=k,
            Direction=d,
            Stages=n,
            SboxRegisters=cuts,
            KeySchedule=schedule,
            Late=f"1'b{late}",
        )
        for k, d, n, cuts, schedule, late in (
            (KEY_BITS[0], BOTH, 3, 1, STORED, 0),
            (128, ENCRYPT, 2, 0, STORED, 0),
            (256, DECRYPT, 5, 3, STORED, 1),
            (128, ENCRYPT, 3, 1, STORED, 1),
            (KEY_BITS[0], BOTH, 1, 0, LOADED, 0),
            (128, ENCRYPT, 1, 0, LOADED, 0),
            (KEY_BITS[0], ENCRYPT, 3, 1, ON_THE_FLY, 0),
            (128, ENCRYPT, 2, 0, ON_THE_FLY, 0),
        )
    ),
]

# The codes of beats and of chaining values in aes_mode_pkg.
MODE_CODES = {
    name: int(value)
    for name, value in re.findall(
        r"localparam logic \[\d:0\] (\w+) = \d'd(\d);",
        (rtl_root() / "mode" / "aes_mode_pkg.sv").read_text(encoding="utf-8"),
    )
}
NEXT_VALUE, NEXT_RESULT, NEXT_CIPHER = (
    MODE_CODES[f"NEXT_{name}"] for name in ("VALUE", "RESULT", "CIPHER")
)
KIND_FAILED, KIND_VERIFIED, KIND_PAYLOAD, KIND_TAG = (
    MODE_CODES[f"KIND_{name}"] for name in ("FAILED", "VERIFIED", "PAYLOAD", "TAG")
)


MODE: list[Instance] = [
    instance("aes_cbc"),
    *(instance("aes_ctr", CounterBits=bits) for bits in (1, 8, 9, 32, 61, 128)),
    *(instance("aes_counter", CounterBits=bits) for bits in (1, 8, 9, 16, 32, 61, 128)),
    instance("aes_cfb"),
    instance("aes_ofb"),
    instance("aes_cmac"),
    instance("aes_gcm"),
    *(instance("aes_gcm_tag", HashDigit=digit) for digit in (0, 16, 128)),
    *(seldom("aes_gcm_tag", HashDigit=digit) for digit in (1, 64)),
    *(
        instance("aes_byte_count", Bits=bits, SliceBits=low)
        for bits, low in ((36, 12), (61, 12), (61, 16), (14, 6))
    ),
    *(instance("aes_cfb_segments", SegmentBits=bits) for bits in (1, 8)),
    *(instance("aes_cbc_cs", Modes=modes) for modes in (1 << 7, 6 << 7, 7 << 7)),
    instance("aes_xts"),
    instance("aes_ccm"),
    instance("aes_packet_key"),
    *(
        instance("aes_key_slots", Slots=slots, KeyBits=bits)
        for slots, bits in ((2, 128), (4, KEY_BITS[0]), (16, 192))
    ),
    *(
        instance(
            "aes_ctr_lanes",
            Lanes=lanes,
            CounterBits=bits,
            InFlight=depth,
            Registered=f"1'b{registered}",
            IdleOutput=idle,
        )
        for lanes, bits, depth, registered, idle in (
            *((2, 128, 1, 0, 0), (4, 128, 45, 1, 1), (8, 32, 3, 0, 1), (8, 128, 45, 1, 0)),
            *(
                (2, 1, 4, 0, 1),
                (8, 2, 4, 1, 0),
                (4, 8, 45, 0, 0),
                (4, 9, 5, 1, 1),
                (2, 61, 4, 1, 0),
            ),
        )
    ),
    instance("aes_one_packet"),
    *(instance("aes_xts_tweaks", Lanes=lanes) for lanes in (2, 4, 8)),
    *(
        instance(
            "aes_xts_lanes",
            Lanes=lanes,
            Direction=direction,
            InFlight=depth,
            Registered=f"1'b{registered}",
            IdleOutput=idle,
        )
        for lanes, direction, depth, registered, idle in (
            *((2, 2, 1, 0, 0), (4, 2, 15, 1, 1), (8, 0, 3, 0, 1)),
            *((2, 1, 4, 1, 0), (4, 2, 1, 0, 1)),
        )
    ),
    seldom("aes_xts_lanes", Lanes=8, Direction=BOTH, InFlight=45, Registered="1'b1", IdleOutput=0),
    *(
        instance(
            "aes_gcm_lanes",
            Lanes=lanes,
            HashDigit=digit,
            InFlight=depth,
            Registered=f"1'b{registered}",
            IdleOutput=idle,
        )
        for lanes, digit, depth, registered, idle in (
            (2, 32, 1, 0, 0),
            (2, 0, 15, 1, 1),
        )
    ),
    *(
        seldom(
            "aes_gcm_lanes",
            Lanes=lanes,
            HashDigit=digit,
            InFlight=depth,
            Registered=f"1'b{registered}",
            IdleOutput=idle,
        )
        for lanes, digit, depth, registered, idle in (
            (4, 512, 15, 1, 1),
            (2, 0, 15, 1, 0),
            (8, 128, 3, 0, 1),
            (2, 256, 45, 1, 0),
            (8, 1024, 4, 0, 0),
            (4, 0, 45, 1, 1),
            (8, 0, 4, 0, 1),
        )
    ),
    *(instance("aes_gcm_siv", PayloadBytes=size) for size in (64, 256)),
    *(instance("aes_kw", Semiblocks=semiblocks) for semiblocks in (2, 8)),
    seldom("aes_kw", Semiblocks=64),
    *(
        instance("aes_xts_ahead", Modes=modes, KeyBits=bits, Headers=headers, Lanes=lanes)
        for modes, bits, headers, lanes in (
            (1 << 13, 128, 1, 1),
            (1 << 13, 256, 4, 4),
            (1 << 13 | 1 << 2, KEY_BITS[0], 3, 1),
        )
    ),
    *(
        instance(
            "aes_hold", Modes=modes, HoldBytes=size, Lanes=lanes, Packets=packets, IdleOutput=idle
        )
        for modes, size, lanes, packets, idle in (
            (1 << 11, 32, 1, 2, 1),
            (1 << 11 | 1 << 14 | 1 << 2, 64, 1, 4, 0),
            (1 << 0 | 1 << 11 | 1 << 12, 256, 1, 7, 1),
            (1 << 11, 256, 4, 2, 0),
        )
    ),
    *(
        instance(
            "aes_packet_state",
            Streams=streams,
            NoteBits=26,
            CountBits=count,
            Bypass=bypass,
            Registered=registered,
        )
        for streams, bypass, registered, count in (
            *((1, 1, 0, 0), (2, 1, 0, 0), (4, 1, 0, 0), (1, 0, 0, 0), (1, 0, 1, 0)),
            *((4, 0, 1, 0), (1, 1, 0, 24), (2, 0, 1, 24), (1, 0, 1, 13)),
        )
    ),
    *(
        instance("aes_skid_buffer", Width=8, Entries=entries, Late=f"1'b{late}")
        for entries in (1, 2)
        for late in (0, 1)
    ),
    *(instance("aes_core_registers", Entries=entries) for entries in (1, 2)),
    *(
        instance("aes_verdict", Verifies=verifies, Pipelined=pipelined, IdleOutput=idle)
        for verifies, pipelined, idle in (
            *(("1'b1", "1'b0", 0), ("1'b1", "1'b0", 1)),
            *(("1'b1", "1'b1", 1), ("1'b0", "1'b0", 0)),
        )
    ),
    *(instance("mode_probe", Modes=modes) for modes in (4, 0x7FF, 0x600)),
    *(
        instance("aes_sideband_fifo", Width=24, Depth=depth, Registered=f"1'b{registered}")
        for registered, depths in enumerate(((1, 3, 4, 45), (4, 5, 45)))
        for depth in depths
    ),
    instance("aes_sideband_fifo", Width=130, Depth=5, Registered="1'b1"),
    *(
        instance(
            "aes_ctr_generator",
            CounterBits=bits,
            Engine=engine,
            KeyBits=keys,
            KeySchedule=schedule,
        )
        for bits, engine, keys, schedule in (
            (128, PIPELINED, 128, ON_THE_FLY),
            (32, ITERATIVE, KEY_BITS[0], STORED),
        )
    ),
    seldom(
        "aes_ctr_generator",
        CounterBits=32,
        Engine=PIPELINED,
        KeyBits=KEY_BITS[0],
        KeySchedule=STORED,
    ),
]

PROTECT: list[Instance] = [
    *(
        instance("aes_lockstep", Entries=entries, IdleOutput=idle)
        for entries, idle in ((1, 1), (2, 1), (2, 0))
    ),
    *(
        instance("aes_self_test", KeyBits=bits, Direction=way, WaitBits=4, IdleOutput=idle)
        for bits, way, idle in (
            (KEY_BITS[0], BOTH, 1),
            (128, ENCRYPT, 1),
            (192, DECRYPT, 0),
            (256, BOTH, 1),
        )
    ),
]

BUS: list[Instance] = [
    *(instance("aes_word_port", KeyBits=bits) for bits in KEY_BITS),
    instance("aes_axi_lite"),
    *(
        instance("aes_axi_stream", Streams=streams, Lanes=lanes)
        for streams, lanes in ((1, 1), (2, 1), (1, 2), (1, 8))
    ),
]

GHASH: list[Instance] = [
    instance("ghash_probe"),
    *(
        instance("aes_ghash_product", Levels=levels, Registers=registers)
        for levels, registers in ((0, 0), (2, 0b1010), (3, 0b111111))
    ),
    seldom("aes_ghash_product", Levels=1, Registers=0b11),
    seldom("aes_ghash_product", Levels=4, Registers=0b100100),
    instance("aes_ghash_product", Levels=2, Registers=0b1010, Terms=2),
    seldom("aes_ghash_product", Levels=3, Registers=0b101011, Terms=8),
    *(instance("aes_ghash_serial", Digit=digit) for digit in (1, 16)),
    *(seldom("aes_ghash_serial", Digit=digit) for digit in (4, 64)),
    *(instance("aes_ghash_single", Levels=levels) for levels in (0, 3)),
    *(
        instance("aes_ghash_sums", Levels=levels, Registers=registers, Slots=slots, Hashes=hashes)
        for levels, registers, slots, hashes in ((2, 0, 3, 1), (3, 0b101011, 8, 2))
    ),
    *(
        instance("aes_ghash_pipelined", Levels=levels, Registers=registers, Hashes=hashes)
        for levels, registers, hashes in ((2, 0, 1), (3, 0b101011, 2), (3, 0b11111, 4))
    ),
    *(
        instance("aes_ghash_blocks", Lanes=lanes, Digit=digit)
        for lanes, digit in ((2, 32), (4, 8), (8, 128))
    ),
    seldom("aes_ghash_blocks", Lanes=2, Digit=128),
    seldom("aes_ghash_blocks", Lanes=8, Digit=64),
    *(instance("aes_ghash_lanes", Lanes=n, Levels=levels) for n, levels in ((2, 3), (4, 2))),
    seldom("aes_ghash_lanes", Lanes=8, Levels=3),
    *(
        instance(
            "aes_ghash_lanes_pipelined",
            Lanes=lanes,
            Levels=levels,
            Registers=registers,
            Hashes=hashes,
        )
        for lanes, levels, registers, hashes in ((2, 3, 0b101011, 5),)
    ),
    *(
        seldom(
            "aes_ghash_lanes_pipelined",
            Lanes=lanes,
            Levels=levels,
            Registers=registers,
            Hashes=hashes,
        )
        for lanes, levels, registers, hashes in (
            (4, 2, 0, 1),
            (8, 3, 0b101011, 5),
            (4, 3, 0b100, 3),
        )
    ),
]
