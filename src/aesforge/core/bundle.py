"""The contents of a bundle: the text of each of its files.

Every generated file starts with the command that generates it. The files of `templates/` hold no
logic, only names to fill in.
"""

import importlib.metadata
import json
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from aesforge.core import packet_bundle, shares_bundle, software, stack, tinytapeout
from aesforge.core.contract import Contract, Port, sboxes_code
from aesforge.core.sources import constants, renamed, rtl_root, text
from aesforge.core.stack import connected, separated
from aesforge.core.template import TEMPLATES, fill
from aesforge.errors import UserError
from aesforge.sim.oracle import LEN_CODE, ecb, key_payload
from aesforge.sim.vectors import APPENDIX_C, RIJNDAEL_BLOCK, RIJNDAEL_KEY
from aesforge.space.axes import Config
from aesforge.space.presets import Preset
from aesforge.space.promises import Promise, opening_cycles, promised

MANIFEST = "bundle.json"
"""The file that marks a folder as a bundle and lists the files that aesforge wrote."""

_MONITOR = "formal/aes_contract.sv"
"""The monitor of the contract in the source tree."""

PROJECTS = ("vivado", "quartus", "radiant", "gowin")
"""Tools of vendors for which a bundle has a project script."""

MHZ = 100
"""Clock frequency in the generated constraints."""


def top_name(preset: Preset, config: Config) -> str:
    """The name of a configuration: its preset and the values of the axes that name it.

    A switch that is on is named by its axis.
    """
    words = {"on": "{0}", "off": "{0}_off"}
    choices = (words.get(value, value).format(axis) for axis, value in preset.named(config).items())
    name = "_".join(["aes", preset.name, *choices])
    return name.replace("-", "_").replace(",", "_")


@dataclass(frozen=True)
class Naming:
    """The names in a bundle: of the top module, and of its parts, which all start with `prefix`."""

    top: str
    prefix: str

    @classmethod
    def of(cls, top: str, prefix: str | None = None) -> "Naming":
        """By default the parts start with the name of the top, so two bundles share no name."""
        return cls(top, f"{top}_" if prefix is None else prefix)

    def part(self, path: Path) -> str:
        """The name of a source in the bundle."""
        return renamed(path.stem, self.prefix)

    @property
    def monitor(self) -> str:
        """The path of the monitor of the contract in the bundle."""
        return f"formal/{self.part(monitor())}.sv"


def texts(
    preset: Preset,
    config: Config,
    naming: Naming,
    command: str,
    sources: Sequence[Path],
    single: bool = False,
    verilog: Callable[[Iterable[str], str], str] | None = None,
    processor: str | None = None,
    pins: bool = False,
) -> dict[str, str]:
    """The text of each file by its path in the bundle.

    `sources` are those that the core needs, in order. With `single` they are one file with the top
    module. `verilog` makes one text in Verilog-2005 of all sources and the name of the top. With
    `processor`, its Verilog, the bundle has a system around the core; with `pins` a project of Tiny
    Tapeout. The same arguments give the same bytes.
    """
    top = naming.top
    # With the ports of the contract in place, so that no tool needs an include path.
    parts = {f"rtl/{naming.part(path)}.sv": renamed(text(path), naming.prefix) for path in sources}
    core = f"rtl/{top}.{'v' if verilog else 'sv'}"
    head, body = _top(preset, config, naming, command)
    if verilog:
        head += _lines("//", *_ELABORATED)
        parts = {core: f"{head}\n{verilog([*parts.values(), body], top)}"}
    elif single:
        head += _lines("//", "// All modules are in this file, hence:", _SINGLE)
        parts = {core: "\n".join([head, *(_bare(part) for part in parts.values()), body])}
    else:
        parts[core] = f"{head}\n{body}"
    ports = stack.contract(config).ports
    names = {
        "command": command,
        "top": top,
        "prefix": naming.prefix,
        "preset": preset.name,
        "configuration": str(config),
        "vlnv": f"aesforge:cipher:{top}:{_version()}",
        "monitor_name": naming.part(monitor()),
        "monitor_path": naming.monitor,
        "core_path": core,
        "file_count": str(len(parts)),
    }
    made = {
        f"{top}.f": _lines(f"// {command}", *parts),
        f"{top}.core": fill(
            "fusesoc.core",
            names,
            rtl=_indent(6, (f"- {path}" for path in parts)),
            monitor=f"      - {naming.monitor}\n" * _has_monitor(config),
        ),
        **_contents(config)(preset, config, names),
        **_contract(config, names, list(parts)),
        **{
            f"projects/{tool}.tcl": fill(f"projects/{tool}.tcl", names, sources=_indent(2, parts))
            for tool in PROJECTS
        },
        "projects/openlane.json": fill(
            "projects/openlane.json",
            names,
            sources=",\n".join(f'    "dir::../{path}"' for path in parts),
            period=f"{1000 / MHZ:g}",
        ),
        f"constraints/{top}.sdc": _clock(command),
        f"constraints/{top}.xdc": _clock(command),
        f"constraints/{top}.lpf": _lines(f"# {command}", f'FREQUENCY PORT "clk_i" {MHZ} MHZ;'),
        f"vhdl/{top}_component.vhd": fill(
            "component.vhd",
            names,
            ports=_indent(6, separated(";", ((_vhdl(p), p.doc) for p in ports))),
        ),
        f"vhdl/{top}.vho": fill(
            "instance.vho",
            names,
            signals=_indent(0, (f"signal {_vhdl(p, signal=True)};" for p in ports)),
            map=_indent(4, separated(",", ((f"{p.name:12} => {p.name}", "") for p in ports))),
        ),
    }
    copied = dict(parts)
    if _has_monitor(config):
        own = monitor().read_text(encoding="utf-8")
        copied[naming.monitor] = renamed(own, naming.prefix)
    if config.registers:
        copied |= software.driver()
    if processor is not None:
        copied |= software.system(config, top, processor)
        mode = {"mode": config.modes[0].name}
        made |= {f"soc/{name}": fill(f"soc/{name}", names, **mode) for name in software.SYSTEM}
    if pins:
        of = tinytapeout.names(config, top, parts)
        project = {f"src/{of['project']}.sv": "project.sv", **tinytapeout.FILES}
        made |= {
            f"tinytapeout/{path}": fill(f"tinytapeout/{template}", names, **of)
            for path, template in project.items()
        }
        copied |= {
            f"tinytapeout/src/{path.rpartition('/')[2]}": part for path, part in parts.items()
        }
    copied["LICENSE"] = _licence()
    made[MANIFEST] = _manifest(preset, config, naming, command, [*made, *copied, MANIFEST])
    return {**made, **copied}


_ELABORATED = (
    "// Verilog-2005, which Yosys made of the sources in SystemVerilog: the names are theirs;",
    "// expressions, parameters and generate loops are elaborated.",
)
_SINGLE = "// verilator lint_off DECLFILENAME"


def _bare(text: str) -> str:
    """A source without its licence line, for a file that has one."""
    return text.removeprefix("// SPDX-License-Identifier: Apache-2.0\n//\n")


def _of_blocks(preset: Preset, config: Config, names: dict[str, str]) -> dict[str, str]:
    """Datasheet and testbench of a core of blocks."""
    top, scenario = names["top"], Scenario.of(config)
    loaded = config.key_schedule == "loaded"
    key_top = str(stack.contract(config).channel("key").bits - 1)
    return {
        f"{top}.md": _datasheet(preset, config, names, scenario),
        f"tb/{top}_tb.sv": fill(
            "testbench.sv",
            names,
            connection=fill(
                f"bench_{'loaded' if loaded else config.port}.sv",
                {
                    **{"top": top, "key_last": _key_last(config), "key_top": key_top},
                    **_select(config),
                    **_alarm_pins(config, connected=True),
                },
            ).rstrip("\n"),
            key_top=key_top,
            key_value="Round keys, each" if loaded else "Key",
            steps=str(scenario.steps),
            scenario=_indent(4, scenario.lines),
            **_select(config),
            **_block(config),
            **_idle_check(config),
            **_bench_monitor(config, names),
            **_bench_alarm(config),
        ),
    }


def _contents(config: Config) -> Callable[[Preset, Config, dict[str, str]], dict[str, str]]:
    """What makes datasheet and testbench."""
    if config.protected:
        return _of_shares
    if config.registers:
        return _of_registers
    return _of_packets if config.modes else _of_blocks


def _described(preset: Preset, config: Config) -> dict[str, str]:
    """What the datasheets of all cores with modes have."""
    return {
        "cipher": _cipher(config),
        "source": preset.source,
        "summary": preset.summary,
        "modes": ", ".join(mode.name for mode in config.modes),
        "standards": "<br>".join(f"`{m.name}`: {m.title} ({m.source})" for m in config.modes),
        "keys": f"{_sizes(config)} bits"
        + (", selected with each key" if config.keys == "any" else ""),
        "ports": _ports(config),
        "mhz": str(MHZ),
        "security": packet_bundle.security(config),
    }


def _ports(config: Config) -> str:
    return _table(
        ("port", "bits", "", ""),
        ((f"`{p.name}`", str(p.width), p.direction, p.doc) for p in stack.contract(config).ports),
    )


def _of_shares(preset: Preset, config: Config, names: dict[str, str]) -> dict[str, str]:
    """Datasheet and testbench of a masked core."""
    top, figures = names["top"], shares_bundle.figures(config)
    return {
        f"{top}.md": fill(
            "shares_datasheet.md",
            names,
            **{name: figures[name] for name in ("shares", "latency", "clear")},
            **shares_bundle.sentences(config),
            source=preset.source,
            summary=preset.summary,
            ports=_ports(config),
            example=_table(("port", "sum of the shares"), shares_bundle.example()),
            files=_files(config, names),
            mhz=str(MHZ),
        ),
        f"tb/{top}_tb.sv": fill(
            "shares_testbench.sv",
            names,
            **figures,
            **shares_bundle.randomness(config),
            blocks=str(shares_bundle.BLOCKS),
            pins=_indent(4, shares_bundle.pins(config)),
            vectors=_indent(4, shares_bundle.vectors(config)),
        ),
    }


_FROM_SIDE = """\
    // Every second key comes through the sideload port, where it stays until the core has it.
    side_key_valid_i = 1'b0;
    if (keys_in[0]) begin
      side_key_valid_i = 1'b1;
      side_key_i = value;
      side_key_len_i = len;{tweak}
      write(CTRL, 32'd1 << CTRL_SIDELOAD);
    end else begin"""


def _sideload(config: Config) -> dict[str, str]:
    """What the testbench of a core behind registers does with a sideload port."""
    if config.sideload == "off":
        return {"sideload": "", "registers_end": "", "no_key": ""}
    tweak = "\n      side_key_tweak_i = tweak;" if config.two_keys else ""
    return {
        "sideload": _FROM_SIDE.format(tweak=tweak),
        "registers_end": "    end",
        "no_key": "    side_key_valid_i = 1'b0;",
    }


_MOVED = {
    "off": {
        "moving": """\
3. Each beat of 16 bytes: wait for `STATUS.IN_READY`, write `BEAT` if it changes, write
   `DATA_IN`.
4. Each result: with `STATUS.OUT_VALID`, read `DATA_OUT`; `STATUS` says what it is.""",
        "beside": """ Without DMA, connect `dma_in_ack_i` and
`dma_out_ack_i` to 0 and leave the requests open.""",
        "example": "processes a\npacket",
    },
    "on": {
        "moving": """\
3. Its beats of 16 bytes pass `s_axis_*` from then on, and wait there before. `TUSER` says what
   a beat is, `TLAST` ends the packet.
4. Results leave at `m_axis_*`. `INTR_STATE.DONE` is set when the last one has left, and
   `INTR_STATE.FAILED` too if the packet failed: drop what it output then.""",
        "beside": "",
        "example": "opens a\npacket, whose data passes the stream port",
    },
}
"""How data moves, in the datasheet of a core behind registers, by `stream_port`."""


def _data(config: Config) -> dict[str, str]:
    """How the testbench of a core behind registers moves the data of packets."""
    stream = config.stream_port == "on"
    name = "register_stream.sv" if stream else "register_beats.sv"
    at_stream = "s_axis_tvalid", "m_axis_tready", "random_out"
    driven = at_stream if stream else ("dma_in_ack_i", "dma_out_ack_i")
    text = (TEMPLATES / name).read_text(encoding="utf-8").rstrip("\n")
    return {"data": f"{text}\n", "no_data": f"    {{{', '.join(driven)}}} = '0;"}


def _of_registers(preset: Preset, config: Config, names: dict[str, str]) -> dict[str, str]:
    """Datasheet and testbench of a core behind registers."""
    top, scenario = names["top"], packet_bundle.Scenario.of(config)
    ports = stack.contract(config).ports
    return {
        f"{top}.md": fill(
            "register_datasheet.md",
            names,
            **_described(preset, config),
            **_MOVED[config.stream_port],
            files=_files(config, names),
            packets=str(scenario.packets),
            keys_sent=str(scenario.keys),
        ),
        f"tb/{top}_tb.sv": fill(
            "register_testbench.sv",
            names,
            signals=_indent(2, (f"logic {_bits(port)}{port.name};" for port in ports)),
            pins=_indent(4, connected((port.name, port.name) for port in ports)),
            map=_indent(2, constants("aes_registers_pkg")),
            bus=(TEMPLATES / f"bus_{config.port}.sv").read_text(encoding="utf-8"),
            two_keys=f"1'b{int(config.two_keys)}",
            **_sideload(config),
            **_data(config),
            beats=str(max(1, scenario.beats)),
            patience=str(packet_bundle.patience(config)),
            scenario=_indent(4, scenario.lines),
        ),
        "sw/example.c": software.example(config, names["command"]),
    }


def _bits(port: Port) -> str:
    return f"[{port.width - 1}:0] " if port.width > 1 else ""


def _of_packets(preset: Preset, config: Config, names: dict[str, str]) -> dict[str, str]:
    """Datasheet and testbench of a core with modes."""
    top, scenario = names["top"], packet_bundle.Scenario.of(config)
    contract = stack.contract(config)
    example = packet_bundle.example(config)
    wires, pins = packet_bundle.connections(contract)
    return {
        f"{top}.md": fill(
            "packet_datasheet.md",
            names,
            **_described(preset, config),
            promises=_table(("key", "mode", "cycles"), packet_bundle.promises(config)),
            beat_bytes=str(config.beat_bytes),
            streams="" if config.streams == "1" else f" in each of {config.streams} streams",
            latency=_each(config.cipher, "latency"),
            tags=(packet_bundle.TAGS if any(mode.tag for mode in config.modes) else "")
            + (packet_bundle.IVS if any(mode.any_iv for mode in config.modes) else "")
            + packet_bundle.hold(config)
            + packet_bundle.wrapping(config)
            + packet_bundle.buffering(config)
            + packet_bundle.slots(config)
            + packet_bundle.lanes(config),
            timing=packet_bundle.timing(config),
            idle=_idle(contract, config),
            byte_order=_STREAM if config.port == "axi-stream" else "Byte 0 is in the top byte.",
            **_named(contract),
            example=_table(("", "bytes in order", "port"), example),
            files=_files(config, names),
            packets=str(scenario.packets),
            keys_sent=str(scenario.keys),
        ),
        f"tb/{top}_tb.sv": fill(
            "packet_testbench.sv",
            names,
            signals=_indent(2, [*packet_bundle.signals(contract), *wires]),
            pins=_indent(4, connected(pins)),
            alarms="".join(
                f'    if ({name} !== 1\'b0) fail("{name} without a fault");\n'
                for name in _alarms(config)
            ),
            **packet_bundle.sizes(contract),
            steps=str(scenario.steps),
            beats=str(max(1, scenario.beats)),
            patience=str(packet_bundle.patience(config)),
            scenario=_indent(4, scenario.lines),
        ),
    }


def _version() -> str:
    return importlib.metadata.version("aesforge")


def _licence() -> str:
    beside = rtl_root().parent / "LICENSE"
    if beside.is_file():
        return beside.read_text(encoding="utf-8")
    installed = importlib.metadata.distribution("aesforge").read_text("licenses/LICENSE")
    if installed is None:
        raise UserError(f"LICENSE is missing beside {rtl_root()}; install aesforge again")
    return installed


def _manifest(
    preset: Preset, config: Config, naming: Naming, command: str, files: list[str]
) -> str:
    document = {
        "made_by": f"aesforge {_version()}",
        "preset": preset.name,
        "config": config.as_dict(),
        "top": naming.top,
        "prefix": naming.prefix,
        "files": sorted(files),
    }
    # JSON has no comments, so the command is the first value, on the first line.
    body = json.dumps(document, indent=2).removeprefix("{\n")
    return f'{{ "command": {json.dumps(command)},\n{body}\n'


# Shapes of text -----------------------------------------------------------------------------------


def _lines(*lines: str) -> str:
    return "\n".join(lines) + "\n"


def _indent(spaces: int, lines: Iterable[str]) -> str:
    return "\n".join(" " * spaces + line if line else "" for line in lines)


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    columns = list(head)
    cells = [columns, ["---"] * len(columns), *rows]
    return "\n".join(f"| {' | '.join(row)} |" for row in cells)


# SystemVerilog, VHDL, constraints ----------------------------------------------------------------


def _top(preset: Preset, config: Config, naming: Naming, command: str) -> tuple[str, str]:
    """The comment at the head of the top module, and the module."""
    head = _lines(
        f"// {command}",
        "// SPDX-License-Identifier: Apache-2.0",
        "//",
        f"// {naming.top}: {_cipher(config)} after {preset.source}.",
        "//",
        f"// {preset.name}, {config}; aesforge {_version()}.",
        "//",
        f"// Latency: {_each(config, 'latency')} cycles for {_sizes(config)}-bit keys"
        f"{''.join(f' with {n} S-boxes' for n in config.selectable_sboxes[:1])}.",
        "// Constant time: yes.",
    )
    body = _lines(*stack.top(config, naming.top, chooser=False))
    return head, renamed(body, naming.prefix)


def _vhdl(port: Port, signal: bool = False) -> str:
    mode = "" if signal else {"input": "in ", "output": "out "}[port.direction]
    kind = "std_logic" if port.width == 1 else f"std_logic_vector({port.width - 1} downto 0)"
    return f"{port.name:12} : {mode}{kind}"


def _clock(command: str) -> str:
    return _lines(
        f"# {command}", f"create_clock -name clk_i -period {1000 / MHZ:g} [get_ports clk_i]"
    )


def _cipher(config: Config) -> str:
    """The name of the block cipher: with longer blocks Rijndael is not AES."""
    aes = config.block == "128"
    return "AES (FIPS 197)" if aes else f"Rijndael with blocks of {config.block} bits"


def _sizes(config: Config) -> str:
    return ", ".join(str(bits) for bits in config.key_sizes)


def _each(config: Config, promise: str) -> str:
    return ", ".join(str(getattr(promised(config, bits), promise)) for bits in config.key_sizes)


# Datasheet ----------------------------------------------------------------------------------------


def _datasheet(preset: Preset, config: Config, names: dict[str, str], scenario: "Scenario") -> str:
    promises = [
        (
            f"{bits} bits" + "".join(f", {n} S-boxes" for n in run.selectable_sboxes[:1]),
            str(promise.latency),
            f"{promise.interval} for {promise.per}" if promise.per > 1 else str(promise.interval),
            str(promise.key_setup),
        )
        for bits in config.key_sizes
        for run in config.selections
        for promise in (promised(run, bits),)
    ]
    lost = max(promised(config, bits).key_change_blocks for bits in config.key_sizes)
    wave, wavejson = _waves(config)
    return fill(
        "datasheet.md",
        names,
        cipher=_cipher(config),
        source=preset.source,
        summary=preset.summary,
        keys=f"{_sizes(config)} bits"
        + (", selected with each key" if config.keys == "any" else ""),
        directions=" and ".join(config.directions)
        + (", selected with each block" if config.direction == "both" else ""),
        promises=_table(("key", "latency", "block to block", "key setup"), promises),
        later_key=f"changing keys in mid-stream costs at most {lost} block{'s' * (lost != 1)}"
        if lost
        else "changing keys in mid-stream costs no blocks",
        words=_beats(config),
        ports=_table(
            ("port", "bits", "", ""),
            (
                (f"`{p.name}`", str(p.width), p.direction, p.doc)
                for p in stack.contract(config).ports
            ),
        ),
        idle=_IDLE["zero" if config.port == "word32" else config.idle_output],
        example=_example(config),
        wave=wave,
        wavejson=wavejson,
        files=_files(config, names),
        blocks=str(scenario.blocks),
        keys_sent=str(scenario.keys),
        mhz=str(MHZ),
        monitor_file=f"{names['monitor_path']} " * _has_monitor(config),
        contract=fill("contract.md", names, depth=str(_depth(config))).rstrip("\n")
        if _has_monitor(config)
        else "",
    )


def _beats(config: Config) -> str:
    """What the datasheet says of keys and blocks of several transfers."""
    if config.key_schedule == "loaded":
        return """
A key is its round keys, the first to the last, one in each transfer; the size of the key is that
of the first transfer. The key is active after the last one. *Key setup* counts from the first one,
with the next one always on offer."""
    if stack.contract(config).channel("in").beats != (1,):
        return (
            "\nA key or block is accepted with its last word; a result is offered with its first."
        )
    return ""


_STREAM = """Byte 0
is in the low byte of the streams, and in the top byte of key and IV."""


def _named(contract: Contract) -> dict[str, str]:
    """How the datasheet names what is in a beat."""
    if contract.channel("in").handshake:
        names = ("s_axis_tlast", "s_axis_tuser[2]", "m_axis_tkeep")
    else:
        names = ("in_last_i", "in_abort_i", "out_bytes_o")
    return dict(zip(("last", "abort", "bytes"), names, strict=True))


_IDLE = {
    "zero": """While `out_valid_o` is low, `out_data_o` is 0: no intermediate value of a
  block is output.""",
    "register": """While `out_valid_o` is low, `out_data_o` may show an
  intermediate value of a block, such as its sum with the key: whoever knows the block then reads
  the key. Gate it with `out_valid_o` where others can see it, or build with `idle_output=zero`.""",
}


def _idle(contract: Contract, config: Config) -> str:
    """What the data out is while it is not valid."""
    out = contract.channel("out")
    data = (out.payload[0].pin or out.payload[0]).name
    text = _IDLE[config.idle_output].replace("out_data_o", data)
    return text.replace("out_valid_o", out.valid.name)


def _files(config: Config, names: dict[str, str]) -> str:
    top, prefix, single = names["top"], names["prefix"], names["file_count"] == "1"
    return _table_rows(
        (f"`{top}.f`", "all sources in order (`-f` of most tools)"),
        (f"`{top}.core`", "FuseSoC (CAPI2)"),
        (f"`{names['core_path']}`", "the top module"),
        *[(f"`rtl/{prefix}*.sv`", "its parts, all that elaboration finds")] * (not single),
        (f"`tb/{top}_tb.sv`", "self-checking testbench"),
        *[("`formal/`", "monitor of the contract, and its check in SymbiYosys")]
        * _has_monitor(config),
        *[("`sw/`", "driver in C99, and the header of the register map")] * config.registers,
        ("`projects/`", "projects of Vivado, Quartus, Radiant, Gowin (Tcl) and OpenLane (JSON)"),
        ("`constraints/`", "clock constraints as SDC, XDC (Vivado) and LPF (nextpnr, Diamond)"),
        ("`vhdl/`", "component declaration and instance template"),
        (f"`{MANIFEST}`", "machine-readable description of this bundle"),
    )


def _table_rows(*rows: tuple[str, str]) -> str:
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _example(config: Config) -> str:
    bits = config.key_sizes[0]
    decrypt = config.directions[0] == "decrypt"
    key, plain = _first_vector(config, bits)
    block = int(config.block)
    data = ecb(key, False, block)(plain) if decrypt else plain
    payload, code = key_payload(key, config)
    result = ecb(key, decrypt, block)(data)

    def driven(name: str, port: str, whole: bytes) -> str:
        channel = stack.contract(config).channel(name)
        beats, width = channel.beats[min(code, len(channel.beats) - 1)], channel.payload[0].width
        parts = (whole[width // 8 * at : width // 8 * (at + 1)].hex() for at in range(beats))
        return f"`{port} = " + ", ".join(f"{width}'h{part}" for part in parts) + "`"

    return _table(
        ("", "bytes in order", "port"),
        [
            ("key", key.hex(" "), f"{driven('key', 'key_i', payload)}; `key_len_i = {code}`"),
            ("block", data.hex(" "), driven("in", "in_data_i", data)),
            ("result", result.hex(" "), driven("out", "out_data_o", result)),
        ],
    )


def _waves(config: Config) -> tuple[str, str]:
    """A key, a block that waits for the key, and the result: as a table and as WaveJSON.

    Of what is transferred in several beats, only the last of the key is shown.
    """
    promise = promised(config, config.key_sizes[0])
    if stack.contract(config).channel("in").beats != (1,):
        return _waves_of_words(promise)
    accept = 1 + promise.key_setup
    result = accept + promise.latency
    # One column for each relevant cycle: "." keeps the level, "x" is undefined.
    waves = {
        "key_valid_i": "10|..|..",
        "key_ready_o": "1x|..|..",
        "key_i": "3x|..|..",
        "in_valid_i": "01|.0|..",
        "in_ready_o": "0.|1x|..",
        "in_data_i": "x3|.x|..",
        "out_valid_o": "0.|..|10",
        "out_ready_i": "1.|..|..",
        "out_data_o": "x.|..|3x",
    }
    key = "key"
    if config.key_schedule == "loaded":
        key = "round keys"
        waves |= {"key_valid_i": "1.|0.|..", "key_i": "3.|x.|.."}
    data = {"key_i": [key], "in_data_i": ["block"], "out_data_o": ["result"]}
    clocks = ["0", "1", "...", str(accept), str(accept + 1), "...", str(result), str(result + 1)]
    foot = f"{key} from cycle 0, " if key != "key" else "key in cycle 0, "
    foot += f"block in cycle {accept}, result in cycle {result}"
    return _drawn(waves, data, clocks, foot)


def _waves_of_words(promise: Promise) -> tuple[str, str]:
    """The last word of a key, four words of a block, the last of which waits, and the result."""
    accept = max(4, 1 + promise.key_setup)
    result = accept + promise.latency
    # The last word of the block is accepted as soon as the key is ready for it.
    waits = "0" if accept > 4 else "1"
    waves = {
        "key_valid_i": "10...|..|....",
        "key_ready_o": "1x...|..|....",
        "key_i": "3x...|..|....",
        "in_valid_i": "01...|.0|....",
        "in_ready_o": f"1...{waits}|1x|....",
        "in_data_i": "x3456|.x|....",
        "out_valid_o": "0....|..|1..0",
        "out_ready_i": "1....|..|....",
        "out_data_o": "x....|..|345x",
    }
    words = ["word 0", "word 1", "word 2", "word 3"]
    data = {"key_i": ["last word"], "in_data_i": words, "out_data_o": [*words[:2], "..."]}
    clocks = ["0", "1", "2", "3", "4", "...", str(accept), str(accept + 1), "..."]
    clocks += [str(result), str(result + 1), "...", str(result + 4)]
    foot = (
        f"last word of the key in cycle 0, of the block in cycle {accept}; "
        f"result from cycle {result} to {result + 3}"
    )
    return _drawn(waves, data, clocks, foot)


def _drawn(
    waves: Mapping[str, str], data: Mapping[str, Sequence[str]], clocks: Sequence[str], foot: str
) -> tuple[str, str]:
    """Waves as a table and as WaveJSON: a digit from 2 on is the next of `data`."""
    rows = []
    for name, wave in waves.items():
        cells, last, values = [f"`{name}`"], "", iter(data.get(name, ()))
        for level in wave:
            if level not in ".|":
                last = "" if level == "x" else next(values) if level in "3456" else level
            cells.append("" if level == "|" else last)
        rows.append(cells)
    clock = "".join("|" if level == "|" else "." for level in next(iter(waves.values())))
    signals = [
        {"name": name, "wave": wave} | ({"data": data[name]} if name in data else {})
        for name, wave in {"clk_i": f"p{clock[1:]}", **waves}.items()
    ]
    body = ",\n".join(f"    {json.dumps(signal)}" for signal in signals)
    return (
        _table(["cycle", *clocks], rows),
        f'{{ "signal": [\n{body}\n  ],\n  "foot": {{ "text": "{foot}" }} }}',
    )


def _key_last(config: Config) -> str:
    """The number of the last word of a key in the testbench, from 0."""
    beats = stack.contract(config).channel("key").beats
    return "{key_len_i, 1'b1} + 3'd2" if len(beats) > 1 else f"3'd{beats[0] - 1}"


def _select(config: Config) -> dict[str, str]:
    """The testbench's port that selects S-boxes: its declaration, connection and driver."""
    if not config.selectable_sboxes:
        return {"select": "", "select_pin": "", "select_driven": ""}
    return {
        "select": "\n  logic [1:0] in_sboxes_i;",
        "select_pin": "\n    .in_sboxes_i  (in_sboxes_i),",
        "select_driven": "\n            in_sboxes_i = choice[step][3:2];",
    }


def _block(config: Config) -> dict[str, str]:
    """The top bit of a block, and a block at the top of a step of the testbench."""
    low = 256 - int(config.block)
    aligned = f"{{block, {low}'h0}}" if low else "block"
    return {
        "block_top": str(int(config.block) - 1),
        "block_low": str(low),
        "block_aligned": aligned,
    }


def _idle_check(config: Config) -> dict[str, str]:
    """The testbench's check of a result that is not valid."""
    check = """
    if (!out_valid_o && out_data_o !== '0) fail("out_data_o is not 0 while it is not valid");"""
    return {"idle_check": check * (config.idle_output == "zero")}


# The contract as a monitor ------------------------------------------------------------------------


def monitor() -> Path:
    """The monitor of the contract."""
    return rtl_root().parent / _MONITOR


def _has_monitor(config: Config) -> bool:
    """Whether the ports of the bundle are those of the contract that the monitor checks."""
    return config.port == "native" and not config.modes and not config.protected


def _bench_monitor(config: Config, names: dict[str, str]) -> dict[str, str]:
    """The monitor in the testbench: its instance, and the call of its check."""
    if not _has_monitor(config):
        return {"monitor": "", "contract_check": ""}
    return {
        "monitor": fill("monitor.sv", names, **_monitored(config)),
        "contract_check": "\n      check_contract;",
    }


_ALARM = """\
  // A flip of one bit: the buffer of one copy has a result, where the other has none.
  integer left;
  task check_fault;
    if (fault_o !== 1'b0) fail("an alarm without a fault");
    force u_dut.u_lockstep.u_copy_result.valid_q = 1'b1;
    @(posedge clk_i);
    @(negedge clk_i);
    release u_dut.u_lockstep.u_copy_result.valid_q;
    {key_valid_i, in_valid_i, out_ready_i} = '1;
    for (left = 0; left < 1000; left = left + 1) begin
      if (fault_o !== 1'b1) fail("a fault raises no alarm that stays");
      if ({key_ready_o, in_ready_o, out_valid_o} !== 3'b000) fail("a handshake after the alarm");
      @(negedge clk_i);
    end
  endtask
"""


_FAILED = """\
  // The core has passed the test after each reset.
  task check_failed;
    if (failed_o !== 1'b0) fail("the self-test failed");
  endtask
"""

_CHECKED = {"failed_o": _FAILED, "fault_o": _ALARM}
"""The check of each alarm in the testbench of a core of blocks; that of a flip comes last."""


def _alarms(config: Config) -> list[str]:
    """The alarms of a configuration."""
    has = {port.name for port in stack.contract(config).signals}
    return [name for name in _CHECKED if name in has]


def _bench_alarm(config: Config) -> dict[str, str]:
    """The alarms in the testbench: their wires, and the checks of them."""
    alarms = _alarms(config)
    return {
        "alarm": "".join(f"\n  logic {name};" for name in alarms),
        "alarm_checked": "".join(f"    check_{name[:-2]};\n" for name in alarms),
        "alarm_task": "".join(f"{_CHECKED[name]}\n" for name in alarms),
    }


def _alarm_pins(config: Config, connected: bool = False) -> dict[str, str]:
    """The pins of the alarms."""
    pins = (f"\n    .{name:12} ({name if connected else ''})," for name in _alarms(config))
    return {"alarm_pin": "".join(pins)}


def _monitored(config: Config) -> dict[str, str]:
    """The parameters of the monitor for a configuration."""
    promises = _promises(config)
    return {
        "in_flight": str(max(promise.in_flight for promise in promises)),
        "min_latency": str(min(promise.latency for promise in promises)),
        # A stall in the cycles just before a block reaches the rounds when the block is in them.
        "max_latency": str(max(p.latency + p.stop_cycles - 1 for p in promises)),
        "idle_zero": str(int(config.idle_output == "zero")),
        "block_bits": config.block,
    }


def _depth(config: Config) -> int:
    """Cycles of the bounded check: a reset, a key, a block and its result, and a few more."""
    shortest = min(promise.key_setup + promise.latency for promise in _promises(config))
    return opening_cycles(config) + shortest + 8


def _promises(config: Config) -> list[Promise]:
    """What a configuration promises for each key size and selection of S-boxes."""
    return [promised(run, bits) for bits in config.key_sizes for run in config.selections]


def _contract(config: Config, names: dict[str, str], rtl: list[str]) -> dict[str, str]:
    """The harness of the monitor and the script that runs it in SymbiYosys."""
    if not _has_monitor(config):
        return {}
    harness = f"formal/{names['top']}_formal.sv"
    files = [*rtl, names["monitor_path"], harness]
    selected = _select(config)
    if selected["select"]:
        selected["select"] = "\n  input  logic [1:0]   in_sboxes_i,"
    # The contract says nothing of an alarm.
    selected["select_pin"] += _alarm_pins(config)["alarm_pin"]
    return {
        harness: fill(
            "contract.sv",
            names,
            **selected,
            **_block(config),
            **_monitored(config),
        ),
        f"formal/{names['top']}.sby": fill(
            "contract.sby",
            names,
            depth=str(_depth(config)),
            sources=" ".join(Path(name).name for name in files),
            files=_lines(*files).rstrip(),
        ),
    }


# Scenario of the testbench ------------------------------------------------------------------------


def _first_vector(config: Config, bits: int) -> tuple[bytes, bytes]:
    """Key and plaintext of the published vector: of the standard, or of Rijndael."""
    if config.block == "128":
        return bytes(range(bits // 8)), APPENDIX_C
    return RIJNDAEL_KEY[: bits // 8], RIJNDAEL_BLOCK[: int(config.block) // 8]


_F1 = bytes.fromhex(
    "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
    "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710"
)
_F1_KEYS = {
    128: "2b7e151628aed2a6abf7158809cf4f3c",
    192: "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b",
    256: "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
}
"""Plaintext and keys of SP 800-38A, appendix F."""


@dataclass
class Scenario:
    """The steps of the testbench as calls of its tasks. `steps` counts the calls."""

    config: Config
    lines: list[str] = field(default_factory=list)
    steps: int = 0
    blocks: int = 0
    keys: int = 0
    secret: bytes = b""

    @classmethod
    def of(cls, config: Config) -> "Scenario":
        """Every key size and direction: standard vectors, promised cycles, random blocks."""
        scenario = cls(config)
        rng = random.Random(str(config))
        for bits in config.key_sizes:
            for selected in config.selections:
                scenario.standard(bits, selected)
                scenario.bursts(bits, rng, selected)
        scenario.shuffled(rng)
        return scenario

    def say(self, comment: str) -> None:
        """A comment."""
        self.lines += ["", f"// {comment}"] if self.lines else [f"// {comment}"]

    def step(self, call: str) -> None:
        """A call of a task."""
        self.lines.append(f"{call};")
        self.steps += 1

    def key(self, key: bytes) -> None:
        """A key for the following blocks."""
        self.secret = key
        self.keys += 1
        payload, _ = key_payload(key, self.config)
        code = LEN_CODE[8 * len(key)]
        self.step(f"key({8 * len(payload)}'h{payload.hex()}, 2'd{code})")

    def block(self, direction: str, plain: bytes) -> None:
        """A block; for decryption, the ciphertext of `plain`."""
        self.blocks += 1
        cipher = ecb(self.secret, False, int(self.config.block))(plain)
        data, result = (plain, cipher) if direction == "encrypt" else (cipher, plain)
        bits = self.config.block
        self.step(f"{direction}({bits}'h{data.hex()}, {bits}'h{result.hex()})")

    def run(self, selected: Config) -> None:
        """Select the S-boxes of the following blocks, where the core has the choice; no step."""
        self.lines += [
            f"run = 2'd{sboxes_code(number)};" for number in selected.selectable_sboxes[:1]
        ]

    def standard(self, bits: int, selected: Config) -> None:
        """The vectors of the standards, at full speed."""
        promise = promised(selected, bits)
        clocks = [promise.latency, promise.interval, promise.per, promise.key_setup]
        beats = stack.contract(self.config).channel("in").beats[0]
        # The bench takes a result with its last word, and sends no block before the key is taken.
        clocks[0] += beats - 1
        clocks[3] = max(clocks[3], beats - 1)
        if self.config.key_schedule == "loaded":
            # The bench counts from the last round key.
            clocks[3] = len(self.config.directions)
        source = "FIPS 197, appendix C" if self.config.block == "128" else "Rijndael"
        self.say(f"{bits}-bit keys. {source}; key setup and latency are measured.")
        self.run(selected)
        self.step("clear")
        self.step("pace(0, 0, 0)")
        self.step(f"promise({', '.join(map(str, clocks))})")
        key, plain = _first_vector(self.config, bits)
        self.key(key)
        for direction in self.config.directions:
            self.block(direction, plain)
        size = int(self.config.block) // 8
        self.say(f"ECB with {bits}-bit keys: key and data of SP 800-38A, F.1.")
        self.key(bytes.fromhex(_F1_KEYS[bits]))
        for direction in self.config.directions:
            for at in range(0, len(_F1) - size + 1, size):
                self.block(direction, _F1[at : at + size])
        self.step("drain")

    def bursts(self, bits: int, rng: random.Random, selected: Config) -> None:
        """Enough consecutive blocks to measure the interval."""
        for direction in self.config.directions:
            self.say(f"{bits}-bit keys, {direction}: the promised interval is measured.")
            self.step("burst")
            for _ in range(4 * promised(selected, bits).per + 2):
                self.block(direction, rng.randbytes(int(self.config.block) // 8))
            self.step("drain")

    def shuffled(self, rng: random.Random) -> None:
        """Random keys and blocks with random pauses on all channels, and clears in between."""
        for number in range(6 * len(self.config.key_sizes)):
            paces = ", ".join(str(rng.choice((0, 64, 128, 224))) for _ in range(3))
            self.say("Random keys and blocks with pauses.")
            if number % 3 == 2:
                self.step("clear")
            self.step(f"pace({paces})")
            self.key(rng.randbytes(rng.choice(self.config.key_sizes) // 8))
            for _ in range(rng.randrange(1, 12)):
                if self.config.selectable_sboxes:
                    self.run(rng.choice(self.config.selections))
                plain = rng.randbytes(int(self.config.block) // 8)
                self.block(rng.choice(self.config.directions), plain)
