"""Systematic faults: Yosys `mutate` changes one bit at one cell of a core's elaborated netlist.

A mutation is a Yosys pass. Without a selector it changes the netlist that is proven; with one, a
single simulation model has all mutations, and a number chooses the active one at the start of a
run. So `prove` and `verify` see the very same mutant. S-boxes and T-boxes without registers are the
tables of the proofs and are not changed: the claims on parts compare every entry.
"""

import random
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from aesforge import cache
from aesforge.core.contract import CIPHER, delete_unused_ports, specialized
from aesforge.core.sources import digest
from aesforge.proof.claims import TO_AIGER, environment, read_core, sources
from aesforge.sim import player
from aesforge.space.axes import Config
from aesforge.tools import verilator, yosys

_NARROW = 8
"""Bits from which a cell is more likely of the data path than of the control."""

_SELECTOR = "aes_mutant"
"""The module, and the wire in the core, that give the number of the active mutation."""

MOST = 255
"""Mutations of a simulation model: the selector has 8 bits."""

_PORTS = f"module {_SELECTOR}(output reg [7:0] number_o);\n"
_SELECT = f"""{_PORTS}
  initial if (!$value$plusargs("mutant=%d", number_o)) number_o = 0;
endmodule
"""

# So that few mutations change nothing. Registers stay: what they hold at power-up is free, and
# Yosys would assume a convenient value.
_REDUCE = (
    *("opt_expr", "opt_muxtree", "opt_clean"),
    *("wreduce t:$* t:$*ff* t:$*mem* %u %d", "opt_expr", "opt_muxtree", "opt_clean"),
)

# A changed clock is refused before any walk, and tests/test_attacks.py has clocks of every kind.
_NOT_CHANGED = r"-port \S*CLK\b"


@dataclass(frozen=True)
class Mutation:
    """One pass of Yosys, and the file and line of the RTL that the changed cell comes from."""

    command: str
    file: str
    line: str

    def __str__(self) -> str:
        words = self.command.split()
        given = dict(zip(words[1::2], words[2::2], strict=False))
        wire = given.get("-wire", given["-cell"]).rpartition(".u_core.")[2]
        bit = given.get("-wirebit", given["-portbit"])
        mode = given["-mode"]
        if mode.startswith("cnot"):
            mode += f" by bit {given['-ctrlbit']}"
        port = given["-port"].removeprefix("\\")
        return f"{self.file}:{self.line}: {mode}, bit {bit} of {wire} at {port}"

    def selected(self, number: int) -> str:
        """The pass for a netlist with a selector."""
        return self.command.replace("mutate ", f"mutate -ctrl {_SELECTOR} 8 {number} ", 1)


def _base(config: Config) -> Path:
    """The core before any fault: one module of words, and a module for each kind of table."""
    whole = sources()

    def make(work: Path) -> None:
        read, tables = read_core(whole, config, work, hierarchy=True)
        apart = " ".join(f"{name}$*" for name in tables)
        yosys.run(
            [
                *(*read, *delete_unused_ports(config), "setattr -mod -unset src *"),
                *("setattr -mod -unset keep_hierarchy *", "setattr -unset src t:aes_*", "proc"),
                f"setattr -mod -set keep_hierarchy 1 {apart}",
                *("flatten -noscopeinfo", *_REDUCE),
                # Places in the RTL are of use in the core alone, and tables are shared without.
                f"select * {CIPHER.module} %d",
                *("setattr -unset src", "select -clear", "write_rtlil base.il"),
            ],
            work,
        )
        text = yosys.share((work / "base.il").read_text(encoding="utf-8"))
        (work / "base.il").write_text(text, encoding="utf-8")

    key = digest(
        *(config.parameters, *whole.closure(CIPHER.module), *whole.specification()),
        *(*environment(whole, config), yosys.version(), Path(__file__), "base"),
    )
    return cache.folder("mutate-base", key, make) / "base.il"


def _mapped(config: Config) -> Path:
    """The same with the tables as gates, which takes most of the time of mapping a mutant."""
    base = _base(config)
    passes = [
        *(f"read_rtlil {base}", f"hierarchy -top {CIPHER.module}", f"select * {CIPHER.module} %d"),
        *("wreduce", "peepopt", "opt -noff", "simplemap", "techmap", "opt -noff", "aigmap"),
        *("opt_clean", "select -clear", "write_rtlil base.il"),
    ]

    def make(work: Path) -> None:
        yosys.run(passes, work)

    return cache.folder("mutate-tables", digest(base, *passes), make) / "base.il"


def sample(config: Config, count: int, seed: int) -> list[Mutation]:
    """`count` mutations of a core, spread evenly over lines, cells and wires; fewer if it is tiny.

    Half of them are of cells with a narrow output, which are control more often than data. The same
    seed gives the same mutations of the same netlist.
    """
    base = _base(config)
    asked = f"mutate -list {2 * count + 8} -seed {seed}"
    narrow = " ".join(f"{CIPHER.module}/r:{width}<{_NARROW}" for width in ("Y_WIDTH", "WIDTH"))
    passes = [
        *(f"read_rtlil {base}", f"{asked} -o all {CIPHER.module}/t:$*"),
        f"{asked} -o control {narrow}",
    ]

    def make(work: Path) -> None:
        yosys.run(passes, work)

    folder = cache.folder("mutate-list", digest(base, *passes, yosys.version()), make)
    control = listed(folder / "control", count - count // 2, seed)
    others = [one for one in listed(folder / "all", count, seed) if one not in control]
    return [*control, *others[: count - len(control)]]


def listed(path: Path, count: int, seed: int) -> list[Mutation]:
    """`count` mutations of the list that Yosys wrote, in random order, none of them of a clock."""
    lines = path.read_text(encoding="utf-8")
    found = []
    for line in lines.splitlines():
        if line.startswith("mutate") and not re.search(_NOT_CHANGED, line):
            # The place of an operator has an end. Those of registers and wires have none.
            places = re.findall(r"-src \S*?(\w+)\.sv:(\d+)\.\d+(-?)", line)
            file, at, _ = max(places, key=lambda place: place[2], default=(CIPHER.module, "0", ""))
            found.append(Mutation(line, file, at))
    random.Random(seed).shuffle(found)
    return found[:count]


def machine(config: Config, mutation: Mutation | None) -> Path:
    """The mutant as an AIGER file for the walk; the core itself without a mutation."""
    base = _mapped(config)
    changed = [mutation.command] if mutation else []
    passes = [
        *(f"read_rtlil {base}", f"hierarchy -top {CIPHER.module}", *changed),
        *(*TO_AIGER, "write_aiger -symbols core.aig"),
    ]

    def make(work: Path) -> None:
        yosys.run(passes, work)

    key = digest(base, *changed, *TO_AIGER, yosys.version())
    return cache.folder("mutate-aig", key, make) / "core.aig"


def model(config: Config, mutations: list[Mutation]) -> Path:
    """A simulation model with all mutations; `+mutant=N` chooses one, counted from 1, 0 none."""
    assert len(mutations) <= MOST
    base, contract = _base(config), specialized(CIPHER, config)
    passes = [change.selected(number) for number, change in enumerate(mutations, 1)]
    text = with_selector(base.read_text(encoding="utf-8"), [CIPHER.module])

    def make(work: Path) -> None:
        (work / "start.il").write_text(text, encoding="utf-8")
        write_selector(work)
        yosys.run(
            [
                *("read_verilog -lib ports.v", "read_rtlil start.il"),
                *(f"hierarchy -top {CIPHER.module}", *passes, "opt_clean"),
                "write_verilog -noattr mutants.v",
            ],
            work,
        )
        files = [work / "select.v", work / "mutants.v"]
        # Yosys writes correct Verilog of widths that Verilator warns of.
        player.compile_core(files, contract, {}, work, ["-Wno-fatal"])

    key = digest(
        base, *passes, _SELECT, yosys.version(), verilator.version(), *player.program(contract)
    )
    return cache.folder("mutate-models", key, make) / "model" / "player"


def write_selector(folder: Path) -> None:
    """Write the module that reads `+mutant=N`: `select.v`, and its ports for Yosys, `ports.v`."""
    (folder / "ports.v").write_text(f"{_PORTS}endmodule\n", encoding="utf-8")
    (folder / "select.v").write_text(_SELECT, encoding="utf-8")


def with_selector(text: str, modules: Iterable[str]) -> str:
    """RTLIL in which a selector drives a wire of its name in each of these modules."""
    cell = (
        f"  wire width 8 \\{_SELECTOR}\n  cell \\{_SELECTOR} \\u_mutant\n"
        f"    connect \\number_o \\{_SELECTOR}\n  end\n"
    )
    for module in modules:
        head = f"\nmodule \\{module}\n"
        assert text.count(head) == 1, module
        text = text.replace(head, head + cell)
    return text


def chosen(player_of_all: Path, number: int, folder: Path) -> Path:
    """A program that runs the model of all mutations with one of them."""
    place = folder / f"mutant{number}"
    place.write_text(f'#!/bin/sh\nexec "{player_of_all}" "$@" +mutant={number}\n', encoding="utf-8")
    place.chmod(0o755)
    return place
