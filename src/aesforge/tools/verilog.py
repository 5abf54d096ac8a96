"""SystemVerilog as Verilog-2005, for tools that read no newer language: Yosys reads and writes it.

Names of modules, ports, registers and nets stay; expressions, parameters and generate loops are
elaborated. Modules that elaborate to the same text are one.
"""

import re
import tempfile
from collections.abc import Iterable
from pathlib import Path

from aesforge.tools import yosys

_KEPT = ("keep_hierarchy", "ram_style", "rom_style", "ramstyle", "romstyle")
"""Attributes that synthesis needs; others name places in the sources."""

_MODULE = re.compile(r"^(?:\(\*[^\n]*\*\)\n)*module (\\\S+ |\w+).*?^endmodule\n", re.M | re.S)
_INSTANCE = re.compile(r"^  (\\[^\s$]+\$\S+ )", re.M)


def _attributes(text: str) -> str:
    """RTLIL without the attributes that only name places."""
    kept = "|".join(_KEPT)
    return re.sub(rf"^ *attribute \\(?!(?:{kept})\b)[^\n]*\n", "", text, flags=re.M)


def _merged(modules: dict[str, str]) -> dict[str, str]:
    """Modules by name; of those with equal text one is left, and all instances are of it."""
    first: dict[str, str] = {}
    names = {
        name: first.setdefault(text.replace(name, "", 1), name) for name, text in modules.items()
    }
    kept = {
        name: _INSTANCE.sub(lambda found: f"  {names.get(found[1], found[1])}", text)
        for name, text in modules.items()
        if names[name] == name
    }
    # Modules that differed only in the names of their parts are equal now.
    return kept if len(kept) == len(modules) else _merged(kept)


def _named(modules: dict[str, str]) -> str:
    """The text of modules, which are called NAME or NAME_2 instead of slang's `NAME$PLACE`."""
    counts: dict[str, int] = {}
    plain = {}
    for name in modules:
        stem = name.removeprefix("\\").split("$")[0].rstrip()
        counts[stem] = counts.get(stem, 0) + 1
        plain[name] = stem if counts[stem] == 1 else f"{stem}_{counts[stem]}"
    text = "\n".join(modules.values())
    return re.sub(r"\\[^\s$]+\$\S+ ", lambda found: plain.get(found[0], found[0]), text)


def verilog(sources: Iterable[str], top: str) -> str:
    """The modules below `top`, and `top`, as Verilog-2005. `sources` are texts of SystemVerilog."""
    with tempfile.TemporaryDirectory(prefix="aesforge-") as scratch:
        folder = Path(scratch)
        files = []
        for number, source in enumerate(sources):
            files.append(folder / f"{number}.sv")
            files[-1].write_text(source, encoding="utf-8")
        script: yosys.Script = [
            yosys.read(files, top, hierarchy=True),
            "opt_clean",
            _attributes,
            "write_verilog -simple-lhs out.v",
        ]
        yosys.run(script, folder)
        made = (folder / "out.v").read_text(encoding="utf-8")
    return _named(_merged({found[1]: found[0] for found in _MODULE.finditer(made)}))
