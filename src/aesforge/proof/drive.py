"""What a core sees in a run that is unrolled, and what it answers, as literals."""

from dataclasses import dataclass

from aesforge.core.contract import sboxes_code
from aesforge.proof.graph import Cycles
from aesforge.sim.oracle import LEN_CODE
from aesforge.space.axes import Config


class Unproven(Exception):
    """Why a claim does not hold."""


def bits_of(port: str, literals: list[int]) -> dict[str, int]:
    """Literals by the names of the bits of a port, bit 0 first."""
    if len(literals) == 1:
        return {port: literals[0], f"{port}[0]": literals[0]}
    return {f"{port}[{bit}]": literal for bit, literal in enumerate(literals)}


def number(port: str, width: int, value: int) -> dict[str, int]:
    """The literals of a port with this value."""
    return bits_of(port, [value >> bit & 1 for bit in range(width)])


@dataclass(frozen=True)
class Offers:
    """The inputs of a core of which keys of one size and blocks of one kind are offered.

    A cycle is `reset`, or `levels` with the inputs of one key and one block, on offer or idle. What
    is not driven is free: a payload without its valid, and every input but `rst_ni` in a reset.
    """

    config: Config
    bits: int
    kind: Config

    @property
    def reset(self) -> dict[str, int]:
        """A reset."""
        return number("rst_ni", 1, 0)

    @property
    def levels(self) -> dict[str, int]:
        """No reset, no clear, and results are taken."""
        off, on = number("key_clear_i", 1, 0), number("rst_ni", 1, 1)
        return {**on, **off, **number("out_ready_i", 1, 1)}

    def key(self, on: bool, literals: list[int] | None = None) -> dict[str, int]:
        """A key on offer, which is free without `literals`; or none."""
        driven = number("key_valid_i", 1, int(on))
        if on and self.config.keys == "any":
            driven |= number("key_len_i", 2, LEN_CODE[self.bits])
        return driven | (bits_of("key_i", literals) if on and literals else {})

    def block(self, on: bool, literals: list[int] | None = None) -> dict[str, int]:
        """A block on offer, which is free without `literals`; or none."""
        driven = number("in_valid_i", 1, int(on))
        if not on:
            return driven
        if self.config.direction == "both":
            driven |= number("in_decrypt_i", 1, int(self.kind.direction == "decrypt"))
        for sboxes in self.kind.selectable_sboxes[:1]:
            driven |= number("in_sboxes_i", 2, sboxes_code(sboxes))
        return driven | (bits_of("in_data_i", literals) if literals else {})


def constant(cycles: Cycles, port: str) -> bool:
    """The value of a handshake output in the last cycle; Unproven when it has no constant value."""
    literal = cycles.output(port)
    if literal > 1:
        cycle = len(cycles.driven) - 1
        raise Unproven(
            f"{port} is no constant in cycle {cycle}: it depends on a key, on data, "
            "on an input that is not valid, or on a register at power-up"
        )
    return bool(literal)


def limit(latency: int) -> int:
    """Cycles in which a key is accepted after a reset.

    A clear may overwrite a memory line by line, or wait for all blocks, before a key is accepted.
    """
    return max(64, 2 * latency)
