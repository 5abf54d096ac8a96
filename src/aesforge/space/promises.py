"""What each core promises in cycles, and which points of the design space there are.

A core is a module of `rtl/`, named by `Config.module`. Its promise is a function of the
configuration and the key size; `lacks` gives the reason why a point does not exist.
"""

from collections.abc import Callable
from dataclasses import dataclass

from aesforge.space.axes import Config


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


def rounds(key_bits: int) -> int:
    """Nr of FIPS 197, table 3."""
    return key_bits // 32 + 6


def _iterative(_config: Config, key_bits: int) -> Promise:
    nr = rounds(key_bits)
    return Promise(latency=nr + 1, interval=nr + 1, key_setup=2 * (nr + 1))


def _iterative_otf(config: Config, key_bits: int) -> Promise:
    nr = rounds(key_bits)
    # Decryption starts from the last round key, which a new key is run through to.
    derives = "decrypt" in config.directions and config.key_schedule == "on_the_fly"
    setup = nr if derives else 0
    return Promise(latency=nr + 1, interval=nr + 1, key_setup=setup, gives_way=-(-setup // nr))


def _iterative_otf_lacks(config: Config) -> str:
    if config.direction == "encrypt" and config.key_schedule == "given":
        return "encryption starts from the key itself: take key_schedule=on_the_fly"
    if config.keys != "128" and config.key_schedule == "given":
        return "only a 128-bit key has room for its last round key: take keys=128"
    return ""


def _iterative_overlap_otf(_config: Config, key_bits: int) -> Promise:
    nr = rounds(key_bits)
    # A block is accepted in the clock of the last round of the block before, whose result leaves.
    return Promise(latency=nr, interval=nr, key_setup=0)


def _iterative_overlap(_config: Config, key_bits: int) -> Promise:
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


def _interleaved_batch(config: Config, key_bits: int) -> Promise:
    nr, stages = rounds(key_bits), int(config.stages)
    # A party comes in as the one before leaves. SubWord is asked for in the clock behind a key.
    return Promise(latency=stages * nr, interval=stages * nr, key_setup=1, per=stages)


def _interleaved_otf(config: Config, key_bits: int) -> Promise:
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


def _interleaved_otf_lacks(config: Config) -> str:
    if int(config.stages) - int(config.sbox_registers) == 4:
        return "there is one register behind the S-boxes at most: take one stage less"
    return _pipelined_loop_lacks(config)


def _pipelined_loop_lacks(config: Config) -> str:
    if config.stages == "1":
        return "blocks in a loop need stages: take stages=2 or more"
    return _registers_lack(config)


def _serial8_switchable_otf(config: Config, key_bits: int) -> Promise:
    sboxes, nr = int(config.sboxes), rounds(key_bits)
    # A round has 16 bytes of the state and 4 of the round key; four S-boxes rest for a clock.
    a_round = 20 // sboxes + (sboxes == 4)
    latency = 5 + a_round * (nr - 1) + 16 // sboxes + 1
    # One S-box finds the round key that decryption starts from, whatever is told with blocks.
    setup = 1 + 8 * nr if "decrypt" in config.directions else 0
    return Promise(
        latency=latency, interval=latency, key_setup=setup, gives_way=-(-setup // latency)
    )


def _serial32(_config: Config, key_bits: int) -> Promise:
    # A column a clock, that of the first AddRoundKey as the block comes in.
    nr = rounds(key_bits)
    return Promise(latency=4 * (nr + 1), interval=4 * (nr + 1), key_setup=2 * (nr + 1))


def _serial32_otf(config: Config, key_bits: int) -> Promise:
    # A column a clock, and a word of the schedule; that of the first AddRoundKey as words come in.
    latency = 4 * (rounds(key_bits) + 1)
    # Decryption starts from the last words of the schedule, which a new key is run through to.
    setup = latency if "decrypt" in config.directions else 0
    return Promise(latency=latency, interval=latency, key_setup=setup, gives_way=setup // latency)


def _serial8_otf(_config: Config, key_bits: int) -> Promise:
    # A byte a clock: 16 of the state in each AddRoundKey, 4 of each round key.
    nr = rounds(key_bits)
    latency = 16 * (nr + 1) + 4 * nr + 1
    return Promise(latency=latency, interval=latency, key_setup=0)


def _serial32_switchable_otf(config: Config, _key_bits: int) -> Promise:
    # The S-boxes are busy in every clock but four, in which words of a block come.
    latency = 4 + 200 // int(config.sboxes)
    # One S-box finds the round key that decryption starts from, whatever is told with blocks.
    setup = 205 if "decrypt" in config.directions else 0
    return Promise(
        latency=latency, interval=latency, key_setup=setup, gives_way=-(-setup // latency)
    )


def _unrolled(config: Config, key_bits: int) -> Promise:
    depth = int(config.stages) * max(rounds(bits) for bits in config.key_sizes)
    setup, gives_way = 0, 0
    if config.key_schedule == "stored":
        # A new key waits until the blocks in the rounds have left, and then blocks for the key. Its
        # SubWord is cut as the S-boxes of the rounds are when these have more than two cuts.
        cuts = int(config.sbox_registers) if int(config.sbox_registers) > 2 else 0
        setup = (2 + cuts) * rounds(key_bits) + ("decrypt" in config.directions)
        gives_way = depth + 1 + setup
    return Promise(latency=depth + 1, interval=1, key_setup=setup, gives_way=gives_way)


def _unrolled_lacks(config: Config) -> str:
    if config.key_schedule == "on_the_fly" and "decrypt" in config.directions:
        return "decryption starts from the last round key: take key_schedule=stored"
    return _registers_lack(config)


def _unrolled_deep(config: Config, key_bits: int) -> Promise:
    depth = int(config.stages) * max(rounds(bits) for bits in config.key_sizes)
    setup, gives_way = 0, 0
    if config.key_schedule == "stored":
        setup = 2 + (2 + int(config.sbox_registers)) * rounds(key_bits)
        # A new key waits until the blocks in the rounds have left, and then blocks for the key.
        gives_way = depth + 1 + setup
    return Promise(depth + 1, 1, setup, gives_way=gives_way, stop=2)


def _unrolled_deep_lacks(config: Config) -> str:
    if config.stages == "1":
        return "a stage for each round is no deep pipeline: take stages=2 or more"
    # The module takes them; what is not proven is not offered.
    if config.keys != "128":
        return "the deep pipeline is proven for 128-bit keys: take keys=128 or stop_cycles=1"
    if config.direction == "both":
        return "the deep pipeline is proven for one direction: take one, or stop_cycles=1"
    return _unrolled_lacks(config)


def _registers_lack(config: Config) -> str:
    stages, cuts = int(config.stages), int(config.sbox_registers)
    if cuts and config.sbox != "tower":
        return "only S-boxes in the tower field are cut: take sbox=tower or sbox_registers=0"
    # One behind the S-boxes, one behind the round, and one or two may be in MixColumns.
    if (stages > 1 or cuts) and stages not in range(cuts + 2, cuts + 5):
        return f"a round with sbox_registers={cuts} has stages={cuts + 2} to {cuts + 4}"
    return ""


@dataclass(frozen=True)
class _Core:
    """What a module promises in a configuration for a key size.

    `lacks` says why there is no such configuration of it, and is empty when there is.
    """

    promise: Callable[[Config, int], Promise]
    lacks: Callable[[Config], str] = lambda _config: ""


_CORES = {
    "aes_iterative": _Core(_iterative),
    "aes_iterative_otf": _Core(_iterative_otf, _iterative_otf_lacks),
    "aes_iterative_overlap": _Core(_iterative_overlap),
    "aes_iterative_overlap_otf": _Core(_iterative_overlap_otf),
    "aes_interleaved": _Core(_interleaved),
    "aes_interleaved_batch": _Core(_interleaved_batch, _pipelined_loop_lacks),
    "aes_interleaved_otf": _Core(_interleaved_otf, _interleaved_otf_lacks),
    "aes_unrolled": _Core(_unrolled, _unrolled_lacks),
    "aes_unrolled_deep": _Core(_unrolled_deep, _unrolled_deep_lacks),
    "aes_serial8_otf": _Core(_serial8_otf),
    "aes_serial8_switchable_otf": _Core(_serial8_switchable_otf),
    "aes_serial32": _Core(_serial32),
    "aes_serial32_otf": _Core(_serial32_otf),
    "aes_serial32_switchable_otf": _Core(_serial32_switchable_otf),
}


def promised(config: Config, key_bits: int) -> Promise:
    """What a configuration promises for a key of `key_bits`, with all of its S-boxes in use."""
    return _CORES[config.module].promise(config, key_bits)


def lacks(config: Config) -> str:
    """Why a configuration does not exist; empty when it does."""
    return _CORES[config.module].lacks(config)
