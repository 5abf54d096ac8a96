"""What a core costs, against what the papers say of theirs."""

import pytest

from aesforge.config import preset
from aesforge.flows.synth import synth
from aesforge.store import measured
from aesforge.targets import target

# Slices of four look-up tables (Kakarlapudi & Alabur, table I). The paper's area is the same for
# all key sizes, so the key schedule and its memory cannot be in it; they are counted apart.
PAPER_SLICES = {"encrypt": 264, "both": 633}


@pytest.mark.parametrize("direction", list(PAPER_SLICES))
def test_rounds_and_control_are_no_larger_than_the_papers(direction: str) -> None:
    core = preset("kakarlapudi-sbox")
    row = synth(core, core.configure(["keys=128", f"direction={direction}"]), target("xc5v"))
    assert row["parts"]["rounds_and_control"]["lut"] <= 4 * PAPER_SLICES[direction]
    assert row["bram"] == 0
    # The round keys lie in LUT RAM.
    assert row["parts"]["key_store"]["lutram"] > 0
    assert row["parts"]["rounds_and_control"]["lutram"] == 0


def test_rows_of_the_table_name_what_they_come_from() -> None:
    for row in measured():
        assert row["versions"]["pyosys"]
        assert row["device"]
        assert (row["fmax_mhz"] is None) == (row["fmax_by_seed"] is None)
