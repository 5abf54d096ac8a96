"""What the benches of layers over several cores share: cores, keys, headers and beats."""

import random
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Awaitable

from runner import View

from aesforge.sim.oracle import ecb
from aesforge.sim.packets import Beat
from aesforge.space.modes import KIND_OUT

TRIES = 400
"""Cycles in which a key or a header is accepted, however all sides stall."""

KINDS = {code: name for name, code in KIND_OUT.items()}


class Layer(ABC):
    """A layer over cores in step, of which the bench plays the cores."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.parameters = dict(view.item.parameters)
        self.lanes, self.depth = int(self.parameters["Lanes"]), int(self.parameters["InFlight"])
        self.most = 16 * self.lanes
        # With registers at its memory, the FIFO has an entry after so many cycles.
        self.latency = 4 if self.parameters["Registered"] == "1'b1" else 2

    @abstractmethod
    async def cycle(self, may: float = 1.0, **ports: int) -> bool:
        """One cycle with these ports: whether a beat is accepted."""

    async def key(self) -> None:
        """A key, which all cores accept at once."""
        key = {"key_valid_i": 1, "key_i": random.getrandbits(256), "core_key_ready_i": 1}
        await self._accepted("key", key, 1.0)

    async def header(self, ports: dict[str, int], may: float = 1.0) -> None:
        """A header, once it is accepted."""
        await self._accepted("pkt", ports, may)
        await self.view.apply(pkt_iv_i=random.getrandbits(128))

    async def _accepted(self, channel: str, ports: dict[str, int], may: float) -> None:
        for _ in range(TRIES):
            await self.view.apply(**ports)
            ready = self.view.get(f"{channel}_ready_o")
            await self.cycle(may)
            if ready:
                break
        assert ready
        await self.view.apply(**{f"{channel}_valid_i": 0})

    async def key_waits(self, rest: Awaitable[None]) -> None:
        """A key that is offered in a packet is accepted after the `rest` of it, before a header."""
        view = self.view
        await view.apply(key_valid_i=1, core_key_ready_i=1)
        assert not view.get("key_ready_o")
        assert not view.get("core_key_valid_o")
        await view.apply(key_valid_i=0)
        await rest
        await view.apply(in_valid_i=0, key_valid_i=1, core_key_ready_i=0, pkt_valid_i=1)
        assert view.get("core_key_valid_o")
        assert not view.get("key_ready_o")
        # A header beside a key waits for it.
        assert not view.get("pkt_ready_o")
        await view.apply(core_key_ready_i=1)
        assert view.get("key_ready_o")
        assert view.get("pkt_ready_o")
        await view.apply(key_valid_i=0, pkt_valid_i=0)


class Ciphered(Layer):
    """A layer over cores with an ideal cipher, which outputs what the standard says."""

    def __init__(self, view: View, secret: bytes = bytes(16)) -> None:
        super().__init__(view)
        # The key of the cores; ages and results of what is in them.
        self.secret = secret
        self.core: deque[list[int]] = deque()
        self.found: list[Beat] = []
        self.wanted: list[Beat] = []
        self.cycles = 0
        self.accepted: list[int] = []
        self.offered: list[int] = []

    @abstractmethod
    def checks(self, leaves: bool, entered: bool, accepted: bool) -> None:
        """What holds in each cycle: a result leaves, blocks enter, a beat is accepted."""

    async def cycle(self, may: float = 1.0, **ports: int) -> bool:
        """One cycle with these ports: whether a beat is accepted."""
        view = self.view
        room = len(self.core) < self.depth and random.random() < may
        leaves = bool(self.core) and self.core[0][0] >= self.latency
        await view.apply(
            core_in_ready_i=int(room),
            core_out_valid_i=int(leaves),
            core_out_data_i=self.core[0][1] if leaves else random.getrandbits(8 * self.most),
            out_ready_i=int(random.random() < may),
            **ports,
        )
        accepted = bool(view.get("in_valid_i") and view.get("in_ready_o"))
        entered = bool(view.get("core_in_valid_o") and room)
        entering = self.encrypted() if entered else 0
        self.checks(leaves, entered, accepted)
        if view.get("out_valid_o") and view.get("out_ready_i"):
            self.output()
        left = leaves and view.get("core_out_ready_o")
        for one in self.core:
            one[0] += 1
        if left:
            self.core.popleft()
        if entered:
            self.core.append([0, entering])
        if accepted:
            self.accepted.append(self.cycles)
        self.cycles += 1
        await view.edge()
        return accepted

    def encrypted(self) -> int:
        """The results of the blocks that enter the cores."""
        view = self.view
        assert view.get("core_in_sboxes_o") == view.get("in_sboxes_i")
        given = view.get("core_in_data_o").to_bytes(self.most, "big")
        decrypt = bool(view.get("core_in_decrypt_o"))
        return int.from_bytes(ecb(self.secret, decrypt)(given), "big")

    def output(self) -> None:
        """A beat is output."""
        view = self.view
        size, kind = view.get("out_bytes_o"), KINDS[view.get("out_kind_o")]
        data = view.get("out_data_o").to_bytes(self.most, "big")
        assert data[size:] == bytes(self.most - size)
        self.found.append(Beat(data[:size], kind, bool(view.get("out_last_o"))))
        self.offered.append(self.cycles)

    def ports(self, one: Beat, kind: int) -> dict[str, int]:
        """The ports of a beat."""
        data = one.data + random.randbytes(self.most - len(one.data))
        # More bytes than a beat has are all of them.
        more = self.most + random.randrange(self.most) if len(one.data) == self.most else 0
        return {
            "in_valid_i": 1,
            "in_data_i": int.from_bytes(data, "big"),
            "in_bytes_i": more or len(one.data),
            "in_kind_i": kind,
            "in_last_i": int(one.last),
            "in_abort_i": int(one.abort) if one.last else random.getrandbits(1),
            "in_sboxes_i": random.randrange(3),
        }

    async def drain(self) -> None:
        """Wait for all results, which are those of the standard."""
        for _ in range(1000):
            if len(self.found) == len(self.wanted) and not self.core:
                break
            await self.cycle(in_valid_i=0)
        assert not self.core
        assert self.found == self.wanted

    async def clear(self) -> None:
        """A clear, after which a key is accepted in the end, and nothing before it."""
        view = self.view
        await view.apply(key_clear_i=1, in_valid_i=1)
        for port in ("in_ready_o", "key_ready_o", "pkt_ready_o", "core_in_valid_o"):
            assert not view.get(port)
        await view.edge()
        self.core.clear()
        self.found.clear()
        self.wanted.clear()
        await view.apply(key_clear_i=0, in_valid_i=0, core_out_valid_i=0, core_key_ready_i=1)
        for _ in range(200):
            await view.apply(key_valid_i=1)
            assert not view.get("in_ready_o")
            assert not view.get("out_valid_o")
            if view.get("key_ready_o"):
                break
            await view.edge()
        assert view.get("key_ready_o")
        # No header before a key.
        await view.apply(key_valid_i=0, pkt_valid_i=1, in_data_i=0)
        assert not view.get("pkt_ready_o")
        await view.apply(pkt_valid_i=0)
