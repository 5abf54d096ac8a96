"""The axes of the design space, and a point of it.

An axis is one field of `Config` and one `axis=value` on the command line. An axis of the core is
one parameter of `aes_cipher`; its values are numbers, off and on, or the constants `AXIS_*` of
`rtl/common/aes_pkg.sv`, so that a new alternative is named once, there. An axis of another layer
selects what is stacked on the core (`aesforge.core.stack`); its first value is nothing. A protected
core is a module of its own beside `aes_cipher`, with its own ports: its axes are its parameters.
`protection=fault` is a layer, the innermost one, around any core of blocks.
"""

from dataclasses import dataclass, fields, replace
from functools import cached_property

from aesforge.core.sources import codes
from aesforge.errors import UserError, unknown
from aesforge.space.modes import MODES, NONE, Mode, listed

KEY_BITS = (128, 192, 256)
BLOCK_BITS = (128, 192, 256)
DIRECTIONS = ("encrypt", "decrypt")
SBOXES = (1, 2, 4)


@dataclass(frozen=True)
class Axis:
    """A dimension of the design space. `numbers` are its values when they are numbers.

    `names` are the values of an axis of another layer than the core, which has no parameter; with
    `several`, also lists of them. `layer` is the layer, or the protection, that it belongs to. An
    axis that `protects` selects a protected core or the layer of a protection, or is a parameter of
    the core.
    """

    name: str
    parameter: str
    doc: str
    numbers: tuple[int, ...] = ()
    switch: bool = False
    names: tuple[str, ...] = ()
    several: bool = False
    layer: str = ""
    protects: bool = False

    def chosen(self, value: str) -> str:
        """A value, checked, as a `Config` has it: lists in the order of `names`."""
        given = self._named(value)
        for name in given:
            if name not in self.values:
                raise unknown(f"value of {self.name}", name, self.values)
        if len(set(given)) < len(given) or (len(given) > 1 and self.names[0] in given):
            raise UserError(
                f"{self.name}={value} is not a list of different values; give each once, such as "
                f"{self.name}={','.join(self.names[1:3])}"
            )
        return ",".join(sorted(given, key=list(self.values).index))

    def has(self, value: str) -> bool:
        """Whether a value of a `Config` is legal."""
        return all(name in self.values for name in self._named(value))

    def _named(self, value: str) -> list[str]:
        return value.split(",") if self.several else [value]

    @cached_property
    def values(self) -> dict[str, int]:
        """Each legal value and the integer that the RTL parameter takes for it."""
        if self.switch:
            return {"off": 0, "on": 1}
        if self.names:
            return {name: code for code, name in enumerate(self.names)}
        prefix = f"{self.name.upper()}_"
        return {str(number): number for number in self.numbers} | {
            name.removeprefix(prefix).lower(): code
            for name, code in codes().items()
            if name.startswith(prefix)
        }


LOCKSTEP = "fault"
"""The protection that is a layer around any core; each other one is a core of its own."""

LOCKSTEP_DOC = "two copies of the core are compared, and a difference clears both and stops them"

AXES = {
    axis.name: axis
    for axis in (
        Axis("engine", "Engine", "how the rounds of a block are laid out in time and space"),
        Axis("keys", "KeyBits", "key size in bits, or any: selected per key", KEY_BITS),
        Axis("block", "BlockBits", "block size in bits: that of AES, or of Rijndael", BLOCK_BITS),
        Axis("direction", "Direction", "encrypt, decrypt, or both: selected per block"),
        Axis(
            "round",
            "Round",
            "SubBytes and MixColumns as separate logic, or one look-up (T-box) for both",
        ),
        Axis("sbox", "Sbox", "implementation of SubBytes, or of the T-box"),
        Axis(
            "key_schedule",
            "KeySchedule",
            "round keys stored before the blocks, or computed for each round (batch: once for all "
            "blocks of a batch; given: the last round key arrives with the key; loaded: the round "
            "keys arrive instead of the key)",
        ),
        Axis(
            "overlap",
            "Overlap",
            "iterative: the next block enters in the cycle of the last round of the previous block",
            switch=True,
        ),
        Axis(
            "rounds_per_cycle",
            "RoundsPerCycle",
            "iterative, overlap=on: rounds of a block in each cycle",
            (1, 2, 5, 10),
        ),
        Axis("stages", "Stages", "pipeline stages of a round", tuple(range(1, 14))),
        Axis(
            "sbox_registers",
            "SboxRegisters",
            "sub-pipeline registers in an S-box, at most stages - 2",
            tuple(range(10)),
        ),
        Axis(
            "stop_cycles",
            "StopCycles",
            "unrolled: cycles from a result that stalls until the rounds stop",
            (1, 2),
        ),
        Axis("width", "Width", "bits of the data path; 128 is a whole round", (8, 32, 128)),
        Axis(
            "switchable",
            "Switchable",
            "serial: the number of S-boxes in use is selected per block",
            switch=True,
        ),
        Axis("sboxes", "Sboxes", "serial: S-boxes of the data path", SBOXES),
        Axis(
            "idle_output",
            "IdleOutput",
            "the output while no result is valid: zero, or the bare register, which may hold an "
            "intermediate value of a block",
        ),
        Axis(
            "protection",
            "",
            "masked: keys and blocks are in shares, and the core takes fresh random bits; fault: "
            f"{LOCKSTEP_DOC}",
            names=("none", "masked", "fault"),
            protects=True,
        ),
        Axis(
            "shares",
            "Shares",
            "protection=masked: shares of a value",
            numbers=(2, 3),
            protects=True,
        ),
        Axis(
            "gadget",
            "Gadget",
            "protection=masked: how shares are multiplied",
            names=("dom", "dom-refreshed", "hpc3"),
            protects=True,
        ),
        Axis(
            "random",
            "",
            "protection=masked: fresh random bits come from a port, or from a generator in the "
            "core, to which a seed is given after each reset",
            names=("port", "trivium"),
            layer="protection",
        ),
        Axis(
            "self_test",
            "",
            "on: after each reset the core must give the known answers of FIPS 197 before it takes "
            "a key; if one is wrong, it never takes any",
            names=("off", "on"),
        ),
        Axis(
            "mode",
            "",
            "mode of operation on packets, or a list such as ecb,ctr: selected per packet",
            names=(NONE, *MODES),
            several=True,
        ),
        Axis(
            "streams",
            "Streams",
            "mode: packets that may be interleaved beat by beat",
            (1, 2, 4, 8, 16, 32, 64),
            layer="mode",
        ),
        Axis(
            "counter_bits",
            "CounterBits",
            "mode=ctr: bits of the counter block that are incremented",
            tuple(range(1, 129)),
            layer="mode",
        ),
        Axis(
            "semiblocks",
            "Semiblocks",
            "mode=kw, kwp: semiblocks of 8 bytes of the longest packet, which a memory holds",
            tuple(2**power for power in range(1, 13)),
            layer="mode",
        ),
        Axis(
            "payload_bytes",
            "PayloadBytes",
            "mode=gcm-siv: bytes of payload that a packet may have, which a memory holds",
            tuple(2**k for k in range(6, 17)),
            layer="mode",
        ),
        Axis(
            "key_slots",
            "Slots",
            "mode: keys that are stored; each packet selects one of them",
            (1, 2, 4, 8, 16),
            layer="mode",
        ),
        Axis(
            "lanes",
            "Lanes",
            "mode=ctr, xts, gcm: cores in parallel, one for each block of a beat of so many",
            (1, 2, 4, 8),
            layer="mode",
        ),
        Axis(
            "hold",
            "",
            "modes with payload and tag: on: no payload of a packet is output before it is "
            "verified; off: payload is output at once",
            names=("off", "on"),
        ),
        Axis(
            "hold_bytes",
            "HoldBytes",
            "hold=on: bytes of payload that a packet to verify may have; longer ones fail",
            tuple(2**k for k in range(6, 17)),
            layer="hold",
        ),
        Axis(
            "port",
            "",
            "what the core is connected to: its own ports, 32-bit words for blocks, AXI4-Stream "
            "for the data of packets, or a bus of registers",
            names=("native", "word32", "axi-stream", "axi-lite", "apb", "wishbone", "tl-ul"),
        ),
        Axis(
            "sideload",
            "",
            "a bus of registers: keys may come through a port of their own, which software does "
            "not see",
            switch=True,
            layer="registers",
        ),
        Axis(
            "stream_port",
            "",
            "a bus of registers: the data of packets passes an AXI4-Stream port beside it",
            switch=True,
            layer="registers",
        ),
    )
}

NOTICES = {
    ("sbox", "shallow"): "sbox=shallow resembles the subject of US 11,943,332 and EP 3957023: have "
    "their claims read before you use it (docs/sboxes.md)"
}
"""What a user must know of a value before choosing it: no preset has it unless it is asked for."""

PROTECTION_AXES = {name: axis for name, axis in AXES.items() if axis.protects}
"""The axes of protected cores: the choice of one, and its parameters."""

CORE_AXES = {
    name: axis
    for name, axis in AXES.items()
    if not axis.names and not axis.layer and not axis.protects
}
"""The axes of the core: the parameters of `aes_cipher`."""

OWN_AXES = CORE_AXES | PROTECTION_AXES
"""The axes of a core without layers, protected or not."""

AROUND = ("protection", "self_test")
"""The axes of layers directly around a core, with its ports, innermost first."""

LAYERS = {name: axis for name, axis in AXES.items() if axis.names and not axis.protects}
"""The axes of what is stacked on the core, innermost first. Every preset has all their values."""


@dataclass(frozen=True)
class Config:
    """One point of the design space; each field is an axis."""

    engine: str = "iterative"
    keys: str = "any"
    block: str = "128"
    direction: str = "both"
    round: str = "sbox"
    sbox: str = "table"
    key_schedule: str = "stored"
    overlap: str = "off"
    rounds_per_cycle: str = "1"
    stages: str = "1"
    sbox_registers: str = "0"
    stop_cycles: str = "1"
    width: str = "128"
    switchable: str = "off"
    sboxes: str = "4"
    idle_output: str = "register"
    protection: str = "none"
    shares: str = "2"
    gadget: str = "dom-refreshed"
    random: str = "port"
    self_test: str = "off"
    mode: str = "none"
    streams: str = "1"
    counter_bits: str = "128"
    semiblocks: str = "64"
    payload_bytes: str = "2048"
    key_slots: str = "1"
    lanes: str = "1"
    hold: str = "off"
    hold_bytes: str = "2048"
    port: str = "native"
    sideload: str = "off"
    stream_port: str = "off"

    @property
    def core(self) -> "Config":
        """The bare core of this point."""
        default = Config()
        above = {name for name in AXES if name not in OWN_AXES}
        above |= {"protection"} if self.protection == LOCKSTEP else set()
        return replace(self, **{name: getattr(default, name) for name in above})

    @property
    def cipher(self) -> "Config":
        """The core and the layers directly around it, which have its ports."""
        return replace(self.core, **{axis: getattr(self, axis) for axis in AROUND})

    @property
    def notices(self) -> list[str]:
        """What a user must know before using this point; usually nothing."""
        has = self.as_dict()
        return [text for (axis, value), text in NOTICES.items() if has[axis] == value]

    @property
    def block_bytes(self) -> int:
        """Bytes of a block."""
        return int(self.block) // 8

    @property
    def beat_bytes(self) -> int:
        """Bytes of a whole beat of a packet: a block for each lane."""
        return self.block_bytes * int(self.lanes)

    @property
    def modes(self) -> tuple[Mode, ...]:
        """The modes that a packet may select; () for blocks."""
        return listed(self.mode)

    def decrypts(self, mode: Mode) -> tuple[bool, ...]:
        """The directions of packets in a mode."""
        if not mode.inverse:
            return False, True
        return tuple(direction == "decrypt" for direction in self.directions)

    @property
    def registers(self) -> bool:
        """Whether the port is a bus of registers."""
        return self.port not in ("native", "word32", "axi-stream")

    @property
    def two_keys(self) -> bool:
        """Whether keys are pairs: a mode has a second key, of the same size as the core's."""
        return any(mode.two_keys for mode in self.modes)

    @property
    def tweak_core(self) -> "Config":
        """The second core of XTS, which encrypts tweaks at the clock of the core.

        Beside a pipeline it has a pipeline of such stages, which holds as many tweaks as stages;
        else it is 8 bits wide, which takes less time than 32 blocks do.
        """
        sbox = self.sbox if self.sbox in ("tower", "lean", "nibbles", "inverse_table") else "table"
        small = Config(
            keys=self.keys,
            direction="encrypt",
            sbox=sbox,
            key_schedule="on_the_fly",
        )
        registers = int(self.sbox_registers)
        if int(self.stages) > 1:
            stages = str(min(int(self.stages), registers + 3))
            return replace(
                small, engine="interleaved", stages=stages, sbox_registers=self.sbox_registers
            )
        if self.engine == "unrolled":
            return small
        switchable = "off" if self.keys == "128" else "on"
        return replace(small, engine="serial", width="8", switchable=switchable, sboxes="1")

    @property
    def registered(self) -> bool:
        """Whether registers separate a mode from the core, since it would limit the clock.

        Only where no block waits for a result, which they make later.
        """
        waits = any(
            mode.serial_encryption or mode.serial_decryption or mode.buffers for mode in self.modes
        )
        return bool(self.modes) and not waits and self.engine in ("interleaved", "unrolled")

    @property
    def stacked(self) -> dict[str, str]:
        """The layers that are stacked on the core, innermost first: axis and value."""
        chosen = {name: getattr(self, name) for name in LAYERS}
        above = {name: value for name, value in chosen.items() if value != LAYERS[name].names[0]}
        around = {"protection": LOCKSTEP} if self.protection == LOCKSTEP else {}
        return around | above

    @property
    def layered(self) -> dict[str, str]:
        """The values of axes that are not the core's, as far as they depart from a bare core."""
        bare = self.core
        return {
            name: getattr(self, name) for name in AXES if getattr(self, name) != getattr(bare, name)
        }

    @property
    def key_sizes(self) -> tuple[int, ...]:
        """Key sizes in bits that the core takes."""
        return KEY_BITS if self.keys == "any" else (int(self.keys),)

    @property
    def directions(self) -> tuple[str, ...]:
        """The directions that the core supports."""
        return DIRECTIONS if self.direction == "both" else (self.direction,)

    @property
    def parameters(self) -> dict[str, int]:
        """The parameters of `aes_cipher`, or of the protected core, for this point."""
        axes = PROTECTION_AXES if self.protected else CORE_AXES
        return {
            axis.parameter: axis.values[getattr(self, axis.name)]
            for axis in axes.values()
            if axis.parameter
        }

    @property
    def protected(self) -> bool:
        """Whether the core is a protected one, with ports of its own."""
        return self.protection not in ("none", LOCKSTEP)

    @property
    def selectable_sboxes(self) -> tuple[int, ...]:
        """The numbers of S-boxes that a block may select, largest first; () if not switchable."""
        if self.switchable == "off":
            return ()
        return tuple(number for number in SBOXES[::-1] if number <= int(self.sboxes))

    @property
    def selections(self) -> tuple["Config", ...]:
        """The modes that a block may select, each as a configuration; this point comes first."""
        choices = (replace(self, sboxes=str(number)) for number in self.selectable_sboxes)
        return tuple(choices) or (self,)

    @property
    def module(self) -> str:
        """The core below `aes_cipher`: aes_ENGINE[WIDTH][_switchable][_overlap][_otf|_batch].

        The unrolled core takes its key schedule as a parameter, so its name has no ending for it. A
        protected core is aes_PROTECTION_ENGINE[WIDTH].
        """
        width = self.width if self.width != "128" else ""
        if self.protected:
            return f"aes_{self.protection}_{self.engine}{width}"
        name = f"aes_{self.engine}"
        if self.engine == "unrolled":
            return name
        name += width
        for axis in ("switchable", "overlap"):
            if getattr(self, axis) == "on":
                name += f"_{axis}"
        endings = {"stored": "", "batch": "_batch", "on_the_fly": "_otf", "given": "_otf"}
        return name + endings[self.key_schedule]

    def as_dict(self) -> dict[str, str]:
        """Axis by axis, for JSON."""
        return {axis: getattr(self, axis) for axis in AXES}

    def __str__(self) -> str:
        return " ".join(f"{name}={value}" for name, value in self.as_dict().items())


assert tuple(AXES) == tuple(field.name for field in fields(Config))
