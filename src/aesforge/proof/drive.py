"""What a core sees in a run that is unrolled, what it answers, and whether that is as promised."""

from dataclasses import dataclass, field

from aesforge.core.contract import sboxes_code
from aesforge.proof.graph import Cycles
from aesforge.sim.oracle import LEN_CODE
from aesforge.space.axes import Config
from aesforge.space.promises import Promise


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


@dataclass
class Answers:
    """When a core answered: the cycles of its key, of its blocks and of their results.

    Cycles are counted from 1; 0 is the reset, and no key yet. Results are taken at once.
    """

    promise: Promise
    keyed: int = 0
    accepted: list[int] = field(default_factory=list)
    offered: list[int] = field(default_factory=list)

    def see(self, cycles: Cycles, block: bool) -> None:
        """The last cycle, in which a `block` was on offer, and a key until it is accepted.

        Unproven when the first block is not accepted after exactly the promised key setup, or when
        a result is not offered after exactly the promised latency.
        """
        cycle, promise = len(cycles.driven) - 1, self.promise
        if constant(cycles, "out_valid_o"):
            self._result(cycle)
        elif len(self.offered) < len(self.accepted):
            number = len(self.offered)
            if cycle - self.accepted[number] >= promise.latency:
                raise Unproven(f"no result of block {number} after {promise.latency} cycles")
        if constant(cycles, "in_ready_o") and block:
            self._block(cycle)
        elif self.keyed and not self.accepted and cycle - self.keyed > promise.key_setup:
            raise Unproven(f"no block is accepted {cycle - self.keyed - 1} cycles after the key")
        if self.keyed:
            return
        if constant(cycles, "key_ready_o"):
            self.keyed = cycle
        elif cycle > limit(promise.latency):
            raise Unproven(f"no key is accepted in {cycle} cycles")

    def _block(self, cycle: int) -> None:
        since, promised = cycle - self.keyed - 1, self.promise.key_setup
        if not self.keyed:
            raise Unproven(f"a block is accepted in cycle {cycle}, before a key")
        if not self.accepted and since != promised:
            raise Unproven(f"a block is accepted {since} cycles after the key, promised {promised}")
        self.accepted.append(cycle)

    def _result(self, cycle: int) -> None:
        number = len(self.offered)
        if number == len(self.accepted):
            raise Unproven(f"a result in cycle {cycle} that no block asked for")
        if (since := cycle - self.accepted[number]) != self.promise.latency:
            raise Unproven(
                f"the result of block {number} is offered after {since} cycles, "
                f"promised {self.promise.latency}"
            )
        self.offered.append(cycle)
