"""Module tests: build a bench of instances once, run cocotb tests in it, drive it clock by clock.

A bench holds any number of instances, each with ports of its own named `<instance>_<port>`, so
that one compiled model serves all parameter values of a module. It is kept by what it was made of.
"""

import importlib.metadata
import os
import random
import re
import tempfile
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property, wraps
from pathlib import Path
from typing import Any, Protocol
from unittest.mock import patch

import suite

from aesforge import cache as store
from aesforge.core import sources
from aesforge.tools import verilator
from aesforge.tools.process import call

TESTS = Path(__file__).resolve().parent

# Benches ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Instance:
    """A module with parameters; values are integers or SystemVerilog expressions.

    One that is tried `seldom` is left out of the everyday tests.
    """

    module: str
    parameters: tuple[tuple[str, int | str], ...] = ()
    seldom: bool = False

    @cached_property
    def name(self) -> str:
        """A name made of the module and its parameters."""
        return "_".join(
            [self.module, *(re.sub(r"\W+", "_", str(value)) for _, value in self.parameters)]
        )

    @property
    def probe(self) -> Path | None:
        """The source, if the module is one of the tests' own."""
        return next(TESTS.glob(f"rtl/*/{self.module}.sv"), None)

    @property
    def sources(self) -> tuple[Path, ...]:
        """All sources of the module and of its parameters, in no order."""
        text = " ".join(str(value) for _, value in self.parameters)
        if self.probe is not None:
            text += sources.text(self.probe)
        used = {self.module, *re.findall(r"\baes_\w+", text)}
        known = used & {path.stem for path in sources.files()}
        probes = () if self.probe is None else (self.probe,)
        return (*{path for name in known for path in sources.closure(name)}, *probes)

    def ports(self) -> list[tuple[str, str, str]]:
        """(direction, range, name) of each port, parameters of the range filled in."""
        path = self.probe or next(p for p in sources.files() if p.stem == self.module)
        text = re.sub(r"//.*", "", sources.text(path))
        defaults = re.findall(r"\bparameter +(?:int|bit) +(\w+) += +(\d+)", text)
        values = {**dict(defaults), **dict(self.parameters)}
        found = re.findall(r"\b(input|output)\s+logic\s*(\[[^]]+\])?\s*(\w+)", text.split(");")[0])
        return [
            (direction, re.sub(r"(?<!:)\b[A-Z]\w*", lambda m: str(values[m[0]]), width), name)
            for direction, width, name in found
        ]


def instance(module: str, **parameters: int | str) -> Instance:
    """An instance of `module` for a bench."""
    return Instance(module, tuple(parameters.items()))


def seldom(module: str, **parameters: int | str) -> Instance:
    """An instance that a shorter everyday test stands for."""
    return Instance(module, tuple(parameters.items()), seldom=True)


def sampled(instances: Iterable[Instance]) -> list[Instance]:
    """The instances of a run: all, or every day the first and the last one of each module.

    Which instances are left out depends only on the other instances of the module, so that a bench
    and its tests agree.
    """
    by_module: dict[str, list[Instance]] = {}
    for item in instances:
        if not (suite.EVERYDAY and item.seldom):
            by_module.setdefault(item.module, []).append(item)
    if suite.EVERYDAY:
        by_module = {module: [*items[:1], *items[1:][-1:]] for module, items in by_module.items()}
    return [item for items in by_module.values() for item in items]


def _bench(instances: Iterable[Instance]) -> str:
    ports: list[str] = []
    body: list[str] = []
    for item in instances:
        ports += [
            f"  {direction} logic {width} {item.name}_{port} /*verilator public_flat_rw*/"
            for direction, width, port in item.ports()
        ]
        parameters = ", ".join(f".{key}({value})" for key, value in item.parameters)
        pins = ", ".join(f".{port}({item.name}_{port})" for _, _, port in item.ports())
        body.append(f"  {item.module} #({parameters}) {item.name} ({pins});")
    return "module bench (\n" + ",\n".join(ports) + "\n);\n" + "\n".join(body) + "\nendmodule\n"


@dataclass(frozen=True)
class Bench:
    """What a bench is compiled from: the instances, and the sources that they need, in order."""

    instances: list[Instance]
    files: list[Path]
    text: str


def bench(
    test_file: str, instances: Iterable[Instance], modules: Iterable[str] | None = None
) -> Bench:
    """The bench of those `instances` that are of `modules`, or else of modules the file names."""
    if modules is None:
        modules = re.findall(r"\w+", Path(test_file).read_text(encoding="utf-8"))
    chosen = sampled(item for item in instances if item.module in {*modules})
    needed = {path for item in chosen for path in item.sources}
    files = [path for path in sources.files() if path in needed]
    return Bench(chosen, files + sorted(needed - set(files)), _bench(chosen))


_FLAGS = ["--x-initial", "unique", "--x-assign", "unique", "--no-public-flat-rw"]


def kept(made_of: Iterable[object]) -> str:
    """A digest of a bench: of what it is made of, of the tools and of the flags."""
    from cocotb_tools.config import libs_dir

    # A bench finds cocotb's libraries where they were when it was linked.
    cocotb = importlib.metadata.version("cocotb"), str(libs_dir)
    return sources.digest(verilator.version(), *cocotb, _FLAGS, *made_of)


def compile_bench(files: Iterable[Path], folder: Path, flags: Iterable[str] = ()) -> None:
    """Compile `files`, whose top is `bench`, in `folder`.

    Compiling takes longer than most of these simulations: without optimization, and with the main
    program of cocotb in one C++ file, whose headers are read once.
    """
    from cocotb_tools.config import libs_dir, share_dir

    command = ["verilator", "--cc", "--vpi", "--prefix", "Vtop", "--top-module", "bench"]
    command += ["-Mdir", str(folder), f"-I{sources.include()}", *_FLAGS, *flags]
    call("Verilator", [*command, *files], folder, verilator.environment())
    made = [path.name for path in sorted(folder.glob("Vtop*.cpp"))]
    made.append(f"{share_dir}/lib/verilator/verilator.cpp")
    whole = folder / "whole.cpp"
    whole.write_text("".join(f'#include "{name}"\n' for name in made), encoding="utf-8")
    given = [*verilator.MACROS, *verilator.includes(), "-include", verilator.header()]
    linked = [verilator.runtime(), f"-Wl,-rpath,{libs_dir}", f"-L{libs_dir}"]
    call(
        "g++",
        ["g++", "-O0", "-I.", *given, whole, *linked, "-lcocotbvpi_verilator", "-o", "bench"],
        folder,
    )


def run_bench(test_file: str, folder: Path, plusargs: Iterable[str] = ()) -> None:
    """Run all cocotb tests of `test_file` on the bench compiled in `folder`; fails if one does."""
    from cocotb_tools.runner import get_runner

    with patch.dict(os.environ, verilator.environment()), tempfile.TemporaryDirectory() as run:
        get_runner("verilator").test(
            test_module=Path(test_file).stem,
            hdl_toplevel="bench",
            hdl_toplevel_lang="verilog",
            build_dir=folder,
            test_dir=run,
            results_xml=str(Path(run) / "results.xml"),
            seed=1,
            # Registers start at random values rather than at 0.
            plusargs=["+verilator+rand+reset+2", "+verilator+seed+1", *plusargs],
        )


def simulate(
    test_file: str, instances: Iterable[Instance], modules: Iterable[str] | None = None
) -> None:
    """Run all cocotb tests of `test_file` on their bench; fails if one of them does."""
    made_of = bench(test_file, instances, modules)

    def build(folder: Path) -> None:
        top = folder / "bench.sv"
        top.write_text(made_of.text, encoding="utf-8")
        compile_bench([*made_of.files, top], folder)

    digest = kept((made_of.text, *made_of.files))
    run_bench(test_file, store.folder("cocotb", digest, build))


# Inside the simulator ---------------------------------------------------------------------------


class Agent(Protocol):
    """Something that acts in every clock."""

    def drive(self) -> None:
        """Set inputs, before they settle."""

    def sample(self) -> None:
        """See what the coming edge will see."""


class View:
    """One instance of the bench: its ports by name, and its clock if it has one."""

    def __init__(self, dut: Any, item: Instance) -> None:
        from cocotb.triggers import Timer

        self.item = item
        self.agents: list[Agent] = []
        self.clocks = 0
        ports = [(direction, port) for direction, _, port in item.ports()]
        self._handles = {port: getattr(dut, f"{item.name}_{port}") for _, port in ports}
        self._driven: dict[str, int] = {}
        self._step = Timer(1, "ns")
        self._falls = False
        self.set(**{port: 0 for direction, port in ports if direction == "input"})

    def set(self, **values: int) -> None:
        """Drive input ports."""
        for port, value in values.items():
            if self._driven.get(port) != value:
                self._driven[port] = value
                self._handles[port].value = value

    def get(self, port: str) -> int:
        """The value of a port, once settled."""
        return int(self._handles[port].value)

    def width(self, port: str) -> int:
        """Bits of a port."""
        return len(self._handles[port])

    async def settle(self) -> None:
        """Let inputs take effect on combinational outputs."""
        self._falls = False
        await self._step

    async def apply(self, **values: int) -> None:
        """Drive input ports and let them settle."""
        self.set(**values)
        await self.settle()

    async def edge(self) -> None:
        """One rising edge of the clock; it falls when something settles next."""
        if self._falls:
            await self.settle()
        self.set(clk_i=1)
        await self.settle()
        self.set(clk_i=0)
        self._falls = True
        self.clocks += 1

    async def tick(self, clocks: int = 1) -> None:
        """Whole clocks with all agents."""
        for _ in range(clocks):
            for agent in self.agents:
                agent.drive()
            await self.settle()
            for agent in self.agents:
                agent.sample()
            await self.edge()

    async def until(self, condition: Callable[[], bool], limit: int = 1000) -> int:
        """Clocks until `condition` holds on settled signals; fails after `limit`."""
        for clocks in range(limit):
            await self.settle()
            if condition():
                return clocks
            await self.tick()
        raise AssertionError(f"{self.item.name}: still waiting after {limit} clocks")

    async def reset(self, clocks: int = 2) -> None:
        """Hold the reset for some clocks."""
        await self.apply(rst_ni=0)
        for _ in range(clocks):
            await self.edge()
        await self.apply(rst_ni=1)


def for_each(instances: Iterable[Instance], module: str) -> Callable[[Callable[[View], Any]], Any]:
    """Makes a coroutine on one instance a cocotb test of all those of `module` in the bench.

    They run side by side: a step in time costs the evaluation of the whole bench.
    """
    import cocotb
    from cocotb.triggers import gather

    def decorate(test: Callable[[View], Any]) -> Any:
        @wraps(test)
        async def run(dut: Any) -> None:
            await gather(*(test(view) for view in views(dut, instances, module)))

        return cocotb.test(run)

    return decorate


def views(dut: Any, instances: Iterable[Instance], module: str) -> list[View]:
    """The instances of `module` in the bench."""
    return [View(dut, item) for item in sampled(i for i in instances if i.module == module)]


class Source:
    """Sends items over a valid/ready channel in order, after random pauses between them."""

    def __init__(self, view: View, channel: str, stall: float = 0.0) -> None:
        self.queue: deque[Mapping[str, int]] = deque()
        self.sent: Callable[[Mapping[str, int]], None] = lambda _item: None
        self.stall = stall
        self._view, self._channel = view, channel
        self._offering = False

    def drive(self) -> None:
        """Offer the next item; once offered it stays on offer."""
        if self.queue and not self._offering:
            self._offering = random.random() >= self.stall
        self._view.set(**{f"{self._channel}_valid_i": int(self._offering)})
        if self._offering:
            self._view.set(**self.queue[0])

    def sample(self) -> None:
        """Advance when the item is taken."""
        if self._offering and self._view.get(f"{self._channel}_ready_o"):
            self._offering = False
            self.sent(self.queue.popleft())

    def drop(self) -> None:
        """Drop everything that was to be sent."""
        self.queue.clear()
        self._offering = False


class Sink:
    """Takes values from a valid/ready channel with random pauses; checks that an offer holds."""

    def __init__(self, view: View, channel: str, stall: float = 0.0) -> None:
        self.taken: Callable[[int], None] = lambda _value: None
        self.stall = stall
        self._view, self._channel = view, channel
        self._ready = False
        self._offered: int | None = None

    def drive(self) -> None:
        """Be ready, or not."""
        self._ready = random.random() >= self.stall
        self._view.set(**{f"{self._channel}_ready_i": int(self._ready)})

    def sample(self) -> None:
        """Take what is offered."""
        valid = self._view.get(f"{self._channel}_valid_o")
        value = self._view.get(f"{self._channel}_data_o")
        if self._offered is not None:
            assert (valid, value) == (1, self._offered), "an offer must hold until it is taken"
        self._offered = value if valid and not self._ready else None
        if valid and self._ready:
            self.taken(value)

    def drop(self) -> None:
        """An offer that was cleared away need not hold."""
        self._offered = None


@cache
def sbox_modules() -> tuple[str, ...]:
    """All S-boxes: those of the chooser, found by listing the folder."""
    found = sorted(path.stem for path in (sources.rtl_root() / "sbox").glob("*.sv"))
    return tuple(filter(sources.is_sbox, found))


def sbox_codes() -> tuple[int, ...]:
    """All values of the parameter Sbox that name a combinational S-box."""
    return tuple(
        code
        for name, code in sources.codes().items()
        if name.startswith("SBOX_") and name not in ("SBOX_BRAM", "SBOX_SPLIT")
    )


DIRECTIONS = tuple(code for name, code in sources.codes().items() if name.startswith("DIRECTION_"))
ENCRYPT, DECRYPT, BOTH = DIRECTIONS


def is_inverse(view: View, selected: int) -> int:
    """The direction of an instance with a parameter Direction for a value of its direction port."""
    direction = dict(view.item.parameters)["Direction"]
    return selected if direction == BOTH else int(direction == DECRYPT)
