"""Cores with what is stacked on them: core < mode < port.

A layer is a module with two sides. Its upper side is its contract; its lower side is the mirror
image of the contract below, with names that start with `core_`. It knows nothing else of what is
below it. So a stack is a list of layers and a top module that connects each to the next; clock,
reset and levels go to all of them. A core alone is a stack of one layer.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from aesforge import cache
from aesforge.core.contract import (
    AHEAD,
    ALARMS,
    BEATS,
    DMA,
    HOLD,
    INTERRUPT,
    LOCKSTEP,
    REGISTER_PORTS,
    REGISTERS,
    SELF_TEST,
    SIDELOAD,
    SLOTTED,
    WORD_PORT,
    Contract,
    Port,
    core_ports,
    laned,
    packets,
    random_bits,
    register_bus,
    seeded,
    signals,
    slotted,
    specialized,
    streamed,
    tweaks,
    unused_ports,
    without,
)
from aesforge.core.sources import closure, codes, digest, files
from aesforge.core.sources import parameters as parameters_of
from aesforge.errors import UserError
from aesforge.space.axes import AROUND, OWN_AXES, Config
from aesforge.space.axes import LOCKSTEP as FAULT
from aesforge.space.promises import (
    answer_bits,
    beat_digit,
    hash_digit,
    promised,
    single_results,
)

MODULE = "aes_stack"
"""The top module of a stack of more than one layer, unless the user names it."""


@dataclass(frozen=True)
class Layer:
    """A module of a stack: instance `u_NAME`, with parameters as SystemVerilog text.

    `contract` are the ports of its upper side, of which the top module has those that the
    configuration uses. `beside` is a second module below it, whose names start with its own.
    `core` is the configuration of a core. `bare` is a core by itself, without the chooser: it lacks
    the unused ports, and the top module holds its data out at 0 while that is not valid, if the
    chooser would. Ports in `through` are those of the layer below: the module has none of them.
    One that is not `clocked` has no clock, no reset and no levels either. One that `clears` drives
    the level `key_clear_i` of all layers below. There are as many instances of a layer as `lanes`,
    in step: the layer above them has the data of all, and the valid and ready of the first.
    Synthesis must not merge one that is `apart` with an equal one. The layer above has pins for
    ports that are `absent` from the module: outputs are open there, and inputs, of one bit, are 0.
    """

    name: str
    contract: Contract
    parameters: Mapping[str, str]
    unused: tuple[Port, ...] = ()
    beside: "Layer | None" = None
    core: Config | None = None
    bare: bool = False
    through: tuple[str, ...] = ()
    clocked: bool = True
    clears: bool = False
    lanes: int = 1
    apart: bool = False
    absent: tuple[Port, ...] = ()

    @property
    def gated(self) -> bool:
        """Whether the top module has a gate at the data out of this core."""
        return self.bare and self.core is not None and self.core.idle_output == "zero"


def _core(config: Config, name: str = "cipher") -> Layer:
    parameters = {
        axis.parameter: _code(axis.name, config)
        for axis in OWN_AXES.values()
        if axis.parameter in config.parameters
    }
    return Layer(name, core_ports(config), parameters, unused_ports(config), core=config)


def _bare(layer: Layer) -> Layer:
    """A layer with each core by itself, without the chooser `aes_cipher`."""
    beside = layer.beside and _bare(layer.beside)
    if layer.core is None:
        return replace(layer, beside=beside)
    module = layer.core.module
    own = {name: layer.parameters[name] for name in parameters_of(module)}
    contract = replace(layer.contract, module=module)
    return replace(layer, contract=contract, parameters=own, bare=True)


def _code(axis: str, config: Config) -> str:
    """The value of a parameter by its name in `aes_pkg`, or as a number if it has none."""
    value = getattr(config, axis)
    name = f"{axis}_{value}".upper()
    return f"aes_pkg::{name}" if name in codes() else str(OWN_AXES[axis].values[value])


def _buffered(config: Config) -> int:
    """Results that wait in the buffer of each of two copies."""
    # One is enough for a core that has a cycle between two of them.
    core = [promised(config.core, bits) for bits in config.key_sizes]
    return 1 if all(map(single_results, core)) else 2


def _protection(config: Config) -> Iterator[Layer]:
    parameters = {
        "Entries": str(_buffered(config)),
        "IdleOutput": _code("idle_output", _gateless(config, "protection")),
    }
    beside = replace(_core(_gateless(config), "copy"), apart=True)
    contract = specialized(LOCKSTEP, config)
    yield Layer("lockstep", contract, parameters, unused_ports(config), beside=beside, clears=True)


def _random(config: Config) -> Iterator[Layer]:
    below = core_ports(config)
    contract = seeded(below)
    through = [p.name for c in below.channels if c.name != "random" for p in c.ports]
    through += [port.name for port in below.levels]
    parameters = {"Bits": str(random_bits(config))}
    yield Layer("random", contract, parameters, through=tuple(through))


def _self_test(config: Config) -> Iterator[Layer]:
    parameters = {
        "KeyBits": _code("keys", config),
        "Direction": _code("direction", config),
        "WaitBits": str(answer_bits(config)),
        "IdleOutput": _code("idle_output", config),
    }
    contract = specialized(SELF_TEST, config)
    yield Layer("self_test", contract, parameters, unused_ports(config), clears=True)


def _gateless(config: Config, layer: str = "") -> Config:
    """A core, or a layer around it, without the gate of `idle_output` if a layer above has it."""
    above = AROUND[AROUND.index(layer) + 1 :] if layer else AROUND
    has_it = any(axis in config.stacked for axis in above)
    return replace(config, idle_output="register") if has_it else config


_HOLDING = ("engine", "keys", "overlap", "rounds_per_cycle", "stages", "stop_cycles", "block")
"""The axes that the number of blocks in a core depends on, as `in_flight` takes them."""


def _in_flight(config: Config) -> str:
    """Blocks that a core may hold, with its layers and the registers at its ports."""
    core = [_code(axis, config) for axis in _HOLDING]
    compared = f" + {_buffered(config)}" if config.protection == FAULT else ""
    registers = " + 4" if config.registered else ""
    return f"aes_pkg::in_flight({', '.join(core)}){compared}{registers}"


def _word32(config: Config) -> Iterator[Layer]:
    # A key that arrives with its last round key has as many words as a key of 256 bits.
    given = config.key_schedule == "given"
    bits = "256" if given else _code("keys", config)
    contract = specialized(WORD_PORT, config)
    yield Layer("port", contract, {"KeyBits": bits}, unused_ports(config))


def _modes(config: Config) -> str:
    """The parameter `Modes`, as text."""
    return " | ".join(f"(1 << aes_pkg::{mode.constant})" for mode in config.modes)


def _mode(config: Config) -> Iterator[Layer]:
    if config.registered:
        contract = specialized(REGISTERS, config)
        count = int(config.lanes)
        parameters = {"Entries": "2", "BlockBits": config.block}
        yield Layer("registers", contract, parameters, unused_ports(config), lanes=count)
    parameters = {
        "Modes": _modes(config),
        "Streams": config.streams,
        "CounterBits": config.counter_bits,
        "Direction": _code("direction", config),
        "InFlight": _in_flight(config),
        "KeyBits": _code("keys", config),
        "Registered": str(int(config.registered)),
        "HashDigit": str(hash_digit(config)),
        "Semiblocks": config.semiblocks,
        "PayloadBytes": config.payload_bytes,
        "IdleOutput": _code("idle_output", config),
        "BlockBits": config.block,
    }
    whole = specialized(packets(int(config.streams)), config)
    unused = [] if len(config.modes) > 1 else ["pkt_mode_i"]
    unused += [] if any(mode.tag for mode in config.modes) else ["pkt_tag_bytes_i"]
    if config.streams == "1":
        unused += ["pkt_stream_i", "in_stream_i", "out_stream_o"]
    unused += [] if config.two_keys else AHEAD
    if not any(mode.lengths_ahead for mode in config.modes):
        unused += ["pkt_iv_bytes_i", "pkt_aad_bytes_i", "pkt_payload_bytes_i"]
    ports = tuple(port for port in whole.ports if port.name in unused)
    mode = Layer("mode", without(whole, unused), parameters, (*ports, *unused_ports(config)))
    if config.lanes != "1":
        module = f"aes_{config.mode}_lanes"
        parameters |= {"Lanes": config.lanes, "HashDigit": str(beat_digit(config))}
        parameters = {name: parameters[name] for name in parameters_of(module)}
        contract = specialized(laned(packets(), int(config.lanes), module), config)
        has = {port.name for port in contract.ports}
        # The layer of tweaks has pins for all ports of packets, and that of hold=on for the mode.
        pins = {port.name for port in (whole if config.two_keys else HOLD).ports} - has
        above = config.two_keys or config.hold == "on"
        absent = tuple(port for port in whole.ports if above and port.name in pins)
        mode = Layer("mode", contract, parameters, unused_ports(config), absent=absent)
    yield mode
    if config.two_keys:
        parameters = {
            "Modes": _modes(config),
            "KeyBits": _code("keys", config),
            "Headers": _in_flight(config.tweak_core),
            "Lanes": config.lanes,
        }
        contract, beside = tweaks(mode.contract), _core(config.tweak_core, "tweak")
        yield Layer("tweaks", contract, parameters, (*mode.absent, *mode.unused), beside)
    if config.key_slots != "1":
        given = config.key_schedule == "given"
        parameters = {
            "Slots": config.key_slots,
            "KeyBits": "256" if given else _code("keys", config),
        }
        uppermost = (port for channel in mode.contract.channels for port in channel.ports)
        below = (*uppermost, *mode.unused, *mode.absent)
        through = tuple(port.name for port in below if port.name not in SLOTTED)
        contract = slotted(mode.contract, int(config.key_slots))
        yield Layer("slots", contract, parameters, through=through)


def _packets(config: Config) -> Layer:
    """The uppermost layer of a mode, with the ports of `aes_mode` that it does not use."""
    found = {layer.name: layer for layer in _mode(config)}
    mode, uppermost = found["mode"], list(found.values())[-1]
    unused = (*mode.absent, *mode.unused)
    return replace(uppermost, unused=unused)


def _hold(config: Config) -> Iterator[Layer]:
    mode = _packets(config)
    # A header, the blocks of the core, and the hashes of a pipeline; beside them headers ahead.
    packets_in = [_in_flight(config), "3", *(["24"] if not hash_digit(config) else [])]
    packets_in += [_in_flight(config.tweak_core)] if config.two_keys else []
    parameters = {
        "Modes": _modes(config),
        "HoldBytes": config.hold_bytes,
        "Lanes": config.lanes,
        "Packets": " + ".join(packets_in),
        "IdleOutput": _code("idle_output", config),
    }
    held = {port.name for port in HOLD.ports}
    ports = (*(p for c in mode.contract.channels for p in c.ports), *mode.unused)
    through = tuple(port.name for port in ports if port.name not in held)
    unused = tuple(port for port in mode.unused if port.name in held)
    contract = replace(mode.contract, module=HOLD.module)
    yield Layer("hold", contract, parameters, unused, through=through)


_NO_NUMBERS = Port("s_axis_tid", 1, "input", ""), Port("m_axis_tid", 1, "output", "")
"""Ports of `aes_axi_stream` that one stream does not use."""

_NO_NUMBERS_BELOW = (
    Port("core_in_stream_o", 1, "output", ""),
    Port("core_out_stream_i", 1, "input", ""),
)
"""The same towards layers below that have none: registers, and modes with lanes but XTS."""


def _axi_stream(config: Config) -> Iterator[Layer]:
    mode = _packets(config)
    whole = streamed(mode.contract)
    # Key and header pass by, and what only XTS uses of the beats.
    through = [port.name for c in whole.channels if not c.handshake for port in c.ports]
    through += [port.name for port in mode.unused if port.name.startswith(("pkt_", "in_next_"))]
    parameters = {"Streams": config.streams, "Lanes": config.lanes}
    unused: tuple[Port, ...] = _NO_NUMBERS if config.streams == "1" else ()
    if config.lanes != "1" and not config.two_keys:
        unused += _NO_NUMBERS_BELOW
    yield Layer(
        "port",
        whole,
        parameters,
        unused,
        through=tuple(through),
        clocked=False,
    )


def _capabilities(config: Config) -> str:
    """The register CAP_CORE, as text: what drivers need to know of a configuration."""
    has = [f"KEY_{bits}" for bits in config.key_sizes]
    has += ["TWO_KEYS"] * config.two_keys + ["HOLD"] * (config.hold == "on")
    has += ["SBOXES"] * bool(config.selectable_sboxes)
    has += ["SIDELOAD"] * (config.sideload == "on")
    has += ["STREAM" if config.stream_port == "on" else "DMA"]
    values = [(1, name) for name in has] + [(1, "KEY_SLOTS"), (16, "BLOCK_BYTES")]
    return " | ".join(f"({value} << aes_registers_pkg::CAP_CORE_{name})" for value, name in values)


def _limits(config: Config) -> str:
    """The register CAP_LIMITS, as text."""
    values = {}
    if config.hold == "on":
        values["HOLD_LOG2"] = int(config.hold_bytes).bit_length() - 1
    if any(mode.wraps for mode in config.modes):
        values["WRAP_LOG2"] = int(config.semiblocks).bit_length() - 1
    if any(mode.name == "ctr" for mode in config.modes):
        values["COUNTER_BITS"] = int(config.counter_bits)
    if any(mode.buffers for mode in config.modes):
        values["SIV_LOG2"] = int(config.payload_bytes).bit_length() - 1
    terms = (f"({value} << aes_registers_pkg::CAP_LIMITS_{name})" for name, value in values.items())
    return " | ".join(terms) or "0"


def _registers(config: Config) -> Iterator[Layer]:
    mode = _packets(config)

    def listed(decrypt: bool) -> str:
        codes = [m.constant for m in config.modes if decrypt in config.decrypts(m)]
        return " | ".join(f"(1 << aes_pkg::{code})" for code in codes) or "0"

    parameters = {
        "EncryptModes": listed(False),
        "DecryptModes": listed(True),
        "Capabilities": _capabilities(config),
        "Limits": _limits(config),
    }
    whole = signals("aes_registers")
    streams = config.stream_port == "on"
    stream = tuple(c for c in streamed(mode.contract).channels if c.handshake) if streams else ()
    bus = register_bus(config.port, config.sideload == "on", config.two_keys, stream)
    unused = tuple(port for port in (*SIDELOAD, *DMA) if port not in bus.signals)
    unused += () if stream else BEATS
    if not config.two_keys:
        unused += (Port("core_key_tweak_o", 256, "output", ""),)
    alone = tuple(port.name for port in mode.unused if port.name in AHEAD or "stream" in port.name)
    absent = [port.name for port in unused]
    beside = [port.name for port in (*INTERRUPT, *DMA, *SIDELOAD)]
    through = [*beside, *absent, *alone]
    yield Layer("registers", without(whole, absent), parameters, unused, through=alone, clears=True)
    if stream:
        numbers = (*_NO_NUMBERS, *_NO_NUMBERS_BELOW)
        beats = {port.name for port in BEATS}
        passing = [port.name for port in whole.signals if port.name not in beats]
        yield Layer(
            "stream",
            replace(streamed(mode.contract), channels=stream, levels=()),
            {"Streams": "1", "Lanes": "1"},
            numbers,
            through=tuple(dict.fromkeys((*passing, *absent, *alone))),
            clocked=False,
        )
        through += [port.name for channel in stream for port in channel.ports]
        through += [port.name for port in numbers]
    yield Layer("port", bus, {}, through=tuple(dict.fromkeys(through)))


def _port(config: Config) -> Iterator[Layer]:
    made = dict.fromkeys(REGISTER_PORTS, _registers)
    return {**made, "word32": _word32, "axi-stream": _axi_stream}[config.port](config)


# What each axis of a layer stacks on the layers below.
_LAYERS: Mapping[str, Callable[[Config], Iterator[Layer]]] = {
    "protection": _protection,
    "random": _random,
    "self_test": _self_test,
    "mode": _mode,
    "hold": _hold,
    "port": _port,
}


def _alarmed(found: Iterable[Layer]) -> Iterator[Layer]:
    """Layers that let the alarms of the layers below through, to the ports of the top module."""
    below: tuple[str, ...] = ()
    for layer in found:
        yield replace(layer, through=(*layer.through, *below))
        below += tuple(port.name for port in layer.contract.signals if port in ALARMS)


def layers(config: Config, chooser: bool = True) -> tuple[Layer, ...]:
    """The layers of a configuration, the core first: in the `chooser` of cores, or by itself."""
    stacked = (layer for axis in config.stacked for layer in _LAYERS[axis](config))
    core = replace(_core(_gateless(config)), apart=config.protection == FAULT)
    found = tuple(_alarmed((replace(core, lanes=int(config.lanes)), *stacked)))
    return found if chooser else tuple(map(_bare, found))


def require_contract(config: Config, verb: str) -> None:
    """UserError when the core is a protected one, whose ports `verb` does not know."""
    if config.protected:
        raise UserError(
            f"'aesforge {verb}' takes cores with the ports of aes_cipher, and "
            f"protection={config.protection} has its own: choose another preset; 'aesforge synth' "
            "measures this one, 'aesforge prove', 'probe' and 'leakage' check it"
        )


def require_core(config: Config, verb: str) -> None:
    """UserError when a configuration has layers, which `verb` does not take."""
    for axis, value in config.stacked.items():
        raise UserError(f"'aesforge {verb}' takes a core without layers: leave out {axis}={value}")


def require_blocks(config: Config, verb: str) -> None:
    """UserError when a configuration works on packets, which `verb` does not take."""
    if config.modes:
        raise UserError(f"'aesforge {verb}' takes cores of blocks: leave out mode={config.mode}")


def contract(config: Config) -> Contract:
    """The ports of a configuration. Its module is the core's, or `MODULE` when it is a stack."""
    *below, last = layers(config)
    top = last.contract
    alarms = (port for layer in below for port in layer.contract.signals if port in ALARMS)
    return replace(top, module=MODULE, signals=(*top.signals, *alarms)) if below else top


def channels(config: Config) -> Contract:
    """The valid/ready channels of a configuration: its ports, or those behind its registers."""
    return contract(replace(config, port="native") if config.registers else config)


def parameters(config: Config) -> dict[str, int]:
    """The parameters of the module of `contract`; a stack has none."""
    return {} if config.stacked else config.parameters


def sources(config: Config) -> tuple[Path, ...]:
    """The files of a configuration in order; the top module of a stack is the last."""
    used = {path for layer in layers(config) for path in closure(layer.contract.module)}
    own = tuple(path for path in files() if path in used)
    if not config.stacked:
        return own
    text = "\n".join(top(config, MODULE)) + "\n"

    def make(folder: Path) -> None:
        (folder / f"{MODULE}.sv").write_text(text, encoding="utf-8")

    return (*own, cache.folder("stack", digest(text), make) / f"{MODULE}.sv")


# Text ---------------------------------------------------------------------------------------------


def top(config: Config, name: str, chooser: bool = True) -> list[str]:
    """The lines of a module `name` with the ports of a configuration.

    It instantiates a core in the `chooser`, or by itself: the netlists are the same.
    """
    found = layers(config, chooser)
    ports = [
        (f"{port.direction:6} logic {_range(port.width):7} {port.name}", port.doc)
        for port in contract(config).ports
    ]
    lines = [f"module {name} (", *_indented(2, separated(",", ports, "//")), ");"]
    joints = tuple(_joints(found))
    lanes = [line for joint in joints if joint.above.lanes > 1 for line in ("", *_wires(joint))]
    for joint in joints:
        if joint.above.lanes == 1:
            lines += ["", *_indented(2, _wires(joint))]
    cleared = {port.name: port.name for port in found[0].contract.levels}
    for one in found[::-1]:
        given = cleared
        if one.clears:
            cleared = {name: f"{one.name}_{name[:-2]}" for name in cleared}
            lines += [f"  logic {wire};" for wire in cleared.values()]
        if one.lanes > 1:
            lanes += ["", *_instance(one, joints, cleared, given)]
            continue
        lines += ["", *_indented(2, _instance(one, joints, cleared, given))]
        if one.beside:
            lines += ["", *_indented(2, _instance(one.beside, joints, cleared))]
    if lanes:
        head = f"for (genvar lane = 0; lane < {found[0].lanes}; lane++) begin : gen_lane"
        lines += ["", *_indented(2, [head, *_indented(2, lanes[1:]), "end"])]
    return [*lines, "", "endmodule"]


@dataclass(frozen=True)
class _Joint:
    """The ports of the upper side of a layer that one of the layers above is connected to."""

    below: Layer
    above: Layer
    ports: tuple[Port, ...]

    @property
    def prefix(self) -> str:
        """What the names of the ports start with at the layer above."""
        return self.below.name if self.below is self.above.beside else "core"

    @property
    def lanes(self) -> int:
        """The instances of the layer below that one layer above is connected to."""
        return self.below.lanes if self.above.lanes == 1 else 1


def _joints(found: tuple[Layer, ...]) -> Iterator[_Joint]:
    """How layers are connected: by all ports but clock, reset and levels.

    A port is one of the lowest layer above that does not let it through, or of the top module.
    """

    def ports(layer: Layer) -> list[Port]:
        channels = [port for channel in layer.contract.channels for port in channel.ports]
        own = [*channels, *layer.contract.signals]
        return own if layer.bare else [*own, *layer.unused]

    for number, layer in enumerate(found):
        left = [port for port in ports(layer) if port.name not in layer.through]
        for above in found[number + 1 :]:
            taken = tuple(port for port in left if port.name not in above.through)
            left = [port for port in left if port.name in above.through]
            if taken:
                yield _Joint(layer, above, taken)
        if layer.beside:
            yield _Joint(layer.beside, layer, tuple(ports(layer.beside)))


def _stem(port: Port) -> str:
    return port.name[:-2]


_DATA = ("in_data_i", "out_data_o")
"""The ports of a core that carry a block of each lane."""


def _wires(joint: _Joint) -> list[str]:
    """The wires of a joint. Those of several lanes: all data, the inputs of all, and outputs."""

    def width(port: Port) -> int:
        several = port.name in _DATA or port.direction == "output"
        return port.width * joint.lanes if several else port.width

    above, below = joint.above.contract.module, joint.below.contract.module
    wires = [f"logic {_range(width(p)):7} {joint.below.name}_{_stem(p)};" for p in joint.ports]
    title = f"// Between {above} and {below}."
    if joint.lanes == 1:
        return [title, *wires]
    lint = "// verilator lint_{} UNUSEDSIGNAL"
    note = "// The lanes are in step, so the first one answers for all."
    return [title, note, lint.format("off"), *wires, lint.format("on")]


def _lane(joint: _Joint, port: Port) -> str:
    """The wire of a port at one of the instances below."""
    wire = f"{joint.below.name}_{_stem(port)}"
    if joint.lanes == 1:
        return wire
    if port.name in _DATA:
        return f"{wire}[{port.width}*({joint.lanes - 1}-lane) +: {port.width}]"
    return f"{wire}[lane]" if port.direction == "output" else wire


def _first(joint: _Joint, port: Port) -> str:
    """The wire of a port at the instance above."""
    wire = f"{joint.below.name}_{_stem(port)}"
    only = joint.lanes > 1 and port.name not in _DATA and port.direction == "output"
    return f"{wire}[0]" if only else wire


def _gate(layer: Layer, state: str, data: str, valid: str) -> list[str]:
    """The gate at the data out of a core, as `aes_cipher` has it."""
    width = layer.contract.channel("out").payload[0].width
    return [
        "// The data out of the core is its state register, which holds intermediate values of a",
        "// block: they are 0 here while no result is valid.",
        f"logic {_range(width)} {state};",
        f"assign {data} = {state} & {{{width}{{{valid}}}}};",
        "",
    ]


def _instance(
    layer: Layer,
    joints: Iterable[_Joint],
    levels: Mapping[str, str],
    above: Mapping[str, str] | None = None,
) -> list[str]:
    """An instance of a layer; `levels` are what those below are connected to, `above` its own."""
    inside = {p.name: _lane(j, p) for j in joints if j.below is layer for p in j.ports}

    def pin(port: Port) -> tuple[str, str]:
        return port.name, inside.get(port.name, port.name)

    def unused(port: Port) -> tuple[str, str]:
        if port.name in inside:
            return pin(port)
        return port.name, f"{port.width}'d0" if port.direction == "input" else ""

    common = [Contract.CLOCK, Contract.RESET] if layer.clocked else []
    pins = [(port.name, port.name) for port in common]
    for channel in layer.contract.channels:
        pins += [pin(port) for port in channel.ports if port.name not in layer.through]
    pins += [pin(port) for port in layer.contract.signals if port.name not in layer.through]
    driven = levels if above is None else above
    own = [port.name for port in layer.contract.levels if port.name not in layer.through]
    pins += [(name, driven[name]) for name in own if layer.clocked]
    pins += [(f"core_{name[:-2]}_o", wire) for name, wire in levels.items() if layer.clears]
    pins += map(unused, () if layer.bare else layer.unused)
    end = {"input": "o", "output": "i"}
    for joint in joints:
        if joint.above is layer:
            below, prefix = joint.below, joint.prefix
            pins += [
                (f"{prefix}_{_stem(p)}_{end[p.direction]}", _first(joint, p)) for p in joint.ports
            ]
            open_pins = below.unused if below.bare else ()
            pins += [(f"{prefix}_{_stem(p)}_{end[p.direction]}", "") for p in open_pins]
            free = {"input": "", "output": "1'd0"}
            pins += [
                (f"{prefix}_{_stem(p)}_{end[p.direction]}", free[p.direction])
                for p in below.absent
                if p.name not in layer.through
            ]
    gate = []
    if layer.gated:
        out = layer.contract.channel("out")
        (data, wire), state = pin(out.payload[0]), f"{layer.name}_state"
        gate = _gate(layer, state, wire, pin(out.valid)[1])
        pins = [(name, state if name == data else value) for name, value in pins]
    head, given = layer.contract.module, list(layer.parameters.items())
    instance = [f"{head} #(", *_indented(2, connected(given)), ")"] if given else [head]
    instance[-1] += f" u_{layer.name} ("
    if layer.apart and layer.bare:
        # Where cores are in the chooser, for simulation and measurement, our flows keep it whole.
        instance.insert(0, '(* keep_hierarchy = "yes" *)')
    instance += [*_indented(2, connected(pins)), ");"]
    if all(value for _, value in pins):
        return [*gate, *instance]
    lint = "// verilator lint_{} PINCONNECTEMPTY"
    return [*gate, lint.format("off"), *instance, lint.format("on")]


def _range(width: int) -> str:
    return f"[{width - 1}:0]" if width > 1 else ""


def connected(pairs: Iterable[tuple[str, str]]) -> list[str]:
    """Named connections of an instance, in columns."""
    rows = list(pairs)
    width = max(len(name) for name, _ in rows)
    return separated(",", ((f".{name:{width}} ({value})", "") for name, value in rows))


def separated(separator: str, items: Iterable[tuple[str, str]], comment: str = "--") -> list[str]:
    """Lines of a list, separated, each with its comment."""
    rows = list(items)
    width = max(len(text) for text, _ in rows) + len(separator)
    return [
        f"{text}{separator if row < len(rows) else ''}".ljust(width) + f"  {comment} {note}"
        if note
        else f"{text}{separator if row < len(rows) else ''}"
        for row, (text, note) in enumerate(rows, 1)
    ]


def _indented(spaces: int, lines: Iterable[str]) -> list[str]:
    return [" " * spaces + line if line else "" for line in lines]
