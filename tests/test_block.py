"""Blocks of 192 and 256 bits (Rijndael), and that 128-bit cores are what they were."""

import shutil
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import needs
import pytest
from suite import slow

from aesforge.core import stack
from aesforge.core.contract import CIPHER, specialized
from aesforge.errors import UserError
from aesforge.flows import build, choose
from aesforge.flows.inject import stimulus
from aesforge.flows.power import power
from aesforge.flows.run import run
from aesforge.flows.verify import verify
from aesforge.proof import layers
from aesforge.proof.claims import netlist, sources
from aesforge.results import blocks, store
from aesforge.sim.rijndael import block_function
from aesforge.space.axes import BLOCK_BITS, KEY_BITS
from aesforge.space.presets import preset
from aesforge.space.promises import promised
from aesforge.space.targets import target
from aesforge.tools import process

# Digests of netlists from before there was `block=`.
BEFORE = {
    (
        "kakarlapudi-sbox",
        "keys=128 direction=encrypt sbox=tower",
    ): "3e42673f6a9357b4c8dc218a9b41912e",
    ("sklavos-ake", ""): "521a175d81d4b67a601c8c1ff994c2b3",
    ("aesforge-nano", ""): "2ce7261489df248974634ade34fa4f73",
    ("kakarlapudi-sbox", ""): "44f667918844b75bd768e4a489393635",
    ("kakarlapudi-tbox", "keys=128"): "b91370b797d5044b00c1fcc894a6894b",
    ("sklavos-arkl", "keys=128"): "474ee565f02a29e3fbcbb95d7e85a91f",
    ("hodjat-lut-2", ""): "81affaf5d7af31f432291196f60d4a79",
    ("bulens-encrypt", ""): "24ae857dab431ee9662566a282ef83ed",
    ("fan", ""): "f1e746d42eec800dccd9a2fd0e3bb1d1",
    ("aesforge-compact", ""): "4f7d3b5820295c6810a8a575dbe76a09",
    ("aesforge-interleaved-universal", ""): "018158356c86c33637d91f010601e33a",
    ("aesforge-iterative-universal", ""): "c8a6c03828e8d12e2a07fbb463ae2b7a",
    (
        "aesforge-iterative-universal",
        "keys=192 direction=encrypt",
    ): "5bdab90c83eb787e4f54fe0b7069ee26",
    ("sklavos-ake", "key_schedule=given"): "7b8ff1e93616c315502b5aa79a058b60",
    ("sklavos-ake", "direction=decrypt sbox=bram"): "4fa991ae92ec8c829ab3b57e5c56cecf",
    ("bulens-encrypt", "keys=any direction=both"): "e4408194c9de1cce85cbf090b3c8e9a4",
    ("bulens-decrypt", "keys=192"): "a94bcedab43a6423e96c7af10668a2d1",
    ("bulens-bram", "keys=any direction=both"): "fad3e243425b679caa18e9e66c46dbf4",
    ("aesforge-compact", "keys=192 direction=encrypt"): "647c6c263d4569e980c4790edc7d49bf",
    ("aesforge-compact", "keys=256 direction=decrypt"): "15f1547adf88d3aabe6518ac0ae2dcba",
    ("aesforge-compact", "key_schedule=stored"): "2fa6de41f05f8a498deb6a95f13b0260",
    (
        "aesforge-compact",
        "key_schedule=stored keys=192 direction=decrypt",
    ): "356f15f82d8f54df9c715969dd803a5b",
    ("fan", "keys=any"): "787e7b110cf0ad4e284a685f5bdcc104",
    ("aesforge-lowcost", ""): "c15476650f719adb492ffcb7470d77a8",
}
_EVERYDAY = ("kakarlapudi-sbox", "keys=128 direction=encrypt sbox=tower")


@pytest.mark.parametrize(
    ("name", "axes"),
    [pytest.param(*core, marks=() if core == _EVERYDAY else slow) for core in BEFORE],
)
def test_a_core_for_128_bits_has_the_netlist_that_it_had(name: str, axes: str) -> None:
    config = preset(name).configure(axes.split())
    assert config.block == "128"
    assert netlist(sources(), config) == BEFORE[name, axes]


ITERATIVE = [
    (f"keys={keys}", f"block={block}") for block in BLOCK_BITS[1:] for keys in (*KEY_BITS, "any")
]
CORES = [
    *(("kakarlapudi-sbox", *axes) for axes in ITERATIVE),
    ("kakarlapudi-tbox", "block=256"),
    ("kakarlapudi-tbox", "block=192", "sbox=bram"),
    ("sklavos-arkl", "keys=any", "block=192"),
    ("sklavos-arkl", "keys=any", "block=256", "sbox=bram"),
    ("sklavos-arkl", "keys=192", "block=256", "direction=decrypt"),
    ("hodjat-lut-2", "keys=256", "block=256", "key_schedule=stored"),
    ("hodjat-tower-3", "keys=any", "block=192", "key_schedule=stored", "direction=both"),
    *(("aesforge-iterative-universal", *axes) for axes in ITERATIVE),
    ("aesforge-iterative-universal", "keys=any", "block=192", "direction=encrypt"),
    ("aesforge-iterative-universal", "keys=256", "block=192", "direction=encrypt"),
    ("aesforge-iterative-universal", "keys=192", "block=256", "direction=decrypt", "sbox=bram"),
    ("sklavos-ake", "block=256", "direction=encrypt", "sbox=bram"),
    ("bulens-encrypt", "keys=any", "block=192", "direction=both"),
    ("bulens-encrypt", "keys=192", "block=256", "sbox=tower"),
    ("bulens-decrypt", "keys=any", "block=256", "sbox=lean"),
    ("bulens-bram", "keys=any", "block=256", "direction=both"),
    ("bulens-split", "keys=any", "block=192"),
    ("bulens-split", "keys=128", "block=256", "direction=decrypt"),
    *(
        ("aesforge-compact", f"key_schedule={schedule}", *axes)
        for schedule in ("on_the_fly", "stored")
        for axes in ITERATIVE
    ),
    ("aesforge-compact", "keys=any", "block=192", "direction=encrypt", "sbox=tower"),
    ("aesforge-compact", "keys=any", "block=256", "direction=decrypt", "sbox=table"),
    (
        *("aesforge-compact", "key_schedule=stored", "keys=any", "block=192"),
        *("direction=decrypt", "sbox=inverse_table"),
    ),
    (
        *("aesforge-compact", "key_schedule=stored", "keys=192", "block=256"),
        *("direction=encrypt", "sbox=lean"),
    ),
    *(("fan", *axes) for axes in ITERATIVE if "keys=any" not in axes),
    ("fan", "keys=any", "block=192", "direction=encrypt", "sboxes=2"),
    ("fan", "keys=any", "block=256", "direction=decrypt", "sboxes=1", "sbox=lean"),
]
_SHORT = ("kakarlapudi-sbox", "keys=256", "block=256")


@pytest.mark.parametrize(
    "core",
    [pytest.param(core, marks=() if core == _SHORT else slow) for core in CORES],
    ids=" ".join,
)
def test_every_check_holds_for_longer_blocks(core: tuple[str, ...]) -> None:
    name, *axes = core
    chosen = preset(name)
    document = verify(chosen, chosen.configure(axes), blocks=50)
    assert document["holds"], document["checks"]


@pytest.mark.parametrize("block", BLOCK_BITS)
def test_ports_are_as_wide_as_the_block(block: int) -> None:
    config = preset("kakarlapudi-sbox").configure([f"block={block}"])
    ports = {port.name: port.width for port in specialized(CIPHER, config).ports}
    assert (ports["in_data_i"], ports["out_data_o"], ports["key_i"]) == (block, block, 256)


@pytest.mark.parametrize("keys", KEY_BITS)
def test_rounds_follow_the_longer_of_key_and_block(keys: int) -> None:
    for block in BLOCK_BITS:
        config = preset("kakarlapudi-sbox").configure([f"block={block}"])
        promise = promised(config, keys)
        assert promise.latency == max(keys, block) // 32 + 7
        assert promise.key_setup == block // 64 * promise.latency


@pytest.mark.parametrize(
    ("name", "setups"),
    [
        # Blocks of 192 and of 256 bits, each with keys of 128, 192 and 256 bits.
        ("bulens-encrypt", (78, 52, 90, 119, 80, 119)),
        ("bulens-bram", (79, 101, 91, 120, 157, 120)),
        ("bulens-split", (79, 101, 91, 120, 157, 120)),
        ("bulens-decrypt", (39, 39, 45, 60, 60, 60)),
    ],
)
def test_the_key_setup_of_four_stages(name: str, setups: tuple[int, ...]) -> None:
    configs = [preset(name).configure([f"block={block}", "keys=any"]) for block in BLOCK_BITS[1:]]
    found = [promised(config, bits).key_setup for config in configs for bits in KEY_BITS]
    assert found == list(setups)


def test_the_cycles_of_one_two_and_four_s_boxes() -> None:
    """Blocks of 192 and of 256 bits, each with keys of 128, 192 and 256 bits."""
    for direction, setups in (
        ("encrypt", [0] * 6),
        ("both", [179, 127, 203, 237, 237, 233]),
    ):
        for sboxes, latencies in (
            ("1", [396, 344, 456, 574, 574, 570]),
            ("2", [202, 176, 232, 292, 292, 290]),
            ("4", [105, 92, 120, 151, 151, 150]),
        ):
            axes = ["keys=any", f"direction={direction}", f"sboxes={sboxes}"]
            configs = [preset("fan").configure([f"block={b}", *axes]) for b in BLOCK_BITS[1:]]
            found = [promised(config, bits) for config in configs for bits in KEY_BITS]
            assert [promise.latency for promise in found] == latencies
            assert [promise.key_setup for promise in found] == setups


@pytest.mark.parametrize(
    ("name", "axes", "reason"),
    [
        ("kakarlapudi-sbox", ("block=256", "mode=gcm"), "mode=gcm takes blocks of 128 bits"),
        ("kakarlapudi-sbox", ("block=256", "mode=ctr,cfb128"), "mode=cfb128 takes blocks of 128"),
        ("kakarlapudi-sbox", ("block=256", "mode=ctr", "lanes=2"), "lanes=2 takes blocks of 128"),
        ("kakarlapudi-sbox", ("block=256", "mode=ctr", "port=axi-stream"), "128 bits"),
        ("kakarlapudi-sbox", ("block=256", "port=word32"), "128 bits"),
        ("hodjat-lut-1", ("block=192",), "key_schedule=stored"),
        ("aesforge-nano", ("block=256",), "block=128"),
        ("aesforge-lowcost", ("block=192",), "block=128"),
        ("sklavos-ake", ("block=256", "key_schedule=given"), "needs block=128"),
        ("kakarlapudi-sbox", ("block=160",), "block"),
    ],
)
def test_what_is_not_built_is_refused_with_the_reason(
    name: str, axes: tuple[str, ...], reason: str
) -> None:
    with pytest.raises(UserError, match=reason):
        preset(name).configure(axes)


@slow
def test_the_testbench_of_a_bundle_passes(tmp_path: Path) -> None:
    iverilog = needs.iverilog()
    chosen = preset("kakarlapudi-sbox")
    config = chosen.configure(["block=256", "keys=256", "direction=encrypt"])
    build.build(chosen, config, tmp_path / "core", "test", force=False, name="my")
    folder = tmp_path / "core"
    files = ["formal/my_contract.sv", "tb/my_tb.sv"]
    process.call(
        "iverilog",
        [iverilog, "-g2012", "-s", "my_tb", "-o", "sim.vvp", "-c", "my.f", *files],
        cwd=folder,
    )
    assert "PASS" in process.call("vvp", ["vvp", "-n", "sim.vvp"], cwd=folder)


MODES = [
    ("kakarlapudi-sbox", "block=256", "mode=ecb,cbc,ctr,ofb"),
    ("kakarlapudi-sbox", "block=192", "mode=ecb,cbc,ctr,ofb"),
    ("kakarlapudi-tbox", "block=192", "keys=128", "mode=cbc,ofb", "streams=2"),
    ("kakarlapudi-sbox", "block=256", "keys=256", "mode=ctr", "key_slots=4"),
    ("kakarlapudi-sbox", "block=192", "keys=256", "mode=ctr", "counter_bits=32"),
    ("sklavos-arkl", "block=256", "keys=256", "mode=ecb,ctr"),
    ("hodjat-lut-1", "block=192", "key_schedule=stored", "mode=ctr"),
]


@slow
@pytest.mark.parametrize("core", MODES, ids=str)
def test_packets_of_longer_blocks_pass_every_check(core: tuple[str, ...]) -> None:
    name, *axes = core
    chosen = preset(name)
    document = verify(chosen, chosen.configure(axes), blocks=400)
    assert document["holds"], document["checks"]


def test_ports_of_packets_are_as_wide_as_the_block() -> None:
    for block, bits in (("128", 5), ("192", 6), ("256", 6)):
        config = preset("kakarlapudi-sbox").configure([f"block={block}", "mode=ctr"])
        ports = {port.name: port.width for port in stack.contract(config).ports}
        assert ports["in_data_i"] == ports["out_data_o"] == ports["pkt_iv_i"] == int(block)
        assert ports["in_bytes_i"] == ports["out_bytes_o"] == bits


CONTRACTS = [
    ("kakarlapudi-sbox", "mode=ecb", "block=256"),
    ("kakarlapudi-sbox", "mode=ecb,cbc", "block=192"),
    ("kakarlapudi-sbox", "mode=ecb,ctr", "block=192"),
    ("kakarlapudi-sbox", "mode=ofb", "block=256"),
]


@slow
@pytest.mark.parametrize("core", CONTRACTS, ids=str)
def test_a_mode_on_longer_blocks_is_proven(core: tuple[str, ...]) -> None:
    name, *axes = core
    found = layers.claims(sources(), preset(name).configure(axes), ("aes_mode contract",))
    assert "aes_mode contract" in found
    for make in found.values():
        assert make().holds


@slow
def test_a_contract_of_another_block_is_not_taken(tmp_path: Path) -> None:
    given = sources()
    shutil.copytree(given.formal, tmp_path / "formal")
    harness = tmp_path / "formal" / "aes_core_registers_contract.sv"
    text = harness.read_text(encoding="utf-8")
    harness.write_text(text.replace("parameter int BlockBits", "localparam int BlockBits"))
    config = preset("hodjat-lut-1").configure(
        ["mode=ctr", "block=256", "keys=256", "key_schedule=stored"]
    )
    found = layers.claims(
        replace(given, formal=tmp_path / "formal"), config, ("aes_core_registers contract",)
    )
    with pytest.raises(ValueError, match="no parameter BlockBits"):
        found["aes_core_registers contract"]()


@slow
def test_the_testbench_of_a_bundle_with_modes_passes(tmp_path: Path) -> None:
    iverilog = needs.iverilog()
    chosen = preset("kakarlapudi-sbox")
    config = chosen.configure(["block=256", "keys=256", "mode=ecb,cbc,ctr,ofb"])
    build.build(chosen, config, tmp_path / "core", "test", force=False, name="my")
    folder = tmp_path / "core"
    sheet = (folder / "my.md").read_text(encoding="utf-8")
    assert "Rijndael with blocks of 256 bits" in sheet
    assert "a beat has 32 bytes" in sheet
    assert "AES (FIPS 197)" not in sheet
    process.call(
        "iverilog",
        [iverilog, "-g2012", "-s", "my_tb", "-o", "sim.vvp", "-c", "my.f", "tb/my_tb.sv"],
        cwd=folder,
    )
    assert "PASS" in process.call("vvp", ["vvp", "-n", "sim.vvp"], cwd=folder)


@slow
def test_a_file_returns_from_counter_mode_on_longer_blocks(tmp_path: Path) -> None:
    chosen = preset("kakarlapudi-sbox")
    config = chosen.configure(["block=256", "keys=256", "mode=ctr"])
    plain, key, iv = bytes(range(101)), bytes(range(32)), b"\xff" * 32
    secret = tmp_path / "secret"
    run(chosen, config, key.hex(), iv.hex(), None, None, False, BytesIO(plain), secret)
    counters = (iv, bytes(16).rjust(32, b"\xff"), (1).to_bytes(16, "big").rjust(32, b"\xff"))
    stream = b"".join(map(block_function(key, 32, False), counters))
    assert secret.read_bytes()[:96] == bytes(a ^ b for a, b in zip(plain[:96], stream, strict=True))
    back = BytesIO()
    run(chosen, config, key.hex(), iv.hex(), None, None, True, BytesIO(secret.read_bytes()), back)
    assert back.getvalue() == plain
    with pytest.raises(UserError, match="ctr takes 256"):
        run(chosen, config, key.hex(), "00" * 16, None, None, False, BytesIO(plain), secret)
    ecb = chosen.configure(["block=192", "keys=256", "mode=ecb"])
    with pytest.raises(UserError, match="whole blocks of 24 bytes"):
        run(chosen, ecb, key.hex(), None, None, None, False, BytesIO(plain), secret)


@slow
def test_power_is_counted_on_results_of_the_longer_block() -> None:
    needs.osu018()
    chosen = preset("aesforge-compact")
    config = chosen.configure(["block=256", "keys=256", "direction=encrypt"])
    document = power(chosen, config, target("osu018"), blocks=2)
    assert document["runs"][0]["cycles_per_block"] == 120


def test_flips_are_tried_on_longer_blocks() -> None:
    config = preset("aesforge-compact").configure(["block=192", "keys=256"])
    tried = stimulus(config)
    (first, *_), result = tried.blocks[0], tried.results[0]
    key = tried.key[0].to_bytes(32, "big")
    assert first.bit_length() > 128
    assert block_function(key, 24, False)(first.to_bytes(24, "big")) == result.to_bytes(24, "big")


ROWS = store.load(store.path())


def test_every_engine_is_measured_with_every_size_of_a_block() -> None:
    cores = blocks.side_by_side([row for row in ROWS if row["preset"] and not row.get("failed")])
    for on in ("ecp5", "xc7", "osu018"):
        here = [core[0]["config"] for core in cores if core[0]["target"] == on]
        assert {config["engine"] for config in here} == {
            *("iterative", "interleaved", "unrolled", "serial")
        }
        assert {config["key_schedule"] for config in here} == {"stored", "on_the_fly"}
    for core in cores:
        assert [row["config"]["block"] for row in core] == ["128", "192", "256"]
        assert core[0]["config"] | {"block": "256"} == core[2]["config"]


def test_a_longer_block_is_only_offered_to_who_asks_for_it() -> None:
    rows = [row for row in ROWS if row["target"] == "ecp5" and not row.get("failed")]
    every = choose.choose(rows, "ecp5", choose.Budget(), ["keys=256", "direction=encrypt"])
    assert {point["config"]["block"] for point in every["points"]} == {"128"}
    asked = choose.choose(rows, "ecp5", choose.Budget(), ["keys=256", "block=256"])
    assert {point["config"]["block"] for point in asked["points"]} == {"256"}
    assert all(row["config"].get("block", "128") == "128" for row in blocks.of_aes(ROWS))
