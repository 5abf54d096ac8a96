"""What results are proven equal to: `formal/aes_spec.sv` as formulas of the key and a block."""

from pathlib import Path

from aesforge import cache
from aesforge.core.sources import digest
from aesforge.proof.claims import Sources
from aesforge.space.axes import Config
from aesforge.tools import aiger, yosys


def specification(given: Sources, bits: int, decrypt: bool, block: int = 128) -> Path:
    """The specification as a formula: 256 inputs of the key, those of a block, as many outputs."""
    text = given.formal / "aes_spec.sv"

    def make(work: Path) -> None:
        yosys.run(
            [
                f"read_verilog -sv {text}",
                f"hierarchy -check -top aes_spec -chparam KeyBits {bits} "
                f"-chparam BlockBits {block} -chparam Decrypt {int(decrypt)}",
                *("proc", "wreduce", "peepopt", "opt", "simplemap", "techmap", "opt", "aigmap"),
                *("opt_clean", "write_blif spec.blif"),
            ],
            work,
        )
        yosys.abc("read_blif spec.blif; strash; write_aiger -s spec.aig", work)

    key = digest(text, bits, decrypt, block, yosys.version(), "spec")
    return cache.folder("proof-spec", key, make) / "spec.aig"


def formula(given: Sources, config: Config) -> str:
    """A digest of what the results of a core are proven equal to, whatever its text."""
    found = [
        specification(given, bits, direction == "decrypt", int(config.block))
        for bits in config.key_sizes
        for direction in config.directions
    ]

    def make() -> str:
        return digest(*(aiger.structure(aiger.read(path)) for path in found))

    return str(cache.value("proof-formula", digest(*found, Path(aiger.__file__)), make))
