"""The design space: axes, presets, what is legal, and what each configuration promises.

An axis is one field of `Config`, one `axis=value` on the command line and one parameter of
`aes_cipher`. Its values are the constants `AXIS_*` of `rtl/field/aes_pkg.sv`, so that a new
alternative is named once, there.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from functools import cache

from aesforge.errors import UserError, unknown
from aesforge.sources import codes

KEY_BITS = (128, 192, 256)
DIRECTIONS = ("encrypt", "decrypt")
SBOXES = (1, 2, 4)


@dataclass(frozen=True)
class Axis:
    """A dimension of the design space."""

    name: str
    parameter: str
    doc: str
    numbers: tuple[int, ...] = ()

    @property
    def values(self) -> dict[str, int]:
        """Each legal value and the integer that the RTL parameter takes for it."""
        prefix = f"{self.name.upper()}_"
        return {str(number): number for number in self.numbers} | {
            name.removeprefix(prefix).lower(): code
            for name, code in codes().items()
            if name.startswith(prefix)
        }


AXES = {
    axis.name: axis
    for axis in (
        Axis("architecture", "Architecture", "how the rounds are laid out in time and space"),
        Axis("keys", "KeyBits", "key size in bits, or any: told with each key", KEY_BITS),
        Axis("direction", "Direction", "encrypt, decrypt, or both: told with each block"),
        Axis("round", "Round", "SubBytes and MixColumns by themselves, or one look-up for both"),
        Axis("sbox", "Sbox", "how SubBytes is made, or the T-box"),
        Axis(
            "key_schedule",
            "KeySchedule",
            "round keys stored ahead, or each computed for its round; given: the last with the key",
        ),
        Axis("stages", "Stages", "pipeline stages of a round", tuple(range(1, 14))),
        Axis(
            "sbox_cuts",
            "SboxCuts",
            "registers within an S-box, at most stages - 2",
            tuple(range(10)),
        ),
        Axis("sboxes", "Sboxes", "S-boxes of a serial core; with each block, how many run", SBOXES),
    )
}


@dataclass(frozen=True)
class Promise:
    """What a configuration does with one key size, in clocks.

    `latency`: from the clock that accepts a block to the first that offers its result.
    `interval`: from block to block when neither side stalls, `per` blocks at a time.
    `key_setup`: clocks between the one that brings a key and the first that may use it.
    `gives_way`: blocks that a stream under the old key falls behind while a new key is set up.
    `stop`: clocks from one in which a result waits to one in which the rounds stand still for it.
    """

    latency: int
    interval: int
    key_setup: int
    per: int = 1
    gives_way: int = 0
    stop: int = 1

    @property
    def cycles_per_block(self) -> float:
        """Clocks per block, sustained."""
        return self.interval / self.per


@dataclass(frozen=True)
class Config:
    """One point of the design space; each field is an axis and an RTL parameter."""

    architecture: str = "iterative"
    keys: str = "any"
    direction: str = "both"
    round: str = "sbox"
    sbox: str = "table"
    key_schedule: str = "stored"
    stages: str = "1"
    sbox_cuts: str = "0"
    sboxes: str = "4"

    @property
    def key_sizes(self) -> tuple[int, ...]:
        """Key sizes in bits that the core takes."""
        return KEY_BITS if self.keys == "any" else (int(self.keys),)

    @property
    def directions(self) -> tuple[str, ...]:
        """Of encrypt and decrypt, those that the core can do."""
        return DIRECTIONS if self.direction == "both" else (self.direction,)

    @property
    def parameters(self) -> dict[str, int]:
        """The parameters of `aes_cipher` for this point."""
        return {axis.parameter: axis.values[getattr(self, axis.name)] for axis in AXES.values()}

    @property
    def sboxes_told(self) -> tuple[int, ...]:
        """How many S-boxes may run, told with each block, the most first; () if none is asked."""
        if not self._core.sboxes_told:
            return ()
        return tuple(number for number in SBOXES[::-1] if number <= int(self.sboxes))

    @property
    def runs(self) -> tuple["Config", ...]:
        """What the core can be told to be, block by block, as cores of their own, itself first."""
        return tuple(replace(self, sboxes=str(number)) for number in self.sboxes_told) or (self,)

    def promise(self, key_bits: int) -> Promise:
        """What the core promises for a key of `key_bits`, when all of its S-boxes run."""
        return self._core.promise(self, key_bits)

    @property
    def module(self) -> str:
        """The core of `rtl/cipher/` that it is."""
        return self._core.module

    @property
    def lacks(self) -> str:
        """Why the core cannot be made so; empty when it can."""
        return self._core.lacks(self)

    @property
    def _core(self) -> "_Core":
        return _CORES[self.architecture, self.key_schedule]

    def as_dict(self) -> dict[str, str]:
        """Axis by axis, for JSON."""
        return asdict(self)

    def __str__(self) -> str:
        return " ".join(f"{name}={value}" for name, value in self.as_dict().items())


def rounds(key_bits: int) -> int:
    """Nr of FIPS 197, table 3."""
    return key_bits // 32 + 6


def _iterative(_config: Config, key_bits: int) -> Promise:
    nr = rounds(key_bits)
    return Promise(latency=nr + 1, interval=nr + 1, key_setup=2 * (nr + 1))


def _feedback(config: Config, key_bits: int) -> Promise:
    nr = rounds(key_bits)
    # Decryption starts from the last round key, which a new key is run through to.
    derives = "decrypt" in config.directions and config.key_schedule == "on_the_fly"
    setup = nr if derives else 0
    return Promise(latency=nr + 1, interval=nr + 1, key_setup=setup, gives_way=-(-setup // nr))


def _feedback_lacks(config: Config) -> str:
    if config.direction == "encrypt" and config.key_schedule == "given":
        return "encryption starts from the key itself: take key_schedule=on_the_fly"
    if config.keys != "128" and config.key_schedule == "given":
        return "only a 128-bit key has room for its last round key: take keys=128"
    return ""


def _overlapped(_config: Config, key_bits: int) -> Promise:
    nr = rounds(key_bits)
    # A block is accepted in the clock of the last round of the block before, whose result leaves.
    return Promise(latency=nr, interval=nr, key_setup=0)


def _overlapped_stored(_config: Config, key_bits: int) -> Promise:
    nr = rounds(key_bits)
    # Two clocks for the SubWord of each round, two to start from the key, and two to go back to it.
    setup = 2 * (nr + 2)
    return Promise(latency=nr, interval=nr, key_setup=setup, gives_way=-(-setup // nr))


def _interleaved(config: Config, key_bits: int) -> Promise:
    nr, stages = rounds(key_bits), int(config.stages)
    setup, gives_way = 2 * (nr + 1), 0
    if "encrypt" in config.directions:
        # The schedule has a place in the loop, and with it the S-boxes once in `stages` clocks, the
        # first time in the clock after the key: enough for 4 words of it, or 6 of a 192-bit key.
        # S-boxes with a register in them answer a clock later, too late for 6 words in one turn.
        late = config.sbox in ("bram", "split")
        turns = -(-4 * (nr + 1) // (6 if key_bits == 192 else 4))
        turns = 2 * turns - 1 if late and key_bits == 192 else turns
        setup, gives_way = stages * turns - 1 + late, -(-turns // (nr + 1))
    return Promise(
        latency=stages * nr + 1,
        interval=stages * (nr + 1),
        key_setup=setup,
        per=stages,
        gives_way=gives_way,
    )


def _loop(config: Config, key_bits: int) -> Promise:
    nr, stages = rounds(key_bits), int(config.stages)
    # A party comes in as the one before leaves. SubWord is asked for in the clock behind a key.
    return Promise(latency=stages * nr, interval=stages * nr, key_setup=1, per=stages)


def _c_slow(config: Config, key_bits: int) -> Promise:
    nr, stages = rounds(key_bits), int(config.stages)
    # Decryption starts from the last round key, and encryption needs the window behind the first.
    turns = nr if "decrypt" in config.directions else 1
    return Promise(
        latency=stages * nr + 1,
        interval=stages * (nr + 1),
        key_setup=stages * turns + 1,
        per=stages,
        gives_way=stages,
    )


def _c_slow_lacks(config: Config) -> str:
    if int(config.stages) - int(config.sbox_cuts) == 4:
        return "there is one register behind the S-boxes at most: take one stage less"
    return _loop_lacks(config)


def _loop_lacks(config: Config) -> str:
    if config.stages == "1":
        return "blocks in a loop need stages: take stages=2 or more"
    return _cuts_lack(config)


def _serial(config: Config, key_bits: int) -> Promise:
    sboxes, nr = int(config.sboxes), rounds(key_bits)
    # A round has 16 bytes of the state and 4 of the round key; four S-boxes rest for a clock.
    a_round = 20 // sboxes + (sboxes == 4)
    latency = 5 + a_round * (nr - 1) + 16 // sboxes + 1
    # One S-box finds the round key that decryption starts from, whatever is told with blocks.
    setup = 1 + 8 * nr if "decrypt" in config.directions else 0
    return Promise(
        latency=latency, interval=latency, key_setup=setup, gives_way=-(-setup // latency)
    )


def _word_serial(_config: Config, key_bits: int) -> Promise:
    # A column a clock, that of the first AddRoundKey as the block comes in.
    nr = rounds(key_bits)
    return Promise(latency=4 * (nr + 1), interval=4 * (nr + 1), key_setup=2 * (nr + 1))


def _word_feedback(config: Config, key_bits: int) -> Promise:
    # A column a clock, and a word of the schedule; that of the first AddRoundKey as words come in.
    latency = 4 * (rounds(key_bits) + 1)
    # Decryption starts from the last words of the schedule, which a new key is run through to.
    setup = latency if "decrypt" in config.directions else 0
    return Promise(latency=latency, interval=latency, key_setup=setup, gives_way=setup // latency)


def _byte_serial(_config: Config, key_bits: int) -> Promise:
    # A byte a clock: 16 of the state in each AddRoundKey, 4 of each round key.
    nr = rounds(key_bits)
    latency = 16 * (nr + 1) + 4 * nr + 1
    return Promise(latency=latency, interval=latency, key_setup=0)


def _column_serial(config: Config, _key_bits: int) -> Promise:
    # The S-boxes are busy in every clock but four, in which words of a block come.
    latency = 4 + 200 // int(config.sboxes)
    # One S-box finds the round key that decryption starts from, whatever is told with blocks.
    setup = 205 if "decrypt" in config.directions else 0
    return Promise(
        latency=latency, interval=latency, key_setup=setup, gives_way=-(-setup // latency)
    )


def _pipelined(config: Config, key_bits: int) -> Promise:
    depth = int(config.stages) * max(rounds(bits) for bits in config.key_sizes)
    setup, gives_way = 0, 0
    if config.key_schedule == "stored":
        # A new key waits until the blocks in the rounds have left, and then blocks for the key. Its
        # SubWord is cut as the S-boxes of the rounds are when these have more than two cuts.
        cuts = int(config.sbox_cuts) if int(config.sbox_cuts) > 2 else 0
        setup = (2 + cuts) * rounds(key_bits) + ("decrypt" in config.directions)
        gives_way = depth + 1 + setup
    return Promise(latency=depth + 1, interval=1, key_setup=setup, gives_way=gives_way)


def _pipelined_lacks(config: Config) -> str:
    if config.key_schedule == "on_the_fly" and "decrypt" in config.directions:
        return "decryption starts from the last round key: take key_schedule=stored"
    return _cuts_lack(config)


def _deep(config: Config, key_bits: int) -> Promise:
    depth = int(config.stages) * max(rounds(bits) for bits in config.key_sizes)
    setup, gives_way = 0, 0
    if config.key_schedule == "stored":
        setup = 2 + (2 + int(config.sbox_cuts)) * rounds(key_bits)
        # A new key waits until the blocks in the rounds have left, and then blocks for the key.
        gives_way = depth + 1 + setup
    return Promise(depth + 1, 1, setup, gives_way=gives_way, stop=codes()["STOP_CLOCKS"])


def _deep_lacks(config: Config) -> str:
    if config.stages == "1":
        return "a stage for each round is no deep pipeline: take stages=2 or more"
    # The module takes them; what is not proven is not offered.
    if config.keys != "128":
        return (
            "the deep pipeline is proven for 128-bit keys: take keys=128 or architecture=pipelined"
        )
    if config.direction == "both":
        return "the deep pipeline is proven for one direction: take one, or architecture=pipelined"
    return _pipelined_lacks(config)


def _cuts_lack(config: Config) -> str:
    stages, cuts = int(config.stages), int(config.sbox_cuts)
    if cuts and config.sbox != "tower":
        return "only S-boxes in the tower field are cut: take sbox=tower or sbox_cuts=0"
    # One behind the S-boxes, one behind the round, and one or two may be in MixColumns.
    if (stages > 1 or cuts) and stages not in range(cuts + 2, cuts + 5):
        return f"a round with sbox_cuts={cuts} has stages={cuts + 2} to {cuts + 4}"
    return ""


@dataclass(frozen=True)
class _Core:
    """A module of `rtl/cipher/`, and what it promises in a configuration for a key size.

    `lacks` says why there is no such configuration of it, and is empty when there is. With each
    block it is told how many of its S-boxes run when `sboxes_told`.
    """

    module: str
    promise: Callable[[Config, int], Promise]
    lacks: Callable[[Config], str] = lambda _config: ""
    sboxes_told: bool = False


# By architecture and key schedule.
_CORES = {
    ("iterative", "stored"): _Core("aes_iterative", _iterative),
    ("iterative", "on_the_fly"): _Core("aes_feedback", _feedback),
    ("iterative", "given"): _Core("aes_feedback", _feedback, _feedback_lacks),
    ("overlapped", "on_the_fly"): _Core("aes_overlapped", _overlapped),
    ("overlapped", "stored"): _Core("aes_overlapped_stored", _overlapped_stored),
    ("interleaved", "stored"): _Core("aes_interleaved", _interleaved),
    ("interleaved", "on_the_fly"): _Core("aes_loop", _loop, _loop_lacks),
    ("c_slow", "on_the_fly"): _Core("aes_c_slow", _c_slow, _c_slow_lacks),
    ("serial", "on_the_fly"): _Core("aes_serial", _serial, sboxes_told=True),
    ("column_serial", "on_the_fly"): _Core("aes_column_serial", _column_serial, sboxes_told=True),
    ("word_serial", "stored"): _Core("aes_word_serial", _word_serial),
    ("word_serial", "on_the_fly"): _Core("aes_word_feedback", _word_feedback),
    ("byte_serial", "on_the_fly"): _Core("aes_byte_serial", _byte_serial),
    ("pipelined", "stored"): _Core("aes_pipelined", _pipelined, _pipelined_lacks),
    ("pipelined", "on_the_fly"): _Core("aes_pipelined", _pipelined, _pipelined_lacks),
    ("deep", "stored"): _Core("aes_deep", _deep, _deep_lacks),
    ("deep", "on_the_fly"): _Core("aes_deep", _deep, _deep_lacks),
}


@dataclass(frozen=True)
class Preset:
    """A named core: the axes that make it what it is, and those that stay free.

    `free` lists the legal values of each free axis, the default first; None for all. An axis that
    is in neither is as `Config` has it. Those of `tuned` may be chosen with any others, but are
    varied only where these are as the preset comes, lest there be too many configurations.
    """

    name: str
    source: str
    summary: str
    fixed: Mapping[str, str]
    free: Mapping[str, tuple[str, ...] | None]
    tuned: tuple[str, ...] = ()

    def legal(self, axis: str) -> tuple[str, ...]:
        """The values that `axis` may take in this preset, the default first."""
        if axis not in self.free:
            return (self.fixed.get(axis, getattr(Config(), axis)),)
        values = self.free[axis]
        return values if values is not None else tuple(AXES[axis].values)

    @property
    def config(self) -> Config:
        """The preset as it comes."""
        return Config(**{axis: self.legal(axis)[0] for axis in AXES})

    def told(self, config: Config) -> str:
        """What was chosen for a configuration of it: its free axes, as on the command line."""
        return " ".join(f"{axis}={getattr(config, axis)}" for axis in self.free)

    def configure(self, choices: Iterable[str]) -> Config:
        """The preset with `axis=value` choices applied; UserError on an illegal one."""
        config = self.config
        seen: dict[str, str] = {}
        for choice in choices:
            axis, equals, value = choice.partition("=")
            if not equals:
                raise UserError(f"'{choice}' is not of the form axis=value, such as keys=128")
            if axis not in AXES:
                raise unknown("axis", axis, AXES)
            if value not in AXES[axis].values:
                raise unknown(f"value of {axis}", value, AXES[axis].values)
            if value not in self.legal(axis):
                raise UserError(
                    f"{self.name} has {axis}={' or '.join(self.legal(axis))}, not {value}; "
                    f"choose another preset with 'aesforge list'"
                )
            if seen.setdefault(axis, value) != value:
                raise UserError(f"{axis} is given twice, as {seen[axis]} and {value}; give it once")
            config = replace(config, **{axis: value})
        if config.lacks:
            chosen = " with ".join(f"{axis}={value}" for axis, value in seen.items())
            raise UserError(f"{self.name} cannot have {chosen}: {config.lacks}")
        return config

    def configurations(self) -> tuple[Config, ...]:
        """Every configuration of the preset, but for what is tuned."""
        found: dict[Config, None] = {}
        for axes in ([axis for axis in self.free if axis not in self.tuned], self.tuned):
            configs = [self.config]
            for axis in axes:
                configs = [replace(c, **{axis: v}) for c in configs for v in self.legal(axis)]
            found |= dict.fromkeys(config for config in configs if not config.lacks)
        return tuple(found)


_ANY_KEYS = ("any", "128", "192", "256")
_FIXED_KEYS = ("128", "192", "256", "any")
_ANY_DIRECTION = ("both", "encrypt", "decrypt")


@cache
def presets() -> dict[str, Preset]:
    """All presets by name, in the order of `aesforge list`."""
    found = [
        Preset(
            "kakarlapudi-sbox",
            "Kakarlapudi & Alabur, fig. 4",
            "one round per clock on one register, S-boxes, round keys stored",
            {"architecture": "iterative", "round": "sbox"},
            {"keys": _ANY_KEYS, "direction": _ANY_DIRECTION, "sbox": ("table", "tower", "lean")},
        ),
        Preset(
            "kakarlapudi-tbox",
            "Kakarlapudi & Alabur, fig. 2, 3 and 5",
            "one round per clock on one register, T-boxes, round keys stored",
            {"architecture": "iterative", "round": "tbox"},
            {"keys": _ANY_KEYS, "direction": _ANY_DIRECTION, "sbox": ("table", "bram")},
        ),
        Preset(
            "bulens-encrypt",
            "Bulens et al., fig. 7, Virtex-5",
            "four-stage round loop, four blocks in flight, S-boxes shared with the key schedule",
            {"architecture": "interleaved", "stages": "4", "round": "sbox"},
            {
                "keys": _FIXED_KEYS,
                "direction": ("encrypt", "both"),
                "sbox": ("table", "tower", "lean"),
            },
        ),
        Preset(
            "bulens-decrypt",
            "Bulens et al., section 4, Virtex-5",
            "four-stage round loop, four blocks in flight, S-boxes of its own for the key schedule",
            {"architecture": "interleaved", "stages": "4", "direction": "decrypt", "round": "sbox"},
            {"keys": _FIXED_KEYS, "sbox": ("table", "tower", "lean")},
        ),
        Preset(
            "bulens-bram",
            "Bulens et al., section 4, Virtex-4",
            "the four-stage loop with {01, 02, 03} S in block RAM and one level of XOR behind it",
            {"architecture": "interleaved", "stages": "4", "round": "sbox", "sbox": "bram"},
            {"keys": _FIXED_KEYS, "direction": ("encrypt", "decrypt", "both")},
        ),
        Preset(
            "bulens-split",
            "Bulens et al., section 4, Spartan-3",
            "the four-stage loop for four-input LUTs: S-boxes in two stages, MixColumns in one",
            {"architecture": "interleaved", "stages": "4", "round": "sbox", "sbox": "split"},
            {"keys": _FIXED_KEYS, "direction": ("encrypt", "decrypt", "both")},
        ),
        Preset(
            "sklavos-ake",
            "Sklavos & Koufopavlou, fig. 1 and 2",
            "one round and its round key per clock, one circuit for both directions",
            {
                "architecture": "iterative",
                "keys": "128",
                "round": "sbox",
            },
            {
                "direction": _ANY_DIRECTION,
                "sbox": ("inverse_table", "bram", "table", "tower", "lean"),
                "key_schedule": ("on_the_fly", "given"),
            },
        ),
        Preset(
            "sklavos-arkl",
            "Sklavos & Koufopavlou, fig. 1 and 3",
            "all rounds unrolled, directions mixed block by block, round keys in RAM",
            {
                "architecture": "pipelined",
                "round": "sbox",
                "key_schedule": "stored",
                "stages": "1",
            },
            {
                "keys": _FIXED_KEYS,
                "direction": _ANY_DIRECTION,
                "sbox": ("inverse_table", "bram", "table", "tower", "lean"),
            },
        ),
        Preset(
            "fan",
            "Fan et al., fig. 1c and 3 to 5",
            "1, 2 or 4 S-boxes, told with each block (202, 104 or 64 clocks), beside one "
            "MixColumns for both directions",
            {
                "architecture": "serial",
                "round": "sbox",
                "key_schedule": "on_the_fly",
            },
            {
                "sboxes": ("4", "2", "1"),
                "keys": _FIXED_KEYS,
                "direction": _ANY_DIRECTION,
                "sbox": ("tower", "inverse_table", "table", "lean"),
            },
        ),
        *(
            Preset(
                f"hodjat-{sboxes}-{stages}",
                f"Hodjat & Verbauwhede, fig. {figures}",
                f"all rounds unrolled, {what} a round, a block per clock",
                {
                    "architecture": "pipelined",
                    "round": "sbox",
                    "sbox": sbox,
                    "stages": stages,
                    "sbox_cuts": cuts,
                },
                {
                    "key_schedule": ("on_the_fly", "stored"),
                    "keys": _FIXED_KEYS,
                    "direction": ("encrypt", "decrypt", "both"),
                },
            )
            for sboxes, sbox, stages, cuts, figures, what in (
                ("lut", "table", "1", "0", "3", "one stage"),
                ("lut", "table", "2", "0", "6 and 8", "two stages"),
                ("tower", "tower", "3", "1", "4c, 6 and 8", "S-boxes cut once, three stages"),
                ("tower", "tower", "4", "2", "4d, 6 and 8", "S-boxes cut twice, four stages"),
            )
        ),
        Preset(
            "aesforge-line",
            "Hodjat & Verbauwhede, and further",
            "all rounds unrolled, S-boxes and rounds cut as deep as told, a block per clock",
            {"round": "sbox", "sbox": "tower"},
            {
                "architecture": ("pipelined", "deep"),
                "stages": ("7", *(str(stages) for stages in range(1, 14) if stages != 7)),
                "sbox_cuts": ("4", *(str(cuts) for cuts in range(10) if cuts != 4)),
                "key_schedule": ("stored", "on_the_fly"),
                "keys": _FIXED_KEYS,
                "direction": ("encrypt", "decrypt", "both"),
            },
            ("stages", "sbox_cuts"),
        ),
        Preset(
            "aesforge-compact",
            "aesforge",
            "a column per clock through four S-boxes: every key and both directions in little room",
            {"architecture": "word_serial", "round": "sbox"},
            {
                "key_schedule": ("on_the_fly", "stored"),
                "keys": _ANY_KEYS,
                "direction": _ANY_DIRECTION,
                "sbox": ("nibbles", "inverse_table", "table", "tower", "lean"),
            },
        ),
        Preset(
            "aesforge-nano",
            "for fewest gates, as Moradi et al. (2011) count them",
            "a byte per clock through one S-box, registers that shift in every clock, 217 clocks",
            {
                "architecture": "byte_serial",
                "keys": "128",
                "direction": "encrypt",
                "round": "sbox",
                "key_schedule": "on_the_fly",
            },
            {"sbox": ("lean", "tower", "inverse_table", "table")},
        ),
        Preset(
            "aesforge-lowcost",
            "Fan et al., and further",
            "1, 2 or 4 S-boxes, told with each block (204, 104 or 54 clocks), in a core with ports "
            "of 32 bits behind the contract",
            {
                "architecture": "column_serial",
                "keys": "128",
                "round": "sbox",
                "key_schedule": "on_the_fly",
            },
            {
                "sboxes": ("4", "2", "1"),
                "direction": ("both", "encrypt"),
                "sbox": ("lean", "tower", "inverse_table", "table"),
            },
        ),
        Preset(
            "aesforge-iterative",
            "aesforge",
            "one round and its round key per clock, the next block entering in the last round",
            {
                "architecture": "overlapped",
                "keys": "128",
                "direction": "encrypt",
                "round": "sbox",
            },
            {
                "sbox": ("table", "nibbles", "tower", "shallow"),
                "key_schedule": ("on_the_fly", "stored"),
            },
        ),
        Preset(
            "aesforge-feedback",
            "Sklavos & Koufopavlou, and further",
            "one round and its round key per clock: every key and both directions, none stored",
            {"architecture": "iterative", "round": "sbox", "key_schedule": "on_the_fly"},
            {
                "keys": _ANY_KEYS,
                "direction": _ANY_DIRECTION,
                "sbox": ("tower", "lean", "nibbles", "table", "inverse_table", "bram"),
            },
            ("sbox",),
        ),
        Preset(
            "aesforge-c-slow",
            "Sklavos & Koufopavlou, and further",
            "the feedback core C-slowed: as many blocks as stages, each with its own round keys",
            {"architecture": "c_slow", "round": "sbox", "key_schedule": "on_the_fly"},
            {
                "stages": ("4", "3", "2", "5", "6"),
                "sbox_cuts": ("1", "0", "2", "3"),
                "keys": _FIXED_KEYS,
                "direction": _ANY_DIRECTION,
                "sbox": ("tower", "lean", "nibbles", "table"),
            },
            ("stages", "sbox_cuts", "sbox"),
        ),
        Preset(
            "aesforge-loop",
            "Bulens et al., and further",
            "one round cut as deep as told, a party of as many blocks in a loop under one key",
            {
                "architecture": "interleaved",
                "keys": "128",
                "direction": "encrypt",
                "round": "sbox",
                "key_schedule": "on_the_fly",
            },
            {
                "stages": ("7", "6", "5", "4", "3", "2", "8"),
                "sbox_cuts": ("4", "3", "2", "1", "0", "5"),
                "sbox": ("tower", "nibbles", "table"),
            },
            ("stages", "sbox_cuts", "sbox"),
        ),
    ]
    return {preset.name: preset for preset in found}


def preset(name: str) -> Preset:
    """The preset of that name; UserError names the nearest."""
    if name not in presets():
        raise unknown("preset", name, presets())
    return presets()[name]


assert tuple(AXES) == tuple(field.name for field in fields(Config))
