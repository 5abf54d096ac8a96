"""Yosys and ABC, from the `pyosys` wheel (https://yosyshq.readthedocs.io)."""

import importlib.metadata
import importlib.util
import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import count
from math import ceil
from pathlib import Path
from typing import Any

from aesforge.core.sources import include
from aesforge.errors import ToolMissing
from aesforge.tools.process import call

# Run in a separate process, as a failed pass ends the interpreter.
_DRIVER = """
import sys
from pyosys import libyosys
design = libyosys.Design()
for line in open(sys.argv[1], encoding="utf-8").read().splitlines():
    libyosys.run_pass(line, design)
"""


@cache
def _package() -> Path:
    spec = importlib.util.find_spec("pyosys")
    if spec is None or spec.origin is None:
        raise ToolMissing("Yosys is missing; install it with 'pip install pyosys==0.70'")
    return Path(spec.origin).parent


@cache
def version() -> str:
    """The version of the wheel."""
    _package()
    return importlib.metadata.version("pyosys")


class _ByModule:
    """Between the passes of a script: a change of each module by itself."""

    def __call__(self, text: str) -> str:
        """The changed design; both as RTLIL."""
        return re.sub(r"^module .*?^end\n", lambda module: self._module(module[0]), text, flags=_ML)

    def _module(self, text: str) -> str:
        raise NotImplementedError


@dataclass(frozen=True)
class Spread(_ByModule):
    """Between the passes of a script: copies of a cell, so that none drives more than `most`.

    `output` is the port that drives, a single bit; it drives ports of single bits.
    """

    cell: str
    output: str
    most: int

    def _module(self, text: str) -> str:
        wires, copies = [], []
        for found in re.finditer(rf"^  cell \\{self.cell} (\S+)\n(.*?)^  end\n", text, _ML):
            port = rf"^    connect \\{self.output} (.*)\n"
            net = re.search(port, found[2], re.M)
            assert net is not None, f"{self.cell} does not drive by {self.output}"
            for number in range(1, self._copies(text, net[1])):
                name, body = rf"{net[1]}_{number}", re.sub(port, "", found[2], flags=re.M)
                wires.append(f"  wire {name}\n")
                copies.append(
                    f"  cell \\{self.cell} {found[1]}_{number}\n{body}"
                    f"    connect \\{self.output} {name}\n  end\n"
                )
            text = self._shared(text, net[1])
        head, rest = text.split("\n", 1)
        return "".join([head, "\n", *wires, rest.removesuffix("end\n"), *copies, "end\n"])

    def _driven(self, net: str) -> str:
        return rf"^(    connect \\(?!{self.output} )\S+ {re.escape(net)})$"

    def _copies(self, text: str, net: str) -> int:
        return ceil(len(re.findall(self._driven(net), text, re.M)) / self.most)

    def _shared(self, text: str, net: str) -> str:
        """Each `most` of what the net drives, in order, at a net of its own."""
        number = count()

        def at(found: re.Match[str]) -> str:
            part = next(number) // self.most
            return f"{found[0]}_{part}" if part else found[0]

        return re.sub(self._driven(net), at, text, flags=re.M)


@dataclass(frozen=True)
class Drive(_ByModule):
    """Between the passes of a script: cells between a net and ports, each driving at most `most`.

    `driver` is from a cell's port of one name to another, `port` that of the cells it drives; where
    a net drives no more than `most` of them, nothing is between.
    """

    driver: tuple[str, str, str]
    port: tuple[str, str]
    most: int

    def _module(self, text: str) -> str:
        cell, (begins, ends) = self.driver[0], self.driver[1:]
        driven = re.compile(
            rf"^(  cell \\{self.port[0]} \S+\n(?:    .*\n)*?    connect \\{self.port[1]} )(.*)$",
            re.M,
        )
        # A constant drives any number.
        often = Counter(found[2] for found in driven.finditer(text) if found[2][0] in "\\$")
        nets = {net: number for number, net in enumerate(often) if often[net] > self.most}
        place: dict[str, count[int]] = defaultdict(count)
        wires, cells = [], []

        def at(found: re.Match[str]) -> str:
            net = found[2]
            if net not in nets:
                return found[0]
            part, first = divmod(next(place[net]), self.most)
            name = f"${cell}_of_{self.port[0]}_{nets[net]}_{part}"
            if not first:
                wires.append(f"  wire {name}\n")
                cells.append(
                    f"  cell \\{cell} {name}_cell\n    connect \\{begins} {net}\n"
                    f"    connect \\{ends} {name}\n  end\n"
                )
            return f"{found[1]}{name}"

        head, rest = driven.sub(at, text).split("\n", 1)
        return "".join([head, "\n", *wires, rest.removesuffix("end\n"), *cells, "end\n"])


@dataclass(frozen=True)
class Tree:
    """Between the passes of a script: a tree of `driver` in front of ports of cells.

    `driver` is as in `Drive`, a cell that nothing else in the design is. No net drives more than
    `most` of the ports, up to `most` ** 4 of them.
    """

    driver: tuple[str, str, str]
    ports: tuple[tuple[str, str], ...]
    most: int

    def __call__(self, text: str) -> str:
        """The design with those trees; both as RTLIL."""
        for port in (*self.ports, *3 * [self.driver[:2]]):
            text = Drive(self.driver, port, self.most)(text)
        return text


@dataclass(frozen=True)
class Clocked(_ByModule):
    """Between the passes of a script: registers that have their clock from cells get another type.

    `gate` is a cell and its output. The registers that it clocks are `$_DFF_P_` and become the cell
    `register`, with CLK, D and Q. Any other register outside the module `apart` first gets its
    clock from a cell `always`, with clk_i and the same output.
    """

    gate: str
    output: str
    register: str
    always: str
    apart: str

    def _module(self, text: str) -> str:
        gates = rf"^  cell \\{self.gate} \S+\n(?:    .*\n)*?    connect \\{self.output} (\S+)$"
        gated = set(re.findall(gates, text, re.M))
        sources: dict[str, str] = {}

        def changed(found: re.Match[str]) -> str:
            begins, clock, ends = found.groups()
            if clock not in gated:
                if text.startswith(f"module \\{self.apart}\n"):
                    return found[0]
                clock = sources.setdefault(clock, f"${self.always}_{len(sources)}")
            begins = begins.replace("  cell $_DFF_P_ ", f"  cell \\{self.register} ", 1)
            return f"{begins}    connect \\CLK {clock}\n{ends}"

        text = re.sub(
            r"^(  cell \$_DFF_P_ \S+\n(?:    .*\n)*?)    connect \\C (\S+)\n((?:    .*\n)*)",
            changed,
            text,
            flags=re.M,
        )
        head, rest = text.split("\n", 1)
        wires = "".join(f"  wire {net}\n" for net in sources.values())
        cells = "".join(
            f"  cell \\{self.always} {net}_cell\n    connect \\clk_i {clock}\n"
            f"    connect \\{self.output} {net}\n  end\n"
            for clock, net in sources.items()
        )
        return f"{head}\n{wires}{rest.removesuffix('end' + chr(10))}{cells}end\n"


@dataclass(frozen=True)
class OutputRegisters(_ByModule):
    """Between the passes of a script: registers after block RAMs move into these.

    `ram` is the cell of a block RAM of Xilinx with ports A and B, `ff` that of the flip-flops. The
    output register of a port has the clock of the port and its own enable. So the flip-flops must
    be all that reads the port, with its clock, one enable and no reset.
    """

    ram: str
    ff: str

    def _module(self, text: str) -> str:
        widths = {
            name: int(width or 1)
            for width, name in re.findall(r"^  wire (?:width (\d+) )?.*?(\S+)$", text, re.M)
        }
        outputs = re.findall(r"^  wire .*?output .*?(\S+)$", text, re.M)
        uses = Counter(bit for name in outputs for bit in _bits(name, widths))
        # Of cells, then of signals that are connected to each other.
        for spec in re.findall(r"^    connect \\\S+ (.*)$|^  connect (.*)$", text, re.M):
            uses.update(_bits(" ".join(spec), widths))
        cells = {
            found[1]: (found[0], dict(re.findall(r"^    connect \\(\S+) (.*)$", found[0], re.M)))
            for found in re.finditer(
                rf"(?:^  attribute .*\n)*^  cell \\{self.ff} (\S+)\n(?:    .*\n)*^  end\n",
                text,
                re.M,
            )
        }
        at = {_bits(pins["D"], widths)[0]: name for name, (_, pins) in cells.items()}
        for found in re.finditer(rf"^  cell \\{self.ram} \S+\n.*?^  end\n", text, _ML):
            made = found[0]
            pins = dict(re.findall(r"^    connect \\(\S+) (.*)$", made, re.M))
            for port in ("A", "B"):
                data = {name: _bits(pins[name], widths) for name in (f"DO{port}", f"DOP{port}")}
                read = [bit for bits in data.values() for bit in bits if uses[bit] > 1]
                taken = [at.get(bit, "") for bit in read]
                if not read or any(uses[bit] != 2 for bit in read) or not all(taken):
                    continue
                registers = [cells[name][1] for name in taken]
                clock = {(pin["C"], pin["CE"], pin["R"]) for pin in registers}
                if len(clock) > 1 or not all(
                    (c, r) == (pins[f"CLK{port}"], "1'0") for c, _, r in clock
                ):
                    continue
                stored = {bit: pin["Q"] for bit, pin in zip(read, registers, strict=True)}
                for name, bits in data.items():
                    listed = " ".join(stored.get(bit, bit) for bit in bits)
                    made = made.replace(
                        f"connect \\{name} {pins[name]}\n", f"connect \\{name} {{ {listed} }}\n"
                    )
                [(_, enable, _)] = clock
                made = made.replace(f"DO{port}_REG 0\n", f"DO{port}_REG 1\n")
                made = made.replace(
                    f"connect \\REGCE{port} 1'0\n", f"connect \\REGCE{port} {enable}\n"
                )
                for name in taken:
                    text = text.replace(cells[name][0], "")
            text = text.replace(found[0], made)
        return text


def _bits(spec: str, widths: Mapping[str, int]) -> list[str]:
    """The bits of a signal of RTLIL, the highest first, as signals of one bit."""
    found = []
    for value, name, high, low in re.findall(
        r"(?:\d+'([01xzm-]+))|([\\$][^\s]+)(?: \[(\d+)(?::(\d+))?\])?", spec
    ):
        if value:
            found += [f"1'{bit}" for bit in value]
        elif high:
            found += [f"{name} [{at}]" for at in range(int(high), int(low or high) - 1, -1)]
        else:
            bits = range(widths[name] - 1, -1, -1)
            found += [f"{name} [{at}]" for at in bits] if widths[name] > 1 else [name]
    return found


_ML = re.M | re.S

Script = Sequence[str | Callable[[str], str]]
"""Passes, and edits of the design between them."""


def run(script: Script, folder: Path) -> str:
    """Run the passes of `script` in order, in `folder`; returns the log, ToolFailed on an error."""
    _package()
    design, log, passes = folder / "between.il", "", list[str]()

    def passed() -> str:
        (folder / "script.ys").write_text("\n".join(passes) + "\n", encoding="utf-8")
        return call("Yosys", [sys.executable, "-c", _DRIVER, "script.ys"], cwd=folder)

    for step in script:
        if isinstance(step, str):
            passes.append(step)
            continue
        passes.append(f"write_rtlil {design.name}")
        log += passed()
        design.write_text(step(design.read_text(encoding="utf-8")), encoding="utf-8")
        passes = [f"read_rtlil {design.name}"]
    return log + passed()


def abc(commands: str, folder: Path, seconds: float | None = None) -> str:
    """Run ABC on `commands` (separated by semicolons) in `folder`; returns its output.

    ToolTimeout after `seconds`.
    """
    program = _package() / "yosys-abc"
    return call("ABC", [program, "-c", commands], cwd=folder, seconds=seconds)


def read(
    files: Sequence[Path],
    top: str,
    parameters: Mapping[str, int] | None = None,
    hierarchy: bool = False,
) -> str:
    """The pass that elaborates `top` with slang; `hierarchy` keeps its modules apart."""
    flags = [f"-I{include()}", *(["--keep-hierarchy"] if hierarchy else [])]
    flags += [f"-G{name}={value}" for name, value in (parameters or {}).items()]
    return " ".join(["read_slang", *flags, "--top", top, *(str(file) for file in files)])


def share(text: str, name: str = r"\w+") -> str:
    """RTLIL in which equal modules are one, so that each is mapped once.

    slang makes a separate module of every instance, `name$place`. `name` is a regular expression.
    """
    names: dict[str, str] = {}
    bodies: dict[tuple[str, str], str] = {}
    counts: Counter[str] = Counter()

    def shared(module: re.Match[str]) -> str:
        full, stem, body = module.groups()
        first = (stem, body) not in bodies
        if first:
            counts[stem] += 1
            bodies[stem, body] = f"\\{stem}${counts[stem]}"
        names[full] = bodies[stem, body]
        return module[0] if first else ""

    module = rf"^(?:attribute [^\n]*\n)*module (\\({name})\$\S+)\n(.*?^end\n)"
    kept = re.sub(module, shared, text, flags=re.M | re.S)
    text = re.sub(rf"\\{name}\$\S+", lambda found: names.get(found[0], found[0]), kept)
    # Modules that differed only in the names of their submodules are equal now.
    return text if len(names) == len(bodies) else share(text, name)


def _modules(path: Path) -> dict[str, Any]:
    found = json.loads(path.read_text(encoding="utf-8"))["modules"]
    return {name.removeprefix("\\"): module for name, module in found.items()}


def areas(path: Path) -> dict[str, float]:
    """The area of each module with its submodules, in the units of the library.

    From a file written by `tee -q -o FILE stat -json -liberty LIBRARY`.
    """
    return {name: float(module["area"]) for name, module in _modules(path).items()}


def statistics(path: Path) -> list[tuple[str, dict[str, int]]]:
    """Cells by type for each instance, from a file written by `tee -q -o FILE stat -json`.

    An instance is named by its path of modules, `top/module/module`. Instances of modules do not
    count as cells.
    """
    modules: dict[str, Any] = {
        name: module["num_cells_by_type"] for name, module in _modules(path).items()
    }

    def below(name: str, place: str) -> Iterator[tuple[str, dict[str, int]]]:
        yield place, {cell: n for cell, n in modules[name].items() if cell not in modules}
        for module in modules[name].keys() & modules.keys():
            for _ in range(modules[name][module]):
                yield from below(module, f"{place}/{module}")

    inner = {cell for cells in modules.values() for cell in cells}
    return [found for top in modules.keys() - inner for found in below(top, top)]
