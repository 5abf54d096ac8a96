"""Equality of combinational netlists by ABC's SAT sweeping."""

from pathlib import Path

from aesforge.tools import aiger, yosys
from aesforge.tools.aiger import Aiger

_SWEEP = "&st; &fraig -y"


def equal(one: Aiger, other: Aiger, folder: Path) -> bool:
    """Whether ABC shows that two netlists have equal outputs for all inputs; False says nothing.

    It merges what it finds equal in a netlist of both, whose outputs say where they differ, and
    writes what is left to `folder`. The verdict is read from that: each output is the constant 0.
    The verdict of `&cec -y` is not of its outputs, and it is slower.
    """
    aiger.write(one, folder / "one.aig")
    aiger.write(other, folder / "other.aig")
    miter = "&read one.aig; &miter other.aig"
    yosys.abc(f"{miter}; {_SWEEP}; &put; write_aiger left.aig", folder)
    left = aiger.read(folder / "left.aig")
    return len(left.outputs) == len(one.outputs) and not any(left.outputs)
