"""Claims, and the netlist that they are about: the RTL, with tables in place of some parts."""

import re
import shutil
import time
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from functools import cache as memo
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from aesforge import cache
from aesforge.core.contract import CIPHER, delete_unused_ports
from aesforge.core.sources import closure, digest, files, is_sbox, rtl_root, used
from aesforge.errors import UserError
from aesforge.proof import explore
from aesforge.space.axes import Config
from aesforge.tools import aiger, yosys


@dataclass
class Claim:
    """A statement and whether it holds. `covers`: for which values; counterexamples are in hex."""

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
    """The RTL files in order, and the folder of the harnesses. Mutants replace some files."""

    rtl: tuple[Path, ...]
    formal: Path

    def closure(self, top: str) -> tuple[Path, ...]:
        """The files that module `top` needs, replacements in their places."""
        wanted = {path.name for path in closure(top)}
        return tuple(path for path in self.rtl if path.name in wanted)

    def sboxes(self) -> tuple[Path, ...]:
        """The S-boxes, found by their names."""
        return tuple(path for path in self.rtl if is_sbox(path.stem))

    def specification(self) -> tuple[Path, ...]:
        """The cipher of the standard, and the tables that stand for parts."""
        return (self.formal / "aes_spec.sv", *sorted(self.formal.glob("*_table.sv")))

    def table(self, part: Path) -> Path | None:
        """The table that replaces a part without registers in the proofs of the cipher, if any."""
        path = self.formal / f"{part.stem}_table.sv"
        if part.stem.startswith("aes_sbox"):  # one for all, and none for their chooser
            return self.formal / "aes_sbox_table.sv" if part in self.sboxes() else None
        return path if path.is_file() else None


@memo
def formal_root() -> Path:
    """The folder of the specification and the harnesses, next to that of the RTL."""
    root = rtl_root().with_name("formal")
    if not (root / "aes_spec.sv").is_file():
        raise UserError(f"the proof harnesses are missing next to {rtl_root()}")
    return root


def sources() -> Sources:
    """The unchanged sources."""
    return Sources(files(), formal_root())


@memo
def _explorer() -> tuple[str, str]:
    """Digests of the explorer: of what proofs trust, and of the explorer proper."""
    beside = (Path(__file__).with_name(f"{name}.py") for name in ("walk", "formulas"))
    return digest(*explore.sources(), *beside)[:7], digest(*explore.sources())[:7]


def versions() -> dict[str, str]:
    """The versions of the tools that proofs trust; the explorer's is a digest of its text."""
    return {"explorer": _explorer()[0], "pyosys": yosys.version()}


_SAME_WALK = {"1b05c10": ("a8b143f", "9e7b578", "eb27547", "15bf91c", "12434e9")}
"""By a digest of the explorer proper, the versions whose walks are complete by it too.

The first visits the same states, slower. The others compared results by ABC alone, by tables that
are no sums, and by tables of ten nodes at most, and went on where it stops because data come to no
end.
"""


def is_current(found: Mapping[str, str]) -> bool:
    """Whether a proof is of the present explorer, however it compared results."""
    now = versions()
    same = _SAME_WALK.get(_explorer()[1], ())
    return found == now or any(found == {**now, "explorer": version} for version in same)


REGISTER = "aes_proof_register"
"""The black box that takes the place of a flip-flop while Yosys optimizes."""

_FLAT = ("proc", "flatten", "memory_map", "opt_clean")

# Yosys assumes any convenient value of a register at power-up: it merges registers and replaces one
# that never changes by a constant. So each register is a black box until Yosys has optimized. No
# initial value is assumed, and each undefined value is an input that may change every cycle.
_WITHOUT_REGISTERS = (
    *(f"add -mod {REGISTER}", f"cd {REGISTER}"),
    *("add -input C 1", "add -input D 1", "add -output Q 1", "cd ..", "select -clear"),
    f"setattr -mod -set blackbox 1 {REGISTER}",
    *(*_FLAT, "setundef -undriven -anyseq", "dffunmap", "setattr -unset init w:*"),
    *("simplemap t:$dff", f"chtype -set {REGISTER} t:$_DFF_P_"),
    "select -assert-none t:$*ff* t:$*latch* t:$sr t:$mem* t:$_*DFF* t:$_*LATCH* t:$_SR_*",
)
TO_GATES = (
    *(*_WITHOUT_REGISTERS, "opt -noff", "wreduce", "peepopt", "opt -noff"),
    *("simplemap", "techmap", "opt -noff"),
)
TO_AIGER = (
    *(*TO_GATES, "setundef -undriven -anyseq", "opt_clean", "aigmap", "opt_clean"),
    *("setattr -mod -unset keep_hierarchy *", "flatten -noscopeinfo"),
    # AIGER has no clocks: whatever is not on the rising edge of `clk_i` ends here.
    f"select -assert-none t:{REGISTER} w:clk_i %co1:+{REGISTER}[C] %d",
    *(f"chtype -set $_DFF_P_ t:{REGISTER}", "opt_clean"),
)


def read_core(
    given: Sources, config: Config, work: Path, hierarchy: bool = False
) -> tuple[list[str], list[str]]:
    """The passes that elaborate the core with tables in place of some parts, and these parts.

    A claim on parts proves each table equal to its part. The replacements go to `work`. A core that
    takes round keys is elaborated inside an environment that expands the key.
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
    return [given.formal / f"{stem}.sv"] if config.key_schedule in ("given", "loaded") else []


def _parts(given: Sources, config: Config) -> list[Path]:
    """The files that the core consists of in the proofs."""
    kept = [path for path in given.closure(CIPHER.module) if given.table(path) is None]
    return [*given.specification(), *environment(given, config), *kept]


def _elaborated(given: Sources, config: Config) -> Path:
    """The core as RTLIL with its hierarchy; equal modules are stored once."""

    def make(work: Path) -> None:
        read, tables = read_core(given, config, work, hierarchy=True)
        apart = " ".join(f"{name}$*" for name in tables)
        yosys.run(
            [
                *(*read, *delete_unused_ports(config), "setattr -unset src */*"),
                "setattr -mod -unset src *",
                # Only tables stay modules here; their insides do not change once they are mapped.
                "setattr -mod -unset keep_hierarchy *",
                *([f"setattr -mod -set keep_hierarchy 1 {apart}"] if apart else []),
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


_EDGE_TRIGGERED = ("$dff", "$dffe", "$sdff", "$sdffe", "$sdffce")

_STATEFUL = {
    # slang makes an asynchronous load of an asynchronous reset.
    **dict.fromkeys(("$adff", "$adffe", "$aldff", "$aldffe"), "an asynchronous load or reset"),
    **dict.fromkeys(("$dffsr", "$dffsre"), "an asynchronous set or reset"),
    **dict.fromkeys(("$dlatch", "$adlatch", "$dlatchsr", "$sr"), "a latch"),
    **dict.fromkeys(("$mem", "$mem_v2", "$memrd", "$memwr"), "a memory without a clock"),
    **dict.fromkeys(("$memrd_v2", "$memwr_v2"), "a memory without a clock"),
    **dict.fromkeys(("$ff", "$anyinit"), "a register without a clock"),
    "$tribuf": "a tri-state driver",
}
"""What no claim covers, by type of cell."""

_CELL = re.compile(r"^\s*cell (\S+) (\S+)\n(.*?)^\s*end$", re.M | re.S)


def _refused_cells(dumped: str) -> list[str]:
    """Why the walk would not cover these cells, of a dump of all that may hold state."""
    found = []
    for kind, name, body in _CELL.findall(dumped):
        ports = dict(re.findall(r"^\s*connect \\(\w+) (.*)$", body, re.M))
        of = ports.get("Q", name).replace("\\", "")
        if kind not in _EDGE_TRIGGERED:
            found.append(f"{_STATEFUL.get(kind, f'a cell {kind}')}: {of}")
        elif re.search(r"^\s*parameter \\CLK_POLARITY (1'0|0)$", body, re.M):
            found.append(f"a register on the falling edge: {of}")
        elif ports["CLK"] != "\\clk_i":
            clock = ports["CLK"].replace("\\", "")
            found.append(f"a register on another clock than clk_i ({clock}): {of}")
    return found


def refused(given: Sources, config: Config) -> list[str]:
    """Why no claim would cover the netlist of a core; empty when all is well.

    Checked before any optimization: each register is on the rising edge of `clk_i` and has neither
    an asynchronous reset nor load; there is no latch, no combinational loop and no net with two
    drivers.
    """
    elaborated = _elaborated(given, config)

    def make() -> list[str]:
        with TemporaryDirectory() as folder:
            work = Path(folder)
            (work / "registers").touch()
            stateful = " ".join(f"t:{kind}" for kind in ("$*ff*", "$*latch*", "$sr", "$*mem*"))
            yosys.run(
                [
                    f"read_rtlil {elaborated}",
                    f"hierarchy -top {CIPHER.module}",
                    *("setattr -mod -unset keep_hierarchy *", *_FLAT),
                    "tee -q -o problems check",
                    f"tee -q -o registers dump {stateful} t:$tribuf t:$anyinit",
                ],
                work,
            )
            problems = (work / "problems").read_text(encoding="utf-8")
            found = []
            for wanted in ("logic loop", "multiple conflicting drivers"):
                found += [line for line in problems.splitlines() if wanted in line]
            found += _refused_cells((work / "registers").read_text(encoding="utf-8"))
            return [reason.removeprefix("Warning: ") for reason in found]

    return list(
        cache.value("proof-refused", digest(elaborated, Path(__file__), yosys.version()), make)
    )


NETLIST = "netlist: one clock, no latch, no loop"
"""The claim that all others rest on."""


def well_formed(given: Sources, config: Config) -> Claim:
    """The claim that the other claims cover all that the netlist consists of."""
    start = time.perf_counter()
    found = refused(given, config)
    covers = "every register is on the rising edge of clk_i; no latch, no combinational loop"
    rule = {"rule": "; ".join(found[:8])} if found else {}
    return Claim(NETLIST, not found, time.perf_counter() - start, covers, rule)


def _canonical(given: Sources, config: Config) -> str:
    """The elaborated core as RTLIL, with one name for the parts that a table has replaced.

    Cores that differ only in such a part, an S-box, are one text then, and are mapped once. Names
    of modules are in no name of a register.
    """
    text = _elaborated(given, config).read_text(encoding="utf-8")
    parts: dict[Path, set[str]] = {}
    for stem in set(re.findall(r"^module \\(\w+)\$", text, re.M)):
        table = given.table(next((path for path in given.rtl if path.stem == stem), Path(stem)))
        if table is not None:
            parts.setdefault(table, set()).add(stem)
    for table, stems in parts.items():
        if len(stems) == 1:  # two kinds in one core may be different modules of one number
            text = re.sub(rf"\\{stems.pop()}\$", rf"\\{table.stem}$", text)
    return text


def text(given: Sources, config: Config) -> str:
    """A digest of the text that a core is elaborated to, and of what maps it.

    Cores of one text are one netlist, so that a core of a known text need not be mapped.
    """
    return digest(_canonical(given, config), *TO_AIGER, yosys.version())


def whole(given: Sources, config: Config) -> Path:
    """The core as an AIGER file, mapped once for each text that it is elaborated to."""

    def make(work: Path) -> None:
        (work / "core.il").write_text(_canonical(given, config), encoding="utf-8")
        passes = [
            *("read_rtlil core.il", f"hierarchy -top {CIPHER.module}", *TO_AIGER),
            "write_aiger -symbols core.aig",
        ]
        yosys.run(passes, work)

    return cache.folder("proof-core", text(given, config), make) / "core.aig"


def _mapped(given: Sources, config: Config) -> Path:
    """The core as an AIGER file, before the gate of `idle_output=zero`."""
    return bare(whole(given, config), config)


def bare(path: Path, config: Config) -> Path:
    """The AIGER file of a whole core without the gate of `idle_output=zero`, if it has one.

    All claims on results are made of cycles in which `out_valid_o` is 1, where the gate changes
    nothing; so a core with and without it is one netlist. `idle` is the claim on the gate.
    """
    if config.idle_output == "register":
        return path

    def make(work: Path) -> None:
        aiger.write(aiger.ungated(aiger.read(path), "out_valid_o", "out_data_o"), work / path.name)

    key = digest(path, Path(aiger.__file__))
    return cache.folder("proof-ungated", key, make) / path.name


def netlist(given: Sources, config: Config) -> str:
    """A digest of the core's netlist; names of registers and the order of nodes do not count."""
    mapped = _mapped(given, config)
    name = digest(mapped)
    return str(cache.value("proof-structure", name, lambda: aiger.structure(aiger.read(mapped))))


def identity(
    given: Sources, config: Config, known: Iterable[Mapping[str, Any]] = ()
) -> dict[str, str]:
    """The `text` and the `netlist` of a core, by which a row knows it again.

    A core of the same text as one of the rows of `known` has its netlist, and is not mapped.
    """
    made = text(given, config)
    same = (row["netlist"] for row in known if row.get("text") == made)
    return {"text": made, "netlist": next(same, None) or netlist(given, config)}


def core(given: Sources, config: Config) -> Path:
    """The core as an AIGER file: the first file that was made of this netlist.

    A change of names or of the order of nodes does not change the file.
    """
    mapped = _mapped(given, config)

    def make(work: Path) -> None:
        shutil.copy(mapped, work)

    return cache.folder("proof-first", netlist(given, config), make) / mapped.name
