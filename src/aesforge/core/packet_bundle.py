"""What a bundle of a core with modes says and sends: the scenario of its testbench."""

import random
import re
from dataclasses import dataclass, field, replace

from aesforge.core.contract import ALARMS, REGISTER_PORTS, Contract, Port, packets, slotted, tweaks
from aesforge.sim.mode_vectors import examples, vector_packet
from aesforge.sim.oracle import LEN_CODE, key_payload
from aesforge.sim.packets import (
    Beat,
    Packet,
    beats,
    decrypts,
    opening,
    outputs,
    paired,
    random_key,
    random_packet,
    to_verify,
    used,
    widened,
    wrap,
)
from aesforge.sim.vectors import APPENDIX_C
from aesforge.space.axes import AXES, Config
from aesforge.space.modes import KIND, KIND_OUT, MODES
from aesforge.space.promises import (
    held_lines,
    longest_beat,
    opening_cycles,
    packet_promise,
    promised,
    tweak_latency,
)

TAGS = """
- With `pkt_decrypt_i` the last beat of a packet is a tag to verify. The packet then ends with a
  beat without bytes, "verified" or "failed", and never outputs a tag."""

IVS = """
- `gcm`, `gmac`: `pkt_iv_i` starts with an IV of 12 bytes. An IV of another length is sent as the
  first beats of the packet, and then `pkt_iv_i` has no meaning."""

_WRAPS = """
- `kw`, `kwp`: all beats but the last one of a packet have 16 bytes. `kw` takes 16 bytes or more, a
  multiple of 8, `kwp` any number from 1 on; a wrapped packet is 8 bytes longer, or more by its
  padding. A packet of another length, or of more than {most} bytes before it is wrapped, outputs
  the verdict "failed" and no byte. So does one to unwrap, with `pkt_decrypt_i`, whose integrity
  value is wrong; else its payload is followed by "verified"."""


def hold(config: Config) -> str:
    """What the layer `aes_hold` changes of the ports' rules."""
    if config.hold == "off":
        return ""
    return f"""
- With `pkt_decrypt_i` a packet with payload outputs nothing before it is verified: then its
  payload, and the beat "verified". One that fails, or that has more than {config.hold_bytes} bytes
  of payload, outputs the beat "failed" alone. All beats pass a buffer, in 2 cycles. Reset and
  `key_clear_i` overwrite it, in {held_lines(config)} cycles."""


def timing(config: Config) -> str:
    """What no timing depends on."""
    if config.hold == "off" and not any(mode.wraps or mode.buffers for mode in config.modes):
        return "No timing depends on keys, data or verdicts."
    return "No timing depends on keys or data. A failed packet has no payload to output."


def wrapping(config: Config) -> str:
    """The packets of modes that wrap keys, as lines of Markdown; none without such a mode."""
    wraps = any(mode.wraps for mode in config.modes)
    return _WRAPS.format(most=8 * int(config.semiblocks)) if wraps else ""


_BUFFERS = """
- `gcm-siv`: `pkt_iv_i` starts with the nonce of 12 bytes, and `pkt_tag_bytes_i` is 16. A packet has
  at most {most} bytes of payload, which the core keeps: nothing is output before the last beat. One
  with more of it, with a beat of fewer than 16 bytes that is not the last one of AAD or payload, or
  with another tag outputs the verdict "failed" and no byte{keys}. The payload of a packet
  to verify, with `pkt_decrypt_i`, is output after its tag was found right, and then "verified"."""


def slots(config: Config) -> str:
    """The slots of keys, as a line of Markdown; none with one key."""
    if config.key_slots == "1":
        return ""
    return f"""
- A key is stored in one of {config.key_slots} slots, `key_slot_i`, at any time, and a packet uses
  the key of the slot `pkt_slot_i`. A header whose slot has no key waits. One of another slot than
  the packet before waits 2 cycles and the setup of a key; an open packet keeps its key.
  `key_clear_i` clears all slots."""


def lanes(config: Config) -> str:
    """The beats of several lanes, as a line of Markdown; none with one."""
    if config.lanes == "1":
        return ""
    end = "low" if config.port == "axi-stream" else "top"
    return f"""
- A beat is {config.lanes} blocks, the first one in the {end} bits, of which each passes a core of
  its own. The cores are in step. A beat that is not the last one of its segment is whole."""


def buffering(config: Config) -> str:
    """The packets of GCM-SIV, as lines of Markdown; none without that mode."""
    if not any(mode.buffers for mode in config.modes):
        return ""
    keys = ", and so does any packet\n  under a key of 192 bits" if 192 in config.key_sizes else ""
    return _BUFFERS.format(most=f"{int(config.payload_bytes):,}", keys=keys)


_SECURITY = {
    "ecb": "Equal blocks of plaintext give equal blocks of ciphertext.",
    "cbc": "An IV must be unpredictable.",
    "ctr": "A counter block must never be used twice under one key.",
    "ofb": "An IV must never be used twice under one key.",
    "cfb": "An IV must be unpredictable and must never be used twice under one key.",
    "xts": "An attacker who sees a data unit change learns which blocks changed, and may replace\n"
    "  blocks by older ones of the same place. Use a number for one data unit only, and take data\n"
    "  units of at most 2^20 blocks.",
    "gcm-siv": "A repeated nonce shows which packets are equal in AAD and plaintext, and no\n"
    "  more; take a new one for each packet nevertheless. The memory keeps what an aborted or a\n"
    "  refused packet has loaded until that is overwritten, or until a clear.",
    "gcm": "An IV must never be used twice under one key: the plaintexts of both packets leak, "
    "and then\n  tags can be forged. A short tag is forged more easily: prefer 16 bytes.",
    "gmac": "An IV must never be used twice under one key: tags can then be forged. GMAC does not "
    "encrypt.",
    "ccm": "A nonce must never be used twice under one key: that shows the sum of two\n"
    "  plaintexts. A tag of t bits is forged with a probability of 2^-t in each attempt.",
    "kw": "Equal payloads give equal wrapped packets: use it for keys and other data that do not\n"
    "  repeat. A forged packet is accepted with a probability of about 2^-64. The memory keeps\n"
    "  what an aborted packet has loaded until it is overwritten, or until a clear.",
    "cmac": "A tag of t bits is forged with a probability of 2^-t in each attempt: limit the\n"
    "  failed packets under one key. CMAC does not encrypt, and does not detect replayed packets.",
}


def security(config: Config) -> str:
    """What the modes of a configuration do not give, as lines of Markdown."""
    lines = []
    for mode in config.modes:
        text = next(text for name, text in _SECURITY.items() if mode.name.startswith(name))
        lines.append(f"- `{mode.name}`: {text}")
    if held := ", ".join(f"`{mode.name}`" for mode in config.modes if mode.held):
        lines.append(
            f"- {held}: no payload is output before its packet is verified (`hold=on`)."
            if config.hold == "on"
            else f"- {held}: payload is output before its packet is verified (`hold=off`): do not "
            'use it\n  before the verdict, and discard it if that is "failed".'
        )
    if not all(mode.verifies for mode in config.modes):
        lines.append(
            "- A mode without a tag does not authenticate: a changed ciphertext is decrypted to a "
            "changed\n  plaintext, and nothing reports it."
        )
    return "\n".join(lines) + "\n"


def promises(config: Config) -> list[tuple[str, str, str]]:
    """Key size, mode with direction, and cycles for beats, of each that a configuration has."""
    found = []
    for bits in config.key_sizes:
        for mode in (mode for mode in config.modes if bits in mode.key_sizes):
            for decrypt in decrypts(config, mode):
                promise = packet_promise(config, promised(config.cipher, bits), mode, decrypt)
                beats_of = "a beat" if promise.per == 1 else f"{promise.per} beats"
                verb = ("verify" if mode.mac else "decrypt") if decrypt else "encrypt"
                if mode.wraps:
                    verb = "unwrap" if decrypt else "wrap"
                verb = "make a tag" if mode.mac and not decrypt else verb
                found.append(
                    (str(bits), f"{mode.name}, {verb}", f"{promise.interval} for {beats_of}")
                )
    return found


def patience(config: Config) -> int:
    """Cycles in which a beat is over, however it stalls."""
    core = [promised(config.cipher, bits) for bits in config.key_sizes]
    steps = longest_beat(config)
    tweak = max(tweak_latency(config, bits) for bits in config.key_sizes)
    return (
        1000
        + opening_cycles(config)
        + held_lines(config)
        + 4 * tweak
        + 4 * max(p.key_setup + (steps + 4) * (p.latency + p.interval) for p in core)
    )


def sizes(contract: Contract) -> dict[str, str]:
    """Bits of a beat's data and of its number of bytes, and of the largest step of a testbench."""
    widths = {p.name: p.width for name in ("pkt", "out") for p in contract.channel(name).payload}
    data, size = widths.get("out_data_o", 128), widths.get("out_bytes_o", 5)
    # A key, a header and its other fields, a beat.
    first = widths["pkt_iv_i"]
    largest = max(256, first + 4 + 5 + 1 + 5 + 4 + 32 + 32, data + size + 4)
    bits = {"data_bits": data, "bytes_bits": size, "iv_bits": first, "payload_bits": largest}
    return {name: str(value) for name, value in bits.items()}


def signals(used: Contract) -> list[str]:
    """The declarations of all ports of packets, also those that a configuration does not use."""
    contract = tweaks(slotted(packets(), max(AXES["key_slots"].numbers)))
    wide = {
        port.name: port.width
        for channel in used.channels
        for port in channel.payload
        if port.name.startswith(("in_", "out_", "pkt_iv_i"))
    }
    ports = [(port.name, wide.get(port.name, port.width)) for port in contract.ports]
    ports.append(("in_sboxes_i", 2))
    ports += [(port.name, 1) for port in used.signals if port in ALARMS]
    return [f"logic {f'[{width - 1}:0] ' if width > 1 else ''}{name};" for name, width in ports]


def _connection(port: Port) -> tuple[str, str]:
    """A port and its signal; signals of slots have room for the most slots."""
    slot = port.name in ("key_slot_i", "pkt_slot_i")
    return port.name, f"{port.name}[{port.width - 1}:0]" if slot else port.name


def connections(contract: Contract) -> tuple[list[str], list[tuple[str, str]]]:
    """Declarations between the signals of the testbench and the ports, and what each port gets."""
    if not contract.channel("in").handshake:
        return [], [_connection(port) for port in contract.ports]
    (size,) = (p.width for p in contract.ports if p.name == "m_axis_tkeep")
    wires = {
        "s_axis_tvalid": "in_valid_i",
        "s_axis_tkeep": f"{size}'(({size + 1}'d1 << in_bytes_i) - {size + 1}'d1)",
        "s_axis_tuser": "{in_sboxes_i, in_abort_i, in_kind_i}",
        "s_axis_tlast": "in_last_i",
        "s_axis_tid": "in_stream_i",
        "m_axis_tready": "out_ready_i",
    }
    signals = {
        "in_ready_o": "s_axis_tready",
        "out_valid_o": "m_axis_tvalid",
        # No number of bytes, if the mask has a gap.
        "out_bytes_o": f"|(m_axis_tkeep & (m_axis_tkeep + {size}'d1)) ? '1 : "
        "$countones(m_axis_tkeep)",
        "out_kind_o": "m_axis_tuser",
        "out_last_o": "m_axis_tlast",
        "out_stream_o": "m_axis_tid",
    }
    streams = [port for port in contract.ports if "_axis_" in port.name]
    names = {port.name for port in streams}
    lines = ["// Between the beats of the bench and the streams: byte 0 is in the low byte there."]
    lines += [f"logic {f'[{p.width - 1}:0] ' if p.width > 1 else ''}{p.name};" for p in streams]
    lines += [
        f"for (genvar k = 0; k < {size}; k++) begin : gen_byte",
        f"  assign s_axis_tdata[8*k +: 8] = in_data_i[8*({size - 1}-k) +: 8];",
        f"  assign out_data_o[8*({size - 1}-k) +: 8] = m_axis_tdata[8*k +: 8];",
        "end",
    ]
    lines += [f"assign {name} = {value};" for name, value in wires.items() if name in names]
    lines += [
        f"assign {name} = {value};"
        for name, value in signals.items()
        if set(re.findall(r"m_axis_\w+|s_axis_\w+", value)) <= names
    ]
    return lines, [_connection(port) for port in contract.ports]


def example(config: Config) -> list[tuple[str, str, str]]:
    """A packet of one block in the first mode: what, its bytes, and the values of ports."""
    mode, bits = config.modes[0], config.key_sizes[0]
    block = config.block_bytes
    key, data = paired(config, bytes(range(bits // 8))), APPENDIX_C.ljust(block, b"\0")
    iv = bytes(range(16, 16 + block))
    header = opening(mode.name, decrypts(config, mode)[0], iv, 16, 0, len(data), block)
    secret = used(config, mode.name, key)
    if mode.wraps and header.decrypt:
        data = wrap("kwp", secret, data[:8]) or b""
    given, *rest = outputs(config, header, secret, beats(header, data))
    payload, code = key_payload(key[: bits // 8], config)
    rows = [
        ("key", key[: bits // 8].hex(" "), f"`key_i = 256'h{payload.hex()}`, `key_len_i = {code}`")
    ]
    if config.two_keys:
        tweak = key[bits // 8 :]
        value = tweak.ljust(32, b"\0").hex()
        rows.append(("second key", tweak.hex(" "), f"`key_tweak_i = 256'h{value}`"))
    if mode.iv:
        iv = header.iv if mode.any_block else header.iv[: mode.iv]
        rows.append(("IV", iv.hex(" "), f"`pkt_iv_i = {8 * block}'h{header.iv.hex()}`"))
    if mode.lengths_ahead:
        sizes = (("iv", header.iv_bytes), ("aad", 0), ("payload", header.payload_bytes))
        lengths = ", ".join(f"`pkt_{name}_bytes_i = {size}`" for name, size in sizes)
        rows.append(("lengths", "", lengths))
    size = config.beat_bytes
    bits = 8 * size

    def value_low(data: bytes) -> str:
        return f"{bits}'h{data[::-1].hex()}"

    value = data.ljust(size, bytes(1)).hex()
    sent = f"`in_data_i = {bits}'h{value}`, `in_bytes_i = {len(data)}`, last"
    if config.port == "axi-stream":
        low, kept = value_low(data), (1 << len(data)) - 1
        sent = f"`s_axis_tdata = {low}`, `s_axis_tkeep = {size}'h{kept:x}`, last"
    rows.append(("beat", data.hex(" "), sent))

    def shown(data: bytes) -> str:
        if config.port == "axi-stream":
            return f"`m_axis_tdata = {value_low(data)}`"
        return f"`out_data_o = {bits}'h{data.ljust(size, bytes(1)).hex()}`"

    rows.append(("tag" if mode.mac else "result", given.data.hex(" "), shown(given.data)))
    for beat in rest:
        what = {"payload": "", "tag": "tag", "verified": "verdict"}[beat.kind]
        rows.append((what, beat.data.hex(" "), f"{shown(beat.data)}, last"))
    return rows


@dataclass
class Scenario:
    """The steps of the testbench as calls of its tasks.

    `steps` counts the calls that are steps, `beats` those that expect a beat.
    """

    config: Config
    lines: list[str] = field(default_factory=list)
    steps: int = 0
    beats: int = 0
    packets: int = 0
    keys: int = 0
    secret: bytes = b""
    slot: int = 0

    @classmethod
    def of(cls, config: Config) -> "Scenario":
        """Every mode, key size and direction: examples of the standards, then random packets."""
        scenario, rng = cls(config), random.Random(str(config))
        for bits in config.key_sizes:
            scenario.standard(bits)
        scenario.shuffled(rng)
        return scenario

    def say(self, comment: str) -> None:
        """A comment."""
        self.lines += ["", f"// {comment}"] if self.lines else [f"// {comment}"]

    def step(self, call: str, steps: int = 1) -> None:
        """A call of a task, which adds so many steps."""
        self.lines.append(f"{call};")
        self.steps += steps

    @property
    def _slot(self) -> str:
        """The slot as an argument of a task; register ports have one key."""
        return "" if self.config.port in REGISTER_PORTS else f", 4'd{self.slot}"

    def key(self, key: bytes) -> None:
        """A key for the following packets."""
        self.secret = key
        self.keys += 1
        first = key[: len(key) // 2] if self.config.two_keys else key
        second = key[len(first) :].ljust(32, b"\0").hex()
        payload, _ = key_payload(first, self.config)
        self.slot = self.keys % int(self.config.key_slots)
        code = f"2'd{LEN_CODE[8 * len(first)]}"
        self.step(f"key(256'h{payload.hex()}, {code}, 256'h{second}{self._slot})", 3)

    def packet(self, packet: Packet, rng: random.Random, complete: bool = True) -> None:
        """A packet and the beats that it outputs; only its first beats if it is not complete."""
        header, narrow = packet
        given = widened(narrow, int(self.config.lanes))
        self.packets += complete
        self.step(
            f"header(5'd{MODES[header.mode].code}, 1'b{int(header.decrypt)}, "
            f"{8 * len(header.iv)}'h{header.iv.hex()}, 5'd{header.tag_bytes}, "
            f"4'd{header.iv_bytes}, 32'd{header.aad_bytes}, 32'd{header.payload_bytes}{self._slot})"
        )
        # The beats that a packet outputs are expected before it is sent.
        secret = used(self.config, header.mode, self.secret)
        for beat in outputs(self.config, header, secret, given):
            self.expects(beat)
        for beat in given if complete else given[:-1]:
            filled = beat.data + rng.randbytes(self._beat - len(beat.data))
            self.step(
                f"beat({self._sized(filled, len(beat.data))}, 2'd{KIND[beat.kind]}, "
                f"1'b{int(beat.last)}, 1'b{int(beat.abort)})"
            )

    def expects(self, beat: Beat) -> None:
        """A beat of the output."""
        self.beats += 1
        data = self._sized(beat.data.ljust(self._beat, b"\0"), len(beat.data))
        kind = KIND_OUT[beat.kind]
        self.lines.append(f"expects({data}, 2'd{kind}, 1'b{int(beat.last)});")

    @property
    def _beat(self) -> int:
        """Bytes of a beat."""
        return self.config.beat_bytes

    def _sized(self, data: bytes, size: int) -> str:
        """Data and its number of bytes as arguments of a task."""
        bits = (self._beat - 1).bit_length() + 1
        return f"{8 * self._beat}'h{data.hex()}, {bits}'d{size}"

    def standard(self, bits: int) -> None:
        """The examples of the standards, and packets of each mode, at full speed."""
        rng = random.Random(bits)
        self.say(f"{bits}-bit keys: examples of the standards.")
        self.step("pace(0, 0)")
        for mode in self.config.modes:
            for vector in examples(mode.name) if self.config.block == "128" else ():
                fits = vector.decrypt in decrypts(self.config, mode)
                wide = mode.name != "ctr" or int(self.config.counter_bits) >= 32
                first = len(vector.key) // (2 if mode.two_keys else 1)
                if 8 * first == bits and fits and wide:
                    self.say(vector.name)
                    self.key(vector.key if mode.two_keys else paired(self.config, vector.key))
                    self.packet(vector_packet(vector, vector.decrypt), rng)
            self.say(f"{mode.name}: packets of whole and partial blocks.")
            self.key(paired(self.config, rng.randbytes(bits // 8)))
            beat, block = self._beat, self.config.block_bytes
            sizes = [0, 3, block, block + 3, 2 * block]
            sizes = sizes if beat == block else [0, 3, block, beat - 1, beat, 2 * beat + 19]
            for size in sizes if mode.steps < 128 else [0, 1]:
                for decrypt in decrypts(self.config, mode):
                    data = rng.randbytes(size)
                    tag, aad = None, rng.randbytes(size // 2) if mode.aad else b""
                    lengths = 16 if mode.tag else 0, len(aad), len(data), block
                    header = opening(mode.name, decrypt, rng.randbytes(block), *lengths)
                    secret, iv = used(self.config, mode.name, self.secret), header.iv[: mode.iv]
                    if mode.wraps and decrypt:
                        data = wrap(mode.name, secret, data) or data
                    if mode.tag and decrypt:
                        data, tag = to_verify(mode.name, secret, iv, aad, data)
                    self.packet((header, beats(header, data, tag, aad=aad)), rng)
        self.step("drain")

    def shuffled(self, rng: random.Random) -> None:
        """Random packets with random pauses, aborts and wrong tags, and clears in between."""
        for number in range(8 * len(self.config.key_sizes)):
            self.say("Random packets with pauses.")
            paces = ", ".join(str(rng.choice((0, 64, 128, 224))) for _ in range(2))
            self.step(f"pace({paces})")
            self.key(random_key(rng, self.config))
            for _ in range(rng.randrange(2, 8)):
                packet = random_packet(rng, self.config, self.secret)
                header, given = packet
                self.packet((replace(header, stream=0), given), rng)
            if number % 3 == 2:
                self.step("clear")
