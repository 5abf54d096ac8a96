"""Map a core to a device: what it takes, how fast it is, and which part takes what.

The core sits in a harness with three pins: a shift register feeds every input, and every output
goes through a register into a chain of XORs. So each path of the core runs from register to
register. The harness is placed with the core and not counted.
"""

import re
import statistics
import tempfile
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version as package_version
from pathlib import Path
from typing import Any

from aesforge import cache
from aesforge.config import Config, Preset
from aesforge.contract import CIPHER, Contract, heeded, without_unheeded
from aesforge.progress import track
from aesforge.sources import closure, digest
from aesforge.targets import DRIVER, Target
from aesforge.tools import nextpnr, opensta, yosys

SEEDS = (1, 2, 3)

# Mapped on their own: tables, which sharing between output bits only makes larger, and the key
# store, so that what it takes can be told from what the rounds take.
_TABLE = "aes_lookup"
_APART = (_TABLE, "aes_key_store")


def harness(contract: Contract, parameters: dict[str, int]) -> str:
    """SystemVerilog of the few-pin harness around a module of the contract."""
    inputs = [port for port in contract.ports if port.direction == "input"][1:]
    outputs = [port for port in contract.ports if port.direction == "output"]

    def slices(ports: list[Any], name: str) -> list[str]:
        low, wired = 0, []
        for port in ports:
            wired.append(f"    .{port.name} ({name}[{low} +: {port.width}])")
            low += port.width
        return wired

    width_in = sum(port.width for port in inputs)
    width_out = sum(port.width for port in outputs)
    given = ", ".join(f".{name}({value})" for name, value in parameters.items())
    ports = [f"    .{contract.CLOCK.name} (clk)", *slices(inputs, "in_q"), *slices(outputs, "out")]
    return f"""module harness (input logic clk, input logic serial_i, output logic serial_o);
  logic [{width_in - 1}:0] in_q;
  logic [{width_out - 1}:0] out, out_q, chain_q;
  always_ff @(posedge clk) begin
    in_q <= {{in_q[{width_in - 2}:0], serial_i}};
    out_q <= out;
    chain_q <= {{chain_q[{width_out - 2}:0], 1'b0}} ^ out_q;
  end
  assign serial_o = chain_q[{width_out - 1}];
  {contract.module} #({given}) u_dut (
{("," + chr(10)).join(ports)}
  );
endmodule
"""


def _share_tables(text: str) -> str:
    """RTLIL in which equal tables are one module, so that each is mapped once.

    slang makes a module of its own of every instance.
    """
    names: dict[str, str] = {}
    bodies: dict[str, str] = {}

    def shared(module: re.Match[str]) -> str:
        name, body = module.groups()
        first = body not in bodies
        names[name] = bodies.setdefault(body, f"\\{_TABLE}${len(bodies)}")
        return module[0] if first else ""

    kept = re.sub(rf"^module (\\{_TABLE}\$\S+)\n(.*?^end\n)", shared, text, flags=re.M | re.S)
    return re.sub(rf"\\{_TABLE}\$\S+", lambda name: names[name[0]], kept)


def _elaborate(config: Config, folder: Path) -> str:
    """Leave the core in its harness in `folder`, as RTLIL; returns a digest of it.

    What is measured is known by what it is after elaboration, so that a change elsewhere in the
    sources leaves it measured.
    """
    contract = heeded(CIPHER, config)
    (folder / "harness.sv").write_text(harness(contract, config.parameters), encoding="utf-8")
    files = [*closure(CIPHER.module), folder / "harness.sv"]
    yosys.run(
        [
            yosys.read(files, "harness", hierarchy=True),
            *without_unheeded(config, "$*"),
            "setattr -unset src */*",
            "setattr -mod -unset src *",
            "write_rtlil elaborated.il",
        ],
        folder,
    )
    elaborated = folder / "elaborated.il"
    elaborated.write_text(_share_tables(elaborated.read_text(encoding="utf-8")), encoding="utf-8")
    return digest(elaborated)


def _script(target: Target) -> list[str]:
    """The passes that map the harness and leave its netlist."""
    apart = " ".join(f"{name}*" for name in (CIPHER.module, *_APART))
    library = f" -liberty {target.liberty}" if target.liberty else ""
    return [
        "read_rtlil elaborated.il",
        f"setattr -mod -set keep_hierarchy 1 {apart}",
        # What is constant or unused at the border of a part is not left to be computed.
        *("hierarchy -top harness", "flatten", "proc", "opt", "opt_hier", "opt"),
        *target.passes("harness"),
        f"tee -q -o cells.json stat -json{library}",
        "setattr -mod -unset keep_hierarchy *",
        "flatten",
        "opt_clean -purge",
        "write_json harness.json",
        "write_verilog -noattr harness.v",
        "tee -q -o depth.txt ltp -noff",
    ]


def _map(target: Target, folder: Path) -> dict[str, Any]:
    """Cells of the core as a whole and by part; leaves the netlist of the harness in `folder`."""
    (folder / DRIVER).write_text(f"set_driving_cell {target.driver}\n", encoding="utf-8")
    yosys.run(_script(target), folder)
    parts: dict[str, dict[str, int]] = {"rounds_and_control": {}, "key_store": {}}
    for instance, cells in yosys.statistics(folder / "cells.json"):
        # slang names a module by where it stands: "aes_key_store$harness.u_dut. ...".
        if instance != "harness":
            part = parts["key_store" if ".u_key_store" in instance else "rounds_and_control"]
            for cell, number in cells.items():
                part[cell] = part.get(cell, 0) + number
    counts: dict[str, dict[str, Any]] = {name: target.count(cells) for name, cells in parts.items()}
    whole: dict[str, Any] = {
        what: sum(part[what] for part in counts.values()) for what in counts["key_store"]
    }
    if target.liberty:
        # Memories are made of flip-flops, and there are no look-up tables.
        nothing = {"lut": None, "muxf": None, "lutram": None, "bram": None}
        gate, cells_json = target.gate_area(), folder / "cells.json"
        store = round(yosys.area(cells_json, "aes_key_store") / gate)
        whole |= {**nothing, "ge": round(yosys.area(cells_json, CIPHER.module) / gate)}
        counts["key_store"] |= {**nothing, "ge": store}
        counts["rounds_and_control"] |= {**nothing, "ge": whole["ge"] - store}
    return {**whole, "parts": counts}


def _measure(target: Target, config: Config) -> dict[str, Any]:
    """One mapping and, where there is a placer, three placements; cached by content."""
    versions = {"pyosys": yosys.version()}
    if target.nextpnr:
        versions[f"nextpnr-{target.nextpnr}"] = nextpnr.version(target.nextpnr)
    if target.liberty:
        target.gate_area()
        versions["opensta"] = opensta.version()
    with tempfile.TemporaryDirectory(prefix="aesforge-") as scratch:
        folder = Path(scratch)
        name = digest(_elaborate(config, folder), target, _script(target), SEEDS, versions)

        def make() -> dict[str, Any]:
            measured = _map(target, folder)
            if target.nextpnr:
                netlist = folder / "harness.json"
                with ThreadPoolExecutor(2) as pool:
                    found = pool.map(
                        lambda seed: nextpnr.place_and_route(
                            target.nextpnr, target.device, netlist, seed, folder
                        ),
                        SEEDS,
                    )
                    measured["fmax_by_seed"] = dict(zip(map(str, SEEDS), found, strict=True))
            if target.liberty:
                measured["period_ns"] = opensta.period(
                    "harness.v", target.liberty, "harness", "clk", folder
                )
            return {**measured, "versions": versions}

        return cache.value("synth", name, make)  # type: ignore[no-any-return]


def synth(preset: Preset, config: Config, target: Target) -> dict[str, Any]:
    """The cost of a configuration on a target, as one result row.

    Clocks and throughput are those of the smallest key that the core takes; `mbps_per_lut` is
    throughput over LUTs, `kbps_per_ge` over gate equivalents. `fmax_mhz` is the median of the
    seeds, or what the delays of the cells of a library leave.
    """
    with track(f"synth {preset.name} {target.name}"):
        measured = _measure(target, config)
    promise = config.promise(config.key_sizes[0])
    seeds, period = measured.pop("fmax_by_seed", None), measured.pop("period_ns", None)
    fmax = round(statistics.median(seeds.values()), 2) if seeds else None
    if period is not None:
        fmax = round(1000 / period, 2)
    throughput = round(128 * fmax / promise.cycles_per_block, 1) if fmax else None
    ge = measured.get("ge")
    return {
        "preset": preset.name,
        "config": config.as_dict(),
        "target": target.name,
        "lut": measured["lut"],
        "ff": measured["ff"],
        "bram": measured["bram"],
        "ge": ge,
        "fmax_mhz": fmax,
        "cycles_per_block": promise.cycles_per_block,
        "latency_cycles": promise.latency,
        "throughput_mbps": throughput,
        "mbps_per_lut": round(throughput / measured["lut"], 4) if throughput and not ge else None,
        "kbps_per_ge": round(1000 * throughput / ge, 1) if throughput and ge else None,
        "delay_ps": target.delay_ps,
        "muxf": measured["muxf"],
        "lutram": measured["lutram"],
        "parts": measured["parts"],
        "fmax_by_seed": seeds,
        "key_bits": config.key_sizes[0],
        "device": target.part or target.name,
        "versions": {**measured["versions"], "aesforge": package_version("aesforge")},
    }
