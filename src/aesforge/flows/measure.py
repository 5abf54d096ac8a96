"""Measure a user's own core with the harness and the tools of `aesforge.flows.synth`."""

import re
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from aesforge.core.contract import Port
from aesforge.core.sources import digest
from aesforge.errors import UserError
from aesforge.flows import synth
from aesforge.progress import track
from aesforge.space.targets import Target
from aesforge.tools import netlist, yosys
from aesforge.tools.process import ToolFailed

_CLOCK = r"(?i)(sys_?|i_?)?(clk|clock|ck)(_i|_in|in)?|aclk"


def _readers(
    files: Sequence[Path], top: str, include: Sequence[Path], define: Sequence[str]
) -> dict[str, list[str]]:
    """Passes that read the files with `top` as the top module: slang's, and Yosys' own two.

    In Verilog of 2005 `do` and `bit` are names like any other.
    """
    flags = [f"-I{folder.resolve()}" for folder in include] + [f"-D{name}" for name in define]
    paths = [str(path) for path in files]
    return {
        "slang": [" ".join(["read_slang", "--keep-hierarchy", *flags, "--top", top, *paths])],
        **{
            name: [
                " ".join(["read_verilog", *dialect, *flags, *paths]),
                f"hierarchy -check -top {top}",
            ]
            for name, dialect in (("yosys", ["-sv"]), ("yosys, Verilog", []))
        },
    }


def _ports(top: str, clock: str | None, found: dict[str, Any]) -> tuple[list[Port], str]:
    ports = []
    for name, port in found.items():
        if port["direction"] == "inout":
            raise UserError(
                f"port '{name}' of {top} is an inout, which the harness cannot drive; "
                "give it an input and an output instead"
            )
        ports.append(Port(name, len(port["bits"]), port["direction"], ""))
    if not any(port.direction == "output" for port in ports):
        raise UserError(
            f"{top} has no output, so nothing in it can be measured; name another --top"
        )
    inputs = [port.name for port in ports if port.direction == "input" and port.width == 1]
    if clock == "none":
        return ports, ""
    if clock is None:
        likely = [name for name in inputs if re.fullmatch(_CLOCK, name)]
        if len(likely) == 1:
            return ports, likely[0]
        raise UserError(
            f"the clock of {top} cannot be found by its name; name it with --clock, one of: "
            f"{', '.join(inputs)}, or none"
        )
    if clock not in inputs:
        raise UserError(
            f"{top} has no input '{clock}' of one bit to be its clock; choose from: "
            f"{', '.join(inputs)}, or none"
        )
    return ports, clock


def subject(
    files: Sequence[Path],
    top: str,
    clock: str | None = None,
    include: Sequence[Path] = (),
    define: Sequence[str] = (),
    parameters: Sequence[str] = (),
    keep: Sequence[str] = (),
) -> synth.Subject:
    """The module `top` of Verilog or SystemVerilog files, its ports found by elaboration.

    `parameters` are NAME=VALUE. Modules named in `keep` are mapped on their own. `clock` is the
    name of an input, "none" for a combinational module, or None to find it by its name. UserError
    on files or ports that cannot be used.
    """
    for path in files:
        if not path.is_file():
            raise UserError(f"cannot read {path}: no such file; name the core's source files")
        if re.search(r"[\s;#\"]", str(path.resolve())):
            raise UserError(
                f"Yosys cannot read the path {path.resolve()}; use one without spaces or quotes"
            )
    for option, name in (("--top", top), *(("--keep", name) for name in keep)):
        if not re.fullmatch(r"[A-Za-z_]\w*", name):
            raise UserError(
                f"'{name}' is not the name of a module; give {option} the name after 'module'"
            )
    given = {}
    for choice in parameters:
        match = re.fullmatch(r"([A-Za-z_]\w*)=([\w'\"-]+)", choice)
        if match is None:
            raise UserError(f"'{choice}' is not of the form NAME=VALUE, such as WIDTH=8")
        given[match[1]] = match[2]
    paths = [path.resolve() for path in files]
    errors = []
    with tempfile.TemporaryDirectory(prefix="aesforge-") as scratch:
        folder = Path(scratch)
        # Port widths depend on the parameters, so the ports are taken from an instance.
        values = ", ".join(f".{name}({value})" for name, value in given.items())
        (folder / "probe.sv").write_text(f"module probe; {top} #({values}) u_dut (); endmodule\n")
        for reader, passes in _readers(
            [*paths, Path("probe.sv")], "probe", include, define
        ).items():
            try:
                yosys.run([*passes, "proc", "write_json ports.json"], folder)
            except ToolFailed as error:
                errors.append(f"{reader}: {_complaint(error.output)}")
                continue
            found = netlist.instance(folder / "ports.json", "probe", "u_dut")
            ports, chosen = _ports(top, clock, found["ports"])
            read = _readers([*paths, Path("harness.sv")], "harness", include, define)[reader]
            return synth.Subject(top, ports, chosen, given, read, tuple(keep))
    raise UserError(
        f"cannot read {top}: {'; '.join(errors)}; correct the sources, or name all of them"
    )


def _complaint(output: str) -> str:
    lines = [line for line in output.splitlines() if re.search(r"(?i)\berror\b", line)]
    return (lines or output.strip().splitlines() or ["no reason given"])[0].strip()


def measure(
    files: Sequence[Path],
    top: str,
    target: Target,
    cycles: float | None,
    latency: int | None,
    bits: int,
    known: Mapping[str, Any] | None = None,
    **options: Any,
) -> dict[str, Any]:
    """The cost of a user's own core as one result row; `options` are those of `subject`.

    `cycles` per block of `bits` give the throughput; `latency` is in cycles. Both may be None.
    `known` is an older row, of which the same netlist is not measured again.
    """
    if cycles is not None and cycles <= 0:
        raise UserError(f"a block cannot take {cycles} cycles; give --cycles more than 0")
    if bits <= 0:
        raise UserError(f"a block cannot have {bits} bits; give --bits more than 0")
    if latency is not None and latency < 0:
        raise UserError(f"a latency of {latency} cycles is impossible; give --latency 0 or more")
    with track(f"measure {top} {target.name}"):
        core = subject(files, top, **options)
        found = synth.measure(core, target, known)
    found |= {"sources": [path.name for path in files], "source_hash": digest(*files)[:12]}
    core_counts = {what: found[what] for what in found.pop("parts")["rounds_and_control"]}
    config = {name: str(value) for name, value in core.parameters.items()}
    what = {"preset": None, "core": top, "config": config, "key_bits": None}
    return synth.row(
        what,
        target,
        {**found, "parts": {"core": core_counts}},
        cycles,
        latency,
        bits,
    )
