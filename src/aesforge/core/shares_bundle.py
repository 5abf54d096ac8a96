"""What the datasheet and the testbench of a masked core say."""

import random

from aesforge.core import stack
from aesforge.core.contract import random_bits
from aesforge.core.stack import connected
from aesforge.sim.oracle import ecb
from aesforge.sim.vectors import APPENDIX_C
from aesforge.space.axes import Config
from aesforge.space.promises import masked_clear, promised

_PORT = {
    "drawn": " and random bits are drawn anew for each block and in each cycle",
    "random_constants": "  localparam int RANDOM = {bits};",
    "random_ports": """\
  logic random_valid_i;
  logic random_ready_o;
  logic [RANDOM-1:0] random_i;""",
    "random_source": """\
  always @(negedge clk_i) begin
    for (int i = 0; i < RANDOM; i++) random_i[i] <= 1'($urandom);
    random_valid_i <= !stalls || ($urandom & 3) != 0;
  end

  // Cycles in which random bits were taken.
  integer fresh;
  initial fresh = 0;
  always @(posedge clk_i) if (random_valid_i && random_ready_o) fresh <= fresh + 1;""",
    "before_block": "    integer first;\n",
    "at_block": "    first = fresh;\n",
    "after_block": """\
    if (fresh - first != LATENCY - 1) fail(at, "not the promised random bits");
""",
    "at_start": "",
    "beside_blocks": "",
}
"""What the testbench of a core with a port for random bits has of it."""

_SEEDED = {
    "drawn": " are drawn anew for each block",
    "random_constants": """\
  // Cycles in which a seed is mixed.
  localparam int MIXING = {mixing};""",
    "random_ports": """\
  logic seed_valid_i;
  logic seed_ready_o;
  logic [79:0] seed_i;""",
    "random_source": """\
  initial seed_valid_i = 1'b0;

  task seed;
    logic [127:0] value;
    value = noise();
    seed_i = value[79:0];
    seed_valid_i = 1'b1;
    while (!seed_ready_o) @(negedge clk_i);
    @(negedge clk_i);
    seed_valid_i = 1'b0;
  endtask""",
    "before_block": "",
    "at_block": "",
    "after_block": "",
    "at_start": """
    // A block waits for the first seed.
    fork
      encrypt(0, cycles);
      begin
        repeat (50) @(negedge clk_i);
        seed;
      end
    join
    if (cycles != 50 + 1 + MIXING + LATENCY) fail(0, "not the promised cycles after a seed");
""",
    "beside_blocks": """\
      repeat (3) begin
        repeat (LATENCY) @(negedge clk_i);
        seed;
      end
""",
}
"""What the testbench of a core with a generator has of it."""


def _mixing(config: Config) -> int:
    """Cycles in which a seed is mixed, as `aes_masked_random` has them: four turns of 288 steps."""
    bits = random_bits(config)
    steps = -(-bits // -(-bits // 64))
    return -(-4 * 288 // steps)


def randomness(config: Config) -> dict[str, str]:
    """What the testbench has of random bits, or of a generator."""
    text = _PORT if config.random == "port" else _SEEDED
    given = {"bits": str(random_bits(config)), "mixing": str(_mixing(config))}
    constants = text["random_constants"].format_map(given)
    return {**text, "random_constants": constants}


BLOCKS = 6
"""Blocks of the testbench, each with its own key."""

_KEY, _BLOCK = bytes(range(16)), APPENDIX_C
"""FIPS 197, appendix C."""


def figures(config: Config) -> dict[str, str]:
    """The numbers that both have."""
    promise = promised(config, 128)
    return {
        "shares": config.shares,
        "latency": str(promise.latency),
        "interval": str(promise.interval),
        "per": str(promise.per),
        "clear": str(masked_clear(config)),
    }


def sentences(config: Config) -> dict[str, str]:
    """What the datasheet says of handshakes."""
    promise = promised(config, 128)
    random = _random_sentences(config)
    if config.engine == "serial":
        return random | {
            "pace": f"Blocks follow each other every {promise.interval} cycles.",
            "accepted": "A block is accepted while it is processed: hold `in_data_i` and `key_i` "
            "until `in_ready_o`.",
            "idle": "the state of the block in shares",
        }
    return random | {
        "pace": f"{promise.per} blocks, each with its own key, take {promise.interval} cycles.",
        "accepted": "A block is accepted when a stage of the round is free.",
        "idle": "the shares of the last result",
    }


def _random_sentences(config: Config) -> dict[str, str]:
    """What the datasheet says of random bits."""
    # A result leaves one cycle after its last random bits.
    bits, cycles = random_bits(config), promised(config, 128).latency - 1
    if config.random == "port":
        return {
            "random_bits": f"{bits} in each of {cycles} cycles of a block",
            "random_port": "random_i",
            "when_random": "when random bits are always\nvalid, and one more for each cycle in "
            "which they are not.",
            "random_rules": "- `random_i` must be uniform, independent of all else, and new in "
            "each cycle in which it is taken.\n  The core has no generator.",
        }
    return {
        "random_bits": f"made from a seed of 80 bits: {bits} in each of {cycles} cycles of a block",
        "random_port": "seed_i",
        "when_random": "once a seed is mixed.",
        "random_rules": f"""\
- `seed_i` must be uniform, independent of all else, and new. The core needs one after each reset,
  and accepts more; while one is mixed, {_mixing(config)} cycles, blocks wait. `clear_i` keeps it,
  reset does not.
- The random bits are those of the stream cipher Trivium, with the seed as key
  (`aes_masked_random`). Nothing else is claimed of them; another module with the same ports may
  take its place.""",
    }


def example() -> list[tuple[str, str]]:
    """Ports and the sums of their shares."""
    values = {"key_i": _KEY, "in_data_i": _BLOCK, "out_data_o": ecb(_KEY, False, 128)(_BLOCK)}
    return [(f"`{port}`", f"`{value.hex()}`") for port, value in values.items()]


def vectors(config: Config) -> list[str]:
    """Assignments of keys, blocks and results."""
    rng = random.Random(str(config))
    found = [(_KEY, _BLOCK), *((rng.randbytes(16), rng.randbytes(16)) for _ in range(BLOCKS - 1))]
    return [
        f"{name}[{at}] = 128'h{value.hex()};"
        for at, (key, block) in enumerate(found)
        for name, value in (
            ("key", key),
            ("block", block),
            ("result", ecb(key, False, 128)(block)),
        )
    ]


def pins(config: Config) -> list[str]:
    """The connections of the core in the testbench."""
    return connected((port.name, port.name) for port in stack.contract(config).ports)
