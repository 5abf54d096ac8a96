"""Each check of what appears late or seldom fails on a core that is wrong in just that."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from suite import slow

from aesforge.errors import UserError
from aesforge.flows.verify import verify
from aesforge.sim.endurance import CHECKS, SOAK
from aesforge.space.presets import preset

ROOT = Path(__file__).resolve().parents[1]
CORE = Path("rtl/cipher/aes_cipher.sv")
ALIKE = ("random_stalls_and_keys", "clears_in_flight", "resets_in_flight", "promised_clocks")
"""The checks that none of these cores fails."""

# Each attack inverts a bit of every result once `wrong_q` is set.
LATE = """
  logic [11:0] count_q;
  logic wrong_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) wrong_q <= 1'b0;
    else if ({event}) wrong_q <= 1'b1;
    if ({restart}) count_q <= '0;
    else if ({counted}) count_q <= count_q + 12'd1;
  end
"""
ATTACKS = {
    "long_stalls": LATE.format(
        counted="1'b1", restart="!rst_ni || !out_valid_o || out_ready_i", event="count_q == 12'd900"
    ),
    "one_key": LATE.format(
        counted="out_valid_o && out_ready_i",
        restart="!rst_ni || (key_valid_i && key_ready_o)",
        event="count_q == 12'd1500",
    ),
    "idle_inputs": LATE.format(
        counted="key_valid_i && key_ready_o",
        restart="!rst_ni || in_valid_i",
        event="count_q == 12'd5",
    ),
    # Never reset: what it is at power-up stays, and one start in sixteen is wrong.
    "power_up": """
  logic [3:0] state_q;
  logic wrong_q;
  always_ff @(posedge clk_i) state_q <= state_q;
  assign wrong_q = state_q == 4'd5;
""",
    # A reset four cycles after a clear is the last to come, and spoils the core.
    "resets_in_clears": """
  logic [3:0] after_q;
  logic wrong_q;
  always_ff @(posedge clk_i) begin
    after_q <= rst_ni ? {after_q[2:0], key_clear_i} : '0;
    if (!rst_ni) wrong_q <= after_q[3];
  end
""",
}


def attacked(text: str, folder: Path) -> Path:
    """A copy of the sources with an attack in `aes_cipher`."""
    for part in ("src", "rtl"):
        shutil.copytree(ROOT / part, folder / part)
    path = folder / CORE
    sound = path.read_text(encoding="utf-8")
    gate = "core_data & {BlockBits{out_valid_o}}"
    data = "  logic [BlockBits-1:0] core_data;\n"
    assert sound.count(gate) == sound.count(data) == 1
    broken = sound.replace(gate, "(core_data ^ {127'h0, wrong_q}) & {BlockBits{out_valid_o}}")
    path.write_text(broken.replace(data, data + text), encoding="utf-8")
    return folder


def verified(folder: Path, *words: str) -> dict[str, bool]:
    """What each check says of `aesforge-nano` in the sources of a folder."""
    done = subprocess.run(
        [
            *(sys.executable, "-m", "aesforge.cli.main", "verify", "aesforge-nano"),
            *("--blocks", "2000", "--json", *words),
        ],
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(folder / "src")},
    )
    assert done.returncode in (0, 1), done.stderr.decode()
    return {check["name"]: check["holds"] for check in json.loads(done.stdout)["checks"]}


def _each() -> list[Any]:
    """One attack every day."""
    everyday = "long_stalls"
    return [pytest.param(name, marks=() if name == everyday else slow) for name in CHECKS]


@pytest.mark.parametrize("name", _each())
def test_a_check_fails_on_a_core_that_no_other_check_finds_wrong(name: str, tmp_path: Path) -> None:
    asked = [word for check in (name, *ALIKE) for word in ("--check", check)]
    found = verified(attacked(ATTACKS[name], tmp_path), *asked)
    assert found == {name: False, **dict.fromkeys(ALIKE, True)}


@slow
def test_a_reset_in_one_cycle_of_a_block_is_tried(tmp_path: Path) -> None:
    late = LATE.format(counted="1'b1", restart="in_valid_i && in_ready_o", event="1'b0").replace(
        "wrong_q <= 1'b0", "wrong_q <= count_q == 12'd137"
    )
    assert verified(attacked(late, tmp_path), "--check", "resets_in_flight") == {
        "resets_in_flight": False
    }


def test_a_soak_runs_for_the_cycles_asked_for() -> None:
    core = preset("aesforge-nano")
    found = verify(core, core.config, only=(SOAK,), cycles=20_000)
    assert found["holds"]
    (check,) = found["checks"]
    assert int(check["detail"].split()[0].replace(",", "")) >= 20_000
    with pytest.raises(UserError, match="needs --cycles"):
        verify(core, core.config, only=(SOAK,))
