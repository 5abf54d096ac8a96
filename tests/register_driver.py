"""A driver of the register ports: what a program does, over a bus model of any bus."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from aesforge.results.registers import registers
from aesforge.sim.oracle import LEN_CODE
from aesforge.sim.packets import Beat, Header
from aesforge.space.modes import KIND, KIND_OUT, MODES

MAP = {register.name: register for register in registers()}
PATIENCE = 4000
"""Reads of STATUS until a packet counts as stalled."""


def at(name: str, number: int = 0) -> int:
    """The address of a register, or of one of an array."""
    return MAP[name].addresses[number]


def put(name: str, **fields: int) -> int:
    """The value of a register with fields, the others 0."""
    found = {field.name: field for field in MAP[name].fields}
    for field_name, value in fields.items():
        assert value >> found[field_name].bits == 0, (name, field_name, value)
    return sum(value << found[field_name].low for field_name, value in fields.items())


def get(name: str, value: int) -> dict[str, int]:
    """The fields of the value of a register."""
    return {f.name: value >> f.low & ((1 << f.bits) - 1) for f in MAP[name].fields}


def words(data: bytes) -> list[int]:
    """Bytes as words, the first byte in the low byte."""
    whole = data + bytes(-len(data) % 4)
    return [int.from_bytes(whole[k : k + 4], "little") for k in range(0, len(whole), 4)]


class BusError(Exception):
    """An access got an error response."""


@dataclass
class Driver:
    """`load(address)`, `store(address, value)` and `narrow(address, bytes)` of a bus.

    They raise BusError.
    """

    load: Callable[[int], Awaitable[int]]
    store: Callable[[int, int], Awaitable[None]]
    narrow: Callable[[int, bytes], Awaitable[None]]
    beat: tuple[int, str, bool] = (16, "payload", False)
    taken: list[Beat] = field(default_factory=list)

    async def read(self, name: str, number: int = 0) -> dict[str, int]:
        """The fields of a register."""
        return get(name, await self.load(at(name, number)))

    async def write(self, name: str, **fields: int) -> None:
        """Write a register, its other fields 0."""
        await self.store(at(name), put(name, **fields))

    async def fill(self, name: str, data: bytes) -> None:
        """Write bytes to an array of registers, from the first on."""
        for number, word in enumerate(words(data)):
            await self.store(at(name, number), word)

    async def command(self, name: str) -> None:
        """Give a command."""
        await self.write("COMMAND", **{name: 1})

    async def wait(self, name: str, value: int = 1, drain: bool = True) -> dict[str, int]:
        """Read STATUS until a field has a value; result beats are taken meanwhile."""
        for _ in range(PATIENCE):
            status = await self.read("STATUS")
            if status[name] == value:
                return status
            if status["OUT_VALID"] and drain:
                await self.take(status)
        raise AssertionError(f"STATUS.{name} never is {value}: {status}")

    async def take(self, status: dict[str, int]) -> None:
        """Read the beat out that STATUS describes."""
        found = [await self.load(at("DATA_OUT", number)) for number in range(4)]
        data = b"".join(word.to_bytes(4, "little") for word in found)
        size = status["OUT_BYTES"]
        assert data[size:] == bytes(16 - size), "bytes after the last one are zero"
        kind = next(name for name, code in KIND_OUT.items() if code == status["OUT_KIND"])
        self.taken.append(Beat(data[:size], kind, bool(status["OUT_LAST"]), 0))

    async def key(self, key: bytes, tweak: bytes = b"") -> None:
        """Load a key, which the next packet uses."""
        await self.wait("KEY_BUSY", 0)
        await self.wait("START_BUSY", 0)
        await self.write("CTRL", KEY_LEN=LEN_CODE[8 * len(key)])
        await self.fill("KEY", key)
        await self.fill("KEY_TWEAK", tweak)
        await self.command("LOAD_KEY")
        await self.wait("KEY_BUSY", 0)

    async def open(self, header: Header) -> None:
        """Open a packet."""
        await self.wait("START_BUSY", 0)
        await self.write(
            "CTRL",
            MODE=MODES[header.mode].code,
            DECRYPT=int(header.decrypt),
            TAG_BYTES=header.tag_bytes,
            IV_BYTES=header.iv_bytes,
        )
        await self.fill("IV", header.iv)
        if MODES[header.mode].lengths_ahead:
            await self.store(at("AAD_BYTES"), header.aad_bytes)
            await self.store(at("PAYLOAD_BYTES"), header.payload_bytes)
        await self.command("START")

    async def send(self, beat: Beat) -> None:
        """Send a beat, or abort the packet."""
        if beat.abort:
            await self.command("ABORT")
            return
        await self.wait("IN_READY")
        wanted = len(beat.data), beat.kind, beat.last
        if wanted != self.beat:
            await self.write(
                "BEAT", BYTES=len(beat.data), KIND=KIND[beat.kind], LAST=int(beat.last)
            )
        self.beat = (*wanted[:2], False)
        await self.fill("DATA_IN", beat.data.ljust(16, b"\xa5"))

    async def packet(self, header: Header, beats: list[Beat]) -> list[Beat]:
        """Send a packet; what it outputs."""
        await self.open(header)
        for beat in beats:
            await self.send(beat)
        return await self.rest()

    async def rest(self) -> list[Beat]:
        """The beats of the oldest packet that has output any, when all are there."""
        while not any(beat.last for beat in self.taken):
            await self.take(await self.wait("OUT_VALID"))
        end = next(number for number, beat in enumerate(self.taken, 1) if beat.last)
        found, self.taken = self.taken[:end], self.taken[end:]
        return found

    async def errors(self) -> set[str]:
        """The errors since the last call, which clears them."""
        found = {name for name, value in (await self.read("ERRORS")).items() if value}
        await self.write("ERRORS", **dict.fromkeys(found, 1))
        return found

    async def wipe(self) -> None:
        """Clear everything."""
        await self.command("WIPE")
        self.beat, self.taken = (16, "payload", False), []

    async def refused(self, access: Awaitable[object], *errors: str) -> None:
        """An access is in error, and for this reason."""
        try:
            await access
        except BusError:
            assert await self.errors() == {*errors}
        else:
            raise AssertionError(f"the access is no error: {errors}")
