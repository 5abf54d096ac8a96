"""The one port contract of all cores (`rtl/cipher/aes_cipher.sv`), as data.

Everything that drives, wraps or documents a core takes its ports from here.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Literal

from aesforge.core.sources import ports as ports_of
from aesforge.space.axes import SBOXES, Config
from aesforge.space.promises import masked_clear


@dataclass(frozen=True)
class Port:
    """A port: `width` in bits, `direction` seen from the core.

    `gated`: an output of a channel that is 0 while the channel's valid is low. With a `pin`, the
    port of the module is that one, and these are its bits from `low` on: in the reversed order of
    bytes ("bytes"), or as a mask of the first so many bytes ("keep").
    """

    name: str
    width: int
    direction: Literal["input", "output"]
    doc: str
    gated: bool = False
    pin: "Port | None" = None
    low: int = 0
    form: Literal["value", "bytes", "keep"] = "value"


@dataclass(frozen=True)
class Channel:
    """A valid/ready channel. `flow` is "in" towards the core, "out" away from it.

    A key, block or result is one transfer, or as many as `beats` says: one number, or one for each
    value of the last port of the payload. Then the first port carries its parts in order, and the
    others count in the first transfer only. `handshake` are other names of valid and ready.
    """

    name: str
    flow: Literal["in", "out"]
    payload: tuple[Port, ...]
    doc: str
    beats: tuple[int, ...] = (1,)
    handshake: tuple[str, ...] = ()

    @property
    def valid(self) -> Port:
        """The sender's half of the handshake."""
        ends = ("valid_i", "ready_o") if self.flow == "in" else ("valid_o", "ready_i")
        name = (self.handshake or [f"{self.name}_{end}" for end in ends])[0]
        if self.flow == "in":
            return Port(name, 1, "input", "payload is valid")
        return Port(name, 1, "output", "payload is valid, and holds until accepted")

    @property
    def ready(self) -> Port:
        """The receiver's half of the handshake."""
        ends = ("valid_i", "ready_o") if self.flow == "in" else ("valid_o", "ready_i")
        name = (self.handshake or [f"{self.name}_{end}" for end in ends])[1]
        direction: Literal["input", "output"] = "output" if self.flow == "in" else "input"
        return Port(name, 1, direction, "payload is accepted in this cycle")

    @property
    def ports(self) -> tuple[Port, ...]:
        """Handshake and payload, as the module has them."""
        pins = {pin.name: pin for pin in (port.pin or port for port in self.payload)}
        return (self.valid, self.ready, *pins.values())

    @property
    def bits(self) -> int:
        """Bits of the largest key, block or result."""
        return self.payload[0].width * max(self.beats)


@dataclass(frozen=True)
class Contract:
    """The ports of a kind of module: clock and reset, channels, and level inputs.

    `signals` are the ports of a bus that is no valid/ready channel.
    """

    module: str
    channels: tuple[Channel, ...]
    levels: tuple[Port, ...] = field(default_factory=tuple)
    signals: tuple[Port, ...] = ()

    CLOCK = Port("clk_i", 1, "input", "everything happens at its rising edge")
    RESET = Port("rst_ni", 1, "input", "synchronous reset, active low, at least one cycle")

    def channel(self, name: str) -> Channel:
        """The channel of that name."""
        return next(channel for channel in self.channels if channel.name == name)

    @property
    def ports(self) -> tuple[Port, ...]:
        """All ports in the order of the module's header."""
        ports = [self.CLOCK, self.RESET]
        for channel in self.channels:
            ports.extend(channel.ports)
        return (*ports, *self.signals, *self.levels)


_LEN = Port("key_len_i", 2, "input", "0, 1, 2: 128, 192, 256 bits; used with keys=any only")
_DECRYPT = Port("in_decrypt_i", 1, "input", "0: encrypt, 1: decrypt; used with direction=both only")
_SBOXES = Port("in_sboxes_i", 2, "input", "0, 1, 2: the block uses at most 1, 2, 4 S-boxes")
_CLEAR = Port("key_clear_i", 1, "input", "clear all keys and blocks")


def _port(width: int, unit: str) -> tuple[Channel, ...]:
    return (
        Channel(
            "key",
            "in",
            (Port("key_i", 256 if width == 128 else width, "input", f"key{unit}"), _LEN),
            "a block accepted after the handshake uses this key",
        ),
        Channel(
            "in",
            "in",
            (Port("in_data_i", width, "input", f"block{unit}"), _DECRYPT),
            "accepted once a key is active",
        ),
        Channel(
            "out",
            "out",
            (Port("out_data_o", width, "output", f"result{unit}"),),
            "in the order of acceptance",
        ),
    )


def packets(streams: int = 1) -> Contract:
    """The ports of `aes_mode` for a number of interleaved streams; the same in every mode."""
    bits = max(1, (streams - 1).bit_length())
    key = _port(128, ", byte 0 in the top byte")[0]
    stream = "number of the packet's stream"
    header = (
        Port("pkt_mode_i", 5, "input", "mode; used when there are several"),
        Port("pkt_decrypt_i", 1, "input", "0: encrypt, or make a tag; 1: decrypt, or verify one"),
        Port("pkt_iv_i", 128, "input", "IV or first counter block"),
        Port("pkt_tag_bytes_i", 5, "input", "bytes of a tag, 1 to 16; used by modes with a tag"),
        Port("pkt_iv_bytes_i", 4, "input", "mode=ccm: bytes of the nonce, 7 to 13"),
        Port("pkt_aad_bytes_i", 32, "input", "mode=ccm: bytes of AAD"),
        Port("pkt_payload_bytes_i", 32, "input", "mode=ccm: bytes of payload"),
        Port("pkt_refuse_i", 1, "input", "the packet fails, whatever its beats"),
        Port("pkt_stream_i", bits, "input", stream),
    )
    taken = (
        Port("in_data_i", 128, "input", "data, byte 0 in the top byte"),
        Port("in_bytes_i", 5, "input", "valid bytes, from the top"),
        Port("in_kind_i", 2, "input", "0, 1, 2, 3: IV, AAD, payload, tag"),
        Port("in_last_i", 1, "input", "last beat of its packet"),
        Port("in_abort_i", 1, "input", "with the last beat: the packet ends without a result"),
        Port("in_next_valid_i", 1, "input", "mode=xts: the next beat of the packet is known"),
        Port("in_next_partial_i", 1, "input", "mode=xts: it is the last one, with 1 to 15 bytes"),
        Port("in_stream_i", bits, "input", stream),
    )
    given = (
        Port("out_data_o", 128, "output", "result, byte 0 in the top byte"),
        Port("out_bytes_o", 5, "output", "valid bytes, from the top; the others are zero"),
        Port("out_kind_o", 2, "output", "0, 1, 2, 3: failed, verified, payload, tag"),
        Port("out_last_o", 1, "output", "last beat of its packet"),
        Port("out_stream_o", bits, "output", stream),
    )
    return Contract(
        "aes_mode",
        (
            replace(key, doc="a packet whose header is accepted with it or after it uses this key"),
            Channel("pkt", "in", header, "opens a packet on its stream"),
            Channel("in", "in", taken, "the beats of the open packets"),
            Channel("out", "out", given, "payload, tag or verdict of each packet, in order"),
        ),
        (_CLEAR,),
    )


AHEAD = ("pkt_refuse_i", "in_next_valid_i", "in_next_partial_i")
"""The ports of `aes_mode` and `aes_xts_lanes` that `aes_xts_ahead` drives."""


def tweaks(below: Contract) -> Contract:
    """The ports of `aes_xts_ahead` above those of `aes_mode`."""
    key, *rest = without(below, AHEAD).channels
    second = Port("key_tweak_i", 256, "input", "second key, that of tweaks, byte 0 in the top byte")
    key = replace(key, payload=(*key.payload, second))
    return replace(below, module="aes_xts_ahead", channels=(key, *rest))


SLOTTED = (
    *("key_valid_i", "key_ready_o", "key_i", "key_len_i", "key_slot_i"),
    *("pkt_valid_i", "pkt_ready_o", "pkt_slot_i"),
)
"""The ports of `aes_key_slots`; the other ones of packets pass by."""


def slotted(below: Contract, slots: int) -> Contract:
    """The ports of `aes_key_slots` above those of `aes_mode`."""
    bits = (slots - 1).bit_length()
    key, header, *rest = below.channels
    stored = Port("key_slot_i", bits, "input", "the slot that the key is stored in")
    chosen = Port("pkt_slot_i", bits, "input", "the slot whose key the packet uses")
    key = replace(
        key,
        payload=(*key.payload, stored),
        doc="a packet of its slot whose header is accepted after it uses this key",
    )
    header = replace(header, payload=(*header.payload, chosen))
    return replace(below, module="aes_key_slots", channels=(key, header, *rest))


def laned(below: Contract, number: int, module: str = "aes_ctr_lanes") -> Contract:
    """The ports of a mode with lanes: those of `aes_mode` that it uses, and wide beats."""
    used = {
        *("key_i", "key_len_i", "pkt_decrypt_i", "pkt_iv_i"),
        *("in_data_i", "in_bytes_i", "in_kind_i", "in_last_i", "in_abort_i"),
        *("out_data_o", "out_bytes_o", "out_kind_o", "out_last_o"),
        *(AHEAD if module == "aes_xts_lanes" else ()),
        *(["pkt_tag_bytes_i"] if module == "aes_gcm_lanes" else ()),
    }
    widths = {"data": 128 * number, "bytes": (16 * number).bit_length()}

    def wide(port: Port) -> Port:
        flow, what, *_ = port.name.split("_")
        return replace(port, width=widths[what]) if what in widths and flow != "pkt" else port

    names = {port.name for channel in below.channels for port in channel.payload}
    left = without(below, names - used)
    channels = (
        replace(channel, payload=tuple(map(wide, channel.payload))) for channel in left.channels
    )
    return replace(left, module=module, channels=tuple(channels))


def holding() -> Contract:
    """The ports of `aes_hold` above those of `aes_mode`; the others pass by."""
    own = ("pkt_mode_i", "pkt_decrypt_i", *(port.name for port in MODE.channel("out").payload[:-1]))
    channels = (channel for channel in MODE.channels if channel.name != "in")
    others = {port.name for channel in MODE.channels for port in channel.payload} - {*own}
    return without(replace(MODE, module="aes_hold", channels=tuple(channels)), others)


_STREAM_PINS: dict[str, tuple[str, int, str]] = {
    "data": ("tdata", 0, "byte 0 in the low byte"),
    "bytes": ("tkeep", 0, "valid bytes, the first ones; may be 0"),
    "last": ("tlast", 0, "last beat of its packet"),
    "kind": ("tuser", 0, ""),
    "abort": ("tuser", 2, ""),
    "sboxes": ("tuser", 3, ""),
    "stream": ("tid", 0, "number of the packet's stream"),
}
_TUSER = {
    "in": "1:0: kind 0, 1, 2, 3: IV, AAD, payload, tag; 2: abort, with the last beat; 4:3: as "
    "in_sboxes_i",
    "out": "kind 0, 1, 2, 3: failed, verified, payload, tag",
}


def streamed(below: Contract) -> Contract:
    """The ports of a contract of packets with its data as AXI4-Stream."""

    def stream(channel: Channel) -> Channel:
        flow = channel.flow
        side = "s_axis" if flow == "in" else "m_axis"

        def pinned(port: Port) -> Port:
            name, low, doc = _STREAM_PINS[port.name.split("_")[1]]
            if name == "tuser":
                width, doc = (5 if flow == "in" else 2), _TUSER[flow]
            else:
                # A bit for each byte; their number has one bit more than that of a byte.
                width = 1 << (port.width - 1) if name == "tkeep" else port.width
            form: Literal["value", "bytes", "keep"] = "value"
            if name in ("tdata", "tkeep"):
                form = "bytes" if name == "tdata" else "keep"
            pin = Port(f"{side}_{name}", width, port.direction, doc)
            if port.gated:
                pin = replace(pin, doc=f"{doc}; 0 while {side}_tvalid is low")
            return replace(port, pin=pin, low=low, form=form)

        return replace(
            channel,
            payload=tuple(map(pinned, channel.payload)),
            handshake=(f"{side}_tvalid", f"{side}_tready"),
        )

    channels = (stream(c) if c.name in ("in", "out") else c for c in below.channels)
    return replace(below, module="aes_axi_stream", channels=tuple(channels))


REGISTER_PORTS = ("axi-lite", "apb", "wishbone", "tl-ul")
"""The values of the axis `port` that are buses of registers: module aes_VALUE."""


def signals(module: str) -> Contract:
    """The ports of a module without valid/ready channels, and without those of its lower side."""
    found = (
        Port(name, width, "input" if direction == "input" else "output", doc)
        for direction, width, name, doc in ports_of(module)
        if not name.startswith("core_") and name not in ("clk_i", "rst_ni")
    )
    return Contract(module, (), signals=tuple(found))


def _beside(prefixes: tuple[str, ...]) -> tuple[Port, ...]:
    ports = signals("aes_registers").signals
    return tuple(port for port in ports if port.name.startswith(prefixes))


INTERRUPT = _beside(("irq_",))
"""The interrupt of `aes_registers`."""

DMA = _beside(("dma_",))
"""The ports of `aes_registers` for an engine that moves beats over the bus."""

SIDELOAD = _beside(("side_",))
"""The ports of `aes_registers` for keys that software does not see."""

BEATS = _beside(("in_", "out_"))
"""The ports of `aes_registers` for beats of a stream."""


def register_bus(
    port: str,
    sideload: bool = True,
    two_keys: bool = True,
    stream: tuple[Channel, ...] = (),
) -> Contract:
    """The ports of a bus of registers, with its interrupt.

    With `sideload` it has a key port beside the bus, for `two_keys` at a time if a mode has two.
    The data of packets passes the channels of `stream`, or the bus, with requests for DMA.
    """
    bus = signals(f"aes_{port.replace('-', '_')}")
    dma = () if stream else DMA
    side = (p for p in SIDELOAD if sideload and (two_keys or "tweak" not in p.name))
    return replace(bus, channels=stream, signals=(*bus.signals, *INTERRUPT, *dma, *side))


def _switchable(contract: Contract) -> Contract:
    """`contract` with the port that selects the number of S-boxes per block."""
    channels = tuple(
        replace(channel, payload=(*channel.payload, _SBOXES)) if channel.name == "in" else channel
        for channel in contract.channels
    )
    return replace(contract, channels=channels)


def _given(contract: Contract) -> Contract:
    """`contract` with a key port that also carries the last round key."""
    key, *rest = contract.channels
    port, *others = key.payload
    doc = "key in the upper half, last round key in the lower half"
    if len(key.beats) > 1:
        doc = "key words, then words of the last round key, most significant first"
    port = replace(port, doc=doc)
    key = replace(key, payload=(port, *others), beats=key.beats[-1:])
    return replace(contract, channels=(key, *rest))


def _loaded(contract: Contract) -> Contract:
    """`contract` with a key channel of round keys, as many as the size of the key needs."""
    key, *rest = contract.channels
    port, *others = key.payload
    port = replace(port, doc="round key in the upper half, byte 0 in the top byte")
    doc = "round keys from the first to the last; a block accepted after the last one uses them"
    key = replace(key, payload=(port, *others), doc=doc, beats=(11, 13, 15))
    return replace(contract, channels=(key, *rest))


def _gated(contract: Contract) -> Contract:
    """`contract` with results that are 0 while they are not valid."""
    *rest, out = contract.channels
    data, *others = out.payload
    data = replace(data, doc=f"{data.doc}; 0 while {out.valid.name} is low", gated=True)
    return replace(contract, channels=(*rest, replace(out, payload=(data, *others))))


def without(contract: Contract, names: Iterable[str]) -> Contract:
    """`contract` without the payload ports and signals of these names."""
    gone = set(names)
    channels = tuple(
        replace(channel, payload=tuple(p for p in channel.payload if p.name not in gone))
        for channel in contract.channels
    )
    left = tuple(port for port in contract.signals if port.name not in gone)
    return replace(contract, channels=channels, signals=left)


def specialized(contract: Contract, config: Config) -> Contract:
    """`contract` with the ports that a configuration uses, and their meaning there."""
    if contract.module in (CIPHER.module, REGISTERS.module, MODE.module):
        contract = _of_blocks(contract, int(config.block))
    if config.idle_output == "zero":
        contract = _gated(contract)
    if config.key_schedule == "given":
        contract = _given(contract)
    if config.key_schedule == "loaded":
        contract = _loaded(contract)
    return _switchable(contract) if config.selectable_sboxes else contract


def unused_ports(config: Config) -> tuple[Port, ...]:
    """The ports of `aes_cipher` that a configuration does not use."""
    return () if config.protected or config.selectable_sboxes else (_SBOXES,)


def delete_unused_ports(config: Config, suffix: str = "") -> list[str]:
    """Yosys passes that delete the unused ports from the elaborated core.

    The netlist of a core then does not depend on the ports of other cores. `suffix` follows the
    name of the module.
    """
    return [f"delete {CIPHER.module}{suffix}/w:{port.name}" for port in unused_ports(config)]


def random_bits(config: Config) -> int:
    """Fresh random bits of a masked core in a cycle: as `aes_masked_pkg` has them for each S-box.

    An S-box has a product in GF(2^4) and one in GF(2^2) whose results are operands of a product
    with themselves, and two more of each.
    """
    shares = int(config.shares)
    first = 1 if config.gadget == "dom" else 2
    others = 2 if config.gadget == "hpc3" else 1
    bits = (4 + 2) * first + 2 * (4 + 2) * others
    sboxes = int(config.sboxes) if config.engine == "serial" else 16 + 4
    return sboxes * bits * shares * (shares - 1) // 2


def _masked(config: Config) -> Contract:
    """The ports of a masked core: block, key and result in shares, and fresh random bits."""
    width = 128 * int(config.shares)
    shared = "share i in [128*i +: 128], byte 0 in its top byte"
    block = Port("in_data_i", width, "input", f"block: {shared}")
    key = Port("key_i", width, "input", f"key of the block: {shared}")
    random = Port("random_i", random_bits(config), "input", "uniform, and independent of all else")
    serial = config.engine == "serial"
    idle = "the state while not valid" if serial else "the last one while not valid"
    result = Port("out_data_o", width, "output", f"result: {shared}; {idle}")
    clear = masked_clear(config)
    taken = "taken before the next block starts" if serial else "in order"
    return Contract(
        config.module,
        (
            Channel("in", "in", (block, key), "held from valid until accepted"),
            Channel(
                "random", "in", (random,), "taken in each cycle of a block, which waits for it"
            ),
            Channel("out", "out", (result,), taken),
        ),
        (Port("clear_i", 1, "input", f"held for {clear} cycles, overwrites all shares"),),
    )


def seeded(contract: Contract) -> Contract:
    """`contract` of a masked core with a seed in place of random bits."""
    seed = Port("seed_i", 80, "input", "uniform, and new: a key of Trivium, K_1 in bit 0")
    channel = Channel("seed", "in", (seed,), "one after each reset, or more")
    channels = tuple(channel if one.name == "random" else one for one in contract.channels)
    return replace(contract, module="aes_masked_random", channels=channels)


def core_ports(config: Config) -> Contract:
    """The ports of a core without layers: those of `aes_cipher`, or of its protection."""
    if config.protected:
        return {"masked": _masked}[config.protection](config)
    return specialized(CIPHER, config)


def _of_blocks(contract: Contract, bits: int) -> Contract:
    """`contract` of a core, or of packets, for blocks of so many bits."""
    count = (bits // 8 - 1).bit_length() + 1
    widths = {
        **dict.fromkeys(("in_data_i", "out_data_o", "pkt_iv_i"), bits),
        **dict.fromkeys(("in_bytes_i", "out_bytes_o"), count),
    }
    channels = tuple(
        replace(
            channel,
            payload=tuple(
                replace(port, width=widths.get(port.name, port.width)) for port in channel.payload
            ),
        )
        for channel in contract.channels
    )
    return replace(contract, channels=channels)


def sboxes_code(number: int) -> int:
    """The value of `in_sboxes_i` that selects a number of S-boxes."""
    return SBOXES.index(number)


CIPHER = Contract("aes_cipher", _port(128, ", byte 0 in the top byte"), (_CLEAR,))
REGISTERS = Contract("aes_core_registers", CIPHER.channels, CIPHER.levels)
_FAULT = Port(
    "fault_o", 1, "output", "the copies differed since the last reset: nothing is transferred"
)
LOCKSTEP = Contract("aes_lockstep", CIPHER.channels, CIPHER.levels, (_FAULT,))
_FAILED = Port(
    "failed_o", 1, "output", "the test after the last reset failed: nothing is transferred"
)
SELF_TEST = Contract("aes_self_test", CIPHER.channels, CIPHER.levels, (_FAILED,))
ALARMS = (_FAULT, _FAILED)
"""Outputs of layers around a core that are outputs of every stack on it."""
MODE = packets()
TWEAKS = tweaks(MODE)
WORD_PORT = Contract(
    "aes_word_port",
    tuple(
        replace(channel, beats=(4, 6, 8) if channel.name == "key" else (4,))
        for channel in _port(32, " words, most significant first")
    ),
    (_CLEAR,),
)
HOLD = holding()
LANES = laned(MODE, 2)
XTS_LANES = laned(MODE, 2, "aes_xts_lanes")
GCM_LANES = laned(MODE, 2, "aes_gcm_lanes")
STREAM = streamed(without(MODE, AHEAD))
CONTRACTS = {
    contract.module: contract
    for contract in (
        *(
            CIPHER,
            REGISTERS,
            LOCKSTEP,
            SELF_TEST,
            MODE,
            TWEAKS,
            LANES,
            XTS_LANES,
            GCM_LANES,
            HOLD,
            WORD_PORT,
            STREAM,
            signals("aes_registers"),
        ),
        *map(register_bus, REGISTER_PORTS),
    )
}
