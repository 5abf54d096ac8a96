"""What is stacked on a core: text of the top module, and proofs that can fail."""

import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from suite import slow

from aesforge.core import sources, stack
from aesforge.errors import UserError
from aesforge.proof import layers
from aesforge.proof.claims import Sources, formal_root
from aesforge.proof.faults import FAULTS, Fault
from aesforge.space.axes import LAYERS, Config
from aesforge.space.modes import KIND
from aesforge.space.presets import preset
from aesforge.tools import yosys
from aesforge.tools.aiger import Aiger
from aesforge.tools.process import ToolTimeout

CORE = preset("kakarlapudi-sbox")
MODE_FILES = (
    "aes_mode",
    "aes_mode_pkg",
    "aes_cbc",
    "aes_ctr",
    "aes_cfb",
    "aes_ofb",
    "aes_cmac",
    "aes_gcm",
    "aes_packet_state",
    "aes_cfb_segments",
    "aes_cbc_cs",
    "aes_xts",
    "aes_ccm",
    "aes_kw",
    "aes_gcm_siv",
    "aes_packet_key",
)
PORTS = [fault for fault in FAULTS if fault.file == "aes_word_port"]


def words(*axes: str) -> Config:
    """A core behind 32-bit words."""
    return CORE.configure([*axes, "port=word32"])


def test_first_value_of_each_layer_is_the_core_alone() -> None:
    config = CORE.config
    assert config.stacked == {}
    assert [layer.name for layer in stack.layers(config)] == ["cipher"]
    assert stack.contract(config).module == "aes_cipher"
    assert (config.mode, config.port) == ("none", "native")
    assert {"mode", "port"} <= LAYERS.keys()


def test_a_stack_has_the_ports_of_its_topmost_layer() -> None:
    config = words("keys=192")
    assert config.core == CORE.configure(["keys=192"])
    contract = stack.contract(config)
    assert [port.width for port in contract.ports if port.name.startswith("in_")] == [1, 1, 32, 1]
    text = "\n".join(stack.top(config, "top"))
    assert text.count(".clk_i ") == 2
    assert text.count("(key_clear_i)") == 2
    assert ".KeyBits (192)" in text
    assert stack.sources(config)[-1].read_text(encoding="utf-8").startswith("module aes_stack (")


def test_a_stream_leaves_key_and_header_to_the_mode() -> None:
    config = CORE.configure(["keys=128", "mode=ctr", "port=axi-stream"])
    names = [port.name for port in stack.contract(config).ports]
    assert {"key_i", "pkt_iv_i", "s_axis_tdata", "m_axis_tkeep", "key_clear_i"} <= {*names}
    assert not any(name.startswith(("in_", "out_")) or name.endswith("tid") for name in names)
    assert len(names) == len(set(names)), "fields of one port are one port"
    text = "\n".join(stack.top(config, "top"))
    port = text.partition("aes_axi_stream #(")[2].partition(");\n")[0]
    assert "key_" not in port
    assert "clk_i" not in port
    beside = stack.contract(CORE.configure(["mode=ctr", "port=apb", "stream_port=on"]))
    names = [port.name for port in beside.ports]
    assert {"s_apb_psel", "s_axis_tdata", "m_axis_tkeep", "irq_o"} <= {*names}
    assert not any(name.startswith(("pkt_", "key_", "dma_")) for name in names)
    two = stack.contract(CORE.configure(["mode=ctr", "port=axi-stream", "streams=2"]))
    assert {"s_axis_tid", "m_axis_tid"} <= {port.name for port in two.ports}


def test_a_key_with_its_last_round_key_has_eight_words() -> None:
    config = preset("sklavos-ake").configure(
        ["key_schedule=given", "direction=decrypt", "port=word32"]
    )
    assert stack.contract(config).channel("key").beats == (8,)
    assert ".KeyBits (256)" in "\n".join(stack.top(config, "top"))


def test_a_register_that_a_reset_leaves_is_reported() -> None:
    # Two registers: one is 0 in reset, the other keeps its value.
    machine = Aiger(1, [8, 6], [], [(4, 2)], {"rst_ni": 0}, {}, {0: "cleared", 1: "kept"})
    assert layers.start(machine)[1] == "a reset leaves kept as it is"


def test_a_run_begins_when_a_clear_has_ended() -> None:
    # Register 0 is set by a reset; register 1 takes its inverse a cycle later.
    machine = Aiger(1, [3, 5], [], [], {"rst_ni": 0}, {}, {0: "clear_q", 1: "line"})
    assert layers.start(machine)[1] == "a reset and a clear leave different values in clear_q"
    machine = Aiger(2, [11, 7], [], [(4, 3), (9, 2)], {"rst_ni": 0, "key_clear_i": 1})
    registers, problem = layers.start(machine)
    assert (len(registers), problem) == (2, "")


@pytest.mark.parametrize(
    "harness", sorted(formal_root().glob("*_contract.sv")), ids=lambda p: p.stem
)
def test_a_proof_sets_every_parameter_in_the_ports_of_a_harness(harness: Path) -> None:
    """A parameter that a claim leaves as it is, such as the bytes of a beat, has its default."""
    text = harness.read_text(encoding="utf-8")
    own = re.findall(r"^ *parameter \w+ (\w+)", text, re.M)
    ports = layers._wrapper(harness, {}).partition(";")[0]
    assert [name for name in own if re.search(rf"\b{name}\b", ports)] == []


def verdict(
    tmp_path: Path, fault: Fault | None, config: Config, module: str = "aes_word_port"
) -> layers.Claim:
    """The claim on a port, with a fault in it if any."""
    rtl = list(sources.files())
    if fault is not None:
        (at,) = [number for number, path in enumerate(rtl) if path.stem == fault.file]
        text = rtl[at].read_text(encoding="utf-8")
        assert text.count(fault.old) == 1
        rtl[at] = tmp_path / rtl[at].name
        rtl[at].write_text(text.replace(fault.old, fault.new), encoding="utf-8")
    claims = layers.claims(Sources(tuple(rtl), formal_root()), config, [module])
    return claims[f"{module} contract"]()


@pytest.mark.parametrize(
    "fault",
    [pytest.param(fault, marks=slow) for fault in PORTS],
    ids=str,
)
def test_a_fault_of_the_word_port_is_not_proven(fault: Fault, tmp_path: Path) -> None:
    found = verdict(tmp_path, fault, words())
    assert not found.holds
    assert "differs from the model" in found.counterexample["rule"]


STREAMS = [fault for fault in FAULTS if fault.file == "aes_axi_stream"]


@pytest.mark.parametrize("axis", ["streams=1", "lanes=4"])
def test_a_stream_port_moves_every_byte_to_its_place(axis: str, tmp_path: Path) -> None:
    assert verdict(tmp_path, None, *stream(axis)).holds


@pytest.mark.parametrize("fault", STREAMS, ids=str)
def test_a_fault_of_the_stream_port_is_not_proven(fault: Fault, tmp_path: Path) -> None:
    several = "lanes=2" if "lanes=2" in fault.core else "streams=2"
    found = verdict(tmp_path, fault, *stream(several))
    assert not found.holds
    assert "broken rule" in found.counterexample["rule"]


def stream(axis: str) -> tuple[Config, str]:
    """A core with a stream port, and the module of that."""
    return CORE.configure(["mode=ctr", axis, "port=axi-stream"]), "aes_axi_stream"


HOLDS = [fault for fault in FAULTS if fault.file == "aes_hold"]


def held(given: Sources, *axes: str) -> dict[str, layers.Claim]:
    """The claims on `aes_hold`, of an output that is 0 while idle."""
    config = CORE.configure(["keys=128", "idle_output=zero", "hold=on", *axes])
    found = layers.claims(given, config, ["aes_hold"])
    return {name: claim() for name, claim in found.items()}


@pytest.fixture
def two_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    """The smallest buffer, which takes seconds."""
    monkeypatch.setattr(layers, "_CONTRACT_LINES", 2)


@slow
@pytest.mark.usefixtures("two_lines")
@pytest.mark.parametrize("lanes", [1, 2])
def test_no_forged_packet_shows_a_byte(lanes: int) -> None:
    found = held(Sources(sources.files(), formal_root()), "mode=gcm", f"lanes={lanes}")
    assert found.keys() == {
        f"aes_hold {what}" for what in ("headers", "contract", "timing", "clear")
    }
    assert all(claim.holds for claim in found.values()), found


@slow
@pytest.mark.parametrize("mode", ["gcm", "ecb,gmac,gcm,ccm"])
def test_no_forged_packet_shows_a_byte_of_four_lines(mode: str) -> None:
    found = held(Sources(sources.files(), formal_root()), f"mode={mode}")
    assert all(claim.holds for claim in found.values()), found


@pytest.mark.parametrize(
    "fault",
    [pytest.param(fault, marks=slow) for fault in HOLDS],
    ids=str,
)
@pytest.mark.usefixtures("two_lines")
def test_a_fault_of_hold_is_not_proven(fault: Fault, tmp_path: Path) -> None:
    given = attacked(tmp_path, fault.file, fault.old, fault.new)
    # The lowest mode of this list is another one.
    found = held(given, "mode=gmac,gcm")
    assert not all(claim.holds for claim in found.values())


# What is wrong; text; its replacement; what the message says.
RELEASES = [
    (
        "payload of zeros is output at once",
        "if (due_q || (take && !holds)) commit_q",
        "if (due_q || (take && !(holds && core_out_data_i != '0))) commit_q",
        "No beat is output that is not committed",
    ),
    (
        "unverified payload is on the idle output",
        "assign out_data_o = (IdleOutput",
        "assign out_data_o = !valid_q ? lines[write_q[BITS-1:0]][135:8] : (IdleOutput",
        "Nothing of a packet to verify is at the output|the data are 0 while",
    ),
    (
        "an aborted packet is verified",
        "core_out_kind_i == aes_mode_pkg::KIND_VERIFIED && !refused_q",
        "core_out_kind_i != aes_mode_pkg::KIND_PAYLOAD && !refused_q",
        "No beat is output that is not committed|Nothing of a packet|Beats are output unchanged",
    ),
    (
        "a packet that is too long is cut",
        "refused_q <= payload && (refused_q || full);",
        "refused_q <= 1'b0;",
        "Beats are output unchanged|Nothing of a packet|No beat is output",
    ),
    (
        "a refused packet stops the mode",
        "known && !due_q &&",
        "known && !due_q && !refused_q &&",
        "A beat is accepted at once",
    ),
    (
        "a verdict that has no line yet is forgotten",
        "else if (fails || !full) due_q <= 1'b0;",
        "else due_q <= 1'b0;",
        "No beat is output|Beats are output unchanged|A committed beat is on offer",
    ),
    (
        "a header is dropped while the flags are full",
        "assign pkt_ready_o = core_pkt_ready_i && flag_ready && !clearing;",
        "assign pkt_ready_o = core_pkt_ready_i && !clearing;",
        "Keys and headers pass unchanged",
    ),
]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        pytest.param(*attack[1:], id=attack[0], marks=slow if at else ())
        for at, attack in enumerate(RELEASES)
    ],
)
@pytest.mark.usefixtures("two_lines")
def test_an_attack_on_hold_breaks_its_rule(
    old: str, new: str, message: str, tmp_path: Path
) -> None:
    found = held(attacked(tmp_path, "aes_hold", old, new), "mode=gmac,gcm")["aes_hold contract"]
    assert not found.holds
    assert re.search(message, found.counterexample["rule"]), found.counterexample


def test_a_clear_that_leaves_the_buffer_is_reported(tmp_path: Path) -> None:
    given = attacked(tmp_path, "aes_hold", "if (clear_q || push) lines", "if (push) lines")
    config = CORE.configure(["keys=128", "mode=gcm", "hold=on"])
    found = layers.claims(given, config, ["aes_hold clear"])["aes_hold clear"]()
    assert not found.holds
    assert "lines" in found.counterexample["rule"]


SLOTS = [fault for fault in FAULTS if fault.file == "aes_key_slots"]


def slotted(given: Sources, *axes: str) -> dict[str, layers.Claim]:
    """The claims on `aes_key_slots`."""
    found = layers.claims(given, CORE.configure(["mode=ctr", *axes]), ["aes_key_slots"])
    return {name: claim() for name, claim in found.items()}


@pytest.mark.parametrize(
    ("slots", "keys"),
    [
        ("2", "128"),
        *(pytest.param(s, k, marks=slow) for s, k in (("2", "any"), ("4", "192"), ("8", "128"))),
    ],
)
def test_each_packet_has_the_key_of_its_slot(slots: str, keys: str) -> None:
    given = Sources(sources.files(), formal_root())
    found = slotted(given, f"key_slots={slots}", f"keys={keys}")
    assert found.keys() == {f"aes_key_slots {what}" for what in ("contract", "timing", "clear")}
    assert all(claim.holds for claim in found.values()), found


@pytest.mark.parametrize(
    "fault",
    [pytest.param(fault, marks=slow if at else ()) for at, fault in enumerate(SLOTS)],
    ids=str,
)
def test_a_fault_of_key_slots_breaks_its_contract(fault: Fault, tmp_path: Path) -> None:
    keys = "any" if "size" in fault.name else "128"
    given = attacked(tmp_path, fault.file, fault.old, fault.new)
    found = slotted(given, "key_slots=2", f"keys={keys}")["aes_key_slots contract"]
    assert not found.holds
    assert re.match("broken rule|a reset leaves", found.counterexample["rule"])


AHEAD = [fault for fault in FAULTS if fault.file == "aes_xts_ahead"]


def ahead(given: Sources, core: str = "kakarlapudi-sbox keys=128 mode=xts") -> dict[str, str]:
    """Which claims on `aes_xts_ahead` do not hold, and why."""
    name, *axes = core.split()
    config = preset(name).configure(axes)
    claims = {name: claim() for name, claim in layers.claims(given, config, [_AHEAD]).items()}
    assert claims.keys() == {f"{_AHEAD} {w}" for w in ("headers", "contract", "timing", "clear")}
    return {
        name.removeprefix(f"{_AHEAD} "): claim.counterexample["rule"]
        for name, claim in claims.items()
        if not claim.holds
    }


_AHEAD = "aes_xts_ahead"


@slow
@pytest.mark.parametrize(
    "core",
    [
        "kakarlapudi-sbox keys=128 mode=xts",
        "kakarlapudi-sbox mode=xts",
        "hodjat-lut-2 keys=256 mode=xts",
        "hodjat-tower-4 keys=128 mode=xts,ecb,ctr",
    ],
)
def test_what_is_said_of_the_next_beat_of_xts_is_true(core: str) -> None:
    assert ahead(Sources(sources.files(), formal_root()), core) == {}


@pytest.mark.parametrize(
    "fault",
    [pytest.param(fault, marks=slow) for fault in AHEAD],
    ids=str,
)
def test_a_fault_of_the_layer_of_xts_is_not_proven(fault: Fault, tmp_path: Path) -> None:
    core = (
        "kakarlapudi-sbox mode=xts" if "192" in fault.name else "kakarlapudi-sbox keys=128 mode=xts"
    )
    if "clear is over" in fault.name:
        core = "hodjat-lut-2 keys=128 mode=xts"
    found = ahead(attacked(tmp_path, fault.file, fault.old, fault.new), core)
    assert re.match("broken rule", found["contract"]) or "differ" in found["contract"]


@slow
@pytest.mark.parametrize("keys", ["any", "128", "192", "256"])
def test_the_word_port_is_proven_around_any_core(keys: str, tmp_path: Path) -> None:
    assert verdict(tmp_path, None, words(f"keys={keys}")).holds


def limit(monkeypatch: pytest.MonkeyPatch, seconds: int) -> None:
    """Seconds in which a rule is proven; no run of the length of a packet is looked for."""
    monkeypatch.setattr(layers, "_TRIES", ((2, seconds),))


def attacked(tmp_path: Path, file: str, old: str, new: str) -> Sources:
    """The sources with one change in a module."""
    rtl = list(sources.files())
    (at,) = [number for number, path in enumerate(rtl) if path.stem == file]
    text = rtl[at].read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{file} has no longer one place {old}"
    rtl[at] = tmp_path / rtl[at].name
    rtl[at].write_text(text.replace(old, new), encoding="utf-8")
    return Sources(tuple(rtl), formal_root())


# What is wrong; module; text; its replacement; axes; claim; what the message says.
ATTACKS = [
    (
        "a carry is dropped within the counter",
        *("aes_ctr", "assign next_carry[k] = NOTED &&"),
        "assign next_carry[k] = k < 8 &&",
        *("mode=ctr", "aes_mode contract", "The core gets the blocks of the recurrence"),
    ),
    (
        "a masked block is shown on the idle output",
        *(
            "aes_verdict",
            "assign out_data_o = hidden ? '0 : data;",
            "assign out_data_o = data;",
        ),
        *("mode=cbc", "aes_mode contract", "A beat is on offer exactly|the output is 0 while"),
    ),
    (
        "a block of zeros is accepted early",
        *("aes_mode", "assign may_step = ready &&", "assign may_step = (ready || data == '0) &&"),
        *("mode=ecb", "aes_mode timing", "depends on one of"),
    ),
    (
        "a clear leaves the chaining value",
        *(
            "aes_packet_state",
            "          note_q <= '0;\n          chain_q <= '0;\n",
            "          note_q <= '0;\n",
        ),
        *(
            "mode=cbc",
            "aes_mode clear",
            r"u_packet_state\.(gen_stream\[0\]\.chain_|kept\[)",
        ),
    ),
    (
        "a second header is accepted within a packet",
        *(
            "aes_packet_state",
            "assign busy[s] = open_q && !ends;",
            "assign busy[s] = open_q && !steps;",
        ),
        *("mode=cbc", "aes_mode contract", "A header is accepted"),
    ),
    (
        "an aborted packet is not one",
        *("aes_mode", "(in_abort_i || refused) && in_last_i", "refused && in_last_i"),
        *("mode=cbc", "aes_mode contract", "A beat is on offer exactly"),
    ),
    (
        "a result is dropped when the output stalls",
        *("aes_mode", "release_ready = beat_ready || !out_emit", "release_ready = 1'b1"),
        *("mode=ofb", "aes_mode contract", "A result of the core is taken when its beat is"),
    ),
    (
        "a block that follows at once gets an old chaining value",
        *("aes_packet_state", "(Bypass && arrives) ? result_data_i : chain_now", "chain_now"),
        *("mode=cfb128", "aes_mode contract", "The core gets the blocks of the recurrence"),
    ),
    (
        "an entry is overwritten before it is removed",
        *(
            "aes_sideband_fifo",
            "assign load = !empty_q && (!valid_q || take);",
            "assign load = !empty_q;",
        ),
        *("mode=ecb", "aes_sideband_fifo contract", "The entry is at the output unchanged"),
    ),
    (
        "a key word is shown on the idle bus",
        *("aes_word_port", "assign out_data_o = out_q[127:96]"),
        "assign out_data_o = out_full_q ? out_q[127:96] : key_q[159:128]",
        *("port=word32", "aes_word_port contract", "an output differs from the model"),
    ),
    (
        "a word port that waits longer for a key of zeros",
        *("aes_word_port", "key_last ? core_key_ready_i : !key_clear_i"),
        "key_last ? core_key_ready_i : !key_clear_i && key_i != '0",
        *("port=word32", "aes_word_port timing", "key_ready_o depends on one of"),
    ),
]


@pytest.mark.parametrize(
    ("file", "old", "new", "axis", "claim", "message"),
    [
        pytest.param(
            *attack[1:], id=attack[0], marks=() if attack[5].endswith("fifo contract") else slow
        )
        for attack in ATTACKS
    ],
)
def test_an_attack_on_a_layer_is_not_proven(
    file: str, old: str, new: str, axis: str, claim: str, message: str, tmp_path: Path
) -> None:
    config = preset("aesforge-iterative").configure(["idle_output=zero", axis])
    found = layers.claims(attacked(tmp_path, file, old, new), config)[claim]()
    assert not found.holds
    assert re.search(message, found.counterexample["rule"]), found.counterexample


PIPELINE = ("mode=gcm", "keys=128", "key_schedule=stored")

PARTS = {
    "late": ("chosen_q <= writes_next;", "chosen_q <= writes;"),
    "elsewhere": ("(place_q == LAST) ? '0 :", "(place_q == LAST - BITS'(1)) ? '0 :"),
}
"""Text of the place to write in a later part of a queue, and what replaces it."""


@pytest.mark.parametrize("part", [None, *PARTS])
def test_each_part_of_a_wide_queue_keeps_the_order(part: str | None, tmp_path: Path) -> None:
    given = Sources(sources.files(), formal_root())
    if part:
        given = attacked(tmp_path, "aes_sideband_fifo", *PARTS[part])
    found = layers.claims(given, preset("hodjat-lut-2").configure(PIPELINE), ["aes_gcm_tag queue"])
    assert {name: make().holds for name, make in found.items()} == {
        "aes_gcm_tag queue": True,
        "aes_gcm_tag queue of a part": part is None,
    }


@slow
def test_a_header_that_a_clear_leaves_is_found(tmp_path: Path) -> None:
    """Around a pipeline a header is loaded while no packet is open, also as a clear ends."""
    given = attacked(
        *(
            tmp_path,
            "aes_packet_state",
            "if (Registered ? clearing_i : !rst_ni || clear_i) header_q",
        ),
        "if (!rst_ni || clear_i) header_q",
    )
    found = layers.claims(given, preset("hodjat-lut-2").configure(PIPELINE), ["aes_mode clear"])
    rule = found["aes_mode clear"]().counterexample["rule"]
    assert re.search(r"a clear leaves u_layer\.\w+.* when key_ready_o returns", rule)


@slow
def test_the_longest_queue_is_proven() -> None:
    """`scorr` with few conflicts leaves it to `pdr`, which does not end."""
    config = preset("aesforge-unrolled").configure(["mode=ctr", "stop_cycles=2"])
    given = Sources(sources.files(), formal_root())
    for make in layers.claims(given, config, ["aes_sideband_fifo"]).values():
        assert make().holds


@pytest.mark.parametrize("broken", [False, True])
def test_merging_that_takes_too_long_is_given_up(
    broken: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """What few conflicts have left is decided all the same, one way or the other."""
    ended = []

    def abc(commands: str, folder: Path, seconds: float | None = None) -> str:
        if seconds:
            ended.append(commands)
            raise ToolTimeout("ABC did not end in time")
        if "pdr -T 20" in commands or "bmc3" in commands or "sim3" in commands:
            return ""
        return run(re.sub(r"scorr -C \d+;", "", commands), folder)

    run = yosys.abc
    monkeypatch.setattr(yosys, "abc", abc)
    monkeypatch.setenv("AESFORGE_CACHE", str(tmp_path / "cache"))
    given = Sources(sources.files(), formal_root())
    if broken:
        given = attacked(tmp_path, "aes_sideband_fifo", "else if (push_i) data_q", "else data_q")
    claims = layers.claims(given, CORE.configure(["mode=ecb"]), ["aes_sideband_fifo"])
    found = claims["aes_sideband_fifo contract"]()
    assert len(ended) == 1
    assert found.holds != broken


def forgetful(tmp_path: Path) -> Sources:
    """The sources, and a contract, that both forget a carry into the upper half of a counter."""
    shutil.copytree(formal_root(), tmp_path / "formal")
    layer = attacked(
        tmp_path,
        "aes_ctr",
        "(GROUPS'(1) << G) - GROUPS'(1)",
        "((GROUPS'(1) << G) - GROUPS'(1)) & GROUPS'(3)",
    )
    contract = tmp_path / "formal" / "aes_mode_contract.sv"
    text, old = contract.read_text(encoding="utf-8"), "(4'd1 << (k / (4 * SLICE))) - 4'd1"
    assert text.count(old) == 1
    contract.write_text(text.replace(old, f"({old}) & 4'd3"), encoding="utf-8")
    return Sources(layer.rtl, contract.parent)


@slow
def test_a_carry_that_layer_and_model_both_forget_is_found(tmp_path: Path) -> None:
    """The model's counter has the form of the layer's; first counters show that it is right."""
    config = preset("aesforge-iterative").configure(["mode=ctr"])
    found = layers.claims(forgetful(tmp_path), config)["aes_mode contract"]()
    assert not found.holds
    assert "The core gets the blocks of the recurrence" in found.counterexample["rule"]


def test_the_text_of_each_attack_is_in_its_module(tmp_path: Path) -> None:
    for attack in (*ATTACKS, *SIV_ATTACKS):
        attacked(tmp_path, *attack[1:4])
    forgetful(tmp_path)


MODES_PROVEN = ["ecb", "cbc", "ctr", "ofb", "cfb128", "cmac"]
MODES_PROVEN += ["cfb8", "cfb1", "cbc_cs1", "cbc_cs2", "cbc_cs3", "xts", "ccm", "kw", "kwp"]
MODES_PROVEN += ["gcm", "gmac", "gcm-siv"]


@pytest.mark.parametrize("mode", [pytest.param(m, marks=slow) for m in MODES_PROVEN])
@pytest.mark.parametrize("core", ["kakarlapudi-sbox", "aesforge-iterative"])
def test_a_mode_is_proven_around_any_core(core: str, mode: str) -> None:
    """Around a core that holds one block, and around one that holds two."""
    size = ["payload_bytes=64"] if mode == "gcm-siv" else []
    config = preset(core).configure(["keys=128", f"mode={mode}", *size])
    given = Sources(sources.files(), formal_root())
    for claim in layers.claims(given, config, ["aes_mode", "aes_sideband_fifo"]).values():
        assert claim().holds, claim()


CLEARED = ["cfb8", "cfb1,cbc_cs1", "xts", "kw", "kwp", "ccm", "gcm", "gcm-siv payload_bytes=64"]


@pytest.mark.parametrize(
    "axes", [pytest.param(a, marks=() if a == "xts" else slow) for a in CLEARED]
)
def test_no_mode_depends_on_data_or_keeps_them(axes: str) -> None:
    config = CORE.configure(["keys=128", *f"mode={axes}".split()])
    claims = ["aes_mode timing", "aes_mode clear", "aes_xts_ahead timing", "aes_xts_ahead clear"]
    found = layers.claims(Sources(sources.files(), formal_root()), config, claims)
    assert len(found) == 2 * len([layer for layer in stack.layers(config)[1:] if layer.clocked])
    for claim in found.values():
        assert claim().holds, claim()


@pytest.mark.parametrize(
    ("file", "old", "new", "axes"),
    [
        (
            "aes_ccm",
            "    if (!rst_ni || clear_i) begin\n      aad_q",
            "    if (clear_i) begin\n      aad_q",
            "mode=ccm",
        ),
        pytest.param(
            *("aes_cbc_cs", "(!rst_ni || clear_i) hold_q", "(clear_i) hold_q", "mode=cbc_cs1"),
            marks=slow,
        ),
        pytest.param(
            *("aes_xts", "(!rst_ni || clear_i) hold_q", "(clear_i) hold_q", "mode=xts"),
            marks=slow,
        ),
    ],
    ids=["aes_ccm", "aes_cbc_cs", "aes_xts"],
)
def test_data_that_a_reset_leaves_are_reported(
    file: str, old: str, new: str, axes: str, tmp_path: Path
) -> None:
    config = CORE.configure(["keys=128", axes])
    given = attacked(tmp_path, file, old, new)
    found = layers.claims(given, config, ["aes_mode clear"])["aes_mode clear"]()
    assert not found.holds
    assert found.counterexample["rule"].startswith("a reset leaves ")


@slow
@pytest.mark.parametrize(
    "core",
    [
        "aesforge-interleaved-universal stages=2 sbox_registers=0 direction=encrypt",
        "hodjat-lut-1",
    ],
)
@pytest.mark.parametrize("mode", ["ecb", "ctr"])
def test_a_mode_is_proven_around_pipelines(core: str, mode: str) -> None:
    name, *axes = core.split()
    config = preset(name).configure([*axes, "keys=128", f"mode={mode}"])
    assert config.registered
    given = Sources(sources.files(), formal_root())
    for name, claim in layers.claims(given, config).items():
        if name.startswith("aes_mode "):
            assert claim().holds, claim()


@pytest.mark.parametrize(
    "words",
    [
        "sklavos-ake mode=cfb1",
        *(
            pytest.param(words, marks=slow)
            for words in (
                "aesforge-interleaved-universal keys=128 mode=cbc",
                "aesforge-interleaved-universal keys=128 mode=cbc streams=2",
                "hodjat-lut-1 keys=128 direction=both key_schedule=stored mode=kw",
                "sklavos-ake mode=cfb8,cfb1,cmac,ctr",
            )
        ),
    ],
)
def test_results_that_chain_are_proven_in_loops_pipelines_and_lists(words: str) -> None:
    name, *axes = words.split()
    given = Sources(sources.files(), formal_root())
    claims = layers.claims(given, preset(name).configure(axes), ["aes_mode contract"])
    found = claims["aes_mode contract"]()
    assert found.holds, found


@pytest.mark.parametrize("port", LAYERS["port"].names[1:])
def test_every_layer_below_a_port_has_a_contract(port: str) -> None:
    mode = ["mode=ecb"] if port != "word32" else []
    found = stack.layers(CORE.configure([f"port={port}", *mode]))[1:]
    for layer in found:
        assert (formal_root() / f"{layer.contract.module}_contract.sv").is_file()


def test_the_contract_of_packets_says_which_modes_it_has() -> None:
    given = Sources(sources.files(), formal_root())
    assert layers.covered(given) == set(MODES_PROVEN)


@slow
@pytest.mark.parametrize(
    "core",
    [
        "kakarlapudi-sbox mode=ecb,gcm",
        "aesforge-iterative mode=ecb,gcm",
        "kakarlapudi-sbox mode=ctr,gcm",
        "kakarlapudi-sbox mode=cbc,gcm",
        "aesforge-iterative mode=ctr,gcm",
        "aesforge-iterative mode=cbc,gcm",
        "kakarlapudi-sbox mode=cbc,ctr,gcm",
        "hodjat-lut-1 keys=128 mode=gcm",
        "kakarlapudi-sbox mode=gcm,gcm-siv payload_bytes=64",
        "kakarlapudi-sbox mode=ecb,gcm-siv",
        "aesforge-iterative mode=cmac,gcm-siv",
        "hodjat-lut-1 mode=gcm-siv",
    ],
)
def test_what_hashes_is_proven_in_lists_and_around_a_pipeline(core: str) -> None:
    name, *axes = core.split()
    config = preset(name).configure(["keys=128", *axes])
    given = Sources(sources.files(), formal_root())
    claim = layers.claims(given, config, ["aes_mode contract"])["aes_mode contract"]()
    assert claim.holds, claim


def test_a_mode_without_a_recurrence_is_refused(tmp_path: Path) -> None:
    shutil.copytree(formal_root(), tmp_path / "formal")
    contract = tmp_path / "formal" / "aes_mode_contract.sv"
    text = contract.read_text(encoding="utf-8")
    contract.write_text(text.replace("      aes_pkg::MODE_GCM_SIV: begin", "      5'd17: begin"))
    given = Sources(sources.files(), contract.parent)
    with pytest.raises(UserError, match=r"no recurrence of mode=gcm-siv.*'aes_mode timing'"):
        layers.claims(given, CORE.configure(["keys=128", "mode=ecb,gcm-siv"]))


# What is wrong with GCM-SIV; module; text; its replacement; claim; what the message says.
SIV_ATTACKS = [
    (
        "a clear leaves a block of the payload",
        *("aes_gcm_siv", "assign write = clear_q || back", "assign write = back"),
        *("clear", r"leaves .*gen_gcm_siv\.u_gcm_siv\.line"),
    ),
    (
        "a packet waits for its data",
        *(
            "aes_gcm_siv",
            "        derive_o = step_i;\n",
            "        derive_o = step_i && data_i != '0;\n",
        ),
        *("timing", "depends on one of"),
    ),
    (
        "a key of 192 bits derives keys",
        *("aes_mode", "siv_refuse = pkt_len == aes_pkg::LEN_192 || ", "siv_refuse = "),
        *("contract", "A key reaches the core|A beat is accepted when"),
    ),
    (
        "POLYVAL has the key of encryption",
        *("aes_packet_key", "derived_o = derived_q[255:128]", "derived_o = derived_q[127:0]"),
        *("contract", "the FIFO gets"),
    ),
    (
        "POLYVAL has the key of another power of x",
        *(
            "aes_gcm_siv",
            "aes_ghash_pkg::polyval_key(aes_mode_pkg::reversed(derived_i))",
            "aes_mode_pkg::reversed(derived_i)",
        ),
        *("contract", "the FIFO gets"),
    ),
    (
        "keys are derived from second halves",
        *("aes_mode", "(raw[127:64])", "(raw[63:0])"),
        *("contract", "A key reaches the core|the FIFO gets"),
    ),
    (
        "the next packet is encrypted under a derived key",
        *("aes_packet_key", "(return_i && uses_derived_q)", "1'b0"),
        *("contract", "A key reaches the core"),
    ),
    (
        "the top bit of a counter block is that of the tag",
        *("aes_gcm_siv", "start[95:0] | TOP", "start[95:0]"),
        *("contract", "The core gets the blocks of the recurrence"),
    ),
    (
        "the top bit of the sum is encrypted",
        *("aes_gcm_siv", " & ~{32'h0, TOP};", ";"),
        *("contract", "The core gets the blocks of the recurrence"),
    ),
    (
        "the nonce is not added to the hash",
        *("aes_gcm_siv", "aes_mode_pkg::reversed({chain_i[127:32], 32'h0});", "128'h0;"),
        *("contract", "the FIFO gets"),
    ),
    (
        "AAD counts as text",
        *("aes_gcm_siv", "if (aad) kind_o = aes_mode_pkg::KIND_FAILED;", ""),
        *("contract", "the FIFO gets"),
    ),
    (
        "payload is output when it is decrypted",
        *(
            "aes_gcm_siv",
            "        bytes_o = size;\n        hash_o",
            "        bytes_o = size;\n        emit_o = 1'b1;\n        hash_o",
        ),
        *("contract", "the FIFO gets"),
    ),
    (
        "payload that returns to the memory is at the idle output",
        *("aes_mode", ".IdleOutput (IDLE_OUTPUT)", ".IdleOutput (IdleOutput)"),
        *("contract", "the output is 0 while"),
    ),
    (
        "half of the tag is compared",
        *("aes_gcm_siv", "chain_i == data_i;", "chain_i[63:0] == data_i[63:0];"),
        # The run that shows it has a whole packet, and may not be found: then each rule is left.
        *("contract", "not decided|A beat is accepted when"),
    ),
    (
        "a block of payload stays in the memory",
        *("aes_gcm_siv", "|| store || (step_i && phase_q == GIVE);", "|| store;"),
        *("contract", "In GCM-SIV mode, what was read"),
    ),
]


@pytest.mark.parametrize(
    ("file", "old", "new", "claim", "message"),
    [
        pytest.param(*attack[1:], id=attack[0], marks=slow if attack[4] != "clear" else ())
        for attack in SIV_ATTACKS
    ],
)
def test_an_attack_on_gcm_siv_is_not_proven(
    file: str,
    old: str,
    new: str,
    claim: str,
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # A packet is longer than the runs that a search finds: the message says which rule is left.
    limit(monkeypatch, 20)
    given = attacked(tmp_path, file, old, new)
    config = CORE.configure(["mode=gcm-siv", "payload_bytes=64"])
    found = layers.claims(given, config, [f"aes_mode {claim}"])[f"aes_mode {claim}"]()
    assert not found.holds
    assert re.search(message, found.counterexample["rule"]), found.counterexample


LAST_NUMBER = "{1'b0, count_q} + 29'd1"
"""The number of a counter block of CCM in `aes_ccm`: up to 2^28."""


def test_no_payload_is_encrypted_with_the_block_of_the_tag(tmp_path: Path) -> None:
    """CCM: with 2^32 - 15 bytes of payload or more, the last counter block has number 2^28."""
    given = Sources(sources.files(), formal_root())
    machine = layers._elaborated(given, "aes_ccm", False, {}, tmp_path)
    last = {
        "started_q": 1,
        "count_q": 2**28 - 1,
        "payload_q": 15,
        **dict.fromkeys(("aad_q", "step_q", "bad_q", "nonce_q", "iv_bytes_q"), 0),
    }
    beat = {"bytes_i": 15, "kind_i": KIND["payload"], "last_i": 1}

    def bit(values: dict[str, int], name: str, unknown: int = 3) -> int:
        base, _, index = name.rpartition(".")[2].rstrip("]").partition("[")
        return unknown if base not in values else 1 + (values[base] >> int(index or 0) & 1)

    registers = [bit(last, machine.register_names[at]) for at in range(len(machine.next))]
    inputs = {name: bit(beat, name) for name in machine.input_names}
    _, outputs = layers._next(machine, registers, inputs)
    assert (outputs["call_o"], outputs["emit_o"]) == (2, 2)
    number = [outputs[f"block_o[{at}]"] for at in range(120)]
    assert number == [1 + (at == 28) for at in range(120)]


@slow
def test_a_counter_block_that_occurs_twice_is_not_proven(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The run that shows it has 2^29 cycles, which no search finds.
    limit(monkeypatch, 60)
    given = attacked(tmp_path, "aes_ccm", LAST_NUMBER, "{1'b0, count_q + 28'd1}")
    config = CORE.configure(["keys=128", "direction=encrypt", "mode=ccm"])
    found = layers.claims(given, config, ["aes_mode contract"])["aes_mode contract"]()
    assert not found.holds
    assert "The core gets the blocks of the recurrence" in found.counterexample["rule"]


SIV = "kakarlapudi-sbox keys=128 mode=gcm-siv payload_bytes=64"
SHOWS = {
    "aes_kw": "kakarlapudi-sbox keys=128 mode=kw,kwp idle_output=register",
    "aes_gcm_siv": SIV,
    "aes_packet_key": SIV,
}
"""Cores for the faults that name none, since no packet shows them."""

BESIDE_GCM = "a derived key counts as the key"
"""A fault that is none with GCM-SIV alone: no other mode has a block to send with a new key."""

QUICK = {"aes_packet_key: a clear leaves a derived key"}
"""Faults of the everyday tests; those of aes_gcm_siv are among SIV_ATTACKS."""


def modes_of(fault: Fault) -> set[str]:
    """The modes of the core that shows a fault, if it names any."""
    axes = dict(axis.partition("=")[::2] for axis in fault.core.split())
    return {*axes.get("mode", "").split(",")} - {""}


@slow
@pytest.mark.parametrize(
    "core",
    [
        "aesforge-compact mode=gcm",
        "aesforge-interleaved keys=128 mode=gmac",
        "hodjat-lut-1 keys=128 mode=gcm",
        "kakarlapudi-sbox keys=128 mode=gcm,gcm-siv payload_bytes=64",
    ],
)
def test_what_hashes_is_proven(core: str) -> None:
    """GHASH that is serial, with a product per cycle, and pipelined; POLYVAL."""
    name, *axes = core.split()
    given = Sources(sources.files(), formal_root())
    found = layers.claims(given, preset(name).configure(axes), HASHED)
    assert len(found) == (4 if name == "hodjat-lut-1" else 3)
    for claim in found.values():
        assert claim().holds, claim()


def test_the_queue_around_a_pipeline_keeps_results_in_order() -> None:
    given = Sources(sources.files(), formal_root())
    config = preset("hodjat-lut-1").configure(["keys=128", "mode=gcm"])
    claim = layers.claims(given, config, ["aes_gcm_tag queue"])["aes_gcm_tag queue"]()
    assert claim.holds, claim
    assert "Depth=2 * (2 + 4) + 1 + 4" in claim.covers


HASHED = ["aes_gcm_tag", "aes_byte_count"]


def test_the_sizes_of_what_hashes_are_those_of_its_text() -> None:
    for module, queue in layers._QUEUES.items():
        (path,) = (path for path in sources.files() if path.stem == module)
        text = path.read_text(encoding="utf-8")
        (latency,) = re.findall(r"localparam int HASH_LATENCY = (.*);", text)
        (more,) = re.findall(r"\.Depth +\(HASH_LATENCY( .*)\),", text)
        assert latency + more == queue
    (path,) = (path for path in sources.files() if path.stem == "aes_gcm_tag")
    text = path.read_text(encoding="utf-8")
    bits = re.findall(r"localparam int (?:IV|TEXT)_BITS = (\d+);", text)
    assert bits == list(layers._COUNTED.values())


SHORT = {"Bits": "20", "SliceBits": "6", "Most": "16"}
"""A count whose carries come after 64 bytes."""


@pytest.mark.parametrize("fault", [one for one in FAULTS if one.file == "aes_byte_count"], ids=str)
def test_a_wrong_count_of_bytes_is_not_proven(fault: Fault, tmp_path: Path) -> None:
    given = attacked(tmp_path, fault.file, fault.old, fault.new)
    assert not layers._contract(given, fault.file, SHORT)().holds


@slow
@pytest.mark.parametrize("fault", [one for one in FAULTS if one.file == "aes_gcm_tag"], ids=str)
def test_a_fault_of_what_hashes_is_not_proven(
    fault: Fault, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    limit(monkeypatch, 60)
    given = attacked(tmp_path, fault.file, fault.old, fault.new)
    name, *axes = fault.core.split()
    found = layers.claims(given, preset(name).configure(axes), [f"{fault.file} contract"])
    assert not found[f"{fault.file} contract"]().holds


def in_contract() -> list[Fault]:
    """The faults of the mode layer that a mode with a contract shows."""
    modes = layers.covered(Sources(sources.files(), formal_root()))
    of_modes = [
        replace(fault, core=fault.core or SHOWS.get(fault.file, ""))
        for fault in FAULTS
        if fault.file in MODE_FILES
    ]
    beside = [
        replace(fault, core=SIV.replace("gcm-siv", "gcm,gcm-siv"))
        if fault.name == BESIDE_GCM
        else fault
        for fault in of_modes
    ]
    return [fault for fault in beside if modes_of(fault) and modes_of(fault) <= modes]


@pytest.mark.parametrize(
    "fault",
    [
        pytest.param(fault, id=str(fault), marks=() if str(fault) in QUICK else slow)
        for fault in in_contract()
    ],
)
def test_a_fault_of_a_mode_is_not_proven(
    fault: Fault, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if fault.file in ("aes_kw", "aes_gcm_siv", "aes_packet_key"):
        # Some need more cycles to show than a search reaches, and are not decided.
        limit(monkeypatch, 30)
    given = attacked(tmp_path, fault.file, fault.old, fault.new)
    name, *axes = fault.core.split()
    claims = layers.claims(given, preset(name).configure(axes), ["aes_mode"])
    assert not all(claims[f"aes_mode {what}"]().holds for what in ("clear", "contract", "timing"))
