"""What each core promises in cycles.

A core is a module of `rtl/`, named by `Config.module`. Its promise is a function of the
configuration and the key size.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace

from aesforge.space.axes import DIRECTIONS, Config
from aesforge.space.modes import Mode


@dataclass(frozen=True)
class Promise:
    """What a configuration does with one key size, in cycles.

    `latency`: from the cycle that accepts a block to the first that offers its result; of a
    protected core, from the cycle that offers the block.
    `interval`: from one block to the next when neither side stalls, for `per` blocks at a time.
    `key_setup`: cycles between a key handshake and the first block that may use the key; from the
    first round key with `key_schedule=loaded`, when the next one is always on offer.
    `key_change_blocks`: blocks that a stream loses while a new key is set up.
    `stop_cycles`: cycles from a result that stalls until the rounds stop.
    `in_flight`: blocks between acceptance and the transfer of their results, at most.
    """

    latency: int
    interval: int
    key_setup: int
    per: int = 1
    key_change_blocks: int = 0
    stop_cycles: int = 1
    in_flight: int = 1

    @property
    def cycles_per_block(self) -> float:
        """Cycles per block, sustained."""
        return self.interval / self.per


def rounds(key_bits: int, block_bits: int = 128) -> int:
    """Nr of FIPS 197, table 3; for longer blocks of Rijndael, max(Nk, Nb) + 6."""
    return max(key_bits, block_bits) // 32 + 6


def _schedule(config: Config, key_bits: int) -> int:
    """Steps of two words, of a schedule of Nb (Nr + 1) words."""
    block_bits = int(config.block)
    return block_bits // 64 * (rounds(key_bits, block_bits) + 1)


def _iterative(config: Config, key_bits: int) -> Promise:
    nr = rounds(key_bits, int(config.block))
    return Promise(latency=nr + 1, interval=nr + 1, key_setup=_schedule(config, key_bits))


def _iterative_otf(config: Config, key_bits: int) -> Promise:
    block_bits = int(config.block)
    nr = rounds(key_bits, block_bits)
    # Decryption starts from the last round key: the schedule of a new key runs to its end first.
    derives = "decrypt" in config.directions and config.key_schedule == "on_the_fly"
    # A key that may be shorter than a round key is extended to the first window.
    extends = min(config.key_sizes) < block_bits
    setup = (nr if derives else 0) + extends
    return Promise(
        latency=nr + 1, interval=nr + 1, key_setup=setup, key_change_blocks=-(-setup // (nr + 1))
    )


def _iterative_overlap_otf(config: Config, key_bits: int) -> Promise:
    cycles = rounds(key_bits) // int(config.rounds_per_cycle)
    # Decryption starts from the last round key, as in _iterative_otf; one cycle loads the key.
    setup = cycles + 1 if "decrypt" in config.directions else 0
    # A block is accepted in the cycle of the last round of the previous block.
    return Promise(
        latency=cycles, interval=cycles, key_setup=setup, key_change_blocks=-(-setup // cycles)
    )


def _iterative_overlap(_config: Config, key_bits: int) -> Promise:
    nr = rounds(key_bits)
    # Two cycles for the SubWord of each round, two to load the key, and two to return to it.
    setup = 2 * (nr + 2)
    return Promise(latency=nr, interval=nr, key_setup=setup, key_change_blocks=-(-setup // nr))


def _interleaved(config: Config, key_bits: int) -> Promise:
    nr, stages = rounds(key_bits, int(config.block)), int(config.stages)
    interval = stages * (nr + 1)
    setup, lost = _schedule(config, key_bits), 0
    if "encrypt" in config.directions:
        # The key schedule has one slot of the loop, in which a word enters the S-boxes once in
        # `stages` cycles, first in the cycle after the key. The step that needs SubWord follows,
        # one cycle later with S-boxes that have a register, and then the steps that need none: one
        # with keys of 128 or 256 bits, two with 192. If the last of them is too late for the next
        # word to enter when the slot returns, the word waits for one more turn.
        answer = 2 if config.sbox in ("bram", "split") else 1
        per_word = 3 if key_bits == 192 else 2
        turns = -(-(answer + per_word) // stages)
        words, after = divmod(setup - 1, per_word)
        setup = stages * turns * words + answer + after + 1
        lost = -(-setup // interval)
    return Promise(
        latency=stages * nr + 1,
        interval=interval,
        key_setup=setup,
        per=stages,
        key_change_blocks=lost,
        in_flight=stages,
    )


def _interleaved_batch(config: Config, key_bits: int) -> Promise:
    nr, stages = rounds(key_bits), int(config.stages)
    # A batch enters as the previous batch leaves. SubWord starts in the cycle after a key.
    return Promise(
        latency=stages * nr, interval=stages * nr, key_setup=1, per=stages, in_flight=stages
    )


def _interleaved_otf(config: Config, key_bits: int) -> Promise:
    nr, stages = rounds(key_bits), int(config.stages)
    # Decryption starts from the last round key; encryption needs the words after the first key.
    turns = nr if "decrypt" in config.directions else 1
    return Promise(
        latency=stages * nr + 1,
        interval=stages * (nr + 1),
        key_setup=stages * turns + 1,
        per=stages,
        key_change_blocks=stages,
        in_flight=stages,
    )


def serial_phases(config: Config) -> tuple[int, int, int]:
    """Cycles of the first AddRoundKey, of a round, and of the last round, 8 bits wide.

    As in table II of Fan et al.; the sum over a block is the latency that is promised.
    """
    sboxes = int(config.sboxes)
    # A round has 16 bytes of the state and 4 of the round key; four S-boxes idle for one cycle.
    return 5, 20 // sboxes + (sboxes == 4), 16 // sboxes + 1


def _serial8_switchable_otf(config: Config, key_bits: int) -> Promise:
    block_bits = int(config.block)
    nr = rounds(key_bits, block_bits)
    first, a_round, last = serial_phases(config)
    latency = first + a_round * (nr - 1) + last
    # One S-box derives the last round key for decryption, whatever number blocks select.
    setup = 1 + 8 * nr
    if block_bits != 128:
        columns = block_bits // 32
        # A round is its columns and two words of round keys, or one; the first AddRoundKey has a
        # word, between two of its columns, when the key is shorter.
        words = nr * (1 if key_bits == block_bits == 192 else 2) + (key_bits < block_bits)
        latency = 2 + columns + 4 * (nr * columns + words) // int(config.sboxes)
        setup = 1 + columns * (nr + 1) + 4 * words
    if "decrypt" not in config.directions:
        setup = 0
    return Promise(
        latency=latency, interval=latency, key_setup=setup, key_change_blocks=-(-setup // latency)
    )


def _serial32(config: Config, key_bits: int) -> Promise:
    # One column per cycle; the first AddRoundKey as the block enters.
    setup = _schedule(config, key_bits)
    return Promise(latency=2 * setup, interval=2 * setup, key_setup=setup)


def _serial32_otf(config: Config, key_bits: int) -> Promise:
    # One column and one word of the schedule per cycle; the first AddRoundKey as words enter.
    latency = 2 * _schedule(config, key_bits)
    # Decryption starts from the last words: the schedule of a new key runs to its end first.
    setup = latency if "decrypt" in config.directions else 0
    return Promise(
        latency=latency, interval=latency, key_setup=setup, key_change_blocks=setup // latency
    )


def _serial8_otf(config: Config, key_bits: int) -> Promise:
    # One byte per cycle: 16 bytes of the state in each AddRoundKey, 4 of each round key in SubWord,
    # and 4 cycles for the sums of the words of the inverse key schedule.
    nr, both = rounds(key_bits), len(config.directions) > 1
    latency = 16 * (nr + 1) + (8 if both else 4) * nr + 1
    # Decryption starts from the last round key: the schedule of a new key runs to its end first.
    setup = latency if both else 0
    return Promise(
        latency=latency, interval=latency, key_setup=setup, key_change_blocks=-(-setup // latency)
    )


def _serial32_switchable_otf(config: Config, _key_bits: int) -> Promise:
    # The S-boxes are busy in every cycle except the four in which the words of a block enter.
    latency = 4 + 200 // int(config.sboxes)
    # One S-box derives the last round key for decryption, whatever number blocks select.
    setup = 205 if "decrypt" in config.directions else 0
    return Promise(
        latency=latency, interval=latency, key_setup=setup, key_change_blocks=-(-setup // latency)
    )


def _unrolled(config: Config, key_bits: int) -> Promise:
    block_bits = int(config.block)
    depth = int(config.stages) * max(rounds(bits, block_bits) for bits in config.key_sizes)
    stop = int(config.stop_cycles)
    setup = lost = 0
    if config.key_schedule == "stored":
        # A new key waits until the pipeline is empty, and blocks wait for the key. Its SubWord has
        # the sub-pipeline registers of the rounds' S-boxes when there are more than two.
        registers = int(config.sbox_registers) if int(config.sbox_registers) > 2 else 0
        setup = (2 + registers) * rounds(key_bits)
        # Registers on the way to the rounds, or the round keys of decryption through InvMixColumns.
        setup += 2 if stop == 2 else "decrypt" in config.directions
        if block_bits != 128:
            # For both directions each round key is written in two cycles.
            both = rounds(key_bits, block_bits) + 1 if len(config.directions) > 1 else 0
            setup = _schedule(config, key_bits) + both + stop
        lost = depth + 1 + setup
    elif config.key_schedule == "loaded":
        # A round key is written twice for both directions.
        setup = (rounds(key_bits) + 1) * len(config.directions)
        lost = depth + 1 + setup
    return Promise(
        depth + 1, 1, setup, key_change_blocks=lost, stop_cycles=stop, in_flight=depth + 1
    )


def _masked_serial32(config: Config, key_bits: int) -> Promise:
    # A byte leaves an S-box as many cycles after it enters as four products take, and the four
    # columns follow each other: a round. In the first round the block arrives, and is accepted in
    # its last cycle; latency counts from the first cycle that offers it.
    a_round = 4 * (2 if config.gadget == "dom" else 1) + 4
    latency = (a_round - 4) + 1 + a_round * rounds(key_bits)
    return Promise(latency=latency, interval=latency + 1, key_setup=0)


def _masked_serial8(config: Config, key_bits: int) -> Promise:
    # As above with a register before the products, and sixteen bytes. The first round key has no
    # S-box, and the result leaves while the bytes of the last one arrive.
    a_round = 1 + 4 * (2 if config.gadget == "dom" else 1) + 16
    latency = a_round * rounds(key_bits) + 16
    return Promise(latency=latency, interval=latency + 1, key_setup=0)


def _masked_interleaved(config: Config, key_bits: int) -> Promise:
    stages = int(config.stages)
    turns = stages * rounds(key_bits)
    # Each stage holds a block, and the register of the result another one.
    return Promise(latency=turns + 1, interval=turns, key_setup=0, per=stages, in_flight=stages + 1)


def masked_clear(config: Config) -> int:
    """Cycles of `clear_i` or reset after which all shares of a masked core are overwritten."""
    turn = 4 * (2 if config.gadget == "dom" else 1)
    return {"8": 16, "32": turn + 4, "128": turn + 1}[config.width]


_PROMISES: dict[str, Callable[[Config, int], Promise]] = {
    "aes_iterative": _iterative,
    "aes_iterative_otf": _iterative_otf,
    "aes_iterative_overlap": _iterative_overlap,
    "aes_iterative_overlap_otf": _iterative_overlap_otf,
    "aes_interleaved": _interleaved,
    "aes_interleaved_batch": _interleaved_batch,
    "aes_interleaved_otf": _interleaved_otf,
    "aes_unrolled": _unrolled,
    "aes_serial8_otf": _serial8_otf,
    "aes_serial8_switchable_otf": _serial8_switchable_otf,
    "aes_serial32": _serial32,
    "aes_serial32_otf": _serial32_otf,
    "aes_serial32_switchable_otf": _serial32_switchable_otf,
    "aes_masked_serial8": _masked_serial8,
    "aes_masked_serial32": _masked_serial32,
    "aes_masked_interleaved": _masked_interleaved,
}


_ACCESSES = 9
"""Accesses for a block in registers: a read of STATUS, four writes, four reads (docs/buses)."""

REGISTER_INTERVAL = 2 * _ACCESSES
"""Cycles for a beat through registers, at least: a bus takes an access in two cycles."""


def _port(config: Config, core: Promise) -> Promise:
    if config.port in ("native", "axi-stream") or config.stream_port == "on":
        return core
    if config.port != "word32":
        # What the processor does besides is its own.
        interval = max(core.interval, REGISTER_INTERVAL * core.per)
        lost = core.key_change_blocks * core.interval // interval
        return replace(core, interval=interval, key_change_blocks=lost)
    per, interval = core.per, max(core.interval, 4 * core.per)
    if config.key_schedule == "batch":
        # A batch takes blocks in `per` consecutive cycles only, and one arrives every 4 cycles.
        per, interval = (core.per - 1) // 4 + 1, core.interval
    lost = core.key_change_blocks * core.interval * per // (core.per * interval)
    # The result passes through a register.
    return Promise(core.latency + 1, interval, core.key_setup, per, lost, core.stop_cycles)


def single_results(core: Promise) -> bool:
    """Whether a core has a cycle between two results, so that a buffer of one is enough."""
    return core.per == 1 and core.interval > 1


def _protection(_config: Config, core: Promise) -> Promise:
    # A result passes a buffer, in which it is compared.
    held = 1 if single_results(core) else 2
    return replace(core, latency=core.latency + 1, in_flight=core.in_flight + held)


def _passing(_config: Config, core: Promise) -> Promise:
    # Ports are connected to the core without a register.
    return core


def _clearing(config: Config, core: Promise) -> int:
    """Cycles of a clear of a core, at most: memories have 64 entries, a pipeline is shifted out."""
    return max(64, core.latency) if config.engine == "unrolled" else 64


def opening_cycles(config: Config) -> int:
    """Cycles from a reset to the first key of a core with a test, at most; 0 without one.

    A key of each size is loaded and set up, and a block takes its latency and a cycle more in each
    direction. The core clears its memories before it takes the first key, and when the test ends.
    """
    if config.self_test == "off":
        return 0
    loaded = [promised(config.cipher, bits) for bits in config.key_sizes]
    blocks = len(config.directions)
    tested = sum(2 + core.key_setup + blocks * (core.latency + 2) for core in loaded)
    return tested + 1 + 2 * max(_clearing(config, core) for core in loaded)


def answer_bits(config: Config) -> int:
    """The parameter `WaitBits` of `aes_self_test`: no step takes twice as long as the longest."""
    cores = (promised(config.cipher, bits) for bits in config.key_sizes)
    longest = max(_clearing(config, core) + core.key_setup + core.latency for core in cores)
    return (2 * longest).bit_length()


def _hold(_config: Config, below: Promise) -> Promise:
    # Beats pass block RAM, whose read is registered. Payload to verify waits for its verdict too.
    return replace(below, latency=below.latency + 2)


def hash_digit(config: Config) -> int:
    """The parameter `HashDigit` of `aes_mode`: the bits that GHASH processes per cycle.

    As few as a core needs that has its blocks one by one; 128 if several follow each other; 0, a
    pipeline, around one, whose clock a product would limit.
    """
    core = promised(config.core, min(config.key_sizes))
    if core.per > 1:
        return 128
    most = 0 if config.engine == "unrolled" else 128
    return next((d for d in (1, 2, 4, 8, 16, 32, 64) if 128 // d < core.interval), most)


def beat_digit(config: Config) -> int:
    """The parameter `HashDigit` of `aes_gcm_lanes`: the bits that GHASH processes per cycle.

    As few as are needed for the blocks of a beat while the core has the next one; all of a beat if
    that is too short; 0 as with one lane.
    """
    core, lanes = promised(config.core, min(config.key_sizes)), int(config.lanes)
    if not hash_digit(config):
        return 0
    enough = (2**k for k in range(8) if core.per == 1 and lanes * 128 // 2**k < core.interval)
    return next(enough, 128 * lanes)


def _after_core(config: Config) -> int:
    """The cycles that a result takes to the output from where one that chains returns.

    Of a core with GHASH alone: it is registered as it enters GHASH over lanes, and around a core
    with registered results once more; with pipelined products it passes a queue.
    """
    if not any(mode.hashes for mode in config.modes):
        return 0
    lanes = config.lanes != "1"
    return config.registered + (lanes if hash_digit(config) else 6 - lanes)


def packet_promise(config: Config, core: Promise, mode: Mode, decrypt: bool) -> Promise:
    """What a mode promises for long packets in one direction, in every stream.

    A block that waits for the result of the block before has the core alone, but for the blocks of
    other streams. A beat of CFB8 and CFB1, of KW and KWP, is many blocks. What is promised for a
    block is promised for a beat of several lanes.
    """
    if mode.buffers:
        # Payload is hashed, or loaded; encrypted, or decrypted and hashed; and then output.
        hashed = 128 // (hash_digit(config) or 128)
        passed = core.interval + core.per * hashed
        if decrypt:
            passed = max(core.interval, core.per * hashed) + 2 * core.per
        return replace(core, interval=passed)
    if config.registered:
        core = replace(core, latency=core.latency + 2)
    loop, core = core.latency, replace(core, latency=core.latency + _after_core(config))
    if mode.name == "gmac":
        # No block of the message is encrypted.
        return replace(core, interval=128 // (hash_digit(config) or 128), per=1)
    if not (mode.serial_decryption if decrypt else mode.serial_encryption):
        return replace(core, interval=core.interval * mode.steps)
    streams = min(int(config.streams), core.per) if core.per > 1 else int(config.streams)
    turn = max(loop, -(-streams * core.interval // core.per))
    # Steps of one beat follow each other; streams are interleaved by beats.
    if mode.steps > 1:
        alone = max(loop, -(-core.interval // core.per))
        # Each of two semiblocks is loaded in one cycle and output in two.
        moved = 2 * 3 if mode.wraps else 0
        return replace(core, interval=alone * mode.steps + moved, per=1)
    if mode.name == "ccm":
        # A counter block, and then a block of CBC-MAC, which waits for the payload in decryption.
        # Beside a pipeline that follows its counter block in the next cycle.
        after = loop + 1 if decrypt else core.interval if core.per == 1 else 1
        return replace(core, interval=after + loop, per=1)
    if mode.tag and decrypt:
        # A block that may be the last one waits for the next beat, and has a step of its own.
        return replace(core, interval=loop + 1, per=1)
    return replace(core, interval=turn, per=streams)


def hash_cycles(config: Config) -> int:
    """Cycles in which pipelined GHASH may output nothing, at most.

    The powers of a new subkey take 6 n - 1 + 6 log2(6 n) cycles for n lanes, and as many with one
    lane as with two. The other 64, a generous bound, are for products in progress.
    """
    if hash_digit(config) or not any(mode.hashes for mode in config.modes):
        return 0
    powers = 6 * max(2, int(config.lanes))
    return powers - 1 + 6 * (powers - 1).bit_length() + 64


def held_lines(config: Config) -> int:
    """Beats of payload that the buffer of `hold=on` has room for; a clear takes as many cycles."""
    return int(config.hold_bytes) // config.beat_bytes if config.hold == "on" else 0


def longest_beat(config: Config) -> int:
    """Blocks through the cipher after which a beat is accepted, at most.

    The last beat of KW and KWP waits for six blocks of each semiblock, that of GCM-SIV for its
    payload, and its keys.
    """

    def blocks(mode: Mode) -> int:
        if mode.buffers:
            return 2 * int(config.payload_bytes) // 16 + 16
        return 6 * int(config.semiblocks) if mode.wraps else mode.steps

    return max(map(blocks, config.modes))


def headers_ahead(config: Config) -> int:
    """Headers that are accepted while the packet before them is open: those of XTS."""
    if not config.two_keys:
        return 0
    core = config.tweak_core
    return max(_PROMISES[core.module](core, bits).in_flight for bits in core.key_sizes)


def tweak_latency(config: Config, key_bits: int) -> int:
    """Cycles in which the second core of XTS encrypts a tweak; 0 without one."""
    if not config.two_keys:
        return 0
    core = config.tweak_core
    return _PROMISES[core.module](core, key_bits).latency


def slowest(config: Config, core: Promise, directions: Collection[str] = DIRECTIONS) -> Promise:
    """What a configuration promises in its slowest mode and direction of packets."""
    found = max(
        (
            packet_promise(config, core, mode, direction == "decrypt")
            for mode in config.modes
            for direction in directions
            if not mode.inverse or direction in config.directions
        ),
        key=lambda promise: promise.cycles_per_block,
    )
    return replace(found, per=found.per * int(config.lanes))


# What the layer of an axis makes of the promise of the layer below.
_LAYERS: dict[str, Callable[[Config, Promise], Promise]] = {
    "protection": _protection,
    "random": _passing,
    "self_test": _passing,
    "mode": slowest,
    "hold": _hold,
    "port": _port,
}


def promised(config: Config, key_bits: int) -> Promise:
    """What a configuration promises for a key of `key_bits`, with all of its S-boxes in use."""
    promise = _PROMISES[config.module](config, key_bits)
    for axis in config.stacked:
        promise = _LAYERS[axis](config, promise)
    return promise
