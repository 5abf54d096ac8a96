"""The explorer on small machines whose answers are known, written as AIGER files by these tests.

The machine is a core with the ports of the contract. Its cipher adds the key to the block.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from suite import slow

from aesforge.flows.prove import prove
from aesforge.proof import explore
from aesforge.space.presets import preset

ONE, ZERO = 1, 0
Word = list[int]


@dataclass
class Machine:
    """An and-inverter graph that grows: inputs and registers first, then gates."""

    inputs: list[str] = field(default_factory=list)
    registers: list[str] = field(default_factory=list)
    next: dict[int, int] = field(default_factory=dict)
    outputs: dict[str, int] = field(default_factory=dict)
    gates: list[tuple[int, int]] = field(default_factory=list)

    def word(self, kind: list[str], name: str, width: int) -> Word:
        """Literals of an input or register with a bit each; all before the first gate."""
        assert not self.gates
        first = 1 + len(self.inputs) + len(self.registers)
        kind += [f"{name}[{bit}]" for bit in range(width)] if width > 1 else [name]
        return [2 * (first + bit) for bit in range(width)]

    def both(self, *literals: int) -> int:
        """The conjunction."""
        found = literals[0]
        for literal in literals[1:]:
            self.gates.append((max(found, literal), min(found, literal)))
            found = 2 * (len(self.inputs) + len(self.registers) + len(self.gates))
        return found

    def any(self, *literals: int) -> int:
        return self.both(*(literal ^ 1 for literal in literals)) ^ 1

    def sum(self, a: int, b: int) -> int:
        return self.any(self.both(a, b ^ 1), self.both(a ^ 1, b))

    def choose(self, select: int, a: int, b: int) -> int:
        return self.any(self.both(select, a), self.both(select ^ 1, b))

    def write(self, path: Path) -> Path:
        """A binary AIGER file; registers have the names of their bits."""
        sizes = (len(self.inputs), len(self.registers), len(self.outputs), len(self.gates))
        last = sizes[0] + sizes[1] + sizes[3]
        lines = [" ".join(map(str, ("aig", last, *sizes)))]
        first = 1 + len(self.inputs)
        lines += [str(self.next[2 * (first + number)]) for number in range(len(self.registers))]
        lines += [str(literal) for literal in self.outputs.values()]
        data = bytearray("\n".join([*lines, ""]).encode())
        for number, (a, b) in enumerate(self.gates, 1 + sizes[0] + sizes[1]):
            for delta in (2 * number - a, a - b):
                while delta > 127:
                    data.append(delta & 127 | 128)
                    delta >>= 7
                data.append(delta)
        for kind, names in (("i", self.inputs), ("l", self.registers), ("o", self.outputs)):
            data += b"".join(f"{kind}{at} {name}\n".encode() for at, name in enumerate(names))
        path.write_bytes(bytes(data))
        return path


def specification(path: Path) -> Path:
    """Block + the first 128 bits of the key."""
    machine = Machine()
    key = machine.word(machine.inputs, "key", 256)
    block = machine.word(machine.inputs, "block", 128)
    for bit in range(128):
        machine.outputs[f"o[{bit}]"] = machine.sum(block[bit], key[128 + bit])
    return machine.write(path)


COUNT = 3
"""Bits of the counter of a core: a block takes 2 ** COUNT cycles."""


def core(path: Path, fault: str = "") -> Path:
    """A core of one block at a time: it stores the sum of block and key, then counts."""
    m = Machine()
    reset_n, key_valid, in_valid, out_ready, clear = (
        m.word(m.inputs, name, 1)[0]
        for name in ("rst_ni", "key_valid_i", "in_valid_i", "out_ready_i", "key_clear_i")
    )
    key_in, data_in = m.word(m.inputs, "key_i", 256), m.word(m.inputs, "in_data_i", 128)
    has_key, full, clearing = (
        m.word(m.registers, name, 1)[0] for name in ("has_key_q", "full_q", "clearing_q")
    )
    count = m.word(m.registers, "count_q", COUNT)
    key, block = m.word(m.registers, "key_q", 128), m.word(m.registers, "block_q", 128)
    (constant,) = m.word(m.registers, "constant_q", 1)
    live = m.both(reset_n, clear ^ 1, clearing ^ 1)
    m.next[clearing] = m.any(reset_n ^ 1, clear)

    done = m.both(full, *count)
    key_ready = m.both(full ^ 1, live)
    in_ready = m.both(*([] if fault == "no key" else [has_key]), full ^ 1, live)
    if fault == "starves":  # blocks have priority
        key_ready = m.both(key_ready, m.both(in_valid, has_key) ^ 1)
    else:
        in_ready = m.both(in_ready, key_valid ^ 1)
    if fault == "leaks":
        in_ready = m.both(in_ready, block[0])
    key_taken, in_taken = m.both(key_valid, key_ready), m.both(in_valid, in_ready)
    stays = m.both(full, m.both(done, out_ready) ^ 1, *([done ^ 1] if fault == "drops" else []))
    m.next[full] = m.both(live, m.any(in_taken, stays))
    m.next[has_key] = m.both(clear ^ 1, m.any(has_key, key_taken))
    if fault != "no reset":
        m.next[has_key] = m.both(m.next[has_key], reset_n)
    m.next[constant] = ZERO
    carry = m.both(full, done ^ 1)
    for bit in count:
        m.next[bit] = m.both(m.sum(bit, carry), live, in_taken ^ 1, m.both(done, out_ready) ^ 1)
        carry = m.both(bit, carry)
    for at in range(128):
        m.next[key[at]] = m.choose(key_taken, key_in[128 + at], key[at])
        if fault != "keeps the key":
            m.next[key[at]] = m.both(m.next[key[at]], live)
        added = m.sum(data_in[at], key[at])
        if fault == "wrong" and at == 5:
            added = m.both(added, m.both(data_in[6], data_in[7]) ^ 1)
        if fault == "old block" and at == 5:
            added = m.sum(added, block[at])
        m.next[block[at]] = m.both(m.choose(in_taken, added, block[at]), live)
    m.outputs |= {"key_ready_o": key_ready, "in_ready_o": in_ready, "out_valid_o": done}
    m.outputs |= {f"out_data_o[{at}]": block[at] for at in range(128)}
    return m.write(path)


JOB = {
    "lens": "xx",
    "kinds": "xxx",
    "watched": "128 0 0",
    "promise": f"{2**COUNT} 0 0",
    "places": "0 1",
    "limit": "100000 1000",
}

Walk = Callable[..., dict[str, Any]]


@pytest.fixture
def walked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Walk:
    """Walks a core with this fault."""

    def walk(fault: str = "", **job: str) -> dict[str, Any]:
        spec = specification(tmp_path / "spec.aig")
        text = "\n".join(f"{word} {value}" for word, value in {**JOB, **job}.items())
        return explore.explore(core(tmp_path / "core.aig", fault), spec, text, tmp_path)

    return walk


def test_a_sound_core_is_walked_to_the_end(walked: Walk) -> None:
    report = walked()
    assert (report["status"], report["rule"]) == ("complete", "")
    assert report["same"] == [True]
    # has_key_q, full_q, clearing_q, count_q and constant_q; key_q and block_q.
    assert report["control_registers"] == 3 + COUNT + 1
    assert report["data_registers"] == 256
    # Power-up, a clear, and else: which key is in use, which is on offer, where the block is. The
    # count is a function of where the block is.
    assert 2 + 2**COUNT < report["states"] < 200


def test_what_was_learned_changes_no_verdict(walked: Walk, tmp_path: Path) -> None:
    first = walked()
    assert (tmp_path / "learned").read_text(encoding="utf-8").startswith("registers ")
    assert walked() == first


def test_a_walk_that_reaches_its_limit_is_not_complete(walked: Walk) -> None:
    assert walked(limit="10 10")["status"] == "bounded"


@pytest.mark.parametrize(
    ("fault", "rule"),
    [
        ("drops", "out_valid_o falls before the result is taken"),
        ("leaks", "a key or data input reaches key_ready_o"),
        ("no key", "in_ready_o is high before a clear is done"),
        ("no reset", "in_ready_o depends on a register that reset leaves unknown"),
        ("starves", "a key waits for ever"),
        ("keeps the key", "not cleared: key_q[0]"),
        ("wrong", "the result is not the standard's"),
        ("old block", "the result depends on another key or block, or on a register's past"),
    ],
)
def test_a_fault_breaks_its_rule(walked: Walk, fault: str, rule: str) -> None:
    report = walked(fault)
    assert (report["status"], report["rule"]) == ("failed", rule)
    assert report["trace"] or fault == "leaks"


@pytest.mark.parametrize(
    ("promise", "rule"),
    [
        (f"{2**COUNT + 1} 0 0", "the result comes too early"),
        (f"{2**COUNT - 1} 0 0", "the result is late, or does not come"),
        (f"{2**COUNT} 1 0", "the key is ready too early"),
        # A key on offer comes first, so that an empty core with a key is not always ready.
        (f"{2**COUNT} 0 1", "in_ready_o is low though the core is empty and has a key"),
    ],
)
def test_another_promise_is_not_kept(walked: Walk, promise: str, rule: str) -> None:
    report = walked(promise=promise)
    assert (report["status"], report["rule"]) == ("failed", rule)


def test_the_shortest_failing_run_is_reported(walked: Walk) -> None:
    # A reset and the clear after it, a key, a block, its cycles, and the one in which valid is low.
    trace = walked("drops")["trace"]
    assert len(trace) == 4 + 2**COUNT + 1
    assert trace[0]["reset"] == 1
    assert [step["in"] for step in trace].count(0) == len(trace) - 1


@slow
def test_data_without_end_are_not_followed() -> None:
    """A register that the walk gives up first lets the key schedule of this core go on for ever."""
    config = preset("aesforge-interleaved").configure(["stages=4", "sbox_registers=2"])
    assert prove("a core", config, only=["cipher"])["holds"]
