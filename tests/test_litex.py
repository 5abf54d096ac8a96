"""A core in a SoC of LiteX (examples/litex)."""

import sys
from pathlib import Path

import needs
import pytest

pytest.importorskip("litex", reason="needs the package litex")

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "examples" / "litex"))

import litex_aes  # noqa: E402


@pytest.mark.slow
def test_a_soc_with_a_core_elaborates(tmp_path: Path) -> None:
    sources = litex_aes.write(litex_aes.SoC(litex_aes.core(tmp_path, litex_aes.CORE)), tmp_path)
    litex_aes.lint(sources, tmp_path)
    assert f"AES_BASE {litex_aes.BASE:#x}" in (tmp_path / "mem.h").read_text(encoding="utf-8")


@pytest.mark.slow
def test_its_program_gets_the_results_of_openssl_in_the_simulator(tmp_path: Path) -> None:
    needs.riscv_gcc()
    for header in ("json-c/json.h", "event2/event.h", "zlib.h"):
        needs.header(header)
    printed = litex_aes.run(tmp_path)
    assert [f"{mode} PASS" in printed for mode in ("ctr", "gcm")] == [True, True], printed
    assert "FAIL" not in printed
