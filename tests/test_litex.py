"""A core in a SoC of LiteX (examples/litex)."""

import sys
from pathlib import Path

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
