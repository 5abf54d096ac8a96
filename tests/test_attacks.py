"""Wrong cores that a proof must not pass: attacks on what lies between the RTL and the walk.

Each is a sound core in a wrapper. The wrapper adds one thing that an AIGER file cannot express, or
that an optimizer could take for granted.
"""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from suite import slow

from aesforge.core import sources
from aesforge.flows import prove
from aesforge.proof import claims, mutants
from aesforge.proof.faults import FAULTS
from aesforge.space.axes import Config
from aesforge.space.presets import preset

CONFIG = preset("aesforge-nano").configure([])

CLOCKS = {
    "a register on the falling edge": (
        "logic odd_q; always_ff @(negedge clk_i) odd_q <= in_valid_i;",
        {"out_data_o": "out_data_o ^ {127'h0, odd_q & in_decrypt_i}"},
        "falling edge: odd_q",
    ),
    "a register on a clock gated by the state": (
        "logic gated; assign gated = clk_i & (out_data_o != 128'h5a5a);\n"
        "logic [127:0] late_q; always_ff @(posedge gated) late_q <= out_data_o;",
        {"out_data_o": "late_q"},
        "another clock than clk_i",
    ),
    "a core on a clock gated by data": (
        "logic gated; assign gated = clk_i & ~in_data_i[0];",
        {"clk_i": "gated"},
        "another clock than clk_i",
    ),
    "an asynchronous reset": (
        "logic seen_q; always_ff @(posedge clk_i or negedge rst_ni)\n"
        "if (!rst_ni) seen_q <= 1'b0; else seen_q <= seen_q | out_valid_o;",
        {"out_valid_o": "out_valid_o & (seen_q | ~in_decrypt_i)"},
        "an asynchronous load or reset: seen_q",
    ),
    "a latch": (
        "logic [127:0] held; always_latch if (out_valid_o) held = out_data_o;",
        {"out_data_o": "held"},
        "a latch: held",
    ),
    "a combinational loop": (
        "logic a, b; assign a = b & out_ready_i; assign b = a | out_valid_o;",
        {"out_valid_o": "b"},
        "logic loop",
    ),
    "two drivers of one net": (
        "wire both; assign both = out_valid_o; assign both = out_valid_o & ~in_valid_i;",
        {"out_valid_o": "both"},
        "multiple conflicting drivers",
    ),
}
"""What no claim covers: text, what is connected otherwise, and what the message must name."""

ODD = {"out_data_o": "out_data_o ^ {128{odd}}"}
POWER_UP = {
    "a register that is never assigned": "logic odd_q, odd;\n"
    "always_ff @(posedge clk_i) odd_q <= odd_q; assign odd = odd_q;",
    "a register that keeps its initial value": "logic odd_q = 1'b0; logic odd;\n"
    "always_ff @(posedge clk_i) odd_q <= odd_q; assign odd = odd_q;",
    "a register that only a clear of data clears": "logic odd_q, odd;\n"
    "always_ff @(posedge clk_i) odd_q <= odd_q & ~(rst_ni & key_clear_i); assign odd = odd_q;",
    "a register that is set once": "logic set_q, odd;\n"
    "always_ff @(posedge clk_i) if (key_clear_i) set_q <= 1'b1; assign odd = ~set_q;",
    "two registers that load the same, if at all": "logic a_q, b_q, odd;\n"
    "always_ff @(posedge clk_i) if (key_clear_i) begin a_q <= key_len_i[0]; b_q <= key_len_i[0];\n"
    "end assign odd = a_q ^ b_q;",
    "a shift register that stays 0 once it is": "logic [3:0] lfsr_q; logic odd;\n"
    "always_ff @(posedge clk_i) lfsr_q <= {lfsr_q[2:0], lfsr_q[3] ^ lfsr_q[2]};\n"
    "assign odd = lfsr_q == 4'h9;",
    "a memory with initial content": "logic [0:0] odd_q[2]; logic odd;\n"
    "initial begin odd_q[0] = 1'b0; odd_q[1] = 1'b0; end\n"
    "always_ff @(posedge clk_i) if (key_clear_i) odd_q[in_decrypt_i] <= 1'b0;\n"
    "assign odd = odd_q[in_decrypt_i];",
    "an undriven net": "logic odd;",
    "an undefined constant": "logic odd; assign odd = 1'bx & out_valid_o;",
}
"""Text that makes `odd`, which depends on what a register held at power-up or on nothing."""


def attacked(folder: Path, text: str, other: dict[str, str]) -> claims.Sources:
    """The sources, the core in a wrapper with `text`; `other` is connected in place of ports."""
    whole = claims.sources()
    (path,) = (path for path in whole.rtl if path.stem == "aes_cipher")
    sound = sources.text(path)
    match = re.search(r"^module aes_cipher #\((.*?)^\) \((.*?)^\);", sound, re.M | re.S)
    assert match
    parameters = re.findall(r"parameter \w+ (\w+)", match[1])
    ports = re.findall(r"^\s*(input|output)\s+logic\s*(\[\S+\])?\s*(\w+)", match[2], re.M)
    declared, driven, connected = [], [], []
    for direction, width, port in ports:
        inside = f"core_{port}"
        connected.append(f".{port}({inside if direction == 'output' else other.get(port, port)})")
        if direction == "output":
            declared.append(f"logic {width} {inside};")
            driven.append(f"assign {port} = {_of_core(other.get(port, port))};")
    passed = ", ".join(f".{name}({name})" for name in parameters)
    wrapper = folder / path.name
    wrapper.write_text(
        sound.replace("module aes_cipher ", "module aes_cipher_sound ")
        + match[0]
        + "\n".join(["", *declared, _of_core(text), *driven])
        + f"\naes_cipher_sound #({passed}) u_sound ({', '.join(connected)});\nendmodule\n",
        encoding="utf-8",
    )
    return replace(whole, rtl=tuple(wrapper if other == path else other for other in whole.rtl))


def _of_core(text: str) -> str:
    """What reads an output of the wrapper reads that of the sound core."""
    return re.sub(r"\b(key_ready_o|in_ready_o|out_valid_o|out_data_o)\b", r"core_\1", text)


def failing(given: claims.Sources, config: Config = CONFIG) -> dict[str, Any]:
    """The first claim that fails, of those on the core."""
    document = prove.prove("an attack", config, given=given, only=["cipher"])
    assert not document["holds"], document["claims"]
    return next(claim for claim in document["claims"] if not claim["holds"])


def test_the_wrapper_alone_breaks_nothing(tmp_path: Path) -> None:
    document = prove.prove("a core", CONFIG, given=attacked(tmp_path, "", {}), only=["cipher"])
    assert document["holds"], document
    assert document["claims"][0]["name"] == claims.NETLIST


@pytest.mark.parametrize("name", CLOCKS)
def test_a_netlist_that_the_walk_cannot_express_is_refused(name: str, tmp_path: Path) -> None:
    text, other, reason = CLOCKS[name]
    claim = failing(attacked(tmp_path, text, other))
    assert claim["name"] == claims.NETLIST
    assert reason in claim["counterexample"]["rule"]


EVERY_DAY = ("a register that is never assigned",)
"""The others take some seconds each."""


@pytest.mark.parametrize(
    "name", [name if name in EVERY_DAY else pytest.param(name, marks=slow) for name in POWER_UP]
)
def test_what_a_register_holds_at_power_up_is_free(name: str, tmp_path: Path) -> None:
    claim = failing(attacked(tmp_path, POWER_UP[name], ODD))
    assert "a register's past" in claim["counterexample"]["rule"]


@pytest.mark.parametrize(
    ("part", "core"),
    [
        pytest.param("aes_rom", ("bulens-bram", "keys=128", "direction=decrypt"), marks=slow),
        pytest.param("aes_sub_bytes_split", ("bulens-split",), marks=pytest.mark.full),
    ],
)
def test_a_clear_clears_the_registers_within_a_part(
    part: str, core: tuple[str, ...], tmp_path: Path
) -> None:
    (fault,) = (one for one in FAULTS if one.file == part and "clear" in one.name)
    given = mutants.faulty(fault, tmp_path)
    assert given is not None
    claim = failing(given, preset(core[0]).configure(list(core[1:])))
    assert "not cleared" in claim["counterexample"]["rule"]


def test_no_table_that_replaces_a_part_has_a_register() -> None:
    for path in claims.sources().specification():
        assert "always_ff" not in path.read_text(encoding="utf-8")
