"""What is stacked on a core: text of the top module, and proofs that can fail."""

from pathlib import Path

import pytest
from suite import slow

from aesforge.core import sources, stack
from aesforge.proof import layers
from aesforge.proof.claims import Sources, formal_root
from aesforge.proof.faults import FAULTS, Fault
from aesforge.space.axes import LAYERS, Config
from aesforge.space.presets import preset
from aesforge.tools.aiger import Aiger

CORE = preset("kakarlapudi-sbox")
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
    assert layers.after_reset(machine) == ["kept"]


def verdict(tmp_path: Path, fault: Fault | None, config: Config) -> layers.Claim:
    """The claim on the word port, with a fault in it if any."""
    rtl = list(sources.files())
    if fault is not None:
        (at,) = [number for number, path in enumerate(rtl) if path.stem == fault.file]
        text = rtl[at].read_text(encoding="utf-8")
        assert text.count(fault.old) == 1
        rtl[at] = tmp_path / rtl[at].name
        rtl[at].write_text(text.replace(fault.old, fault.new), encoding="utf-8")
    (claim,) = layers.claims(Sources(tuple(rtl), formal_root()), config).values()
    return claim()


@pytest.mark.parametrize(
    "fault",
    [pytest.param(fault, marks=() if at == 3 else slow) for at, fault in enumerate(PORTS)],
    ids=str,
)
def test_a_fault_of_the_word_port_is_not_proven(fault: Fault, tmp_path: Path) -> None:
    found = verdict(tmp_path, fault, words())
    assert not found.holds
    assert "differs from the model" in found.counterexample["rule"]


@slow
@pytest.mark.parametrize("keys", ["any", "128", "192", "256"])
def test_the_word_port_is_proven_around_any_core(keys: str, tmp_path: Path) -> None:
    assert verdict(tmp_path, None, words(f"keys={keys}")).holds
