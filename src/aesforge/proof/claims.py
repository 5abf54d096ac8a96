"""What a proof says, and what it is made from: the RTL and the harnesses of `formal/`."""

import re
import shutil
from dataclasses import asdict, dataclass, field
from functools import cache as memo
from pathlib import Path
from typing import Any

from aesforge import cache
from aesforge.core.contract import CIPHER, delete_unused_ports
from aesforge.core.sources import closure, digest, files, rtl_root, used
from aesforge.errors import UserError
from aesforge.proof import explore
from aesforge.space.axes import Config
from aesforge.tools import aiger, yosys


@dataclass
class Claim:
    """What was proven. `covers` says for what; a counterexample has values in hex."""

    name: str
    holds: bool
    seconds: float
    covers: str
    counterexample: dict[str, Any] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """For JSON; without an empty counterexample."""
        return {name: value for name, value in asdict(self).items() if value != {}}


@dataclass(frozen=True)
class Sources:
    """What is proven: the RTL files in order, and the harnesses. Mutants replace some."""

    rtl: tuple[Path, ...]
    formal: Path

    def closure(self, top: str) -> tuple[Path, ...]:
        """The files that module `top` needs, replacements in their places."""
        wanted = {path.name for path in closure(top)}
        return tuple(path for path in self.rtl if path.name in wanted)

    def sboxes(self) -> tuple[Path, ...]:
        """The S-boxes, found by their names."""
        return tuple(path for path in self.rtl if path.stem.startswith("aes_sbox_"))

    def specification(self) -> tuple[Path, ...]:
        """The cipher of the standard, and the tables that stand for parts."""
        return (self.formal / "aes_spec.sv", *sorted(self.formal.glob("*_table.sv")))

    def table(self, part: Path) -> Path | None:
        """The table that stands for a part in the proofs of the cipher, if it has one."""
        path = self.formal / f"{part.stem}_table.sv"
        if part.stem.startswith("aes_sbox"):  # one for all, and none for their chooser
            return self.formal / "aes_sbox_table.sv" if part in self.sboxes() else None
        return path if path.is_file() else None


@memo
def formal_root() -> Path:
    """The folder of the specification and the harnesses, beside the RTL."""
    root = rtl_root().with_name("formal")
    if not (root / "aes_spec.sv").is_file():
        raise UserError(f"the proof harnesses are missing beside {rtl_root()}")
    return root


def sources() -> Sources:
    """The sources as they come."""
    return Sources(files(), formal_root())


def versions() -> dict[str, str]:
    """Of the tools that the proofs rest on; the explorer's is a digest of its text."""
    explorer = digest(*explore.sources(), Path(__file__).with_name("walk.py"))
    return {"explorer": explorer[:7], "pyosys": yosys.version()}


TO_GATES = (
    *("proc", "flatten", "opt", "wreduce", "peepopt", "opt", "memory_map", "opt", "simplemap"),
    *("techmap", "opt"),
)
# No initial values are assumed, and what is undefined stays free.
TO_AIGER = (
    *(*TO_GATES, "async2sync", "dffunmap", "setundef -undriven -anyseq", "opt_clean"),
    *("aigmap", "opt_clean"),
)


def read_core(
    given: Sources, config: Config, work: Path, hierarchy: bool = False
) -> tuple[list[str], list[str]]:
    """The passes that elaborate the core, tables of the standard in place of some parts; which.

    Each is proven equal to its part by a leaf claim. The replacements go to `work`. A core that
    takes the last round key with the key is elaborated inside an environment that expands the key.
    """
    used, tables = [*given.specification(), *environment(given, config)], []
    for path in given.closure(CIPHER.module):
        table = given.table(path)
        if table is None:
            used.append(path)
        else:
            twin = work / path.name
            text = table.read_text(encoding="utf-8").replace(table.stem, path.stem)
            twin.write_text(text, encoding="utf-8")
            used.append(twin)
            tables.append(path.stem)
    top = [path.stem for path in environment(given, config)] or [CIPHER.module]
    passes = [yosys.read(used, top[0], config.parameters, hierarchy)]
    if top[0] != CIPHER.module:
        passes.append(f"rename {top[0]} {CIPHER.module}")
    return passes, tables


def environment(given: Sources, config: Config) -> list[Path]:
    """The module around the core that drives its ports as the proofs take for granted, if any."""
    stem = f"{CIPHER.module}_{config.key_schedule}"
    return [given.formal / f"{stem}.sv"] if config.key_schedule == "given" else []


def _parts(given: Sources, config: Config) -> list[Path]:
    """The files that the core is made of in the proofs."""
    kept = [path for path in given.closure(CIPHER.module) if given.table(path) is None]
    return [*given.specification(), *environment(given, config), *kept]


def _elaborated(given: Sources, config: Config) -> Path:
    """The core as RTLIL: its modules apart, equal ones once."""

    def make(work: Path) -> None:
        read, tables = read_core(given, config, work, hierarchy=True)
        apart = " ".join(f"{name}$*" for name in tables)
        yosys.run(
            [
                *(*read, *delete_unused_ports(config), "setattr -unset src */*"),
                "setattr -mod -unset src *",
                # Only tables stay modules here; their insides do not change once they are mapped.
                "setattr -mod -unset keep_hierarchy *",
                f"setattr -mod -set keep_hierarchy 1 {apart}",
                "write_rtlil core.il",
            ],
            work,
        )
        text = yosys.share((work / "core.il").read_text(encoding="utf-8"))
        (work / "core.il").write_text(text, encoding="utf-8")

    key = digest(config.parameters, *_parts(given, config), yosys.version())
    return cache.folder("proof-text", key, make) / "core.il"


def modules(given: Sources, config: Config) -> tuple[str, ...]:
    """The sources that the core consists of, by name."""
    text = _elaborated(given, config).read_text(encoding="utf-8")
    return used(re.findall(r"^module \\(\w+)", text, re.M))


def _mapped(given: Sources, config: Config) -> Path:
    """The core as an AIGER file, mapped once for each text that it is elaborated to."""
    elaborated = _elaborated(given, config)

    def make(work: Path) -> None:
        passes = [
            *(f"read_rtlil {elaborated}", f"hierarchy -top {CIPHER.module}", *TO_AIGER),
            *("setattr -mod -unset keep_hierarchy *", "flatten -noscopeinfo"),
            "write_aiger -symbols core.aig",
        ]
        yosys.run(passes, work)

    key = digest(elaborated, *TO_AIGER, yosys.version())
    return cache.folder("proof-core", key, make) / "core.aig"


def netlist(given: Sources, config: Config) -> str:
    """A digest of the core's netlist; names of registers and the order of nodes do not count."""
    mapped = _mapped(given, config)
    name = digest(mapped)
    return str(cache.value("proof-structure", name, lambda: aiger.structure(aiger.read(mapped))))


def core(given: Sources, config: Config) -> Path:
    """The core as an AIGER file: the first file that was made of this netlist.

    A change of names or of the order of nodes does not change the file.
    """
    mapped = _mapped(given, config)

    def make(work: Path) -> None:
        shutil.copy(mapped, work)

    return cache.folder("proof-first", netlist(given, config), make) / mapped.name
